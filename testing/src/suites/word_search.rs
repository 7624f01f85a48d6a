//! Blind killing by plain enumeration: all words of a few inputs at delays of half time units, each followed on classes of
//! clocks (`oracle::clocks::Spread`) through every run of the mutant. No zones, no code of the engine.
//!
//! The clocks of the specification, of the mutant and one that restarts with each input stand side by side, in half units.

use std::collections::{HashMap, HashSet};

use tamper_timed::model::{ActionId, Automaton, Cmp};

use super::simulator::with_clocks;
use crate::oracle::clocks::{ClockSpace, Limits, Spread};
use crate::oracle::play::{Place, Player};

/// The space in half time units.
struct Halves(Spread);

impl ClockSpace for Halves {
    type Point = <Spread as ClockSpace>::Point;
    type Class = <Spread as ClockSpace>::Class;

    fn class(&self, point: &Self::Point) -> Self::Class {
        self.0.class(point)
    }
    fn origin(&self) -> Self::Point {
        self.0.origin()
    }
    fn holds(&self, point: &Self::Point, left: usize, right: Option<usize>, cmp: Cmp, bound: i64) -> bool {
        self.0.holds(point, left, right, cmp, 2 * bound)
    }
    fn reset(&self, point: &Self::Point, clock: usize, value: i64) -> Self::Point {
        self.0.reset(point, clock, 2 * value)
    }
    fn later(&self, point: &Self::Point) -> Self::Point {
        self.0.later(point)
    }
    fn lasts(&self, point: &Self::Point) -> bool {
        self.0.lasts(point)
    }
    fn project(&self, _: &Self::Point, _: std::ops::Range<usize>, _: &Self) -> Self::Point {
        unreachable!("no single game is looked at")
    }
    fn of(games: &[&Automaton], limits: Limits) -> Self {
        Self(Spread::of(games, limits))
    }
}

type Point = <Spread as ClockSpace>::Point;
type Position = (Place, Place, Point);

/// All that can be come to, one position per class.
type Belief = Vec<Position>;

/// Most positions between two inputs.
const MOST: usize = 3_000;

/// Words of the inputs of a specification against a mutant.
pub struct Words<'a> {
    space: Halves,
    spec: Player<'a>,
    mutant: Player<'a>,
    t: usize,
    /// The longest delay that is tried, in half units.
    longest: i64,
    /// Whether some word was given up for its number of positions.
    pub gave_up: bool,
    /// How many words were followed.
    pub n_words: u64,
}

impl<'a> Words<'a> {
    pub fn new(spec: &'a Automaton, mutant: &'a Automaton) -> Self {
        let limits = Limits::of(&[spec, mutant]);
        let (bound, reset) = (2 * limits.bound, 2 * limits.reset);
        let longest = bound + 3;
        let limits = Limits {
            bound: bound.max(longest),
            reset,
        };
        let offset = spec.clocks().len();
        Self {
            space: Halves::of(&[spec, mutant, &with_clocks(1)], limits),
            spec: Player { game: spec, offset: 0 },
            mutant: Player { game: mutant, offset },
            t: offset + mutant.clocks().len(),
            longest,
            gave_up: false,
            n_words: 0,
        }
    }

    /// Whether every run fails some word of at most that length.
    pub fn kill(&mut self, most_inputs: usize) -> bool {
        let start = (self.spec.start(), self.mutant.start(), self.space.origin());
        self.kill_from(vec![start], most_inputs)
    }

    fn kill_from(&mut self, belief: Belief, most_inputs: usize) -> bool {
        self.n_words += 1;
        if self.until(&belief, None).is_some_and(|survivors| survivors.is_empty()) {
            return true;
        }
        if most_inputs == 0 {
            return false;
        }
        for delay in 0..=self.longest {
            let Some(now) = self.until(&belief, Some(delay)) else {
                continue;
            };
            let actions: Vec<ActionId> = self.spec.actions(true).collect();
            for action in actions {
                if let Some(next) = self.given(&now, action)
                    && self.kill_from(next, most_inputs - 1)
                {
                    return true;
                }
            }
        }
        false
    }

    fn is_at(&self, point: &Point, delay: i64) -> bool {
        self.space.0.holds(point, self.t, None, Cmp::Eq, delay)
    }

    fn key(&self, (spec, mutant, point): &Position) -> (Place, Place, <Spread as ClockSpace>::Class) {
        (spec.clone(), mutant.clone(), self.space.class(point))
    }

    /// Where the runs that have not failed are at that time, or are left if there is no further input: none if some run stops
    /// time, or goes on for ever, before.
    fn until(&mut self, belief: &[Position], delay: Option<i64>) -> Option<Belief> {
        let mut known = HashMap::new();
        let mut positions: Vec<Position> = Vec::new();
        for position in belief {
            known.entry(self.key(position)).or_insert_with(|| {
                positions.push(position.clone());
                positions.len() - 1
            });
        }
        let mut edges: Vec<Vec<usize>> = Vec::new();
        let mut there = Vec::new();
        while edges.len() < positions.len() {
            let position = positions[edges.len()].clone();
            if positions.len() > MOST {
                self.gave_up = true;
                return None;
            }
            let at_time = delay.is_some_and(|delay| self.is_at(&position.2, delay));
            if at_time {
                there.push(position.clone());
            }
            let (nexts, moves) = self.moves(&position, !at_time);
            if !moves && !at_time {
                // Time is stopped without a fail.
                return None;
            }
            let mut targets = Vec::new();
            for next in nexts {
                targets.push(*known.entry(self.key(&next)).or_insert_with(|| {
                    positions.push(next);
                    positions.len() - 1
                }));
            }
            edges.push(targets);
        }
        (!has_cycle(&edges)).then_some(there)
    }

    /// Where the mutant's outputs and time lead without a fail, and whether it can do anything at all.
    fn moves(&self, (s, m, point): &Position, may_wait: bool) -> (Vec<Position>, bool) {
        let (mut nexts, mut moves) = (Vec::new(), false);
        for action in self.mutant.actions(false) {
            for (m_next, middle) in self.mutant.moves(&self.space, m, point, action) {
                moves = true;
                let same = self.spec.same_action(self.mutant.game, action);
                let answers = same.map_or(Vec::new(), |same| self.spec.moves(&self.space, s, &middle, same));
                nexts.extend(answers.into_iter().map(|(s_next, end)| (s_next, m_next.clone(), end)));
            }
        }
        if may_wait && !self.mutant.is_urgent(&self.space, m, point) {
            let later = self.space.later(point);
            let leaves = self.mutant.exists(&self.space, m, &later);
            let spec_waits = !self.spec.is_urgent(&self.space, s, point);
            moves |= leaves || (!spec_waits && self.space.lasts(point));
            if leaves && spec_waits && self.spec.exists(&self.space, s, &later) {
                nexts.push((s.clone(), m.clone(), later));
            }
        }
        (nexts, moves)
    }

    /// What the input leads to; none if the specification does not accept it everywhere.
    fn given(&self, now: &[Position], action: ActionId) -> Option<Belief> {
        let mut next = Vec::new();
        let mut seen = HashSet::new();
        for (s, m, point) in now {
            let accepted = self.spec.moves(&self.space, s, point, action);
            let (s_next, middle) = accepted.first()?;
            let same = self.mutant.same_action(self.spec.game, action);
            let answers = same.map_or(Vec::new(), |same| self.mutant.moves(&self.space, m, middle, same));
            for (m_next, end) in answers {
                let position = (s_next.clone(), m_next, self.space.reset(&end, self.t, 0));
                if seen.insert(self.key(&position)) {
                    next.push(position);
                }
            }
        }
        Some(next)
    }
}

/// Whether some walk never ends.
fn has_cycle(edges: &[Vec<usize>]) -> bool {
    let mut into = vec![0usize; edges.len()];
    edges.iter().flatten().for_each(|target| into[*target] += 1);
    let mut free: Vec<usize> = (0..edges.len()).filter(|at| into[*at] == 0).collect();
    let mut removed = 0;
    while let Some(at) = free.pop() {
        removed += 1;
        for target in &edges[at] {
            into[*target] -= 1;
            if into[*target] == 0 {
                free.push(*target);
            }
        }
    }
    removed < edges.len()
}
