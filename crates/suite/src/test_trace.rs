//! Walks: locally adaptive tests of any length, each one trace of the specification that shows mutant after mutant.
//!
//! After a mutant is shown, the walk continues from the concrete state of the specification. The possible states of each mutant
//! that is still alive are followed along the trace. A walk has one clock, whatever its length.

mod passes;

use std::collections::HashMap;

use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};
use rayon::prelude::*;

use super::error::SuiteFailure;
use super::failures::MutantFailure;
use super::generate::SMALL;
use super::linear::{Follower, Pick, Picking, on_grid};
use super::pairing::Pairing;
use super::search::shortest_from;
use super::{Kill, Next, Style, TestCase, TestVerdict, Tester};
use crate::execution::concrete_state::{ConcreteSpecification, clock_names, overdue};
use crate::execution::subject::{Subject, is_output};
use tamper_game::symbolic::timing::{self, Delays};
use tamper_game::symbolic::{Arena, INITIAL, Move, MoveId, NodeId, Pair};
use tamper_text::Budget;
use tamper_timed::model::ActionId;
use tamper_zones::{Bound, Clock, Dbm, DbmDraft};

/// Maximum number of possible states that are followed for a mutant with choices; more are forgotten, which only makes walks longer.
const MOST_PLACES: usize = 16;

/// Number of mutants for which the shortest extensions are computed in parallel.
const ROUND: usize = 64;

/// Number of parts of a time unit to which observed times are rounded for planning an extension.
pub(super) const GRID: i64 = 16;

/// A walk that can be extended.
#[derive(Clone, Debug)]
pub struct TestTrace {
    /// The specification's node, and its clocks on entering it.
    node: NodeId,
    point: Vec<BigRational>,
    /// The time spent in it so far.
    pub(super) waited: BigRational,
    nodes: Vec<super::Node>,
    /// The events, each with its delay in the node before.
    events: Vec<(BigRational, String)>,
    /// The walk ends where silence is overdue: it cannot be extended.
    is_over: bool,
}

/// The possible states of a mutant after the events of a walk.
#[derive(Clone, Debug)]
pub struct MutantEstimate {
    places: Vec<(NodeId, Vec<BigRational>)>,
    n_events: usize,
}

/// An extension of a walk that shows a mutant.
#[derive(Clone, Debug)]
pub struct Extension {
    /// The specification's moves, each after a delay.
    pub(super) moves: Vec<(MoveId, BigRational)>,
    pub(super) shown: ExpectedFailure,
}

#[derive(Clone, Debug)]
pub(super) enum ExpectedFailure {
    /// A wrong output can come: the first moment, and the last moment that is examined.
    Output {
        from: BigRational,
        until: BigRational,
    },
    /// The specification's input for this move is refused after the delay.
    Refused(MoveId, BigRational),
    Overdue,
}

/// Number of reachable nodes of the specification, for each node that was asked about.
#[derive(Clone, Default, Debug)]
pub struct Reach(HashMap<NodeId, usize>);

impl TestTrace {
    /// The specification's node in which it ends.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// Whether the specification is in the same state at the end of both walks.
    pub(super) fn is_where(&self, other: &Self) -> bool {
        self.node == other.node && self.point == other.point && self.waited == other.waited
    }

    /// The walk's last state, without the way there.
    fn without_past(&self) -> Self {
        Self {
            node: self.node,
            point: self.point.clone(),
            waited: self.waited.clone(),
            nodes: Vec::new(),
            events: Vec::new(),
            is_over: self.is_over,
        }
    }
}

impl Extension {
    /// Number of steps, including the one that shows the mutant.
    pub fn n_steps(&self) -> usize {
        self.moves.len() + 1
    }
}

impl MutantEstimate {
    /// The states of a mutant before the first event.
    pub fn start(mutant: &Subject) -> Self {
        Self {
            places: vec![(INITIAL, vec![BigRational::zero(); mutant.arena.n_clocks])],
            n_events: 0,
        }
    }

    /// Follows `mutant` along the new events.
    pub fn follow(&mut self, mutant: &Subject, walk: &TestTrace) {
        for (delay, label) in &walk.events[self.n_events..] {
            let mut places = Vec::new();
            for (node, point) in &self.places {
                let Some(point) = after_waiting(&mutant.arena, *node, point, delay) else {
                    continue;
                };
                for step in mutant.arena.moves_of(*node) {
                    let same = mutant.labels[step.action] == *label;
                    if same && is_enabled(&mutant.arena, step, &point) {
                        let mut after = point.clone();
                        timing::set(&mut after, mutant.arena.resets_of(step));
                        let place = (step.target, after);
                        if places.len() < MOST_PLACES && !places.contains(&place) {
                            places.push(place);
                        }
                    }
                }
            }
            self.places = places;
        }
        self.n_events = walk.events.len();
    }

    /// Whether no possible state of the mutant is known: it would have behaved differently.
    pub(super) fn is_left_behind(&self) -> bool {
        self.places.is_empty()
    }
}

/// A mutant that is searched for, with its possible states.
#[derive(Clone, Copy)]
pub struct TargetMutant<'a> {
    /// The mutant.
    pub subject: &'a Subject,
    /// Its possible states.
    pub followed: &'a MutantEstimate,
}

/// The limits of a search for an extension.
#[derive(Clone, Copy)]
pub struct SearchLimits<'l> {
    /// Checked now and then: whether the search is to end.
    pub is_over: &'l dyn Fn() -> bool,
    /// The limits of the next query.
    pub budget: &'l (dyn Fn() -> Budget + Sync),
}

fn is_enabled(arena: &Arena, step: &Move, point: &[BigRational]) -> bool {
    arena.cases(step.enabled).any(|atoms| timing::holds(point, atoms))
}

/// The point after a delay in `node`, if the node allows that delay.
fn after_waiting(arena: &Arena, node: NodeId, point: &[BigRational], delay: &BigRational) -> Option<Vec<BigRational>> {
    let place = arena.node(node);
    let later = timing::delayed(point, delay);
    let lasts = delay.is_zero() || (!place.urgent && timing::holds(&later, arena.atoms_of(place.invariant)));
    lasts.then_some(later)
}

impl Tester {
    /// A walk without steps.
    pub fn walk(&self) -> TestTrace {
        TestTrace {
            node: INITIAL,
            point: vec![BigRational::zero(); self.spec().arena.n_clocks],
            waited: BigRational::zero(),
            nodes: Vec::new(),
            events: Vec::new(),
            is_over: false,
        }
    }

    /// The shortest extension from the end of `walk` that shows `mutant`, of at most `longest` steps from one of the mutant's
    /// possible states. `None` if no extension exists, or if it cannot be computed in whole numbers of a small part of a time unit.
    ///
    /// # Errors
    /// The budget.
    pub fn extension(
        &self,
        walk: &TestTrace,
        mutant: &Subject,
        followed: &MutantEstimate,
        longest: usize,
        pick: Pick,
        budget: &Budget,
    ) -> Result<Option<Extension>, SuiteFailure> {
        let mut best: Option<Extension> = None;
        for (node, point) in &followed.places {
            let longest = best.as_ref().map_or(longest, |best| best.n_steps() - 1);
            let (true, true) = (!walk.is_over, longest > 0) else {
                break;
            };
            let Some(point) = after_waiting(&mutant.arena, *node, point, &walk.waited) else {
                continue;
            };
            let whole: Vec<BigRational> = timing::delayed(&walk.point, &walk.waited)
                .into_iter()
                .chain(point)
                .collect();
            let Some(scale) = common_denominator(&whole) else {
                continue;
            };
            let in_parts;
            let (spec, mutant) = match scale {
                1 => (self.spec(), mutant),
                scale => {
                    let (Some(spec), Some(mutant)) = (scaled(self.spec(), scale), scaled(mutant, scale)) else {
                        continue;
                    };
                    in_parts = (spec, mutant);
                    (&in_parts.0, &in_parts.1)
                }
            };
            let found = leg_in(
                &Pairing::new(spec, mutant),
                (walk.node, *node),
                &whole,
                scale,
                longest,
                self.picking(pick),
                budget,
            )?;
            best = found.or(best);
        }
        Ok(best)
    }

    /// The shortest extension that shows one of the mutants, among the extensions that keep the most of the specification
    /// reachable; with the position of that mutant in `sought`.
    pub fn nearest(
        &self,
        walk: &TestTrace,
        sought: &[TargetMutant<'_>],
        pick: Pick,
        reach: &mut Reach,
        limits: SearchLimits<'_>,
    ) -> Option<(usize, Extension)> {
        let here = self.reach(walk.node, reach);
        let mut best: Option<((usize, usize), usize, Extension)> = None;
        for (round, some) in sought.chunks(ROUND).enumerate() {
            if (limits.is_over)() {
                break;
            }
            let longest = match &best {
                Some(((0, steps), ..)) => *steps - 1,
                _ => usize::MAX,
            };
            let extension = |TargetMutant { subject, followed }: &TargetMutant<'_>| {
                // If a limit is hit, the mutant is left to another walk, or to a separate test.
                let budget = (limits.budget)();
                self.extension(walk, subject, followed, longest, pick, &budget)
                    .ok()
                    .flatten()
            };
            let extensions: Vec<Option<Extension>> = some.par_iter().map(extension).collect();
            for (at, extension) in extensions.into_iter().enumerate() {
                let Some(extension) = extension else { continue };
                let end = self.end(walk, &extension);
                let lost = here - end.map_or(0, |end| self.reach(end, reach));
                let key = (lost, extension.n_steps());
                if best.as_ref().is_none_or(|(known, ..)| key < *known) {
                    best = Some((key, round * ROUND + at, extension));
                }
            }
        }
        best.map(|(_, at, extension)| (at, extension))
    }

    /// The moves by which the specification can make the output `label` about `delay` time units after the last event of `walk`,
    /// nearest first and each once. Each has its moment: the nearest possible one, on a grid of small parts of a time unit if the
    /// window allows, and, up to that grid, at most `slack` away from `delay`.
    pub(super) fn outputs_near(
        &self,
        walk: &TestTrace,
        label: &str,
        delay: &BigRational,
        slack: &BigRational,
    ) -> Vec<(MoveId, BigRational)> {
        let arena = &self.spec().arena;
        let silence = self.concrete(&walk.point).stays(walk.node);
        let outputs = arena.move_ids(walk.node).filter(|at| {
            let step = &arena.moves[*at];
            is_output(step) && self.spec().labels[step.action] == label
        });
        let off = |moment: &BigRational| (moment - delay).abs();
        let nearest = |at: MoveId| {
            let windows = arena.cases(arena.moves[at].enabled);
            let windows = windows.filter_map(|atoms| timing::delays_into(&walk.point, atoms)?.within(&silence));
            let moments = windows.map(|window| moment(&window, delay));
            moments.min_by_key(off).map(|moment| (at, moment))
        };
        let grain = BigRational::new(1.into(), GRID.into());
        let mut found: Vec<_> = outputs.filter_map(nearest).collect();
        found.retain(|(_, moment)| off(moment) <= slack + &grain);
        found.sort_by_key(|(at, moment)| (off(moment), *at));
        found
    }

    /// The moves with that action that are possible `delay` time units after the last event of `walk`.
    pub(super) fn moves_at(&self, walk: &TestTrace, action: ActionId, delay: &BigRational) -> Vec<MoveId> {
        let arena = &self.spec().arena;
        let Some(point) = after_waiting(arena, walk.node, &walk.point, delay) else {
            return Vec::new();
        };
        let moves = arena.move_ids(walk.node);
        let is_possible =
            |at: &MoveId| arena.moves[*at].action == action && is_enabled(arena, &arena.moves[*at], &point);
        moves.filter(is_possible).collect()
    }

    /// Extends `walk` by this move of the specification, `delay` time units after its last event.
    pub(super) fn takes(&self, walk: &mut TestTrace, at: MoveId, delay: &BigRational) {
        walk.waited = BigRational::zero();
        self.event(walk, &self.spec().arena.moves[at], delay);
    }

    /// The longest silence of the specification at the end of `walk`, since its last event; `None` if silence is unbounded.
    pub(super) fn longest_silence(&self, walk: &TestTrace) -> Option<BigRational> {
        self.concrete(&walk.point).stays(walk.node).high
    }

    /// `waited`, or the last moment of a fine grid at which the specification can still be silent at the end of `walk`.
    pub(super) fn still_silent(&self, walk: &TestTrace, waited: BigRational) -> BigRational {
        let silence = self.concrete(&walk.point).stays(walk.node);
        let grid = BigRational::from_integer(GRID.into());
        let last = silence.high.map(|high| match silence.high_in {
            true => high,
            false => ((high * &grid).ceil() - BigRational::one()) / &grid,
        });
        last.map_or(waited.clone(), |last| last.min(waited))
    }

    /// Extends `walk` by `extension`. If `extension` shows the mutant by silence, the walk continues with the first output that the
    /// specification can then make.
    pub fn go_on(&self, walk: &mut TestTrace, extension: &Extension) {
        for (at, delay) in &extension.moves {
            self.event(walk, &self.spec().arena.moves[*at], delay);
        }
        match &extension.shown {
            ExpectedFailure::Output { from, .. } => walk.waited += from,
            ExpectedFailure::Refused(at, delay) => self.event(walk, &self.spec().arena.moves[*at], delay),
            ExpectedFailure::Overdue => match self.next_output(walk) {
                Some((at, delay)) => self.event(walk, &self.spec().arena.moves[at], &delay),
                None => walk.is_over = true,
            },
        }
    }

    /// The node of the specification in which `walk` ends after `extension`; `None` if nothing can follow.
    pub fn end(&self, walk: &TestTrace, extension: &Extension) -> Option<NodeId> {
        let mut longer = walk.without_past();
        self.go_on(&mut longer, extension);
        (!longer.is_over).then_some(longer.node)
    }

    /// Number of nodes of the specification that can be reached from `node`, time aside; cached in `known`.
    pub fn reach(&self, node: NodeId, known: &mut Reach) -> usize {
        let arena = &self.spec().arena;
        let count = || arena.reachable(vec![node]).count_ones(..);
        *known.0.entry(node).or_insert_with(count)
    }

    /// The walk as a test; its id is empty.
    ///
    /// # Errors
    /// Bounds too fine to be compared exactly.
    pub fn walked(&self, walk: &TestTrace) -> Result<TestCase, SuiteFailure> {
        let concrete = self.concrete(&walk.point);
        let node = if walk.is_over {
            let silence = concrete.stays(walk.node);
            let end = silence.high.clone().expect("what is overdue has an end");
            concrete.node(walk.node, &end, vec![overdue(&silence)], Vec::new())
        } else {
            let stop = concrete.stop(walk.node, &walk.waited, TestVerdict::Pass);
            concrete.node(walk.node, &walk.waited, vec![stop], Vec::new())
        };
        let nodes = walk.nodes.iter().cloned().chain([node]).collect();
        self.completed(&TestCase::unnamed(
            Style::Adaptive,
            Kill::Potential,
            clock_names(),
            nodes,
        ))
    }

    fn concrete<'a>(&'a self, point: &'a [BigRational]) -> ConcreteSpecification<'a> {
        ConcreteSpecification {
            arena: &self.spec().arena,
            labels: &self.spec().labels,
            point,
        }
    }

    /// Extends `walk` by the step, after `delay` more time units.
    fn event(&self, walk: &mut TestTrace, step: &Move, delay: &BigRational) {
        let delay = &walk.waited + delay;
        let next = Next::Node(walk.nodes.len() + 1);
        let node = self.concrete(&walk.point).step(walk.node, step, &delay, next, true);
        walk.nodes.push(node);
        walk.point = timing::delayed(&walk.point, &delay);
        timing::set(&mut walk.point, self.spec().arena.resets_of(step));
        walk.events.push((delay, self.spec().labels[step.action].clone()));
        (walk.node, walk.waited) = (step.target, BigRational::zero());
    }

    /// The first output that the specification can make from now on, and its delay.
    fn next_output(&self, walk: &TestTrace) -> Option<(MoveId, BigRational)> {
        let arena = &self.spec().arena;
        let silence = self.concrete(&walk.point).stays(walk.node);
        let later = Delays {
            low: walk.waited.clone(),
            low_in: true,
            high: None,
            high_in: false,
        };
        let moves = arena.move_ids(walk.node).filter(|at| is_output(&arena.moves[*at]));
        let window = |at: MoveId| {
            let cases = arena.cases(arena.moves[at].enabled);
            let windows = cases.filter_map(|atoms| {
                timing::delays_into(&walk.point, atoms)?
                    .within(&silence)?
                    .within(&later)
            });
            windows
                .map(|window| on_grid(&window, window.earliest(), self.grid(), 1))
                .min()
        };
        let earliest = moves.filter_map(|at| Some((window(at)?, at))).min();
        earliest.map(|(delay, at)| (at, delay - &walk.waited))
    }
}

/// The delay in the window that is nearest to `delay`, on the grid if the window contains a grid point.
fn moment(window: &Delays, delay: &BigRational) -> BigRational {
    let grid = BigRational::from_integer(GRID.into());
    let on_grid = (delay * &grid).round() / grid;
    if window.holds(&on_grid) {
        return on_grid;
    }
    match &window.high {
        Some(high) if on_grid > window.low => match window.high_in {
            true => high.clone(),
            false => {
                (&window.low.clone().max(high.ceil() - BigRational::one()) + high) / BigRational::from_integer(2.into())
            }
        },
        _ => window.earliest(),
    }
}

/// The least common denominator of the values, if it is small.
fn common_denominator(values: &[BigRational]) -> Option<i64> {
    let scale = values
        .iter()
        .fold(num_bigint::BigInt::one(), |scale, value| scale.lcm(value.denom()));
    scale.to_i64().filter(|scale| *scale <= SMALL)
}

fn scaled(subject: &Subject, scale: i64) -> Option<Subject> {
    let arena = subject.arena.scaled(scale)?;
    Some(Subject {
        arena,
        ..subject.clone()
    })
}

/// The extension for both games, which are in parts of a time unit, from a point that is in time units.
fn leg_in(
    pairing: &Pairing<'_>,
    pair: Pair,
    point: &[BigRational],
    scale: i64,
    longest: usize,
    picking: Picking,
    budget: &Budget,
) -> Result<Option<Extension>, SuiteFailure> {
    let parts = BigRational::from_integer(scale.into());
    let point: Vec<BigRational> = point.iter().map(|value| value * &parts).collect();
    let Some(start) = zone_of(&point) else { return Ok(None) };
    let Some(run) = shortest_from(pairing, pair, start, longest - 1, budget)? else {
        return Ok(None);
    };
    let mut follower = Follower {
        pairing,
        point,
        parts: scale,
        picking,
    };
    let id = |node: NodeId, step: &Move| {
        let mut moves = pairing.spec.move_ids(node);
        moves
            .find(|at| std::ptr::eq(&pairing.spec.moves[*at], step))
            .expect("a move of its node")
    };
    let mut moves = Vec::new();
    for step in &run.steps {
        let delay = follower.delay_into(step.pair, &step.points);
        moves.push((id(step.pair.0, step.joint.spec), &delay / &parts));
        follower.advance(step.joint, &delay);
    }
    let shown = match run.failure {
        MutantFailure::Output(_) => {
            let window = follower.delays_into(run.pair, &run.points);
            let next = || (&window.low / &parts).floor() + BigRational::one();
            let from = on_grid(&window, window.earliest(), picking.grid, scale);
            ExpectedFailure::Output {
                from: from / &parts,
                until: window.high.as_ref().map_or_else(next, |high| high / &parts),
            }
        }
        MutantFailure::Refused(step) => {
            let delay = follower.delay_into(run.pair, &run.points) / &parts;
            ExpectedFailure::Refused(id(run.pair.0, step), delay)
        }
        MutantFailure::Overdue => ExpectedFailure::Overdue,
    };
    Ok(Some(Extension { moves, shown }))
}

/// The zone of a single point with integer values.
fn zone_of(point: &[BigRational]) -> Option<Dbm> {
    let mut draft = DbmDraft::new(point.len() + 1);
    for (clock, value) in (1..).zip(point) {
        let value = value.to_integer().to_i64().filter(|value| *value <= Bound::LIMIT)?;
        draft.constrain(Clock::from_index(clock), Clock::ZERO, Bound::le(value));
        draft.constrain(Clock::ZERO, Clock::from_index(clock), Bound::le(-value));
    }
    draft.close()
}
