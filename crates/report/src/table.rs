//! Tables: for a terminal, for Markdown, for LaTeX and as CSV.

#[cfg(feature = "drawing")]
use std::fmt::Write as _;

use comfy_table::{CellAlignment, Table as TextTable, presets};

use tamper_runs::CsvTable;

/// A table without rows, under these heads: ASCII that is Markdown as well.
pub(super) fn text_table(heads: impl IntoIterator<Item = impl ToString>) -> TextTable {
    let mut table = TextTable::new();
    table.force_no_tty().load_style(presets::ASCII_MARKDOWN);
    table.set_header(heads.into_iter().map(|head| head.to_string()));
    table
}

/// The text of a table whose columns but the first hold numbers.
pub(super) fn numbers_text(mut table: TextTable) -> String {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    format!("{table}\n")
}

/// The name of the last row of a table of counts: the sum of all others.
pub(super) const TOTAL: &str = "total";

/// The head of a column: for readers, and for programs that read CSV.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    title: String,
    field: String,
}

impl Head {
    /// A head that differs for readers and for programs.
    pub fn new(title: impl Into<String>, field: impl Into<String>) -> Self {
        let (title, field) = (title.into(), field.into());
        Self { title, field }
    }

    /// A head that readers and programs see alike.
    pub fn plain(title: impl Into<String>) -> Self {
        let title = title.into();
        Self::new(title.clone(), title)
    }
}

/// A cell: for readers, and for programs that read CSV.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    shown: String,
    written: String,
}

impl Cell {
    /// A name or a number, the same for all.
    pub fn plain(text: impl ToString) -> Self {
        let text = text.to_string();
        Self {
            shown: text.clone(),
            written: text,
        }
    }

    /// A percentage in digits: `54.0 %` for readers, and `-` if the whole is zero.
    pub fn percent(digits: Option<String>) -> Self {
        Self {
            shown: digits
                .as_ref()
                .map_or_else(|| "-".to_owned(), |digits| format!("{digits} %")),
            written: digits.unwrap_or_default(),
        }
    }

    /// A ratio: per cent for readers, a fraction with four digits for programs.
    pub fn ratio(ratio: Option<f64>) -> Self {
        Self {
            written: ratio.map(|ratio| format!("{ratio:.4}")).unwrap_or_default(),
            ..Self::percent(ratio.map(|ratio| format!("{:.1}", ratio * 100.0)))
        }
    }
}

/// A table in which all columns but the first hold numbers. A row named `total` is the sum of the rows before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// The caption, a sentence without its full stop.
    pub caption: String,
    /// The name by which a text for LaTeX refers to it.
    pub label: String,
    /// A note for readers.
    pub note: Option<String>,
    heads: Vec<Head>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows.
    pub fn new(heads: impl IntoIterator<Item = Head>) -> Self {
        Self {
            caption: String::new(),
            label: String::new(),
            note: None,
            heads: heads.into_iter().collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row: its name, and its cells.
    pub fn row(&mut self, name: impl ToString, cells: impl IntoIterator<Item = Cell>) {
        self.rows
            .push(std::iter::once(Cell::plain(name)).chain(cells).collect());
    }

    /// The table for a terminal.
    pub fn text(&self) -> String {
        let mut table = text_table(self.heads.iter().map(|head| &head.title));
        for row in &self.rows {
            table.add_row(row.iter().map(|cell| &cell.shown));
        }
        numbers_text(table)
    }

    /// The rows, comma-separated, under the names of the columns.
    pub fn csv(&self) -> Result<String, csv::Error> {
        let mut table = CsvTable::new(Vec::new());
        table.row(self.heads.iter().map(|head| &head.field))?;
        for row in &self.rows {
            table.row(row.iter().map(|cell| &cell.written))?;
        }
        Ok(String::from_utf8_lossy(&table.finish()?).into_owned())
    }
}

/// Forms that only the figures and the studies print.
#[cfg(feature = "drawing")]
impl Table {
    /// A page of Markdown: the caption, the note, the table.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n", self.caption);
        // Writing to a string does not fail.
        if let Some(note) = &self.note {
            let _ = writeln!(text, "{note}\n");
        }
        let _ = writeln!(text, "| {} |", self.titles(" | "));
        let _ = writeln!(text, "|---{}|", "|---:".repeat(self.heads.len().saturating_sub(1)));
        for row in &self.rows {
            let cells: Vec<&str> = row.iter().map(|cell| cell.shown.as_str()).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        text
    }

    /// A table for LaTeX, which needs the package booktabs, and longtable if it is longer than a page.
    pub fn latex(&self) -> String {
        let columns = "r".repeat(self.heads.len().saturating_sub(1));
        let heads = latex(&self.titles("\u{0}")).replace('\u{0}', " & ");
        let caption = format!("\\caption{{{}}}\\label{{tab:{}}}", latex(&self.caption), self.label);
        let is_long = self.is_long();
        let mut text = match is_long {
            true => format!("\\begin{{longtable}}{{l{columns}}}\n{caption} \\\\\n\\toprule\n"),
            false => {
                format!("\\begin{{table}}[htbp]\n\\centering\n{caption}\n\\begin{{tabular}}{{l{columns}}}\n\\toprule\n")
            }
        };
        // The heads are repeated on each page of a long table.
        let again = if is_long { "\\endhead\n" } else { "" };
        let _ = write!(text, "{heads} \\\\\n\\midrule\n{again}");
        for row in &self.rows {
            if row[0].shown == TOTAL {
                text.push_str("\\midrule\n");
            }
            let cells: Vec<String> = row.iter().map(|cell| latex(&cell.shown)).collect();
            let _ = writeln!(text, "{} \\\\", cells.join(" & "));
        }
        text.push_str(match is_long {
            true => "\\bottomrule\n\\end{longtable}\n",
            false => "\\bottomrule\n\\end{tabular}\n",
        });
        if let Some(note) = &self.note {
            let _ = writeln!(text, "\\par\\smallskip\\footnotesize {}", latex(note));
        }
        if !is_long {
            text.push_str("\\end{table}\n");
        }
        text
    }

    /// Whether the table does not fit on a page.
    pub fn is_long(&self) -> bool {
        self.rows.len() > 40
    }

    fn titles(&self, between: &str) -> String {
        let titles: Vec<&str> = self.heads.iter().map(|head| head.title.as_str()).collect();
        titles.join(between)
    }
}

/// `text` as LaTeX prints it.
#[cfg(feature = "drawing")]
fn latex(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.replace(" %", "\u{1}").chars() {
        match character {
            '\u{1}' => escaped.push_str("\\,\\%"),
            '%' | '&' | '#' | '$' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(character);
            }
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '\u{b7}' => escaped.push_str("\\textperiodcentered{}"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand.
    fn small() -> Table {
        let mut table = Table::new([
            Head::plain("operator"),
            Head::new("non-subsumed", "non_subsumed"),
            Head::plain("ratio"),
        ]);
        table.caption = "Mutants of a_b".to_owned();
        table.label = "mutants".to_owned();
        table.row("TMI", [Cell::plain(3), Cell::ratio(Some(0.875))]);
        table.row(TOTAL, [Cell::plain(3), Cell::percent(None)]);
        table
    }

    #[test]
    fn each_form_has_the_same_rows() {
        let table = small();
        assert_eq!(
            table.csv().unwrap(),
            "operator,non_subsumed,ratio\nTMI,3,0.8750\ntotal,3,\n"
        );
        assert_eq!(
            table.text(),
            "| operator | non-subsumed |  ratio |\n|----------|--------------|--------|\n\
             | TMI      |            3 | 87.5 % |\n| total    |            3 |      - |\n"
        );
        assert_eq!(
            table.markdown(),
            "# Mutants of a_b\n\n| operator | non-subsumed | ratio |\n|---|---:|---:|\n| TMI | 3 | 87.5 % |\n| total | 3 | - |\n"
        );
        assert_eq!(
            table.latex(),
            "\\begin{table}[htbp]\n\\centering\n\\caption{Mutants of a\\_b}\\label{tab:mutants}\n\\begin{tabular}{lrr}\n\\toprule\n\
             operator & non-subsumed & ratio \\\\\n\\midrule\nTMI & 3 & 87.5\\,\\% \\\\\n\\midrule\n\
             total & 3 & - \\\\\n\\bottomrule\n\\end{tabular}\n\\end{table}\n"
        );
    }

    #[test]
    fn a_long_table_is_divided_into_pages() {
        let mut table = small();
        (0..40).for_each(|row| table.row(row, [Cell::plain(1), Cell::plain(2)]));
        let latex = table.latex();
        assert!(
            latex.starts_with(
                "\\begin{longtable}{lrr}\n\\caption{Mutants of a\\_b}\\label{tab:mutants} \\\\\n\\toprule\n"
            ),
            "{latex}"
        );
        assert!(
            latex.contains("ratio \\\\\n\\midrule\n\\endhead\n") && latex.ends_with("\\end{longtable}\n"),
            "{latex}"
        );
    }

    #[test]
    fn what_latex_reads_as_its_own_is_escaped() {
        assert_eq!(
            latex("x<=2 & y^{2}_1 ~ 5 % of \\a"),
            "x\\textless{}=2 \\& y\\textasciicircum{}\\{2\\}\\_1 \\textasciitilde{} 5\\,\\% of \\textbackslash{}a"
        );
    }
}
