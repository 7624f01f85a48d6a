//! What commands say of single games, of networks as well.

use std::fs;
use std::path::Path;

use serde_json::Value;
use snapbox::cmd::Command;

use super::{example, json_of, message_of, tamper};

const MODEL: &str = "networks/car-alarm.xml";

fn command(folder: &Path, name: &str, words: &str) -> Command {
    let command = tamper().arg(name).arg(example(MODEL)).current_dir(folder);
    command.args(words.split_whitespace())
}

#[test]
fn verdicts_are_verified_and_a_wrong_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let all = "--mutate all --out run --verify 1000";
    let value = json_of(command(folder.path(), "classify", all).args(["--format", "json"]), 0);
    let verified = &value["verified"];
    assert_eq!(verified["differences"], serde_json::json!([]), "{value}");
    let ways = verified["ways"].as_object().unwrap().values();
    assert_eq!(ways.map(|n| n.as_u64().unwrap()).sum::<u64>(), 569, "{value}");
    // A record that says "subsumed" of a mutant that is non-subsumed, as an error of tamper would.
    let path = folder.path().join("run/mutants.jsonl");
    let records = fs::read_to_string(&path).unwrap();
    let (wrong, right) = ("\"verdict\":\"subsumed\"", "\"verdict\":\"non-subsumed\"");
    let line = records.lines().find(|line| line.contains(right)).unwrap();
    let record: Value = serde_json::from_str(line).unwrap();
    fs::write(&path, records.replacen(line, &line.replace(right, wrong), 1)).unwrap();
    let again = command(folder.path(), "classify", &format!("{all} --resume"));
    let said = format!("error: {}: subsumed, decided by", record["id"].as_str().unwrap());
    let message = message_of(again, 1);
    assert!(message.contains(&said), "{message}");
}

/// Shares of an export put together are the export of all, byte for byte.
#[test]
fn mutants_are_exported_in_shares() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, words: &str| command(folder.path(), name, words).assert().code(0);
    run("classify", "--mutate all --out run");
    let keep = "--run run --keep verdict==non-subsumed --out";
    for share in ["1", "2", "3"] {
        run("export", &format!("{keep} part{share} --shard {share}/3"));
    }
    run("export", &format!("{keep} whole"));
    let merge = tamper().arg("merge").current_dir(folder.path());
    merge
        .args(["part2", "part3", "part1", "--out", "merged"])
        .assert()
        .code(0);
    let index = |of: &str| fs::read_to_string(folder.path().join(of).join("index.jsonl")).unwrap();
    assert_eq!(index("merged"), index("whole"));
    assert_eq!(index("whole").lines().count(), 254);
    for line in index("whole").lines() {
        let file = serde_json::from_str::<Value>(line).unwrap()["file"].clone();
        let text = |of: &str| fs::read(folder.path().join(of).join(file.as_str().unwrap())).unwrap();
        assert!(text("merged") == text("whole"), "{line}");
    }
}

/// The composition is a game: it is drawn, and its mutants are one featured model; what it has no file for is refused as such.
#[test]
fn a_composition_is_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, words: &str| command(folder.path(), name, words).assert().code(0);
    run("draw", "--network --out one.svg");
    let picture = fs::read_to_string(folder.path().join("one.svg")).unwrap();
    assert!(picture.contains("OpenUnlocked"), "{picture}");
    run("fmm", "--network --out family");
    run("export", "--network --as tchecker --out mutants");
    assert!(folder.path().join("mutants/original.tck").is_file());
    for (name, words, said) in [
        (
            "export",
            "--network --as uppaal --out no",
            "`tamper compose` writes it as a file of its own",
        ),
        (
            "classify",
            "--mutate all --template Alarm --out no",
            "has no meaning for mutants of a network",
        ),
        (
            "classify",
            "--mutate all --order 2 --out no",
            "--order has no meaning for mutants of a network",
        ),
    ] {
        let message = message_of(command(folder.path(), name, words), 2);
        assert!(message.contains(said), "{words}: {message}");
        assert!(!folder.path().join("no").exists(), "{words}");
    }
}
