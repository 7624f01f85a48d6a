//! What operators make of the expressions of a game.

use super::alteration::Alteration;
use super::formula::{FormulaSite, Rewrite, formula_at, rewritten};
use super::place::Site;
use crate::model::{Automaton, Expr, Guard};

/// All places with an expression, in order: by location, then by edge; conditions, bounds, assigned values.
fn formula_sites(automaton: &Automaton) -> Vec<FormulaSite> {
    let mut all = Vec::new();
    let of_site = |site: Site, guard: &Guard, all: &mut Vec<FormulaSite>| {
        all.push(FormulaSite::Conditions(site));
        all.extend((0..).zip(&guard.clocks).map(|(atom, _)| FormulaSite::Bound(site, atom)));
    };
    for (id, location) in automaton.locations().iter_enumerated() {
        of_site(Site::Invariant(id), &location.invariant, &mut all);
    }
    for (id, edge) in automaton.edges().iter_enumerated() {
        of_site(Site::Guard(id), &edge.guard, &mut all);
        all.extend(
            (0..)
                .zip(&edge.updates)
                .map(|(update, _)| FormulaSite::Value(id, update)),
        );
    }
    all
}

/// The changes that `found` has for each expression (told whether it is a condition), in order. Of changes of one expression
/// with the same result, the first; none that changes nothing.
pub fn rewrites(automaton: &Automaton, found: impl Fn(&Expr, bool) -> Vec<(u32, Rewrite)>) -> Vec<Alteration> {
    let mut alterations = Vec::new();
    for place in formula_sites(automaton) {
        let Some((formula, is_condition)) = formula_at(automaton, place) else {
            continue;
        };
        let mut results = vec![formula.clone()];
        for (part, rewrite) in found(&formula, is_condition) {
            let Some(result) = rewritten(&formula, part, rewrite) else {
                continue;
            };
            if !results.contains(&result) {
                results.push(result);
                alterations.push(Alteration::Expression { place, part, rewrite });
            }
        }
    }
    alterations
}
