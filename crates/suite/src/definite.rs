//! Definite killing as a timed game (\[004\] Definition 4, lifted to time; semantics section 8).
//!
//! The tester owns the inputs and their times, the mutant its outputs and their times; the tester wins a play that ends in fail.
//! Both see both states: the specification is deterministic, and so is the mutant, unless `Definite::Unknown` says otherwise. The
//! game is solved as a least fixpoint over the reached pairs and zones. From a point the tester wins by waiting, along points where
//! every output that the mutant may make fails or wins (also at the very instant at which the tester acts: the tester does not
//! decide who is first), until
//!
//! - it gives an input that the mutant refuses, or all of whose answers win;
//! - silence is overdue;
//! - the mutant must make an output: its time is stopped while an output is possible, or ends (at an open end) with an output
//!   possible all the way.
//!
//! A play in which the mutant stops time without an output, or is silent for ever where the specification may be silent, is not
//! won. Pieces of winning sets are numbered in the order in which they are found. The tester's plan in a piece leads only to pieces
//! with lower numbers, so the plans are a strategy.

use super::error::SuiteFailure;
use super::pairing::{JointMove, Pair, Pairing};
use tamper_game::symbolic::{Agenda, INITIAL_PAIR, Known, Move, PairId, PairProduct as _, Pairs, zone_ops};
use tamper_text::Budget;
use tamper_zones::{Dbm, Federation, safe_past};

/// The tester's plan at the points of a piece.
#[derive(Clone, Debug)]
pub(super) enum WinningPlan {
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
pub(super) struct WinningPiece {
    pub zone: Dbm,
    pub plan: WinningPlan,
    /// The number of the piece in the order of discovery; its plan leads to pieces found before.
    pub rank: u64,
}

/// The points of a pair.
pub(super) struct PairPoints {
    reached: Federation,
    /// The winning pieces, in the order of discovery.
    pub winning: Vec<WinningPiece>,
    won: Federation,
}

impl Known for PairPoints {
    fn unreached(dim: usize) -> Self {
        Self {
            reached: Federation::empty(dim),
            winning: Vec::new(),
            won: Federation::empty(dim),
        }
    }
    fn reached(&mut self) -> &mut Federation {
        &mut self.reached
    }
}

/// The reached pairs, and the points from which the tester wins.
pub(super) struct DefiniteSolution<'p, 'a> {
    pub pairing: &'p Pairing<'a>,
    pub pairs: Pairs<PairPoints>,
    n_pieces: u64,
}

impl<'p, 'a> DefiniteSolution<'p, 'a> {
    /// Solves the game until the initial point wins.
    pub fn compute(pairing: &'p Pairing<'a>, budget: &Budget) -> Result<Self, SuiteFailure> {
        Self::solved(pairing, false, budget)
    }

    /// Solves the game to the end: outside the winning points the tester does not win.
    pub fn complete(pairing: &'p Pairing<'a>, budget: &Budget) -> Result<Self, SuiteFailure> {
        Self::solved(pairing, true, budget)
    }

    fn solved(pairing: &'p Pairing<'a>, whole: bool, budget: &Budget) -> Result<Self, SuiteFailure> {
        let mut solution = Self {
            pairing,
            pairs: Pairs::explore(pairing, budget)?,
            n_pieces: 0,
        };
        solution.solve(whole, budget)?;
        Ok(solution)
    }

    /// Whether the tester wins from the start.
    pub fn is_won(&self) -> bool {
        let zero = Dbm::zero(self.pairing.dim());
        self.pairs[INITIAL_PAIR]
            .won
            .zones()
            .iter()
            .any(|zone| zone.includes(&zero))
    }

    fn solve(&mut self, whole: bool, budget: &Budget) -> Result<(), SuiteFailure> {
        let mut agenda = Agenda::of_all(&self.pairs);
        let bytes = zone_ops::zone_bytes(self.pairing.dim());
        while let Some(id) = agenda.take() {
            if !self.win(id) {
                continue;
            }
            if let Some(reason) = budget.exceeded(self.n_pieces, self.n_pieces * bytes) {
                return Err(reason.into());
            }
            if !whole && id == INITIAL_PAIR && self.is_won() {
                return Ok(());
            }
            for source in self.pairs.sources(id) {
                agenda.add(*source);
            }
        }
        Ok(())
    }

    /// Adds the winning points of a pair that follow from the points known so far. Returns whether there are any.
    fn win(&mut self, id: PairId) -> bool {
        let wins = |joint: JointMove<'_>| self.after(joint);
        let moment = Moment::of(self.pairing, self.pairs.pair(id), &wins);
        let mut found = moment.by_itself();
        moment.by_inputs(&|_| true, &wins, &mut found);
        let points = &mut self.pairs[id];
        // All of these plans lead to points that were known before.
        let before = self.n_pieces;
        for (mut won, plan) in found {
            won.intersect(&points.reached);
            won.subtract(&points.won);
            for zone in won.into_zones() {
                points.won.add(zone.clone());
                points.winning.push(WinningPiece {
                    zone,
                    plan: plan.clone(),
                    rank: self.n_pieces,
                });
                self.n_pieces += 1;
            }
        }
        self.n_pieces > before
    }

    fn after(&self, joint: JointMove<'_>) -> Federation {
        let target = self.pairs.get(Pairing::target(joint));
        target.map_or(Federation::empty(self.pairing.dim()), |target| {
            before(self.pairing, joint, &target.won)
        })
    }
}

/// The points at which both make the move of `joint` and reach `won`.
pub(super) fn before(pairing: &Pairing<'_>, joint: JointMove<'_>, won: &Federation) -> Federation {
    let mut before = Federation::empty(pairing.dim());
    for zone in won.zones() {
        let mut zone = zone.clone();
        if pairing.before_resets(&mut zone, joint) {
            before.add(zone);
        }
    }
    before.intersect(&pairing.enabled(joint));
    before
}

/// The points from which a joint move leads to winning points.
type Wins<'w> = &'w dyn Fn(JointMove<'_>) -> Federation;

/// A pair at one step of the computation.
pub(super) struct Moment<'p, 'a> {
    pairing: &'p Pairing<'a>,
    pair: Pair,
    spec_alive: Dbm,
    mutant_alive: Dbm,
    /// Points at which an output of the mutant leads out of the winning points.
    bad: Federation,
    /// Points at which the mutant can make an output.
    speaks: Federation,
}

type PlannedPoints = Vec<(Federation, WinningPlan)>;

impl<'p, 'a> Moment<'p, 'a> {
    /// `wins` gives, for an output, the points from which it leads to winning points.
    pub fn of(pairing: &'p Pairing<'a>, pair: Pair, wins: Wins<'_>) -> Self {
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
                let joint = JointMove { spec, mutant };
                let mut here = pairing.enabled(joint);
                here.subtract(&wins(joint));
                bad.union_with(&here);
            }
        }
        bad.intersect_dbm(&spec_alive);
        bad.intersect_dbm(&mutant_alive);
        speaks.intersect_dbm(&mutant_alive);
        Self {
            pairing,
            pair,
            spec_alive,
            mutant_alive,
            bad,
            speaks,
        }
    }

    /// Adds the points of `targets` that are not bad, one zone at a time, with the points from which waiting leads there safely.
    fn wait_into(&self, mut targets: Federation, plan: impl Fn(Dbm) -> WinningPlan, found: &mut PlannedPoints) {
        targets.subtract(&self.bad);
        let waits = self.pairing.may_delay(self.pair) == (true, true);
        let mut avoid = Federation::from(self.mutant_alive.clone()).complement();
        avoid.union_with(&self.bad);
        for zone in targets.into_zones() {
            let points = Federation::from(zone.clone());
            let from = if waits { safe_past(&points, &avoid) } else { points };
            found.push((from, plan(zone)));
        }
    }

    /// The points from which the tester wins without an input, each with its plan.
    pub fn by_itself(&self) -> PlannedPoints {
        let mut found = Vec::new();
        self.by_silence(&mut found);
        self.by_force(&mut found);
        found
    }

    /// Adds the points from which the tester wins by one of these inputs; `wins` gives, for an input, the points from which it
    /// leads to winning points.
    pub fn by_inputs(&self, gives: &dyn Fn(&Move) -> bool, wins: Wins<'_>, found: &mut PlannedPoints) {
        let pairing = self.pairing;
        let position = |step: &Move| {
            let moves = pairing.spec.moves_of(self.pair.0);
            moves
                .iter()
                .position(|other| std::ptr::eq(other, step))
                .expect("it is one of them")
        };
        for spec in pairing.inputs(self.pair).filter(|step| gives(step)) {
            let mut good = pairing.spec_enabled(spec);
            good.intersect_dbm(&self.spec_alive);
            good.intersect_dbm(&self.mutant_alive);
            for mutant in pairing.mutant_moves(self.pair, spec) {
                let mut lost = pairing.mutant_enabled(mutant);
                lost.subtract(&wins(JointMove { spec, mutant }));
                good.subtract(&lost);
            }
            let index = position(spec);
            self.wait_into(good, |zone| WinningPlan::Input(index, zone), found);
        }
    }

    fn by_silence(&self, found: &mut PlannedPoints) {
        let pairing = self.pairing;
        let (spec_waits, mutant_waits) = pairing.may_delay(self.pair);
        if !mutant_waits {
            return;
        }
        if spec_waits {
            let mut late = Federation::from(self.mutant_alive.clone());
            late.subtract_dbm(&self.spec_alive);
            self.wait_into(late, WinningPlan::Overdue, found);
        } else {
            let mut points = Federation::from(self.mutant_alive.clone()).delayable();
            points.subtract(&self.bad);
            found.push((points, WinningPlan::AnyDelay));
        }
    }

    fn by_force(&self, found: &mut PlannedPoints) {
        let pairing = self.pairing;
        let (spec_waits, mutant_waits) = pairing.may_delay(self.pair);
        let alive = Federation::from(self.mutant_alive.clone());
        let mut stopped = self.speaks.clone();
        if mutant_waits {
            stopped.subtract(&alive.delayable());
        }
        self.wait_into(stopped, |_| WinningPlan::Await, found);
        if !(mutant_waits && spec_waits) {
            return;
        }
        // The open end of time in the mutant, which is never reached, with an output possible all the way to it.
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
        found.push((safe_past(&ends, &avoid), WinningPlan::Await));
    }
}
