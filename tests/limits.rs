//! Limits are kept by every command, and said where they change what it does.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;

const LAMP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/uppaal-models/lamp.xml");
const CAS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/case-studies/cas/model.xml");
const COFFEE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/case-studies/coffee/model.xml");

/// What every case has to end in: its limit is far below, what it would take without one far above.
const SOON: Duration = Duration::from_secs(30);

fn tamper(folder: &Path, words: &str) -> Output {
    let started = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_tamper"))
        .current_dir(folder)
        .args(words.split_whitespace())
        .output()
        .unwrap();
    assert!(started.elapsed() < SOON, "{words}: {:?}", started.elapsed());
    output
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A machine with a cycle through all states, and other edges by a simple generator of numbers.
fn machine(n_states: u64, n_inputs: u64, n_outputs: u64) -> String {
    let mut number: u64 = 1;
    let mut next = |below: u64| {
        number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) % below
    };
    let mut text = "initial s0\n".to_owned();
    for state in 0..n_states {
        for input in 0..n_inputs {
            let target = if input == 0 {
                (state + 1) % n_states
            } else {
                next(n_states)
            };
            text.push_str(&format!("s{state} i{input} / o{} -> s{target}\n", next(n_outputs)));
        }
    }
    text
}

#[test]
fn completing_and_minimising_a_suite_ends_in_time() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.fsm"), machine(10, 3, 3)).unwrap();
    let words = "coverage m.fsm --suite complete,minimised --faults all --timeout 0.5 --format json";
    let output = tamper(folder.path(), words);
    assert_eq!(output.status.code(), Some(3), "{}", message(&output));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let stopped = answer["minimise_stopped"].as_str().unwrap_or_default();
    assert!(
        stopped.contains("--timeout") || answer["verdict"] == "unknown",
        "{answer}"
    );
}

#[test]
fn the_time_of_all_constants_is_that_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let words = format!("classify {LAMP} --all-constants=1073741824 --timeout 0.5 --format json");
    let output = tamper(folder.path(), &words);
    assert_eq!(output.status.code(), Some(3), "{}", message(&output));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    for site in answer["sites"].as_array().unwrap() {
        let mut next = 0;
        for interval in site["intervals"].as_array().unwrap() {
            assert_eq!(interval["from"], next, "{site}");
            next = interval["to"].as_i64().unwrap() + 1;
        }
        assert_eq!(next, 1_073_741_825);
        assert_eq!(
            site["intervals"].as_array().unwrap().last().unwrap()["verdict"],
            "unknown"
        );
    }
    let words = "--all-constants=100 --order 2 --timeout 0.2 --format json";
    let output = tamper(folder.path(), &format!("classify {LAMP} {words}"));
    assert_eq!(output.status.code(), Some(3), "{}", message(&output));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    for pair in answer["joint"].as_array().unwrap() {
        let side =
            |points: &Value, at: usize| points["to"][at].as_u64().unwrap() + 1 - points["from"][at].as_u64().unwrap();
        let boxes = pair["boxes"].as_array().unwrap();
        assert_eq!(
            boxes
                .iter()
                .map(|points| side(points, 0) * side(points, 1))
                .sum::<u64>(),
            101 * 101
        );
    }
    let refused = tamper(folder.path(), &format!("classify {LAMP} --all-constants=300 --order 2"));
    assert_eq!(refused.status.code(), Some(2));
    assert!(message(&refused).contains("more than 1000000"), "{}", message(&refused));
}

#[test]
fn a_run_that_is_out_of_time_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words = format!("classify {COFFEE} --order 2 --sample 20000 --semantics tiga");
    let mut output = tamper(at, &format!("{words} --out parts --total-timeout 0.2"));
    let mut n_parts = 1;
    while output.status.code() == Some(3) {
        assert!(message(&output).contains("--resume"), "{}", message(&output));
        // What was decided is shown, and named as often in the folder.
        let decided = fs::read_to_string(at.join("parts/mutants.jsonl"))
            .unwrap()
            .lines()
            .count();
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            message(&output).contains(&format!(" {decided} of 20000 mutants")),
            "{}",
            message(&output)
        );
        let total = shown
            .lines()
            .find(|line| line.contains("total"))
            .unwrap_or("| total | 0 |");
        let count = total.split('|').nth(2).unwrap().trim().replace(',', "");
        assert_eq!(count, decided.to_string(), "{shown}");
        assert!(!at.join("parts/summary.json").exists() && n_parts < 500);
        // What was decided is shown; the first time may be up before anything is.
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(n_parts == 1 || shown.contains("| total"), "{shown}");
        output = tamper(at, &format!("{words} --out parts --resume --total-timeout 2"));
        n_parts += 1;
    }
    assert_eq!(output.status.code(), Some(0), "{}", message(&output));
    assert_eq!(tamper(at, &format!("{words} --out whole")).status.code(), Some(0));
    for name in ["mutants.jsonl", "summary.json", "non-subsumed.txt"] {
        let read = |folder: &str| fs::read(at.join(folder).join(name)).unwrap();
        assert_eq!(read("parts"), read("whole"), "{name}");
    }
}

#[test]
fn commands_over_many_mutants_have_a_time_for_all_of_them() {
    // The 373 million sequences of order 3 are out of reach on any machine.
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let output = tamper(
        at,
        &format!("testgen {CAS} --order 3 --sample 10000000 --total-timeout 0.5 --out s.json"),
    );
    assert_eq!(output.status.code(), Some(3), "{}", message(&output));
    assert!(
        !at.join("s.json").exists() && message(&output).contains("--sample"),
        "{}",
        message(&output)
    );
    let output = tamper(
        at,
        &format!("export {CAS} --order 3 --keep non-subsumed --total-timeout 0.5 --out e"),
    );
    assert_eq!(output.status.code(), Some(3), "{}", message(&output));
    assert!(!at.join("e/index.jsonl").exists());
    assert_eq!(
        tamper(at, &format!("testgen {LAMP} --out s.json")).status.code(),
        Some(0)
    );
    let output = tamper(
        at,
        &format!("run s.json --against {LAMP} --random 1000000000 --total-timeout 0.5"),
    );
    assert_eq!(output.status.code(), Some(3), "{}", message(&output));
}

#[test]
fn limits_that_choose_the_engine_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let manifest = || fs::read_to_string(at.join("tamper.out/manifest.json")).unwrap();
    let output = tamper(at, &format!("classify {LAMP}"));
    assert!(!message(&output).contains("--engine") && !manifest().contains("engine"));
    let output = tamper(at, &format!("classify {LAMP} --max-states 100000"));
    assert!(message(&output).contains("--engine enumerate"), "{}", message(&output));
    assert!(manifest().contains("\"engine\": \"enumerate\""), "{}", manifest());
    // The engine does not matter to one who goes on.
    let words = format!("classify {LAMP} --max-states 100000 --engine enumerate --resume");
    let output = tamper(at, &words);
    assert_eq!(output.status.code(), Some(0), "{}", message(&output));
}

#[test]
fn limits_too_small_for_the_game_itself_are_limits() {
    let folder = tempfile::tempdir().unwrap();
    let output = tamper(folder.path(), &format!("testgen {LAMP} --max-states 0 --out s.json"));
    assert_eq!(output.status.code(), Some(3), "{}", message(&output));
    assert!(message(&output).contains("--max-states"));
    // That a game refines itself is known without a game; its mutants have no verdict.
    let output = tamper(folder.path(), &format!("classify {LAMP} --max-states 0"));
    assert_eq!(output.status.code(), Some(3), "{}", message(&output));
    let records = fs::read_to_string(folder.path().join("tamper.out/mutants.jsonl")).unwrap();
    assert!(records.contains("state budget (--max-states) hit"));
}

#[test]
fn a_limit_that_is_hit_while_a_file_is_read_is_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let counter = "var n : 0..2147483647 = 0\ninitial A\nA a [n < 2147483647] / ok {n := n + 1} -> A\n\
        A a [n == 2147483647] / no -> A\nA b / x(n) -> A\n";
    fs::write(folder.path().join("m.efsm"), counter).unwrap();
    let output = tamper(folder.path(), "coverage m.efsm --complete --max-states 30");
    assert_eq!(output.status.code(), Some(3), "{}", message(&output));
    assert!(
        message(&output).contains("more than 30 configurations"),
        "{}",
        message(&output)
    );
    fs::write(folder.path().join("wrong.efsm"), format!("{counter}from nowhere\n")).unwrap();
    let output = tamper(folder.path(), "coverage wrong.efsm --complete --max-states 30");
    assert_eq!(output.status.code(), Some(2), "{}", message(&output));
}

#[test]
fn an_element_with_very_many_attributes_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let many: String = (0..100_000).map(|at| format!(" a{at}=\"1\"")).collect();
    fs::write(folder.path().join("m.xml"), format!("<nta>\n<template{many}/></nta>")).unwrap();
    fs::write(folder.path().join("f.xml"), format!("<featureModel{many}/>")).unwrap();
    for words in ["check m.xml", "features f.xml", "draw f.xml"] {
        let output = tamper(folder.path(), words);
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(message(&output).contains("attributes"), "{words}: {}", message(&output));
        assert!(message(&output).len() < 2000, "{words}");
    }
}

/// Starts tamper, sends that signal after half a second, and gives what it ended with.
#[cfg(unix)]
fn signalled(folder: &Path, words: &str, signal: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tamper"))
        .current_dir(folder)
        .args(words.split_whitespace())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().unwrap().is_none(), "{words}: ended before the signal");
    let input = child.stdin.take();
    let sent = Instant::now();
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(killed.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(sent.elapsed() < SOON, "{words}: {:?}", sent.elapsed());
    drop(input);
    output
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_command_that_computes_and_one_that_waits() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("m.fsm"), machine(20, 5, 4)).unwrap();
    for signal in ["-TERM", "-INT"] {
        for words in ["coverage m.fsm --complete --faults all --out c.txt", "oracle m.fsm"] {
            let output = signalled(at, words, signal);
            assert_eq!(output.status.code(), Some(130), "{words}: {}", message(&output));
        }
    }
    // No draft, no result.
    assert_eq!(fs::read_dir(at).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn what_a_signal_leaves_of_a_run_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let words = format!("classify {CAS} --order 3 --sample 5000000 --out run");
    let output = signalled(folder.path(), &words, "-TERM");
    assert_eq!(output.status.code(), Some(130), "{}", message(&output));
    assert!(message(&output).contains("--resume"), "{}", message(&output));
    let output = tamper(folder.path(), &format!("{words} --resume --total-timeout 0.2"));
    assert!(matches!(output.status.code(), Some(0 | 3)), "{}", message(&output));
}

#[test]
fn the_time_for_all_of_a_command_ends_one_without_limits_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.fsm"), machine(20, 5, 4)).unwrap();
    // It waits for questions that never come.
    let mut child = Command::new(env!("CARGO_BIN_EXE_tamper"))
        .current_dir(folder.path())
        .args(["oracle", "m.fsm", "--total-timeout", "0.3"])
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let input = child.stdin.take();
    let started = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert!(started.elapsed() < SOON);
    drop(input);
}
