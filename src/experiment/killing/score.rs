//! How many of the killable mutants a suite kills, and why the others survive.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use fixedbitset::FixedBitSet;
use rayon::prelude::*;

use super::candidates::Candidate;
use super::generate::{Generated, Wish};
use crate::base::Budget;
use crate::experiment::Timer;
use crate::features::Product;
use crate::model::Automaton;
use crate::mutation::{FeaturedMutants, Operator, ProductBound};
use crate::suite::{
    Definite, Family, Kill, Potential, Subject, SuiteFailure, TestCase, Tester, family_based, one_by_one,
};

/// Mutants that tests are executed against: those of order 1 all at once, others one after the other.
pub struct Target {
    kill: Kill,
    n_candidates: usize,
    /// With the number of each member among the candidates.
    family: Option<(Family, Vec<usize>)>,
    subjects: Vec<Option<Subject>>,
}

impl Target {
    /// The `candidates`, killed as `wish` has it.
    pub fn new(tester: &Tester, candidates: &[Candidate], wish: &Wish) -> Self {
        let family = family_of(tester.automaton(), candidates, wish);
        let subjects = match family {
            Some(_) => Vec::new(),
            None => candidates.iter().map(subject).collect(),
        };
        Self {
            kill: Generated::kill(wish.wanted),
            n_candidates: candidates.len(),
            family,
            subjects,
        }
    }

    /// Whether the mutants are executed together.
    pub fn is_family(&self) -> bool {
        self.family.is_some()
    }

    /// The kills of each test, by the number of the candidate.
    ///
    /// # Errors
    /// Bounds that are too fine to be compared exactly, and limits.
    pub fn kills(&self, tests: &[TestCase], timer: &Timer) -> Result<Vec<FixedBitSet>> {
        // Tests end by themselves: only the number of states is limited.
        let budget = Budget {
            deadline: None,
            ..timer.budget()
        };
        let matrix = match &self.family {
            Some((family, _)) => family_based(tests, family, self.kill, &budget)?,
            None => one_by_one(tests, &self.subjects, &budget)?,
        };
        let rows = match self.kill {
            Kill::Potential => matrix.can_fail,
            Kill::Definite => matrix.must_fail,
        };
        let Some((_, members)) = &self.family else {
            return Ok(rows);
        };
        let spread = |row: FixedBitSet| {
            let mut whole = FixedBitSet::with_capacity(self.n_candidates);
            whole.extend(row.ones().map(|member| members[member]));
            whole
        };
        Ok(rows.into_iter().map(spread).collect())
    }
}

fn subject(candidate: &Candidate) -> Option<Subject> {
    candidate.subject.as_ref().ok().map(|subject| (**subject).clone())
}

/// The family of candidates of order 1 that have a meaning, and which they are; none if there are others.
fn family_of(spec: &Automaton, candidates: &[Candidate], wish: &Wish) -> Option<(Family, Vec<usize>)> {
    let featured = FeaturedMutants::of(spec, &wish.mutation, ProductBound::Sequences(1)).ok()?;
    let mut members = Vec::new();
    let mut products: Vec<Product> = Vec::new();
    for (at, candidate) in candidates.iter().enumerate() {
        if candidate.mutations.len() != 1 {
            return None;
        }
        if candidate.subject.is_ok() {
            members.push(at);
            products.push(featured.product_of(&candidate.mutations)?);
        }
    }
    Some((Family::new(&featured, &products), members))
}

/// The score among the mutants of one operator (at order 2 of the last).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct OperatorScore {
    /// Mutants.
    pub mutants: usize,
    /// Those that some test can kill.
    pub killable: usize,
    /// Those that a test of the suite kills.
    pub killed: usize,
}

/// A mutant that could be killed and is not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survivor {
    /// Its id.
    pub id: String,
    /// Why it survives.
    pub why: String,
}

/// What a suite is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Score {
    /// How many tests it has.
    pub tests: usize,
    /// All mutants together.
    pub total: OperatorScore,
    /// By operator.
    pub operators: BTreeMap<Operator, OperatorScore>,
    /// Mutants of which it is not known whether they can be killed.
    pub unknown: Vec<Survivor>,
    /// The killable mutants that no test kills.
    pub survivors: Vec<Survivor>,
    /// Per test, how many mutants it kills.
    pub kills: Vec<usize>,
    /// The kill matrix.
    pub matrix: Vec<FixedBitSet>,
}

impl Score {
    /// Killed mutants among the killable ones; 1 if there is none to kill.
    #[allow(clippy::cast_precision_loss, reason = "far fewer mutants than 2^52")]
    pub fn ratio(&self) -> f64 {
        match self.total.killable {
            0 => 1.0,
            killable => self.total.killed as f64 / killable as f64,
        }
    }
}

/// Whether a mutant can be killed, and if so how.
enum Killable {
    Yes(String),
    No,
    Unknown(String),
}

/// Scores `tests` against `candidates`.
///
/// # Errors
/// As [`Target::kills`].
pub fn score(
    tester: &Tester,
    candidates: &[Candidate],
    tests: &[TestCase],
    wish: &Wish,
    timer: &Timer,
) -> Result<Score> {
    let matrix = Target::new(tester, candidates, wish).kills(tests, timer)?;
    let killable: Vec<Killable> = candidates
        .par_iter()
        .map(|candidate| killable(tester, candidate, wish, timer))
        .collect();
    let mut score = Score {
        tests: tests.len(),
        total: OperatorScore::default(),
        operators: BTreeMap::new(),
        unknown: Vec::new(),
        survivors: Vec::new(),
        kills: matrix.iter().map(|row| row.count_ones(..)).collect(),
        matrix: Vec::new(),
    };
    for (at, (candidate, killable)) in candidates.iter().zip(killable).enumerate() {
        let killed = matrix.iter().any(|row| row.contains(at));
        if killed && matches!(killable, Killable::No) {
            let id = &candidate.id;
            bail!("a test fails on {id}, which no test can fail on; this is an error of tamper: please report it");
        }
        let is_killable = killed || matches!(killable, Killable::Yes(_));
        let operator = candidate.operators.last().copied();
        let tallies = [
            Some(&mut score.total),
            operator.map(|operator| score.operators.entry(operator).or_default()),
        ];
        for tally in tallies.into_iter().flatten() {
            tally.mutants += 1;
            tally.killable += usize::from(is_killable);
            tally.killed += usize::from(killed);
        }
        let id = candidate.id.clone();
        match killable {
            Killable::Yes(why) if !killed => score.survivors.push(Survivor { id, why }),
            Killable::Unknown(why) if !killed => score.unknown.push(Survivor { id, why }),
            _ => (),
        }
    }
    score.matrix = matrix;
    Ok(score)
}

fn killable(tester: &Tester, candidate: &Candidate, wish: &Wish, timer: &Timer) -> Killable {
    let subject = match &candidate.subject {
        Ok(subject) => subject,
        Err(SuiteFailure::NoInitialState { .. }) => return Killable::No,
        Err(failure) => return Killable::Unknown(failure.to_string()),
    };
    let steps = |test: &TestCase| {
        format!(
            "no test of the suite fails on it; one of {} steps would",
            test.n_steps()
        )
    };
    match Generated::kill(wish.wanted) {
        Kill::Potential => match tester.potential(subject, wish.style, wish.pick, &timer.budget()) {
            Ok(Potential::Killed(test)) => Killable::Yes(steps(&test)),
            Ok(Potential::NotKillable) => Killable::No,
            Err(failure) => Killable::Unknown(failure.to_string()),
        },
        Kill::Definite => match tester.definite(subject, &timer.budget()) {
            Ok(Definite::Killed(test)) => Killable::Yes(steps(&test)),
            Ok(Definite::Avoidable) => Killable::No,
            Ok(Definite::Unknown) => Killable::Unknown("it has a choice that is not seen".to_owned()),
            Err(failure) => Killable::Unknown(failure.to_string()),
        },
    }
}
