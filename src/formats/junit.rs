//! Results of tests as JUnit XML, in the form that the xUnit plugin of Jenkins has a schema for (junit-10.xsd).

use std::fmt::Write as _;
use std::time::Duration;

/// The tests that were run against one thing.
#[derive(Clone, PartialEq, Debug)]
pub struct JunitSuite {
    /// What they were run against.
    pub name: String,
    /// The tests.
    pub cases: Vec<JunitCase>,
}

/// A test that was run.
#[derive(Clone, PartialEq, Debug)]
pub struct JunitCase {
    /// Its name.
    pub name: String,
    /// What it is a test of.
    pub class: String,
    /// How long it took.
    pub wall: Duration,
    /// How it ended.
    pub result: JunitResult,
    /// What happened; may be empty.
    pub output: String,
}

/// How a test ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JunitResult {
    /// Passed.
    Passed,
    /// Failed.
    Failed {
        /// Which kind of failure.
        kind: String,
        /// What is wrong.
        message: String,
    },
    /// It could not be run to an end.
    Error {
        /// Which kind of error.
        kind: String,
        /// What is wrong.
        message: String,
    },
}

/// The results as XML. `name` is what was run.
pub fn write_junit(name: &str, suites: &[JunitSuite]) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let all = suites.iter().flat_map(|suite| &suite.cases);
    let _ = writeln!(
        text,
        "<testsuites name=\"{}\" {}>",
        attribute(name),
        counts(all.collect(), false)
    );
    for suite in suites {
        let cases: Vec<&JunitCase> = suite.cases.iter().collect();
        let _ = writeln!(
            text,
            "  <testsuite name=\"{}\" {}>",
            attribute(&suite.name),
            counts(cases, true)
        );
        suite.cases.iter().for_each(|case| write_case(&mut text, case));
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

/// The counting attributes; only a suite says what is skipped: nothing is, and readers of JUnit files look for it.
fn counts(cases: Vec<&JunitCase>, with_skipped: bool) -> String {
    let count = |is: fn(&JunitResult) -> bool| cases.iter().filter(|case| is(&case.result)).count();
    let failures = count(|result| matches!(result, JunitResult::Failed { .. }));
    let errors = count(|result| matches!(result, JunitResult::Error { .. }));
    let skipped = if with_skipped { " skipped=\"0\"" } else { "" };
    let wall: Duration = cases.iter().map(|case| case.wall).sum();
    format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\"{skipped} time=\"{:.3}\"",
        cases.len(),
        wall.as_secs_f64()
    )
}

fn write_case(text: &mut String, case: &JunitCase) {
    let _ = write!(
        text,
        "    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3}\"",
        attribute(&case.name),
        attribute(&case.class),
        case.wall.as_secs_f64()
    );
    let (element, kind, message) = match &case.result {
        JunitResult::Passed if case.output.is_empty() => {
            text.push_str("/>\n");
            return;
        }
        JunitResult::Passed => ("", None, ""),
        JunitResult::Failed { kind, message } => ("failure", Some(kind), message.as_str()),
        JunitResult::Error { kind, message } => ("error", Some(kind), message.as_str()),
    };
    text.push_str(">\n");
    if !element.is_empty() {
        let kind = kind.map_or_else(String::new, |kind| format!(" type=\"{}\"", attribute(kind)));
        let _ = writeln!(text, "      <{element}{kind} message=\"{}\"/>", attribute(message));
    }
    if !case.output.is_empty() {
        let _ = writeln!(text, "      <system-out>{}</system-out>", content(&case.output));
    }
    text.push_str("    </testcase>\n");
}

/// `text` as it can stand between tags; what XML cannot hold at all becomes a question mark in a box.
fn content(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\r' => out.push_str("&#13;"),
            '\n' | '\t' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'.. => out.push(character),
            _ => out.push('\u{fffd}'),
        }
    }
    out
}

/// `text` as it can stand in a quoted attribute, white space kept.
fn attribute(text: &str) -> String {
    content(text)
        .replace('"', "&quot;")
        .replace('\n', "&#10;")
        .replace('\t', "&#9;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str, result: JunitResult, output: &str) -> JunitCase {
        JunitCase {
            name: name.to_owned(),
            class: "a & b".to_owned(),
            wall: Duration::from_millis(1500),
            result,
            output: output.to_owned(),
        }
    }

    #[test]
    fn results_are_counted_and_texts_come_back_whatever_they_hold() {
        let odd = "<x a=\"1\">&]]>\r\n\té";
        let failed = JunitResult::Failed {
            kind: "fail".to_owned(),
            message: odd.to_owned(),
        };
        let error = JunitResult::Error {
            kind: "exit".to_owned(),
            message: "left".to_owned(),
        };
        let suites = [JunitSuite {
            name: odd.to_owned(),
            cases: vec![
                case("t1", JunitResult::Passed, ""),
                case("t2", failed, odd),
                case("t3", error, "bell \u{7}"),
            ],
        }];
        let text = write_junit("suite", &suites);
        let xml = roxmltree::Document::parse(&text).unwrap();
        let suite = xml.root_element().first_element_child().unwrap();
        let names = ["name", "tests", "failures", "errors", "skipped", "time"];
        let values = names.map(|name| suite.attribute(name).unwrap());
        assert_eq!(values, [odd, "3", "1", "1", "0", "4.500"]);
        let cases: Vec<_> = suite.children().filter(|node| node.has_tag_name("testcase")).collect();
        assert_eq!(cases[0].first_element_child(), None);
        let failure = cases[1].first_element_child().unwrap();
        assert_eq!(failure.attribute("message"), Some(odd));
        let output = failure.next_sibling_element().unwrap();
        assert_eq!((output.tag_name().name(), output.text()), ("system-out", Some(odd)));
        assert_eq!(cases[2].last_element_child().unwrap().text(), Some("bell \u{fffd}"));
        assert_eq!(cases[2].attribute("time"), Some("1.500"));
    }
}
