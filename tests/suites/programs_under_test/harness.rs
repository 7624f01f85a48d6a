//! Tests as programs of other runners: what is written. `scripts/check-harness.sh` runs it.

use std::path::Path;

use serde_json::Value;
use tamper::formats::suite_json::read_suite;

use crate::suites::commands::{json, study, tamper};

/// The file that `tamper harness` writes.
fn written(at: &Path, words: &str) -> String {
    json(at, &format!("harness {words} --out harness"), 0);
    std::fs::read_to_string(at.join("harness")).unwrap()
}

/// The three runners have the same interpreter and the same data; marks that the data hold stay as they are.
#[test]
fn runners_of_javascript_differ_in_how_tests_are_begun() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::copy(study("hotel"), at.join("{{tests}}.xml")).unwrap();
    json(at, "testgen {{tests}}.xml --operators paper --out suite.json", 0);
    let suite = read_suite(&std::fs::read_to_string(at.join("suite.json")).unwrap()).unwrap();
    let mut shared = Vec::new();
    for (target, first, begins) in [
        (
            "node-test",
            "// Timed tests",
            "import { after, test } from \"node:test\";",
        ),
        ("jest", "/** @jest-environment node */", "\"use strict\";"),
        (
            "vitest",
            "// @vitest-environment node",
            "import { afterAll, test } from \"vitest\";",
        ),
    ] {
        let text = written(at, &format!("suite.json --as {target}"));
        assert!(text.starts_with(first) && text.contains(begins), "{target}: {text}");
        let from = text.find("const MODEL = ").unwrap();
        let to = text.find("async function close()").unwrap();
        let middle = &text[from..to];
        assert_eq!(
            text.matches("{{").count(),
            1,
            "{target}: no mark but that of the file's name"
        );
        assert!(
            middle.lines().next().unwrap().ends_with("of {{tests}}.xml\";"),
            "{middle}"
        );
        let (_, data) = middle.split_once("const TESTS = ").unwrap();
        let (data, _) = data.split_once(";\n").unwrap();
        let tests: Vec<Value> = serde_json::from_str(data).unwrap();
        let ids: Vec<&str> = tests.iter().map(|test| test["id"].as_str().unwrap()).collect();
        let expected: Vec<&str> = suite.tests.iter().map(|test| test.id.as_str()).collect();
        assert_eq!(ids, expected);
        for (data, test) in tests.iter().zip(&suite.tests) {
            assert_eq!(data["nodes"].as_array().unwrap().len(), test.nodes.len());
            assert_eq!(data["clocks"], test.clocks.len());
        }
        shared.push(middle.to_owned());
        let one = written(at, &format!("suite.json --as {target} --only {}", expected[0]));
        assert!(one.contains(&format!("\"id\":\"{}\"", expected[0])), "{one}");
        assert!(!one.contains(&format!("\"id\":\"{}\"", expected[1])), "{one}");
    }
    assert!(shared.iter().all(|middle| *middle == shared[0]));
}

/// As many functions as tests, each of its own name, and all nodes; a name that Rust could not have, or has twice, becomes a number.
#[test]
fn cargo_test_gets_a_function_for_each_test() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::copy(study("hotel"), at.join("{{tests}}.xml")).unwrap();
    json(at, "testgen {{tests}}.xml --operators paper --out suite.json", 0);
    let mut suite = read_suite(&std::fs::read_to_string(at.join("suite.json")).unwrap()).unwrap();
    suite.tests[1].id = "a \"b\"".to_owned();
    std::fs::write(at.join("suite.json"), tamper::formats::suite_json::write_suite(&suite)).unwrap();
    let text = written(at, "suite.json --as tokio");
    for (number, test) in suite.tests.iter().enumerate() {
        let name = if number == 1 { "number_1" } else { &test.id };
        let function = format!("#[test]\n    fn {name}() -> Result<(), Wrong> {{\n        check({number})\n    }}");
        assert_eq!(text.matches(&function).count(), 1, "{name}");
        assert_eq!(
            text.matches(&format!("Test {{ id: {:?}, ", test.id)).count(),
            1,
            "{name}"
        );
    }
    let nodes: usize = suite.tests.iter().map(|test| test.nodes.len()).sum();
    assert_eq!(text.matches("\n    Node { rules: ").count(), nodes);
    assert!(
        text.contains("const MODEL: &str = \"") && text.contains(" of {{tests}}.xml\";"),
        "{text}"
    );
    assert_eq!(text.matches("{{").count(), 1, "no mark but that of the file's name");
}

#[test]
fn a_runner_that_is_not_known_and_a_test_that_is_not_there_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let hotel = study("hotel");
    json(
        at,
        &format!("testgen {} --operators paper --out suite.json", hotel.display()),
        0,
    );
    for (words, said) in [
        (
            "--as mocha",
            "[possible values: pytest, node-test, jest, vitest, tokio, c]",
        ),
        ("--as jest --only t999", "t999"),
    ] {
        let output = tamper(at, &format!("harness suite.json {words} --out harness"));
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(said), "{message}");
        assert!(!at.join("harness").exists());
    }
}

/// What turns or hides the text behind it is spelled out in every language: who reads the source sees what it does.
#[test]
fn no_source_hides_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let name = "\u{202e}m\u{2066}\u{200b}\u{feff}.xml";
    std::fs::copy(study("wfas"), at.join(name)).unwrap();
    json(at, &format!("testgen {name} --operators TMI --out plain.json"), 0);
    let suite = std::fs::read_to_string(at.join("plain.json")).unwrap();
    let suite = suite
        .replace("\"t01\"", "\"t\\u202e01\"")
        .replace("\"t1\"", "\"t\\u202e1\"");
    std::fs::write(at.join("suite.json"), suite).unwrap();
    let is_hidden = |c: &char| matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    for target in ["pytest", "node-test", "jest", "vitest", "tokio", "c"] {
        let text = written(at, &format!("suite.json --as {target}"));
        assert!(!text.chars().any(|c| is_hidden(&c)), "{target}");
        // As the language spells them, they are there.
        let spelled = match target {
            "c" => "\\342\\200\\256",
            "tokio" => "\\u{202e}",
            _ => "\\u202e",
        };
        assert!(
            text.matches(spelled).count() >= 2,
            "{target}: the name of the model and an id"
        );
    }
}
