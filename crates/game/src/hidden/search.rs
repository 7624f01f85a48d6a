//! The search for a run that tells a mutant from its specification: states of the mutant beside estimates of the
//! specification, breadth first, on finer and finer grids of time.
//!
//! The unit of the grid is the greatest common divisor of all constants, then a half and a quarter of it. From a state time
//! passes by one unit, and to the next moment at which the result of a comparison may change. A state is not followed if
//! the same state of the mutant was met beside an estimate within this one: every difference that this one shows, the other
//! one shows as well. Estimates are widened, which never makes a difference appear that does not exist; `observation`
//! executes the run again without widening.

use std::collections::{HashMap, VecDeque};

use num_integer::Integer;
use num_rational::BigRational;
use num_traits::Zero as _;

use super::estimate::{Estimate, Estimator, Halted};
use super::observation::{Difference, Observation, SeenStep};
use super::seen::Seen;
use super::silent;
use super::walker::{Spot, Walker, common_unit};
use crate::product::{ActionMap, Mover};
use crate::semantics::Unmatched;
use crate::specification::{Specification, consistent_arena};
use crate::symbolic::{GameError, Halt, Move};
use crate::witness::{Doing, doing};
use tamper_text::Budget;
use tamper_timed::model::{Action, ActionId, Automaton, Role};

/// Limits on the search for a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Most states of the mutant beside an estimate that are looked at on one grid.
    pub max_states: u64,
    /// Most zones of estimates that are made on one grid.
    pub max_zones: u64,
    /// Number of grids that are tried, each twice as fine as the one before.
    pub n_grids: u32,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            max_states: 2_000,
            max_zones: 50_000,
            n_grids: 3,
        }
    }
}

/// Looks for a run of `mutant`, unless it can show nothing.
pub(super) fn search(
    spec: &Specification,
    mutant: &Automaton,
    budget: &Budget,
    effort: Effort,
) -> Result<Seen, GameError> {
    let left = match consistent_arena(mutant, spec.semantics().prune, budget) {
        Ok(Some(left)) => left,
        Ok(None) => return Ok(Seen::Inconsistent),
        Err(Halt::Stopped(reason)) => return Ok(Seen::Stopped(reason)),
        Err(Halt::Error(error)) => return Err(error),
    };
    if silent::has_no(&left, Role::Output) && spec.looks_like_all_delays() {
        return Ok(Seen::Subsumed);
    }
    let unit = common_unit(&[&left, spec.arena()]);
    let mut n_states = 0;
    for level in 0..effort.n_grids {
        let finer = 1 << level;
        let factor = finer / unit.gcd(&finer);
        let (Some(left), Some(right)) = (left.scaled(factor), spec.arena().scaled(factor)) else {
            break;
        };
        let search = ObservationSearch {
            walker: Walker { arena: &left },
            estimator: Estimator::new(&right, true, budget, effort.max_zones),
            sides: (mutant, spec),
            actions: ActionMap::new(mutant, spec.automaton()),
            factor,
            step: unit * factor / finer,
            entries: Vec::new(),
            known: HashMap::new(),
            waiting: VecDeque::new(),
            budget,
            max_states: effort.max_states,
        };
        let (found, looked_at) = search.run()?;
        n_states += looked_at;
        match found {
            Ok(Some(observation)) => return Ok(Seen::NonSubsumed(Box::new(observation))),
            Ok(None) => {}
            Err(Halted::Limit(reason)) => return Ok(Seen::Stopped(reason)),
            Err(Halted::Effort) => {}
        }
    }
    Ok(Seen::NotFound { n_states })
}

struct ObservationSearch<'a> {
    walker: Walker<'a>,
    estimator: Estimator<'a>,
    sides: (&'a Automaton, &'a Specification),
    actions: ActionMap,
    /// Units of the arenas per unit of time.
    factor: i64,
    /// The grid, in units of the arenas.
    step: i64,
    entries: Vec<Entry>,
    /// Per state of the mutant, the estimates beside it.
    known: HashMap<Spot, Vec<usize>>,
    waiting: VecDeque<usize>,
    budget: &'a Budget,
    max_states: u64,
}

/// A state of the mutant beside an estimate.
struct Entry {
    spot: Spot,
    estimate: Estimate,
    parent: Option<(usize, Done)>,
}

/// The step from one entry to the next.
#[derive(Clone)]
enum Done {
    Delay(i64),
    /// The action is `None` for a hidden step.
    Action(Option<Action>, Doing),
}

/// The difference that an entry shows between the games.
enum EntryDifference {
    Delay(i64),
    Output(Action, Doing),
    Refused(Action),
}

/// The result of a part of the search, or the reason why it ended early.
type SearchResult<T> = Result<T, Halted>;

impl ObservationSearch<'_> {
    /// A confirmed run, and the number of states that were examined.
    fn run(mut self) -> Result<(SearchResult<Option<Observation>>, u64), GameError> {
        let first = match self.estimator.start() {
            Ok(estimate) => estimate,
            Err(reason) => return Ok((Err(reason), 0)),
        };
        self.add(self.walker.start(), first, None);
        let mut n_states = 0;
        while let Some(at) = self.waiting.pop_front() {
            n_states += 1;
            if n_states > self.max_states {
                break;
            }
            if let Some(reason) = self.budget.exceeded(n_states, 0) {
                return Ok((Err(Halted::Limit(reason)), n_states));
            }
            match self.look(at) {
                Err(reason) => return Ok((Err(reason), n_states)),
                Ok(None) => {}
                Ok(Some(failure)) => {
                    let observation = self.observation(at, &failure);
                    if observation.confirm(self.sides.1, self.sides.0, self.budget)? {
                        return Ok((Ok(Some(observation)), n_states));
                    }
                }
            }
        }
        Ok((Ok(None), n_states))
    }

    fn add(&mut self, spot: Spot, estimate: Estimate, parent: Option<(usize, Done)>) {
        let known = self.known.entry(spot.clone()).or_default();
        if known.iter().any(|at| self.entries[*at].estimate.is_within(&estimate)) {
            return;
        }
        known.push(self.entries.len());
        self.waiting.push_back(self.entries.len());
        self.entries.push(Entry { spot, estimate, parent });
    }

    /// Follows all steps of an entry; returns the difference that it shows between the games, if any.
    fn look(&mut self, at: usize) -> SearchResult<Option<EntryDifference>> {
        let Entry { spot, estimate, .. } = &self.entries[at];
        let (spot, estimate) = (spot.clone(), estimate.clone());
        let moves = self.walker.moves(&spot);
        for (step, target) in moves.iter().filter(|(step, _)| step.role != Role::Input) {
            let action = self.action(step);
            let next = match (step.role, self.actions.to_right()[step.action]) {
                (Role::Internal, _) => estimate.clone(),
                (_, Some(known)) => self.estimator.after_action(&estimate, known)?,
                (_, None) if self.ignores(Mover::Left, step.action) => estimate.clone(),
                (_, None) => return Ok(Some(EntryDifference::Output(action, doing(step)))),
            };
            if next.is_empty() {
                return Ok(Some(EntryDifference::Output(action, doing(step))));
            }
            let seen = (step.role != Role::Internal).then_some(action);
            self.add(target.clone(), next, Some((at, Done::Action(seen, doing(step)))));
        }
        if let Some(refused) = self.inputs(at, &moves, &spot, &estimate)? {
            return Ok(Some(EntryDifference::Refused(refused)));
        }
        self.delays(at, &spot, &estimate)
    }

    /// Follows the inputs that the specification accepts in every state in which it may be; returns the input that the
    /// mutant refuses, if any.
    fn inputs(
        &mut self,
        at: usize,
        moves: &[(&Move, Spot)],
        spot: &Spot,
        estimate: &Estimate,
    ) -> SearchResult<Option<Action>> {
        if self.walker.arena.node(spot.node).atomic {
            return Ok(None);
        }
        let spec = self.sides.1;
        for (input, action) in spec.automaton().actions().iter_enumerated() {
            if action.role != Role::Input || !self.estimator.accepts(estimate, input) {
                continue;
            }
            let own = self.actions.to_left()[input];
            let own_moves = moves.iter().filter(|(step, _)| Some(step.action) == own);
            let mut answers: Vec<(Doing, Spot)> = own_moves.map(|(step, to)| (doing(step), to.clone())).collect();
            if self.ignores(Mover::Right, input) {
                answers.push((Doing::Stays, spot.clone()));
            }
            let Some((doing, target)) = answers.first() else {
                if self.walker.refuses(spot, own) {
                    return Ok(Some(action.clone()));
                }
                continue;
            };
            if answers.iter().all(|(_, other)| other == target) {
                let next = self.estimator.after_action(estimate, input)?;
                let done = Done::Action(Some(action.clone()), *doing);
                self.add(target.clone(), next, Some((at, done)));
            }
        }
        Ok(None)
    }

    /// Lets time pass: one unit of the grid, and to the next event.
    fn delays(&mut self, at: usize, spot: &Spot, estimate: &Estimate) -> SearchResult<Option<EntryDifference>> {
        let events = [self.walker.next_event(spot), self.estimator.next_event(estimate)];
        let next = events.into_iter().flatten().min().unwrap_or(self.step);
        let next = Integer::next_multiple_of(&next, &self.step);
        for span in std::iter::once(self.step).chain((next > self.step).then_some(next)) {
            let Some(later) = self.walker.later(spot, span) else {
                continue;
            };
            let after = self.estimator.after_delay(estimate, span)?;
            if after.is_empty() {
                return Ok(Some(EntryDifference::Delay(span)));
            }
            self.add(later, after, Some((at, Done::Delay(span))));
        }
        Ok(None)
    }

    /// Whether the other game ignores that action.
    fn ignores(&self, mover: Mover, action: ActionId) -> bool {
        self.sides.1.semantics().unmatched == Unmatched::Ignore && self.actions.is_unknown(mover, action)
    }

    fn action(&self, step: &Move) -> Action {
        self.sides.0.actions()[step.action].clone()
    }

    fn time(&self, span: i64) -> BigRational {
        BigRational::new(span.into(), self.factor.into())
    }

    /// The run to an entry, with its end.
    fn observation(&self, at: usize, failure: &EntryDifference) -> Observation {
        let mut path = Vec::new();
        let mut entry = at;
        while let Some((before, done)) = &self.entries[entry].parent {
            path.push(done.clone());
            entry = *before;
        }
        let mut steps = Vec::new();
        let mut delay = BigRational::zero();
        for done in path.into_iter().rev() {
            match done {
                Done::Delay(span) => delay += self.time(span),
                Done::Action(action, doing) => steps.push(SeenStep {
                    delay: std::mem::take(&mut delay),
                    action,
                    doing,
                }),
            }
        }
        let difference = match failure {
            EntryDifference::Delay(span) => Difference::Delay {
                delay: delay + self.time(*span),
            },
            EntryDifference::Output(action, doing) => Difference::Output {
                delay,
                action: action.clone(),
                doing: *doing,
            },
            EntryDifference::Refused(action) => Difference::Refused {
                delay,
                action: action.clone(),
            },
        };
        Observation { steps, difference }
    }
}
