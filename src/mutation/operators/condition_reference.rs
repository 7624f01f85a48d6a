//! Condition reference.

use super::{Alterations, Definition};
use crate::model::Automaton;
use crate::mutation::Alteration;
use crate::mutation::formula::{Rewrite, conditions};
use crate::mutation::rewrites::rewrites;

pub const VRF: Definition = Definition {
    name: "VRF",
    summary: "replace a condition by another one of the formula",
    meaning: "each single condition of a formula is replaced by each other one that occurs in it",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    rewrites(automaton, |formula, is_condition| {
        let all = conditions(formula, is_condition);
        let others = |at: u32| all.iter().filter(move |(other, _)| *other != at);
        let replaced = |(at, _): &(u32, _)| {
            others(*at)
                .map(|(other, _)| (*at, Rewrite::Copy(*other)))
                .collect::<Vec<_>>()
        };
        all.iter().flat_map(replaced).collect()
    })
}
