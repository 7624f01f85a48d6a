//! Whether some run of a game is an error of the model: an expression without a value, an integer out of its range, a clock
//! set to a negative number.

use std::collections::HashSet;

use tamper_timed::model::{Automaton, Edge, Guard, Update, Valuation};

use super::clocks::{ClockSpace, Limits, Regions, Spread, combinations, has_diagonals};
use super::play::{Place, Player};

/// Whether some run of `game` alone is an error.
pub fn has_fault(game: &Automaton) -> bool {
    if has_diagonals(game) {
        has_fault_in::<Spread>(game)
    } else {
        has_fault_in::<Regions>(game)
    }
}

fn has_fault_in<C: ClockSpace>(game: &Automaton) -> bool {
    let space = C::of(&[game], Limits::of(&[game]));
    let player = Player { game, offset: 0 };
    let (start, origin) = (player.start(), space.origin());
    let has_value = |place: &Place| {
        let guard = &game.locations()[place.location].invariant;
        values(guard, &place.ints, &[]).is_some()
    };
    if !has_value(&start) {
        return true;
    }
    let mut seen = HashSet::new();
    let mut waiting = Vec::new();
    if player.exists(&space, &start, &origin) {
        seen.insert((start.clone(), space.class(&origin)));
        waiting.push((start, origin));
    }
    while let Some((place, point)) = waiting.pop() {
        for edge in game.edges().iter().filter(|edge| edge.source == place.location) {
            let ranges: Vec<_> = edge.selects.iter().map(|select| (select.low, select.high)).collect();
            for selects in combinations(&ranges) {
                match may_be_taken(&space, edge, (&place, &selects), &point) {
                    None => return true,
                    Some(false) => {}
                    Some(true) => match after(game, edge, (&place, &selects)) {
                        Some(next) if has_value(&next) => {}
                        _ => return true,
                    },
                }
            }
        }
        let mut next = Vec::new();
        for inputs in [true, false] {
            for action in player.actions(inputs) {
                next.extend(player.moves(&space, &place, &point, action));
            }
        }
        let later = space.later(&point);
        if !player.is_urgent(&space, &place, &point) && player.exists(&space, &place, &later) {
            next.push((place.clone(), later));
        }
        for (place, point) in next {
            if seen.insert((place.clone(), space.class(&point))) {
                waiting.push((place, point));
            }
        }
    }
    false
}

/// The bounds of the clock constraints if the integer conditions hold (none inside if not); none if something has no value.
pub(super) fn values(guard: &Guard, ints: &[i32], selects: &[i32]) -> Option<Option<Vec<i64>>> {
    let at = Valuation { ints, selects };
    for condition in &guard.data {
        if condition.eval(at).ok()? == 0 {
            return Some(None);
        }
    }
    let bounds = guard.clocks.iter().map(|atom| atom.bound.bound(at).ok());
    bounds.collect::<Option<Vec<_>>>().map(Some)
}

fn may_be_taken<C: ClockSpace>(
    space: &C,
    edge: &Edge,
    (place, selects): (&Place, &[i32]),
    point: &C::Point,
) -> Option<bool> {
    use tamper_text::Id;
    let Some(bounds) = values(&edge.guard, &place.ints, selects)? else {
        return Some(false);
    };
    let mut atoms = edge.guard.clocks.iter().zip(bounds);
    Some(atoms.all(|(atom, bound)| {
        let right = atom.right.map(|clock| clock.index());
        space.holds(point, atom.left.index(), right, atom.cmp, bound)
    }))
}

fn after(game: &Automaton, edge: &Edge, (place, selects): (&Place, &[i32])) -> Option<Place> {
    use tamper_text::Id;
    let mut ints = place.ints.clone();
    for update in &edge.updates {
        let at = Valuation { ints: &ints, selects };
        match update {
            Update::Reset(_, value) => {
                if value.eval(at).ok()? < 0 {
                    return None;
                }
            }
            Update::Assign(int, value) => {
                let value = i32::try_from(value.eval(at).ok()?).ok()?;
                let var = &game.ints()[*int];
                if !(var.low..=var.high).contains(&value) {
                    return None;
                }
                ints[int.index()] = value;
            }
        }
    }
    Some(Place {
        location: edge.target,
        ints,
    })
}
