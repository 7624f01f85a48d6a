//! Products that are decided one by one, each together with all products that differ from it only in parts that its runs
//! never reach.

use super::verdicts::{ProductVerdicts, Undecided, settle};
use crate::forward::Scratch;
use crate::specification::{Specification, Verdict};
use crate::symbolic::Halt;
use tamper_features::{FeatureExpr, Product, ProductSets};
use tamper_text::Budget;
use tamper_timed::featured::FeaturedAutomaton;
use tamper_timed::model::{ActionId, LocId, Role};

/// Decides the products of `rest` and moves them to the sets of `verdicts`.
///
/// # Errors
/// The budget, whose time is shared by all products and whose states are per product; the products left in `rest` are
/// undecided.
pub(super) fn decide_rest<S: ProductSets>(
    featured: &FeaturedAutomaton,
    specification: &Specification,
    sets: &mut S,
    rest: &mut S::Set,
    verdicts: &mut ProductVerdicts<S::Set>,
    budget: &Budget,
) -> Result<(), Halt> {
    for (fault, when) in featured.faults() {
        let faulty = sets.holding(&when)?;
        let faulty = sets.and(rest, &faulty)?;
        if !sets.is_empty(&faulty) {
            let of = undecided(&mut verdicts.undecided, Undecided::NoGame(fault), sets);
            settle(&faulty, sets, rest, of)?;
        }
    }
    let mut scratch = Scratch::default();
    while let Some(product) = sets.some(rest) {
        if let Some(reason) = budget.exceeded(0, 0) {
            return Err(reason.into());
        }
        verdicts.effort.alone += 1;
        let mut class = rest.clone();
        for condition in consulted(featured, specification, &product) {
            let holding = sets.holding(&condition)?;
            class = if condition.holds(&product) {
                sets.and(&class, &holding)?
            } else {
                sets.minus(&class, &holding)?
            };
        }
        let decided = match featured.project(&product) {
            Ok(game) => specification
                .decide(&game, budget, &mut scratch)
                .map_err(Undecided::Error)
                .map(|decision| decision.verdict),
            Err(fault) => Err(Undecided::NoGame(fault)),
        };
        let of = match decided {
            Ok(Verdict::Inconsistent) => &mut verdicts.inconsistent,
            Ok(Verdict::Subsumed) => &mut verdicts.subsumed,
            Ok(Verdict::NonSubsumed) => &mut verdicts.non_subsumed,
            Ok(Verdict::Unknown(reason)) => undecided(&mut verdicts.undecided, Undecided::Stopped(reason), sets),
            Err(why) => undecided(&mut verdicts.undecided, why, sets),
        };
        settle(&class, sets, rest, of)?;
    }
    Ok(())
}

/// The products that are undecided for that reason.
fn undecided<'v, S: ProductSets>(list: &'v mut Vec<(Undecided, S::Set)>, why: Undecided, sets: &S) -> &'v mut S::Set {
    let position = list.iter().position(|(known, _)| *known == why).unwrap_or_else(|| {
        list.push((why, sets.none()));
        list.len() - 1
    });
    &mut list[position].1
}

/// The conditions of all parts that the product's game can reach in the graph, regardless of clocks: products that agree on
/// them have the same game, up to parts that no run reaches.
fn consulted(featured: &FeaturedAutomaton, specification: &Specification, product: &Product) -> Vec<FeatureExpr> {
    let automaton = featured.automaton();
    let conditions = featured.conditions();
    let mut consulted: Vec<FeatureExpr> = conditions.initial.iter().map(|(when, _)| when.clone()).collect();
    let is_known_input = |id: &ActionId| {
        let action = &automaton.actions()[*id];
        let mut known = specification.automaton().actions().iter();
        action.role == Role::Input && known.any(|known| known.name == action.name && known.role == Role::Input)
    };
    let inputs = automaton.actions().ids().filter(is_known_input);
    consulted.extend(inputs.map(|id| conditions.actions[id].clone()));
    let starts = conditions.initial.iter().filter(|(when, _)| when.holds(product));
    let mut reached: Vec<LocId> = starts.map(|(_, location)| *location).collect();
    let mut next = 0;
    while let Some(location) = reached.get(next).copied() {
        next += 1;
        consulted.push(conditions.locations[location].clone());
        consulted.extend(conditions.urgency[location].iter().map(|(when, _)| when.clone()));
        let invariant = &conditions.invariants[location];
        consulted.extend(invariant.clocks.iter().chain(&invariant.data).cloned());
        for (id, edge) in automaton.edges().iter_enumerated() {
            if edge.source != location {
                continue;
            }
            let when = featured.edge_condition(id);
            if when.holds(product) && !reached.contains(&edge.target) {
                reached.push(edge.target);
            }
            consulted.push(when);
        }
    }
    consulted.retain(|condition| !matches!(condition, FeatureExpr::True | FeatureExpr::False));
    consulted
}
