//! Mutants that are left out before tests are generated.
//!
//! The specification is deterministic. So all runs of a mutant that refines it (Definition 7 of \[003\]) and has one
//! answer to each input are runs of the specification, and no test fails on them. A mutant with two answers may give
//! the wrong one (`docs/notes/0010-killing.md`), so it is never left out, whatever names it.

use rayon::prelude::*;

use super::choices::chooses_an_answer;
use crate::error::Result;
use crate::mutant_set::CHUNK;
use crate::suite_json::SuiteMutant;
use crate::{MutantNote, MutantSet, Numbered, Selection, Timer, Verdict};
use tamper_suite::Tester;
use tamper_timed::model::Role;

/// The mutants that are left out.
#[derive(Clone, Default, Debug)]
pub struct Pruned {
    /// Their positions among all mutants, in ascending order, and their entries in the suite.
    left_out: Vec<(u64, SuiteMutant)>,
    /// Number of mutants that are named but kept, because they may have two answers to an input, or that is unknown.
    pub choosing: u64,
}

impl Pruned {
    /// Leaves out the mutants of `selection` for which `useless` gives a reason, except the mutants that may have two
    /// answers to an input of the specification of `tester`. `None` if the time is over before.
    ///
    /// # Errors
    /// If the selection does not fit the set.
    pub fn of(
        (set, selection): (&dyn MutantSet, &Selection),
        tester: &Tester,
        useless: &(dyn Fn(u64, &Numbered) -> Option<String> + Sync),
        timer: &Timer,
    ) -> Result<Option<Self>> {
        let mut actions = tester.automaton().actions().iter();
        let takes_inputs = actions.any(|action| action.role == Role::Input);
        let may_choose = |mutant: &Numbered| {
            let game = set.game(mutant, timer).ok();
            game.and_then(|game| chooses_an_answer(&game, &timer.budget())) != Some(false)
        };
        // A mutant that only removes behaviour has no second answer that the deterministic specification lacks; so it
        // need not be made.
        let is_smaller = |mutant: &Numbered| {
            let rules = set.rules(mutant);
            rules.is_some_and(|rules| rules.iter().all(|rule| rule.only_takes_away()))
        };
        let mut pruned = Self::default();
        let mut position = 0;
        while position < selection.len() {
            let mutants = set.mutants(&selection.slice(position..position + CHUNK))?;
            let one = |(at, mutant): (usize, Numbered)| {
                let position = position + at as u64;
                let reason = useless(position, &mutant)?;
                let stays = takes_inputs && !is_smaller(&mutant) && may_choose(&mutant);
                Some((!stays).then(|| (position, left_out(mutant.id, &reason))))
            };
            let n_mutants = mutants.len() as u64;
            let named: Vec<Option<_>> = mutants.into_par_iter().enumerate().filter_map(one).collect();
            if timer.is_over() {
                return Ok(None);
            }
            pruned.choosing += named.iter().filter(|named| named.is_none()).count() as u64;
            pruned.left_out.extend(named.into_iter().flatten());
            position += n_mutants.max(1);
        }
        Ok(Some(pruned))
    }

    /// Number of mutants left out.
    pub fn len(&self) -> usize {
        self.left_out.len()
    }

    /// Whether no mutant is left out.
    pub fn is_empty(&self) -> bool {
        self.left_out.is_empty()
    }

    /// Whether the mutant at this position is left out.
    pub fn has(&self, position: u64) -> bool {
        self.left_out.binary_search_by_key(&position, |(at, _)| *at).is_ok()
    }

    /// The entries of all mutants, in order; `kept` are the entries of the mutants that are not left out.
    #[must_use]
    pub fn with_kept(&self, kept: Vec<SuiteMutant>) -> Vec<SuiteMutant> {
        let mut kept = kept.into_iter();
        let mut all = Vec::with_capacity(kept.len() + self.left_out.len());
        for (position, left_out) in &self.left_out {
            let n_before = usize::try_from(*position).map_or(0, |position| position.saturating_sub(all.len()));
            all.extend(kept.by_ref().take(n_before));
            all.push(left_out.clone());
        }
        all.extend(kept);
        all
    }
}

fn left_out(id: String, reason: &str) -> SuiteMutant {
    SuiteMutant {
        id,
        killable: "none".to_owned(),
        test: None,
        reason: Some(format!("left out before tests were looked for: {reason}")),
    }
}

/// The reason why a mutant is useless, according to a run under [`DEFINITION`](tamper_game::Semantics::DEFINITION);
/// `None` if it is not.
pub fn why_useless(note: &MutantNote) -> Option<&'static str> {
    match note.verdict {
        Verdict::NonSubsumed | Verdict::Invalid => None,
        _ if note.violates => Some("a guideline names it"),
        _ if note.identified => Some("the extended guidelines name it"),
        Verdict::Subsumed => Some("it refines the specification"),
        Verdict::Inconsistent => Some("it has no initial state"),
        Verdict::SubsumedOrInconsistent | Verdict::Unknown => None,
    }
}
