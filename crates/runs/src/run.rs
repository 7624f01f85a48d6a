//! A run on mutants of a game: which they are, who decides them, and which guidelines name them.

use super::{Judge, Selection};
use tamper_timed::guidelines::Rule;
use tamper_timed::model::Automaton;
use tamper_timed::mutation::{MutantSpace, Mutation};

/// Names a mutation of a game if the mutant cannot be killed, like [`guidelines::violated`](tamper_timed::guidelines::violated).
pub type Rules<'a> = &'a (dyn Fn(&Automaton, &Mutation) -> Option<Rule> + Sync);

/// What a run works on.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The mutants.
    pub space: &'a MutantSpace,
    /// Those of them that the run looks at.
    pub selection: &'a Selection,
    /// Who decides them.
    pub judge: &'a Judge,
    /// The guidelines; at order k each mutation is held against the mutant it is applied to.
    pub rules: Rules<'a>,
}

/// Is told, by any thread, how many are done.
pub type Progress<'a> = &'a (dyn Fn(u64) + Sync);
