//! The conditions under which the rules apply.
//!
//! Three conditions are implicit in the lemmata, whose games have neither urgent channels nor ignored inputs: a rule that
//! takes an output away does not apply if that output is on an urgent channel (without it time may pass); a rule that
//! enlarges an input does not apply if unspecified inputs are ignored (the new input replaces an ignored one); and L7.ii
//! does not apply to the initial location, which is also entered without an edge.

use super::alterations;
use super::removable::{is_removable_output, only_removable_outputs_enter};
use super::rule::Rule;
use crate::model::{Automaton, Cmp, Edge, EdgeId, Guard, LocId, Role, SimpleConstraint};
use crate::mutation::{Mutation, Operator, Site};

/// The rule that names `mutation` of `automaton`, if one does (the rules exclude each other).
/// Linear in the number of edges for mutations of locations and the operators beyond the six, else constant.
pub fn violated(automaton: &Automaton, mutation: &Mutation) -> Option<Rule> {
    match *mutation {
        Mutation::RemoveEdge { edge } => is_removable_output(automaton, edge).then_some(Rule::L1),
        Mutation::AddEdge { role, .. } => (role == Role::Input).then_some(Rule::L2),
        Mutation::RemoveLocation { location } => only_removable_outputs_enter(automaton, location).then_some(Rule::L3),
        Mutation::LargerConstant {
            site: Site::Guard(edge),
            old,
            ..
        } => larger_in_guard(automaton, edge, old),
        Mutation::LargerConstant {
            site: Site::Invariant(location),
            old,
            ..
        } => (is_lower(old.cmp) && only_removable_outputs_enter(automaton, location)).then_some(Rule::L5),
        Mutation::SmallerConstant {
            site: Site::Guard(edge),
            old,
            ..
        } => smaller_in_guard(automaton, edge, old),
        Mutation::SmallerConstant {
            site: Site::Invariant(location),
            old,
            ..
        } => smaller_in_invariant(automaton, location, old),
        // What an operator of a program's own means is the program's business: the game decides.
        Mutation::NegateGuard { .. }
        | Mutation::Alter {
            operator: Operator::Own(_),
            ..
        } => None,
        Mutation::Alter { alteration, .. } => alterations::violated(automaton, &alteration),
        // The reason of a rule holds in the copy that the mutation changes: `docs/notes/0023-memory.md`.
        Mutation::Again(memory) => violated(automaton, &memory.once()),
    }
}

/// The rules that name both mutations of a sequence *on the original*, if they do: then the mutant of order 2 is
/// subsumed by, or as inconsistent as, the original, whatever the second mutation is called on the mutant of the first.
///
/// Every rule promises that the identity is a refinement, and its reason mentions only what mutations that rules name
/// leave alone; so the promises add up, for any number of mutations. Neither condition implies the other: a rule may name
/// the second mutation only on the mutant, or only on the original.
pub fn violated_on_original(original: &Automaton, first: &Mutation, second: &Mutation) -> Option<(Rule, Rule)> {
    let first_rule = violated(original, first)?;
    let second_rule = violated(original, &second.on_original(first, original)?)?;
    Some((first_rule, second_rule))
}

fn larger_in_guard(automaton: &Automaton, id: EdgeId, old: SimpleConstraint) -> Option<Rule> {
    let edge: &Edge = &automaton.edges()[id];
    if automaton.role(id) == Role::Input {
        return (is_upper(old.cmp) && !automaton.is_input_enabled()).then_some(Rule::L4i);
    }
    if !is_removable_output(automaton, id) {
        return None;
    }
    let closing = SimpleConstraint { cmp: Cmp::Le, ..old };
    let invariant: &Guard = &automaton.locations()[edge.source].invariant;
    match old.cmp {
        Cmp::Ge | Cmp::Gt => Some(Rule::L4iii),
        Cmp::Eq if invariant.as_simple() == Some(closing) => Some(Rule::L4ii),
        Cmp::Lt | Cmp::Le | Cmp::Eq => None,
    }
}

fn smaller_in_guard(automaton: &Automaton, edge: EdgeId, old: SimpleConstraint) -> Option<Rule> {
    if automaton.role(edge) == Role::Input {
        (is_lower(old.cmp) && !automaton.is_input_enabled()).then_some(Rule::L6ii)
    } else {
        (is_upper(old.cmp) && is_removable_output(automaton, edge)).then_some(Rule::L6i)
    }
}

fn smaller_in_invariant(automaton: &Automaton, location: LocId, old: SimpleConstraint) -> Option<Rule> {
    if is_upper(old.cmp) {
        return only_removable_outputs_enter(automaton, location).then_some(Rule::L7i);
    }
    let applies = is_lower(old.cmp)
        && location != automaton.initial()
        && !automaton.is_input_enabled()
        && automaton
            .entering(location)
            .all(|(edge, _)| automaton.role(edge) == Role::Input);
    applies.then_some(Rule::L7ii)
}

fn is_upper(cmp: Cmp) -> bool {
    matches!(cmp, Cmp::Lt | Cmp::Le)
}

fn is_lower(cmp: Cmp) -> bool {
    matches!(cmp, Cmp::Ge | Cmp::Gt)
}
