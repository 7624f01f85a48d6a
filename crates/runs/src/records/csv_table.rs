//! Tables of comma-separated values that spreadsheets read without taking cells for formulas.

use std::borrow::Cow;
use std::io::Write;

/// The text of a cell. Spreadsheets take text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return for a
/// formula, or look for one behind these characters. Text of this kind is prefixed with a single quote, which marks a
/// cell as text. Numbers are left unchanged.
pub fn csv_cell(text: &str) -> Cow<'_, str> {
    let is_taken_for_a_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    match is_taken_for_a_formula && !is_number(text) {
        true => Cow::Owned(format!("'{text}")),
        false => Cow::Borrowed(text),
    }
}

/// Whether `text` is a decimal number: digits with an optional sign and point.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, "0"));
    [whole, rest]
        .iter()
        .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A writer of tables whose cells are safe for spreadsheets.
#[derive(Debug)]
pub struct CsvTable<W: Write>(csv::Writer<W>);

impl<W: Write> CsvTable<W> {
    /// An empty table in `writer`.
    pub fn new(writer: W) -> Self {
        Self(csv::Writer::from_writer(writer))
    }

    /// Adds a row.
    ///
    /// # Errors
    /// If the writer fails, or the row is not as long as the first one.
    pub fn row<T: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = T>) -> csv::Result<()> {
        for cell in cells {
            self.0.write_field(csv_cell(cell.as_ref()).as_bytes())?;
        }
        self.0.write_record(None::<&[u8]>)
    }

    /// Returns the writer, after everything has been written to it.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn finish(self) -> std::io::Result<W> {
        self.0.into_inner().map_err(|error| error.into_error())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_spreadsheets_take_for_a_formula_is_marked_as_text() {
        for text in [
            "=1+1",
            "+a",
            "-b",
            "@sum",
            "\t=1",
            "\r=1",
            "=HYPERLINK(\"x\")",
            "-1+2",
            "-",
            "-.",
        ] {
            assert_eq!(csv_cell(text), format!("'{text}"));
        }
        for text in ["", "TMI:a->b#0", "x<=5", "a=b", "-1", "+2", "-0.5", "12", "'=1"] {
            assert_eq!(csv_cell(text), text);
        }
    }

    #[test]
    fn rows_are_quoted_where_they_must_be() {
        let mut table = CsvTable::new(Vec::new());
        table.row(["id", "why"]).unwrap();
        table.row(["=a", "b, \"c\""]).unwrap();
        assert!(table.row(["one"]).is_err());
        let text = String::from_utf8(table.finish().unwrap()).unwrap();
        assert!(text.starts_with("id,why\n'=a,\"b, \"\"c\"\"\"\n"), "{text}");
    }
}
