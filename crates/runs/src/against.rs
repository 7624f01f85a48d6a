//! Test suites executed against models in simulated time: exhaustively, or by plays drawn at random.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::{Progress, Timer};
use tamper_features::Random;
use tamper_suite::{
    Act, CompiledTest, Ends, Event, Kill, Opponent, Refusals, Subject, SuiteFailure, TestCase, TestVerdict, execute,
    simulate, simulate_logged,
};
use tamper_text::Budget;
use tamper_timed::model::{Automaton, Role};

/// A model that tests are executed against.
#[derive(Clone, Debug)]
pub struct Implementation {
    /// Name shown in reports: a mutant's id or a file name.
    pub name: String,
    /// The game.
    pub automaton: Automaton,
}

impl Implementation {
    /// The implementation as tests meet it if refused inputs have the meaning `refusals`.
    #[must_use]
    pub fn met(&self, refusals: Refusals) -> Self {
        Self {
            name: self.name.clone(),
            automaton: refusals.met(self.automaton.clone()),
        }
    }
}

/// The manner in which tests are executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// All choices and times of the model.
    Exhaustive,
    /// A fixed number of plays per test, with choices and times drawn at random.
    Plays {
        /// Number of plays per test.
        n: u64,
        /// Seed of the random choices.
        seed: u64,
    },
}

/// The tests against one model.
#[derive(Debug)]
pub struct ModelRuns {
    /// The model's name.
    pub implementation: String,
    /// The tests, in their order.
    pub runs: Vec<ModelRun>,
}

/// A test that was executed.
#[derive(Debug)]
pub struct ModelRun {
    /// The test's id.
    pub test: String,
    /// The mutants that it targets.
    pub purpose: Vec<String>,
    /// The result of the execution.
    pub outcome: ModelOutcome,
    /// Wall-clock time of the execution.
    pub wall: Duration,
}

/// The result of one test against one model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModelOutcome {
    /// All ends that some execution of the test can reach.
    Ends(Ends),
    /// Counts from random plays.
    Plays(Plays),
    /// Undecided, because a limit was hit.
    Unknown(String),
    /// The model cannot be tested.
    Broken(String),
}

/// Number of plays per kind of end.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Plays {
    /// Plays that passed.
    pub pass: u64,
    /// Plays that failed.
    pub fail: u64,
    /// Plays that left the test's path where the specification allows it.
    pub inconclusive: u64,
    /// Plays that stopped time before a verdict.
    pub stalled: u64,
    /// Events of the first play that failed; empty if none failed.
    pub log: Vec<Event>,
}

impl Plays {
    /// The kinds of ends that occurred.
    pub fn ends(&self) -> Ends {
        Ends {
            fail: self.fail > 0,
            pass: self.pass > 0,
            inconclusive: self.inconclusive > 0,
            stalled: self.stalled > 0,
        }
    }
}

impl ModelOutcome {
    /// The kinds of ends; `None` if the test has no result.
    pub fn ends(&self) -> Option<Ends> {
        match self {
            Self::Ends(ends) => Some(*ends),
            Self::Plays(plays) => Some(plays.ends()),
            Self::Unknown(_) | Self::Broken(_) => None,
        }
    }

    /// The verdict: fail if some execution fails, otherwise pass.
    pub fn verdict(&self) -> Option<TestVerdict> {
        self.ends().map(|ends| match ends.fail {
            true => TestVerdict::Fail,
            false => TestVerdict::Pass,
        })
    }

    /// Whether no execution fails or passes, so that the states in which the test would show its mutants are never
    /// reached.
    pub fn is_unreached(&self) -> bool {
        self.ends().is_some_and(|ends| !ends.fail && !ends.pass)
    }

    /// Strength of the kill; `None` if the model does not fail. Random plays can only show that the model may fail.
    pub fn kill(&self) -> Option<Kill> {
        match self {
            Self::Ends(ends) if ends.must_fail() => Some(Kill::Definite),
            _ if self.verdict() == Some(TestVerdict::Fail) => Some(Kill::Potential),
            _ => None,
        }
    }
}

/// An action of a test that a model does not have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{implementation}: test {test} is about {action}, which is not in the model's alphabet ({}): is the suite for another model? An \
     alphabet with actions that no edge has is declared by a comment line `// tamper:alphabet` or an IO line",
    .alphabet.join(" ")
)]
pub struct ForeignAction {
    /// The test.
    pub test: String,
    /// The action, as `name?` or `name!`.
    pub action: String,
    /// The model's name.
    pub implementation: String,
    /// The model's actions.
    pub alphabet: Vec<String>,
}

/// Checks that `model` has all actions that `tests` give and expect; internal steps are in every alphabet.
///
/// # Errors
/// The first action that `model` does not have.
pub fn check_alphabet(tests: &[&TestCase], model: &Implementation) -> Result<(), ForeignAction> {
    let named = |role| {
        model
            .automaton
            .actions()
            .iter()
            .filter(move |action| action.role == role)
    };
    let alphabet: Vec<String> = [Role::Input, Role::Output]
        .into_iter()
        .flat_map(named)
        .map(ToString::to_string)
        .collect();
    for test in tests {
        let unknown = actions_of(test).find(|action| *action != "tau" && !alphabet.iter().any(|known| known == action));
        if let Some(action) = unknown {
            return Err(ForeignAction {
                test: test.id.clone(),
                action: action.to_owned(),
                implementation: model.name.clone(),
                alphabet,
            });
        }
    }
    Ok(())
}

fn actions_of(test: &TestCase) -> impl Iterator<Item = &str> {
    test.nodes.iter().flat_map(|node| {
        let inputs = node.rules.iter().filter_map(|rule| match &rule.act {
            Act::Input { action, .. } => Some(action.as_str()),
            Act::Stop(_) => None,
        });
        inputs.chain(node.outputs.iter().map(|expected| expected.action.as_str()))
    })
}

/// Executes `tests` against each of `models`. `progress` is told the number of executions done.
pub fn run_against(
    tests: &[&TestCase],
    models: &[Implementation],
    manner: Manner,
    timer: &Timer,
    progress: Progress<'_>,
) -> Vec<ModelRuns> {
    let done = std::sync::atomic::AtomicU64::new(0);
    // Several pieces per model, so that a single model keeps all threads busy, too.
    let size = tests.len().div_ceil(rayon::current_num_threads()).max(1);
    let one = |model: &Implementation| {
        let subject = Subject::new(&model.automaton, &timer.budget());
        let piece = |tests: &[&TestCase]| {
            let mut opponents = Vec::new();
            let run = |test: &&TestCase| {
                let started = Instant::now();
                let outcome = match &subject {
                    Ok(subject) => outcome(test, subject, &mut opponents, manner, &timer.budget()),
                    Err(failure) => unanswered(failure),
                };
                progress(1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
                ModelRun {
                    test: test.id.clone(),
                    purpose: test.targets.clone(),
                    outcome,
                    wall: started.elapsed(),
                }
            };
            tests.iter().map(run).collect::<Vec<_>>()
        };
        let pieces: Vec<Vec<ModelRun>> = tests.par_chunks(size).map(piece).collect();
        ModelRuns {
            implementation: model.name.clone(),
            runs: pieces.into_iter().flatten().collect(),
        }
    };
    models.par_iter().map(one).collect()
}

fn unanswered(failure: &SuiteFailure) -> ModelOutcome {
    match failure {
        SuiteFailure::Stopped(_) => ModelOutcome::Unknown(failure.to_string()),
        failure => ModelOutcome::Broken(failure.to_string()),
    }
}

fn outcome(
    test: &TestCase,
    subject: &Subject,
    opponents: &mut Vec<Opponent>,
    manner: Manner,
    budget: &Budget,
) -> ModelOutcome {
    let compiled = match CompiledTest::in_own_unit(test) {
        Ok(compiled) => compiled,
        Err(failure) => return unanswered(&failure),
    };
    let known = opponents.iter().position(|opponent| opponent.fits(&compiled));
    let at = match known {
        Some(at) => at,
        None => match Opponent::new(subject, &compiled) {
            Ok(opponent) => {
                opponents.push(opponent);
                opponents.len() - 1
            }
            Err(failure) => return unanswered(&failure),
        },
    };
    match manner {
        Manner::Exhaustive => match execute(&compiled, &opponents[at], budget) {
            Ok(ends) => ModelOutcome::Ends(ends),
            Err(failure) => unanswered(&failure),
        },
        Manner::Plays { n, seed } => plays(&compiled, &opponents[at], n, seed, budget),
    }
}

/// Each play has its own random stream, so that it can be repeated.
fn plays(test: &CompiledTest, opponent: &Opponent, n: u64, seed: u64, budget: &Budget) -> ModelOutcome {
    let mut seeds = Random::new(seed);
    let mut plays = Plays::default();
    for _ in 0..n {
        match budget.exceeded(0, 0) {
            // One failed play is evidence enough.
            Some(_) if plays.fail > 0 => break,
            Some(reason) => return ModelOutcome::Unknown(reason.to_string()),
            None => {}
        }
        let seed = seeds.bits();
        let ends = simulate(test, opponent, &mut Random::new(seed));
        if ends.fail && plays.fail == 0 {
            plays.log = simulate_logged(test, opponent, &mut Random::new(seed)).1;
        }
        let count = match ends {
            Ends { fail: true, .. } => &mut plays.fail,
            Ends { pass: true, .. } => &mut plays.pass,
            Ends { inconclusive: true, .. } => &mut plays.inconclusive,
            _ => &mut plays.stalled,
        };
        *count += 1;
    }
    ModelOutcome::Plays(plays)
}
