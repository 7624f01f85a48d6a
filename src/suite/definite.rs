//! Definite killing as a timed game (\[004\] Definition 4, lifted to time; semantics section 8).
//!
//! The tester owns the inputs and when to give them, the mutant its outputs and when to make them; the tester wins a
//! play that ends in fail. Both see both states: the specification is deterministic, and so is the mutant, unless
//! `Definite::Unknown` says otherwise. Solved as a least fixpoint over the reached pairs and zones. From a
//! point the tester wins by waiting, along points where every output the mutant may make fails or wins (also at the
//! very instant when the tester acts: who is first is not the tester's to decide), until
//!
//! - it gives an input that the mutant refuses, or all of whose answers win;
//! - silence is overdue;
//! - the mutant must make an output: its time is stopped with one possible, or ends (at an open end) with one possible
//!   all the way.
//!
//! A play in which the mutant stops time without an output, or is silent for ever where the specification may be, is
//! not won. Pieces of winning sets are numbered in the order they are found; what the tester does in a piece leads to
//! pieces of lower number only, which makes them a strategy.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::error::SuiteFailure;
use super::pairing::{Joint, Pair, Pairing};
use crate::base::Budget;
use crate::game::{INITIAL, Move, zone_ops};
use crate::zones::{Dbm, Federation, safe_past};

/// What the tester does at the points of a piece.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    /// Waits into the zone and gives the specification's input of that position in its node.
    Input(usize, Dbm),
    /// Waits into the zone, where silence is overdue.
    Overdue(Dbm),
    /// Waits any positive time: the specification lets none pass.
    AnyDelay,
    /// Waits for the output that must come.
    Await,
}

/// Points from which the tester wins.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub zone: Dbm,
    pub plan: Plan,
}

/// A reached pair.
pub(super) struct PairState {
    pub pair: Pair,
    reached: Federation,
    /// In the order of discovery.
    pub winning: Vec<Piece>,
    won: Federation,
    sources: Vec<usize>,
}

/// The reached pairs and where the tester wins.
pub(super) struct Solution<'p, 'a> {
    pub pairing: &'p Pairing<'a>,
    pub states: Vec<PairState>,
    pub position: FxHashMap<Pair, usize>,
}

impl<'p, 'a> Solution<'p, 'a> {
    /// Solves the game, and stops as soon as the initial point wins.
    pub fn compute(pairing: &'p Pairing<'a>, budget: &Budget) -> Result<Self, SuiteFailure> {
        let mut solution = Self {
            pairing,
            states: Vec::new(),
            position: FxHashMap::default(),
        };
        solution.reach(budget)?;
        solution.solve(budget)?;
        Ok(solution)
    }

    /// Whether the tester wins from the start.
    pub fn is_won(&self) -> bool {
        self.states[0]
            .won
            .zones()
            .iter()
            .any(|zone| zone.includes(&Dbm::zero(self.pairing.dim())))
    }

    fn state(&mut self, pair: Pair) -> usize {
        let dim = self.pairing.dim();
        *self.position.entry(pair).or_insert_with(|| {
            self.states.push(PairState {
                pair,
                reached: Federation::empty(dim),
                winning: Vec::new(),
                won: Federation::empty(dim),
                sources: Vec::new(),
            });
            self.states.len() - 1
        })
    }

    fn reach(&mut self, budget: &Budget) -> Result<(), SuiteFailure> {
        let pairing = self.pairing;
        let (mut max, mut parts, mut n_zones) = (Vec::new(), Vec::new(), 0u64);
        let (diagonals, bytes) = (pairing.diagonals(), zone_ops::zone_bytes(pairing.dim()));
        let first = self.state((INITIAL, INITIAL));
        let mut waiting = VecDeque::from([(first, Dbm::zero(pairing.dim()))]);
        while let Some((position, entry)) = waiting.pop_front() {
            let pair = self.states[position].pair;
            pairing.max_bounds(pair, &mut max);
            zone_ops::normalise(pairing.delayed(pair, entry), &diagonals, &max, &mut parts);
            for zone in parts.drain(..) {
                let reached = &mut self.states[position].reached;
                if reached.zones().iter().any(|old| old.includes(&zone)) {
                    continue;
                }
                reached.add(zone.clone());
                n_zones += 1;
                if let Some(reason) = budget.exceeded(n_zones, n_zones * bytes) {
                    return Err(reason.into());
                }
                for joint in pairing.joints(pair) {
                    for enabled in pairing.enabled(joint).zones() {
                        let mut next = zone.clone();
                        if next.intersect(enabled) {
                            pairing.reset(&mut next, joint);
                            let target = self.state(Pairing::target(joint));
                            if !self.states[target].sources.contains(&position) {
                                self.states[target].sources.push(position);
                            }
                            waiting.push_back((target, next));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn solve(&mut self, budget: &Budget) -> Result<(), SuiteFailure> {
        let mut waiting: VecDeque<usize> = (0..self.states.len()).collect();
        let mut is_waiting = vec![true; self.states.len()];
        let bytes = zone_ops::zone_bytes(self.pairing.dim());
        let mut n_pieces = 0u64;
        while let Some(position) = waiting.pop_front() {
            is_waiting[position] = false;
            let found = self.win(position);
            if found == 0 {
                continue;
            }
            n_pieces += found;
            if let Some(reason) = budget.exceeded(n_pieces, n_pieces * bytes) {
                return Err(reason.into());
            }
            if position == 0 && self.is_won() {
                return Ok(());
            }
            let sources = self.states[position].sources.clone();
            for source in sources {
                if !std::mem::replace(&mut is_waiting[source], true) {
                    waiting.push_back(source);
                }
            }
        }
        Ok(())
    }

    /// Adds the winning points of a pair that follow from what is known now; how many pieces.
    fn win(&mut self, position: usize) -> u64 {
        let moment = Moment::of(self, position);
        let mut found = Vec::new();
        moment.by_inputs(self, &mut found);
        moment.by_silence(self.pairing, &mut found);
        moment.by_force(self.pairing, &mut found);
        let state = &mut self.states[position];
        // All of these plans lead to what was known before.
        let mut n_pieces = 0;
        for (mut points, plan) in found {
            points.intersect(&state.reached);
            points.subtract(&state.won);
            for zone in points.into_zones() {
                state.won.add(zone.clone());
                state.winning.push(Piece {
                    zone,
                    plan: plan.clone(),
                });
                n_pieces += 1;
            }
        }
        n_pieces
    }

    /// The points where both make the move of `joint` and win.
    fn winning_before(&self, joint: Joint<'_>) -> Federation {
        let mut before = Federation::empty(self.pairing.dim());
        let Some(target) = self.position.get(&Pairing::target(joint)) else {
            return before;
        };
        for zone in self.states[*target].won.zones() {
            let mut zone = zone.clone();
            if self.pairing.before_resets(&mut zone, joint) {
                before.add(zone);
            }
        }
        before.intersect(&self.pairing.enabled(joint));
        before
    }
}

/// One pair at one moment of the computation.
struct Moment {
    pair: Pair,
    spec_alive: Dbm,
    mutant_alive: Dbm,
    /// Where an output of the mutant leads away from what is won.
    bad: Federation,
    /// Where the mutant has an output.
    speaks: Federation,
}

type Found = Vec<(Federation, Plan)>;

impl Moment {
    fn of(solution: &Solution<'_, '_>, position: usize) -> Self {
        let pairing = solution.pairing;
        let pair = solution.states[position].pair;
        let exists = "a reached pair exists";
        let (spec_alive, mutant_alive) = (
            pairing.spec_alive(pair).expect(exists),
            pairing.mutant_alive(pair).expect(exists),
        );
        let mut bad = Federation::empty(pairing.dim());
        let mut speaks = Federation::empty(pairing.dim());
        for mutant in pairing.outputs(pair) {
            speaks.union_with(&pairing.mutant_enabled(mutant));
            for spec in pairing.spec_moves(pair, mutant) {
                let joint = Joint { spec, mutant };
                let mut here = pairing.enabled(joint);
                here.subtract(&solution.winning_before(joint));
                bad.union_with(&here);
            }
        }
        bad.intersect_dbm(&spec_alive);
        bad.intersect_dbm(&mutant_alive);
        speaks.intersect_dbm(&mutant_alive);
        Self {
            pair,
            spec_alive,
            mutant_alive,
            bad,
            speaks,
        }
    }

    /// The good points of `targets` one zone at a time, and the points from which waiting leads there safely.
    fn wait_into(&self, pairing: &Pairing<'_>, mut targets: Federation, plan: impl Fn(Dbm) -> Plan, found: &mut Found) {
        targets.subtract(&self.bad);
        let waits = pairing.may_delay(self.pair) == (true, true);
        let mut avoid = Federation::from(self.mutant_alive.clone()).complement();
        avoid.union_with(&self.bad);
        for zone in targets.into_zones() {
            let points = Federation::from(zone.clone());
            let from = if waits { safe_past(&points, &avoid) } else { points };
            found.push((from, plan(zone)));
        }
    }

    fn by_inputs(&self, solution: &Solution<'_, '_>, found: &mut Found) {
        let pairing = solution.pairing;
        let position = |step: &Move| {
            let moves = pairing.spec.moves_of(self.pair.0);
            moves
                .iter()
                .position(|other| std::ptr::eq(other, step))
                .expect("it is one of them")
        };
        for spec in pairing.inputs(self.pair) {
            let mut good = pairing.spec_enabled(spec);
            good.intersect_dbm(&self.spec_alive);
            good.intersect_dbm(&self.mutant_alive);
            for mutant in pairing.mutant_moves(self.pair, spec) {
                let mut lost = pairing.mutant_enabled(mutant);
                lost.subtract(&solution.winning_before(Joint { spec, mutant }));
                good.subtract(&lost);
            }
            let index = position(spec);
            self.wait_into(pairing, good, |zone| Plan::Input(index, zone), found);
        }
    }

    fn by_silence(&self, pairing: &Pairing<'_>, found: &mut Found) {
        let (spec_waits, mutant_waits) = pairing.may_delay(self.pair);
        if !mutant_waits {
            return;
        }
        if spec_waits {
            let mut late = Federation::from(self.mutant_alive.clone());
            late.subtract_dbm(&self.spec_alive);
            self.wait_into(pairing, late, Plan::Overdue, found);
        } else {
            let mut points = Federation::from(self.mutant_alive.clone()).delayable();
            points.subtract(&self.bad);
            found.push((points, Plan::AnyDelay));
        }
    }

    fn by_force(&self, pairing: &Pairing<'_>, found: &mut Found) {
        let (spec_waits, mutant_waits) = pairing.may_delay(self.pair);
        let alive = Federation::from(self.mutant_alive.clone());
        let mut stopped = self.speaks.clone();
        if mutant_waits {
            stopped.subtract(&alive.delayable());
        }
        self.wait_into(pairing, stopped, |_| Plan::Await, found);
        if !(mutant_waits && spec_waits) {
            return;
        }
        // The end of time in the mutant that is never reached, with an output possible all the way.
        let mut ends = Federation::empty(pairing.dim());
        for zone in self.speaks.zones().iter().filter_map(Dbm::approached) {
            ends.add(zone);
        }
        let open: Vec<Dbm> = self.mutant_alive.approached().into_iter().collect();
        ends.intersect(&Federation::from_zones(pairing.dim(), open));
        ends.subtract_dbm(&self.mutant_alive);
        if ends.is_empty() {
            return;
        }
        let mut avoid = alive.complement();
        avoid.subtract(&ends);
        avoid.union_with(&self.bad);
        found.push((safe_past(&ends, &avoid), Plan::Await));
    }
}
