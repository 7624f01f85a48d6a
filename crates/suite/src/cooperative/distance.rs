//! The number of steps that the tester and a helpful mutant need until the mutant is seen.

use rustc_hash::FxHashMap;

use crate::Resets;
use crate::error::SuiteFailure;
use crate::execution::subject::is_output;
use crate::failures::{MutantFailure, failures};
use crate::pairing::{JointMove, Pair, Pairing};
use crate::search::before_overdue;
use crate::strategy::resets;
use tamper_game::symbolic::{PairProduct as _, zone_ops};
use tamper_text::Budget;
use tamper_zones::{Bound, Dbm, Federation, Variable};

/// The tester's plan at the points of a piece, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum CooperativePlan {
    /// Gives the specification's input of that position in its node, which the mutant refuses.
    Refused(usize),
    /// Waits until silence is overdue.
    Overdue,
    /// Waits for a wrong output.
    Wrong,
    /// Gives the specification's input of that position in its node, and continues.
    Input(usize, usize),
    /// Waits for an output, and continues.
    Await,
}

/// Points from which the mutant can be shown.
#[derive(Clone, Debug)]
pub(super) struct CooperativePiece {
    /// The number of steps before the last one.
    pub rank: usize,
    pub plan: CooperativePlan,
    pub entry: Dbm,
    /// The points at which the step is made.
    pub when: Dbm,
}

/// The pairs that a shortest run can pass through, with the points from which the mutant can be shown.
pub(crate) struct Distances<'p, 'a> {
    pub(super) pairing: &'p Pairing<'a>,
    /// The number of steps of the shortest run.
    pub(super) length: usize,
    /// Points in which clocks that every step resets alike have one value; all reached points are among them.
    agreed: Dbm,
    pieces: FxHashMap<Pair, Vec<CooperativePiece>>,
    /// For each number of steps, the points from which that number suffices.
    within: FxHashMap<Pair, Vec<Federation>>,
}

impl<'p, 'a> Distances<'p, 'a> {
    /// The distances of `pairs`, each with its least number of steps; a shortest run has `length`.
    pub fn compute(
        pairing: &'p Pairing<'a>,
        pairs: &[(Pair, usize)],
        length: usize,
        budget: &Budget,
    ) -> Result<Self, SuiteFailure> {
        let mut distances = Self {
            pairing,
            length,
            agreed: agreed(pairing, pairs),
            pieces: FxHashMap::default(),
            within: FxHashMap::default(),
        };
        let (mut n_pieces, bytes) = (0, zone_ops::zone_bytes(pairing.dim()));
        for rank in 0..=length {
            for (pair, _) in pairs.iter().filter(|(_, depth)| depth + rank <= length) {
                n_pieces += distances.add(*pair, rank);
                if let Some(reason) = budget.exceeded(n_pieces, n_pieces * bytes) {
                    return Err(reason.into());
                }
            }
        }
        Ok(distances)
    }

    /// The pieces of at most that rank, the best first.
    pub(super) fn pieces(&self, pair: Pair, rank: usize) -> impl Iterator<Item = &CooperativePiece> {
        let all = self.pieces.get(&pair).into_iter().flatten();
        all.filter(move |piece| piece.rank <= rank)
    }

    /// The points at which both games can make the move, after which `steps` more steps suffice.
    pub(super) fn before(&self, pair: Pair, joint: JointMove<'_>, steps: usize) -> Federation {
        let pairing = self.pairing;
        let mut before = Federation::empty(pairing.dim());
        let within = self.within.get(&Pairing::target(joint));
        for zone in within
            .and_then(|ranks| ranks.get(steps))
            .into_iter()
            .flat_map(Federation::zones)
        {
            let mut zone = zone.clone();
            if pairing.before_resets(&mut zone, joint) {
                before.add(zone);
            }
        }
        before.intersect(&pairing.enabled(joint));
        before.intersect_dbm(&self.agreed);
        if let Some(alive) = pairing.both_alive(pair) {
            before.intersect_dbm(&alive);
        }
        before
    }

    /// Adds the pieces of that rank, and returns their number.
    fn add(&mut self, pair: Pair, rank: usize) -> u64 {
        let mut found = match rank {
            0 => self.last_steps(pair),
            _ => self.steps(pair, rank),
        };
        found.sort_by_key(|piece| piece.plan);
        let known = self.within.entry(pair).or_default();
        let mut within = known
            .last()
            .cloned()
            .unwrap_or_else(|| Federation::empty(self.pairing.dim()));
        let pieces = self.pieces.entry(pair).or_default();
        let before = pieces.len();
        for piece in found {
            let mut new = Federation::from(piece.entry.clone());
            new.subtract(&within);
            if !new.is_empty() {
                within.add(piece.entry.clone());
                pieces.push(piece);
            }
        }
        known.push(within);
        (pieces.len() - before) as u64
    }

    fn last_steps(&self, pair: Pair) -> Vec<CooperativePiece> {
        let pairing = self.pairing;
        let Some(mut alive) = pairing.both_alive(pair) else {
            return Vec::new();
        };
        if !alive.intersect(&self.agreed) {
            return Vec::new();
        }
        let found = failures(pairing, pair, &alive)
            .into_iter()
            .flat_map(|(failure, points)| {
                let zones = points.into_zones().into_iter();
                zones.filter_map(move |when| {
                    let (plan, entry) = match failure {
                        MutantFailure::Refused(step) => (
                            CooperativePlan::Refused(self.position(pair, step)),
                            pairing.before_delay(pair, &when),
                        ),
                        MutantFailure::Output(_) => (CooperativePlan::Wrong, pairing.before_delay(pair, &when)),
                        MutantFailure::Overdue => {
                            (CooperativePlan::Overdue, Some(before_overdue(pairing, pair, &when)))
                        }
                    };
                    Some(CooperativePiece {
                        rank: 0,
                        plan,
                        entry: entry?,
                        when,
                    })
                })
            });
        found.collect()
    }

    fn steps(&self, pair: Pair, rank: usize) -> Vec<CooperativePiece> {
        let mut found = Vec::new();
        for (index, joint) in self.pairing.joints(pair).into_iter().enumerate() {
            let plan = match is_output(joint.spec) {
                true => CooperativePlan::Await,
                false => CooperativePlan::Input(self.position(pair, joint.spec), index),
            };
            for when in self.before(pair, joint, rank - 1).into_zones() {
                let entry = self.pairing.before_delay(pair, &when);
                found.extend(entry.map(|entry| CooperativePiece {
                    rank,
                    plan,
                    entry,
                    when,
                }));
            }
        }
        found
    }

    fn position(&self, pair: Pair, step: &tamper_game::symbolic::Move) -> usize {
        let moves = self.pairing.spec.moves_of(pair.0).iter();
        let mut moves = moves.enumerate();
        let found = moves.find(|(_, other)| std::ptr::eq(*other, step));
        found.expect("it is one of them").0
    }
}

/// The points at which all clocks that every step resets alike have equal values.
fn agreed(pairing: &Pairing<'_>, pairs: &[(Pair, usize)]) -> Dbm {
    let resets: Vec<_> = pairs
        .iter()
        .flat_map(|(pair, _)| pairing.joints(*pair))
        .map(|joint| resets(pairing, joint))
        .collect();
    let value = |resets: &Resets, clock: usize| {
        let found = resets.iter().rev().find(|(reset, _)| *reset == clock);
        found.map(|(_, value)| *value)
    };
    let mut agreed = Dbm::universe(pairing.dim());
    for a in 0..pairing.dim() - 1 {
        for b in a + 1..pairing.dim() - 1 {
            let alike = resets.iter().all(|resets| value(resets, a) == value(resets, b));
            let (a, b) = (Variable::new(a).into(), Variable::new(b).into());
            let agrees = !alike || (agreed.constrain(a, b, Bound::le(0)) && agreed.constrain(b, a, Bound::le(0)));
            assert!(agrees, "all clocks 0 is a point of it");
        }
    }
    agreed
}
