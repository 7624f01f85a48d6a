//! `tamper coverage` of timed games as it is typed.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::suites::commands::{json, number, study, tamper};

/// A number that is written as text.
pub fn count(answer: &Value, name: &str) -> u128 {
    let text = answer["counts"][name]
        .as_str()
        .unwrap_or_else(|| panic!("{name} in {answer}"));
    text.parse().expect("a number")
}

fn written(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn the_numbers_of_single_mutations_are_those_of_testgen_and_score() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for name in ["hotel", "mutex", "wfas"] {
        let model = study(name);
        let model = model.display();
        let made = json(at, &format!("testgen {model} --kill potential --out {name}.json"), 0);
        let as_it_can = json(at, &format!("testgen {model} --out {name}-all.json"), 0);
        let [definite, potential] = ["definite", "potential"].map(|kind| u128::from(number(&as_it_can, kind)));
        let coverage = format!("coverage {model} {name}.json --order 1 --show count");
        let answer = json(at, &coverage, 0);
        assert_eq!(
            (&answer["verdict"], &answer["kill"]),
            (&"complete".into(), &"potential".into())
        );
        assert_eq!(number(&answer, "given_tests"), number(&made, "tests"));
        // The original is a product that conforms.
        assert_eq!(count(&answer, "products"), u128::from(number(&made, "mutants")) + 1);
        assert_eq!(count(&answer, "conforming"), u128::from(number(&made, "none")) + 1);
        assert_eq!(count(&answer, "killed"), definite + potential);
        assert_eq!(count(&answer, "undetected"), 0);

        let scored = tamper(at, &format!("score {name}.json {model} --kill definite --format json"));
        let scored: Value = serde_json::from_slice(&scored.stdout).unwrap();
        let killed_definitely = u128::from(number(&scored, "killed"));
        assert_eq!(count(&answer, "killed_definitely"), killed_definitely, "{name}");
        let code = i32::from(killed_definitely < definite);
        let answer = json(at, &format!("{coverage} --kill definite"), code);
        assert_eq!(count(&answer, "killed_definitely"), killed_definitely);
        assert_eq!(count(&answer, "killed"), definite + potential);
        assert_eq!(count(&answer, "avoidable"), potential);
        assert_eq!(count(&answer, "undecided"), 0);
        assert_eq!(count(&answer, "undetected"), definite - killed_definitely);
    }
}

#[test]
fn where_diagrams_are_too_large_clauses_answer_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (at, wfas) = (folder.path(), study("wfas"));
    let wfas = wfas.display();
    let small = "--max-states 30000";
    // It is complete, but the numbers are not known.
    let answer = json(
        at,
        &format!("coverage {wfas} --suite complete --show count --out all.json {small}"),
        3,
    );
    assert_eq!(answer["verdict"], "complete");
    assert!(
        answer.get("killed_nodes").is_none() && number(&answer, "clauses") > 1_000,
        "{answer}"
    );
    assert_eq!(answer["not_counted_because"], "state budget (--max-states) hit");
    // Where clauses hit the limit as well, the tests that were found stay.
    let answer = json(
        at,
        &format!("coverage {wfas} --suite complete --out some.json --max-states 20000"),
        3,
    );
    assert_eq!(answer["verdict"], "unknown");
    assert!(number(&answer, "added_tests") > 0, "{answer}");
    // By diagrams the same suite misses nothing; without its last test, which was made for a product that the others miss, it
    // misses what a test kills.
    let answer = json(at, &format!("coverage {wfas} all.json"), 0);
    assert!(
        answer.get("clauses").is_none() && number(&answer, "killed_nodes") > 0,
        "{answer}"
    );
    let mut suite: Value = serde_json::from_slice(&written(at, "all.json")).unwrap();
    suite["tests"].as_array_mut().unwrap().pop();
    fs::write(at.join("part.json"), suite.to_string()).unwrap();
    let answer = json(at, &format!("coverage {wfas} part.json {small}"), 1);
    assert!(number(&answer, "clauses") > 1_000, "{answer}");
    assert!(!answer["escape"]["mutations"].as_array().unwrap().is_empty());
    let shown = tamper(at, &format!("coverage {wfas} part.json {small}"));
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("clauses about their runs"), "{shown}");
}

#[test]
fn what_escapes_is_shown_with_a_test_and_a_completed_suite_lets_nothing_escape() {
    let folder = tempfile::tempdir().unwrap();
    let (at, mutex) = (folder.path(), study("mutex"));
    let mutex = mutex.display();
    for kill in ["potential", "definite"] {
        let coverage = format!("coverage {mutex} --kill {kill}");
        let answer = json(at, &coverage, 1);
        assert_eq!(answer["verdict"], "incomplete");
        assert!(!answer["escape"]["mutations"].as_array().unwrap().is_empty());
        assert_eq!(answer["escape"]["killed_by"]["kill"], kill);
        let text = tamper(at, &coverage);
        let shown = String::from_utf8(text.stdout).unwrap();
        assert_eq!(text.status.code(), Some(1));
        let escaping = answer["escape"]["mutations"][0].as_str().unwrap();
        assert!(
            shown.starts_with("incomplete\nescapes ") && shown.contains(escaping),
            "{shown}"
        );

        let completed = json(
            at,
            &format!("{coverage} --suite complete --show count --out {kill}.json"),
            0,
        );
        assert_eq!(completed["verdict"], "complete");
        let killable = count(&completed, "undetected");
        let again = format!("coverage {mutex} {kill}.json --kill {kill} --show count");
        let answer = json(at, &again, 0);
        assert_eq!(number(&answer, "given_tests"), number(&completed, "added_tests"));
        let killed = match kill {
            "potential" => "killed",
            _ => "killed_definitely",
        };
        assert_eq!((count(&answer, killed), count(&answer, "undetected")), (killable, 0));
        let text = String::from_utf8(tamper(at, &again).stdout).unwrap();
        assert!(
            text.starts_with("complete\n") && text.contains("score       100.0000 %"),
            "{text}"
        );
    }
    // What can be killed definitely can be killed potentially, and is not all of it.
    let answer = json(
        at,
        &format!("coverage {mutex} potential.json --kill definite --show count"),
        1,
    );
    let shown = count(&answer, "killed");
    assert_eq!(shown + count(&answer, "conforming"), count(&answer, "products"));
    assert_eq!(
        count(&answer, "killed_definitely") + count(&answer, "undetected") + count(&answer, "avoidable"),
        shown
    );
}

#[test]
fn a_limit_that_is_hit_is_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (at, mutex) = (folder.path(), study("mutex"));
    let mutex = mutex.display();
    json(at, &format!("testgen {mutex} --out given.json"), 0);
    // Too few for the specification, for the tests that are given, for the feature model, and to count.
    for (suite, most, verdict) in [
        ("", 1, "unknown"),
        ("given.json", 1_000, "unknown"),
        ("", 40, "unknown"),
        ("", 1_000, "incomplete"),
    ] {
        let words = format!("coverage {mutex} {suite} --max-states {most} --show count --out out.json");
        let answer = json(at, &words, 3);
        assert_eq!(answer["verdict"], verdict, "{words}");
        if verdict == "unknown" {
            let because = answer["because"].as_str().unwrap();
            assert!(because.contains("--max-states"), "{because}");
        }
        assert!(answer["counts"].is_null(), "{words}");
        assert!(answer["not_counted_because"].as_str().unwrap().contains("--max-states"));
    }
}

#[test]
fn errors_name_what_is_wrong_and_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let (at, hotel) = (folder.path(), study("hotel"));
    let hotel = hotel.display();
    fs::write(at.join("old.json"), "as before").unwrap();
    fs::write(at.join("bad.json"), "{ \"format\": 3 }").unwrap();
    let before = files(at);
    for (words, named) in [
        ("coverage none.xml".to_owned(), "none.xml"),
        (
            format!("coverage {hotel} none.json --suite complete --out old.json"),
            "none.json",
        ),
        (format!("coverage {hotel} bad.json"), "bad.json: not a suite"),
        (format!("coverage {hotel} --suite complete"), "--out"),
        (
            format!("coverage {hotel} --suite complete --out missing/out.json"),
            "missing",
        ),
        (
            format!("coverage {hotel} --suite extended --out o.json"),
            "--suite extended",
        ),
        (format!("coverage {hotel} --suite minimised"), "--suite minimised"),
        (format!("coverage {hotel} --faults all"), "--faults"),
        (format!("coverage {hotel} --kill maybe"), "maybe"),
        (format!("coverage {hotel} --order 0"), "--order"),
        (format!("coverage {hotel} --template Inn"), "Inn"),
        (format!("coverage {hotel} --journal j"), "--suite"),
        (
            format!("coverage {hotel} --suite complete --out old.json --journal j --resume"),
            "no journal j",
        ),
    ] {
        let output = tamper(at, &words);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {stderr}");
        assert!(stderr.contains(named) && output.stdout.is_empty(), "{words}: {stderr}");
        assert_eq!(files(at), before, "{words}");
        assert_eq!(written(at, "old.json"), b"as before");
    }
    let machine = "examples/machines/running-example.fsm";
    let machine = Path::new(env!("CARGO_MANIFEST_DIR")).join(machine);
    let output = tamper(at, &format!("coverage {} --kill definite", machine.display()));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr.contains("--kill has no meaning for a state machine"), "{stderr}");
}

#[test]
fn the_same_bytes_come_out_whatever_the_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let (at, mutex) = (folder.path(), study("mutex"));
    let run = |threads: u32| {
        let words = format!(
            "coverage {} --suite complete --show count --kill definite --format json --threads {threads} --out {threads}.json",
            mutex.display()
        );
        tamper(at, &words).stdout
    };
    assert_eq!(run(1), run(3));
    assert_eq!(written(at, "1.json"), written(at, "3.json"));
}

#[test]
fn an_interrupted_completion_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, kill) in [("hotel", "potential"), ("mutex", "definite")] {
        let model = study(name);
        let model = model.display();
        json(at, &format!("testgen {model} --operators TMI,CXL --out given.json"), 0);
        let words = format!(
            "coverage {model} given.json --suite complete --show count --kill {kill} --format json --out out.json --journal journal"
        );
        let whole = tamper(at, &words);
        assert_eq!(
            whole.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&whole.stderr)
        );
        let (out, journal) = (written(at, "out.json"), written(at, "journal"));
        let lines: Vec<&[u8]> = journal.split_inclusive(|byte| *byte == b'\n').collect();
        assert!(lines.len() > 8, "{name}: {} lines", lines.len());
        // After the first line, in the middle of one, and at the end.
        for n_lines in [1, 2, lines.len() / 3, lines.len() / 2, lines.len() - 1, lines.len()] {
            let mut torn = lines[..n_lines].concat();
            if let Some(next) = lines.get(n_lines) {
                torn.extend(&next[..next.len() / 2]);
            }
            fs::write(at.join("journal"), torn).unwrap();
            fs::remove_file(at.join("out.json")).unwrap();
            let resumed = tamper(at, &format!("{words} --resume"));
            let stderr = String::from_utf8_lossy(&resumed.stderr);
            assert_eq!(resumed.status.code(), Some(0), "{name} after {n_lines} lines: {stderr}");
            assert_eq!(resumed.stdout, whole.stdout, "{name} after {n_lines} lines");
            assert!(written(at, "out.json") == out, "{name} after {n_lines} lines");
            let again = String::from_utf8(written(at, "journal")).unwrap();
            assert_eq!(again.lines().count(), lines.len(), "{name} after {n_lines} lines");
        }
    }
}

#[test]
fn the_journal_of_another_run_is_refused_by_what_differs() {
    let folder = tempfile::tempdir().unwrap();
    let (at, mutex) = (folder.path(), study("mutex"));
    // The same game in another file: the suite still fits.
    let text = fs::read_to_string(&mutex).unwrap();
    fs::write(at.join("other.xml"), text + "<!-- another version -->\n").unwrap();
    let mutex = mutex.display();
    json(at, &format!("testgen {mutex} --out given.json"), 0);
    let words = format!("coverage {mutex} given.json --suite complete --out out.json --journal journal");
    assert_eq!(tamper(at, &words).status.code(), Some(0));
    let journal = written(at, "journal");
    let refused = |words: &str, named: &str| {
        let output = tamper(at, &format!("{words} --resume"));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {stderr}");
        assert!(stderr.contains(named), "{words}: {stderr}");
        assert_eq!(written(at, "journal"), journal, "it stays as it is");
    };
    refused(&words.replace(&mutex.to_string(), "other.xml"), "(model)");
    refused(&words.replace(" given.json", ""), "(suite)");
    refused(&format!("{words} --kill definite"), "(options");
    refused(&format!("{words} --order 2"), "(options");
    refused(&format!("{words} --operators TMI"), "(options");
    // A line that was changed, left out or swapped.
    let lines: Vec<&[u8]> = journal.split_inclusive(|byte| *byte == b'\n').collect();
    let text = String::from_utf8(lines[1].to_vec()).unwrap();
    let changed = text.replacen("[[[", "[[[1", 1);
    assert_ne!(changed, text);
    for forged in [
        [&[lines[0], changed.as_bytes()], &lines[2..]].concat(),
        [&lines[..1], &lines[2..]].concat(),
        [&[lines[0], lines[2], lines[1]], &lines[3..]].concat(),
    ] {
        fs::write(at.join("journal"), forged.concat()).unwrap();
        let output = tamper(at, &format!("{words} --resume"));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(
            stderr.contains("line 2 of journal is not as it was written"),
            "{stderr}"
        );
    }
}
