//! Diagnosis of a faulty program from observed runs: the mutants that explain every run, failed or passed, else those that
//! explain most. A mutant explains a run if it has one of the runs that the log leaves possible (`suite::Monitor`).

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// Largest number of suspects that are compared with each other.
const MOST_COMPARED: usize = 64;

/// An observed run of a program.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The id of the test.
    pub test: String,
    /// The observed events.
    pub events: Vec<Event>,
    /// End of the observation, in time units.
    pub until: BigRational,
}

/// All runs of one program.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The runs. Runs that few games explain are best put first.
    pub runs: Vec<Seen>,
    /// Tolerance for the times of outputs, in time units.
    pub tolerance: BigRational,
}

impl Evidence {
    /// The positions of the runs that no program shows that behaves as `game`; `None` if they are more than `most`.
    ///
    /// # Errors
    /// If the game has no meaning, a limit is hit, or times are too fine.
    pub fn contradicting(
        &self,
        game: &Automaton,
        most: usize,
        budget: &Budget,
    ) -> Result<Option<Vec<usize>>, SuiteFailure> {
        let monitor = Monitor::new(game, budget)?;
        let mut contradicting = Vec::new();
        for (at, seen) in self.runs.iter().enumerate() {
            let trace = Trace {
                events: &seen.events,
                until: &seen.until,
                tolerance: &self.tolerance,
            };
            if !monitor.explains(trace, budget)? {
                if contradicting.len() == most {
                    return Ok(None);
                }
                contradicting.push(at);
            }
        }
        Ok(Some(contradicting))
    }

    /// The latest end of a run, in time units.
    pub fn end(&self) -> Option<&BigRational> {
        self.runs.iter().map(|seen| &seen.until).max()
    }
}

/// The largest value to which an edge of `game` sets a clock, at least 0; `None` if some value is not a number.
pub fn largest_reset(game: &Automaton) -> Option<i64> {
    let updates = game.edges().iter().flat_map(|edge| &edge.updates);
    let mut resets = updates.filter_map(|update| match update {
        Update::Reset(_, value) => Some(value.as_const()),
        Update::Assign(..) => None,
    });
    resets.try_fold(0, |largest, value| Some(value?.max(largest)))
}

/// A mutant that explains all runs, or most.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// The mutant.
    pub mutant: Numbered,
    /// The positions of the runs that it does not explain.
    pub contradicting: Vec<usize>,
    automaton: Automaton,
}

/// The nearest suspects among the mutants looked at: those for which the number of runs that they do not explain is least.
#[derive(Clone, Debug)]
pub struct Suspects {
    /// The suspects, in the order in which they were looked at.
    pub found: Vec<Suspect>,
    /// Number of mutants tried.
    pub n_tried: u64,
    /// Number of mutants left undecided by a limit.
    pub n_unknown: u64,
    /// Number of runs that a suspect may leave unexplained.
    most: usize,
}

/// The result of trying one mutant.
enum Tried {
    Explains(Box<Suspect>),
    Fails,
    Unknown,
}

impl Suspects {
    /// No suspects so far; each may leave at most `most` runs unexplained.
    pub fn within(most: usize) -> Self {
        Self {
            found: Vec::new(),
            n_tried: 0,
            n_unknown: 0,
            most,
        }
    }

    /// Looks at the mutants of `set`, in the order of their numbers. `progress` is called after each mutant.
    ///
    /// # Errors
    /// If the set lacks one of its numbers.
    pub fn look(
        &mut self,
        set: &dyn MutantSet,
        evidence: &Evidence,
        timer: &Timer,
        progress: &(dyn Fn() + Sync),
    ) -> Result<()> {
        let numbers: Vec<u64> = (0..set.n_mutants()).collect();
        // A mutant that explains less than one found already is not looked at to its end: what is found is the same, whatever the order.
        let least = AtomicUsize::new(self.most);
        for chunk in numbers.chunks(CHUNK as usize) {
            let mutants = set.mutants(chunk)?.into_par_iter();
            let tried = mutants.map(|mutant| {
                let tried = tried(set, mutant, evidence, &least, timer);
                progress();
                tried
            });
            for tried in tried.collect::<Vec<Tried>>() {
                self.n_tried += 1;
                match tried {
                    Tried::Explains(suspect) => self.found.push(*suspect),
                    Tried::Fails => {}
                    Tried::Unknown => self.n_unknown += 1,
                }
            }
        }
        self.most = least.into_inner();
        self.found.retain(|suspect| suspect.contradicting.len() <= self.most);
        Ok(())
    }
}

fn tried(set: &dyn MutantSet, mutant: Numbered, evidence: &Evidence, least: &AtomicUsize, timer: &Timer) -> Tried {
    if timer.is_over() {
        return Tried::Unknown;
    }
    let automaton = match set.game(&mutant, timer) {
        Ok(automaton) => automaton,
        Err(failure) if failure.is_invalid() => return Tried::Fails,
        Err(_) => return Tried::Unknown,
    };
    match evidence.contradicting(&automaton, least.load(Ordering::Relaxed), &timer.budget()) {
        Ok(Some(contradicting)) => {
            least.fetch_min(contradicting.len(), Ordering::Relaxed);
            Tried::Explains(Box::new(Suspect {
                mutant,
                contradicting,
                automaton,
            }))
        }
        Ok(None) => Tried::Fails,
        // A mutant without a meaning cannot be the program.
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
    /// Whether the suspects were compared by refinement.
    pub is_compared: bool,
}

/// Groups the suspects that refine each other, and puts the groups that allow least first: of two explanations, the one
/// that allows less assumes less.
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
    // A group that refines more of the others allows less.
    groups.sort_by_key(|(n_above, group)| (std::cmp::Reverse(*n_above), group[0]));
    let alike = groups.into_iter().map(|(_, group)| Alike {
        mutants: group.into_iter().map(|at| suspects[at].mutant.clone()).collect(),
        is_compared,
    });
    alike.collect()
}

/// The refinement relation: `[a][b]` says whether suspect `a` refines suspect `b`; undecided pairs count as no.
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

/// A constant that, if changed, explains all runs.
#[derive(Clone, Debug)]
pub struct SuspectConstant {
    /// Place of the constraint, as mutants' ids name it.
    pub site: String,
    /// The constraint.
    pub constraint: String,
    /// The constant in the model.
    pub constant: i64,
    /// The other constants that explain all runs, in order; between two ranges lies a constant that does not.
    pub ranges: Vec<ConstantRange>,
    /// The mutant with the constant nearest to the model's.
    pub example: Numbered,
}

/// A range of constants, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConstantRange {
    /// The least constant.
    pub from: i64,
    /// The greatest constant, among the ones tried.
    pub to: i64,
}

/// Suspects that leave the same runs unexplained.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The ids of the tests whose runs they do not explain.
    pub contradicting: Vec<String>,
    /// The constants that, if changed, explain the other runs, those nearest to the model's first.
    pub constants: Vec<SuspectConstant>,
    /// The other mutants that explain them, the least permissive first.
    pub groups: Vec<Alike>,
}

/// The suspects by the runs that they leave unexplained, with constants of at most `last`. What explains more of the runs that come
/// first in `evidence` comes first.
pub fn explanations(suspects: Vec<Suspect>, evidence: &Evidence, last: i64, timer: &Timer) -> Vec<Explanation> {
    let mut by_runs: BTreeMap<Vec<usize>, Vec<Suspect>> = BTreeMap::new();
    for suspect in suspects {
        by_runs.entry(suspect.contradicting.clone()).or_default().push(suspect);
    }
    let explanation = |(runs, mut suspects): (Vec<usize>, Vec<Suspect>)| Explanation {
        contradicting: runs.iter().map(|at| evidence.runs[*at].test.clone()).collect(),
        constants: constants(&mut suspects, last),
        groups: ranked(suspects, timer),
    };
    let all = by_runs.into_iter().rev().map(explanation);
    all.filter(|found| !found.constants.is_empty() || !found.groups.is_empty())
        .collect()
}

/// The constraint that `mutant` changes, if it is a single CXL or CXS mutation.
fn constant_change(mutant: &Numbered) -> Option<ConstraintChange> {
    let last = mutant.mutations.last()?;
    let is_exchange = matches!(last.operator(), Operator::Cxl | Operator::Cxs);
    let is_only_one = mutant.mutations.len() == 1;
    last.constraint().filter(|_| is_exchange && is_only_one)
}

/// Collects the suspects that change a constant to one of at most `last`, by place, those nearest to the model's
/// constant first. All CXL and CXS mutants are removed from `suspects`; the others are left in it.
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

/// The changes of one constant together, and the distance of the nearest one from the model's constant.
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
