//! Results of tests as JUnit XML, in the form that the xUnit plugin of Jenkins has a schema for (junit-10.xsd).

use std::time::Duration;

use tamper_text::xml::{Declaration, Element, Layout};

/// The tests that were run against one program or model.
#[derive(Clone, PartialEq, Debug)]
pub struct JunitSuite {
    /// The name of the program or model.
    pub name: String,
    /// The tests.
    pub cases: Vec<JunitCase>,
}

/// A test that was run.
#[derive(Clone, PartialEq, Debug)]
pub struct JunitCase {
    /// The name of the test.
    pub name: String,
    /// The name of the class that the test is shown in.
    pub class: String,
    /// The time that the test took.
    pub wall: Duration,
    /// The result.
    pub result: JunitResult,
    /// The text output of the test; may be empty.
    pub output: String,
}

/// The result of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JunitResult {
    /// Passed.
    Passed,
    /// Ended without a verdict that counts.
    Skipped {
        /// The reason.
        message: String,
    },
    /// Failed.
    Failed {
        /// The kind of failure.
        kind: String,
        /// The failure in words.
        message: String,
    },
    /// Could not be run to its end.
    Error {
        /// The kind of error.
        kind: String,
        /// The error in words.
        message: String,
    },
}

/// The results as XML. `name` is the name of the whole run.
pub fn write_junit(name: &str, suites: &[JunitSuite]) -> String {
    let all = suites.iter().flat_map(|suite| &suite.cases);
    let root = Element::new("testsuites").block().with("name", shown(name));
    let root = counted(root, &all.collect::<Vec<_>>(), false);
    let declaration = Declaration {
        encoding: "UTF-8",
        ..Declaration::default()
    };
    root.children(suites.iter().map(suite_element))
        .document(&declaration, &Layout::default())
}

fn suite_element(suite: &JunitSuite) -> Element {
    let cases: Vec<&JunitCase> = suite.cases.iter().collect();
    let element = Element::new("testsuite").block().with("name", shown(&suite.name));
    counted(element, &cases, true).children(suite.cases.iter().map(case_element))
}

/// Adds the counting attributes; only a suite has the attribute about skipped tests.
fn counted(element: Element, cases: &[&JunitCase], with_skipped: bool) -> Element {
    let count = |is: fn(&JunitResult) -> bool| cases.iter().filter(|case| is(&case.result)).count();
    let skipped = count(|result| matches!(result, JunitResult::Skipped { .. }));
    let wall: Duration = cases.iter().map(|case| case.wall).sum();
    element
        .with("tests", cases.len())
        .with("failures", count(|result| matches!(result, JunitResult::Failed { .. })))
        .with("errors", count(|result| matches!(result, JunitResult::Error { .. })))
        .with_some("skipped", with_skipped.then_some(skipped))
        .with("time", seconds(wall))
}

fn seconds(wall: Duration) -> String {
    format!("{:.3}", wall.as_secs_f64())
}

fn case_element(case: &JunitCase) -> Element {
    let element = Element::new("testcase")
        .with("name", shown(&case.name))
        .with("classname", shown(&case.class))
        .with("time", seconds(case.wall));
    let failed = match &case.result {
        JunitResult::Passed => None,
        JunitResult::Skipped { message } => Some(("skipped", None, message)),
        JunitResult::Failed { kind, message } => Some(("failure", Some(kind), message)),
        JunitResult::Error { kind, message } => Some(("error", Some(kind), message)),
    };
    let failed = failed.map(|(name, kind, message)| {
        let element = Element::new(name).with_some("type", kind.map(|kind| shown(kind)));
        element.with("message", shown(message))
    });
    let output = (!case.output.is_empty()).then(|| Element::new("system-out").text(shown(&case.output)));
    if failed.is_none() && output.is_none() {
        return element;
    }
    element.block().children(failed).children(output)
}

/// `text`, with a replacement character for every character that XML cannot hold.
fn shown(text: &str) -> String {
    let held = |character| matches!(character, '\r' | '\n' | '\t' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    text.replace(|character| !held(character), "\u{fffd}")
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
        let skipped = JunitResult::Skipped {
            message: "elsewhere".to_owned(),
        };
        let suites = [JunitSuite {
            name: odd.to_owned(),
            cases: vec![
                case("t1", JunitResult::Passed, ""),
                case("t2", failed, odd),
                case("t3", error, "bell \u{7}"),
                case("t4", skipped, ""),
            ],
        }];
        let text = write_junit("suite", &suites);
        let xml = roxmltree::Document::parse(&text).unwrap();
        let suite = xml.root_element().first_element_child().unwrap();
        let names = ["name", "tests", "failures", "errors", "skipped", "time"];
        let values = names.map(|name| suite.attribute(name).unwrap());
        assert_eq!(values, [odd, "4", "1", "1", "1", "6.000"]);
        let cases: Vec<_> = suite.children().filter(|node| node.has_tag_name("testcase")).collect();
        assert_eq!(cases[0].first_element_child(), None);
        let failure = cases[1].first_element_child().unwrap();
        assert_eq!(failure.attribute("message"), Some(odd));
        let output = failure.next_sibling_element().unwrap();
        assert_eq!((output.tag_name().name(), output.text()), ("system-out", Some(odd)));
        assert_eq!(cases[2].last_element_child().unwrap().text(), Some("bell \u{fffd}"));
        assert_eq!(cases[2].attribute("time"), Some("1.500"));
        let skipped = cases[3].first_element_child().unwrap();
        assert_eq!(
            (skipped.tag_name().name(), skipped.attribute("message")),
            ("skipped", Some("elsewhere"))
        );
    }
}
