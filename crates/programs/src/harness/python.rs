//! Tests as a module for pytest.

use super::data::{json_text, json_title, test_lines, unit};
use tamper_runs::suite_json::Suite;
use tamper_suite::{Refusals, TestCase};

/// A module with `tests` of `suite`: needs Python 3.9 and pytest, and a program or class that `TAMPER_SUT` or `TAMPER_SYSTEM` names.
pub fn write_pytest(suite: &Suite, tests: &[&TestCase]) -> String {
    let template = include_str!("suite.py").replace("{{tool}}", concat!("tamper ", env!("CARGO_PKG_VERSION")));
    // Data is inserted last, as it may contain the marks of the template.
    let (before, after) = template.split_once("{{tests}}").unwrap_or((&template, ""));
    let is_fail = suite.refusals == Refusals::Error;
    let before = before.replace("{{refusals}}", if is_fail { "True" } else { "False" });
    let before = before.replace("{{unit}}", &quotable(&json_text(&unit(suite))));
    let before = before.replace("{{title}}", &quotable(&json_title(suite)));
    [&before, &quotable(&test_lines(tests)), after].concat()
}

/// JSON text that can stand in a Python string between three single quotes.
fn quotable(json: &str) -> String {
    json.replace('\'', "\\u0027")
}
