//! The account of `testgen` and `score`: what `classify` says, what tests kill, and why that is not the same, held against
//! region graphs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tamper::experiment::killing::{Candidate, candidates, ignoring};
use tamper::experiment::{Limits, Selection, Timer};
use tamper::formats::write_automaton;
use tamper::model::Automaton;
use tamper::mutation::{MutantSpace, MutationOptions, Order};
use tamper::suite::{Refusals, SuiteFailure};
use testing::oracle::apply;
use testing::oracle::faults::has_fault;
use testing::oracle::refinement::{Answer, DEFINITION, STRICT, decide};
use testing::oracle::run;
use testing::suites::account::{Known, account};

use crate::suites::adversary::{Case, case, truth};

/// Most operators of a case, and most mutants.
const MOST: (usize, u64) = (4, 60);

/// What a command answers in JSON, whatever its exit code.
pub fn answer(folder: &Path, words: &[&str]) -> Result<Value, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamper"));
    let output = command
        .args(words)
        .args(["--format", "json"])
        .current_dir(folder)
        .output();
    let output = output.expect("tamper runs");
    serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("{words:?}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// Compares what the commands say of `model.xml` in `folder` with the account by the region graphs; `None` if the model itself is
/// inconsistent.
pub fn compare(folder: &Path, options: &[&str], right: Option<&Value>) -> Result<(), String> {
    let made = answer(
        folder,
        &[&["testgen", "model.xml", "--out", "suite.json"], options].concat(),
    )?;
    let of_scores: Vec<&str> = options
        .iter()
        .copied()
        .filter(|word| !["--refusals", "never"].contains(word))
        .collect();
    let scored = answer(
        folder,
        &[&["score", "suite.json", "model.xml"], &of_scores[..]].concat(),
    )?;
    for said in [&made, &scored] {
        if said.get("account") != right {
            return Err(format!("{said}\nright: {right:?}"));
        }
    }
    let Some(right) = right else { return Ok(()) };
    let judged = answer(
        folder,
        &[&["classify", "model.xml", "--out", "run"], &of_scores[..]].concat(),
    )?;
    let same = judged["total"]["non_subsumed"] == right["non_subsumed"] && scored["killable"] == right["killable"];
    match same {
        true => Ok(()),
        false => Err(format!("{judged}\n{scored}\nright: {right}")),
    }
}

fn known(spec: &Automaton, candidate: &Candidate, refusals: Refusals) -> Result<Known, String> {
    let mutant = apply::mutant(spec, &candidate.mutations);
    let [strict, unpruned] = [STRICT, DEFINITION].map(|rules| decide(&mutant, spec, rules));
    Ok(Known {
        is_non_subsumed: strict == Answer::NonSubsumed,
        is_inconsistent: strict == Answer::Inconsistent,
        is_non_subsumed_unpruned: unpruned == Answer::NonSubsumed,
        is_killable: truth(spec, candidate, refusals)?.potential,
    })
}

/// What was compared.
type Counts = BTreeMap<String, u64>;

fn check(case: &Case, counts: &RefCell<Counts>) -> Result<(), String> {
    let Some(tester) = case.tester() else { return Ok(()) };
    let (spec, wish) = (tester.automaton(), case.wish());
    let mut operators = wish.mutation.operators;
    operators.truncate(MOST.0);
    let options = MutationOptions {
        operators,
        ..MutationOptions::default()
    };
    let Ok(space) = MutantSpace::new(spec, &options, Order::FIRST) else {
        return Ok(());
    };
    if space.is_empty() || space.len() > MOST.1 {
        return Ok(());
    }
    let timer = Timer::new(Limits::default());
    let found = candidates(&space, &Selection::All(space.len()), &|_| true, &tester, &timer);
    let mutants = ignoring(found.expect("mutants"), wish.refusals, &timer);
    let is_plain = |mutant: &Candidate| {
        let game = apply::mutant(spec, &mutant.mutations);
        !has_fault(&game) && !matches!(mutant.subject, Err(SuiteFailure::Game(_)))
    };
    if !mutants.iter().all(is_plain) {
        return Ok(());
    }
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("model.xml"), write_automaton(spec)).expect("written");
    let known = mutants.iter().map(|mutant| known(spec, mutant, wish.refusals));
    let known: Vec<Known> = known.collect::<Result<_, _>>()?;
    let is_inconsistent = decide(spec, spec, STRICT) == Answer::SpecInconsistent;
    let right = (!is_inconsistent).then(|| account(&known));
    let names: Vec<&str> = options.operators.iter().map(|operator| operator.name()).collect();
    let names = names.join(",");
    let mut words = vec!["--operators", names.as_str()];
    if wish.refusals == Refusals::Never {
        words.extend(["--refusals", "never"]);
    }
    compare(folder.path(), &words, right.as_ref())?;
    let mut counts = counts.borrow_mut();
    let mut count = |what: &str, n: u64| *counts.entry(what.to_owned()).or_default() += n;
    count(
        if is_inconsistent {
            "games without verdicts"
        } else {
            "games"
        },
        1,
    );
    count("mutants", known.len() as u64);
    let disagreements = right.as_ref().and_then(|right| right["disagreements"].as_object());
    for (why, n) in disagreements.into_iter().flatten() {
        count(why, n.as_u64().expect("a number"));
    }
    Ok(())
}

#[test]
fn the_account_of_a_suite_is_that_of_the_region_graphs() {
    let counts = RefCell::new(Counts::new());
    run::check(200, &case(), |case| check(case, &counts));
    let counts = counts.into_inner();
    println!("{counts:?}");
    if std::env::var_os("TAMPER_CASES").is_some() {
        return;
    }
    for what in ["games", "time_stops", "refuses"] {
        assert!(counts.contains_key(what), "{what}: {counts:?}");
    }
}
