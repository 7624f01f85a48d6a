//! Verdicts, the methods that gave them, and the details recorded with them.

use serde::{Deserialize, Serialize};

use tamper_game as game;
use tamper_game::How;

tamper_text::named! {
    /// The verdict on a mutant.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Verdict {
        /// It does not refine the specification: a test can kill it.
        NonSubsumed = "non-subsumed",
        /// It refines the specification.
        Subsumed = "subsumed",
        /// Its initial state is not consistent.
        Inconsistent = "inconsistent",
        /// One of the two, by a guideline; not decided which one (`--static only`).
        SubsumedOrInconsistent = "subsumed-or-inconsistent",
        /// A stated limit was hit, or no game was played (`--static only`).
        Unknown = "unknown",
        /// It has no meaning: for example, an integer leaves its range on some run; the reason names the place.
        #[serde(alias = "error")]
        Invalid = "invalid",
    }
}

impl From<game::Verdict> for Verdict {
    fn from(verdict: game::Verdict) -> Self {
        match verdict {
            game::Verdict::NonSubsumed => Self::NonSubsumed,
            game::Verdict::Subsumed => Self::Subsumed,
            game::Verdict::Inconsistent => Self::Inconsistent,
            game::Verdict::Unknown(_) => Self::Unknown,
        }
    }
}

tamper_text::named! {
    /// The method that gave a verdict.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum DecidedBy {
        /// The guidelines (with the consistency check if pruning is on).
        Rule = "rule",
        /// The extended guidelines: the identity check on the specification's zone graph.
        Identity = "identity",
        /// A lemma that calls it non-subsumed, and the run that the lemma requires; the reason names the lemma
        /// (`--static only`).
        Lemma = "lemma",
        /// The refinement game.
        Game = "game",
        /// Its process refines alone, and the network preserves that.
        Congruence = "congruence",
        /// It is the same automaton as an earlier mutant.
        Duplicate = "duplicate",
        /// Not decided (`--static only`).
        Nothing = "nothing",
    }
}

/// A verdict and its justification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// The method that gave it.
    pub decided_by: DecidedBy,
    /// The limit that was hit, the error in the mutant, or the lemma that names it.
    pub reason: Option<String>,
    /// A run that the specification cannot match, in one line.
    pub witness: Option<String>,
    /// The reason why the extended guidelines name it, in words.
    pub named: Option<&'static str>,
    /// The way in which a game was decided.
    pub how: Option<How>,
}

impl Judgement {
    pub(crate) fn plain(verdict: Verdict, decided_by: DecidedBy) -> Self {
        Self {
            verdict,
            decided_by,
            reason: None,
            witness: None,
            named: None,
            how: None,
        }
    }
    /// The judgement on a mutant with an error: it is invalid, or else unknown.
    pub(crate) fn of_error(decided_by: DecidedBy, is_invalid: bool, error: &impl ToString) -> Self {
        let verdict = if is_invalid { Verdict::Invalid } else { Verdict::Unknown };
        Self::failed(verdict, decided_by, error)
    }
    pub(crate) fn failed(verdict: Verdict, decided_by: DecidedBy, reason: &impl ToString) -> Self {
        Self {
            reason: Some(reason.to_string()),
            ..Self::plain(verdict, decided_by)
        }
    }
}

/// The reason why a mutant that no guidelines name is subsumed.
pub(crate) const BY_THE_GAME: &str = "refines by the game";

/// The reason why a mutant is useless that is the same automaton as one that a published guideline names.
pub(crate) const NAMED_EARLIER: &str = "the same as a mutant that a guideline names";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_written_by_their_names() {
        for verdict in Verdict::ALL {
            assert_eq!(serde_json::to_value(verdict).unwrap(), verdict.name());
        }
        for by in DecidedBy::ALL {
            assert_eq!(serde_json::to_value(by).unwrap(), by.name());
        }
    }
}
