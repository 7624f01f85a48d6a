//! The text of a file of accepted mutants.

use std::fmt::Write as _;

use toml::value::Date;

use super::AcceptedFile;

/// What the file says about itself.
const HEAD: &str = "# Mutants that may survive, each with the reason. `tamper accept` writes this file; a row counts for\n# the mutant with this change of this part (`of`), whatever number its id has.\n";

impl AcceptedFile {
    /// The file as TOML: the same rows are the same text, in whatever order they were added.
    pub fn text(&self) -> String {
        let mut rows = self.mutants.iter().collect::<Vec<_>>();
        rows.sort_by_key(|row| (&row.content, &row.id, &row.reason, row.until));
        let mut conditions = self.conditions.iter().collect::<Vec<_>>();
        conditions.sort_by_key(|row| (row.keep.text(), &row.reason, row.until));
        let mut text = HEAD.to_owned();
        for row in rows {
            text.push_str("\n[[mutant]]\n");
            line(&mut text, "id", &row.id);
            let operators = row.operators.iter().map(|operator| quoted(operator));
            // Writing to a string does not fail.
            let _ = writeln!(text, "operators = [{}]", operators.collect::<Vec<_>>().join(", "));
            if !row.content.game.is_empty() {
                line(&mut text, "game", &row.content.game);
            }
            line(&mut text, "of", &row.content.of);
            ending(&mut text, &row.reason, row.until);
        }
        for row in conditions {
            text.push_str("\n[[condition]]\n");
            line(&mut text, "keep", row.keep.text());
            ending(&mut text, &row.reason, row.until);
        }
        text
    }
}

fn ending(text: &mut String, reason: &str, until: Option<Date>) {
    line(text, "reason", reason);
    if let Some(until) = until {
        // A date of TOML, which stands without quotes.
        let _ = writeln!(text, "until = {until}");
    }
}

fn line(text: &mut String, key: &str, value: &str) {
    let _ = writeln!(text, "{key} = {}", quoted(value));
}

/// A basic string of TOML, on one line, so that a row changes by lines.
fn quoted(value: &str) -> String {
    let mut text = String::from("\"");
    for character in value.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            character if character.is_control() => {
                let _ = write!(text, "\\u{:04X}", u32::from(character));
            }
            character => text.push(character),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::super::{AcceptedMutant, Content};
    use super::*;
    use crate::Filter;

    const OPERATORS: [&str; 2] = ["CXL", "TMI"];

    fn row(id: &str, reason: &str) -> AcceptedMutant {
        AcceptedMutant {
            id: id.to_owned(),
            operators: vec!["CXL".to_owned()],
            content: Content::new(id, "Lamp", "Off -> On: press?; \"x\"\\ \u{1}"),
            reason: reason.to_owned(),
            until: crate::parse_day("2027-06-30").ok(),
        }
    }

    #[test]
    fn a_file_reads_back_and_its_order_does_not_matter() {
        let condition = super::super::AcceptedCondition {
            keep: Filter::parse_for(&OPERATORS, "-", "operator == CXL && location has Off").unwrap(),
            comment: None,
            reason: "no fault".to_owned(),
            until: None,
        };
        let (first, second) = (row("CXL:a#0", "one\nline"), row("CXL:b#7", "ü"));
        let file = AcceptedFile {
            mutants: vec![second.clone(), first.clone()],
            conditions: vec![condition.clone()],
        };
        let text = file.text();
        let read = AcceptedFile::parse("a.toml", &text, &OPERATORS).unwrap();
        assert_eq!(read.mutants, [first, second]);
        assert_eq!(read.conditions[0].keep.text(), condition.keep.text());
        assert_eq!(read.text(), text);
    }

    #[test]
    fn every_fault_of_a_file_is_told_at_its_place() {
        let text = "[[mutant]]\nid = \"CXL:a\"\noperators = [\"CXL\"]\nof = \"a\"\nreason = \" \"\nuntil = 2027-06-30\n\
            [[condition]]\nkeep = \"verdict == subsumed\"\nreason = \"r\"\n[[condition]]\nkeep = \"colour == 3\"\nreason = \"r\"\n";
        let error = AcceptedFile::parse("a.toml", text, &OPERATORS).unwrap_err();
        let lines = error.diagnostics.iter().map(|found| {
            let span = found.span.unwrap();
            (error.file.line_col(span.start).line, found.message.as_str())
        });
        assert_eq!(
            lines.collect::<Vec<_>>(),
            [
                (5, "the reason is empty"),
                (8, "`verdict` is not known before a run"),
                (11, "there is no field `colour`"),
            ]
        );
        for (wrong, line) in [
            ("[[mutant]]\nid = 3\n", 2),
            ("[[mutants]]\n", 1),
            ("[[condition]]\nkeep = \"all\"\nreason = \"r\"\nuntil = 2027-02-29\n", 4),
            ("[[mutant]]\nid = \"a\n", 2),
        ] {
            let error = AcceptedFile::parse("a.toml", wrong, &OPERATORS).unwrap_err();
            let span = error.diagnostics[0].span.unwrap();
            assert_eq!(error.file.line_col(span.start).line, line, "{wrong}");
        }
    }
}
