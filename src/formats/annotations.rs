//! The survivors of a scored suite as annotations of GitHub's workflows, which show each at its line of the model.

use std::fmt::Write as _;

use super::scored_report::ScoredReport;
use super::uppaal::WriteError;

/// A line per mutant that a test could kill and none kills, which GitHub shows as a warning at its place.
///
/// # Errors
/// The model's file has something whose place is not known.
///
/// # Panics
/// If there is no such game, or a mutation was made for another one.
pub fn write_annotations(report: &ScoredReport<'_>) -> Result<String, WriteError> {
    let file = property(report.document.source().name());
    let mut text = String::new();
    for survivor in report.survivors()? {
        let (start, end) = (survivor.location.start, survivor.location.end);
        // GitHub takes columns within one line only.
        let columns = match start.line == end.line {
            true => format!(",col={},endColumn={}", start.column, end.column),
            false => String::new(),
        };
        let why = survivor.mutant.reason.as_deref().unwrap_or_default();
        let _ = writeln!(
            text,
            "::warning file={file},line={},endLine={}{columns},title={}::{}",
            start.line,
            end.line,
            property("a mutant survives"),
            message(&format!("{}; {why}", survivor.mutant.description()))
        );
    }
    Ok(text)
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
    use super::*;

    #[test]
    fn texts_are_escaped_as_workflow_commands_ask() {
        assert_eq!(message("10 %, a:b\nc"), "10 %25, a:b%0Ac");
        assert_eq!(property("a,b:c\r"), "a%2Cb%3Ac%0D");
    }
}
