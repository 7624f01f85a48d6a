//! Changes of locations.

use crate::model::{Automaton, LocId, Location, Urgency};
use crate::mutation::Alteration;

/// The locations whose urgency is one of `from` become `to`.
pub fn becoming(automaton: &Automaton, to: Urgency, from: fn(Urgency) -> bool) -> Vec<Alteration> {
    let urgency = |location| Alteration::Urgency { location, urgency: to };
    each(automaton, |location| from(location.urgency), urgency)
}

/// Each invariant that says something, left out.
pub fn without_invariant(automaton: &Automaton) -> Vec<Alteration> {
    let dropped = |location| Alteration::DropInvariant { location };
    each(automaton, |location| !location.invariant.is_trivial(), dropped)
}

fn each(
    automaton: &Automaton,
    is_meant: impl Fn(&Location) -> bool,
    change: impl Fn(LocId) -> Alteration,
) -> Vec<Alteration> {
    let locations = automaton.locations().iter_enumerated();
    let meant = locations.filter(|(_, location)| is_meant(location));
    meant.map(|(id, _)| change(id)).collect()
}
