//! A system, its mutants, and the facts about both that tests need.

use std::path::Path;

use anyhow::Result;
use rayon::prelude::*;

use super::actions;
use super::load::{SYSTEMS, missing, read, states};
use crate::cli::arguments::args::LimitArgs;
use crate::cli::door::UntimedFile;
use crate::cli::exit::LimitHit;
use crate::cli::terminal::Terminal;
use tamper::experiment::Timer;
use tamper::formats::system_suite::TestedSystem;
use tamper::formats::{SystemFormat, read_input};
use tamper::systems::actions::{ActionBench, Alphabet, Pattern, View, action_mutations, observed};
use tamper::systems::testing::{Candidate, Ends, NoInput, SystemFate, SystemTest, WantedKill, execute, fate_of};
use tamper::systems::{TransitionSystem, decide, mutations};
use tamper::untimed::{UntimedMutant, pair};

/// A system and its mutants, ready to be tested.
pub struct SystemBench {
    /// The reference to the system in a suite.
    pub specification: TestedSystem,
    /// The system in the form that its tests meet.
    pub subject: TransitionSystem,
    /// The mutants of the model under `plan`.
    pub candidates: Vec<Candidate>,
    is_of_actions: bool,
}

/// The settings of a bench.
pub struct BenchOptions<'a> {
    /// Whether states stay for inputs without a step.
    pub complete: bool,
    /// Limits of each question.
    pub limits: &'a LimitArgs,
    /// The kind of test that is looked for to kill each mutant, if any.
    pub wanted: Option<WantedKill>,
    /// The existing tests.
    pub tests: &'a [SystemTest],
}

impl SystemBench {
    /// The system in `file`, and its mutants of order 1.
    pub fn new(file: &UntimedFile, asked: &BenchOptions<'_>, terminal: &Terminal) -> Result<Self> {
        let bytes = read_input(&file.path, SYSTEMS)?;
        let specification = TestedSystem {
            file: file.path.display().to_string(),
            hash: blake3::hash(&bytes).to_hex().to_string(),
            complete: asked.complete,
        };
        let (subject, candidates) = match file.format {
            SystemFormat::Actions => of_actions(&file.path, asked, terminal)?,
            SystemFormat::Smv | SystemFormat::Btor2 => of_transition_system(file, asked, terminal)?,
        };
        Ok(Self {
            specification,
            subject,
            candidates,
            is_of_actions: file.format == SystemFormat::Actions,
        })
    }
    /// The mutants with these numbers; all for `None`.
    pub fn asked(&self, numbers: Option<&[u64]>) -> Vec<&Candidate> {
        let candidates = (0..).zip(&self.candidates);
        let is_asked = |number: &u64| numbers.is_none_or(|numbers| numbers.binary_search(number).is_ok());
        let asked = candidates.filter(|(number, _)| is_asked(number));
        asked.map(|(_, candidate)| candidate).collect()
    }
    /// The ends of the plays of `test` on `system`.
    pub fn play(&self, test: &SystemTest, system: &TransitionSystem) -> Result<Ends, NoInput> {
        play(self.is_of_actions, test, system)
    }
}

/// The ends of the plays of `test` on `system`, an action system or a transition system.
pub fn play(is_of_actions: bool, test: &SystemTest, system: &TransitionSystem) -> Result<Ends, NoInput> {
    match is_of_actions {
        false => execute(test, system, |listed, seen| listed == seen),
        true => execute(test, system, covers),
    }
}

/// Whether the event that a test lists covers the event that was seen.
pub fn covers(listed: &str, seen: &str) -> bool {
    let patterns = Pattern::parse(listed).zip(Pattern::parse(seen));
    listed == seen || patterns.is_some_and(|(listed, seen)| listed.covers(&seen))
}

/// The events that tests tell apart.
fn patterns(tests: &[SystemTest]) -> impl Iterator<Item = Pattern> {
    let words = tests.iter().flat_map(|test| &test.course.nodes).flat_map(|node| {
        let seen = node.answers.iter().map(|answer| &answer.seen);
        seen.chain([&node.give])
    });
    let patterns = words.filter_map(|word| Pattern::parse(word));
    patterns.filter(|pattern| !pattern.ranges.is_empty())
}

fn hit(file: &Path, why: &impl std::fmt::Display) -> LimitHit {
    LimitHit::too_small(file.display(), why)
}

fn of_actions(
    file: &Path,
    asked: &BenchOptions<'_>,
    terminal: &Terminal,
) -> Result<(TransitionSystem, Vec<Candidate>)> {
    let read = actions::read(file)?;
    let timer = || Timer::new(asked.limits.resolve());
    let mutations = action_mutations(&read.system);
    let mutants: Vec<_> = mutations.iter().map(|mutation| mutation.apply(&read.system)).collect();
    let mut alphabet = Alphabet::new(&read.system);
    patterns(asked.tests).for_each(|pattern| alphabet.add_pattern(&pattern));
    alphabet
        .add_system(&read.system, &timer().budget())
        .map_err(|open| hit(file, &open))?;
    // A mutant with an open question is not distinguished, and stays unknown.
    let open: Vec<Option<String>> = mutants
        .iter()
        .map(|mutant| {
            alphabet
                .add_system(mutant, &timer().budget())
                .err()
                .map(|open| open.to_string())
        })
        .collect();
    let bench = ActionBench::new(&read.system, alphabet, &timer().budget()).map_err(|open| hit(file, &open))?;
    let subject = bench
        .subject(&read.system, &timer().budget())
        .map_err(|open| hit(file, &open))?;
    let bar = terminal.progress(mutants.len() as u64);
    let candidates: Result<Vec<Candidate>> = (0..mutants.len())
        .into_par_iter()
        .map(|at| {
            let (states, fate) = match &open[at] {
                Some(open) => (None, SystemFate::Unknown(open.clone())),
                None => bench.judge(&mutants[at], asked.wanted, &timer().budget())?,
            };
            bar.inc(1);
            Ok(Candidate {
                id: UntimedMutant::of_actions(&read, &mutations[at..=at]).id,
                operator: mutations[at].operator.name(),
                states,
                fate,
            })
        })
        .collect();
    bar.finish_and_clear();
    Ok((subject, candidates?))
}

fn of_transition_system(
    file: &UntimedFile,
    asked: &BenchOptions<'_>,
    terminal: &Terminal,
) -> Result<(TransitionSystem, Vec<Candidate>)> {
    let system = read(file, terminal)?;
    let timer = || Timer::new(asked.limits.resolve());
    let specification =
        states(&system, asked.complete, &timer().budget())?.map_err(|reason| hit(&file.path, &reason))?;
    let found = mutations(&system.program);
    let bar = terminal.progress(found.len() as u64);
    let candidates: Vec<Candidate> = found
        .par_iter()
        .map(|mutation| {
            let timer = timer();
            let budget = timer.budget();
            let mutant = mutation.apply(&system.program);
            let judged = pair(&mutant, missing(asked.complete), &specification, &budget);
            let (states, fate) = match judged {
                Err(fate) => (None, fate),
                Ok(pair) => {
                    let fate = fate_of(&pair, &decide(&pair, &budget), None, asked.wanted, &budget);
                    (Some(pair.mutant().clone()), fate)
                }
            };
            bar.inc(1);
            Candidate {
                id: UntimedMutant::of_system(&system, std::slice::from_ref(mutation)).id,
                operator: mutation.operator.name(),
                states,
                fate,
            }
        })
        .collect();
    bar.finish_and_clear();
    Ok((specification, candidates))
}

/// The system in `file`, in the form that `tests` meet.
pub fn subject(file: &UntimedFile, asked: &BenchOptions<'_>, terminal: &Terminal) -> Result<TransitionSystem> {
    let timer = Timer::new(asked.limits.resolve());
    match file.format {
        SystemFormat::Smv | SystemFormat::Btor2 => {
            let system = read(file, terminal)?;
            Ok(states(&system, asked.complete, &timer.budget())?.map_err(|reason| hit(&file.path, &reason))?)
        }
        SystemFormat::Actions => {
            let read = actions::read(&file.path)?;
            let mut alphabet = Alphabet::new(&read.system);
            patterns(asked.tests).for_each(|pattern| alphabet.add_pattern(&pattern));
            alphabet
                .add_system(&read.system, &timer.budget())
                .map_err(|open| hit(&file.path, &open))?;
            let subject = observed(&read.system, &alphabet, View::Subject, &timer.budget());
            Ok(subject.map_err(|open| hit(&file.path, &open))?)
        }
    }
}
