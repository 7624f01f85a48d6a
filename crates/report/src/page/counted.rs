//! Common parts of the pages of printed results: values as texts, counts at the top, kinds of tests.

use serde_json::Value;

/// A number at the top of a page: value, name and kind.
pub(super) type Total = (String, String, &'static str);

/// Whether `object` has members of all these names. Members are asked for by name, as an answer may lack some.
pub(super) fn has(object: &Value, names: &[&str]) -> bool {
    names.iter().all(|name| object.get(*name).is_some())
}

/// A value as a text: lists are joined.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(text).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// The members of a list; empty for anything else.
pub(super) fn runs(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The counts that `object` has, of these: the name in `object`, the name for readers, and the kind.
pub(super) fn totals(object: &Value, names: &[(&str, &str, &'static str)]) -> Vec<Total> {
    let total =
        |(name, label, kind): &(&str, &str, &'static str)| Some((text(object.get(*name)?), (*label).to_owned(), *kind));
    names.iter().filter_map(total).collect()
}

/// The counts of tests that were run.
pub(super) const RUN_TOTALS: [(&str, &str, &str); 11] = [
    ("tests", "tests", ""),
    ("pass", "pass", "pass"),
    ("inconclusive", "inconclusive", ""),
    ("purpose_not_reached", "without reaching their purpose", ""),
    ("fail", "fail", "fail"),
    ("unsteady", "unsteady", "fail"),
    ("unknown", "unknown", "unknown"),
    ("late", "the tester was late", "unknown"),
    ("broken", "could not be tested", "invalid"),
    ("differ", "test and judge differ", "invalid"),
    ("not_run", "not run", ""),
];

/// The kind of a run of a test, by which it is named and marked.
pub(super) fn kind_of(run: &Value) -> &'static str {
    match (run["verdict"].as_str(), run["purpose_reached"].as_bool()) {
        (Some("fail"), _) => "fail",
        (Some("pass"), Some(false)) => "pass, purpose not reached",
        (Some("pass"), _) => "pass",
        (Some("inconclusive"), _) => "inconclusive",
        (Some("unsteady"), _) => "unsteady",
        _ if run["unknown"].is_string() => "unknown",
        _ if run["late"].is_string() => "late",
        _ if run["differs"].is_string() => "differs",
        _ => "broken",
    }
}
