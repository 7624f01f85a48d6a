//! Inputs that fill stack, memory or time: rows of the regressions page.

use std::process::Command;
use std::time::{Duration, Instant};

use super::Place;
use super::hostile_inputs::inputs;

/// Most kilobytes that a command may take, address space included.
const MEMORY: u64 = 3_000_000;
/// What each command must end in; its own limit is 2 seconds, and the build may be slow.
const SOON: Duration = Duration::from_secs(20);

/// Runs tamper with little memory; what is wrong with how it ends.
fn fault(place: &Place, words: &str) -> Option<String> {
    let started = Instant::now();
    let output = Command::new("bash")
        .current_dir(place.folder.path())
        .args(["-c", &format!("ulimit -v {MEMORY}; ulimit -c 0; exec \"$@\""), "bash"])
        .arg(env!("CARGO_BIN_EXE_tamper"))
        .args(["--quiet", "--threads", "2"])
        .args(words.split_whitespace())
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    let late = started.elapsed() > SOON;
    let silent = output.status.code() == Some(2) && message.trim().is_empty();
    let ends = matches!(output.status.code(), Some(0..=3));
    let last: String = message.lines().last().unwrap_or_default().chars().take(120).collect();
    (late || silent || !ends).then(|| format!("{words}: {} after {:?}: {last}", output.status, started.elapsed()))
}

/// Chains of `TAMPER_DEPTH` links, nests of an eighth of that, and what doubles.
#[test]
fn hostile() {
    let depth = std::env::var("TAMPER_DEPTH").map_or(30_000, |depth| depth.parse().unwrap());
    let place = Place::new();
    let mut faults = Vec::new();
    let inputs = inputs(depth);
    for (name, text, words) in &inputs {
        std::fs::write(place.at(name), text).unwrap();
        let limits = if words.starts_with("features") {
            ""
        } else {
            "--timeout 2 --max-memory 800M"
        };
        faults.extend(fault(&place, &format!("{} {limits}", words.replace('F', name))));
    }
    println!(
        "depth {depth}: {} of {} hostile inputs end well",
        inputs.len() - faults.len(),
        inputs.len()
    );
    assert_eq!(faults, [""; 0]);
}

/// Files that never end, of every kind that is read as a whole or by lines.
#[cfg(unix)]
#[test]
fn endless_files() {
    let place = Place::with(&["layers/family_slow6.xml"]);
    let mut faults = Vec::new();
    for (ending, words) in [
        ("xml", "check F"),
        ("xta", "check F"),
        ("tck", "check F"),
        ("json", "check F"),
        ("smv", "check F"),
        ("btor2", "check F"),
        ("pl", "check F"),
        ("fsm", "coverage F --complete"),
        ("efsm", "coverage F --complete"),
        ("scxml", "coverage F --complete"),
        ("dot", "coverage F --complete"),
        ("uvl", "features F"),
        ("dimacs", "features F"),
    ] {
        let name = format!("zero.{ending}");
        std::os::unix::fs::symlink("/dev/zero", place.at(&name)).unwrap();
        faults.extend(fault(&place, &words.replace('F', &name)));
    }
    place.text("classify family_slow6.xml --operators TAD --out run", 0);
    for (name, words) in [
        (
            "mutants.jsonl",
            "export family_slow6.xml --mutants run --as uppaal --out exported",
        ),
        (
            "manifest.json",
            "classify family_slow6.xml --operators TAD --out run --resume",
        ),
    ] {
        let path = place.at("run").join(name);
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("/dev/zero", path).unwrap();
        faults.extend(fault(&place, words));
    }
    assert_eq!(faults, [""; 0]);
}

/// Ignored outputs and an invariant of six bounds: the default engine cut all of a location's points by each bound again and
/// again. The verdicts are those of the engine that plays each mutant on its own.
#[test]
fn family_slow6() {
    let place = Place::with(&["layers/family_slow6.xml"]);
    for engine in ["family", "enumerate"] {
        let words = "classify family_slow6.xml --semantics tiga --operators TAD --total-timeout 30";
        place.text(&format!("{words} --engine {engine} --out {engine}"), 0);
    }
    let records = |engine: &str| std::fs::read_to_string(place.at(engine).join("mutants.jsonl")).unwrap();
    assert_eq!(records("family").lines().count(), 8);
    assert_eq!(records("family"), records("enumerate"));
}
