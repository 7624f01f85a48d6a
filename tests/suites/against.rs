//! `tamper run --against`: suites executed against models and exported mutants, and their results as JUnit XML.

use std::collections::BTreeMap;
use std::path::Path;

use roxmltree::{Document, Node};
use serde_json::Value;
use tamper::formats::read_model;
use tamper::formats::suite_json::read_suite;
use tamper::mutation::{MutantSpace, MutationOptions, Operator, Order};
use tamper::suite::{Ends, Subject, TestCase, ends};
use tamper::text::Budget;

use crate::suites::commands::{json, study, tamper};

fn names(ends: Ends) -> Vec<&'static str> {
    let all = [
        (ends.pass, "pass"),
        (ends.fail, "fail"),
        (ends.inconclusive, "inconclusive"),
        (ends.stalled, "stalled"),
    ];
    all.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect()
}

/// What comes of each test against each first-order mutant of these operators: the mutants as the library makes them.
fn expected(model: &Path, operators: &[Operator], tests: &[TestCase]) -> BTreeMap<String, Vec<Ends>> {
    let read = read_model(model, &Default::default()).unwrap();
    let options = MutationOptions {
        operators: operators.to_vec(),
        ..MutationOptions::default()
    };
    let space = MutantSpace::new(&read.document.automata()[0], &options, Order::FIRST).unwrap();
    let siblings = space.siblings(0).unwrap();
    let mutants = siblings.last().iter().map(|last| {
        let subject = Subject::new(&siblings.mutant(last), &Budget::unlimited()).unwrap();
        let all = tests
            .iter()
            .map(|test| ends(test, &subject, &Budget::unlimited()).unwrap());
        (siblings.id(last), all.collect())
    });
    mutants.collect()
}

#[test]
fn exported_mutants_in_every_format_end_as_the_mutants_do() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for name in ["wfas", "cas"] {
        let model = study(name);
        let shown = model.display();
        json(at, &format!("testgen {shown} --strategy minimal --out suite.json"), 0);
        let suite = read_suite(&std::fs::read_to_string(at.join("suite.json")).unwrap()).unwrap();
        let operators = [Operator::Tmi, Operator::Smi, Operator::Cxl, Operator::Cxs];
        let expected = expected(&model, &operators, &suite.tests);
        assert!(expected.len() > 30 && expected.values().flatten().any(|ends| ends.must_fail()));
        for format in ["uppaal", "tchecker", "ecdar-json", "fmm"] {
            json(
                at,
                &format!("export {shown} --operators TMI,SMI,CXL,CXS --as {format} --out {name}-{format}"),
                0,
            );
            let answer = json(at, &format!("run suite.json --against {name}-{format}"), 1);
            let models = answer["models"].as_array().unwrap();
            assert_eq!(models.len(), expected.len(), "{name} {format}");
            for model in models {
                let id = model["model"].as_str().unwrap();
                let runs = model["runs"].as_array().unwrap();
                for (run, ends) in runs.iter().zip(&expected[id]) {
                    assert_eq!(run["ends"], Value::from(names(*ends)), "{name} {format} {id} {run}");
                    // What the specification allows passes, whether or not it shows what the test is for.
                    let verdict = if ends.fail { "fail" } else { "pass" };
                    let reached = if ends.fail { Value::Null } else { ends.pass.into() };
                    assert_eq!(run["purpose_reached"], reached, "{name} {format} {id} {run}");
                    assert!(run["purpose"].as_array().is_some_and(|ids| !ids.is_empty()), "{run}");
                    let kill = match (ends.must_fail(), ends.can_fail()) {
                        (true, _) => "definite".into(),
                        (false, true) => "potential".into(),
                        (false, false) => Value::Null,
                    };
                    assert_eq!((&run["verdict"], &run["kill"]), (&verdict.into(), &kill), "{id} {run}");
                }
                assert_eq!(runs.len(), suite.tests.len());
            }
        }
    }
}

#[test]
fn random_plays_are_repeatable_and_end_only_as_exhaustive_execution_knows() {
    let folder = tempfile::tempdir().unwrap();
    let (at, wfas) = (folder.path(), study("wfas"));
    let wfas = wfas.display();
    json(at, &format!("testgen {wfas} --out suite.json"), 0);
    // No play of the specification fails: its verdicts are the exhaustive ones.
    let all = json(at, &format!("run suite.json --against {wfas}"), 0);
    let some = json(at, &format!("run suite.json --against {wfas} --random 500"), 0);
    assert_eq!((&all["fail"], &some["fail"]), (&0.into(), &0.into()));
    json(at, &format!("export {wfas} --operators CXL,CXS --out mutants"), 0);
    let all = json(at, "run suite.json --against mutants", 1);
    let plays = |options: &str| {
        json(
            at,
            &format!("run suite.json --against mutants --random 40 {options}"),
            1,
        )
    };
    let some = plays("--seed 5 --threads 1");
    assert_eq!(some, plays("--seed 5 --threads 3"));
    assert_ne!(some, plays("--seed 6"));
    let runs = |answer: &Value| -> Vec<Value> {
        let models = answer["models"].as_array().unwrap();
        models
            .iter()
            .flat_map(|model| model["runs"].as_array().unwrap().clone())
            .collect()
    };
    let mut failed = 0;
    for (all, some) in runs(&all).iter().zip(runs(&some)) {
        let ends: Vec<&str> = all["ends"]
            .as_array()
            .unwrap()
            .iter()
            .map(|end| end.as_str().unwrap())
            .collect();
        for (name, n) in some["plays"].as_object().unwrap() {
            assert!(n == 0 || ends.contains(&name.as_str()), "{all} {some}");
        }
        // The log is of a play that failed: it starts with time 0 or later and ends with what failed.
        let fails = some["plays"]["fail"] != 0;
        failed += u32::from(fails);
        assert_eq!(
            fails,
            some["log"].as_array().is_some_and(|log| !log.is_empty()),
            "{some}"
        );
    }
    assert!(failed > 0);
}

/// What the schema of the xUnit plugin asks of an element: its attributes (those that must be there marked with `!`) and
/// the elements in it.
const JUNIT: [(&str, &str, &str); 6] = [
    ("testsuites", "name time tests failures disabled errors", "testsuite"),
    (
        "testsuite",
        "name! tests! failures errors time disabled skipped timestamp hostname id package",
        "properties testcase system-out system-err",
    ),
    (
        "testcase",
        "name! assertions time classname status class file line",
        "skipped error failure system-out system-err",
    ),
    ("failure", "type message", ""),
    ("error", "type message", ""),
    ("skipped", "type message", ""),
];

fn check_junit(node: Node<'_, '_>) {
    let name = node.tag_name().name();
    let Some((_, attributes, children)) = JUNIT.iter().find(|(known, ..)| *known == name) else {
        assert!(
            name == "system-out" && node.children().all(|child| child.is_text()),
            "{name}"
        );
        return;
    };
    let known: Vec<&str> = attributes.split(' ').collect();
    for attribute in node.attributes() {
        let fits = |known: &&str| known.trim_end_matches('!') == attribute.name();
        assert!(known.iter().any(fits), "{name} has {}", attribute.name());
    }
    for needed in known.iter().filter_map(|known| known.strip_suffix('!')) {
        assert!(node.has_attribute(needed), "{name} has no {needed}");
    }
    for child in node.children().filter(Node::is_element) {
        let child_name = child.tag_name().name();
        assert!(
            children.split(' ').any(|known| known == child_name),
            "{child_name} in {name}"
        );
        check_junit(child);
    }
}

#[test]
fn results_are_junit_xml() {
    let folder = tempfile::tempdir().unwrap();
    let (at, wfas) = (folder.path(), study("wfas"));
    let wfas = wfas.display();
    json(at, &format!("testgen {wfas} --strategy minimal --out suite.json"), 0);
    json(at, &format!("export {wfas} --operators TMI,CXS --out mutants"), 0);
    for options in ["", "--random 20", "--max-states 1"] {
        let answer = json(
            at,
            &format!("run suite.json --against mutants {options} --junit results.xml"),
            1,
        );
        assert_eq!(answer["unknown"] != 0, options.starts_with("--max"), "{options}");
        let text = std::fs::read_to_string(at.join("results.xml")).unwrap();
        let xml = Document::parse(&text).unwrap();
        let root = xml.root_element();
        assert_eq!(root.tag_name().name(), "testsuites");
        check_junit(root);
        let suites: Vec<Node> = root.children().filter(Node::is_element).collect();
        let models = answer["models"].as_array().unwrap();
        assert_eq!(suites.len(), models.len());
        for (suite, model) in suites.iter().zip(models) {
            assert_eq!(suite.attribute("name"), model["model"].as_str());
            let cases: Vec<Node> = suite.children().filter(Node::is_element).collect();
            let count = |name: &str| {
                let has = |case: &&Node| case.children().any(|child| child.has_tag_name(name));
                cases.iter().filter(has).count().to_string()
            };
            assert_eq!(model["fail"].to_string(), count("failure"));
            assert_eq!("0", count("skipped"));
            assert_eq!(model["unknown"].to_string(), count("error"));
            let counted =
                ["failures", "skipped", "errors", "tests"].map(|name| suite.attribute(name).unwrap().to_owned());
            let there = ["failure", "skipped", "error"].map(count);
            assert_eq!(counted[..3], there);
            assert_eq!(counted[3], cases.len().to_string());
            for (case, run) in cases.iter().zip(model["runs"].as_array().unwrap()) {
                assert_eq!(case.attribute("name"), run["test"].as_str());
                let failure = case.children().find(|child| child.has_tag_name("failure"));
                assert_eq!(
                    failure.and_then(|failure| failure.attribute("type")),
                    run["kill"].as_str()
                );
                // The purpose, and of plays that fail a log.
                let output = case.children().find(|child| child.has_tag_name("system-out"));
                let output = output
                    .and_then(|output| output.text())
                    .expect("every test has a purpose");
                assert!(output.starts_with("purpose: to show "), "{output}");
                assert_eq!(
                    output.contains("its purpose not reached"),
                    run["purpose_reached"] == false
                );
                assert_eq!(
                    output.lines().any(|line| line.starts_with("at ")),
                    run["log"].is_array()
                );
            }
        }
    }
}

#[test]
fn what_a_program_does_is_junit_xml_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let (at, wfas) = (folder.path(), study("wfas"));
    json(
        at,
        &format!("testgen {} --operators TMI --out suite.json", wfas.display()),
        0,
    );
    // A program that is ready for each test, and then ends.
    let program = "read -r hello; echo ready; read -r reset; echo ready; read -r input\n";
    std::fs::write(at.join("ends.sh"), program).unwrap();
    // A word without blanks.
    let words = "run suite.json --sut sh${IFS}ends.sh --accelerated --junit results.xml";
    let answer = json(at, words, 1);
    let text = std::fs::read_to_string(at.join("results.xml")).unwrap();
    let xml = Document::parse(&text).unwrap();
    check_junit(xml.root_element());
    let errors = xml.descendants().filter(|node| node.has_tag_name("error"));
    let messages: Vec<&str> = errors.map(|error| error.attribute("message").unwrap()).collect();
    assert_eq!(answer["tests"], messages.len());
    assert!(!messages.is_empty() && messages.iter().all(|message| message.contains("crashed")));
    let suite = xml.root_element().first_element_child().unwrap();
    assert_eq!(suite.attribute("name"), Some("sh${IFS}ends.sh"));
}

#[test]
fn what_cannot_be_run_against_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (at, wfas, cas) = (folder.path(), study("wfas"), study("cas"));
    let (wfas, cas) = (wfas.display(), cas.display());
    json(at, &format!("testgen {wfas} --operators TMI --out suite.json"), 0);
    json(at, &format!("export {wfas} --operators TMI --out mutants"), 0);
    std::fs::create_dir(at.join("empty")).unwrap();
    std::fs::create_dir(at.join("broken")).unwrap();
    std::fs::write(at.join("broken/index.jsonl"), "{}\n").unwrap();
    for (words, named) in [
        (format!("--against {cas}"), "which is not in the model's alphabet"),
        ("--against nothing.xml".to_owned(), "nothing.xml"),
        (
            "--against empty".to_owned(),
            "neither a folder that `tamper export` wrote",
        ),
        ("--against broken".to_owned(), "line 1"),
        ("--against mutants --template Spec".to_owned(), "holds mutants"),
        (format!("--against {wfas} --template Nobody"), "Nobody"),
        (format!("--against {wfas} --sut cat"), "--sut"),
        (format!("--against {wfas} --unit 1s"), "--unit"),
        (format!("--against {wfas} --seed 1"), "--random"),
        ("--sut cat --max-states 1".to_owned(), "limits of --against"),
        (String::new(), "--sut"),
    ] {
        let output = tamper(at, &format!("run suite.json {words} --junit results.xml"));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {stderr}");
        assert!(stderr.contains(named) && output.stdout.is_empty(), "{words}: {stderr}");
        assert!(!at.join("results.xml").exists());
    }
}
