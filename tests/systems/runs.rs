//! Runs on mutants of untimed systems and state machines: folders, shares, interruptions, conditions, pages.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::systems::commands::{json, tamper};

/// The models, with an option that each needs.
const MODELS: [&str; 4] = [
    "case-studies/beverage/model.smv --unspecified fill",
    "case-studies/untimed/arbiter.smv",
    "case-studies/lift/model.pl",
    "examples/machines/running-example.fsm",
];

fn lines(folder: &Path, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join(name)).expect("records");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect()
}

#[test]
fn a_run_in_a_folder_counts_what_one_without_counts_and_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for model in MODELS {
        let (code, plain) = json(folder, &format!("classify {model} --witness"));
        assert!(!folder.join("tamper.out").exists());
        let (run_code, run) = json(folder, &format!("classify {model} --witness --out run"));
        assert_eq!((code, &plain), (run_code, &run), "{model}");
        let mut counts = plain.clone();
        counts.as_object_mut().expect("an object").remove("mutants");
        let summary = fs::read_to_string(folder.join("run/summary.json")).expect("a summary");
        assert_eq!(serde_json::from_str::<Value>(&summary).expect("JSON"), counts);
        let records = fs::read(folder.join("run/mutants.jsonl")).expect("records");
        assert_eq!(
            lines(folder, "run/mutants.jsonl").len(),
            usize::try_from(counts["total"]["total"].as_u64().expect("a number")).expect("small")
        );
        // Cut in the middle of a line, as an interruption may leave it.
        fs::write(folder.join("run/mutants.jsonl"), &records[..records.len() / 2]).expect("written");
        let (code, again) = json(folder, &format!("classify {model} --witness --out run --resume"));
        assert_eq!((code, again), (run_code, run), "{model}");
        assert_eq!(fs::read(folder.join("run/mutants.jsonl")).expect("records"), records);
        let (code, said) = tamper(folder, &format!("classify {model} --out run --resume"));
        assert!(code == 2 && said.contains("other parameters (witness)"), "{said}");
    }
}

#[test]
fn shares_are_merged_to_the_bytes_of_one_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for model in MODELS {
        let (_, whole) = json(folder, &format!("classify {model} --sample 50% --seed 3 --out whole"));
        for share in 1..=3 {
            let words = format!("classify {model} --sample 50% --seed 3 --shard {share}/3 --out share-{share}");
            let (code, said) = tamper(folder, &words);
            assert_eq!(code, 0, "{said}");
        }
        let (code, said) = tamper(folder, "merge share-1 share-3 --out merged");
        assert!(code == 2 && said.contains("share 2/3"), "{said}");
        let (code, merged) = json(folder, "merge share-2 share-1 share-3 --out merged");
        assert_eq!((code, merged), (0, whole), "{model}");
        for name in [
            "mutants.jsonl",
            "manifest.json",
            "summary.json",
            "summary.csv",
            "subsumed.txt",
        ] {
            let read = |run: &str| fs::read(folder.join(run).join(name)).expect("a file of the run");
            assert_eq!(read("merged"), read("whole"), "{model}: {name}");
        }
    }
}

#[test]
fn an_export_writes_the_mutants_that_a_condition_keeps() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let model = "case-studies/lift/model.pl";
    let (_, run) = json(folder, &format!("classify {model} --out run"));
    let records = lines(folder, "run/mutants.jsonl");
    let wanted: Vec<&str> = records
        .iter()
        .filter(|record| {
            record["kill"]["by"]
                .as_array()
                .expect("a list")
                .iter()
                .any(|by| by == "ioco")
        })
        .map(|record| record["id"].as_str().expect("an id"))
        .collect();
    assert_eq!(Some(wanted.len() as u64), run["total"]["ioco"].as_u64());
    for from in ["", " --mutants run"] {
        let words = format!("export {model} --out kept{} --keep kill~ioco{from}", from.len());
        let (code, said) = tamper(folder, &words);
        assert_eq!(code, 0, "{said}");
        let index = fs::read_to_string(folder.join(format!("kept{}/index.json", from.len()))).expect("an index");
        let index: Value = serde_json::from_str(&index).expect("JSON");
        let files = index["files"].as_array().expect("a list");
        let ids: Vec<&str> = files[1..]
            .iter()
            .map(|file| file["id"].as_str().expect("an id"))
            .collect();
        assert_eq!(ids, wanted);
    }
    for (words, message) in [
        ("--keep edge~x", "says nothing about mutants of untimed systems"),
        ("--keep operator==TMI", "is never `TMI`"),
        ("--mutants run --keep witness~x", "is not known in this run"),
    ] {
        let (code, said) = tamper(folder, &format!("export {model} --out x {words}"));
        assert!(code == 2 && said.contains(message), "{words}: {said}");
    }
    let (code, said) = tamper(folder, "export case-studies/buffer/model.pl --mutants run --out x");
    assert!(code == 2 && said.contains("is about another model"), "{said}");
}

/// By hand, of the three faults at two places of \[000\] Figure 1: the output fault alone is mutant 4, as the choices at `3 a`, `3 b` and
/// `4 a` count in binary.
#[test]
fn machines_are_written_with_the_faults_that_a_condition_keeps() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let model = "examples/machines/running-example.fsm";
    let (code, run) = json(folder, &format!("classify {model} --witness --out run"));
    let counts = |name: &str| run["operators"][name]["blind"].as_u64();
    assert_eq!(code, 0);
    assert_eq!(
        ["output", "transfer", "several"].map(counts),
        [Some(1), Some(2), Some(4)]
    );
    for from in ["", " --mutants run"] {
        let out = format!("kept{}", from.len());
        let words = format!("export {model} --out {out} --keep operator==output&&order==1{from}");
        let (code, said) = tamper(folder, &words);
        assert_eq!(code, 0, "{said}");
        let names = fs::read_dir(folder.join(&out)).expect("a folder");
        let mut names: Vec<_> = names.map(|entry| entry.expect("a file").file_name()).collect();
        names.sort();
        assert_eq!(names, ["000004.fsm", "index.json", "original.fsm"]);
        let words = format!("refine {out}/000004.fsm {out}/original.fsm");
        let (code, said) = tamper(folder, &words);
        assert!(code == 1 && said.contains("b a a"), "{said}");
    }
    let (code, said) = tamper(folder, "report run --out page.html");
    assert_eq!(code, 0, "{said}");
    let page = fs::read_to_string(folder.join("page.html")).expect("a page");
    // The faults stand in lines 12 to 14.
    for line in 12..=14 {
        assert!(page.contains(&format!("data-parts=\"{}\"", line - 1)), "line {line}");
    }
    for (words, message) in [
        ("classify examples/machines/purse.efsm", "does not take"),
        (
            "classify examples/machines/running-example.fsm --operators TMI",
            "--operators has no meaning for",
        ),
        (
            "export examples/machines/running-example.fsm --as smtlib --out x",
            "leave out --as",
        ),
    ] {
        let (code, said) = tamper(folder, words);
        assert!(code == 2 && said.contains(message), "{words}: {said}");
    }
}

#[test]
fn a_run_has_a_page_and_is_of_its_own_world() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let (code, _) = json(folder, "classify case-studies/lift/model.pl --witness --out run");
    assert_eq!(code, 0);
    let (code, said) = tamper(folder, "report run --out page.html");
    assert_eq!(code, 0, "{said}");
    let page = fs::read_to_string(folder.join("page.html")).expect("a page");
    let records = lines(folder, "run/mutants.jsonl");
    assert!(page.contains(&format!("\"mutants\":{}", records.len())));
    // Each line that is changed can be chosen.
    let mut changed: Vec<usize> = records
        .iter()
        .map(|record| {
            record["id"]
                .as_str()
                .expect("an id")
                .split(':')
                .nth(1)
                .expect("a line")
                .parse()
                .expect("a number")
        })
        .collect();
    changed.sort_unstable();
    changed.dedup();
    for line in changed {
        assert!(page.contains(&format!("data-parts=\"{}\"", line - 1)), "line {line}");
    }
    for (words, message) in [
        (
            "export case-studies/cas/model.xml --mutants run --out x",
            "is on mutants of a system without time",
        ),
        (
            "report run --suite s.json --out x",
            "--suite has no meaning for a run on mutants of an untimed system",
        ),
    ] {
        let (code, said) = tamper(folder, words);
        assert!(code == 2 && said.contains(message), "{words}: {said}");
    }
}
