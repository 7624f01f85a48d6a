//! Adaptive tests with several instances of a program, again and again, and after an end in the middle.
//!
//! The lamp of `examples/` always does the same, so that a campaign for the same mutants has the same tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::lamp::lamp;

/// The exit code, and what is said of each test.
fn campaign(at: &Path, fault: &str, options: &[&str]) -> (Option<i32>, Vec<Value>) {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/uppaal-models/lamp.xml");
    let sut = format!("'{}' {fault}", lamp().display());
    let words = ["run", "--strategy", "adaptive", "--model", model, "--sut", &sut];
    let output = Command::new(env!("CARGO_BIN_EXE_tamper"))
        .current_dir(at)
        .args(words)
        .args(["--accelerated", "--operators", "paper", "--format", "json"])
        .args(options)
        .output()
        .expect("tamper runs");
    let answer: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{options:?}: {}", String::from_utf8_lossy(&output.stderr)));
    let mut runs = answer["runs"].as_array().expect("runs").clone();
    for run in &mut runs {
        run.as_object_mut().expect("a run").remove("wall_ms");
    }
    (output.status.code(), runs)
}

fn ids(runs: &[Value]) -> Vec<&str> {
    runs.iter().map(|run| run["test"].as_str().expect("an id")).collect()
}

fn purpose(run: &Value) -> Vec<&str> {
    let mutants = run["purpose"].as_array().expect("mutants").iter();
    mutants.map(|mutant| mutant.as_str().expect("an id")).collect()
}

#[test]
fn workers_side_by_side_have_mutants_of_their_own_and_the_same_tests_each_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let (code, runs) = campaign(folder.path(), "", &["--jobs", "3"]);
    assert_eq!(code, Some(0), "{runs:?}");
    assert_eq!(campaign(folder.path(), "", &["--jobs", "3"]), (code, runs.clone()));
    let mut worker_of = BTreeMap::new();
    for run in &runs {
        let number: usize = run["test"]
            .as_str()
            .and_then(|id| id.strip_prefix("adaptive-"))
            .unwrap()
            .parse()
            .unwrap();
        for mutant in purpose(run) {
            assert_eq!(worker_of.insert(mutant, number % 3), None, "{mutant} is come to once");
        }
    }
    let workers: BTreeSet<usize> = worker_of.values().copied().collect();
    assert_eq!(workers, BTreeSet::from([0, 1, 2]));
    for fault in ["late-dim", "wrong-output"] {
        let (code, _) = campaign(folder.path(), &format!("--fault {fault}"), &["--jobs", "3"]);
        assert_eq!(code, Some(1), "{fault}");
    }
}

#[test]
fn all_mutants_are_gone_for_as_often_as_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, once) = campaign(folder.path(), "", &[]);
    let (code, thrice) = campaign(folder.path(), "", &["--repeat", "3"]);
    assert_eq!((code, thrice.len()), (Some(0), 3 * once.len()));
    assert_eq!(ids(&thrice).iter().collect::<BTreeSet<_>>().len(), thrice.len());
    for (at, run) in thrice.iter().enumerate() {
        let first = &once[at % once.len()];
        assert_eq!((&run["purpose"], &run["log"]), (&first["purpose"], &first["log"]));
    }
}

#[test]
fn a_run_goes_on_with_what_its_tests_have_not_come_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let options = ["--repeat", "2", "--results", "r.jsonl"];
    let (_, whole) = campaign(at, "", &options);
    let text = std::fs::read_to_string(at.join("r.jsonl")).expect("results");
    // The head, and the first pass.
    let n_first = whole.len() / 2;
    let lines: Vec<&str> = text.lines().collect();
    let head = lines.len() - whole.len();
    std::fs::write(at.join("r.jsonl"), lines[..head + n_first].join("\n") + "\n").expect("written");
    let (code, resumed) = campaign(at, "", &[&options[..], &["--resume"]].concat());
    assert_eq!(code, Some(0));
    assert_eq!(resumed[..n_first], whole[..n_first]);
    assert_eq!(ids(&resumed).iter().collect::<BTreeSet<_>>().len(), resumed.len());
    // The first pass has only mutants left that its tests did not come to; the second goes for all.
    let (between, second) = resumed[n_first..].split_at(resumed.len() - whole.len());
    let known: BTreeSet<&str> = whole[..n_first].iter().flat_map(purpose).collect();
    assert!(between.iter().flat_map(purpose).all(|mutant| !known.contains(mutant)));
    for (run, first) in second.iter().zip(&whole) {
        assert_eq!(run["log"], first["log"]);
    }
}

/// They have tests of their own, before the others: a test for others may come to them where no program shows the fault.
#[test]
fn mutants_with_memory_are_gone_for_first_and_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let (code, runs) = campaign(folder.path(), "", &["--again=RRS,OTM", "--repeat", "2"]);
    assert_eq!(code, Some(0), "{runs:?}");
    let has_memory = |mutant: &str| mutant.starts_with("again:");
    let of_memory: Vec<bool> = runs
        .iter()
        .map(|run| purpose(run).iter().any(|mutant| has_memory(mutant)))
        .collect();
    for (run, of_memory) in runs.iter().zip(&of_memory) {
        assert!(
            purpose(run).iter().all(|mutant| has_memory(mutant) == *of_memory),
            "{run:?}"
        );
    }
    // So in each pass.
    assert_eq!(of_memory, [true, false, true, false]);
}

/// Of the tests of three workers one is known: no test comes to its mutants again, and others come to the rest.
#[test]
fn workers_share_what_a_run_has_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let options = ["--jobs", "3", "--results", "r.jsonl"];
    let (_, whole) = campaign(at, "", &options);
    let text = std::fs::read_to_string(at.join("r.jsonl")).expect("results");
    let lines: Vec<&str> = text.lines().collect();
    let kept = &lines[..=lines.len() - whole.len()];
    std::fs::write(at.join("r.jsonl"), kept.join("\n") + "\n").expect("written");
    let (code, resumed) = campaign(at, "", &[&options[..], &["--resume"]].concat());
    assert_eq!(code, Some(0));
    assert!(whole.contains(&resumed[0]) && resumed.len() > 1, "{resumed:?}");
    let come_to: Vec<&str> = resumed.iter().flat_map(purpose).collect();
    assert_eq!(
        come_to.iter().collect::<BTreeSet<_>>().len(),
        come_to.len(),
        "{come_to:?}"
    );
    assert_eq!(ids(&resumed).iter().collect::<BTreeSet<_>>().len(), resumed.len());
}

#[test]
fn a_test_that_plans_is_not_run_again() {
    let output = Command::new(env!("CARGO_BIN_EXE_tamper"))
        .args([
            "run",
            "--strategy",
            "adaptive",
            "--model",
            "m.xml",
            "--sut",
            "cat",
            "--retry",
            "2",
        ])
        .output()
        .expect("tamper runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be used with"));
}
