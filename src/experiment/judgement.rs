//! A verdict with its reasons.

use super::{DecidedBy, Verdict};
use crate::game::How;

/// A verdict and what gave it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// What gave it.
    pub decided_by: DecidedBy,
    /// The limit that was hit, or what is wrong with the mutant.
    pub reason: Option<String>,
    /// A run that the specification cannot match, in one line.
    pub witness: Option<String>,
    /// Why the extended guidelines name it, in words.
    pub named: Option<&'static str>,
    /// How a game was decided.
    pub how: Option<How>,
}

impl Judgement {
    pub(super) fn plain(verdict: Verdict, decided_by: DecidedBy) -> Self {
        Self {
            verdict,
            decided_by,
            reason: None,
            witness: None,
            named: None,
            how: None,
        }
    }
    /// Non-subsumed, by a counterexample.
    pub(super) fn shown(witness: String, how: How) -> Self {
        Self {
            witness: Some(witness),
            how: Some(how),
            ..Self::plain(Verdict::NonSubsumed, DecidedBy::Game)
        }
    }
    /// What an error says of the mutant: it is invalid, or else nothing is known.
    pub(super) fn of_error(decided_by: DecidedBy, (is_invalid, error): (bool, &impl ToString)) -> Self {
        let verdict = if is_invalid { Verdict::Invalid } else { Verdict::Unknown };
        Self::failed(verdict, decided_by, error)
    }
    pub(super) fn failed(verdict: Verdict, decided_by: DecidedBy, reason: &impl ToString) -> Self {
        Self {
            reason: Some(reason.to_string()),
            ..Self::plain(verdict, decided_by)
        }
    }
}

/// Why a mutant is subsumed that neither guideline set names.
pub(super) const BY_THE_GAME: &str = "refines by the game";

/// Why a mutant is useless that is the same automaton as one that a published guideline names.
pub(super) const NAMED_EARLIER: &str = "the same as a mutant that a guideline names";
