//! The identity check against the game: a mutant it calls contained is never non-subsumed. Mutants of random games, of
//! order 1 and 2, under both policies for unmatched actions, with and without pruning.

use std::cell::RefCell;
use std::collections::BTreeMap;

use proptest::prelude::*;
use tamper_game::{Baseline, Containment, GameError, Scratch, Semantics, Specification, Verdict};
use tamper_text::Budget;
use tamper_timed::model::Automaton;
use tamper_timed::mutation::{MutantSpace, MutationOptions, Order};
use testing::oracle::generate::{self, Shown};
use testing::oracle::run;
use testing::oracle::show::show;

/// What the identity check found, how often.
type Tally = RefCell<BTreeMap<Option<Containment>, u32>>;

/// A mutant of `space` and the automaton its last mutation was applied to.
fn pick(space: &MutantSpace, choice: u64) -> Option<(Automaton, Automaton)> {
    let (family, position) = space.locate(choice % space.len().max(1))?;
    let siblings = space.siblings(family)?;
    let mutant = siblings.mutant(siblings.last().get(position)?);
    Some(((**siblings.parent()).clone(), mutant))
}

fn sound(spec: &Automaton, choices: &[u64], order: Order, semantics: Semantics, tally: &Tally) -> Result<(), String> {
    let unlimited = Budget::unlimited();
    let text = |error: GameError| error.to_string();
    let space = MutantSpace::new(spec, &MutationOptions::default(), order).map_err(|error| error.to_string())?;
    let specification = match Specification::prepare(spec, semantics, &unlimited) {
        Ok(specification) => specification,
        Err(GameError::SpecInconsistent { .. }) => return Ok(()),
        Err(error) => return Err(text(error)),
    };
    let n_known = spec.actions().len();
    for choice in choices {
        let Some((parent, mutant)) = pick(&space, *choice) else {
            continue;
        };
        let verdict = |left: &Automaton, right: &Specification| {
            right
                .decide(left, &unlimited, &mut Scratch::default())
                .map(|decision| decision.verdict)
                .map_err(text)
        };
        let contained = |origin: &Automaton| -> Result<Option<Containment>, String> {
            let baseline = Baseline::of(origin, n_known, semantics, &unlimited).map_err(text)?;
            baseline.map_or(Ok(None), |baseline| {
                baseline.contains(&mutant, &unlimited).map_err(text)
            })
        };
        let direct = contained(spec)?;
        *tally.borrow_mut().entry(direct).or_insert(0) += 1;
        let against_spec = verdict(&mutant, &specification)?;
        if direct.is_some() && against_spec == Verdict::NonSubsumed {
            return Err(format!("{semantics}: {direct:?} but non-subsumed:\n{}", show(&mutant)));
        }
        // Relative to the mutant it was made from, and from there to the specification.
        let relative = contained(&parent)?;
        let parent_is_bad = verdict(&parent, &specification)? != Verdict::NonSubsumed;
        if relative.is_some() && parent_is_bad && against_spec == Verdict::NonSubsumed {
            return Err(format!(
                "{semantics}: {relative:?} of a subsumed mutant but non-subsumed:\n{}",
                show(&mutant)
            ));
        }
    }
    Ok(())
}

fn check(cases: u32, order: Order) {
    let tally = Tally::default();
    let games = (generate::game(), prop::collection::vec(any::<u64>(), 6));
    run::check(cases, &games, |(Shown(spec), choices)| {
        Semantics::ALL
            .iter()
            .try_for_each(|semantics| sound(spec, choices, order, *semantics, &tally))
    });
    let tally = tally.into_inner();
    for reason in [
        None,
        Some(Containment::Narrower),
        Some(Containment::NeverEnabled),
        Some(Containment::DeadEnd),
        Some(Containment::IgnoredLoop),
    ] {
        assert!(
            tally.get(&reason).is_some_and(|n| *n > 5),
            "{reason:?} is too rare to test: {tally:?}"
        );
    }
}

#[test]
fn contained_first_order_mutants_are_never_non_subsumed() {
    check(300, Order::FIRST);
}

#[test]
fn contained_second_order_mutants_are_never_non_subsumed() {
    check(300, Order::SECOND);
}
