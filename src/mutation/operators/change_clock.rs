//! Change clock.

use super::{Alterations, Definition};
use crate::model::Automaton;
use crate::mutation::Alteration;
use crate::mutation::place::clock_atoms;

pub const CCK: Definition = Definition {
    name: "CCK",
    summary: "compare another clock",
    meaning: "each clock constraint of an invariant or a guard that is no difference is about each other clock",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    let mut alterations = Vec::new();
    for (site, atom, constraint) in clock_atoms(automaton).filter(|(_, _, constraint)| constraint.right.is_none()) {
        let others = automaton.clocks().ids().filter(|clock| *clock != constraint.left);
        alterations.extend(others.map(|clock| Alteration::Clock { site, atom, clock }));
    }
    alterations
}
