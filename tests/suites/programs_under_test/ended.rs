//! Whatever ends tamper, the program under test and all that it started end as well.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::suites::commands::json;

/// How long processes may take to come and to go.
const PATIENCE: Duration = Duration::from_secs(20);

/// A program that says nothing and starts others: in its group, in a session of their own, without a parent, and one that
/// heeds no signal. All have `mark` among their words.
fn hanging(folder: &Path, mark: &str) -> String {
    let script = folder.join("hang.sh");
    let text = "\
sleep $1 &
setsid sleep $1 &
(setsid sh -c '(sleep $0 &) & sleep $0' $1 &)
(trap '' INT TERM HUP; exec setsid nohup sleep $1 >/dev/null 2>&1) &
exec sleep $1
";
    std::fs::write(&script, text).expect("the folder is there");
    format!("exec sh {} {mark}", script.display())
}

/// The processes that have `mark` as a word, ended ones left out.
fn alive(mark: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").expect("Linux");
    let line = |entry: std::fs::DirEntry| -> Option<String> {
        let words = std::fs::read(entry.path().join("cmdline")).ok()?;
        let words: Vec<String> = words
            .split(|byte| *byte == 0)
            .map(|word| String::from_utf8_lossy(word).into_owned())
            .collect();
        let is_meant = words[0].contains("sleep") && words.iter().any(|word| word == mark);
        is_meant.then(|| format!("{}: {}", entry.file_name().to_string_lossy(), words.join(" ")))
    };
    entries.filter_map(|entry| line(entry.ok()?)).collect()
}

fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// tamper with the program, once all its processes are there. Signals that this process ignores, tamper is to heed.
fn started(folder: &Path, mark: &str) -> Child {
    let program = hanging(folder, mark);
    let mut tamper = Command::new("env");
    tamper
        .args([
            "--default-signal",
            env!("CARGO_BIN_EXE_tamper"),
            "run",
            "suite.json",
            "--patience",
            "600",
            "--sut",
        ])
        .arg(program)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut tamper = tamper.spawn().expect("tamper runs");
    wait_for("all processes start", || {
        assert!(tamper.try_wait().expect("it is a child").is_none(), "tamper has ended");
        alive(mark).len() >= 6
    });
    tamper
}

fn suite(folder: &Path) {
    let lamp = format!("{}/uppaal-models/lamp.xml", env!("CARGO_MANIFEST_DIR"));
    json(folder, &format!("testgen {lamp} --operators TMI --out suite.json"), 0);
}

#[test]
fn nothing_that_the_program_started_outlives_tamper() {
    let folder = tempfile::tempdir().expect("a folder");
    suite(folder.path());
    for (number, signal) in ["INT", "TERM", "HUP", "KILL"].into_iter().enumerate() {
        let mark = format!("{}.{number}", 100_000 + std::process::id());
        let mut tamper = started(folder.path(), &mark);
        let sent = Command::new("kill")
            .args(["-s", signal, &tamper.id().to_string()])
            .status()
            .expect("kill is there");
        assert!(sent.success());
        tamper.wait().expect("it ends");
        wait_for(&format!("after {signal} no process is left"), || {
            alive(&mark).is_empty()
        });
    }
}

#[test]
fn nothing_that_the_program_started_outlives_its_test() {
    let folder = tempfile::tempdir().expect("a folder");
    suite(folder.path());
    let mark = format!("{}.9", 100_000 + std::process::id());
    let program = hanging(folder.path(), &mark);
    let output = Command::new(env!("CARGO_BIN_EXE_tamper"))
        .args(["run", "suite.json", "--start-patience", "1", "--sut"])
        .arg(program)
        .current_dir(folder.path())
        .output()
        .expect("tamper runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("hangs: no `ready` within 1 s"), "{stderr}");
    assert_eq!(output.status.code(), Some(2));
    // tamper waits for them.
    assert_eq!(alive(&mark), [""; 0]);
}
