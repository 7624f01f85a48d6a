//! A run on mutants of a game: the mutants, their judge, and the guidelines.

use super::{Judge, Selection};
use tamper_timed::guidelines::Rule;
use tamper_timed::model::Automaton;
use tamper_timed::mutation::{MutantSpace, Mutation};

/// Returns the rule by which a mutant cannot be killed, like
/// [`guidelines::violated`](tamper_timed::guidelines::violated).
pub type Rules<'a> = &'a (dyn Fn(&Automaton, &Mutation) -> Option<Rule> + Sync);

/// The data that a run works on.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The mutants.
    pub space: &'a MutantSpace,
    /// The mutants to decide.
    pub selection: &'a Selection,
    /// The judge of the mutants.
    pub judge: &'a Judge,
    /// The guidelines; at order k each mutation is checked against the mutant to which it is applied.
    pub rules: Rules<'a>,
}

/// Callback that any thread calls with the number of items done.
pub type Progress<'a> = &'a (dyn Fn(u64) + Sync);
