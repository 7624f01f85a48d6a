//! Tests as a file of tests for cargo, for programs of tokio.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::data::{title, unit};
use super::literals::{Notation, RecordField};
use tamper_runs::suite_json::Suite;
use tamper_suite::{Refusals, SuiteFailure, TestCase};

const NOTATION: Notation = Notation {
    record,
    list: |_, parts| format!("&[{}]", parts.join(", ")),
    text: |text| format!("{text:?}"),
    option: |part| part.map_or_else(|| "None".to_owned(), |part| format!("Some({part})")),
    clock: |clock| format!("{clock:?}"),
    sign: |sign| format!("Sign::{sign}"),
};

/// A file with `tests` of `suite`: needs the kit for tokio, `tamper-sut`, and an adapter beside the file.
///
/// # Errors
/// A bound that is too fine or too large for the numbers of the file.
pub fn write_tokio(suite: &Suite, tests: &[&TestCase]) -> Result<String, SuiteFailure> {
    let (mut data, mut names) = (String::new(), String::new());
    let mut taken = BTreeSet::new();
    for (at, test) in tests.iter().enumerate() {
        let (id, purpose, clocks) = (&test.id, test.purpose(), test.clocks.len());
        let nodes = NOTATION.nodes(test)?;
        let _ = writeln!(
            data,
            "    Test {{ id: {id:?}, purpose: {purpose:?}, clocks: {clocks}, nodes: &[\n{nodes}    ] }},"
        );
        let name = name(&test.id).filter(|name| taken.insert((*name).to_owned()));
        let name = name.map_or_else(|| format!("number_{at}"), str::to_owned);
        let _ = writeln!(
            names,
            "    #[test]\n    fn {name}() -> Result<(), Wrong> {{\n        check({at})\n    }}"
        );
    }
    let is_fail = suite.refusals == Refusals::Error;
    let template = include_str!("suite.rs").replace("{{tool}}", concat!("tamper ", env!("CARGO_PKG_VERSION")));
    let template = template.replace("{{refusals}}", if is_fail { "true" } else { "false" });
    let template = template.replace("{{names}}", &names);
    // Data is inserted last, as it may contain the marks of the template.
    let (before, after) = template.split_once("{{tests}}").unwrap_or((&template, ""));
    let before = before.replace("{{unit}}", &format!("{:?}", unit(suite)));
    let before = before.replace("{{title}}", &format!("{:?}", title(suite)));
    Ok([&before, &data, after].concat())
}

/// The id of a test as the name of a function, if it is suitable.
fn name(id: &str) -> Option<&str> {
    let (letters, digits) = id.split_at_checked(id.find(|c: char| c.is_ascii_digit())?)?;
    let is_name = !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_lowercase());
    (is_name && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(id)
}

fn record(kind: &str, fields: &[RecordField]) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(|field| format!("{}: {}", field.name, field.value))
        .collect();
    let (first, rest) = kind.split_at(1);
    format!("{}{rest} {{ {} }}", first.to_uppercase(), fields.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name that ends in a digit is no keyword of Rust, and differs from `number_0`.
    #[test]
    fn names_of_tests_are_names_of_rust() {
        for id in ["t1", "t001", "kill12"] {
            assert_eq!(name(id), Some(id));
        }
        for id in ["", "1", "type", "T1", "t-1", "t1a", "ö1", "number_1", "a b1"] {
            assert_eq!(name(id), None, "{id}");
        }
    }
}
