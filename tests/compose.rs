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
    let output = tamper(&[
        "refine",
        file.to_str().unwrap(),
        "System",
        "System",
        "--right-file",
        one,
    ]);
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
