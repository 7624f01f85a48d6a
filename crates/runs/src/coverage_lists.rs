//! Lists beside the answer about a suite: what survives it, what conforms, and the formula that was solved.

use super::error::{ExperimentError, Result};
use tamper_features::{Cnf, Varisat};
use tamper_machines::{
    Analysis, Answer, Certificate, Choice, Completion, InputId, Listed, Mutant, MutationMachine, Strategy, Survivors,
    clauses_left, conforming_mutants,
};
use tamper_text::Budget;

/// What is to be listed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CoverageLists {
    /// How many mutants that survive the suite as it was given, at most.
    pub survivors: Option<u64>,
    /// How many mutants that conform, at most.
    pub conforming: Option<u64>,
    /// The formula.
    pub formula: bool,
    /// The proof, if the suite is complete in the end.
    pub proof: bool,
}

/// What is left of the mutants as a formula.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Its clauses.
    pub cnf: Cnf,
    /// What machines choose.
    pub choices: Vec<Choice>,
    /// Whether it has solutions, if that was found out.
    pub is_satisfiable: Option<bool>,
}

/// What was listed.
#[derive(Clone, Debug, Default)]
pub struct CoverageListed {
    /// What survives the suite as it was given.
    pub survivors: Option<Survivors>,
    /// What conforms.
    pub conforming: Option<(Vec<Mutant>, Listed)>,
    /// The formula.
    pub formula: Option<Formula>,
    /// The proof that the suite is complete, if it is.
    pub proof: Option<Certificate>,
}

impl Formula {
    /// None if a limit hides what the tests do. Of what neither `suite` kills nor `conforming` excludes, which was asked about with this answer.
    pub(super) fn of(
        machine: &MutationMachine,
        suite: &[Vec<InputId>],
        conforming: &[Mutant],
        answer: &Answer,
    ) -> Option<Self> {
        let (cnf, choices) = clauses_left(machine, suite, conforming).ok()?;
        if machine.stopped().is_some() {
            return None;
        }
        Some(Self {
            cnf,
            choices,
            is_satisfiable: match answer {
                Answer::Complete => Some(false),
                Answer::Escape(_) => Some(true),
                Answer::Unknown(_) => None,
            },
        })
    }
}

/// The proof that `suite`, which is complete, kills all but what conforms as `conforming` do.
pub(super) fn proof(machine: &MutationMachine, suite: &[Vec<InputId>], conforming: &[Mutant]) -> Result<Certificate> {
    let why = "the suite was found to be complete, but no proof of that: a fault of tamper";
    Certificate::of(machine, suite, conforming)?.ok_or_else(|| ExperimentError::fault(why))
}

/// The survivors of `suite`, up to that number.
pub(super) fn survivors(
    machine: &MutationMachine,
    suite: &[Vec<InputId>],
    most: u64,
    budget: &Budget,
    progress: &mut dyn FnMut(usize),
) -> Result<Survivors> {
    Ok(given(machine, suite).survivors(most, budget, progress)?)
}

/// The conforming mutants, up to that number. All are known once some suite is complete, so `suite` is completed first.
pub(super) fn conforming(
    machine: &MutationMachine,
    suite: &[Vec<InputId>],
    most: u64,
    budget: &Budget,
) -> Result<(Vec<Mutant>, Listed)> {
    let mut analysis = given(machine, suite);
    let end = analysis.complete(Strategy::NewTests, budget, &mut |_, _| ())?;
    let (mutants, listed) = conforming_mutants(machine, analysis.conforming(), most, budget);
    let listed = match end {
        Completion::Stopped(reason) if listed == Listed::All => Listed::Stopped(reason),
        _ => listed,
    };
    Ok((mutants, listed))
}

fn given<'m>(machine: &'m MutationMachine, suite: &[Vec<InputId>]) -> Analysis<'m, Varisat> {
    let mut analysis = Analysis::new(machine, Varisat::default());
    suite.iter().for_each(|test| analysis.add_test(test));
    analysis
}
