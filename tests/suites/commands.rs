//! `tamper testgen`, `score` and `minimise` as they are typed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tamper::formats::suite_json::read_suite;

pub fn study(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "case-studies", name, "model.xml"]
        .iter()
        .collect()
}

pub fn tamper(folder: &Path, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamper"));
    command.args(words.split_whitespace()).current_dir(folder);
    command.output().expect("tamper runs")
}

/// Runs tamper, which is to exit with `code`; its standard output as JSON.
pub fn json(folder: &Path, words: &str, code: i32) -> Value {
    let output = tamper(folder, &format!("{words} --format json"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{words}: {stderr}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

pub fn number(value: &Value, name: &str) -> u64 {
    value[name].as_u64().unwrap_or_else(|| panic!("{name} in {value}"))
}

#[test]
fn a_suite_is_made_scored_and_made_smaller() {
    let folder = tempfile::tempdir().unwrap();
    let (at, wfas) = (folder.path(), study("wfas"));
    let wfas = wfas.display();
    let made = json(at, &format!("testgen {wfas} --out all.json"), 0);
    assert_eq!(number(&made, "mutants"), 121);
    let killable = number(&made, "definite") + number(&made, "potential");
    assert_eq!(killable + number(&made, "none"), 121);
    let suite = read_suite(&std::fs::read_to_string(at.join("all.json")).unwrap()).unwrap();
    assert_eq!(suite.tests.len() as u64, number(&made, "tests"));
    let with_test = suite.mutants.iter().filter(|mutant| mutant.test.is_some()).count();
    assert_eq!(with_test as u64, killable);

    let scored = json(at, &format!("score all.json {wfas}"), 0);
    assert_eq!(number(&scored, "tests"), number(&made, "tests"));
    assert_eq!(
        (number(&scored, "killable"), number(&scored, "killed")),
        (killable, killable)
    );
    assert_eq!(scored["score"], 1.0);
    assert_eq!(scored["survivors"], Value::Array(Vec::new()));

    let small = json(at, &format!("minimise all.json {wfas} --out small.json"), 0);
    assert!(number(&small, "tests") < number(&made, "tests"));
    assert_eq!(small["proved"], true);
    // What each test kills that those before it do not, most first.
    let kills: Vec<u64> = small["order"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| number(test, "kills"))
        .collect();
    assert!(kills.is_sorted_by(|a, b| a >= b) && kills.iter().all(|kills| *kills > 0));
    assert_eq!(kills.iter().sum::<u64>(), killable);
    let again = json(at, &format!("score small.json {wfas}"), 0);
    assert_eq!(
        (number(&again, "tests"), number(&again, "killed")),
        (number(&small, "tests"), killable)
    );

    // The suite of least time takes no longer than the one of fewest tests, and kills as many.
    let cost = |answer: &Value| match &answer["cost"] {
        Value::String(text) => text.parse::<num_rational::BigRational>().unwrap(),
        number => num_rational::BigRational::from_integer(number.as_u64().unwrap().into()),
    };
    let quick = json(
        at,
        &format!("minimise all.json {wfas} --criterion time --out quick.json"),
        0,
    );
    let few = json(
        at,
        &format!("minimise small.json {wfas} --criterion time --out few.json"),
        0,
    );
    assert!(quick["proved"] == true && cost(&quick) <= cost(&few), "{quick} {few}");
    assert_eq!(
        json(at, &format!("score quick.json {wfas}"), 0)["killed"],
        scored["killed"]
    );
}

#[test]
fn strategies_kill_alike_and_survivors_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (at, accel) = (folder.path(), study("accel"));
    let accel = accel.display();
    let mut sizes = Vec::new();
    for strategy in ["per-mutant", "on-the-fly", "minimal"] {
        let made = json(
            at,
            &format!("testgen {accel} --kill potential --strategy {strategy} --out {strategy}.json"),
            0,
        );
        let scored = json(at, &format!("score {strategy}.json {accel}"), 0);
        assert_eq!(scored["score"], 1.0, "{strategy}");
        sizes.push(number(&made, "tests"));
    }
    assert!(sizes[0] >= sizes[1] && sizes[1] >= sizes[2], "{sizes:?}");
    // A suite for removed edges does not notice all added ones.
    json(at, &format!("testgen {accel} --operators TMI --out tmi.json"), 0);
    let scored = json(at, &format!("score tmi.json {accel}"), 1);
    let survivors = scored["survivors"].as_array().unwrap();
    assert_eq!(
        survivors.len() as u64,
        number(&scored, "killable") - number(&scored, "killed")
    );
    let why = |survivor: &Value| {
        survivor["why"]
            .as_str()
            .unwrap()
            .contains("no test of the suite fails on it")
    };
    assert!(!survivors.is_empty() && survivors.iter().all(why));
    // At order 2 mutants are executed one by one.
    let made = json(at, &format!("testgen {accel} --order 2 --sample 60 --out two.json"), 0);
    let scored = json(at, &format!("score two.json {accel} --order 2 --sample 60"), 0);
    assert_eq!((number(&scored, "mutants"), number(&made, "mutants")), (60, 60));
}

/// CAS: three mutants answer an input rightly or wrongly (`studies` decides which mutants those are).
#[test]
fn subsumed_mutants_that_are_killed_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (at, cas) = (folder.path(), study("cas"));
    let words = format!("{} --operators CXS --kill potential", cas.display());
    let made = json(at, &format!("testgen {words} --out cxs.json"), 0);
    assert_eq!(number(&made, "killed_though_subsumed"), 3);
    let suite = read_suite(&std::fs::read_to_string(at.join("cxs.json")).unwrap()).unwrap();
    let named = |mutant: &&tamper::formats::suite_json::SuiteMutant| {
        mutant.reason.as_ref().is_some_and(|reason| reason.contains("subsumed"))
    };
    assert_eq!(suite.mutants.iter().filter(named).count(), 3);
    let scored = json(at, &format!("score cxs.json {} --operators CXS", cas.display()), 0);
    assert_eq!(scored["killed_though_subsumed"].as_array().map(Vec::len), Some(3));
}

/// [002]: tests are led on, so that fewer of them, each a reset, do as much as the fewest separate ones.
#[test]
fn tests_on_the_fly_are_led_on() {
    let folder = tempfile::tempdir().unwrap();
    let (at, wfas) = (folder.path(), study("wfas"));
    let wfas = wfas.display();
    let make = |strategy: &str| {
        let words = format!("testgen {wfas} --kill potential --strategy {strategy} --out {strategy}.json");
        json(at, &words, 0)
    };
    let (fewest, fly) = (make("minimal"), make("on-the-fly"));
    assert!(number(&fly, "tests") < number(&fewest, "tests"), "{fly} {fewest}");
    assert_eq!(number(&fly, "killed"), number(&fewest, "potential"));
    // No operator changes targets or resets, so that no state differs without a fail ([002]: weak kills).
    assert_eq!(number(&fly, "killed_only_weakly"), 0);
    assert_eq!(json(at, &format!("score on-the-fly.json {wfas}"), 0)["score"], 1.0);
}

#[test]
fn the_same_suite_comes_out_whatever_the_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let (at, coffee) = (folder.path(), study("coffee"));
    for (threads, name) in [(1, "one"), (3, "three")] {
        json(
            at,
            &format!("testgen {} --threads {threads} --out {name}.json", coffee.display()),
            0,
        );
    }
    let read = |name: &str| std::fs::read(at.join(name)).unwrap();
    assert!(read("one.json") == read("three.json"));
}

#[test]
fn what_cannot_be_used_is_named_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let (at, hotel) = (folder.path(), study("hotel"));
    let hotel = hotel.display();
    std::fs::write(
        at.join("bad.json"),
        "{ \"format\": \"tamper-suite\",\n  \"version\": 1, \"tests\": 3 }",
    )
    .unwrap();
    for (words, named) in [
        (format!("score none.json {hotel}"), "none.json"),
        (format!("score bad.json {hotel}"), "line 2"),
        (format!("minimise bad.json {hotel} --out out.json"), "bad.json"),
        ("testgen none.xml --out out.json".to_owned(), "none.xml"),
        (format!("testgen {hotel} --out missing/out.json"), "missing"),
    ] {
        let output = tamper(at, &words);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {stderr}");
        assert!(stderr.contains(named) && output.stdout.is_empty(), "{words}: {stderr}");
        assert!(!at.join("out.json").exists());
    }
    // A limit that is hit is no answer about the mutant.
    let output = tamper(at, &format!("testgen {hotel} --max-states 1 --out out.json"));
    assert_eq!(
        output.status.code(),
        Some(3),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_specification_with_choices_that_are_not_seen_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let model = format!("{}/uppaal-models/beverage-machine.xml", env!("CARGO_MANIFEST_DIR"));
    let output = tamper(
        folder.path(),
        &format!("testgen {model} --template RefillOneOrTwo --out out.json"),
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("not deterministic"));
}

/// A model of which 12 mutants can be killed definitely, decided by hand and on regions: each suite kills all 12 so.
#[test]
fn what_can_be_killed_definitely_is_by_every_strategy() {
    let folder = tempfile::tempdir().unwrap();
    let (at, model) = (folder.path(), data("killed-definitely.xml"));
    let definite = |suite: &str| {
        let scored = json(at, &format!("score {suite} {model} --kill definite"), 0);
        (number(&scored, "killable"), number(&scored, "killed"))
    };
    for strategy in ["per-mutant", "on-the-fly", "minimal"] {
        let made = json(
            at,
            &format!("testgen {model} --strategy {strategy} --out {strategy}.json"),
            0,
        );
        let counts = ["definite", "potential", "none", "unknown"].map(|name| number(&made, name));
        assert_eq!(counts, [12, 2, 6, 0], "{strategy}");
        assert_eq!(definite(&format!("{strategy}.json")), (12, 12), "{strategy}");
        // A smaller suite keeps that, unless it is told that a possible fail is enough.
        json(at, &format!("minimise {strategy}.json {model} --out small.json"), 0);
        assert_eq!(definite("small.json"), (12, 12), "{strategy}");
    }
    // Of a mutant that no test of the smaller suite always fails on, none is named.
    json(
        at,
        &format!("minimise per-mutant.json {model} --kill potential --out few.json"),
        0,
    );
    let few = read_suite(&std::fs::read_to_string(at.join("few.json")).unwrap()).unwrap();
    let named = few
        .mutants
        .iter()
        .filter(|mutant| mutant.killable == "definite" && mutant.test.is_some());
    let scored = tamper(at, &format!("score few.json {model} --kill definite --format json"));
    let scored: Value = serde_json::from_slice(&scored.stdout).unwrap();
    assert_eq!(named.count() as u64, number(&scored, "killed"));
}

/// The model is edited after its suite was made: nothing that the suite says of mutants means anything.
#[test]
fn a_suite_that_the_specification_fails_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let (at, model) = (folder.path(), data("killed-definitely.xml"));
    let text = std::fs::read_to_string(&model).unwrap();
    std::fs::write(at.join("model.xml"), &text).unwrap();
    json(at, "testgen model.xml --strategy minimal --out suite.json", 0);
    json(at, "score suite.json model.xml", 0);
    // b? is no longer accepted at 2.
    let edited = text.replace(
        "x &lt;= 2</label><label kind=\"synchronisation\">b?",
        "x &lt;= 1</label><label kind=\"synchronisation\">b?",
    );
    assert_ne!(edited, text);
    std::fs::write(at.join("model.xml"), edited).unwrap();
    for words in [
        "score suite.json model.xml",
        "score suite.json model.xml --kill definite",
        "minimise suite.json model.xml --out small.json",
        "coverage model.xml suite.json",
    ] {
        let output = tamper(at, words);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {stderr}");
        assert!(output.stdout.is_empty() && !at.join("small.json").exists(), "{words}");
        for part in [
            "suite.json: test t",
            "fails on the specification itself",
            "`Spec` of ",
            "model.xml",
            "b?",
        ] {
            assert!(stderr.contains(part), "{words}: {part}: {stderr}");
        }
    }
}

/// A pipeline asks for a least score.
#[test]
fn a_score_below_what_is_asked_for_is_an_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let (at, model) = (folder.path(), data("killed-definitely.xml"));
    json(
        at,
        &format!("testgen {model} --kill potential --strategy minimal --out suite.json"),
        0,
    );
    // All 14 are killed potentially; definitely not all of the 12.
    json(at, &format!("score suite.json {model} --fail-under 100"), 0);
    let output = tamper(at, &format!("score suite.json {model} --kill definite --format json"));
    let scored: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (killed, killable) = (number(&scored, "killed"), number(&scored, "killable"));
    assert!(0 < killed && killed < killable && output.status.code() == Some(1));
    let percent = killed * 100 / killable;
    json(
        at,
        &format!("score suite.json {model} --kill definite --fail-under {percent}"),
        0,
    );
    json(
        at,
        &format!("score suite.json {model} --kill definite --fail-under {}", percent + 1),
        1,
    );
    for wrong in ["101", "-1", "x", "1/0"] {
        let output = tamper(at, &format!("score suite.json {model} --fail-under {wrong}"));
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

/// One answer for all tests, and nothing written.
#[test]
fn a_program_that_cannot_be_started_is_one_error() {
    let folder = tempfile::tempdir().unwrap();
    let (at, model) = (folder.path(), data("killed-definitely.xml"));
    json(at, &format!("testgen {model} --out suite.json"), 0);
    let output = tamper(at, "run suite.json --sut /no/such/program --junit results.xml");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert_eq!(
        stderr.matches("`/no/such/program` cannot be started").count(),
        1,
        "{stderr}"
    );
    assert!(output.stdout.is_empty() && !at.join("results.xml").exists());
}

fn data(name: &str) -> String {
    format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Every definitely killable mutant of WFAS is killed by a word of inputs and delays; tests that react are none, whatever they kill.
#[test]
fn blind_tests_are_made_scored_and_told_from_those_that_react() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let wfas = study("wfas").display().to_string();
    for strategy in ["per-mutant", "on-the-fly", "minimal"] {
        let words = format!("testgen {wfas} --kill blind --strategy {strategy} --out {strategy}.json");
        let made = json(at, &words, 0);
        let counts =
            ["blind", "blind_unknown", "definite", "potential", "none", "unknown"].map(|name| number(&made, name));
        assert_eq!(counts, [22, 0, 0, 46, 53, 0], "{strategy}");
        let scored = json(at, &format!("score {strategy}.json {wfas} --kill blind"), 0);
        assert_eq!(
            (number(&scored, "killed"), number(&scored, "killable")),
            (22, 22),
            "{strategy}"
        );
        let scored = json(at, &format!("score {strategy}.json {wfas} --kill definite"), 0);
        assert_eq!(number(&scored, "killed"), 22, "{strategy}: blind implies definite");
    }
    json(
        at,
        &format!("minimise per-mutant.json {wfas} --kill blind --out small.json"),
        0,
    );
    let scored = json(at, &format!("score small.json {wfas} --kill blind"), 0);
    assert_eq!(number(&scored, "killed"), 22);
    json(at, &format!("testgen {wfas} --kill definite --out reacting.json"), 0);
    let scored = json(at, &format!("score reacting.json {wfas} --kill blind"), 1);
    assert_eq!((number(&scored, "killed"), number(&scored, "killable")), (0, 22));
}

/// Of the hotel's 39 mutants some show only by an input that they lack. Where refusals mean nothing no kill rests on these: the score of the
/// family, the exported mutants one by one, and all products at once agree on that; the same tests, as a suite to which a refusal is
/// a fail, kill more and leave more to be killed.
#[test]
fn a_suite_for_programs_rests_on_no_refusal() {
    let folder = tempfile::tempdir().unwrap();
    let (at, hotel) = (folder.path(), study("hotel"));
    let hotel = hotel.display();
    let made = json(
        at,
        &format!("testgen {hotel} --for programs --operators paper --out never.json"),
        0,
    );
    let text = std::fs::read_to_string(at.join("never.json")).unwrap();
    assert!(text.contains("\"refusals\": \"never\""), "{text}");
    let suite = read_suite(&text).unwrap();
    std::fs::write(at.join("error.json"), text.replace("  \"refusals\": \"never\",\n", "")).unwrap();
    json(at, &format!("export {hotel} --out mutants"), 0);
    let mut fails = Vec::new();
    for (name, is_complete) in [("never", 0), ("error", 1)] {
        let scored = tamper(at, &format!("score {name}.json {hotel} --format json"));
        let scored: Value = serde_json::from_slice(&scored.stdout).unwrap();
        let run = json(at, &format!("run {name}.json --against mutants"), 1);
        let models = run["models"].as_array().unwrap().iter();
        let killed = models.filter(|model| number(model, "fail") > 0).count();
        assert_eq!(number(&scored, "killed"), killed as u64, "{name}");
        json(at, &format!("coverage {hotel} {name}.json --order 1"), is_complete);
        fails.push((number(&scored, "killed"), number(&scored, "killable")));
    }
    let [never, error] = fails[..] else {
        unreachable!("two suites")
    };
    let killable = number(&made, "definite") + number(&made, "potential");
    assert_eq!(never, (killable, killable));
    assert!(error.0 > never.0 && error.1 > error.0, "{never:?} {error:?}");
    let smaller = json(at, &format!("minimise never.json {hotel} --out smaller.json"), 0);
    assert!(made.get("lower_bound").is_none(), "chosen before they linger: {made}");
    assert!(number(&smaller, "tests") <= suite.tests.len() as u64);
    let smaller = std::fs::read_to_string(at.join("smaller.json")).unwrap();
    assert!(smaller.contains("\"refusals\": \"never\""), "{smaller}");
    let targets = [
        ("pytest", "REFUSALS_FAIL = False"),
        ("c", "REFUSALS_FAIL = 0"),
        ("node-test", "REFUSALS_FAIL = false"),
        ("jest", "REFUSALS_FAIL = false"),
        ("vitest", "REFUSALS_FAIL = false"),
        ("tokio", "REFUSALS_FAIL: bool = false"),
    ];
    for (target, said) in targets {
        json(at, &format!("harness never.json --as {target} --out harness"), 0);
        assert!(
            std::fs::read_to_string(at.join("harness")).unwrap().contains(said),
            "{target}"
        );
    }
}

/// The first test of a suite kills some mutants; the others are left to new tests, and to an unlike meaning of refusals there is none.
#[test]
fn a_suite_is_extended_by_what_it_does_not_kill() {
    let folder = tempfile::tempdir().unwrap();
    let (at, hotel) = (folder.path(), study("hotel"));
    let hotel = hotel.display();
    let whole = json(at, &format!("testgen {hotel} --out whole.json"), 0);
    let read = |name: &str| read_suite(&std::fs::read_to_string(at.join(name)).unwrap()).unwrap();
    let mut first = read("whole.json");
    first.tests.truncate(1);
    first.mutants.clear();
    std::fs::write(at.join("first.json"), tamper::formats::suite_json::write_suite(&first)).unwrap();
    let made = json(at, &format!("testgen {hotel} --extend first.json --out more.json"), 0);
    let more = read("more.json");
    assert_eq!(more.tests[0], first.tests[0]);
    assert!(number(&made, "tests") > 1 && number(&made, "tests") <= number(&whole, "tests"));
    let [whole, more] = ["whole", "more"].map(|name| json(at, &format!("score {name}.json {hotel}"), 0));
    assert_eq!(
        (&whole["killed"], &whole["killable"]),
        (&more["killed"], &more["killable"])
    );
    let again = json(at, &format!("testgen {hotel} --extend more.json --out again.json"), 0);
    assert_eq!(again["tests"], made["tests"]);
    let output = tamper(
        at,
        &format!("testgen {hotel} --extend more.json --refusals never --out again.json"),
    );
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(2) && stderr.contains("leave --refusals out"),
        "{stderr}"
    );
}

#[test]
fn options_of_long_tests_go_with_these_only() {
    let folder = tempfile::tempdir().unwrap();
    let (at, hotel) = (folder.path(), study("hotel"));
    for (words, said) in [
        ("--rounds 2", "--rounds is for long tests"),
        ("--grid 1/10", "--grid is for tests of fixed times"),
        ("--for programs --rounds 2", "--rounds is for long tests"),
        ("--for programs --grid 2/10", "1 or a part of 1"),
        ("--linger 0", "off, on, or a whole number of time units"),
    ] {
        let output = tamper(at, &format!("testgen {} {words} --out suite.json", hotel.display()));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(2) && stderr.contains(said),
            "{words}: {stderr}"
        );
    }
    // What is typed counts.
    let words = "--for programs --strategy per-mutant --refusals error --delays earliest --operators paper";
    json(at, &format!("testgen {} {words} --out typed.json", hotel.display()), 0);
    json(at, &format!("testgen {} --out plain.json", hotel.display()), 0);
    let read = |name: &str| std::fs::read_to_string(at.join(name)).unwrap();
    assert_eq!(read("typed.json"), read("plain.json"));
    let made = json(
        at,
        &format!(
            "testgen {} --for programs --kill potential --strategy fewest --grid 1 --out grid.json",
            hotel.display()
        ),
        0,
    );
    let off = made["off_grid"].as_array().expect("a list");
    let suite = read_suite(&read("grid.json")).unwrap();
    let of_whole_times = suite.tests.iter().filter(|test| test.scale() == 1.into()).count();
    assert_eq!(off.len() + of_whole_times, suite.tests.len());
}
