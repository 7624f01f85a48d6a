//! Where a run went wrong, as data: what a timeline is drawn from. The lamp's model allows `dim` from 1 to 2 after `press`, and `off` at 20
//! after `bright`.

use std::process::Command;

use serde_json::{Value, json};

/// The answer of a run of all tests against the lamp with a fault.
fn answer(fault: &str, options: &[&str]) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let suite = crate::suites::programs_under_test::lamp::suite(folder.path(), "per-mutant");
    let sut = format!("{} {fault}", crate::suites::programs_under_test::lamp::lamp().display());
    crate::suites::programs_under_test::lamp::run(&suite, &sut, options).1
}

/// The first test that did not pass.
fn first(answer: &Value) -> &Value {
    let runs = answer["runs"].as_array().expect("runs");
    runs.iter().find(|run| run["verdict"] != "pass").expect("one fails")
}

fn dim() -> Value {
    json!([{ "output": "dim!", "from": { "at": "1", "after": "1" }, "by": { "at": "2", "after": "2" } }])
}

#[test]
fn an_output_at_a_wrong_time_has_its_place_and_the_window_that_it_missed() {
    for (fault, at) in [("--fault late-dim", "5/2"), ("--fault early-dim", "1/2")] {
        let answer = answer(fault, &["--accelerated"]);
        assert_eq!((&answer["unit_us"], &answer["tolerance"]), (&Value::Null, &json!("0")));
        let place = &first(&answer)["place"];
        // In time units the moment is said as a decimal.
        let when = at.replace("5/2", "2.5").replace("1/2", "0.5");
        assert_eq!(
            *place,
            json!({ "at": at, "when": when, "since": "0", "expected": dim() }),
            "{fault}"
        );
    }
}

#[test]
fn an_output_that_never_comes_is_missed_when_it_was_due() {
    let answer = answer("--fault no-auto-off", &["--accelerated"]);
    let run = first(&answer);
    // The lamp says `dim` 3/2 after `press` and `bright` 3/2 after the next, which the test gives at once: that is 3.
    let (place, end) = (&run["place"], json!({ "at": "23", "after": "20" }));
    assert_eq!((&place["at"], &place["since"]), (&json!("23"), &json!("3")));
    assert_eq!(place["expected"], json!([{ "output": "off!", "from": end, "by": end }]));
    assert_eq!(place["silent_until"], run["until"]);
    // What was allowed before, wait by wait.
    let waits = run["awaited"].as_array().expect("waits");
    assert_eq!(waits[0], json!({ "since": "0", "until": "3/2", "expected": dim() }));
    let bright =
        json!([{ "output": "bright!", "from": { "at": "5/2", "after": "1" }, "by": { "at": "7/2", "after": "2" } }]);
    assert_eq!(waits[1], json!({ "since": "3/2", "until": "3", "expected": bright }));
    assert_eq!(waits.len(), 3);
}

#[test]
fn a_program_that_crashes_has_the_waits_until_then() {
    let answer = answer("--fault crash", &["--accelerated"]);
    let run = first(&answer);
    // It crashes at the second `press`, which is the last event.
    let log = run["log"].as_array().expect("a log");
    let last = &log[log.len() - 1];
    assert_eq!(last["input"], "press?");
    assert_eq!(run["place"]["at"], last["at"]);
    assert_eq!(run["awaited"][0]["expected"], dim());
}

/// Random tests do not know what is allowed: the model is asked.
#[test]
fn a_random_test_that_fails_has_the_windows_of_the_model() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/uppaal-models/lamp.xml");
    let sut = format!(
        "{} --fault always-brighter",
        crate::suites::programs_under_test::lamp::lamp().display()
    );
    let words = [
        "run",
        "--random",
        "20",
        "--model",
        model,
        "--sut",
        &sut,
        "--accelerated",
        "--format",
        "json",
    ];
    let output = Command::new(env!("CARGO_BIN_EXE_tamper"))
        .args(words)
        .output()
        .expect("tamper runs");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let time = |time: &Value| {
        let text = time.as_str().expect("a time");
        let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
        top.parse::<f64>().expect("a number") / bottom.parse::<f64>().expect("a number")
    };
    let runs = answer["runs"].as_array().expect("runs").iter();
    let failing: Vec<&Value> = runs.filter(|run| run["verdict"] == "fail").collect();
    assert!(!failing.is_empty(), "{answer:#}");
    for run in failing {
        let (place, waits) = (&run["place"], run["awaited"].as_array().expect("waits"));
        // A light that was dim for 5 or longer goes off by 1 after `press`.
        let last = &waits[waits.len() - 1];
        assert_eq!(
            (&last["since"], &last["expected"]),
            (&place["since"], &place["expected"]),
            "{run}"
        );
        assert_eq!(last["expected"][0]["output"], "off!");
        assert_eq!(last["expected"][0]["by"]["after"], "1");
        // It is off at first: the first wait is that after the first `press`.
        assert_eq!(waits[0]["since"], run["log"][0]["at"]);
        let (from, by) = (
            &waits[0]["expected"][0]["from"]["at"],
            &waits[0]["expected"][0]["by"]["at"],
        );
        let pressed = time(&run["log"][0]["at"]);
        assert_eq!((time(from), time(by)), (pressed + 1.0, pressed + 2.0), "{run}");
    }
}

#[test]
fn in_real_time_the_moment_is_said_in_the_users_unit_and_the_tester_is_measured() {
    let answer = answer(
        "--fault early-auto-off",
        &["--unit", "20ms", "--tolerance", "1/2", "--jobs", "4"],
    );
    assert_eq!(
        (&answer["unit_us"], &answer["tolerance"]),
        (&json!(20_000), &json!("1/2"))
    );
    for run in answer["runs"].as_array().expect("runs") {
        assert!(run["lateness"]["step"].as_u64() >= Some(1), "{run}");
        if let Some(place) = run.get("place") {
            assert!(
                place["when"].as_str().is_some_and(|when| when.ends_with('s')),
                "{place}"
            );
        }
    }
}

#[test]
fn the_page_of_results_is_that_of_the_answer_with_what_was_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let suite = crate::suites::programs_under_test::lamp::suite(folder.path(), "per-mutant");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let sut = format!(
        "{} --fault late-dim",
        crate::suites::programs_under_test::lamp::lamp().display()
    );
    let (_, answer) =
        crate::suites::programs_under_test::lamp::run(&suite, &sut, &["--accelerated", "--results", &at("run.jsonl")]);
    std::fs::write(at("run.json"), answer.to_string()).expect("written");
    let page = |file: &str| -> Value {
        let made = Command::new(env!("CARGO_BIN_EXE_tamper"))
            .args(["report", &at(file), "--out", &at("page.html")])
            .output()
            .expect("tamper runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let page = std::fs::read_to_string(at("page.html")).expect("a page");
        let data = page
            .split("id=\"data\">")
            .nth(1)
            .and_then(|rest| rest.split("</script>").next());
        serde_json::from_str(data.expect("data")).expect("JSON")
    };
    let (printed, results) = (page("run.json"), page("run.jsonl"));
    for name in ["groups", "runs", "totals", "unit_us", "tolerance"] {
        assert_eq!(printed[name], results[name], "{name}");
    }
    assert_eq!(printed["facts"], json!([]));
    assert_eq!(results["facts"][0], json!(["program", sut]));
    assert_eq!(
        printed["groups"][0]["shows"],
        "after press, expected dim, dim came too late"
    );
}
