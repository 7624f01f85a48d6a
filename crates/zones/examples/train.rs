//! Clock values of a train at a crossing: a timed automaton of three locations, explored forwards.

use tamper_zones::{Bound, Clock, Dbm, Federation, Variable};

/// An edge: from, guard `low <= x <= high`, whether `x` is set to 0, to.
type Edge = (usize, i64, i64, bool, usize);

fn main() {
    let x = Variable::new(0);
    let names = ["far", "near", "crossing"];
    // At most this long in each location, and the edges between them.
    let invariants = [None, Some(20), Some(5)];
    let edges: [Edge; 3] = [(0, 0, 1000, true, 1), (1, 10, 20, true, 2), (2, 3, 5, false, 0)];

    let delayed = |mut zone: Dbm, location: usize| {
        zone.up();
        let stays = |most: i64| zone.constrain(x.into(), Clock::ZERO, Bound::le(most));
        invariants[location].is_none_or(stays).then_some(zone)
    };
    let mut reached = vec![Federation::empty(2); names.len()];
    let mut waiting = vec![(0, delayed(Dbm::zero(2), 0).expect("time passes far away"))];
    while let Some((location, zone)) = waiting.pop() {
        if reached[location].includes(&Federation::from_zones(2, [zone.clone()])) {
            continue;
        }
        reached[location].add(zone.clone());
        for (_, low, high, resets, to) in edges.into_iter().filter(|edge| edge.0 == location) {
            let mut next = zone.clone();
            let guard = [
                (x.into(), Clock::ZERO, Bound::le(high)),
                (Clock::ZERO, x.into(), Bound::le(-low)),
            ];
            if next.constrain_all(guard) {
                if resets {
                    next.reset(x, 0);
                }
                waiting.extend(delayed(next, to).map(|zone| (to, zone)));
            }
        }
    }
    for (name, zones) in names.iter().zip(&reached) {
        let shown = |zone: &Dbm| match zone.constraints(&["x"]) {
            any if any.is_empty() => "any time".to_owned(),
            constraints => constraints.join(", "),
        };
        let zones: Vec<String> = zones.zones().iter().map(shown).collect();
        println!("{name}: {}", zones.join(" or "));
    }
}
