//! Change comparison.

use super::{Alterations, Definition};
use crate::model::{Automaton, Cmp};
use crate::mutation::Alteration;
use crate::mutation::place::clock_atoms;

pub const CCM: Definition = Definition {
    name: "CCM",
    summary: "compare a clock otherwise",
    meaning: "each clock constraint of an invariant or a guard gets each of the other four comparisons",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    let mut alterations = Vec::new();
    for (site, atom, constraint) in clock_atoms(automaton) {
        let others = [Cmp::Lt, Cmp::Le, Cmp::Eq, Cmp::Ge, Cmp::Gt]
            .into_iter()
            .filter(|cmp| *cmp != constraint.cmp);
        alterations.extend(others.map(|cmp| Alteration::Comparison { site, atom, cmp }));
    }
    alterations
}
