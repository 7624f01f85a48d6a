//! Changes of clock constraints.

use crate::model::{Automaton, Cmp};
use crate::mutation::Alteration;
use crate::mutation::place::clock_atoms;

/// Each clock constraint with each other comparison.
pub fn other_comparisons(automaton: &Automaton) -> Vec<Alteration> {
    let mut alterations = Vec::new();
    for (site, atom, constraint) in clock_atoms(automaton) {
        let all = [Cmp::Lt, Cmp::Le, Cmp::Eq, Cmp::Ge, Cmp::Gt].into_iter();
        let others = all.filter(|cmp| *cmp != constraint.cmp);
        alterations.extend(others.map(|cmp| Alteration::Comparison { site, atom, cmp }));
    }
    alterations
}

/// Each clock constraint that is no difference, about each other clock.
pub fn other_clocks(automaton: &Automaton) -> Vec<Alteration> {
    let mut alterations = Vec::new();
    for (site, atom, constraint) in clock_atoms(automaton).filter(|(_, _, constraint)| constraint.right.is_none()) {
        let clocks = automaton.clocks().iter_enumerated();
        let others = clocks.filter(|(id, clock)| *id != constraint.left && !clock.is_left_out);
        alterations.extend(others.map(|(clock, _)| Alteration::Clock { site, atom, clock }));
    }
    alterations
}
