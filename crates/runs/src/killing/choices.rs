//! Mutants on which a test can fail although they are subsumed.
//!
//! By Definition 7 of \[003\], a mutant that has two answers to an input may choose the right one; a run of it may take
//! the wrong one, and then a test fails. Only a mutant with a choice of answers can be both subsumed and killed
//! (`docs/notes/0010-killing.md`).

use super::candidate::Candidate;
use tamper_game::{Scratch, Semantics, Specification, Verdict, input_overlaps};
use tamper_text::Budget;
use tamper_timed::model::Automaton;

/// The remark on mutants that are subsumed because of a choice.
pub const SUBSUMED_BY_CHOICE: &str = "it is subsumed (Definition 7): of its two answers to an input one is the specification's; a test fails when it gives the other";

/// For each of the `killed` mutants, whether it is subsumed.
pub(super) fn subsumed(spec: &Automaton, killed: &[&Candidate], budget: &Budget) -> Vec<bool> {
    let chooses: Vec<bool> = killed
        .iter()
        .map(|candidate| {
            let mutant = candidate.automaton.as_ref();
            mutant.is_some_and(|mutant| chooses_an_answer(mutant, budget) == Some(true))
        })
        .collect();
    if !chooses.contains(&true) {
        return chooses;
    }
    let Ok(judge) = Specification::prepare(spec, Semantics::DEFINITION, budget) else {
        return vec![false; killed.len()];
    };
    let mut scratch = Scratch::default();
    let mut is_subsumed = |(candidate, chooses): (&&Candidate, &bool)| {
        let mutant = candidate.automaton.as_ref().filter(|_| *chooses);
        mutant.is_some_and(|mutant| {
            let decided = judge.decide(mutant, budget, &mut scratch);
            decided.is_ok_and(|decision| decision.verdict == Verdict::Subsumed)
        })
    };
    killed.iter().zip(&chooses).map(&mut is_subsumed).collect()
}

/// Whether some state has two answers to an input; `None` if that is unknown.
pub(super) fn chooses_an_answer(mutant: &Automaton, budget: &Budget) -> Option<bool> {
    let found = input_overlaps(mutant, budget).ok()?.ok()?;
    Some(!found.is_empty())
}
