//! The reason why an edge is never taken, if the text of the game shows it without its runs.
//!
//! Only clock conditions with constant bounds are examined, and everything else is assumed to hold: a set that is found empty is
//! empty.

use super::analysis::constant_atoms;
use crate::symbolic::zone_ops;
use tamper_text::Id;
use tamper_timed::model::{Automaton, EdgeId, Expr, LocId, Update};
use tamper_zones::{Bound, Dbm, Variable};

/// The reason why no run takes an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhyDead {
    /// No run reaches its source.
    Unreached,
    /// Its condition on variables is a constant that is false.
    False,
    /// Its guard contradicts the invariant of its source, or itself.
    Guard,
    /// The invariant of its target fails after its updates.
    Invariant,
}

/// The reason why no run takes `edge`, if it is cheap to determine; `unreachable` are the locations that no run reaches.
pub fn why_dead(game: &Automaton, edge: EdgeId, unreachable: &[LocId]) -> Option<WhyDead> {
    let edge = &game.edges()[edge];
    if unreachable.contains(&edge.source) {
        return Some(WhyDead::Unreached);
    }
    if edge.guard.data.contains(&Expr::Const(0)) {
        return Some(WhyDead::False);
    }
    let invariant = |location: LocId| constant_atoms(&game.locations()[location].invariant);
    let mut zone = Dbm::universe(game.clocks().len() + 1);
    if !zone_ops::restrict(&mut zone, &invariant(edge.source)) {
        return None;
    }
    if !zone_ops::restrict(&mut zone, &constant_atoms(&edge.guard)) {
        return Some(WhyDead::Guard);
    }
    for update in &edge.updates {
        let Update::Reset(clock, value) = update else { continue };
        let clock = Variable::new(clock.index());
        match value.as_const().filter(|value| (0..=Bound::LIMIT).contains(value)) {
            Some(value) => zone.reset(clock, value),
            None => zone.free(clock),
        }
    }
    match zone_ops::restrict(&mut zone, &invariant(edge.target)) {
        true => None,
        false => Some(WhyDead::Invariant),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse;
    use tamper_text::Budget;
    use tamper_timed::model::{Cmp, Guard};
    use testing::sketch::{Sketch, atom};

    /// From `start` (x <= 5): the guard x >= 7 contradicts the invariant; `late` has the invariant x >= 3, which fails where x is
    /// set to 0 and holds where it is not; from `far`, to which nothing leads, no edge is taken. The last one is dead because of its
    /// runs alone: x is at most 5 in `start` and y as old as x, so y >= 6 never holds, but no single place says so.
    #[test]
    fn the_reasons_of_dead_edges_are_those_by_hand() {
        let mut sketch = Sketch::new("A", &["x", "y"]);
        sketch.location("start", atom(0, Cmp::Le, 5));
        sketch.location("late", atom(0, Cmp::Ge, 3));
        sketch.location("far", Guard::always());
        sketch.edge("start", "late", "a!", atom(0, Cmp::Ge, 7), &[]);
        sketch.edge("start", "late", "b!", Guard::always(), &[0]);
        sketch.edge("start", "late", "c!", Guard::always(), &[]);
        sketch.edge("far", "late", "d!", Guard::always(), &[]);
        sketch.edge("start", "late", "e!", atom(1, Cmp::Ge, 6), &[]);
        let game = sketch.build();
        let found = analyse(&game, &Budget::unlimited())
            .expect("a meaning")
            .expect("no limit");
        let dead: Vec<_> = found
            .dead_edges
            .iter()
            .map(|edge| (edge.index(), why_dead(&game, *edge, &found.unreachable)))
            .collect();
        let expected = [
            (0, Some(WhyDead::Guard)),
            (1, Some(WhyDead::Invariant)),
            (3, Some(WhyDead::Unreached)),
            (4, None),
        ];
        assert_eq!(dead, expected);
    }
}
