//! Mutants without a meaning: one class and one exit code whatever is asked, a line each, and the run in the record.

use std::fs;

use serde_json::Value;

use super::{example, json_of, tamper};

#[test]
fn an_invalid_mutant_is_one_class_in_every_command() {
    // Of ten mutants of the crossing some run leaves the range of an index; five of these also send what the original never
    // sends there, so that another play shows a difference, and makes a test.
    let cases = [
        ("ints-and-parameters.xml", "--template Three --operators all", 4),
        ("networks/crossing.xml", "--mutate all", 5),
    ];
    for (model, options, n_invalid) in cases {
        let folder = tempfile::tempdir().unwrap();
        let (run, suite) = (folder.path().join("run"), folder.path().join("s.json"));
        let command = |name: &str| {
            let command = tamper()
                .arg(name)
                .args(["--format", "json"])
                .args(options.split_whitespace());
            command.current_dir(folder.path())
        };
        let found = json_of(command("classify").arg(example(model)).arg("--out").arg(&run), 0);
        assert_eq!(found["total"]["invalid"], n_invalid, "{found}");
        let made = json_of(command("testgen").arg(example(model)).arg("--out").arg(&suite), 0);
        assert_eq!(made["invalid"], n_invalid, "{made}");
        let scored = json_of(command("score").arg(&suite).arg(example(model)), 0);
        let names = |list: &Value| -> Vec<String> {
            let ids = list.as_array().unwrap().iter();
            ids.map(|one| one["id"].as_str().unwrap().to_owned()).collect()
        };
        let listed = fs::read_to_string(run.join("invalid.txt")).unwrap();
        let untested = names(&scored["invalid"]);
        assert_eq!((listed.lines().count(), untested.len()), (n_invalid, n_invalid));
        assert!(
            listed.lines().all(|id| untested.iter().any(|known| known == id)),
            "{listed}"
        );
        assert_eq!(scored["unknown"].as_array().unwrap().len(), 0, "{scored}");
        let lines = tamper()
            .arg("score")
            .arg(&suite)
            .arg(example(model))
            .args(options.split_whitespace());
        let text = String::from_utf8(lines.assert().get_output().stdout.clone()).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("invalid: ")).collect();
        assert_eq!(lines.len(), untested.len(), "{text}");
        for (line, id) in lines.iter().zip(untested) {
            assert!(
                line.starts_with(&format!("invalid: {id}: ")) && !line.ends_with(':'),
                "{line}"
            );
        }
    }
}

/// Of a network the run that gets there is known.
#[test]
fn the_record_of_an_invalid_mutant_tells_a_run_that_gets_there() {
    let folder = tempfile::tempdir().unwrap();
    let command = tamper().arg("classify").arg(example("networks/crossing.xml"));
    let run = folder.path().join("run");
    json_of(
        command.args(["--mutate", "all", "--format", "json", "--out"]).arg(&run),
        0,
    );
    let records = fs::read_to_string(run.join("mutants.jsonl")).unwrap();
    let records = records.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut n_runs = 0;
    for record in records.filter(|record| record["verdict"] == "invalid") {
        let reason = record["reason"].as_str().unwrap();
        let (what, steps) = reason.split_once("; a run that gets there:").expect("a run");
        assert!(what.contains("is not in ["), "{reason}");
        n_runs += usize::from(steps.lines().count() > 2);
    }
    assert!(n_runs > 0);
}

#[test]
fn operators_that_networks_have_not_are_refused_by_every_command() {
    let folder = tempfile::tempdir().unwrap();
    for words in ["classify --out run", "testgen --out s.json", "export --out e"] {
        let (name, options) = words.split_once(' ').unwrap();
        let command = tamper()
            .arg(name)
            .arg(example("networks/crossing.xml"))
            .args(options.split_whitespace());
        let command = command
            .args(["--mutate", "all", "--operators", "TMI,CAC"])
            .current_dir(folder.path());
        let output = command.assert().code(2);
        let message = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(
            message.contains("CAC changes who takes part in steps: it is for a single game"),
            "{words}: {message}"
        );
    }
}

/// Where a lone game has an error it is read as nothing; who wrote it has never heard of networks.
#[test]
fn errors_of_a_lone_game_say_nothing_of_networks() {
    let folder = tempfile::tempdir().unwrap();
    let model = fs::read_to_string(example("lamp.xml")).unwrap();
    let wrong = folder.path().join("wrong.xml");
    fs::write(&wrong, model.replacen("x&lt;=2", "x&lt;=nobody", 1)).unwrap();
    let told = tamper().arg("check").arg(&wrong).assert().code(2);
    let said = String::from_utf8(told.get_output().stderr.clone()).unwrap();
    assert!(said.contains("`nobody`") && !said.contains("network"), "{said}");
}
