//! What `run` says beside the results: the chance of random tests, random tests that fill a budget, inputs that are always refused.

use std::cell::Cell;
use std::process::Command;

use num_rational::BigRational;
use num_traits::Zero as _;
use proptest::prelude::*;
use serde_json::Value;
use tamper::experiment::killing::{ChanceRequest, chance};
use tamper::experiment::{Limits, Timer};
use tamper::features::Random;
use tamper::model::Automaton;
use tamper::suite::{
    Monitor, OnlineOracle, Opponent, RandomGame, RandomGuide, Subject, TestVerdict, drive_online, n_events,
};
use tamper::text::Budget;

use crate::suites::programs_under_test::lamp::{lamp, run, suite};
use testing::oracle::games::game;
use testing::oracle::generate::sketch;
use testing::oracle::run;

/// A random test of `program`, judged by `specification`: how many inputs and outputs it saw, and whether it fails.
fn walk(specification: &Automaton, program: &Automaton, seed: u64) -> Option<(usize, bool)> {
    let budget = Budget::unlimited();
    let monitor = Monitor::new(specification, &budget).ok()?;
    let opponent = Opponent::alone(&Subject::new(program, &budget).ok()?).ok()?;
    let (mut tester, mut choices) = (Random::new(seed), Random::new(!seed));
    let mut guide = RandomGuide::new(&mut tester, 12, 6);
    let oracle = OnlineOracle {
        monitor: &monitor,
        tolerance: &BigRational::zero(),
        longest: 6,
        budget: &budget,
        is_over: &|| false,
    };
    let driven = drive_online(oracle, &mut guide, &mut RandomGame::new(&opponent, &mut choices)).ok()?;
    Some((n_events(&driven.log), driven.verdict == TestVerdict::Fail))
}

/// A game makes nothing that it does not allow itself, and stays silent no longer than it may.
#[test]
fn a_game_as_a_program_never_fails_by_itself() {
    let (walks, events) = (Cell::new(0), Cell::new(0));
    run::check(120, &(sketch(), any::<u64>()), |(sketch, seed)| {
        let spec = sketch.build("S");
        let Some((n_events, fails)) = walk(&spec, &spec, *seed) else {
            return Ok(());
        };
        walks.set(walks.get() + 1);
        events.set(events.get() + n_events);
        match fails {
            true => Err("the game fails by itself".to_owned()),
            false => Ok(()),
        }
    });
    println!("{} walks, {} inputs and outputs", walks.get(), events.get());
    assert!(std::env::var_os("TAMPER_CASES").is_some() || (walks.get() >= 60 && events.get() >= 200));
}

/// By hand: `o` is due from 1 to 2 after `a`. A program that makes it 5 after fails every test that gives `a` and waits; the game itself
/// fails none; a budget of one event is over before the missing output can be seen.
#[test]
fn the_chance_is_one_or_nothing_where_it_must_be() {
    let written = |bounds: [u32; 2]| {
        let [low, high] = bounds;
        game(
            "S",
            &format!(
                "clock x\nloc A\nloc B inv x<={high}\nedge A -> B : a? do x:=0\nedge B -> A : o! when x>={low}\nedge B -> B : a?"
            ),
        )
    };
    let spec = written([1, 2]);
    let shown = |bounds, events| {
        let mutant = Subject::new(&written(bounds), &Budget::unlimited()).expect("a game");
        let request = ChanceRequest {
            specification: &spec,
            mutants: &[mutant],
            events,
            longest: 6,
        };
        let found = chance(request, &Timer::new(Limits::default()))
            .expect("no limit")
            .expect("a chance");
        assert_eq!((found.events, found.mutants, found.drawn), (events, 1, 200));
        found.shown
    };
    assert_eq!(shown([1, 2], 60), 0);
    assert_eq!(shown([5, 5], 60), 200);
    // Above is what is certain; an output that may come too late by chance lies between.
    let sometimes = shown([1, 3], 6);
    assert!(0 < sometimes && sometimes < 200, "{sometimes}");
    assert!(chance_of_nothing(&spec).is_none());
}

fn chance_of_nothing(spec: &Automaton) -> Option<tamper::experiment::killing::Chance> {
    let request = ChanceRequest {
        specification: spec,
        mutants: &[],
        events: 10,
        longest: 6,
    };
    chance(request, &Timer::new(Limits::default())).expect("no limit")
}

/// Inputs and outputs in the logs of tests whose ids begin so.
fn seen(answer: &Value, prefix: &str) -> Vec<usize> {
    let runs = answer["runs"].as_array().expect("runs").iter();
    let of = runs.filter(|run| run["test"].as_str().expect("an id").starts_with(prefix));
    let count = |run: &Value| {
        let log = run["log"].as_array().expect("a log").iter();
        log.filter(|event| event.get("input").is_some() || event.get("output").is_some())
            .count()
    };
    of.map(count).collect()
}

#[test]
fn a_run_ends_with_the_chance_and_fills_a_budget() {
    let folder = tempfile::tempdir().expect("a folder");
    let suite = suite(folder.path(), "per-mutant");
    let sut = lamp().display().to_string();
    let (code, answer) = run(&suite, &sut, &["--accelerated"]);
    assert_eq!(code, Some(0));
    let chance = &answer["chance"];
    let of_suite: usize = seen(&answer, "t").iter().sum();
    assert_eq!(chance["events"], of_suite);
    // What the suite kills: 56 mutants, as `testgen` says.
    assert_eq!(chance["mutants"], 56);
    let share = chance["shown"].as_f64().expect("a number") / chance["drawn"].as_f64().expect("a number");
    let bound = |name: &str| chance[name].as_f64().expect("a number");
    assert!(bound("low") <= share && share <= bound("high"), "{chance}");
    assert_eq!(
        run(&suite, &sut, &["--accelerated", "--threads", "1"]).1["chance"],
        *chance
    );
    // Not of a part, and not where nothing says what is right.
    assert_eq!(
        run(&suite, &sut, &["--accelerated", "--fail-fast", "--only", "t01"]).1["chance"]["events"],
        seen(&answer, "t01")[0]
    );
    let (_, filled) = run(&suite, &sut, &["--accelerated", "--top-up", "300"]);
    let random = seen(&filled, "random-");
    let before: usize = random[..random.len() - 1].iter().sum();
    assert_eq!(seen(&filled, "t").iter().sum::<usize>(), of_suite);
    assert!(
        of_suite + before < 300 && 300 <= of_suite + random.iter().sum::<usize>(),
        "{random:?}"
    );
    assert_eq!(filled["chance"], *chance);
    let (_, enough) = run(&suite, &sut, &["--accelerated", "--top-up", "1"]);
    assert!(seen(&enough, "random-").is_empty());
    // A suite may pass where the rest of the budget finds a fault.
    let only = ["--accelerated", "--only", "t01", "--top-up", "400"];
    let (code, found) = run(&suite, &format!("{sut} --fault no-auto-off"), &only);
    assert_eq!((code, &found["runs"][0]["verdict"]), (Some(1), &"pass".into()));
}

/// The model has an input that the adapter lacks; it takes the other one, and makes nothing.
#[cfg(unix)]
#[test]
fn an_input_that_is_always_refused_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let model =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/uppaal-models/lamp.xml")).expect("the lamp");
    let edge = r#"<init ref="id0"/><transition controllable="true"><source ref="id0"/><target ref="id0"/><label kind="synchronisation">kick?</label></transition>"#;
    let model = model
        .replace("chan press,", "chan kick, press,")
        .replacen(r#"<init ref="id0"/>"#, edge, 1);
    std::fs::write(folder.path().join("model.xml"), model).expect("it is written");
    let tamper = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamper"));
        let output = command
            .current_dir(folder.path())
            .args(words)
            .output()
            .expect("tamper runs");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let adapter = "while read -r word rest; do case $word in tamper|reset) echo ready;; delay) echo done;; quit) exit;; \
        input) case $rest in press) echo ok;; *) echo refused;; esac;; esac; done";
    std::fs::write(folder.path().join("adapter.sh"), adapter).expect("it is written");
    for kind in [&[][..], &["--for", "programs"]] {
        tamper(&[&["testgen", "model.xml", "--out", "suite.json"], kind].concat());
        let said = tamper(&["run", "suite.json", "--sut", "sh adapter.sh", "--accelerated"]);
        let expected = "note: the adapter has no input `kick`, or the program always refuses it";
        assert!(said.contains(expected), "{kind:?}: {said}");
        assert!(!said.contains("`press`"), "{said}");
    }
}

/// Of a suite for programs only the long tests have fixed times, in quarters of a time unit unless something else is typed.
#[test]
fn times_closer_than_a_clock_of_milliseconds_tells_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/uppaal-models/lamp.xml");
    let tamper = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamper"));
        let output = command.current_dir(folder.path()).args(words).output();
        let output = output.expect("tamper runs");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let make = |grid: &[&str]| {
        let words = ["testgen", model, "--for", "programs", "--out", "suite.json"];
        tamper(&[&words[..], grid].concat())
    };
    let sut = lamp().display().to_string();
    for (grid, parts) in [(&[][..], 4), (&["--grid", "1/10"], 10)] {
        assert_eq!(make(grid).0, Some(0));
        let (fine, enough) = (format!("{}ms", parts - 1), format!("{parts}ms"));
        let said = |unit: &str| tamper(&["run", "suite.json", "--sut", &sut, "--unit", unit]).1;
        let named = format!(
            "multiples of 1/{parts} of a time unit: a clock of milliseconds tells them apart from --unit {parts}ms on"
        );
        assert!(said(&fine).contains(&named), "{}", said(&fine));
        assert!(!said(&enough).contains("a clock of milliseconds"), "{}", said(&enough));
    }
    let (code, refused) = make(&["--grid", "1/5"]);
    assert_eq!(code, Some(2));
    assert!(
        refused.contains("--grid 1/5") && refused.contains("give 1/10"),
        "{refused}"
    );
}
