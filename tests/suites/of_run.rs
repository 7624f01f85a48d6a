//! `--mutants RUN_DIR`: suites for the mutants of a finished run.

use std::collections::BTreeSet;
use std::path::Path;

use tamper::formats::suite_json::{Suite, read_suite};

use crate::suites::commands::{json, number, study, tamper};

fn suite(folder: &Path, name: &str) -> Suite {
    read_suite(&std::fs::read_to_string(folder.join(name)).unwrap()).unwrap()
}

fn ids(suite: &Suite) -> BTreeSet<String> {
    suite.mutants.iter().map(|mutant| mutant.id.clone()).collect()
}

fn lines(folder: &Path, name: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn the_non_subsumed_mutants_of_a_run_are_tested_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let (at, wfas) = (folder.path(), study("wfas"));
    let wfas = wfas.display();
    let run = "--operators TMI,TAD,CXL,CXS,CCN --semantics definition";
    json(at, &format!("classify {wfas} {run} --out plain"), 0);
    json(at, &format!("testgen {wfas} --mutants plain --out plain.json"), 0);
    let plain = suite(at, "plain.json");
    assert_eq!(ids(&plain), lines(at, "plain/non-subsumed.txt"));
    // Under `definition` and with one answer to each input, non-subsumed means killable.
    assert!(plain.mutants.iter().all(|mutant| mutant.test.is_some()));
    let scored = json(at, &format!("score plain.json {wfas} --mutants plain"), 0);
    assert_eq!(number(&scored, "mutants") as usize, plain.mutants.len());
    assert_eq!(scored["score"], 1.0);
    // The same tests as for all mutants of these operators.
    json(
        at,
        &format!("testgen {wfas} --operators TMI,TAD,CXL,CXS,CCN --out all.json"),
        0,
    );
    assert_eq!(suite(at, "all.json").tests, plain.tests);
    let small = json(
        at,
        &format!("minimise plain.json {wfas} --mutants plain --out small.json"),
        0,
    );
    assert!(number(&small, "tests") < plain.tests.len() as u64);

    // Of mutants that refine each other one is enough: its tests kill the others, too.
    json(at, &format!("classify {wfas} {run} --duplicates --out classes"), 0);
    json(at, &format!("testgen {wfas} --mutants classes --out classes.json"), 0);
    let classes = suite(at, "classes.json");
    let firsts: BTreeSet<String> = std::fs::read_to_string(at.join("classes/classes.csv"))
        .unwrap()
        .lines()
        .filter_map(|line| line.split_once(",non-subsumed,"))
        .filter(|(id, class)| id == class)
        .map(|(id, _)| id.to_owned())
        .collect();
    assert!(firsts.len() < plain.mutants.len() && !firsts.is_empty());
    assert_eq!(ids(&classes), firsts);
    let scored = json(at, &format!("score classes.json {wfas} --mutants plain"), 0);
    assert_eq!(scored["score"], 1.0);
}

#[test]
fn a_sample_of_a_run_of_order_two_is_used_as_it_was_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let (at, cas) = (folder.path(), study("cas"));
    let cas = cas.display();
    json(
        at,
        &format!("classify {cas} --order 2 --sample 80 --seed 3 --out two"),
        0,
    );
    let made = json(
        at,
        &format!("testgen {cas} --mutants two --kill potential --out two.json"),
        0,
    );
    let two = suite(at, "two.json");
    assert_eq!(ids(&two), lines(at, "two/non-subsumed.txt"));
    assert_eq!(number(&made, "mutants") as usize, two.mutants.len());
    json(at, &format!("score two.json {cas} --mutants two"), 0);
}

#[test]
fn another_model_or_an_unfinished_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (at, wfas, cas) = (folder.path(), study("wfas"), study("cas"));
    let (wfas, cas) = (wfas.display(), cas.display());
    json(at, &format!("classify {wfas} --out done"), 0);
    json(at, &format!("classify {wfas} --static only --out static"), 0);
    // As an interrupted run leaves it.
    json(at, &format!("classify {wfas} --out half"), 0);
    let text = std::fs::read_to_string(at.join("half/mutants.jsonl")).unwrap();
    let half: Vec<&str> = text.split_inclusive('\n').take(40).collect();
    std::fs::write(at.join("half/mutants.jsonl"), half.concat()).unwrap();
    // Classes of other mutants.
    json(at, &format!("classify {wfas} --out odd"), 0);
    std::fs::write(at.join("odd/classes.csv"), "id,verdict,class\nx,non-subsumed,x\n").unwrap();
    std::fs::create_dir(at.join("none")).unwrap();
    for (words, named) in [
        (format!("{cas} --mutants done"), "is about another model"),
        (format!("{wfas} --mutants done --input-enabling on"), "--input-enabling"),
        (format!("{wfas} --mutants done --order 2"), "--order"),
        (format!("{wfas} --mutants done --operators TMI"), "--operators"),
        (format!("{wfas} --mutants half"), "--resume"),
        (format!("{wfas} --mutants static"), "--static only"),
        (format!("{wfas} --mutants odd"), "classes.csv is not of this run"),
        (format!("{wfas} --mutants none"), "there is no run"),
    ] {
        let output = tamper(at, &format!("testgen {words} --out suite.json"));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {stderr}");
        assert!(stderr.contains(named), "{words}: {stderr}");
        assert!(!at.join("suite.json").exists());
    }
    // A verdict that a limit prevented is told, not guessed.
    let coffee = study("coffee");
    let coffee = coffee.display();
    let limits = "--static off --engine enumerate --max-states 5";
    json(at, &format!("classify {coffee} {limits} --out limited"), 3);
    let output = tamper(at, &format!("testgen {coffee} --mutants limited --out suite.json"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("have no verdict"), "{stderr}");
}
