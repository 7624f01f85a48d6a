//! A real program under test: the lamp of `examples/lamp`, correct and with each of its faults.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The program, which cargo builds with the tests.
pub fn lamp() -> PathBuf {
    let test = std::env::current_exe().expect("the test has a path");
    let built = test.parent().and_then(Path::parent).expect("it is in target/*/deps");
    let lamp = built.join(format!("lamp{}", std::env::consts::EXE_SUFFIX));
    assert!(lamp.is_file(), "no {}: `cargo build -p lamp` makes it", lamp.display());
    lamp
}

fn tamper(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamper"));
    command.args(words).output().expect("tamper runs")
}

/// A suite for the lamp's model in `folder`, with default options: its path. The lamp acts in the middle of what its model
/// allows, and the tests follow it there.
pub fn suite(folder: &Path, strategy: &str) -> String {
    suite_with(folder, &["--strategy", strategy])
}

/// A suite for the lamp's model in `folder`: its path.
fn suite_with(folder: &Path, options: &[&str]) -> String {
    let model: PathBuf = [env!("CARGO_MANIFEST_DIR"), "uppaal-models", "lamp.xml"]
        .iter()
        .collect();
    let out = folder.join("suite.json").display().to_string();
    let model = model.display().to_string();
    let made = tamper(&[&["testgen", &model, "--out", &out], options].concat());
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    out
}

/// Runs the suite against a command with these options: the exit code and the answer.
pub fn run(suite: &str, sut: &str, options: &[&str]) -> (Option<i32>, Value) {
    let output = tamper(&[&["run", suite, "--sut", sut, "--format", "json"], options].concat());
    let answer = serde_json::from_slice(&output.stdout);
    let answer = answer.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code(), answer)
}

/// What is said of the tests without a verdict.
fn broken(answer: &Value) -> Vec<&str> {
    let runs = answer["runs"].as_array().expect("runs");
    runs.iter().filter_map(|run| run["broken"].as_str()).collect()
}

fn faults() -> Vec<String> {
    let listed = Command::new(lamp()).arg("--faults").output().expect("the lamp runs");
    String::from_utf8_lossy(&listed.stdout)
        .lines()
        .map(str::to_owned)
        .collect()
}

#[test]
fn adaptive_tests_see_each_fault_and_none_in_the_correct_lamp() {
    let model: PathBuf = [env!("CARGO_MANIFEST_DIR"), "uppaal-models", "lamp.xml"]
        .iter()
        .collect();
    let model = model.display().to_string();
    let lamp = lamp().display().to_string();
    let adaptive = |sut: &str| {
        let words = [
            "run",
            "--strategy",
            "adaptive",
            "--model",
            &model,
            "--sut",
            sut,
            "--accelerated",
        ];
        tamper(&[&words[..], &["--patience", "0.3"]].concat())
    };
    let right = adaptive(&lamp);
    assert_eq!(right.status.code(), Some(0), "{right:?}");
    let said = String::from_utf8_lossy(&right.stderr);
    assert!(said.contains("the tests came to where"), "{said}");
    for fault in faults() {
        let wrong = adaptive(&format!("{lamp} --fault {fault}"));
        assert_eq!(wrong.status.code(), Some(1), "{fault}: {wrong:?}");
    }
}

#[test]
fn in_accelerated_time_the_correct_lamp_passes_and_each_fault_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(folder.path(), "per-mutant");
    let lamp = lamp().display().to_string();
    let (code, answer) = run(&suite, &lamp, &["--accelerated", "--strict"]);
    // A correct lamp passes every test, also those that look for an output that is forbidden.
    assert_eq!((code, &answer["pass"]), (Some(0), &answer["tests"]), "{answer:#}");
    assert_ne!(answer["pass"], 0);
    for fault in faults() {
        let sut = format!("{lamp} --fault {fault}");
        let (code, answer) = run(&suite, &sut, &["--accelerated", "--patience", "0.3"]);
        assert_eq!(code, Some(1), "{fault}");
        let broken = broken(&answer);
        let said = match fault.as_str() {
            "hang" => "the program hangs: no `ok` within 0.3 s",
            "crash" => "the program crashed: it ended by itself (exit status: 3)",
            "babble" => "the program said `output dim` where `ok` was awaited",
            _ => {
                assert!(broken.is_empty(), "{fault}: {broken:?}");
                assert_ne!(answer["fail"], 0, "{fault}");
                let runs = answer["runs"].as_array().expect("the tests");
                for run in runs.iter().filter(|run| run["verdict"] == "fail") {
                    let reason = run["reason"].as_str().unwrap_or_default();
                    let says = ["came", "refused"].iter().any(|word| reason.contains(word));
                    assert!(reason.starts_with("expected ") && says, "{fault}: {reason}");
                    assert!(run["purpose"].as_array().is_some_and(|ids| !ids.is_empty()), "{run}");
                }
                continue;
            }
        };
        assert!(
            !broken.is_empty() && broken.iter().all(|what| *what == said),
            "{fault}: {broken:?}"
        );
    }
}

#[test]
fn in_real_time_the_tolerance_decides_what_is_too_late() {
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(folder.path(), "minimal");
    let lamp = lamp().display().to_string();
    // A unit of 60 ms: the machine may be a whole unit late.
    let real = ["--unit", "60ms", "--tolerance", "1"];
    let (code, answer) = run(&suite, &lamp, &real);
    assert_eq!(code, Some(0), "{answer:#}");
    for fault in ["wrong-output", "no-auto-off"] {
        let (code, answer) = run(&suite, &format!("{lamp} --fault {fault}"), &real);
        assert_eq!((code, &answer["broken"]), (Some(1), &0.into()), "{fault}: {answer:#}");
    }
    // Half a unit late is seen without a tolerance, and forgiven with one where no input is given at the very edge of what
    // the lamp distinguishes.
    let options = ["--strategy", "minimal", "--kill", "potential", "--delays", "middle"];
    let suite = suite_with(folder.path(), &options);
    let late = format!("{lamp} --fault late-dim");
    assert_eq!(run(&suite, &late, &["--accelerated"]).0, Some(1));
    assert_eq!(run(&suite, &late, &["--accelerated", "--tolerance", "1/2"]).0, Some(0));
}

/// Faults that are wrong behaviour, not a program that cannot be tested.
fn wrong_behaviours() -> Vec<String> {
    let cannot_be_tested = ["hang", "crash", "babble"];
    let faults = faults().into_iter();
    faults
        .filter(|fault| !cannot_be_tested.contains(&fault.as_str()))
        .collect()
}

#[test]
fn in_real_time_each_fault_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    // Not at the edges of what the model distinguishes: the tolerance forgives what is done there.
    let options = ["--strategy", "minimal", "--kill", "potential", "--delays", "middle"];
    let suite = suite_with(folder.path(), &options);
    // The runs only wait, so they do not disturb each other.
    std::thread::scope(|scope| {
        for fault in wrong_behaviours() {
            let sut = format!("{} --fault {fault}", lamp().display());
            let suite = &suite;
            scope.spawn(move || {
                let (code, answer) = run(suite, &sut, &["--unit", "100ms", "--tolerance", "2/5"]);
                assert_eq!((code, &answer["broken"]), (Some(1), &0.into()), "{fault}: {answer:#}");
            });
        }
    });
}

#[test]
fn a_lamp_that_listens_is_tested_over_tcp() {
    use std::io::BufRead as _;
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(folder.path(), "minimal");
    let mut child = Command::new(lamp())
        .args(["--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the lamp runs");
    let mut line = String::new();
    let stdout = child.stdout.take().expect("it is piped");
    std::io::BufReader::new(stdout)
        .read_line(&mut line)
        .expect("it says where");
    let address = line
        .trim()
        .strip_prefix("listening on ")
        .expect("it listens")
        .to_owned();
    let (code, answer) = run(&suite, &format!("tcp://{address}"), &["--accelerated"]);
    child.kill().expect("it is alive");
    child.wait().expect("it ends");
    assert_eq!(code, Some(0), "{answer:#}");
}
