//! Lists besides the answer about a suite: the surviving mutants, the conforming mutants, and the formula that was
//! solved.

use crate::error::{ExperimentError, Result};
use tamper_features::{Cnf, Varisat};
use tamper_machines::{
    Analysis, Answer, Certificate, Choice, Completion, InputId, Listed, Mutant, MutationMachine, Strategy, Survivors,
    clauses_left, conforming_mutants,
};
use tamper_text::Budget;

/// The lists that are requested.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CoverageLists {
    /// Largest number of mutants to list that survive the given suite.
    pub survivors: Option<u64>,
    /// Largest number of conforming mutants to list.
    pub conforming: Option<u64>,
    /// The formula.
    pub formula: bool,
    /// The proof, if the final suite is complete.
    pub proof: bool,
}

/// The formula of the mutants that are left.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Its clauses.
    pub cnf: Cnf,
    /// The choices that a mutant makes, which the variables encode.
    pub choices: Vec<Choice>,
    /// Whether it has solutions; `None` if that is unknown.
    pub is_satisfiable: Option<bool>,
}

/// The lists that were made.
#[derive(Clone, Debug, Default)]
pub struct CoverageListed {
    /// Mutants that survive the given suite.
    pub survivors: Option<Survivors>,
    /// The conforming mutants, and whether they are all.
    pub conforming: Option<(Vec<Mutant>, Listed)>,
    /// The formula.
    pub formula: Option<Formula>,
    /// The proof that the suite is complete, if it is.
    pub proof: Option<Certificate>,
}

impl Formula {
    /// The formula of the mutants that neither `suite` kills nor `conforming` excludes; `answer` is the solver's answer
    /// to it. `None` if a limit hides what the tests do.
    pub(crate) fn of(
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

/// The proof that the complete `suite` kills every mutant except those equivalent to one of `conforming`.
pub(crate) fn proof(machine: &MutationMachine, suite: &[Vec<InputId>], conforming: &[Mutant]) -> Result<Certificate> {
    let why = "the suite was found to be complete, but no proof of that: a fault of tamper";
    Certificate::of(machine, suite, conforming)?.ok_or_else(|| ExperimentError::fault(why))
}

/// At most `most` survivors of `suite`.
pub(crate) fn survivors(
    machine: &MutationMachine,
    suite: &[Vec<InputId>],
    most: u64,
    budget: &Budget,
    progress: &mut dyn FnMut(usize),
) -> Result<Survivors> {
    Ok(given(machine, suite).survivors(most, budget, progress)?)
}

/// At most `most` conforming mutants. All of them are known once a suite is complete, so `suite` is completed first.
pub(crate) fn conforming(
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
