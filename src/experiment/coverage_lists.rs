//! Lists beside the answer about a suite: what survives it, what conforms, and the formula that was solved.

use anyhow::Result;

use crate::base::Budget;
use crate::features::{Cnf, Recorded, Varisat};
use crate::machines::{
    Analysis, Answer, Choice, Completion, InputId, Listed, Mutant, MutationMachine, Strategy, Survivors,
    conforming_mutants,
};

/// A mutation machine under analysis: with its clauses beside it if the formula is wanted.
pub(super) type Solving<'m> = Analysis<'m, Recorded<Varisat>>;

/// What is to be listed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CoverageLists {
    /// Up to so many mutants that survive the suite as it was given.
    pub survivors: Option<u64>,
    /// Up to so many mutants that conform.
    pub conforming: Option<u64>,
    /// The formula.
    pub formula: bool,
}

/// The formula by which the last answer was found.
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
}

impl Formula {
    /// That of the last question, which was answered by `answer`.
    pub(super) fn of(analysis: &Solving<'_>, answer: &Answer) -> Option<Self> {
        let cnf = analysis.solver().cnf()?.clone();
        Some(Self {
            cnf,
            choices: analysis.choices(),
            is_satisfiable: match answer {
                Answer::Complete => Some(false),
                Answer::Escape(_) => Some(true),
                Answer::Unknown(_) => None,
            },
        })
    }
}

/// The survivors of `suite`, up to so many.
pub(super) fn survivors(
    machine: &MutationMachine,
    suite: &[Vec<InputId>],
    (most, budget): (u64, &Budget),
    progress: &mut dyn FnMut(usize),
) -> Result<Survivors> {
    Ok(given(machine, suite).survivors(most, budget, progress)?)
}

/// The conforming mutants, up to so many. All are known once some suite is complete, so `suite` is completed first.
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

fn given<'m>(machine: &'m MutationMachine, suite: &[Vec<InputId>]) -> Solving<'m> {
    let mut analysis = Analysis::new(machine, Recorded::new(Varisat::default(), false));
    suite.iter().for_each(|test| analysis.add_test(test));
    analysis
}
