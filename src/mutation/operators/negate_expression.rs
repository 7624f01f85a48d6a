//! Expression negation.

use super::{Alterations, Definition};
use crate::model::Automaton;
use crate::mutation::Alteration;
use crate::mutation::formula::{Rewrite, is_connective, parts};
use crate::mutation::rewrites::rewrites;

pub const ENF: Definition = Definition {
    name: "ENF",
    summary: "negate a part with connectives",
    meaning: "each part of a condition whose operator is && || or imply is negated",
    alterations: Alterations::Listed(alterations),
};

fn alterations(automaton: &Automaton) -> Vec<Alteration> {
    rewrites(automaton, |formula, _| {
        let all = (0..).zip(parts(formula)).filter(|(_, part)| is_connective(part));
        all.map(|(at, _)| (at, Rewrite::Negate)).collect()
    })
}
