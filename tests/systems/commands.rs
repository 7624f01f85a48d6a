//! Suites for untimed systems on the command line: made, scored, run against models and programs; exports.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// What `tamper` answers to these words, and its exit code; paths from the root of the project.
pub fn tamper(folder: &Path, words: &str) -> (i32, String) {
    let words: Vec<String> = words
        .split(' ')
        .map(
            |word| match word.starts_with("case-studies/") || word.starts_with("examples/") {
                true => root(word).display().to_string(),
                false => word.to_owned(),
            },
        )
        .collect();
    let output = Command::new(env!("CARGO_BIN_EXE_tamper"))
        .args(&words)
        .current_dir(folder)
        .output();
    let output = output.expect("tamper runs");
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.code().unwrap_or(-1),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

pub fn json(folder: &Path, words: &str) -> (i32, Value) {
    let (code, said) = tamper(folder, &format!("{words} --format json --quiet"));
    (
        code,
        serde_json::from_str(&said).unwrap_or_else(|error| panic!("{words}: {error}\n{said}")),
    )
}

#[test]
fn suites_are_made_scored_and_run_against_models() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let model = "case-studies/beverage/model.smv --unspecified fill";
    for (kill, strategy) in [
        ("both", "per-mutant"),
        ("blind", "on-the-fly"),
        ("potential", "minimal"),
    ] {
        let (code, made) = json(
            folder,
            &format!("testgen {model} --kill {kill} --strategy {strategy} --out s.json"),
        );
        assert_eq!(
            (code, &made["mutants"], &made["killed"]),
            (0, &61.into(), &57.into()),
            "{made}"
        );
        let (code, score) = json(folder, "score s.json case-studies/beverage/model.smv");
        assert_eq!(
            (code, &score["killable"], &score["killed"]),
            (0, &57.into(), &57.into()),
            "{score}"
        );
        let (code, runs) = json(folder, "run s.json --against case-studies/beverage/model.smv");
        assert_eq!((code, &runs["fail"]), (0, &0.into()), "{runs}");
        let (code, runs) = json(folder, "run s.json --against case-studies/beverage/fills-one.smv");
        assert_eq!(code, 1, "{runs}");
        assert_ne!(runs["fail"], 0, "{runs}");
    }
    // A suite without one of its tests leaves a mutant alive.
    let mut suite: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("s.json")).expect("a suite")).expect("JSON");
    suite["tests"].as_array_mut().expect("a list").pop();
    std::fs::write(folder.join("less.json"), suite.to_string()).expect("written");
    let (code, said) = tamper(folder, "score less.json case-studies/beverage/model.smv");
    assert!(code == 1 && said.contains("survives: "), "{said}");
    let (code, _) = tamper(
        folder,
        "score less.json case-studies/beverage/model.smv --fail-under 50",
    );
    assert_eq!(code, 0);
}

/// Whatever tests are dropped, every mutant is killed as surely as before; no other choice of as few does it.
#[test]
fn suites_are_made_smaller_without_killing_less_surely() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for model in [
        "case-studies/untimed/arbiter.smv",
        "case-studies/beverage/model.smv",
        "case-studies/lift/model.pl",
    ] {
        let complete = if model.contains("beverage") {
            " --unspecified fill"
        } else {
            ""
        };
        let (code, made) = json(folder, &format!("testgen {model}{complete} --kill both --out all.json"));
        assert_eq!(code, 0, "{made}");
        let killed = |suite: &str, kill: &str| {
            let (_, score) = json(folder, &format!("score {suite} {model}{complete} --kill {kill}"));
            score["killed"].clone()
        };
        for criterion in ["tests", "steps"] {
            let words = format!("minimise all.json {model}{complete} --criterion {criterion} --out small.json");
            let (code, smaller) = json(folder, &words);
            assert_eq!((code, &smaller["proved"]), (0, &true.into()), "{smaller}");
            assert_eq!(smaller["lower_bound"], smaller["cost"]);
            assert!(smaller["tests"].as_u64() < made["tests"].as_u64(), "{smaller}");
            for kill in ["potential", "definite", "blind"] {
                assert_eq!(killed("small.json", kill), killed("all.json", kill), "{model} {kill}");
            }
        }
        // What is as small as can be is not made smaller.
        let (_, again) = json(
            folder,
            &format!("minimise small.json {model}{complete} --criterion steps --in-place"),
        );
        assert_eq!(again["tests"], again["before"], "{again}");
    }
}

#[test]
fn a_suite_that_is_none_or_of_another_system_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let (code, _) = tamper(folder, "testgen case-studies/lift/model.pl --out lift.json --quiet");
    assert_eq!(code, 0);
    let (code, said) = tamper(folder, "score lift.json case-studies/buffer/model.pl");
    assert!(
        code == 2 && (said.contains("no input") || said.contains("fails on the specification")),
        "{said}"
    );
    let text = std::fs::read_to_string(folder.join("lift.json")).expect("a suite");
    for (from, to, message) in [
        ("\"version\": 1", "\"version\": 9", "version 9 is not read"),
        ("\"kill\": \"", "\"kill\": \"x", "has no meaning there"),
        ("\"next\": 1", "\"next\": 0", "which is no later one"),
        ("\"id\": \"t2\"", "\"id\": \"t1\"", "two tests have the id t1"),
        ("\"give\"", "\"gives\"", "not a suite"),
    ] {
        assert!(text.contains(from), "{from}");
        std::fs::write(folder.join("wrong.json"), text.replacen(from, to, 1)).expect("written");
        let (code, said) = tamper(folder, "score wrong.json case-studies/lift/model.pl");
        assert!(code == 2 && said.contains(message), "{to}: {said}");
    }
    for words in [
        "testgen case-studies/lift/model.pl --out x.json --order 2",
        "testgen case-studies/lift/model.pl --out x.json --unspecified fill",
        "minimise lift.json case-studies/lift/model.pl --criterion time --out x.json",
        "run lift.json --against case-studies/lift/model.pl --random 3",
        "export case-studies/lift/model.pl --as aiger --out x",
        "export case-studies/cas/model.xml --as smtlib --out x",
        "coverage case-studies/cas/model.xml --suite complete --kill blind --out x.json",
    ] {
        let (code, said) = tamper(folder, words);
        assert!(code == 2 && said.contains("error"), "{words}: {said}");
        assert!(!folder.join("x.json").exists() && !folder.join("x").exists(), "{words}");
    }
}

#[cfg(unix)]
#[test]
fn programs_without_time_are_run_step_by_step() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    // The beverage machine with a tank of two units, which fills $1.
    let program = "while read verb rest; do case \"$verb $rest\" in \
        tamper*) echo ready;; reset*) w=2; echo ready;; \
        'give req') if [ $w -gt 0 ]; then w=$((w-1)); echo sees coff; else echo sees none; fi;; \
        'give fill') if [ $w = 0 ]; then w=$1; fi; echo log filled; echo sees none;; \
        give*) echo sees none;; *) exit 0;; esac; done\n";
    std::fs::write(folder.join("machine.sh"), program).expect("written");
    let (code, said) = tamper(
        folder,
        "testgen case-studies/beverage/model.smv --unspecified fill --out s.json --quiet",
    );
    assert_eq!(code, 0, "{said}");
    let run = |command: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_tamper"))
            .args(["run", "s.json", "--sut", command, "--format", "json", "--quiet"])
            .current_dir(folder)
            .output();
        let output = output.expect("tamper runs");
        let said: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        (output.status.code(), said)
    };
    let (code, runs) = run("sh machine.sh 2");
    assert_eq!(
        (code, &runs["fail"], &runs["broken"]),
        (Some(0), &0.into(), &0.into()),
        "{runs}"
    );
    let (code, runs) = run("sh machine.sh 1");
    assert_eq!((code, &runs["broken"]), (Some(1), &0.into()), "{runs}");
    assert_ne!(runs["fail"], 0, "{runs}");
    let (code, runs) = run("echo nonsense");
    assert_eq!(
        (code, &runs["pass"], &runs["fail"]),
        (Some(1), &0.into(), &0.into()),
        "{runs}"
    );
}

#[test]
fn mutants_are_exported_as_files_that_are_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let (code, said) = tamper(folder, "export case-studies/cas-actions/model.pl --out cas");
    assert!(code == 0 && said.contains("207 files"), "{said}");
    let index = std::fs::read_to_string(folder.join("cas/index.json")).expect("an index");
    let index: Value = serde_json::from_str(&index).expect("JSON");
    let (code, all) = json(folder, "classify case-studies/cas-actions/model.pl --witness");
    assert_eq!(code, 0);
    let mutants = all["mutants"].as_array().expect("a list");
    for (file, mutant) in index["files"].as_array().expect("a list")[1..]
        .iter()
        .zip(mutants)
        .step_by(20)
    {
        assert_eq!(file["id"], mutant["id"]);
        let name = file["file"].as_str().expect("a name");
        let (_, answer) = json(folder, &format!("refine cas/{name} cas/original.pl"));
        for key in ["verdict", "state", "event", "ioco", "trace"] {
            assert_eq!(answer[key], mutant[key], "{name}");
        }
    }
    for (target, some) in [
        ("hyperltl", "phi3.hq"),
        ("smtlib", "index.json"),
        ("aiger", "index.json"),
        ("trap", "index.json"),
    ] {
        let words = format!("export case-studies/untimed/traffic-light.smv --as {target} --out {target}");
        let (code, said) = tamper(folder, &words);
        assert!(code == 0 && folder.join(target).join(some).exists(), "{said}");
    }
    // What is never seen is killed weakly only: the next value of `h` is kept, false or true.
    std::fs::write(
        folder.join("hidden.smv"),
        "-- outputs: o\nMODULE main\nVAR o : boolean; h : boolean;\nASSIGN init(o) := FALSE; next(o) := o; init(h) := FALSE; next(h) := !h;\n",
    )
    .expect("the folder is there");
    assert_eq!(tamper(folder, "export hidden.smv --as trap --out hidden").0, 0);
    let index = std::fs::read_to_string(folder.join("hidden/index.json")).expect("an index");
    let index: Value = serde_json::from_str(&index).expect("JSON");
    let of_h = index["files"].as_array().expect("a list").iter();
    let of_h: Vec<_> = of_h
        .filter(|file| file["id"].as_str().is_some_and(|id| id.contains("!h")))
        .collect();
    assert_eq!(of_h.len(), 6, "{index}");
    for file in of_h {
        assert_eq!(file["fails"], file["kills"] == "weakly", "{file}");
    }
    let phi3 = std::fs::read_to_string(folder.join("hyperltl/phi3.hq")).expect("a formula");
    assert_eq!(
        phi3,
        "exists A. forall B. forall C. ((~mut[A]) /\\ (F ((~mut[B]) \\/ mut[C] \\/ (~((button[A] <-> button[B]))) \\/ \
         (~((button[A] <-> button[C]))) \\/ (~((*cars[B] = cars[C]*) /\\ (*walkers[B] = walkers[C]*))))))\n"
    );
    let (code, said) = tamper(
        folder,
        "export case-studies/untimed/arbiter.smv --as trap --out arbiter",
    );
    assert!(code == 2 && said.contains("the system has choices"), "{said}");
}
