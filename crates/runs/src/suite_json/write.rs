//! Writer of suites in JSON.

use super::data::{
    FORMAT, Pruning, RawExpected, RawJump, RawNode, RawRule, RawSuite, RawTest, Suite, VERSION, text_of,
};
use tamper_suite::{Act, Condition, Jump, Next, Node, Refusals, Rule, TestCase};

/// The suite as JSON, ended by a newline.
///
/// # Panics
/// If a test refers to a node or clock that it does not have ([`TestCase::check`]).
pub fn write_suite(suite: &Suite) -> String {
    let raw = RawSuite {
        format: FORMAT.to_owned(),
        version: VERSION,
        specification: suite.specification.clone(),
        refusals: (suite.refusals != Refusals::default()).then(|| suite.refusals.name().to_owned()),
        pruning: (suite.pruning != Pruning::default()).then(|| suite.pruning.name().to_owned()),
        tests: suite.tests.iter().map(raw_test).collect(),
        mutants: suite.mutants.clone(),
    };
    let text = serde_json::to_string_pretty(&raw).expect("plain data has a JSON form");
    text + "\n"
}

fn raw_test(test: &TestCase) -> RawTest {
    RawTest {
        id: test.id.clone(),
        style: test.style.name().to_owned(),
        kill: test.kill.name().to_owned(),
        targets: test.targets.clone(),
        clocks: test.clocks.clone(),
        nodes: test.nodes.iter().map(|node| raw_node(node, &test.clocks)).collect(),
    }
}

fn raw_node(node: &Node, clocks: &[String]) -> RawNode {
    let expected = |expected: &tamper_suite::Expected| {
        let RawJump {
            when,
            reset,
            next,
            verdict,
        } = raw_jump(&expected.jump, clocks);
        RawExpected {
            output: expected.action.clone(),
            when,
            reset,
            next,
            verdict,
        }
    };
    RawNode {
        rules: node.rules.iter().map(|rule| raw_rule(rule, clocks)).collect(),
        outputs: node.outputs.iter().map(expected).collect(),
        otherwise: node.otherwise.name().to_owned(),
    }
}

fn raw_rule(rule: &Rule, clocks: &[String]) -> RawRule {
    let (input, then, verdict) = match &rule.act {
        Act::Input { action, then } => {
            let then = then.iter().map(|jump| raw_jump(jump, clocks)).collect();
            (Some(action.clone()), then, None)
        }
        Act::Stop(verdict) => (None, Vec::new(), Some(verdict.name().to_owned())),
    };
    RawRule {
        from: texts(&rule.from, clocks),
        when: texts(&rule.when, clocks),
        input,
        then,
        verdict,
    }
}

fn raw_jump(jump: &Jump, clocks: &[String]) -> RawJump {
    let (next, verdict) = match jump.next {
        Next::Node(next) => (Some(next), None),
        Next::Verdict(verdict) => (None, Some(verdict.name().to_owned())),
    };
    RawJump {
        when: texts(&jump.when, clocks),
        reset: jump
            .resets
            .iter()
            .map(|(clock, value)| (clocks[*clock].clone(), *value))
            .collect(),
        next,
        verdict,
    }
}

fn texts(condition: &Condition, clocks: &[String]) -> Vec<String> {
    condition.iter().map(|atom| text_of(atom, clocks)).collect()
}
