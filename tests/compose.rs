//! Networks on the command line.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("uppaal-models/networks")
        .join(name)
}

fn tamper(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tamper"))
        .args(words)
        .output()
        .expect("tamper runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_composed_file_is_read_back_as_the_game_that_check_sees() {
    let folder = tempfile::tempdir().unwrap();
    let one = folder.path().join("one.xml");
    let (file, one) = (example("crossing.xml"), one.to_str().unwrap());
    let output = tamper(&["compose", file.to_str().unwrap(), "--out", one]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let network = tamper(&["check", file.to_str().unwrap(), "--format", "json"]);
    let single = tamper(&["check", one, "--format", "json"]);
    assert_eq!(network.status.code(), Some(0), "{}", stderr(&network));
    assert_eq!(stdout(&network), stdout(&single));
    // A game refines itself, read either way.
    let output = tamper(&["refine", file.to_str().unwrap(), "System", "System", "--against", one]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn a_limit_that_is_hit_ends_with_its_own_exit_code_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let one = folder.path().join("one.xml");
    let file = example("fischer.xml");
    let output = tamper(&[
        "compose",
        file.to_str().unwrap(),
        "--out",
        one.to_str().unwrap(),
        "--max-states",
        "5",
    ]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains("state budget (--max-states) hit"),
        "{}",
        stderr(&output)
    );
    assert!(!one.exists());
}

#[test]
fn comparisons_that_are_not_exact_are_refused_by_name() {
    let file = example("crossing.xml");
    let words = [
        "refine",
        file.to_str().unwrap(),
        "System",
        "System",
        "--environment",
        "Train",
    ];
    let output = tamper(&words);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("the composition has hidden steps"),
        "{}",
        stderr(&output)
    );
    let output = tamper(&["check", file.to_str().unwrap(), "--system", "Gate"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("there is no process `Gate`; there are Train(0), Train(1), Train(2), Keeper"));
}

#[test]
fn mutants_of_a_network_are_judged_in_it_and_alone_and_an_interrupted_run_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (example("crossing.xml"), folder.path().join("run"));
    let run = |more: &[&str]| {
        let words = [
            "classify",
            file.to_str().unwrap(),
            "--mutate",
            "Train",
            "--out",
            out.to_str().unwrap(),
        ];
        tamper(&[&words, more].concat())
    };
    let output = run(&["--format", "json", "--static=off"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let summary: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    // What a guideline names is never killable, though every game is played.
    assert_eq!(summary["unsound"], 0);
    let train = &summary["processes"][0];
    let count = |name: &str| train[name].as_u64().unwrap();
    assert_eq!((&train["name"], count("mutants")), (&serde_json::json!("Train"), 78));
    assert!(
        0 < count("masked") && count("masked") < count("killable_alone"),
        "{train}"
    );
    let records = std::fs::read_to_string(out.join("mutants.jsonl")).unwrap();
    assert!(records.lines().all(|line| line.starts_with("{\"id\":\"Train/")));
    let half: String = records.lines().take(20).map(|line| format!("{line}\n")).collect();
    std::fs::write(out.join("mutants.jsonl"), half).unwrap();
    let output = run(&["--static=off", "--resume"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(out.join("mutants.jsonl")).unwrap(), records);
    // Guidelines and congruence change nothing but what decided.
    let output = run(&["--format", "json"]);
    let quick: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(quick["operators"], summary["operators"]);
    assert_eq!(quick["processes"], summary["processes"]);
}

#[test]
fn what_networks_mutants_cannot_do_is_refused_by_name() {
    let file = example("crossing.xml");
    let refusal = |words: &[&str]| {
        let output = tamper(&[&["classify", file.to_str().unwrap()], words].concat());
        assert_eq!(output.status.code(), Some(2));
        stderr(&output)
    };
    let text = refusal(&["--mutate", "Gate"]);
    assert!(
        text.contains("no process or template `Gate`; there are Keeper, Train, Train(0)"),
        "{text}"
    );
    let text = refusal(&["--mutate", "Train", "--environment", "Train"]);
    assert!(text.contains("is in the environment"), "{text}");
}

#[test]
fn suites_for_mutants_of_a_network_are_made_scored_made_smaller_and_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let alarm = example("car-alarm.xml").display().to_string();
    let few = ["--operators", "TMI,SMI,CXL,CXS,CCN"];
    let of_alarm = [&[alarm.as_str(), "--mutate", "Alarm", "--system", "Alarm"], &few[..]].concat();
    let json = |words: &[&str], code: i32| {
        let output = tamper(&[words, &["--format", "json", "-q"]].concat());
        assert_eq!(output.status.code(), Some(code), "{words:?}: {}", stderr(&output));
        serde_json::from_str::<serde_json::Value>(&stdout(&output)).unwrap()
    };
    // A run and a suite are about the same mutants: what is killed is what is not subsumed without pruning.
    let run = path("run");
    let words = ["--semantics", "definition", "--out", &run];
    let counts = json(&[&["classify"], &of_alarm[..], &words].concat(), 0);
    let killable = counts["total"]["non_subsumed"].as_u64().unwrap();
    for strategy in ["per-mutant", "on-the-fly", "minimal"] {
        let suite = path(strategy);
        let words = ["--strategy", strategy, "--out", &suite];
        let made = json(&[&["testgen"], &of_alarm[..], &words].concat(), 0);
        let count = |name: &str| made[name].as_u64().unwrap();
        assert_eq!(count("definite") + count("potential"), killable, "{strategy}");
        let scored = json(&[&["score", &suite], &of_alarm[..]].concat(), 0);
        assert_eq!(scored["killed"], killable, "{strategy}: {scored}");
        assert_eq!(scored["killable"], killable, "{strategy}: {scored}");
    }
    // How the run looked at the network need not be said again.
    let suite = path("per-mutant");
    let scored = json(&["score", &suite, &alarm, "--mutants", &run], 0);
    assert_eq!(scored["killed"], scored["killable"]);
    let small = path("small");
    let smaller = json(&["minimise", &suite, &alarm, "--mutants", &run, "--out", &small], 0);
    assert!(smaller["tests"].as_u64() < smaller["before"].as_u64(), "{smaller}");
    let page = path("page.html");
    let output = tamper(&["report", &run, "--suite", &small, "--out", &page]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // The network passes its own tests.
    let output = tamper(&["run", &small, "--against", &alarm, "--system", "Alarm", "-q"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // Two shares are the whole.
    for share in ["1/2", "2/2"] {
        let out = path(&share.replace('/', "-"));
        let words = ["--shard", share, "--out", &out];
        json(&[&["score", &suite], &of_alarm[..], &words].concat(), 0);
    }
    let merged = json(&["merge", &path("1-2"), &path("2-2")], 0);
    assert_eq!(merged["killed"], killable);
}

#[test]
fn exported_mutants_of_a_network_have_the_verdicts_they_had_and_fail_the_tests_that_kill_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (file, out, run) = (
        example("collision-avoidance.xml").display().to_string(),
        path("mutants"),
        path("run"),
    );
    let words = [
        "export",
        &file,
        "--mutate",
        "all",
        "--keep",
        "non-subsumed || subsumed",
        "--out",
        &out,
    ];
    let output = tamper(&words);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let index = std::fs::read_to_string(Path::new(&out).join("index.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> = index.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.len() > 60, "{}", lines.len());
    for line in lines.iter().step_by(7) {
        let mutant = Path::new(&out).join(line["file"].as_str().unwrap());
        let mutant = mutant.to_str().unwrap();
        let words = [
            "refine",
            mutant,
            "System",
            "System",
            "--against",
            &file,
            "-q",
            "--format",
            "json",
        ];
        let output = tamper(&words);
        let answer: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(answer["verdict"], line["verdict"], "{line}");
    }
    // A finished run is exported as it stands, and its mutants fail the suite that was made for them.
    let words = [
        "classify",
        &file,
        "--mutate",
        "all",
        "--semantics",
        "definition",
        "--out",
        &run,
    ];
    assert_eq!(tamper(&words).status.code(), Some(0));
    let (killable, suite) = (path("killable"), path("suite.json"));
    let words = [
        "export",
        &file,
        "--mutants",
        &run,
        "--keep",
        "non-subsumed",
        "--out",
        &killable,
    ];
    let output = tamper(&words);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(
        tamper(&["testgen", &file, "--mutants", &run, "--out", &suite])
            .status
            .code(),
        Some(0)
    );
    let output = tamper(&["run", &suite, "--against", &killable, "--fail-under", "100"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for (words, text) in [
        (["--as", "tchecker", "--mutate", "all"], "has no networks"),
        (["--mutate", "all", "--keep", "location == Nowhere"], "Nowhere"),
        (
            ["--network", "--environment=Medium", "--keep", "all"],
            "name what is mutated with --mutate",
        ),
    ] {
        let other = path("other");
        let output = tamper(&[&["export", &file, "--out", &other], &words[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(stderr(&output).contains(text), "{}", stderr(&output));
        assert!(!Path::new(&other).exists(), "{words:?} wrote something");
    }
}

#[test]
fn what_suites_for_networks_cannot_do_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("suite.json").display().to_string();
    let refusal = |name: &str, words: &[&str]| {
        let file = example(name).display().to_string();
        let output = tamper(&[&["testgen", &file, "--out", &out], words].concat());
        assert_eq!(output.status.code(), Some(2));
        stderr(&output)
    };
    let text = refusal("fischer.xml", &["--mutate", "all"]);
    assert!(text.contains("the specification is not deterministic"), "{text}");
    let text = refusal("crossing.xml", &["--mutate", "Keeper", "--system", "Keeper"]);
    assert!(text.contains("the composition has hidden steps"), "{text}");
    let text = refusal("crossing.xml", &["--scope", "instance"]);
    assert!(text.contains("--mutate"), "{text}");
    assert!(!std::path::Path::new(&out).exists());
}

/// Two games, and everything else in the file is wrong.
const FAULTS_ELSEWHERE: &str = "<nta><declaration>chan go; int shared = 0;</declaration>
<template><name>Spec</name><declaration>clock x;</declaration><location id='l'><label kind='invariant'>x &lt;= 5</label></location>
<init ref='l'/><transition><source ref='l'/><target ref='l'/><label kind='guard'>x &gt;= 2</label>
<label kind='synchronisation'>go!</label><label kind='assignment'>x = 0, shared = 1</label></transition></template>
<template><name>Impl</name><declaration>clock x;</declaration><location id='l'><label kind='invariant'>x &lt;= 4</label></location>
<init ref='l'/><transition><source ref='l'/><target ref='l'/><label kind='guard'>x &gt;= 3</label>
<label kind='synchronisation'>go!</label><label kind='assignment'>x = 0, shared = 1</label></transition></template>
<template><name>Odd</name><declaration>hybrid clock h;</declaration><location id='l'/><init ref='l'/>
<transition><source ref='l'/><target ref='l'/><label kind='guard'>shared == unknown</label></transition></template>
<system>system Spec, Impl, Odd, Spec, Missing;</system></nta>";

#[test]
fn only_what_is_asked_for_is_judged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("faults.xml");
    std::fs::write(&file, FAULTS_ELSEWHERE).unwrap();
    let file = file.to_str().unwrap();
    let output = tamper(&["refine", file, "Impl", "Spec"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let warnings = stderr(&output);
    for text in [
        "warning: `Spec` runs twice",
        "warning: there is no template or process `Missing`",
        "warning: `unknown` is not declared",
        "warning: the global variable `shared` is written by `Spec` and used by `Impl`: each is judged by itself",
    ] {
        assert!(warnings.contains(text), "{text} is not in\n{warnings}");
    }
    assert_eq!(tamper(&["refine", file, "Spec", "Impl"]).status.code(), Some(1));
    let out = folder.path().join("run");
    let words = ["classify", file, "--template", "Spec", "--out", out.to_str().unwrap()];
    assert_eq!(tamper(&words).status.code(), Some(0));
    // What is asked for has no excuse, nor has a file of which everything is asked for.
    for words in [
        ["check", file, "--template", "Odd"],
        ["check", file, "--template", "Missing"],
    ] {
        assert_eq!(tamper(&words).status.code(), Some(2));
    }
    assert_eq!(tamper(&["check", file]).status.code(), Some(2));
}

#[test]
fn a_university_brings_news_in_time_together_and_by_its_quotient() {
    let file = example("university.xml");
    let refine_as = |left: &str, right: &str, semantics: &str| {
        let file = file.to_str().unwrap();
        let output = tamper(&["refine", file, left, right, "--semantics", semantics, "-q"]);
        (output.status.code(), stderr(&output))
    };
    let refine = |left: &str, right: &str| refine_as(left, right, "tiga");
    let all = "Administration || Machine || Researcher";
    // 2 for the coin, 6 for the coffee, 4 to publish, 2 for the news.
    assert_eq!(refine(all, "Spec").0, Some(0));
    assert_eq!(refine(all, "Hasty").0, Some(1));
    assert_eq!(refine("Machine || Researcher", "Spec \\\\ Administration").0, Some(0));
    assert_eq!(refine("Machine || Researcher", "Hasty \\\\ Administration").0, Some(1));
    assert_eq!(refine("Hasty", "Spec && Hasty").0, Some(0));
    assert_eq!(refine("Spec", "Spec && Hasty").0, Some(1));
    assert_eq!(refine("Spec && Hasty", "Hasty").0, Some(0));
    // Whoever is hasty needs nobody beside it to meet the specification; who is not cannot be made hasty.
    assert_eq!(refine("Spec \\\\ Hasty", "Spec \\\\ Hasty").0, Some(0));
    assert_eq!(refine("(Spec \\\\ Hasty) || Hasty", "Spec").0, Some(0));
    // The machine's coffee is none of the specification's business, or not to be made.
    assert_eq!(refine("(Spec \\\\ Machine) || Machine", "Spec").0, Some(0));
    let (code, message) = refine_as("Spec \\\\ Machine", "Spec", "strict");
    assert_eq!(code, Some(2));
    assert!(
        message.contains("in a quotient `Machine` may only have actions of `Spec`"),
        "{message}"
    );
    let (code, message) = refine("Hasty \\\\ Spec", "Hasty \\\\ Spec");
    assert_eq!(code, Some(2), "{message}");
    for (left, right, text) in [
        ("Spec || Hasty", "Spec", "both sides of `||` have the output `news`"),
        (
            "Spec && Machine",
            "Spec",
            "the sides of `&&` must have the same actions",
        ),
        (
            "Spec || Machine && Hasty",
            "Spec",
            "different operators need parentheses",
        ),
        ("Spec || Nobody", "Spec", "does not run a template `Nobody`"),
    ] {
        let (code, message) = refine(left, right);
        assert_eq!(code, Some(2));
        assert!(message.contains(text), "{message}");
    }
}
