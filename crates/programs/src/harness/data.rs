//! Parts of tests that all languages share, and tests as JSON data, which Python and JavaScript read.

use serde_json::{Value, json};

use tamper_runs::suite_json::Suite;
use tamper_suite::{Act, Condition, Expected, Jump, Next, Node, TestCase, TestVerdict};
use tamper_text::visible_json;

/// The tests, one per line, with commas between them; characters that a reader of the source would not see are spelled out.
pub(super) fn test_lines(tests: &[&TestCase]) -> String {
    let lines: Vec<String> = tests.iter().map(|test| test_value(test).to_string()).collect();
    visible_json(&lines.join(",\n")).into_owned()
}

/// The title of a suite: the names of its template and file.
pub(super) fn title(suite: &Suite) -> String {
    let specification = &suite.specification;
    format!("{} of {}", specification.template, specification.file)
}

/// What stands behind a time: the unit, if it has a name.
pub(super) fn unit(suite: &Suite) -> String {
    let unit = suite.specification.unit.as_deref();
    unit.map_or_else(String::new, |unit| format!(" {unit}"))
}

/// A text of JSON.
pub(super) fn json_text(text: &str) -> String {
    visible_json(&json!(text).to_string()).into_owned()
}

/// The title as a text of JSON.
pub(super) fn json_title(suite: &Suite) -> String {
    json_text(&title(suite))
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
    // As texts, because numbers of JavaScript are exact only up to 2^53.
    let resets = jump
        .resets
        .iter()
        .map(|(clock, value)| json!([clock, value.to_string()]));
    json!({
        "when": condition_value(&jump.when),
        "resets": resets.collect::<Vec<_>>(),
        "next": number_of(jump.next),
    })
}

fn condition_value(condition: &Condition) -> Value {
    let atoms = condition
        .iter()
        .map(|atom| json!([atom.left, atom.right, atom.cmp.symbol(), atom.bound.to_string()]));
    atoms.collect()
}

/// The number for the target of a jump: a node, or a verdict below 0.
pub(super) fn number_of(next: Next) -> i64 {
    match next {
        Next::Node(node) => i64::try_from(node).unwrap_or(i64::MAX),
        Next::Verdict(TestVerdict::Pass) => -1,
        Next::Verdict(TestVerdict::Fail) => -2,
        Next::Verdict(TestVerdict::Inconclusive) => -3,
    }
}

/// The name of an input or output, without its mark.
pub(super) fn bare(action: &str) -> &str {
    action.strip_suffix(['?', '!']).unwrap_or(action)
}

/// The input of an act with its jumps; for an act without an input, the number of its verdict.
pub(super) fn acts(act: &Act) -> (Option<&str>, &[Jump], i64) {
    match act {
        Act::Input { action, then } => (Some(bare(action)), then, 0),
        Act::Stop(verdict) => (None, &[], number_of(Next::Verdict(*verdict))),
    }
}

/// The action and the jump of an expected output.
pub(super) fn expects(expected: &Expected) -> (&str, &Jump) {
    (bare(&expected.action), &expected.jump)
}
