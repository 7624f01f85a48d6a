//! Suites as JSON.

use serde_json::{Value, json};
use tamper::features::Random;
use tamper::formats::suite_json::read_suite;
use tamper::formats::system_suite::read_system_suite;

use super::expressions::{depth, one};

fn conditions(random: &mut Random) -> Vec<String> {
    let n = if random.below(8) == 0 {
        depth(random, 100)
    } else {
        random.below(3)
    };
    let condition = |random: &mut Random| {
        let left = one(random, &["x", "t", "x - t"]);
        format!(
            "{left} {} {}/{}",
            one(random, &["<", "<=", "==", ">=", ">"]),
            random.below(99),
            1 + random.below(9)
        )
    };
    (0..n).map(|_| condition(random)).collect()
}

/// Where a step leads: a later node, or a verdict.
fn jump(random: &mut Random, (at, n): (usize, usize)) -> Value {
    match random.below(3) > 0 && at + 1 < n {
        true => json!({"when": conditions(random), "reset": {"x": 0}, "next": at + 1 + random.below(n - at - 1)}),
        false => json!({"when": conditions(random), "verdict": one(random, &["pass", "fail", "inconclusive"])}),
    }
}

pub fn timed(random: &mut Random) -> String {
    let tests: Vec<Value> = (0..1 + random.below(4))
        .map(|test| {
            let (n, kill) = (depth(random, 100), one(random, &["definite", "potential"]));
            let node = |at| {
                let rule = match random.below(2) {
                    0 => json!({"from": conditions(random), "when": conditions(random), "input": "a?", "then": [jump(random, (at, n))]}),
                    _ => json!({"when": conditions(random), "verdict": "inconclusive"}),
                };
                let mut output = jump(random, (at, n));
                output["output"] = json!(one(random, &["b!", "tau"]));
                json!({"rules": [rule], "outputs": [output], "otherwise": "fail"})
            };
            json!({"id": format!("t{test}"), "style": "strategy", "kill": kill, "targets": ["m"],
                "clocks": ["x", "t"], "nodes": (0..n).map(node).collect::<Vec<_>>()})
        })
        .collect();
    json!({"format": "tamper-suite", "version": 1, "specification": {"file": "f", "template": "P", "hash": "0"}, "tests": tests}).to_string()
}

pub fn untimed(random: &mut Random) -> String {
    let tests: Vec<Value> = (0..1 + random.below(4))
        .map(|test| {
            let (n, kill) = (depth(random, 300), one(random, &["definite", "potential"]));
            let node = |at: usize| {
                let last = match at + 1 < n {
                    true => json!({"seen": "on", "next": at + 1}),
                    false => json!({"seen": "on", "verdict": "pass"}),
                };
                let wide = if random.below(8) == 0 { depth(random, 60) } else { 1 };
                let others = (0..wide)
                    .map(|at| json!({"seen": format!("o{at}"), "verdict": one(random, &["pass", "inconclusive"])}));
                json!({"give": "i", "answers": others.chain([last]).collect::<Vec<_>>()})
            };
            json!({"id": format!("t{test}"), "kill": kill, "targets": ["m"],
                "nodes": (0..n).map(node).collect::<Vec<_>>()})
        })
        .collect();
    json!({"format": "tamper-system-suite", "version": 1, "specification": {"file": "f", "hash": "0"}, "tests": tests})
        .to_string()
}

pub fn read_timed(text: &str) -> Result<(), String> {
    read_suite(text).map(drop).map_err(|error| error.to_string())
}

pub fn read_untimed(text: &str) -> Result<(), String> {
    read_system_suite(text).map(drop).map_err(|error| error.to_string())
}
