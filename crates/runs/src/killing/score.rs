//! The share of the killable mutants that a suite kills, and the reasons why the others survive.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use serde::{Deserialize, Serialize};

use super::account::{Account, Killability};
use super::candidate::{Candidate, ONE_RUN};
use super::choices::{SUBSUMED_BY_CHOICE, subsumed};
use super::generate::{UNSEEN, why_not_blindly};
use super::operator_name;
use super::scripts::under_script;
use super::suite_options::{KillGoal, SuiteOptions};
use super::target::Target;
use crate::Timer;
use crate::error::{ExperimentError, Result};
use crate::plans::turns::in_turns;
use tamper_suite::{Blind, Definite, Potential, SuiteFailure, TestCase, Tester};
use tamper_timed::mutation::AppliedOperator;

/// The score among the mutants of one operator (at order 2, of the last one).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct OperatorScore {
    /// Mutants.
    pub mutants: usize,
    /// Mutants that some test can kill.
    pub killable: usize,
    /// Mutants that a test of the suite kills.
    pub killed: usize,
}

impl OperatorScore {
    /// Share of the killable mutants that are killed; `None` if no mutant is killable.
    #[allow(clippy::cast_precision_loss, reason = "far fewer mutants than 2^52")]
    pub fn ratio(&self) -> Option<f64> {
        (self.killable > 0).then(|| self.killed as f64 / self.killable as f64)
    }
}

/// A mutant listed with a reason, for example a killable one that is not killed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survivor {
    /// Its id.
    pub id: String,
    /// The reason.
    pub why: String,
}

/// The result for a mutant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "fate", content = "why", rename_all = "kebab-case")]
pub enum Fate {
    /// A test of the suite kills it.
    Killed,
    /// A test could kill it and no test of the suite does; with the reason.
    Survives(String),
    /// No test can kill it; with the reason.
    NotKillable(String),
    /// Unknown whether a test can kill it; with the limit.
    Unknown(String),
    /// It has no meaning; with the reason.
    #[serde(alias = "broken")]
    Invalid(String),
}

/// The findings about a mutant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Judged {
    /// Its id.
    pub id: String,
    /// Its operator (at order 2 the last one).
    #[serde(with = "operator_name")]
    pub operator: Option<AppliedOperator>,
    /// The result.
    #[serde(flatten)]
    pub fate: Fate,
    /// Positions of the tests that kill it.
    pub killed_by: Vec<usize>,
    /// Whether it is killed although it is subsumed.
    pub subsumed: bool,
    /// Whether it is killed only by tests that ask what stands for data of the program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub under_script: bool,
    /// Why it may survive, if the user accepts that and it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<String>,
}

impl Fate {
    /// Whether some test kills the mutant.
    pub fn killability(&self) -> Killability {
        match self {
            Self::Killed | Self::Survives(_) => Killability::Killable,
            Self::NotKillable(_) => Killability::NotKillable,
            Self::Unknown(_) => Killability::Unknown,
            Self::Invalid(_) => Killability::Invalid,
        }
    }
}

impl Judged {
    /// Whether some test kills the mutant, as far as the user wants to know.
    pub fn killability(&self) -> Killability {
        match self.accepted {
            Some(_) => Killability::Accepted,
            None => self.fate.killability(),
        }
    }

    /// Accepts that the mutant is not killed, for this reason. A mutant that no test can kill needs no reason.
    pub fn accept(&mut self, reason: &str) {
        if matches!(self.fate, Fate::Survives(_) | Fate::Unknown(_)) {
            self.accepted = Some(reason.to_owned());
        }
    }
}

/// The score of a suite.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Score {
    /// Number of tests.
    pub tests: usize,
    /// All mutants together.
    pub total: OperatorScore,
    /// By operator.
    pub operators: BTreeMap<AppliedOperator, OperatorScore>,
    /// Mutants whose killability is unknown.
    pub unknown: Vec<Survivor>,
    /// Mutants that have no meaning.
    pub invalid: Vec<Survivor>,
    /// The killable mutants that no test kills.
    pub survivors: Vec<Survivor>,
    /// The mutants that are not killed and that the user accepts, with the reasons. They are counted among no others.
    pub accepted: Vec<Survivor>,
    /// Number of mutants that were left out because their places did not change, if that was asked for.
    pub not_asked: Option<u64>,
    /// Why other mutants are killable than `classify` calls non-subsumed; `None` if that was not looked at.
    pub account: Option<Account>,
    /// The result for each mutant.
    pub fates: Vec<Fate>,
    /// The mutants that are killed although they are subsumed.
    pub subsumed: Vec<Survivor>,
    /// The ids of the mutants that are killed only by tests that ask what stands for data of the program.
    pub under_script: Vec<String>,
    /// The ids of the mutants.
    pub mutants: Vec<String>,
    /// For each test, the number of mutants that it kills.
    pub kills: Vec<usize>,
    /// The kill matrix.
    pub matrix: Vec<FixedBitSet>,
}

impl Score {
    /// Share of the killable mutants that are killed; 1 if no mutant is killable.
    pub fn ratio(&self) -> f64 {
        self.total.ratio().unwrap_or(1.0)
    }

    /// The score of `n_tests` tests from the findings about each mutant.
    pub fn of(n_tests: usize, judged: Vec<Judged>) -> Self {
        let mut score = Self {
            tests: n_tests,
            kills: vec![0; n_tests],
            matrix: vec![FixedBitSet::with_capacity(judged.len()); n_tests],
            ..Self::default()
        };
        for (at, judged) in judged.into_iter().enumerate() {
            score.add(at, judged);
        }
        score
    }

    fn add(&mut self, at: usize, judged: Judged) {
        let is_killed = judged.fate == Fate::Killed;
        let tallies = [
            Some(&mut self.total),
            judged
                .operator
                .map(|operator| self.operators.entry(operator).or_default()),
        ];
        for tally in tallies.into_iter().flatten() {
            tally.mutants += 1;
            let survives = judged.accepted.is_none() && matches!(judged.fate, Fate::Survives(_));
            tally.killable += usize::from(is_killed || survives);
            tally.killed += usize::from(is_killed);
        }
        for test in &judged.killed_by {
            self.kills[*test] += 1;
            self.matrix[*test].insert(at);
        }
        let listed = |why: &str| Survivor {
            id: judged.id.clone(),
            why: why.to_owned(),
        };
        match &judged.fate {
            Fate::Survives(_) | Fate::Unknown(_) if judged.accepted.is_some() => {
                self.accepted.extend(judged.accepted.as_deref().map(listed));
            }
            Fate::Survives(why) => self.survivors.push(listed(why)),
            Fate::Unknown(why) => self.unknown.push(listed(why)),
            Fate::Invalid(why) => self.invalid.push(listed(why)),
            Fate::Killed | Fate::NotKillable(_) => (),
        }
        if judged.subsumed {
            self.subsumed.push(listed(SUBSUMED_BY_CHOICE));
        }
        if judged.under_script {
            self.under_script.push(judged.id.clone());
        }
        self.fates.push(judged.fate);
        self.mutants.push(judged.id);
    }
}

/// Scores `tests` against `candidates`.
///
/// # Errors
/// As [`Target::kills`].
pub fn score(
    tester: &Tester,
    candidates: &[Candidate],
    tests: &[TestCase],
    options: &SuiteOptions,
    timer: &Timer,
) -> Result<Score> {
    Ok(Score::of(
        tests.len(),
        judge(tester, candidates, tests, options, timer)?,
    ))
}

/// Finds out separately for each of `candidates` whether `tests` kill it, and if not, why.
///
/// # Errors
/// As [`Target::kills`].
pub fn judge(
    tester: &Tester,
    candidates: &[Candidate],
    tests: &[TestCase],
    options: &SuiteOptions,
    timer: &Timer,
) -> Result<Vec<Judged>> {
    let matrix = Target::new(tester, candidates, options).kills(tests, timer)?;
    // The results without any test.
    let fates = in_turns(candidates.len(), timer, |at, timer| {
        untested(tester, &candidates[at], options, timer)
    });
    let mut all = Vec::new();
    for (at, (candidate, fate)) in candidates.iter().zip(fates).enumerate() {
        let killed_by: Vec<usize> = (0..tests.len()).filter(|test| matrix[*test].contains(at)).collect();
        let is_killed = !killed_by.is_empty();
        if is_killed && matches!(fate, Fate::NotKillable(_)) {
            let id = &candidate.id;
            return Err(ExperimentError::fault(format!(
                "a test fails on {id}, which no test can fail on; this is an error of tamper: please report it"
            )));
        }
        all.push(Judged {
            id: candidate.id.clone(),
            operator: candidate.operators.last().copied(),
            fate: if is_killed { Fate::Killed } else { fate },
            killed_by,
            subsumed: false,
            under_script: false,
            accepted: None,
        });
    }
    let killed = all.iter().enumerate().filter(|(_, judged)| judged.fate == Fate::Killed);
    let killed: Vec<usize> = killed.map(|(at, _)| at).collect();
    let by: Vec<_> = killed.iter().map(|at| (*at, all[*at].killed_by.clone())).collect();
    for at in under_script(tester, candidates, tests, &by, timer) {
        all[at].under_script = true;
    }
    let mutants: Vec<&Candidate> = killed.iter().map(|at| &candidates[*at]).collect();
    let found = subsumed(tester.automaton(), &mutants, &timer.budget());
    for (at, is_subsumed) in killed.into_iter().zip(found) {
        all[at].subsumed = is_subsumed;
    }
    Ok(all)
}

/// The result for a mutant without any test.
fn untested(tester: &Tester, candidate: &Candidate, options: &SuiteOptions, timer: &Timer) -> Fate {
    let unknown = |failure: &SuiteFailure| match failure {
        failure if failure.is_invalid() => Fate::Invalid(failure.to_string()),
        failure => Fate::Unknown(failure.to_string()),
    };
    let subject = match &candidate.subject {
        Ok(subject) => subject,
        Err(failure) if failure.cannot_be_killed() => return Fate::NotKillable(failure.to_string()),
        Err(failure) => return unknown(failure),
    };
    if candidate.is_one_run {
        return Fate::Unknown(format!("{ONE_RUN}, on which no test of the suite fails so"));
    }
    let survives = |test: &TestCase| {
        Fate::Survives(format!(
            "no test of the suite fails on it; one of {} steps would",
            test.n_steps()
        ))
    };
    match options.wanted {
        KillGoal::Blind => match tester.blind(subject, &timer.budget()) {
            Ok(Blind::Killed(test)) => survives(&test),
            Ok(answer @ (Blind::Avoidable | Blind::Reacting)) => Fate::NotKillable(why_not_blindly(&answer)),
            Ok(answer @ Blind::Unknown { .. }) => Fate::Unknown(why_not_blindly(&answer)),
            Err(failure) => unknown(&failure),
        },
        // Of both, the weaker kill counts where there is no other.
        KillGoal::Potential | KillGoal::Both => {
            match tester.potential(subject, options.style, options.pick, &timer.budget()) {
                Ok(Potential::Killed(test)) => survives(&test),
                Ok(Potential::NotKillable) => Fate::NotKillable(SuiteFailure::Allowed.to_string()),
                Err(failure) => unknown(&failure),
            }
        }
        KillGoal::Definite => match tester.definite(subject, &timer.budget()) {
            Ok(Definite::Killed(test)) => survives(&test),
            Ok(Definite::Avoidable) => Fate::NotKillable("it can avoid every fail".to_owned()),
            Ok(Definite::Unknown) => Fate::Unknown(UNSEEN.to_owned()),
            Err(failure) => unknown(&failure),
        },
    }
}
