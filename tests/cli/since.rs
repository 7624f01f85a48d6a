//! A run after an edit of the model, which tries the counterexamples of the run before it.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{Classify, message_of, study, tamper};

const WORDS: &str = "--semantics tiga --witness --verify 40";

/// The records without the words of their counterexamples.
fn bare(run: &Classify) -> Vec<Value> {
    let text = run.read("mutants.jsonl");
    let record = |line: &str| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        record["witness"] = record["witness"].is_string().into();
        record
    };
    text.lines().map(record).collect()
}

/// What the run says about the counterexamples: how many there are, were tried, and held.
fn numbers(message: &str) -> [u64; 3] {
    let line = message.lines().find(|line| line.starts_with("--since: "));
    let words = line.unwrap_or_else(|| panic!("{message}")).split([' ', ',']);
    let numbers: Vec<u64> = words.filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().unwrap_or_else(|_| panic!("{message}"))
}

fn command(run: &Classify, model: &Path, words: &str) -> snapbox::cmd::Command {
    let command = tamper().arg("classify").arg(model).arg("--out").arg(run.out());
    command.args(words.split_whitespace())
}

#[test]
fn after_an_edit_the_records_are_those_of_a_whole_run() {
    let (before, whole, since) = (Classify::new(), Classify::new(), Classify::new());
    before.command("wfas", WORDS).assert().code(0);
    let n_shown = bare(&before).iter().filter(|record| record["witness"] == true).count() as u64;
    let model = fs::read_to_string(study("wfas")).unwrap();
    let edited = before.folder.path().join("edited.xml");
    let words = format!("{WORDS} --since {}", before.out().display());
    for (from, to) in [("", ""), ("x&lt;=2", "x&lt;=3")] {
        assert!(model.contains(from));
        fs::write(&edited, model.replacen(from, to, 1)).unwrap();
        command(&whole, &edited, WORDS).assert().code(0);
        let [all, tried, held] = numbers(&message_of(command(&since, &edited, &words), 0));
        assert_eq!(all, n_shown);
        assert!(held > 0 && held <= tried && tried <= all);
        if from.is_empty() {
            assert_eq!(held, tried, "nothing was changed");
        }
        assert!(bare(&since) == bare(&whole));
        assert_eq!(since.read("summary.json"), whole.read("summary.json"));
    }
    // Gone on with, to the same bytes; not with another run's counterexamples.
    let records = since.read("mutants.jsonl");
    fs::write(since.out().join("mutants.jsonl"), &records[..records.len() / 2]).unwrap();
    command(&since, &edited, &format!("{words} --resume")).assert().code(0);
    assert_eq!(since.read("mutants.jsonl"), records);
    let other = format!("{WORDS} --since {} --resume", whole.out().display());
    let message = message_of(command(&since, &edited, &other), 2);
    assert!(message.contains("other parameters (since)"), "{message}");
}

#[test]
fn what_has_no_counterexamples_gives_none() {
    let (before, run) = (Classify::new(), Classify::new());
    let since = |words: &str| format!("{words} --since {}", before.out().display());
    let message = message_of(run.command("mutex", &since("--witness")), 2);
    assert!(message.contains("there is no run in"), "{message}");
    before.command("mutex", "").assert().code(0);
    let message = message_of(run.command("mutex", &since("")), 2);
    assert!(message.contains("--witness"), "{message}");
    let message = message_of(run.command("mutex", &since("--witness")), 0);
    assert!(message.contains("that run has no counterexamples"), "{message}");
    fs::write(before.out().join("mutants.jsonl"), "{}\n").unwrap();
    let message = message_of(run.command("mutex", &since("--witness")), 2);
    assert!(
        message.contains("line 1 of") && message.contains("is no record"),
        "{message}"
    );
}
