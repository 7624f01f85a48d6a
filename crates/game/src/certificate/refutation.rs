//! The states of both games from which the mutant shows a difference, in an order in which each leads to those before it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::normal_form::ClockNames;
use crate::fixpoint::{Reason, Solution, challenge_at};
use crate::product::{ArenaProduct, Challenge, Mover};
use crate::symbolic::{Pair, PairProduct as _, zone_ops};
use tamper_text::Id as _;
use tamper_zones::{Dbm, Federation, past_within};

/// A set of losing points.
struct Piece<'s> {
    pair: Pair,
    zone: &'s Dbm,
    reason: Reason,
}

/// Writes the pieces that the initial point needs; `false` if they do not show it.
pub(super) fn write_refutation(
    out: &mut String,
    solution: &Solution<'_>,
    names: &ClockNames,
    numbers: &[usize],
) -> bool {
    let mut pieces = Vec::new();
    for id in solution.pairs.ids() {
        let pair = solution.pairs.pair(id);
        for losing in &solution.pairs[id].losing {
            let (zone, reason) = (&losing.zone, losing.reason);
            pieces.push((losing.number, Piece { pair, zone, reason }));
        }
    }
    pieces.sort_by_key(|(number, _)| *number);
    let pieces: Vec<Piece<'_>> = pieces.into_iter().map(|(_, piece)| piece).collect();
    let search = RefutationSearch {
        product: solution.product,
        pieces,
        names,
        numbers,
    };
    search.write(out)
}

struct RefutationSearch<'s> {
    product: &'s ArenaProduct<'s>,
    /// By their numbers: what one leads to has lower ones.
    pieces: Vec<Piece<'s>>,
    names: &'s ClockNames,
    /// The numbers of the mutant's nodes in the certificate.
    numbers: &'s [usize],
}

impl RefutationSearch<'_> {
    fn write(&self, out: &mut String) -> bool {
        let zero = Dbm::zero(self.product.dim());
        let initial = (crate::symbolic::INITIAL, crate::symbolic::INITIAL);
        let shows = |piece: &Piece<'_>| piece.pair == initial && piece.zone.includes(&zero);
        let Some(first) = self.pieces.iter().position(shows) else {
            return false;
        };
        let mut needed = BTreeSet::from([first]);
        let mut lines = Vec::new();
        while let Some(number) = needed.pop_last() {
            let Some(line) = self.lines(number, &mut needed) else {
                return false;
            };
            lines.push(line);
        }
        out.extend(lines.into_iter().rev());
        true
    }

    /// The lines of a piece; the pieces that it leads to are needed.
    fn lines(&self, number: usize, needed: &mut BTreeSet<usize>) -> Option<String> {
        let Piece { pair, zone, reason } = &self.pieces[number];
        let nodes = format!("{} {}", self.numbers[pair.0.index()], pair.1.index());
        let mut lines = String::new();
        match reason {
            Reason::Challenge(at) => {
                let challenge = challenge_at(self.product, *pair, *at)?;
                self.need_answers(number, challenge, needed)?;
                let (kind, arena, node) = match challenge.mover {
                    Mover::Left => ("output", self.product.left, pair.0),
                    Mover::Right => ("input", self.product.right, pair.1),
                };
                let moves = arena.moves_of(node);
                let position = moves.iter().position(|step| std::ptr::eq(step, challenge.step))?;
                writeln!(lines, "{nodes} {kind} {position} {}", self.names.zone(zone)).ok()?;
            }
            Reason::Delay => {
                for (waiting, until) in self.waits(number, needed)? {
                    let (waiting, until) = (self.names.zone(&waiting), self.names.bounds(&until));
                    writeln!(lines, "{nodes} delay {waiting} => {until}").ok()?;
                }
            }
        }
        Some(lines)
    }

    /// Notes the pieces that the answers to a challenge lead to.
    fn need_answers(&self, number: usize, challenge: Challenge<'_>, needed: &mut BTreeSet<usize>) -> Option<()> {
        let Piece { pair, zone, .. } = &self.pieces[number];
        let product = self.product;
        for answer in product.answers(challenge, *pair) {
            let target = product.target(*pair, challenge, answer);
            let enabled = product.answer_enabled(challenge, answer).into_iter();
            let possible = enabled.filter_map(|atoms| zone_ops::restricted(zone, atoms));
            let mut open = Federation::from_zones(product.dim(), possible);
            for (earlier, piece) in self.pieces[..number].iter().enumerate() {
                if open.is_empty() {
                    break;
                }
                let mut before = piece.zone.clone();
                if piece.pair == target
                    && product.before_resets(&mut before, challenge, answer)
                    && open.intersects_dbm(&before)
                {
                    needed.insert(earlier);
                    open.subtract_dbm(&before);
                }
            }
            if !open.is_empty() {
                return None;
            }
        }
        Some(())
    }

    /// The parts of a piece that wait, each with the zone that it waits for.
    fn waits(&self, number: usize, needed: &mut BTreeSet<usize>) -> Option<Vec<(Dbm, Dbm)>> {
        let Piece { pair, zone, .. } = &self.pieces[number];
        let product = self.product;
        let alive = product.left_alive(*pair);
        let mut rest = Federation::from((*zone).clone());
        let mut waits = Vec::new();
        let mut wait = |until: &Federation, only_later: bool, rest: &mut Federation| {
            let mut is_used = false;
            for whole in alive.zones() {
                let mut until = until.clone();
                until.intersect_dbm(whole);
                for until in until.zones() {
                    let mut past = past_within(&until.clone().into(), &alive);
                    if only_later {
                        past.intersect(&strictly_before(until));
                    }
                    let mut waiting = rest.clone();
                    waiting.intersect(&past);
                    is_used |= !waiting.is_empty();
                    waits.extend(waiting.zones().iter().map(|zone| (zone.clone(), until.clone())));
                    rest.subtract(&waiting);
                }
            }
            is_used
        };
        if !product.may_delay(*pair).1 {
            wait(&alive, true, &mut rest);
        } else {
            let mut ahead = alive.clone();
            ahead.subtract(&product.right_alive(*pair));
            wait(&ahead, false, &mut rest);
            for (earlier, piece) in self.pieces[..number].iter().enumerate() {
                if !rest.is_empty() && piece.pair == *pair && wait(&piece.zone.clone().into(), false, &mut rest) {
                    needed.insert(earlier);
                }
            }
        }
        rest.is_empty().then_some(waits)
    }
}

/// The points from which a delay above 0 leads into `zone`.
fn strictly_before(zone: &Dbm) -> Federation {
    let mut before = Federation::from(zone.clone());
    before.down();
    before.delayable()
}
