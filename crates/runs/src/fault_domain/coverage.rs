//! One analysis of a test suite for a mutation machine, from the request to the numbers.

use num_bigint::BigUint;

use crate::error::{ExperimentError, Result};
use crate::fault_domain::coverage_lists::{Formula, conforming, proof, survivors};
use crate::{CoverageListed, CoverageLists, Journal, JournalStep};
use tamper_features::Varisat;
use tamper_machines::{
    Analysis, Answer, Completion, Counter, Counts, Found, InputId, Mutant, MutationMachine, Strategy, TestFacts,
    minimise, prioritised,
};
use tamper_text::{Budget, Id, StopReason};

/// Largest diagram, in nodes, that is built only to show progress.
const WATCHED_NODES: u64 = 20_000;

/// The analysis that is requested.
#[derive(Clone, Debug, Default)]
pub struct CoveragePlan {
    /// Add tests until the suite is complete.
    pub complete: Option<Strategy>,
    /// Drop tests that the others make redundant.
    pub minimise: bool,
    /// Order the tests, the one that kills most mutants first.
    pub prioritise: bool,
    /// Count the mutants that escape the given suite.
    pub count: bool,
    /// Lists to write besides the answer.
    pub lists: CoverageLists,
    /// Count the surviving mutants while tests are added.
    pub watch: bool,
    /// Limits: states mean questions to the solver, and nodes of a diagram.
    pub budget: Budget,
}

/// Progress of an analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoverageProgress {
    /// Tests so far.
    pub n_tests: usize,
    /// Clauses that encode the tests.
    pub n_clauses: usize,
    /// Lower bound on the mutants killed; `None` if they are not counted.
    pub killed: Option<BigUint>,
    /// Survivors found so far, while they are listed.
    pub n_survivors: Option<usize>,
}

/// The results of an analysis.
#[derive(Clone, Debug)]
pub struct CoverageRun {
    /// Number of tests given.
    pub n_given: usize,
    /// Whether the suite (the completed one, if completion was requested) kills every nonconforming mutant.
    pub answer: Answer,
    /// The final tests.
    pub tests: Vec<Vec<InputId>>,
    /// Facts about the tests before redundant ones were dropped.
    pub facts: Vec<TestFacts>,
    /// Number of redundant tests dropped, if minimisation was requested.
    pub n_dropped: Option<usize>,
    /// The limit, if one was hit, that may have left redundant tests in the suite.
    pub still_needless: Option<StopReason>,
    /// If the tests were ordered: number of mutants that each test kills and the tests before it do not, or the limit
    /// that left the order unchanged.
    pub first_kills: Option<Result<Vec<BigUint>, StopReason>>,
    /// Number of conforming mutants found.
    pub n_conforming_met: usize,
    /// Total number of clauses given to the solver.
    pub n_clauses: usize,
    /// Number of questions to the solver.
    pub n_questions: u64,
    /// The counts, if they were requested.
    pub counts: Option<Counts>,
    /// The lists that were requested.
    pub listed: CoverageListed,
}

/// Steps of the analysis on disk.
#[derive(Debug, Default)]
pub struct Steps {
    /// Journal to which new steps are appended.
    pub journal: Option<Journal>,
    /// Steps that an interrupted run recorded.
    pub kept: Vec<JournalStep>,
}

/// Analyses `suite`; `progress` is told of every step.
///
/// # Errors
/// If the solver does not answer, or the journal cannot be written or belongs to another machine.
pub fn cover(
    machine: &MutationMachine,
    suite: &[Vec<InputId>],
    plan: &CoveragePlan,
    steps: &mut Steps,
    progress: &mut dyn FnMut(&CoverageProgress),
) -> Result<CoverageRun> {
    let mut analysis = Analysis::new(machine, Varisat::default());
    suite.iter().for_each(|test| analysis.add_test(test));
    let answer = match plan.complete {
        Some(strategy) => {
            replay(&mut analysis, &steps.kept)?;
            match complete(&mut analysis, strategy, plan, steps, progress)? {
                Completion::Complete => Answer::Complete,
                Completion::Stopped(reason) => Answer::Unknown(reason),
            }
        }
        None => analysis.escape(&plan.budget, &mut |_| ())?,
    };
    let facts = analysis.facts().to_vec();
    let n_clauses = analysis.n_clauses();
    let mut kept = analysis.tests().to_vec();
    let mut still_needless = None;
    let n_dropped = match plan.minimise {
        true => {
            let needed = minimise(machine, &kept, &mut Varisat::default(), &plan.budget, &mut |_| ())?;
            still_needless = needed.stopped;
            let n_dropped = kept.len() - needed.tests.len();
            kept = needed.tests.iter().map(|test| kept[*test].clone()).collect();
            Some(n_dropped)
        }
        false => None,
    };
    let mut run = CoverageRun {
        n_given: suite.len(),
        tests: kept,
        facts,
        n_dropped,
        still_needless,
        first_kills: None,
        n_conforming_met: analysis.conforming().len() - 1,
        n_clauses,
        n_questions: analysis.n_questions(),
        counts: None,
        listed: CoverageListed::default(),
        answer,
    };
    if plan.prioritise {
        let order = prioritised(machine, &run.tests, &plan.budget);
        if let Ok(order) = &order {
            run.tests = order.iter().map(|(at, _)| run.tests[*at].clone()).collect();
        }
        run.first_kills = Some(order.map(|order| order.into_iter().map(|(_, kills)| kills).collect()));
    }
    list(&mut run, machine, suite, plan, analysis.centres(), progress)?;
    if plan.count {
        run.counts = Some(count(&mut analysis, suite, plan, &run.answer)?);
    }
    Ok(run)
}

/// Adds the requested lists to `run`.
fn list(
    run: &mut CoverageRun,
    machine: &MutationMachine,
    suite: &[Vec<InputId>],
    plan: &CoveragePlan,
    centres: &[Mutant],
    progress: &mut dyn FnMut(&CoverageProgress),
) -> Result<()> {
    if plan.lists.formula {
        run.listed.formula = Formula::of(machine, &run.tests, centres, &run.answer);
    }
    if plan.lists.proof && run.answer == Answer::Complete {
        run.listed.proof = Some(proof(machine, &run.tests, centres)?);
    }
    if let Some(most) = plan.lists.survivors {
        let n_clauses = run.facts.iter().map(|facts| facts.n_clauses).sum();
        let found = survivors(machine, suite, most, &plan.budget, &mut |n_survivors| {
            progress(&CoverageProgress {
                n_tests: suite.len(),
                n_clauses,
                killed: None,
                n_survivors: Some(n_survivors),
            });
        })?;
        run.listed.survivors = Some(found);
    }
    if let Some(most) = plan.lists.conforming {
        run.listed.conforming = Some(conforming(machine, suite, most, &plan.budget)?);
    }
    Ok(())
}

fn replay(analysis: &mut Analysis<'_, Varisat>, steps: &[JournalStep]) -> Result<()> {
    let machine = analysis.machine();
    let known = |numbers: &[usize]| numbers.iter().all(|number| *number < machine.inputs().len());
    let inputs = |numbers: &[usize]| -> Vec<InputId> { numbers.iter().copied().map(InputId::from_index).collect() };
    for step in steps {
        let fits = match step {
            JournalStep::Test(numbers) if known(numbers) => {
                analysis.add_test(&inputs(numbers));
                true
            }
            JournalStep::Extension(numbers) if known(numbers) => {
                analysis.extend(&inputs(numbers));
                true
            }
            JournalStep::Conforming(choices) => {
                Mutant::new(machine, choices.clone()).is_some_and(|mutant| analysis.exclude(&mutant))
            }
            _ => false,
        };
        if !fits {
            let why = "the journal belongs to another machine: start anew without --resume";
            return Err(ExperimentError::other_run(why));
        }
    }
    Ok(())
}

fn complete(
    analysis: &mut Analysis<'_, Varisat>,
    strategy: Strategy,
    plan: &CoveragePlan,
    steps: &mut Steps,
    progress: &mut dyn FnMut(&CoverageProgress),
) -> Result<Completion> {
    let machine = analysis.machine();
    let limited = Budget {
        max_states: Some(WATCHED_NODES),
        ..plan.budget.clone()
    };
    let mut counter = plan.watch.then(|| Counter::new(machine, limited));
    if let Some(counter) = &mut counter {
        analysis.tests().iter().for_each(|test| counter.add_test(test));
    }
    let numbers = |inputs: &[InputId]| inputs.iter().map(|input| input.index()).collect::<Vec<usize>>();
    let mut failed = None;
    let end = analysis.complete(strategy, &plan.budget, &mut |found, now| {
        let (step, test) = match found {
            Found::Test(inputs) => (JournalStep::Test(numbers(inputs)), Some(inputs)),
            Found::Extension(inputs) => (JournalStep::Extension(numbers(inputs)), Some(inputs)),
            Found::Conforming(mutant) => (JournalStep::Conforming(mutant.choices().to_vec()), None),
        };
        if let Some(journal) = &mut steps.journal {
            failed = failed.take().or(journal.append(&step).err());
        }
        if let (Some(counter), Some(test)) = (&mut counter, test) {
            counter.add_test(test);
        }
        progress(&CoverageProgress {
            n_tests: now.tests().len(),
            n_clauses: now.n_test_clauses(),
            killed: counter
                .as_ref()
                .map(|counter| machine.n_machines() - counter.survivors()),
            n_survivors: None,
        });
    })?;
    failed.map_or(Ok(end), Err)
}

/// The counts for `suite`. All conforming mutants are known once a suite is complete, so this one is completed first,
/// but only within `analysis`.
fn count(
    analysis: &mut Analysis<'_, Varisat>,
    suite: &[Vec<InputId>],
    plan: &CoveragePlan,
    answer: &Answer,
) -> Result<Counts> {
    let machine = analysis.machine();
    let mut counter = Counter::new(machine, plan.budget.clone());
    suite.iter().for_each(|test| counter.add_test(test));
    let are_all = match answer {
        Answer::Complete => true,
        Answer::Unknown(_) => false,
        Answer::Escape(_) => {
            let end = analysis.complete(Strategy::NewTests, &plan.budget, &mut |_, _| ())?;
            end == Completion::Complete
        }
    };
    let escapes = analysis.tests() != suite;
    Ok(counter.counts(analysis.conforming(), are_all, escapes))
}
