//! The page about the protocol: its adapter is a program that passes its model's tests, and its conversation is what is said.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// What tamper answers as JSON, and its exit code.
fn tamper(words: &[&str]) -> (Option<i32>, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamper"));
    let output = command
        .args(words)
        .args(["--format", "json"])
        .output()
        .expect("tamper runs");
    let answer = serde_json::from_slice(&output.stdout);
    let answer = answer.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code(), answer)
}

/// The only block of the page in this language.
fn block(language: &str) -> String {
    let page: PathBuf = [env!("CARGO_MANIFEST_DIR"), "docs", "book", "src", "sut-protocol.md"]
        .iter()
        .collect();
    let page = std::fs::read_to_string(page).expect("the page is there");
    let mut blocks = page.split("```").skip(1).step_by(2);
    let found = blocks.find_map(|block| block.strip_prefix(&format!("{language}\n")));
    found.expect("the page has it").to_owned()
}

/// The adapter of the page, which is the one that `tamper new-adapter python --real` prints, as a command.
fn adapter(folder: &Path) -> String {
    let path = folder.join("washer.py");
    let printed = Command::new(env!("CARGO_BIN_EXE_tamper"))
        .args(["new-adapter", "python", "--real"])
        .output()
        .expect("tamper runs");
    assert_eq!(String::from_utf8_lossy(&printed.stdout), block("python"));
    std::fs::write(&path, printed.stdout).expect("the folder is there");
    format!("python3 {}", path.display())
}

#[test]
fn the_adapter_of_the_page_passes_and_a_slow_one_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let model: PathBuf = [env!("CARGO_MANIFEST_DIR"), "examples", "adapters", "washer.xml"]
        .iter()
        .collect();
    let suite = folder.path().join("suite.json").display().to_string();
    let (code, made) = tamper(&["testgen", &model.display().to_string(), "--out", &suite]);
    assert_eq!(code, Some(0), "{made}");
    let right = adapter(folder.path());
    let slow = folder.path().join("slow.py");
    // Half as fast: it is full after 6 units, not 5.
    std::fs::write(&slow, block("python").replace("/ 1e6", "/ 5e5")).expect("the folder is there");
    let slow = format!("python3 {}", slow.display());
    let run = |sut: &str| tamper(&["run", &suite, "--sut", sut, "--unit", "100ms", "--tolerance", "1/2"]);
    let (code, answer) = run(&right);
    assert_eq!(
        (code, &answer["fail"], &answer["broken"]),
        (Some(0), &0.into(), &0.into()),
        "{answer:#}"
    );
    let (code, answer) = run(&slow);
    assert_eq!(code, Some(1), "{answer:#}");
}

#[test]
fn the_conversation_of_the_page_takes_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = Command::new("sh")
        .args(["-c", &adapter(folder.path())])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python runs");
    let mut tester = child.stdin.take().expect("it is piped");
    let mut said = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let conversation = block("text");
    let mut start = Instant::now();
    let mut n_lines = 0;
    for line in conversation.lines() {
        let (at, line) = line.split_at(6);
        let (who, line) = line.split_once(' ').expect("who says it");
        let at: Option<f64> = at.trim().parse().ok();
        let due = start + Duration::from_secs_f64(at.unwrap_or(0.0));
        if who == "tester" {
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            writeln!(tester, "{}", line.trim()).expect("it listens");
        } else {
            assert_eq!(said.next().expect("it answers").expect("a line"), line.trim());
            if at == Some(0.0) {
                start = Instant::now();
            } else if at.is_some() {
                // As early as it says, and not much later on a busy machine.
                let off = Instant::now().duration_since(start).as_secs_f64() - at.unwrap_or(0.0);
                assert!((-0.05..1.0).contains(&off), "{line}: {off}");
            }
        }
        n_lines += 1;
    }
    assert_eq!(n_lines, 9);
    assert!(child.wait().expect("it ends").success());
}
