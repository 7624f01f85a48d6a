//! The shortest run of a mutant that shows it, which is the basis of potential killing (\[004\] Definition 3, lifted to time).
//!
//! The search is breadth first over pairs and zones, so no run with fewer steps shows the mutant. Zones are extrapolated. As
//! extrapolation is a bisimulation of time-abstract steps, the found sequence of steps is possible; the exact zones along it are
//! computed again without extrapolation, forwards and then backwards: per step all points from which the rest can still be done.
//! From the origin every delay into these points is good, so the tester may choose early or late ones.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::error::SuiteFailure;
use super::failures::{MutantFailure, failures};
use super::pairing::{JointMove, Pair, Pairing};
use tamper_game::symbolic::{INITIAL, PairProduct as _, zone_ops};
use tamper_text::Budget;
use tamper_zones::Dbm;

/// A step of a run, with all points of its pair from which it and the rest of the run can be done.
pub(super) struct RunStep<'p> {
    pub pair: Pair,
    pub joint: JointMove<'p>,
    pub points: Dbm,
}

/// A run that shows the mutant.
pub(super) struct ShowingRun<'p> {
    pub steps: Vec<RunStep<'p>>,
    pub pair: Pair,
    pub failure: MutantFailure<'p>,
    pub points: Dbm,
    /// The pairs that were met in the search, each with the least number of steps that leads to it.
    pub pairs: Vec<(Pair, usize)>,
}

struct SearchState<'p> {
    pair: Pair,
    reached: Dbm,
    parent: Option<(usize, JointMove<'p>)>,
    depth: usize,
}

/// The shortest run of the mutant that shows it, if there is one.
pub(super) fn shortest<'p>(pairing: &'p Pairing<'_>, budget: &Budget) -> Result<Option<ShowingRun<'p>>, SuiteFailure> {
    let zero = Dbm::zero(pairing.dim());
    shortest_from(pairing, (INITIAL, INITIAL), zero, usize::MAX, budget)
}

/// The shortest run of at most `longest` steps that shows the mutant from the points of `zone` in `pair`, if one exists.
pub(super) fn shortest_from<'p>(
    pairing: &'p Pairing<'_>,
    pair: Pair,
    zone: Dbm,
    longest: usize,
    budget: &Budget,
) -> Result<Option<ShowingRun<'p>>, SuiteFailure> {
    let mut search = RunSearch {
        longest,
        ..RunSearch::new(pairing)
    };
    let found = search.first(vec![(pair, zone.clone())], budget)?;
    Ok(found.map(|(at, failure)| search.run(pair, zone, at, failure)))
}

/// Reports to `note` all pairs in which a run can show the mutant, with the failure; some may be reported more than once.
pub(super) fn every_failure<'p>(
    pairing: &'p Pairing<'_>,
    budget: &Budget,
    note: &mut dyn FnMut(Pair, MutantFailure<'p>),
) -> Result<(), SuiteFailure> {
    let origin = ((INITIAL, INITIAL), Dbm::zero(pairing.dim()));
    let found = &mut |_, pair, failures: &[MutantFailure<'p>]| {
        failures.iter().for_each(|failure| note(pair, *failure));
        ControlFlow::Continue(())
    };
    RunSearch::new(pairing).explore(vec![origin], budget, found)
}

/// The least number of steps in which the mutant is shown from one of the `starts`, and the pairs met before, each with the
/// least number of steps that leads to it.
pub(super) fn distance_from(
    pairing: &Pairing<'_>,
    starts: Vec<(Pair, Dbm)>,
    budget: &Budget,
) -> Result<Option<MetStates>, SuiteFailure> {
    let mut search = RunSearch::new(pairing);
    let found = search.first(starts, budget)?;
    Ok(found.map(|(at, _)| (search.states[at].depth, search.pairs())))
}

/// A callback for each state: takes its number, its pair and its failures, and returns whether the search continues.
type FailureVisitor<'f, 'p> = dyn FnMut(usize, Pair, &[MutantFailure<'p>]) -> ControlFlow<()> + 'f;

/// The length of a run, and the pairs met within that length, each with its least number of steps.
type MetStates = (usize, Vec<(Pair, usize)>);

struct RunSearch<'p, 'a> {
    pairing: &'p Pairing<'a>,
    /// Maximum number of steps of a run.
    longest: usize,
    states: Vec<SearchState<'p>>,
    passed: FxHashMap<Pair, Vec<usize>>,
    diagonals: Vec<tamper_game::symbolic::Atom>,
}

impl<'p, 'a> RunSearch<'p, 'a> {
    fn new(pairing: &'p Pairing<'a>) -> Self {
        Self {
            pairing,
            longest: usize::MAX,
            states: Vec::new(),
            passed: FxHashMap::default(),
            diagonals: pairing.diagonals(),
        }
    }

    /// The first state with a failure, breadth first.
    fn first(
        &mut self,
        starts: Vec<(Pair, Dbm)>,
        budget: &Budget,
    ) -> Result<Option<(usize, MutantFailure<'p>)>, SuiteFailure> {
        let mut first = None;
        self.explore(starts, budget, &mut |at, _, failures| {
            first = failures.first().map(|failure| (at, *failure));
            match first {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        })?;
        Ok(first)
    }

    /// Explores all states, breadth first, and reports the failures of each to `found`, until `found` breaks off.
    fn explore(
        &mut self,
        starts: Vec<(Pair, Dbm)>,
        budget: &Budget,
        found: &mut FailureVisitor<'_, 'p>,
    ) -> Result<(), SuiteFailure> {
        let pairing = self.pairing;
        for (pair, zone) in starts {
            self.enter(pair, zone, None);
        }
        let bytes = zone_ops::zone_bytes(pairing.dim());
        let mut waiting: VecDeque<usize> = (0..self.states.len()).collect();
        while let Some(at) = waiting.pop_front() {
            let n_states = self.states.len() as u64;
            if let Some(reason) = budget.exceeded(n_states, n_states * bytes) {
                return Err(reason.into());
            }
            let SearchState {
                pair, reached, depth, ..
            } = &self.states[at];
            let (pair, reached, depth) = (*pair, reached.clone(), *depth);
            let failing: Vec<_> = failures(pairing, pair, &reached)
                .into_iter()
                .map(|(failure, _)| failure)
                .collect();
            if found(at, pair, &failing).is_break() {
                return Ok(());
            }
            if depth == self.longest {
                continue;
            }
            let before = self.states.len();
            for joint in pairing.joints(pair) {
                for next in pairing.after(&reached, joint) {
                    self.enter(Pairing::target(joint), next, Some((at, joint)));
                }
            }
            waiting.extend(before..self.states.len());
        }
        Ok(())
    }

    fn enter(&mut self, pair: Pair, entry: Dbm, parent: Option<(usize, JointMove<'p>)>) {
        let mut max = Vec::new();
        self.pairing.max_bounds(pair, &mut max);
        let depth = parent.map_or(0, |(before, _)| self.states[before].depth + 1);
        let mut parts = Vec::new();
        zone_ops::normalise(self.pairing.waited(pair, entry), &self.diagonals, &max, &mut parts);
        for reached in parts {
            let passed = self.passed.entry(pair).or_default();
            let states = &self.states;
            if passed.iter().any(|old| states[*old].reached.includes(&reached)) {
                continue;
            }
            passed.push(states.len());
            self.states.push(SearchState {
                pair,
                reached,
                parent,
                depth,
            });
        }
    }

    /// The run from `start` to state `at`, which ends in `failure`, with exact points.
    fn run(&self, first: Pair, entry: Dbm, at: usize, failure: MutantFailure<'p>) -> ShowingRun<'p> {
        let pairing = self.pairing;
        let mut joints = Vec::new();
        let mut state = &self.states[at];
        while let Some((parent, joint)) = state.parent {
            joints.push((self.states[parent].pair, joint));
            state = &self.states[parent];
        }
        joints.reverse();
        let mut exact = vec![pairing.waited(first, entry)];
        for (_, joint) in &joints {
            exact = exact
                .iter()
                .flat_map(|zone| pairing.after(zone, *joint))
                .map(|next| pairing.waited(Pairing::target(*joint), next))
                .collect();
        }
        let pair = self.states[at].pair;
        let found = exact.iter().find_map(|zone| {
            let same = failures(pairing, pair, zone)
                .into_iter()
                .find(|(other, _)| same_kind(*other, failure));
            same.and_then(|(_, points)| points.into_zones().into_iter().next())
        });
        let points = found.expect("extrapolation only adds points that fail in the same way as others");
        let mut later = match failure {
            MutantFailure::Overdue => before_overdue(pairing, pair, &points),
            _ => points.clone(),
        };
        let mut steps = Vec::new();
        let mut target = pair;
        for (source, joint) in joints.into_iter().rev() {
            let mut before = pairing.before_delay(target, &later).expect("the exact zones reach it");
            let reached = pairing.before_resets(&mut before, joint);
            assert!(reached, "the exact zones reach it");
            let alive = pairing.both_alive(source).expect("it is reached");
            let mut found = pairing.enabled(joint);
            found.intersect_dbm(&before);
            found.intersect_dbm(&alive);
            // Without pruning a move is enabled in one zone (each zone of an ignored input is a separate move).
            later = found.into_zones().swap_remove(0);
            steps.push(RunStep {
                pair: source,
                joint,
                points: later.clone(),
            });
            target = source;
        }
        steps.reverse();
        ShowingRun {
            steps,
            pair,
            failure,
            points,
            pairs: self.pairs(),
        }
    }

    fn pairs(&self) -> Vec<(Pair, usize)> {
        // States are in the order of their depth.
        let mut known = FxHashSet::default();
        let states = self.states.iter().filter(|state| known.insert(state.pair));
        states.map(|state| (state.pair, state.depth)).collect()
    }
}

fn same_kind(a: MutantFailure<'_>, b: MutantFailure<'_>) -> bool {
    match (a, b) {
        (MutantFailure::Output(a), MutantFailure::Output(b))
        | (MutantFailure::Refused(a), MutantFailure::Refused(b)) => std::ptr::eq(a, b),
        (MutantFailure::Overdue, MutantFailure::Overdue) => true,
        _ => false,
    }
}

/// The points where both exist from which waiting leads to the overdue `points`.
pub(super) fn before_overdue(pairing: &Pairing<'_>, pair: Pair, points: &Dbm) -> Dbm {
    let mut before = points.clone();
    if pairing.may_delay(pair).0 {
        before.down();
    }
    let kept = before.intersect(&pairing.both_alive(pair).expect("it is reached"));
    assert!(kept, "silence becomes overdue after a time when it was not");
    before
}
