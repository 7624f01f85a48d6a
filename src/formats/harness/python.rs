//! Tests as a module for pytest.

use serde_json::{Value, json};

use super::parts::{acts, expects, number_of};
use crate::formats::suite_json::Suite;
use crate::suite::{Condition, Jump, Next, Node, Refusals, TestCase};

/// A module of `tests`, which are of `suite`: needs Python 3.9 and pytest, and a program or class that `TAMPER_SUT` or
/// `TAMPER_SYSTEM` names.
pub fn write_pytest(suite: &Suite, tests: &[&TestCase]) -> String {
    let lines: Vec<String> = tests.iter().map(|test| line(&test_value(test))).collect();
    let specification = &suite.specification;
    let title = json!(format!("{} of {}", specification.template, specification.file));
    let template = include_str!("suite.py").replace("{{tool}}", concat!("tamper ", env!("CARGO_PKG_VERSION")));
    // Last what may hold such marks itself.
    let (before, after) = template.split_once("{{tests}}").unwrap_or((&template, ""));
    let is_fail = suite.refusals == Refusals::Error;
    let before = before.replace("{{refusals}}", if is_fail { "True" } else { "False" });
    let before = before.replace("{{title}}", &line(&title));
    [&before, &lines.join(",\n"), after].concat()
}

/// The value as JSON on one line, which can stand in a Python text between three single quotes.
fn line(value: &Value) -> String {
    value.to_string().replace('\'', "\\u0027")
}

fn test_value(test: &TestCase) -> Value {
    json!({
        "id": test.id,
        "purpose": test.purpose(),
        "clocks": test.clocks.len(),
        "nodes": test.nodes.iter().map(node_value).collect::<Vec<_>>(),
    })
}

fn node_value(node: &Node) -> Value {
    let rules = node.rules.iter().map(|rule| {
        let (input, then, stop) = acts(&rule.act);
        json!({
            "from": condition_value(&rule.from),
            "when": condition_value(&rule.when),
            "input": input,
            "then": then.iter().map(jump_value).collect::<Vec<_>>(),
            "stop": stop,
        })
    });
    let outputs = node.outputs.iter().map(|expected| {
        let (action, jump) = expects(expected);
        json!([action, jump_value(jump)])
    });
    json!({
        "rules": rules.collect::<Vec<_>>(),
        "outputs": outputs.collect::<Vec<_>>(),
        "otherwise": number_of(Next::Verdict(node.otherwise)),
    })
}

fn jump_value(jump: &Jump) -> Value {
    json!({ "when": condition_value(&jump.when), "resets": jump.resets, "next": number_of(jump.next) })
}

fn condition_value(condition: &Condition) -> Value {
    let atoms = condition
        .iter()
        .map(|atom| json!([atom.left, atom.right, atom.cmp.symbol(), atom.bound.to_string()]));
    atoms.collect()
}
