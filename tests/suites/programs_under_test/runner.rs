//! `tamper run --sut` as a runner: what is said of programs that fail, at times fail, do not start, or stop in the middle.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A program that says `dim` 3/2 after `press`, or what its first word makes of it. In accelerated time it is told how much passes, in real
/// time it sleeps.
const PROGRAM: &str = r#"
import os, sys, time
from fractions import Fraction

fault = sys.argv[1] if len(sys.argv) > 1 else ""

def say(line):
    print(line, flush=True)

if fault == "closed":
    sys.exit("the port is taken")
open("jobs", "a").write(os.environ.get("TAMPER_JOB", "none") + "\n")
unit, tests, due = None, 0, None
for line in sys.stdin:
    words = line.split()
    if words[0] == "tamper":
        if fault == "mute":
            time.sleep(600)
        unit = int(words[3]) / 1e6 if words[2] == "real" else None
        say("ready")
    elif words[0] == "reset":
        tests, due = tests + 1, None
        say("ready")
    elif words[0] == "input":
        early = fault == "early" or fault == "third" and tests == 3
        action = "bright" if fault == "wrong" else "off" if fault == "off" else "dim"
        due = None if fault == "silent" else Fraction(1, 2) if early else Fraction(3, 2)
        if fault == "raise" and tests == 2:
            raise RuntimeError("the lamp is gone")
        if unit is None:
            say("refused" if fault == "refuse" else "ok")
        elif due is not None:
            if fault == "refuse":
                say("refused press")
            time.sleep(float(due) * unit)
            say("output " + action)
    elif words[0] == "delay":
        passed = Fraction(words[1])
        if due is not None and due <= passed:
            say("output %s after %s" % (action, due))
            due = None
        else:
            due = None if due is None else due - passed
            say("done")
"#;

/// `press?` at 0; then `dim!` from 1 by 2 is the way, `off!` is allowed, and everything else is not.
fn test(id: &str, targets: &[&str]) -> Value {
    test_at(0, id, targets)
}

/// The same with `press?` at a later time.
fn test_at(start: u32, id: &str, targets: &[&str]) -> Value {
    let start = format!("t == {start}");
    json!({ "id": id, "style": "adaptive", "kill": "potential", "targets": targets, "clocks": ["t"], "nodes": [
        { "rules": [{ "when": [start], "input": "press?", "then": [{ "reset": { "t": 0 }, "next": 1 }] }], "otherwise": "fail" },
        { "rules": [{ "when": ["t == 2"], "verdict": "fail" }], "outputs": [
            { "output": "dim!", "when": ["t >= 1", "t <= 2"], "verdict": "pass" },
            { "output": "off!", "verdict": "inconclusive" },
        ], "otherwise": "fail" },
    ] })
}

/// A folder with the program and a suite of these tests, to which a refused input is a fail.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn of(tests: Vec<Value>) -> Self {
        Self::with_refusals("error", tests)
    }

    fn with_refusals(refusals: &str, tests: Vec<Value>) -> Self {
        let place = Self {
            folder: tempfile::tempdir().expect("a folder"),
        };
        let suite = json!({
            "format": "tamper-suite", "version": 1, "refusals": refusals, "tests": tests,
            "specification": { "file": "none.xml", "template": "Lamp", "hash": "" },
        });
        fs::write(place.at("suite.json"), suite.to_string()).expect("written");
        fs::write(place.at("program.py"), PROGRAM).expect("written");
        place
    }

    fn with(n: usize) -> Self {
        Self::of((1..=n).map(|at| test(&format!("t{at}"), &[])).collect())
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, fault: &str, options: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamper"));
        command
            .current_dir(self.folder.path())
            .args([
                "run",
                "suite.json",
                "--sut",
                &format!("exec python3 program.py {fault}"),
            ])
            .args(options.split_whitespace());
        command
    }

    /// The exit code, and what is printed.
    fn run(&self, fault: &str, options: &str) -> (Option<i32>, String, String) {
        let Output { status, stdout, stderr } = self.command(fault, options).output().expect("tamper runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (status.code(), text(stdout), text(stderr))
    }

    fn json(&self, fault: &str, options: &str) -> (Option<i32>, Value) {
        let (code, out, err) = self.run(fault, &format!("{options} --format json"));
        (code, serde_json::from_str(&out).unwrap_or_else(|_| panic!("{err}")))
    }
}

/// What is said of each test.
fn verdicts(answer: &Value) -> Vec<&str> {
    let runs = answer["runs"].as_array().expect("runs").iter();
    runs.map(|run| run["verdict"].as_str().unwrap_or("none")).collect()
}

#[test]
fn a_program_that_fails_at_times_is_unsteady_and_fails_the_run() {
    let place = Place::with(1);
    // The third test that it is given is answered too early.
    let (code, out, _) = place.run("third", "--accelerated --repeat 5");
    let unsteady = "\
t1: unsteady: 1 of 5 runs fails: expected off or dim 1 to 2 time units after press; dim came at 0.5
  at 0        press?
  at 0.5      dim!
1 test: 0 pass, 0 inconclusive, 0 fail, 1 unsteady
";
    assert_eq!((code, out.as_str()), (Some(1), unsteady));
    let (code, out, _) = place.run("third", "--accelerated --repeat 2");
    assert_eq!(
        (code, out.as_str()),
        (Some(0), "1 test: 1 pass, 0 inconclusive, 0 fail\n")
    );
    // A retry hides no failure.
    let place = Place::with(3);
    let (code, answer) = place.json("third", "--accelerated --retry 2");
    assert_eq!(code, Some(1));
    assert_eq!(verdicts(&answer), ["pass", "pass", "unsteady"]);
    assert_eq!(
        (&answer["runs"][2]["times"], &answer["runs"][2]["fails"]),
        (&json!(2), &json!(1))
    );
    let (code, answer) = place.json("early", "--accelerated --retry 2 --only t1");
    assert_eq!((code, verdicts(&answer)), (Some(1), vec!["fail"]));
    assert_eq!(answer["runs"][0]["times"], 3);
}

#[test]
fn an_input_that_is_refused_fails_a_test_unless_the_suite_says_that_it_means_nothing() {
    let refused = "t1: fail: expected press to be accepted; it was refused";
    for options in ["--accelerated", "--unit 20ms --tolerance 1"] {
        let (code, out, _) = Place::with(1).run("refuse", options);
        assert!(code == Some(1) && out.starts_with(refused), "{code:?} {out}");
        let place = Place::with_refusals("never", vec![test("t1", &[])]);
        let (code, answer) = place.json("refuse", options);
        assert_eq!((code, verdicts(&answer)), (Some(0), vec!["pass"]), "{answer}");
        assert_eq!(answer["runs"][0]["remarks"][0]["text"], "refused press", "{answer}");
        let (code, _, err) = Place::with_refusals("sometimes", vec![test("t1", &[])]).run("", options);
        assert!(
            code == Some(2) && err.contains("refusals: `sometimes` is none of error, never"),
            "{err}"
        );
    }
}

#[test]
fn failures_that_show_the_same_are_told_once() {
    let place = Place::with(3);
    let (code, out, _) = place.run("wrong", "--accelerated");
    let told = "\
3 tests fail: after press, expected off or dim, bright came
t1: fail: expected off or dim 1 to 2 time units after press; bright came at 1.5
  at 0        press?
  at 1.5      bright!
  the same: t2, t3
3 tests: 0 pass, 0 inconclusive, 3 fail
";
    assert_eq!((code, out.as_str()), (Some(1), told));
}

#[test]
fn what_is_allowed_but_off_the_way_is_inconclusive() {
    let place = Place::with(2);
    let (code, out, _) = place.run("off", "--accelerated");
    let told = "\
2 tests are inconclusive: after press, the system made off, which the specification allows; the test waits for dim
t1: inconclusive: the system made off at 1.5, which the specification allows; the test waits for dim
  at 0        press?
  at 1.5      off!
  the same: t2
2 tests: 0 pass, 2 inconclusive, 0 fail
";
    assert_eq!((code, out.as_str()), (Some(0), told));
    let (code, answer) = place.json("off", "--accelerated --strict");
    assert_eq!((code, &answer["inconclusive"]), (Some(1), &json!(2)));
}

/// `press?` at 0; then the tester does what `rules` say, and makes of outputs what `outputs` say; all others are not allowed.
fn test_then(id: &str, rules: &Value, outputs: &Value) -> Value {
    let mut test = test(id, &[]);
    test["nodes"][1]["rules"] = rules.clone();
    test["nodes"][1]["outputs"] = outputs.clone();
    test
}

#[test]
fn a_test_that_looks_for_a_fault_at_its_end_passes_where_the_fault_does_not_show() {
    let overdue = json!([{ "when": ["t == 2"], "verdict": "fail" }]);
    let quiet = json!([{ "when": ["t == 3"], "verdict": "inconclusive" }]);
    let press = json!([{ "when": ["t == 3"], "input": "press?", "then": [{ "verdict": "pass" }] }]);
    let dim = json!({ "output": "dim!", "verdict": "inconclusive" });
    let early = json!({ "output": "dim!", "when": ["t <= 1"], "verdict": "pass" });
    let bright = json!({ "output": "bright!", "next": 0 });
    let place = Place::of(vec![
        // Nothing leads on: an allowed output, and silence, are the best that a program can do.
        test_then("output", &overdue, &json!([dim])),
        test_then("silence", &quiet, &json!([dim])),
        // An output leads on, or the same one at another time, or an input that is still to come.
        test_then("elsewhere", &quiet, &json!([dim, bright])),
        test_then("otherwise", &quiet, &json!([early, dim, bright])),
        test_then("before", &press, &json!([dim])),
    ]);
    let unreached =
        |what: &str, waits: &str| format!("the system made {what}, which the specification allows; the test {waits}");
    let (dim, none) = ("dim at 1.5", "no output until 3");
    for (fault, said) in [
        (
            "",
            vec![
                None,
                None,
                Some(unreached(dim, "waits for bright")),
                Some(unreached(dim, "waits for bright or dim at another time")),
                Some(unreached(dim, "gives press later")),
            ],
        ),
        (
            "silent",
            vec![
                Some("expected dim after press; nothing came by 12".to_owned()),
                None,
                Some(unreached(none, "waits for bright")),
                Some(unreached(none, "waits for bright or dim")),
                None,
            ],
        ),
    ] {
        let (_, answer) = place.json(fault, "--accelerated");
        let runs = answer["runs"].as_array().expect("runs").iter();
        let found: Vec<Option<&str>> = runs.map(|run| run["why"].as_str().or(run["reason"].as_str())).collect();
        let said: Vec<Option<&str>> = said.iter().map(Option::as_deref).collect();
        assert_eq!(found, said, "{fault}");
    }
    let strict = |only: &str| place.json("", &format!("--accelerated --strict --only {only}"));
    let (code, answer) = strict("output,silence");
    assert_eq!((code, verdicts(&answer)), (Some(0), vec!["pass", "pass"]));
    let (code, answer) = strict("output,elsewhere");
    assert_eq!((code, verdicts(&answer)), (Some(1), vec!["pass", "inconclusive"]));
}

#[test]
fn a_program_that_does_not_start_ends_the_run() {
    let place = Place::with(9);
    let (code, out, err) = place.run("closed", "--accelerated");
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(
        err.contains("the program cannot be started (3 tries): crashed: it ended by itself (exit status: 1)"),
        "{err}"
    );
    assert!(err.contains("the port is taken"), "{err}");
    let (code, _, err) = place.run("mute", "--accelerated --start-patience 0.2");
    assert_eq!(code, Some(2));
    assert!(
        err.contains("cannot be started (3 tries): hangs: no `ready` within 0.2 s"),
        "{err}"
    );
}

#[test]
fn the_first_failure_ends_a_run_that_is_to_fail_fast() {
    let place = Place::with(9);
    let (code, answer) = place.json("third", "--accelerated --fail-fast");
    assert_eq!(code, Some(1));
    assert_eq!(verdicts(&answer), ["pass", "pass", "fail"]);
    assert_eq!((&answer["tests"], &answer["not_run"]), (&json!(9), &json!(6)));
    // A program that crashes is started anew for the next test, unless that is not wanted.
    let (code, answer) = place.json("raise", "--accelerated --only t1,t2,t3");
    assert_eq!((code, verdicts(&answer)), (Some(1), vec!["pass", "none", "pass"]));
    let (_, answer) = place.json("raise", "--accelerated --fail-fast");
    assert_eq!(verdicts(&answer), ["pass", "none"]);
}

#[test]
fn junit_says_what_the_text_says() {
    let place = Place::with(3);
    for (fault, options, expected) in [
        (
            "third",
            "",
            "failure fail expected off or dim 1 to 2 time units after press; dim came at 0.5",
        ),
        (
            "third",
            "--repeat 2",
            "failure unsteady 1 of 2 runs fails: expected off or dim 1 to 2 time units after press; dim came at 0.5",
        ),
        (
            "off",
            "",
            "skipped the system made off at 1.5, which the specification allows; the test waits for dim",
        ),
        (
            "off",
            "--strict",
            "failure inconclusive the system made off at 1.5, which the specification allows; the test waits for dim",
        ),
        (
            "raise",
            "",
            "error broken the program crashed: it ended by itself (exit status: 1)",
        ),
    ] {
        place.run(fault, &format!("--accelerated --junit j.xml {options}"));
        let text = fs::read_to_string(place.at("j.xml")).expect("written");
        let xml = roxmltree::Document::parse(&text).expect("XML");
        let said = xml.descendants().filter(|node| node.attribute("message").is_some());
        let said: Vec<String> = said
            .map(|node| {
                let words = [
                    Some(node.tag_name().name()),
                    node.attribute("type"),
                    node.attribute("message"),
                ];
                words.into_iter().flatten().collect::<Vec<_>>().join(" ")
            })
            .collect();
        assert!(said.iter().any(|said| said == expected), "{fault}: {said:?}");
    }
}

#[test]
fn a_plan_says_how_long_the_tests_take() {
    let place = Place::with(3);
    // Two time units each: `dim!` comes by 2.
    for (options, plan) in [
        ("--unit 50ms", "3 tests, about 0.3 s\n"),
        ("--unit 50ms --repeat 2", "3 tests, about 0.6 s\n"),
        ("--unit 50ms --only t2", "1 test, about 0.1 s\n"),
        ("--unit 50ms --jobs 2", "3 tests, about 0.3 s, 0.2 s with 2 jobs\n"),
        ("--accelerated", "3 tests\n"),
        ("--accelerated --quiet", ""),
    ] {
        let (code, _, err) = place.run("", &format!("{options} --tolerance 1/2"));
        let err: String = err
            .split_inclusive('\n')
            .filter(|line| !line.starts_with("note:"))
            .collect();
        assert_eq!((code, err.as_str()), (Some(0), plan), "{options}");
    }
}

/// Tests of 2, 6, 2 and 10 time units: per unit the first kills 3/2 mutants, the second 1, the third 1/2, which the first one
/// kills as well, the last 1/10.
fn choice() -> Place {
    Place::of(vec![
        test("a", &["1", "2", "3"]),
        test_at(4, "b", &["4", "5", "6", "7", "8", "9"]),
        test("c", &["3"]),
        test_at(8, "d", &["10"]),
    ])
}

#[test]
fn a_budget_chooses_the_tests_that_kill_most_in_its_time() {
    let place = choice();
    for (options, ids, plan) in [
        (
            "--budget 160ms",
            vec!["a", "b"],
            "2 of 4 tests: 9 of 10 kills, about 0.2 s",
        ),
        ("--budget 159ms", vec!["a"], "1 of 4 tests: 3 of 10 kills, about 0.0 s"),
        (
            "--budget 120ms --jobs 2",
            vec!["a", "b"],
            "2 of 4 tests: 9 of 10 kills, about 0.2 s, 0.1 s with 2 jobs",
        ),
        (
            "--budget 1s",
            vec!["a", "b", "d"],
            "3 of 4 tests: 10 of 10 kills, about 0.4 s",
        ),
        (
            "--budget 160ms --only b,c,d",
            vec!["b", "c"],
            "2 of 3 tests: 7 of 8 kills, about 0.2 s",
        ),
    ] {
        let options = format!("--unit 20ms --tolerance 2 {options}");
        let (_, out, err) = place.run("", &format!("{options} --format json"));
        let answer: Value = serde_json::from_str(&out).expect("JSON");
        let runs = answer["runs"].as_array().expect("runs").iter();
        let run: Vec<&str> = runs.filter_map(|run| run["test"].as_str()).collect();
        assert_eq!((run, err.lines().last()), (ids, Some(plan)), "{options}");
    }
    let (code, _, err) = place.run("", "--unit 20ms --budget 10ms");
    assert!(
        code == Some(2) && err.contains("the shortest takes about 0.04 s"),
        "{err}"
    );
    let (code, _, err) = Place::with(2).run("", "--budget 10s");
    assert!(code == Some(2) && err.contains("nothing to choose by"), "{err}");
}

/// The suite in `file` with every verdict `of` in the place `field` changed to `to`.
fn changed(file: &str, (field, of, to): (&str, &str, &str)) -> String {
    fn change(value: &mut Value, (field, of, to): (&str, &str, &str)) {
        match value {
            Value::Object(object) => {
                for (name, value) in object {
                    match name == field && value == of {
                        true => *value = json!(to),
                        false => change(value, (field, of, to)),
                    }
                }
            }
            Value::Array(values) => values.iter_mut().for_each(|value| change(value, (field, of, to))),
            _ => {}
        }
    }
    let mut suite: Value = serde_json::from_str(&fs::read_to_string(file).expect("a suite")).expect("JSON");
    change(&mut suite["tests"], (field, of, to));
    let path = format!("{file}.{to}");
    fs::write(&path, suite.to_string()).expect("written");
    path
}

/// The model of the lamp is where it was when the suite was made.
#[test]
fn the_specification_judges_what_was_seen_whatever_the_test_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let suite = crate::suites::programs_under_test::lamp::suite(folder.path(), "per-mutant");
    let lamp = crate::suites::programs_under_test::lamp::lamp().display().to_string();
    let judged = |answer: &Value| -> Vec<String> {
        let runs = answer["runs"].as_array().expect("runs").iter();
        runs.map(|run| run["judged"].as_str().unwrap_or("not").to_owned())
            .collect()
    };
    let run = |suite: &str, fault: &str| {
        crate::suites::programs_under_test::lamp::run(suite, &format!("{lamp} {fault}"), &["--accelerated"])
    };
    let (_, answer) = run(&suite, "");
    assert!(judged(&answer).iter().all(|ruling| ruling == "legal"), "{answer:#}");
    let (_, answer) = run(&suite, "--fault wrong-output");
    let runs = answer["runs"].as_array().expect("runs").iter();
    for (run, ruling) in runs.zip(judged(&answer)) {
        assert_eq!(run["verdict"] == "fail", ruling == "illegal", "{run}");
    }
    // Tests that let every output pass.
    let blind = changed(&suite, ("otherwise", "fail", "pass"));
    let (code, answer) = run(&blind, "--fault wrong-output");
    assert_eq!((code, &answer["differ"]), (Some(1), &json!(0)));
    let said = "by the specification, though the test does not see it: expected dim 1 to 2 time units after press; bright came at 1.5";
    assert_eq!(answer["runs"][0]["reason"], said, "{answer:#}");
    // A suite that is none of this model.
    let wrong = changed(&suite, ("verdict", "inconclusive", "fail"));
    let words = ["run", &wrong, "--sut", &lamp, "--accelerated"];
    let output = Command::new(env!("CARGO_BIN_EXE_tamper"))
        .args(words)
        .output()
        .expect("tamper runs");
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(
        out.contains("no verdict: test and judge differ: the specification allows what was seen"),
        "{out}"
    );
    assert!(err.contains("fails on the specification itself"), "{err}");
}

/// Waits until the file `name` has that many lines.
fn wait_for_lines(place: &Place, name: &str, n: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let lines = || fs::read_to_string(place.at(name)).map_or(0, |text| text.lines().count());
    while lines() < n {
        assert!(Instant::now() < deadline, "{name} has {} lines", lines());
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn an_interrupted_run_says_what_it_knows_and_goes_on() {
    let place = Place::with(20);
    let options = "--unit 100ms --tolerance 1 --results r.jsonl --junit j.xml";
    let run = place.command("", options);
    let mut command = Command::new("env");
    command
        .arg("--default-signal")
        .arg(run.get_program())
        .args(run.get_args());
    command.current_dir(place.folder.path());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("tamper runs");
    // The first line says what the run is.
    wait_for_lines(&place, "r.jsonl", 4);
    let sent = Command::new("kill")
        .args(["-s", "INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill is there").success());
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(130), "{err}");
    let lines = fs::read_to_string(place.at("r.jsonl")).expect("there");
    let done = lines.lines().count() - 1;
    assert!(lines.ends_with('\n') && (3..20).contains(&done), "{lines}");
    let not_run = 20 - done;
    assert_eq!(
        out,
        format!("20 tests: {done} pass, 0 inconclusive, 0 fail, {not_run} not run\n")
    );
    let on = "tamper run suite.json --sut 'exec python3 program.py ' --unit 100ms --tolerance 1 --results r.jsonl --junit j.xml --resume";
    assert!(
        err.contains(&format!("interrupted: {done} of 20 tests are done; go on with: {on}")),
        "{err}"
    );
    let junit = fs::read_to_string(place.at("j.xml")).expect("written");
    let junit = roxmltree::Document::parse(&junit).expect("whole");
    let cases = junit.descendants().filter(|node| node.has_tag_name("testcase"));
    assert_eq!(cases.count(), done);

    for (fault, options, named) in [
        ("", "--unit 50ms --tolerance 1", "unit_us"),
        ("", "--unit 100ms --tolerance 2", "tolerance"),
        ("off", "--unit 100ms --tolerance 1", "sut"),
        ("", "--accelerated --tolerance 1 --repeat 2", "repeat, unit_us"),
    ] {
        let (code, _, err) = place.run(fault, &format!("{options} --results r.jsonl --resume"));
        assert_eq!(code, Some(2), "{options}: {err}");
        assert!(
            err.contains(&format!("belongs to another run (options: {named})")),
            "{err}"
        );
    }
    let (code, out, err) = place.run("", &format!("{options} --resume"));
    assert_eq!(
        (code, out.as_str()),
        (Some(0), "20 tests: 20 pass, 0 inconclusive, 0 fail\n"),
        "{err}"
    );
    let lines = fs::read_to_string(place.at("r.jsonl")).expect("there");
    let mut tests: Vec<String> = lines
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<Value>(line).expect("whole")["test"].to_string())
        .collect();
    tests.sort();
    tests.dedup();
    assert_eq!((tests.len(), lines.lines().count()), (20, 21));
}

#[test]
fn results_say_exactly_what_was_seen_and_are_kept() {
    let place = Place::with(1);
    let run = |fault: &str| {
        place.run(fault, "--accelerated --results r.jsonl");
        let text = fs::read_to_string(place.at("r.jsonl")).expect("written");
        let lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        lines
    };
    let lines = run("early");
    let setting = &lines[0]["options"];
    assert_eq!(setting["format"], "tamper-run-results");
    assert_eq!(setting["sut"], "exec python3 program.py early");
    assert_eq!(
        (&setting["unit_us"], &setting["tolerance"]),
        (&Value::Null, &json!("0"))
    );
    assert_eq!(
        lines[1]["outcome"]["what"],
        "expected off or dim 1 to 2 time units after press; dim came at 0.5"
    );
    let log = json!([{ "at": "0", "input": "press?" }, { "at": "1/2", "output": "dim!" }]);
    assert_eq!(lines[1]["log"], log);
    // Gone on with, the text is the same.
    let (code, before, _) = place.run("early", "--accelerated");
    let (resumed, out, _) = place.run("early", "--accelerated --results r.jsonl --resume");
    assert_eq!((code, before), (resumed, out));
    run("");
    let old = fs::read_to_string(place.at("r.jsonl.old")).expect("kept");
    assert!(old.contains("program.py early"), "{old}");
    fs::write(place.at("thesis.tex"), "years of work").expect("written");
    let (code, _, err) = place.run("", "--accelerated --results thesis.tex");
    assert!(code == Some(2) && err.contains("choose another --results"), "{err}");
    assert_eq!(
        fs::read_to_string(place.at("thesis.tex")).expect("there"),
        "years of work"
    );
}

#[test]
fn the_time_of_a_run_may_be_up() {
    let place = Place::with(20);
    let (code, out, err) = place.run("", "--unit 200ms --tolerance 1 --total-timeout 1");
    assert_eq!(code, Some(3), "{err}");
    assert!(
        err.contains("the time is up (--total-timeout)") && out.contains("not run"),
        "{out}{err}"
    );
}

#[test]
fn programs_side_by_side_are_told_their_numbers() {
    let place = Place::with(8);
    let options = "--unit 100ms --tolerance 1";
    let (_, alone, _) = place.run("wrong", options);
    fs::remove_file(place.at("jobs")).expect("written");
    let started = Instant::now();
    let (code, together, err) = place.run("wrong", &format!("{options} --jobs 4"));
    assert_eq!(code, Some(1), "{err}");
    assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
    let mut jobs: Vec<String> = fs::read_to_string(place.at("jobs"))
        .expect("written")
        .lines()
        .map(str::to_owned)
        .collect();
    jobs.sort();
    assert_eq!(jobs, ["0", "1", "2", "3"]);
    // But for the times, which are those of a clock.
    let plain = |text: &str| {
        text.replace(
            |character: char| character.is_ascii_digit() || "./".contains(character),
            "",
        )
    };
    assert_eq!(plain(&alone), plain(&together));
}

#[test]
fn several_programs_behind_addresses_are_named() {
    let place = Place::with(2);
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamper"));
    let command = command.current_dir(place.folder.path()).args([
        "run",
        "suite.json",
        "--sut",
        "tcp://localhost:1",
        "--jobs",
        "2",
    ]);
    let output = command.output().expect("tamper runs");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        err.contains("name as many addresses behind tcp://, separated by commas"),
        "{err}"
    );
}

#[test]
fn what_a_program_says_of_its_end_is_shown_with_the_test() {
    let place = Place::with(3);
    let (code, out, err) = place.run("raise", "--accelerated --junit j.xml");
    assert_eq!(code, Some(1), "{err}");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        lines[0],
        "t2: no verdict: the program crashed: it ended by itself (exit status: 1)"
    );
    assert_eq!(lines[1], "  at 0        press?");
    assert!(lines.contains(&"  stderr: RuntimeError: the lamp is gone"), "{out}");
    assert_eq!(
        lines[lines.len() - 1],
        "3 tests: 2 pass, 0 inconclusive, 0 fail, 1 without a verdict"
    );
    let junit = fs::read_to_string(place.at("j.xml")).expect("written");
    assert!(junit.contains("stderr: RuntimeError: the lamp is gone"), "{junit}");
}

/// A correct program is not accused where tamper itself was stopped for longer than the tolerance.
#[cfg(unix)]
#[test]
fn a_tester_that_is_stopped_accuses_nobody() {
    let place = Place::with(10);
    let mut tamper = place.command("", "--unit 200ms --tolerance 2/5 --format json");
    let child = tamper
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tamper runs");
    let send = |signal: &str| {
        let words = ["-s", signal, &child.id().to_string()];
        let sent = Command::new("kill").args(words).status();
        assert!(sent.expect("kill is there").success());
    };
    for _ in 0..3 {
        std::thread::sleep(Duration::from_millis(350));
        send("STOP");
        std::thread::sleep(Duration::from_millis(400));
        send("CONT");
    }
    let output = child.wait_with_output().expect("it ends");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(output.status.code(), Some(0), "{answer:#}");
    assert_eq!(answer["pass"], 10, "{answer:#}");
}
