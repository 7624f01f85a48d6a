//! Tests for what an existing suite does not kill, held against what the plain simulator finds of every test and mutant.

use std::cell::RefCell;
use std::collections::BTreeSet;

use tamper::experiment::killing::{
    Candidate, Existing, Generated, KillGoal, Strategy, SuiteOptions, extended, generate,
};
use tamper::experiment::{Limits, Timer};
use tamper::suite::{SuiteFailure, TestCase};

use crate::suites::adversary::{Case, case};
use crate::suites::simulator::{Outcome, outcome};
use testing::oracle::{apply, run};

#[derive(Default, Debug)]
struct Tally {
    suites: u32,
    /// Mutants that an existing test kills, and mutants for which a test was added.
    killed_before: u32,
    added: u32,
    /// Mutants that a test can fail on, and another one always does.
    surer: u32,
    too_long: u32,
}

/// By test and mutant.
type Table = Vec<Vec<Outcome>>;

fn table(tests: &[TestCase], case: &Case, candidates: &[Candidate]) -> Option<Table> {
    let tester = case.tester()?;
    let of_test = |test: &TestCase| {
        let of_mutant = |candidate: &Candidate| match candidate.subject {
            Err(_) => Some(Outcome::default()),
            Ok(_) => {
                let game = apply::mutant(tester.automaton(), &candidate.mutations);
                outcome(test, &case.refusals.met(game))
            }
        };
        candidates.iter().map(of_mutant).collect()
    };
    tests.iter().map(of_test).collect()
}

/// Whether one of the tests kills the mutant at the position as surely as `killable` says that a test can and `wanted` counts.
fn is_killed(table: &[Vec<Outcome>], at: usize, killable: &str, wanted: KillGoal) -> bool {
    table.iter().any(|row| match (wanted, killable) {
        (KillGoal::Potential, _) | (KillGoal::Both, "potential") => row[at].fail,
        _ => row[at].always_fails(),
    })
}

fn check(case: &Case, tally: &RefCell<Tally>) -> Result<(), String> {
    let Some(tester) = case.tester() else { return Ok(()) };
    let mut candidates = case.candidates(&tester);
    candidates.retain(|candidate| !matches!(candidate.subject, Err(SuiteFailure::Game(_))));
    let timer = Timer::new(Limits::default());
    let strategy = match case.strategy {
        // What is extended has no long tests: these may fail where others always do.
        Strategy::ForPrograms => Strategy::Minimal,
        other => other,
    };
    let wish = SuiteOptions {
        strategy,
        ..case.wish()
    };
    let whole = generate(&tester, &candidates, &wish, &timer, &|_| ()).map_err(|error| error.to_string())?;
    // Every other test is there already, of those that need not always fail where that is wished of new ones.
    let wanted = KillGoal::Potential;
    let potential = generate(
        &tester,
        &candidates,
        &SuiteOptions { wanted, ..wish.clone() },
        &timer,
        &|_| (),
    );
    let potential = potential.map_err(|error| error.to_string())?;
    let existing: Vec<TestCase> = potential.tests.iter().skip(1).step_by(2).cloned().collect();
    let there_is = Existing {
        tester: &tester,
        tests: &existing,
    };
    let made = extended(there_is, &candidates, &wish, &timer, &|_| ()).map_err(|error| error.to_string())?;
    let Some(found) = table(&made.tests, case, &candidates) else {
        tally.borrow_mut().too_long += 1;
        return Ok(());
    };
    let (before, after) = found.split_at(existing.len());
    if made.tests[..existing.len()] != existing[..] {
        return Err("the existing tests are not as they were".to_owned());
    }
    let ids: BTreeSet<&str> = made.tests.iter().map(|test| test.id.as_str()).collect();
    if ids.len() != made.tests.len() {
        return Err(format!("ids: {ids:?}"));
    }
    let mut tally = tally.borrow_mut();
    tally.suites += u32::from(!existing.is_empty());
    let mut is_left = false;
    for (at, (mutant, fresh)) in made.mutants.iter().zip(&whole.mutants).enumerate() {
        let wrong = |what: &str| Err(format!("{}: {what}: {mutant:?}, made anew {fresh:?}", mutant.id));
        if (&mutant.id, &mutant.killable) != (&fresh.id, &fresh.killable) {
            return wrong("something else is said of it");
        }
        let (killable, wanted) = (mutant.killable.as_str(), wish.wanted);
        let was_killed = is_killed(before, at, killable, wanted);
        if fresh.test.is_some() != is_killed(&found, at, killable, wanted) {
            return wrong("the suite does not kill what one made anew kills");
        }
        let named = |tests: &Generated| {
            tests
                .tests
                .iter()
                .position(|test| Some(&test.id) == mutant.test.as_ref())
        };
        match named(&made) {
            Some(test) if !is_killed(&found[test..=test], at, killable, wanted) => {
                return wrong("its test does not kill it");
            }
            Some(test) if was_killed != (test < existing.len()) => return wrong("its test is not the existing one"),
            _ => {}
        }
        let is_added = !was_killed && mutant.test.is_some();
        is_left |= is_added;
        tally.killed_before += u32::from(was_killed);
        tally.added += u32::from(is_added);
        tally.surer += u32::from(is_added && before.iter().any(|row| row[at].fail));
    }
    match is_left || after.is_empty() {
        true => Ok(()),
        false => Err("tests were added for nothing".to_owned()),
    }
}

#[test]
fn an_extended_suite_kills_what_a_new_one_kills_and_adds_tests_for_nothing_else() {
    let tally = RefCell::new(Tally::default());
    run::check(600, &case(), |case| check(case, &tally));
    let tally = tally.into_inner();
    println!("{tally:?}");
    assert!(tally.suites >= 15 && tally.too_long * 10 < tally.suites, "{tally:?}");
    assert!(
        tally.killed_before >= 30 && tally.added >= 100 && tally.surer >= 2,
        "{tally:?}"
    );
}
