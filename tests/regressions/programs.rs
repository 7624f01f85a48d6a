//! Rows of the regressions page: programs that break the specification are never passed, whatever the suite was made by.

use serde_json::Value;

use super::Place;

/// Every strategy, style and kill that go together, each with one choice of delays; with all where `TAMPER_CASES` is set.
fn ways() -> Vec<String> {
    let mut ways = vec!["--kill potential --strategy fewest --style adaptive".to_owned()];
    for strategy in ["per-mutant", "on-the-fly", "minimal"] {
        for kill in ["blind", "definite"] {
            ways.push(format!("--kill {kill} --strategy {strategy}"));
        }
        for style in ["adaptive", "cooperative"] {
            for kill in ["both", "potential"] {
                ways.push(format!("--kill {kill} --strategy {strategy} --style {style}"));
            }
        }
    }
    // The three strategies take turns: each kill and style has both.
    let has_all = std::env::var_os("TAMPER_CASES").is_some();
    let ways = ways.into_iter().enumerate().flat_map(|(at, way)| {
        let both = ["earliest", "latest"];
        let turn = (at + at / 6) % 2;
        let delays = if has_all { &both[..] } else { &both[turn..=turn] };
        delays
            .iter()
            .map(|delays| format!("{way} --delays {delays}"))
            .collect::<Vec<_>>()
    });
    ways.collect()
}

/// The suites of every way for the model, and what is left of them when they are made smaller.
fn each_suite(place: &Place, (model, operators): (&str, &str), check: &dyn Fn(&str, &str)) {
    for way in ways() {
        place.text(
            &format!("testgen {model} --operators {operators} {way} --out s.json"),
            0,
        );
        check(&way, "s.json");
        place.text(
            &format!("minimise s.json {model} --operators {operators} --out m.json"),
            0,
        );
        check(&way, "m.json");
    }
}

/// The verdicts of the suite's tests on the program.
fn verdicts(place: &Place, suite: &str, program: &str) -> Vec<String> {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_tamper"))
        .current_dir(place.folder.path())
        .args(["run", suite, "--accelerated", "--format", "json", "--sut", program])
        .output()
        .expect("tamper runs");
    let message = String::from_utf8_lossy(&output.stderr);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {message}"));
    let runs = result["runs"].as_array().expect("a run per test").iter();
    runs.map(|run| run["verdict"].as_str().unwrap_or("none").to_owned())
        .collect()
}

/// `expired!` is due 11 after `set?`, which every test gives: a program that says nothing fails each of them.
#[test]
fn overdue() {
    let place = Place::with(&["overdue.xta", "silent.py"]);
    each_suite(&place, ("overdue.xta", "CTG"), &|way, suite| {
        let found = verdicts(&place, suite, "python3 silent.py");
        let all = found.iter().all(|verdict| verdict == "fail");
        assert!(all && !found.is_empty(), "{way}, {suite}: {found:?}");
    });
}

/// `hot!` is due 5 after `on?`, which some test of each suite gives: a program that is 7 late fails it, and one that takes 4 fails
/// none.
#[test]
fn kettle() {
    let place = Place::with(&["kettle.xml", "late.py"]);
    each_suite(&place, ("kettle.xml", "paper"), &|way, suite| {
        let late = verdicts(&place, suite, "python3 late.py 7");
        assert!(late.iter().any(|verdict| verdict == "fail"), "{way}, {suite}: {late:?}");
        let in_time = verdicts(&place, suite, "python3 late.py 4");
        let none = in_time
            .iter()
            .all(|verdict| verdict == "pass" || verdict == "inconclusive");
        assert!(none, "{way}, {suite}: {in_time:?}");
    });
}

/// What `run` writes of a program that never answers, `diagnose`, `report` and `--resume` read: the output was due before the last
/// wait began.
#[test]
fn neg_after() {
    let place = Place::with(&["programs/neg-after.xta", "programs/neg_after_silent.py"]);
    for way in ["--strategy adaptive", "--random 20 --seed 5"] {
        let run = format!("run --model neg-after.xta {way} --accelerated --results r.jsonl");
        let run = |more: &str| {
            let output = std::process::Command::new(env!("CARGO_BIN_EXE_tamper"))
                .current_dir(place.folder.path())
                .args(run.split_whitespace())
                .args(more.split_whitespace())
                .args(["--sut", "python3 neg_after_silent.py"])
                .output()
                .expect("tamper runs");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            (output.status.code(), said)
        };
        let _ = std::fs::remove_file(place.at("r.jsonl"));
        assert_eq!(run("").0, Some(1), "{way}");
        let written = std::fs::read_to_string(place.at("r.jsonl")).unwrap();
        assert!(
            written.contains("\"after\":\"-"),
            "{way}: an output was overdue before its wait: {written}"
        );
        let found = place.json("diagnose r.jsonl neg-after.xta", 0);
        assert!(found["fail"].as_u64().is_some_and(|fail| fail > 0), "{way}: {found}");
        place.text("report r.jsonl --out page.html", 0);
        if way.starts_with("--strategy") {
            let (code, said) = run("--resume");
            assert_eq!(code, Some(1), "{said}");
        }
    }
}
