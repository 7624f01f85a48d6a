//! After a random edit of a random game: what is decided by the counterexamples of the run before it is what is decided without.

use std::cell::RefCell;
use std::sync::Arc;

use proptest::prelude::*;
use tamper::experiment::{Engine, Record, Since, Verdict};
use tamper::model::Automaton;
use tamper::mutation::{MutationOptions, Mutations, Operator};

use super::games::{Case, case};
use crate::oracle::run;

const CASES: u32 = 150;
const MOST: u64 = 40;

#[derive(Default, Debug)]
struct Tally {
    edits: u64,
    mutants: u64,
    /// Counterexamples of the run before the edit, tried on the mutants of the same ids.
    tried: u64,
    held: u64,
    /// Counterexamples tried on mutants that they were not made for.
    strange: u64,
    strange_held: u64,
    /// Of these, tried on mutants that are not non-subsumed.
    strange_in_vain: u64,
}

/// The game after up to three mutations of any operator.
fn edited(game: &Automaton, edits: &[u64]) -> Automaton {
    let options = MutationOptions {
        operators: Operator::ALL.to_vec(),
        ..MutationOptions::default()
    };
    edits.iter().fold(game.clone(), |game, edit| {
        let mutations = Mutations::of(&game, &options);
        match mutations.get(edit % mutations.len().max(1)) {
            Some(mutation) => mutation.apply(&game),
            None => game,
        }
    })
}

fn witnesses(records: &[Record]) -> Vec<(String, String)> {
    let shown = records.iter().filter(|record| record.duplicate_of.is_none());
    let shown = shown.filter_map(|record| Some((record.id.clone(), record.witness.clone()?)));
    shown.collect()
}

/// Each counterexample for a mutant that it was not made for, also for those that cannot be told from the game.
fn dealt(witnesses: &[(String, String)], records: &[Record]) -> Vec<(String, String)> {
    let later = witnesses.iter().cycle().skip(1);
    records
        .iter()
        .zip(later)
        .map(|(record, (_, witness))| (record.id.clone(), witness.clone()))
        .collect()
}

/// The records without what they show: which counterexample a mutant has may differ.
fn bare(records: &[Record]) -> Vec<Record> {
    let bare = |record: &Record| Record {
        witness: record.witness.as_ref().map(|_| String::new()),
        ..record.clone()
    };
    records.iter().map(bare).collect()
}

fn same(what: &str, found: &[Record], right: &[Record]) -> Result<(), String> {
    let mut pairs = bare(found).into_iter().zip(bare(right));
    match pairs.find(|(found, right)| found != right) {
        Some((found, right)) => Err(format!("{what}: {found:?}, without {right:?}")),
        None if found.len() != right.len() => Err(format!("{what}: {} records", found.len())),
        None => Ok(()),
    }
}

fn check(case: &Case, edits: &[u64], tally: &RefCell<Tally>) -> Result<(), String> {
    let (question, game) = (&case.question, case.game());
    let edited = edited(&game, edits);
    let before = question.with_witnesses(&game, Engine::Family, None);
    let (Some(before), Some(whole)) = (before, question.with_witnesses(&edited, Engine::Family, None)) else {
        return Ok(());
    };
    let witnesses = witnesses(&before);
    let run = |engine, since: &Arc<Since>| question.with_witnesses(&edited, engine, Some(since)).expect("a run");
    let own = Since::of(witnesses.clone());
    same("since", &run(Engine::Family, &own), &whole)?;
    let strange = Since::of(dealt(&witnesses, &whole));
    same("counterexamples of others", &run(Engine::Enumerate, &strange), &whole)?;
    let mut tally = tally.borrow_mut();
    tally.edits += 1;
    tally.mutants += whole.len() as u64;
    tally.tried += own.n_tried();
    tally.held += own.n_held();
    tally.strange += strange.n_tried();
    tally.strange_held += strange.n_held();
    let cannot = |record: &&Record| record.verdict != Verdict::NonSubsumed && record.violates.is_empty();
    tally.strange_in_vain += match strange.is_empty() {
        true => 0,
        false => whole.iter().filter(cannot).count() as u64,
    };
    Ok(())
}

#[test]
fn after_an_edit_the_counterexamples_of_the_run_before_decide_what_is_decided_without() {
    let tally = RefCell::new(Tally::default());
    let edits = prop::collection::vec(any::<u64>(), 1..=3);
    run::check(CASES, &(case(MOST), edits), |(case, edits)| check(case, edits, &tally));
    let tally = tally.into_inner();
    println!("{tally:?}");
    assert!(
        tally.edits >= 100 && tally.held >= 150 && tally.held < tally.tried,
        "{tally:?}"
    );
    assert!(tally.strange_held >= 50 && tally.strange_in_vain >= 200, "{tally:?}");
}
