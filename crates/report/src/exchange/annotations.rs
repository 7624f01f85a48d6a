//! Annotations of GitHub's workflows: the survivors of a scored suite at their lines of the model, and tests that fail.

use std::fmt::Write as _;

use crate::exchange::junit_xml::{JunitResult, JunitSuite};
use crate::exchange::scored_report::ScoredReport;

/// Writes a warning of GitHub per surviving mutant (a test could kill it, and none does), at the mutant's place in the model's file;
/// a notice for an accepted one, with the reason.
pub fn write_annotations(report: &ScoredReport<'_>) -> String {
    let file = property(report.source.name());
    let mut text = String::new();
    for survivor in report.survivors() {
        let (start, end) = (survivor.location.start, survivor.location.end);
        // GitHub takes columns within one line only.
        let columns = match start.line == end.line {
            true => format!(",col={},endColumn={}", start.column, end.column),
            false => String::new(),
        };
        let (level, title, why) = match &survivor.mutant.accepted {
            Some(reason) => ("notice", "an accepted mutant survives", Some(reason)),
            None => ("warning", "a mutant survives", survivor.mutant.reason.as_ref()),
        };
        let why = why.map_or("", String::as_str);
        let _ = writeln!(
            text,
            "::{level} file={file},line={},endLine={}{columns},title={}::{}",
            start.line,
            end.line,
            property(title),
            message(&format!("{}; {why}", survivor.mutant.description()))
        );
    }
    text
}

/// Writes an error of GitHub for each test of the suite at `file` that failed or could not be run.
pub fn write_failures(file: &str, suites: &[JunitSuite]) -> String {
    let mut text = String::new();
    for suite in suites {
        for case in &suite.cases {
            if let JunitResult::Failed { message: why, .. } | JunitResult::Error { message: why, .. } = &case.result {
                let (file, title) = (property(file), property(&format!("{}: {}", suite.name, case.name)));
                let _ = writeln!(text, "::error file={file},title={title}::{}", message(why));
            }
        }
    }
    text
}

/// A text as a message of a workflow command.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A text as a property of a workflow command.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::exchange::junit_xml::JunitCase;

    #[test]
    fn tests_that_fail_are_errors_and_others_are_not() {
        let case = |name: &str, result| JunitCase {
            name: name.to_owned(),
            class: "Lamp".to_owned(),
            wall: Duration::ZERO,
            result,
            output: String::new(),
        };
        let (kind, why) = ("fail".to_owned(), "expected dim, then\nnothing".to_owned());
        let suite = JunitSuite {
            name: "./lamp".to_owned(),
            cases: vec![
                case("t1", JunitResult::Passed),
                case("t2", JunitResult::Failed { kind, message: why }),
                case(
                    "t3",
                    JunitResult::Skipped {
                        message: "led elsewhere".to_owned(),
                    },
                ),
            ],
        };
        assert_eq!(
            write_failures("suite.json", &[suite]),
            "::error file=suite.json,title=./lamp%3A t2::expected dim, then%0Anothing\n"
        );
    }

    #[test]
    fn texts_are_escaped_as_workflow_commands_ask() {
        assert_eq!(message("10 %, a:b\nc"), "10 %25, a:b%0Ac");
        assert_eq!(property("a,b:c\r"), "a%2Cb%3Ac%0D");
    }
}
