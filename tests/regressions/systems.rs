//! Rows of the regressions page: untimed systems, machines and their suites, pages.

use super::{Place, input};

/// The first output is seen: after `a` the specification shows `c` and the mutant `d`, after `b` the other way round. One input
/// kills every run, and there is a test that says so.
#[test]
fn init_out() {
    let place = Place::with(&["systems/init_out_m.smv", "systems/init_out_s.smv"]);
    let found = place.json("refine init_out_m.smv init_out_s.smv --witness", 1);
    assert_eq!(found["kill"], "blind", "{found}");
    assert_eq!(found["word"], serde_json::json!(["FALSE"]), "{found}");
    assert_eq!(found["strategy"]["depth"], 1, "{found}");
    let starts = found["strategy"]["starts"].as_object().unwrap();
    assert_eq!(starts.keys().collect::<Vec<_>>(), ["a", "b"], "{found}");
    let own = place.json("refine init_out_s.smv init_out_s.smv", 0);
    assert_eq!(own["kill"], "none");
    // Suites look at what is seen first: the mutant is the model with its next outputs changed, which a suite of its own finds.
    place.text("testgen init_out_s.smv --kill blind --out suite.json", 0);
    place.text("run suite.json --against init_out_s.smv", 0);
    place.text("run suite.json --against init_out_m.smv", 1);
    let scored = place.json("score suite.json init_out_s.smv --kill blind", 0);
    assert_eq!(scored["killed"], scored["killable"], "{scored}");
    place.text("export init_out_s.smv --as smtlib --out smt", 0);
}

/// A mutant whose first output is never that of the specification is killed without an input.
#[test]
fn other_first_output() {
    let place = Place::with(&["systems/init_out_s.smv"]);
    let text = std::fs::read_to_string(place.at("init_out_s.smv")).unwrap();
    std::fs::write(
        place.at("other.smv"),
        text.replace("init(o) := {a, b};", "init(o) := d;"),
    )
    .unwrap();
    let found = place.json("refine other.smv init_out_s.smv --witness", 1);
    assert_eq!(found["kill"], "blind", "{found}");
    assert_eq!(found["word"], serde_json::json!([]), "{found}");
    assert_eq!(found["run"]["first"], "d", "{found}");
    // One that can start so is killed potentially only.
    std::fs::write(
        place.at("some.smv"),
        text.replace("init(o) := {a, b};", "init(o) := {a, d};"),
    )
    .unwrap();
    let found = place.json("refine some.smv init_out_s.smv", 1);
    assert_eq!(found["kill"], "potential", "{found}");
}

#[test]
fn neg_range() {
    let place = Place::with(&["systems/neg_range.smv"]);
    assert_eq!(place.json("check neg_range.smv", 0)["states"], 2);
    let text = std::fs::read_to_string(place.at("neg_range.smv")).unwrap();
    for (range, states) in [("-1..1", 3), ("-1..-1", 2), ("{-1..0, 1}", 3), ("-1..0 union {1}", 3)] {
        std::fs::write(place.at("m.smv"), text.replace("0..1;", &format!("{range};"))).unwrap();
        assert_eq!(place.json("check m.smv", 0)["states"], states, "{range}");
        // What is written is read as the same: by its states, and by its mutants.
        std::fs::remove_dir_all(place.at("out")).ok();
        place.text("export m.smv --out out", 0);
        assert_eq!(place.json("check out/original.smv", 0)["states"], states, "{range}");
    }
}

#[test]
fn case_gap() {
    let place = Place::with(&["systems/case_gap.smv", "systems/case_full.smv"]);
    let message = place.refusal("check case_gap.smv");
    assert!(
        message.contains("no branch of this case applies") && message.contains("case_gap.smv:8"),
        "{message}"
    );
    assert_eq!(place.json("check case_full.smv", 0)["steps"], 12);
}

#[test]
fn smallest_too_long() {
    let place = Place::with(&["systems/smallest_too_long.fsm"]);
    let found = place.json("coverage smallest_too_long.fsm --suite smallest", 0);
    // Two tests are needed; one of them need not go on after `i1 i2 i1`.
    let tests = found["tests"].as_array().unwrap();
    assert!(tests.contains(&serde_json::json!(["i1", "i2", "i1"])), "{found}");
    assert_eq!(
        (tests.len(), &found["lower_bound"]),
        (2, &serde_json::json!(2)),
        "{found}"
    );
    assert_eq!(found["shortest"], true, "{found}");
}

/// The copy's own loop leads back to the original: what the page promises are machines where it stays in the copy, which fail, and that
/// `suite all 1` fails this one.
#[test]
fn split_miss() {
    let place = Place::with(&["systems/split_miss_machine.fsm"]);
    let asked = |questions: &str, machine: &str| -> String {
        use std::io::Write as _;
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_tamper"))
            .current_dir(place.folder.path())
            .args(["oracle", machine])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(questions.as_bytes()).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    let hypothesis = std::fs::read_to_string(input("systems/split_miss.txt")).unwrap();
    let (hypothesis, _) = hypothesis.split_once("suite split").unwrap();
    let machine = std::fs::read_to_string(place.at("split_miss_machine.fsm")).unwrap();
    let own: Vec<&str> = hypothesis
        .lines()
        .filter(|line| !["end", "hypothesis text"].contains(line))
        .collect();
    std::fs::write(place.at("own.fsm"), own.join("\n") + "\n").unwrap();
    std::fs::write(place.at("stays.fsm"), machine.replace("c a / 0 -> 2", "c a / 0 -> c")).unwrap();
    let fails = |suite: &str, machine: &str| {
        let suite = asked(&format!("{hypothesis}{suite}\n"), "own.fsm");
        let words: String = suite
            .lines()
            .filter_map(|line| Some(format!("word {}\n", line.strip_prefix("test ")?)))
            .collect();
        assert!(!words.is_empty(), "{suite}");
        asked(&words, machine) != asked(&words, "own.fsm")
    };
    assert!(fails("suite split", "stays.fsm"));
    assert!(fails("suite all 1", "stays.fsm"));
    assert!(fails("suite all 1", "split_miss_machine.fsm"));
}

#[test]
fn report_panic_score() {
    let names = ["report_panic_score_pl.json", "report_panic_score_smv.json"];
    let place = Place::with(
        &names
            .map(|name| format!("systems/{name}"))
            .each_ref()
            .map(String::as_str),
    );
    for name in names {
        place.text(&format!("report {name} --out page.html"), 0);
        let page = std::fs::read_to_string(place.at("page.html")).unwrap();
        assert!(page.contains("The score of a suite"), "{name}");
    }
}

#[test]
fn report_complete() {
    let place = Place::with(&["systems/report_complete.fsm", "systems/report_complete.txt"]);
    let printed = place.text("coverage report_complete.fsm report_complete.txt --format json", 0);
    std::fs::write(place.at("printed.json"), printed).unwrap();
    place.text("report printed.json --out page.html", 0);
    let page = std::fs::read_to_string(place.at("page.html")).unwrap();
    assert!(page.contains("complete"), "{page}");
}

/// Proofs are read to their end, also where unit propagation needs none of them.
#[test]
fn changed_proof() {
    let place = Place::with(&["systems/report_complete.fsm", "systems/report_complete.txt"]);
    let files = "report_complete.fsm report_complete.txt";
    place.text(&format!("coverage {files} --proof p.proof"), 0);
    place.text(&format!("coverage {files} --check-proof p.proof"), 0);
    let proof = std::fs::read_to_string(place.at("p.proof")).unwrap();
    for line in [
        "refutation nonsense",
        "refutation 1 2",
        "refutation 999999 0",
        "refutation d 1 x 0",
    ] {
        std::fs::write(place.at("q.proof"), format!("{proof}{line}\n")).unwrap();
        let answer = place.json(&format!("coverage {files} --check-proof q.proof"), 1);
        assert_eq!(answer["proved"], false, "{line}: {answer}");
    }
}

/// Every kind of answer that `report` says it takes: what `run`, `score` and `coverage` print, of timed and untimed models,
/// networks, machines and families.
#[test]
fn report_takes_every_answer() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let place = Place::with(&[
        "systems/report_complete.fsm",
        "systems/report_complete.txt",
        "systems/init_out_s.smv",
    ]);
    for (from, to) in [
        ("uppaal-models/lamp.xml", "m.xml"),
        ("case-studies/buffer/model.pl", "m.pl"),
        ("case-studies/beverage/model.smv", "m.smv"),
    ] {
        std::fs::copy(root.join(from), place.at(to)).unwrap();
    }
    std::fs::write(place.at("few.txt"), "b a\n").unwrap();
    // It is ready, and crashes in every test.
    let crashes = "#!/bin/sh\nread hello; echo ready; read reset; echo ready; read first\n";
    std::fs::write(place.at("crashes"), crashes).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(place.at("crashes"), mode).unwrap();
    for model in ["m.xml", "m.pl", "m.smv", "init_out_s.smv"] {
        place.text(&format!("testgen {model} --out {model}.json"), 0);
    }
    place.text("coverage report_complete.fsm report_complete.txt --proof p.proof", 0);
    let machine = "coverage report_complete.fsm";
    let complete = format!("{machine} report_complete.txt");
    let mut answers: Vec<String> = vec![
        complete.clone(),
        machine.to_owned(),
        format!("{complete} --show count"),
        format!("{machine} few.txt --show count,survivors=3 --show conforming=3"),
        format!("{machine} few.txt --suite complete,minimised"),
        format!("{complete} --suite prioritised"),
        format!("{complete} --max-states 1"),
        format!("{complete} --check-proof p.proof"),
        format!("{machine} few.txt --check-proof p.proof"),
        format!("{machine} --suite smallest"),
        format!("{machine} --suite smallest --max-states 1"),
        "coverage m.xml m.xml.json --order 1 --show count".to_owned(),
        "coverage m.xml --order 1".to_owned(),
        "coverage m.xml --order 1 --suite complete --out all.json".to_owned(),
        "run m.xml.json --sut ./crashes --accelerated".to_owned(),
        "run m.xml.json --against m.xml --random 3".to_owned(),
    ];
    for model in ["m.xml", "m.pl", "m.smv", "init_out_s.smv"] {
        answers.push(format!("run {model}.json --against {model}"));
        answers.push(format!("run {model}.json --sut ./crashes --patience 1"));
        for kill in ["potential", "definite", "blind"] {
            answers.push(format!("score {model}.json {model} --kill {kill}"));
        }
    }
    for words in answers {
        let output = place.tamper(&format!("{words} --format json"));
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{words}: {message}");
        std::fs::write(place.at("printed.json"), &output.stdout).unwrap();
        std::fs::remove_file(place.at("page.html")).ok();
        place.text("report printed.json --out page.html", 0);
        let page = std::fs::read_to_string(place.at("page.html")).unwrap();
        assert!(page.contains("</html>"), "{words}");
    }
}
