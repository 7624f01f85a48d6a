//! Why tests kill other mutants than a run calls non-subsumed.
//!
//! A run judges a mutant under a reading of refinement, by default with pruning; a test runs it as it is, whatever a
//! refusal means to the test. Where both disagree, the verdict without pruning (Definition 7 of \[003\]) tells why.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use tamper_game::Semantics;
use tamper_suite::Refusals;

use super::suite_options::KillGoal;
use crate::Verdict;

/// Whether some test kills a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Killability {
    /// One does, or could.
    Killable,
    /// None can.
    NotKillable,
    /// A limit was hit.
    Unknown,
    /// It has no meaning.
    Invalid,
    /// The user accepts that none does.
    Accepted,
}

/// A mutant of an account.
#[derive(Clone, Copy, Debug)]
pub struct AccountedMutant {
    /// The verdict of a run.
    pub verdict: Verdict,
    /// Whether some test kills it.
    pub killability: Killability,
}

impl AccountedMutant {
    /// Whether its verdict and its killability disagree.
    pub fn is_open(&self) -> bool {
        (self.verdict == Verdict::NonSubsumed) != (self.killability == Killability::Killable)
    }
}

tamper_text::named! {
    /// Why a killable mutant is not non-subsumed, or the other way round.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Disagreement {
        /// Killable: the run calls it inconsistent, a test runs it as it is.
        Inconsistent = "inconsistent",
        /// Killable: without pruning it is non-subsumed.
        TimeStops = "time_stops",
        /// Killable: it is subsumed also without pruning, and a run of it takes the wrong one of two answers.
        Answers = "answers",
        /// Killable: the run has no verdict.
        NoVerdict = "no_verdict",
        /// Non-subsumed: without pruning it is not.
        SpecificationStops = "specification_stops",
        /// Non-subsumed: it only refuses inputs, which the tests allow.
        Refuses = "refuses",
        /// Non-subsumed: it can avoid every fail.
        Avoids = "avoids",
        /// Non-subsumed: whether a test kills it is unknown.
        Unknown = "unknown",
        /// Non-subsumed: it has no meaning as a program.
        Invalid = "invalid",
        /// Non-subsumed: the user accepts it.
        Accepted = "accepted",
    }
}

impl Disagreement {
    /// Whether tests kill mutants of this kind.
    pub fn is_killable(self) -> bool {
        self <= Self::NoVerdict
    }

    /// Its summand, behind the number.
    fn says(self) -> &'static str {
        match self {
            Self::Inconsistent => "inconsistent, yet run by tests",
            Self::TimeStops => "differing only where time would stop",
            Self::Answers => "subsumed with a wrong answer to an input",
            Self::NoVerdict => "without a verdict",
            Self::SpecificationStops => "differing only where the model would stop time",
            Self::Refuses => "only refusing inputs, which these tests allow",
            Self::Avoids => "avoiding every fail",
            Self::Unknown => "where that is not known",
            Self::Invalid => "with an error in some run",
            Self::Accepted => "accepted",
        }
    }

    /// The kind of an open mutant, by its verdict without pruning.
    fn of(mutant: AccountedMutant, unpruned: Verdict, (refusals, wanted): (Refusals, KillGoal)) -> Self {
        match (mutant.killability, mutant.verdict) {
            (Killability::Killable, Verdict::Inconsistent) => Self::Inconsistent,
            (Killability::Killable, Verdict::Unknown | Verdict::Invalid) => Self::NoVerdict,
            (Killability::Killable, _) if unpruned == Verdict::Unknown => Self::NoVerdict,
            (Killability::NotKillable, _) if unpruned == Verdict::Unknown => Self::Unknown,
            (Killability::Killable, _) if unpruned == Verdict::NonSubsumed => Self::TimeStops,
            (Killability::Killable, _) => Self::Answers,
            (Killability::Unknown, _) => Self::Unknown,
            (Killability::Invalid, _) => Self::Invalid,
            (Killability::Accepted, _) => Self::Accepted,
            (Killability::NotKillable, _) if unpruned != Verdict::NonSubsumed => Self::SpecificationStops,
            (Killability::NotKillable, _) if matches!(wanted, KillGoal::Definite | KillGoal::Blind) => Self::Avoids,
            (Killability::NotKillable, _) => match refusals {
                Refusals::Never => Self::Refuses,
                Refusals::Error => Self::Avoids,
            },
        }
    }
}

/// How many mutants a run calls non-subsumed, how many of them tests can kill, and why these are not the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Account {
    /// The reading of the run.
    pub semantics: Semantics,
    /// The number of non-subsumed mutants.
    pub non_subsumed: u64,
    /// The number of killable mutants.
    pub killable: u64,
    /// The numbers of mutants that are only one of the two.
    pub disagreements: BTreeMap<Disagreement, u64>,
}

impl Account {
    /// The account of `mutants`, which a run judged under `semantics` and for which tests of that kind were wanted. The
    /// verdict without pruning of an open mutant is what `unpruned` says of its position.
    pub fn of(
        semantics: Semantics,
        mutants: &[AccountedMutant],
        unpruned: impl Fn(usize) -> Verdict,
        wanted: (Refusals, KillGoal),
    ) -> Self {
        let count = |is_one: &dyn Fn(&&AccountedMutant) -> bool| mutants.iter().filter(is_one).count() as u64;
        let mut disagreements = BTreeMap::new();
        for (at, mutant) in mutants.iter().enumerate().filter(|(_, mutant)| mutant.is_open()) {
            let kind = Disagreement::of(*mutant, unpruned(at), wanted);
            *disagreements.entry(kind).or_default() += 1;
        }
        Self {
            semantics,
            non_subsumed: count(&|mutant| mutant.verdict == Verdict::NonSubsumed),
            killable: count(&|mutant| mutant.killability == Killability::Killable),
            disagreements,
        }
    }

    /// The account of these mutants and of others, which were judged alike.
    #[must_use]
    pub fn with(mut self, others: &Self) -> Self {
        self.non_subsumed += others.non_subsumed;
        self.killable += others.killable;
        for (kind, n) in &others.disagreements {
            *self.disagreements.entry(*kind).or_default() += n;
        }
        self
    }

    /// Whether exactly the non-subsumed mutants are killable.
    pub fn agrees(&self) -> bool {
        self.disagreements.is_empty()
    }
}

/// The sum in a line.
impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} non-subsumed ({})", self.non_subsumed, self.semantics.name())?;
        for (kind, n) in &self.disagreements {
            let sign = if kind.is_killable() { '+' } else { '-' };
            write!(f, " {sign} {n} {}", kind.says())?;
        }
        write!(f, " = {} killable", self.killable)
    }
}
