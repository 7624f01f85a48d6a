//! The game of definite killing in which the tester, which sees everything, promises after each input the next input, or that it
//! gives no more.
//!
//! A tester that gives a word fixed before the test can promise each of its inputs. So if even this tester loses, no word kills. If
//! it wins, nothing is known: it still chooses the time of the input, and the next promise by what it saw.

use crate::definite::{Moment, before};
use crate::error::SuiteFailure;
use crate::pairing::{JointMove, Pairing};
use tamper_game::symbolic::{Agenda, INITIAL_PAIR, Known, PairId, PairProduct as _, Pairs, zone_ops};
use tamper_text::Budget;
use tamper_timed::model::ActionId;
use tamper_zones::{Dbm, Federation};

/// The points of a pair.
struct PromisePoints {
    reached: Federation,
    /// The points from which the tester wins, by the position of its promise in [`PromiseGame::promises`].
    won: Vec<Federation>,
    /// The points from which the tester wins when it is free to promise.
    free: Federation,
}

impl Known for PromisePoints {
    fn unreached(dim: usize) -> Self {
        Self {
            reached: Federation::empty(dim),
            won: Vec::new(),
            free: Federation::empty(dim),
        }
    }
    fn reached(&mut self) -> &mut Federation {
        &mut self.reached
    }
}

/// Whether the tester wins from the start.
pub(super) fn can_win(pairing: &Pairing<'_>, budget: &Budget) -> Result<bool, SuiteFailure> {
    let mut pairs: Pairs<PromisePoints> = Pairs::explore(pairing, budget)?;
    let inputs = |id| pairing.inputs(pairs.pair(id)).map(|step| step.action);
    let mut actions: Vec<ActionId> = pairs.ids().flat_map(inputs).collect();
    actions.sort_unstable();
    actions.dedup();
    let promises: Vec<Option<ActionId>> = actions.into_iter().map(Some).chain([None]).collect();
    for id in pairs.ids() {
        pairs[id].won = vec![Federation::empty(pairing.dim()); promises.len()];
    }
    let mut game = PromiseGame {
        pairing,
        pairs,
        promises,
    };
    game.solve(budget)
}

struct PromiseGame<'p, 'a> {
    pairing: &'p Pairing<'a>,
    pairs: Pairs<PromisePoints>,
    promises: Vec<Option<ActionId>>,
}

impl PromiseGame<'_, '_> {
    fn solve(&mut self, budget: &Budget) -> Result<bool, SuiteFailure> {
        let zero = Dbm::zero(self.pairing.dim());
        let bytes = zone_ops::zone_bytes(self.pairing.dim());
        let mut agenda = Agenda::of_all(&self.pairs);
        let mut n_zones = 0u64;
        while let Some(id) = agenda.take() {
            let mut grows = false;
            for promise in 0..self.promises.len() {
                let won = self.winning(id, promise);
                n_zones += won.zones().len() as u64;
                grows |= !won.is_empty();
                let points = &mut self.pairs[id];
                points.won[promise].union_with(&won);
                points.free.union_with(&won);
            }
            if self.pairs[INITIAL_PAIR]
                .free
                .zones()
                .iter()
                .any(|zone| zone.includes(&zero))
            {
                return Ok(true);
            }
            if let Some(reason) = budget.exceeded(n_zones, n_zones * bytes) {
                return Err(reason.into());
            }
            if grows {
                for source in self.pairs.sources(id) {
                    agenda.add(*source);
                }
            }
        }
        Ok(false)
    }

    /// The points that win with this promise and are not yet known to win.
    fn winning(&self, id: PairId, promise: usize) -> Federation {
        let nothing = || Federation::empty(self.pairing.dim());
        let target = |joint: JointMove<'_>| self.pairs.get(Pairing::target(joint));
        let keeping = |joint: JointMove<'_>| {
            target(joint).map_or_else(nothing, |points| before(self.pairing, joint, &points.won[promise]))
        };
        let kept = |joint: JointMove<'_>| {
            target(joint).map_or_else(nothing, |points| before(self.pairing, joint, &points.free))
        };
        let moment = Moment::of(self.pairing, self.pairs.pair(id), &keeping);
        let mut found = moment.by_itself();
        moment.by_inputs(&|step| Some(step.action) == self.promises[promise], &kept, &mut found);
        let mut won = nothing();
        for (zones, _) in found {
            won.union_with(&zones);
        }
        won.intersect(&self.pairs[id].reached);
        won.subtract(&self.pairs[id].won[promise]);
        won
    }
}
