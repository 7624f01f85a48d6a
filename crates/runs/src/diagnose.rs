//! What is wrong with a program, from what was seen of it: the mutants of order 1 that explain every run, the failed ones and the
//! passed ones, each by all runs of it that the log leaves possible (`suite::Monitor`).

use std::collections::BTreeMap;

use num_rational::BigRational;
use rayon::prelude::*;

use super::error::Result;
use super::mutant_set::CHUNK;
use super::{MutantSet, Numbered, Timer};
use tamper_game::{Scratch, Semantics, Specification, Verdict};
use tamper_suite::{Event, Monitor, SuiteFailure, Trace};
use tamper_text::Budget;
use tamper_timed::model::{Automaton, Update};
use tamper_timed::mutation::{ConstraintChange, Operator, Site};

/// Most suspects that are compared with each other.
const MOST_COMPARED: usize = 64;

/// A run of a program, as it was seen.
#[derive(Clone, Debug)]
pub struct Seen {
    /// What happened.
    pub events: Vec<Event>,
    /// Until when the tester listened, in time units.
    pub until: BigRational,
}

/// All runs of one program.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The runs; those that fewest games explain are best first.
    pub runs: Vec<Seen>,
    /// How far the time of an output may be off, in time units.
    pub tolerance: BigRational,
}

impl Evidence {
    /// Whether a program that is `game` can show all runs.
    ///
    /// # Errors
    /// The game has no meaning, a limit, or times that are too fine.
    pub fn is_explained_by(&self, game: &Automaton, budget: &Budget) -> Result<bool, SuiteFailure> {
        let monitor = Monitor::new(game, budget)?;
        for seen in &self.runs {
            let trace = Trace {
                events: &seen.events,
                until: &seen.until,
                tolerance: &self.tolerance,
            };
            if !monitor.explains(trace, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The latest time of all runs, in time units.
    pub fn end(&self) -> Option<&BigRational> {
        self.runs.iter().map(|seen| &seen.until).max()
    }
}

/// The largest value that a clock of `game` is set to; none if that is not a number.
pub fn largest_reset(game: &Automaton) -> Option<i64> {
    let updates = game.edges().iter().flat_map(|edge| &edge.updates);
    let mut resets = updates.filter_map(|update| match update {
        Update::Reset(_, value) => Some(value.as_const()),
        Update::Assign(..) => None,
    });
    resets.try_fold(0, |largest, value| Some(value?.max(largest)))
}

/// A mutant that explains everything.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// The mutant.
    pub mutant: Numbered,
    automaton: Automaton,
}

/// The suspects among some mutants.
#[derive(Clone, Default, Debug)]
pub struct Suspects {
    /// Those that explain everything.
    pub found: Vec<Suspect>,
    /// How many were looked at.
    pub n_tried: u64,
    /// Of how many a limit hides whether they explain everything.
    pub n_unknown: u64,
}

/// What became of one.
enum Tried {
    Explains(Box<Suspect>),
    Fails,
    Unknown,
}

/// The mutants of `set` that explain `evidence`, by their numbers. `progress` hears of each that was tried.
///
/// # Errors
/// The set lacks one of its numbers.
pub fn suspects(
    set: &dyn MutantSet,
    evidence: &Evidence,
    timer: &Timer,
    progress: &(dyn Fn() + Sync),
) -> Result<Suspects> {
    let mut all = Suspects::default();
    let numbers: Vec<u64> = (0..set.n_mutants()).collect();
    for chunk in numbers.chunks(CHUNK as usize) {
        let mutants = set.mutants(chunk)?.into_par_iter();
        let tried = mutants.map(|mutant| {
            let tried = tried(set, mutant, evidence, timer);
            progress();
            tried
        });
        for tried in tried.collect::<Vec<Tried>>() {
            all.n_tried += 1;
            match tried {
                Tried::Explains(suspect) => all.found.push(*suspect),
                Tried::Fails => {}
                Tried::Unknown => all.n_unknown += 1,
            }
        }
    }
    Ok(all)
}

fn tried(set: &dyn MutantSet, mutant: Numbered, evidence: &Evidence, timer: &Timer) -> Tried {
    if timer.is_over() {
        return Tried::Unknown;
    }
    let candidate = set.candidate(mutant.clone(), timer);
    let Some(automaton) = candidate.automaton else {
        return match candidate.subject {
            Err(failure) if !failure.is_invalid() => Tried::Unknown,
            _ => Tried::Fails,
        };
    };
    match evidence.is_explained_by(&automaton, &timer.budget()) {
        Ok(true) => Tried::Explains(Box::new(Suspect { mutant, automaton })),
        Ok(false) => Tried::Fails,
        // What has no meaning is no program.
        Err(failure) if failure.is_invalid() => Tried::Fails,
        Err(SuiteFailure::NoInitialState { .. }) => Tried::Fails,
        Err(_) => Tried::Unknown,
    }
}

/// Suspects that no test tells apart.
#[derive(Clone, Debug)]
pub struct Alike {
    /// The mutants; at least one.
    pub mutants: Vec<Numbered>,
    /// Whether it is known what they allow, compared with the others.
    pub is_compared: bool,
}

/// The suspects, those that refine each other together, the ones that allow least first: what explains as much by allowing less
/// assumes less.
pub fn ranked(suspects: Vec<Suspect>, timer: &Timer) -> Vec<Alike> {
    let is_compared = suspects.len() <= MOST_COMPARED;
    if !is_compared {
        let alone = |suspect: Suspect| Alike {
            mutants: vec![suspect.mutant],
            is_compared,
        };
        return suspects.into_iter().map(alone).collect();
    }
    let refines = refinements(&suspects, timer);
    let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
    for (at, above) in refines.iter().enumerate() {
        let alike = |group: &&mut (usize, Vec<usize>)| {
            let first = group.1[0];
            refines[first][at] && above[first]
        };
        match groups.iter_mut().find(alike) {
            Some((_, group)) => group.push(at),
            None => {
                let n_above = above.iter().filter(|holds| **holds).count();
                groups.push((n_above, vec![at]));
            }
        }
    }
    // What refines more of the others allows less.
    groups.sort_by_key(|(n_above, group)| (std::cmp::Reverse(*n_above), group[0]));
    let alike = groups.into_iter().map(|(_, group)| Alike {
        mutants: group.into_iter().map(|at| suspects[at].mutant.clone()).collect(),
        is_compared,
    });
    alike.collect()
}

/// Which suspects refine which; what a limit hides counts as no.
fn refinements(suspects: &[Suspect], timer: &Timer) -> Vec<Vec<bool>> {
    let column = |above: &Suspect| -> Vec<bool> {
        let specification = Specification::prepare(&above.automaton, Semantics::DEFINITION, &timer.budget());
        let Ok(specification) = specification else {
            return vec![false; suspects.len()];
        };
        let mut scratch = Scratch::default();
        let mut refines = |below: &Suspect| {
            let decision = specification.decide(&below.automaton, &timer.budget(), &mut scratch);
            decision.is_ok_and(|decision| decision.verdict == Verdict::Subsumed)
        };
        suspects.iter().map(&mut refines).collect()
    };
    let columns: Vec<Vec<bool>> = suspects.par_iter().map(column).collect();
    let n = suspects.len();
    let row = |below: usize| (0..n).map(|above| columns[above][below] || above == below).collect();
    (0..n).map(row).collect()
}

/// A constant that explains everything if it is another one.
#[derive(Clone, Debug)]
pub struct SuspectConstant {
    /// Where it is, as ids of mutants say it.
    pub site: String,
    /// The constraint.
    pub constraint: String,
    /// The constant that it has.
    pub constant: i64,
    /// The others that explain everything, in order; between two ranges is one that does not.
    pub ranges: Vec<ConstantRange>,
    /// The mutant with the nearest of them.
    pub example: Numbered,
}

/// Constants from one to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConstantRange {
    /// The least.
    pub from: i64,
    /// The greatest that was tried.
    pub to: i64,
}

/// What CXL or CXS change.
fn constant_change(mutant: &Numbered) -> Option<ConstraintChange> {
    let last = mutant.mutations.last()?;
    let is_exchange = matches!(last.operator(), Operator::Cxl | Operator::Cxs);
    let is_only_one = mutant.mutations.len() == 1;
    last.constraint().filter(|_| is_exchange && is_only_one)
}

/// The suspects that change a constant to one of at most `last`, by its place, those nearest to the model's first; the others are left in
/// `suspects`.
pub fn constants(suspects: &mut Vec<Suspect>, last: i64) -> Vec<SuspectConstant> {
    let mut by_place: BTreeMap<(usize, Site, u32), Vec<(ConstraintChange, Numbered)>> = BTreeMap::new();
    suspects.retain(|Suspect { mutant, .. }| {
        let Some(change) = constant_change(mutant) else {
            return true;
        };
        if change.new.constant <= last {
            let place = (mutant.component(), change.site, change.atom);
            by_place.entry(place).or_default().push((change, mutant.clone()));
        }
        false
    });
    let mut found: Vec<(i64, SuspectConstant)> = by_place.into_values().filter_map(suspect_constant).collect();
    found.sort_by_key(|(distance, _)| *distance);
    found.into_iter().map(|(_, constant)| constant).collect()
}

/// What the changes of one constant say together, and how far the nearest is from the model's.
fn suspect_constant(changes: Vec<(ConstraintChange, Numbered)>) -> Option<(i64, SuspectConstant)> {
    let distance = |change: &ConstraintChange| (change.new.constant - change.old.constant).abs();
    let (nearest, example) = changes.iter().min_by_key(|(change, _)| distance(change))?;
    let mut values: Vec<i64> = changes.iter().map(|(change, _)| change.new.constant).collect();
    values.sort_unstable();
    let mut ranges: Vec<ConstantRange> = Vec::new();
    for value in values {
        match ranges.last_mut().filter(|range| range.to + 1 >= value) {
            Some(range) => range.to = value,
            None => ranges.push(ConstantRange { from: value, to: value }),
        }
    }
    let (site, constraint) = nearest.names(&example.parent);
    let constant = SuspectConstant {
        site,
        constraint,
        constant: nearest.old.constant,
        ranges,
        example: example.clone(),
    };
    Some((distance(nearest), constant))
}
