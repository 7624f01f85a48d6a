//! Programs with one fault, diagnosed: the fault is always among the suspects.
//!
//! A program is an execution of a mutant of a random game, the mutant made by the tests' own code. It is given inputs at random times;
//! its outputs are seen within a tolerance. What is said of all mutants is compared with plain enumeration, too; so is what explains
//! most of the runs of two programs together.

use std::cell::RefCell;
use std::collections::BTreeMap;

use num_rational::BigRational;
use proptest::prelude::*;
use tamper::experiment::{Alike, Evidence, Limits, MutantSet, Seen, Suspect, Suspects, Timer, constants, ranked};
use tamper::mutation::{MutantSpace, MutationOptions, Operator, Order, TadGuard};
use tamper::text::Budget;

use crate::suites::programs_under_test::judged::{Log, Recipe, Runs, log, recipe, walked};
use testing::oracle::apply;
use testing::oracle::generate::{Sketch, sketch};
use testing::oracle::run;

/// A specification, which mutant is the program, and how its runs are made.
type Case = (Sketch, u64, Vec<Recipe>);

fn cases() -> impl Strategy<Value = Case> {
    let recipes = proptest::collection::vec(recipe(), 1..=12);
    (sketch(), any::<u64>(), recipes)
}

fn options() -> MutationOptions {
    MutationOptions {
        operators: Operator::of_games().to_vec(),
        again: Operator::of_games().to_vec(),
        step: 1,
        tad_guard: TadGuard::FirstEdge,
        cxs_to_zero: true,
        conjuncts: true,
    }
}

fn seen((number, log): (usize, &Log)) -> Seen {
    Seen {
        test: number.to_string(),
        events: log.events(),
        until: log.end(),
    }
}

fn check((sketch, which, recipes): &Case, tally: &RefCell<BTreeMap<String, u32>>) -> Result<(), String> {
    let spec = sketch.build("S");
    let Ok(space) = MutantSpace::new(&spec, &options(), Order::FIRST) else {
        return Ok(());
    };
    if space.is_empty() {
        return Ok(());
    }
    let number = which % space.n_mutants();
    let chosen = space.mutants(&[number]).map_err(|error| error.to_string())?.remove(0);
    let program = apply::mutant(&spec, &chosen.mutations);
    if tamper::suite::Monitor::new(&program, &Budget::unlimited()).is_err() {
        return Ok(());
    }
    // All runs of a program are seen with the same tolerance.
    let tolerance = recipes[0].tolerance;
    let recipes: Vec<Recipe> = recipes.iter().map(|recipe| recipe.within(tolerance)).collect();
    let walks = recipes.iter().map(|recipe| walked(&program, recipe).number());
    let logs: Vec<Log> = walks.collect();
    let evidence = Evidence {
        runs: logs.iter().enumerate().map(seen).collect(),
        tolerance: logs[0].allowance(),
    };
    let timer = Timer::new(Limits::default());
    let said = nearest(&space, &evidence, 0)?;
    let named: Vec<u64> = said.found.iter().map(|suspect| suspect.mutant.number).collect();
    if !named.contains(&number) {
        return Err(format!("{} ({number}) is not named: {named:?}\n{logs:?}", chosen.id));
    }
    let mut counts = tally.borrow_mut();
    let mut count = |what: String| *counts.entry(what).or_default() += 1;
    count("programs".to_owned());
    let is_hidden = evidence.contradicting(&spec, 0, &Budget::unlimited());
    let percent = named.len() as u64 * 100 / space.n_mutants();
    let named_of_all = match percent {
        0..5 => "below 5",
        5..20 => "5 to 20",
        20..50 => "20 to 50",
        _ => "50 or more",
    };
    let shown = match is_hidden {
        Ok(Some(_)) => "hidden, and the specification explains it",
        Ok(None) => "shown",
        // It has no state.
        Err(_) => "all there is",
    };
    count(format!(
        "the fault is {shown}; named are {named_of_all} % of the mutants"
    ));
    others(&space, &spec, &logs, &said)?;
    let groups = grouped(said.found, &chosen.id, &timer)?;
    let half = recipes.len().div_ceil(2);
    count(two_programs(&space, &spec, (&logs[..half], &recipes), number / 2)?);
    if shown == "shown" {
        count(format!(
            "the fault is shown; groups: {}",
            if groups > 9 {
                "10 or more".to_owned()
            } else {
                groups.to_string()
            }
        ));
    }
    Ok(())
}

/// The mutants that leave the fewest runs unexplained, at most `most`.
fn nearest(space: &MutantSpace, evidence: &Evidence, most: usize) -> Result<Suspects, String> {
    let mut said = Suspects::within(most);
    let looked = said.look(space, evidence, &Timer::new(Limits::default()), &|| ());
    looked.map(|()| said).map_err(|error| error.to_string())
}

/// A few mutants are looked at by plain enumeration: none explains more runs than `said`, and those that explain as many are among them.
fn others(space: &MutantSpace, spec: &tamper::model::Automaton, logs: &[Log], said: &Suspects) -> Result<(), String> {
    let least = said.found.first().map_or(0, |first| first.contradicting.len());
    let n = space.n_mutants();
    for number in (0..n).step_by(usize::try_from(n / 3 + 1).expect("few")) {
        let mutant = space.mutants(&[number]).map_err(|error| error.to_string())?.remove(0);
        let game = apply::mutant(spec, &mutant.mutations);
        if tamper::suite::Monitor::new(&game, &Budget::unlimited()).is_err() {
            continue;
        }
        let unexplained = |log: &Log| Some(!Runs::new(&game, log, true).all(log.until + log.tolerance)?.is_explained);
        let Some(unexplained) = logs.iter().map(unexplained).collect::<Option<Vec<bool>>>() else {
            continue;
        };
        let contradicting: Vec<usize> = (0..logs.len()).filter(|at| unexplained[*at]).collect();
        let named = said.found.iter().find(|suspect| suspect.mutant.number == number);
        let is_right = match named {
            Some(suspect) => suspect.contradicting == contradicting,
            None if said.found.is_empty() => !contradicting.is_empty(),
            None => contradicting.len() > least,
        };
        if !is_right {
            let named = named.map(|suspect| &suspect.contradicting);
            return Err(format!(
                "{}: named {named:?}, least {least}, but {contradicting:?}: {logs:?}",
                mutant.id
            ));
        }
    }
    Ok(())
}

/// The runs by `recipes` are those of another mutant, changed at random, so often nothing explains all of them. What came of it.
fn two_programs(
    space: &MutantSpace,
    spec: &tamper::model::Automaton,
    (logs, recipes): (&[Log], &[Recipe]),
    other: u64,
) -> Result<String, String> {
    let mutant = space.mutants(&[other]).map_err(|error| error.to_string())?.remove(0);
    let program = apply::mutant(spec, &mutant.mutations);
    if tamper::suite::Monitor::new(&program, &Budget::unlimited()).is_err() {
        return Ok("no second program".to_owned());
    }
    let walks = recipes.iter().map(|recipe| log(&program, recipe));
    let mixed: Vec<Log> = logs.iter().cloned().chain(walks).collect();
    let evidence = Evidence {
        runs: mixed.iter().enumerate().map(seen).collect(),
        tolerance: mixed[0].allowance(),
    };
    let said = nearest(space, &evidence, mixed.len())?;
    others(space, spec, &mixed, &said)?;
    Ok(match said.found.first().map(|first| first.contradicting.len()) {
        Some(0) => "something explains the runs of two programs",
        Some(_) => "the nearest explain most runs of two programs",
        None => "nothing explains any run of two programs",
    }
    .to_owned())
}

/// How many groups the suspects make; `id`, or its constant, is in one.
fn grouped(mut found: Vec<Suspect>, id: &str, timer: &Timer) -> Result<usize, String> {
    let exchanged = constants(&mut found, i64::MAX);
    let groups: Vec<Alike> = ranked(found, timer);
    let is_there = groups
        .iter()
        .flat_map(|group| &group.mutants)
        .any(|mutant| mutant.id == id);
    let is_exchange = id.starts_with("CXL") || id.starts_with("CXS");
    match is_there || (is_exchange && !exchanged.is_empty()) {
        true => Ok(groups.len() + exchanged.len()),
        false => Err(format!("{id} is lost: {groups:?} {exchanged:?}")),
    }
}

#[test]
fn the_fault_of_a_program_is_always_among_the_suspects() {
    let tally = RefCell::new(BTreeMap::new());
    run::check(60, &cases(), |case| check(case, &tally));
    let tally = tally.into_inner();
    println!("{tally:#?}");
    let programs = tally.get("programs").copied().unwrap_or(0);
    assert!(
        std::env::var_os("TAMPER_CASES").is_some() || programs >= 30,
        "{tally:#?}"
    );
}

fn number(value: i64) -> BigRational {
    BigRational::from_integer(value.into())
}

/// `o` is due from 2 to 3 after `a`; the program makes it 5 after. By hand: the constants that explain it are the upper bound of
/// the invariant, from 5 on, if the guard allows 5 as well.
#[test]
fn a_late_output_names_the_constant_and_from_where_on() {
    let spec = testing::oracle::games::game(
        "S",
        "clock x\nloc A\nloc B inv x<=3\nedge A -> B : a? do x:=0\nedge B -> A : o! when x>=2",
    );
    let events = [
        (1, tamper::suite::What::Input("a?".into())),
        (6, tamper::suite::What::Output("o!".into())),
    ];
    let evidence = Evidence {
        runs: vec![Seen {
            test: "t1".to_owned(),
            events: events
                .map(|(at, what)| tamper::suite::Event { at: number(at), what })
                .into(),
            until: number(7),
        }],
        tolerance: number(0),
    };
    let timer = Timer::new(Limits::default());
    let mut all = Suspects::within(0);
    for step in 1..=5 {
        let options = MutationOptions {
            operators: vec![Operator::Cxl, Operator::Cxs],
            step,
            ..options()
        };
        let space = MutantSpace::new(&spec, &options, Order::FIRST).expect("mutants");
        all.look(&space, &evidence, &timer, &|| ()).expect("no limit");
    }
    let named = constants(&mut all.found, 8);
    assert!(all.found.is_empty());
    let said: Vec<String> = named
        .iter()
        .map(|named| format!("{} {} {:?}", named.site, named.constraint, named.ranges))
        .collect();
    assert_eq!(said, ["invariant:B x<=3 [ConstantRange { from: 5, to: 8 }]"]);
}

/// The lamp turns on 5/2 after a touch, where 2 is allowed (`examples/lamp`). By hand: whole constants from 3 on explain that, and
/// so does the location without its invariant; the correct lamp needs no fault.
#[test]
fn a_late_lamp_is_diagnosed_from_the_results_of_its_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let suite = crate::suites::programs_under_test::lamp::suite(folder.path(), "per-mutant");
    let diagnosed = |fault: &str, words: &[&str]| {
        let results = folder.path().join("run.jsonl").display().to_string();
        let sut = format!("{}{fault}", crate::suites::programs_under_test::lamp::lamp().display());
        crate::suites::programs_under_test::lamp::run(&suite, &sut, &["--accelerated", "--results", &results]);
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_tamper"))
            .args(["diagnose", &results, "--format", "json"])
            .args(words)
            .output()
            .expect("tamper runs");
        assert_eq!(
            output.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON")
    };
    let first = ["--operators", "CXL,CXS,RIV"];
    let late = diagnosed(" --fault late-dim", &first);
    assert_eq!(late["model_explains"], false);
    let constant = &late["constants"];
    assert_eq!(constant.as_array().map(Vec::len), Some(1), "{constant}");
    assert_eq!(constant[0]["site"], "invariant:Starting");
    assert_eq!(constant[0]["instead"], serde_json::json!([{ "from": 3 }]));
    assert_eq!(late["mutants"][0][0]["id"], "RIV:Starting");
    assert_eq!(late["mutants"].as_array().map(Vec::len), Some(1));
    assert_eq!(diagnosed("", &first)["model_explains"], true);
    let pairs = diagnosed(" --fault late-dim", &["--operators", "RIV", "--order", "2"]);
    let groups = pairs["mutants"].as_array().expect("groups").iter();
    let mut said = groups.flat_map(|group| group.as_array().expect("mutants"));
    let pair = said
        .find(|pair| pair["id"] == "RIV:Starting;RIV:Bright")
        .expect("it explains every log");
    assert_eq!(
        pair["what"],
        "removes the invariant of Starting, then removes the invariant of Bright"
    );
}

/// Random tests judged by the model: the correct lamp passes all, the late one none that touches it; the same seed gives the same bytes.
#[test]
fn random_tests_fail_the_late_lamp_and_pass_the_correct_one() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/uppaal-models/lamp.xml");
    let run = |fault: &str, seed: &str| {
        let sut = format!("{}{fault}", crate::suites::programs_under_test::lamp::lamp().display());
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_tamper"))
            .args([
                "run",
                "--random",
                "20",
                "--model",
                model,
                "--sut",
                &sut,
                "--accelerated",
            ])
            .args(["--seed", seed])
            .output()
            .expect("tamper runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        (output.status.code(), text)
    };
    let (code, text) = run("", "1");
    assert_eq!(
        (code, text.trim()),
        (Some(0), "20 tests: 20 pass, 0 inconclusive, 0 fail")
    );
    let (code, text) = run(" --fault late-dim", "1");
    assert_eq!(code, Some(1));
    // By hand: dim! is allowed from 1 to 2 after a touch, and comes after 5/2.
    assert!(text.contains("expected dim, dim came too late"), "{text}");
    assert_eq!(run(" --fault late-dim", "1").1, text);
    assert_ne!(run(" --fault late-dim", "2").1, text);
}
