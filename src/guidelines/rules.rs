//! The rules and when they apply.
//!
//! Three conditions are implicit in the lemmata, whose games have neither urgent channels nor ignored inputs:
//! a rule that takes an output away says nothing where that output is on an urgent channel (without it time may
//! pass); a rule that enlarges an input says nothing where unspecified inputs are ignored (the new input replaces an
//! ignored one); and L7.ii says nothing about the initial location, which is also entered without an edge.

use std::fmt;

use crate::model::{Automaton, Cmp, Edge, EdgeId, Guard, LocId, Role, SimpleConstraint};
use crate::mutation::{Mutation, Site};

/// A guideline: a mutation that it names cannot be killed. Internal edges count as outputs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// TMI of an output (Lemma 1), unless it is on an urgent channel.
    L1,
    /// TAD of an input (Lemma 2).
    L2,
    /// SMI of a location that no input enters (Lemma 3), unless an urgent output does.
    L3,
    /// CXL on an input's guard `x <= k` or `x < k` (Lemma 4 i), unless unspecified inputs are ignored.
    L4i,
    /// CXL on an output's guard `x == k` where the source's invariant is `x <= k` (Lemma 4 ii), unless it is urgent.
    L4ii,
    /// CXL on an output's guard `x >= k` or `x > k` (Lemma 4 iii), unless it is urgent.
    L4iii,
    /// CXL on an invariant `x >= k` or `x > k` of a location that no input enters (Lemma 5, its syntactic form),
    /// unless an urgent output does.
    L5,
    /// CXS on an output's guard `x <= k` or `x < k` (Lemma 6 i), unless it is urgent.
    L6i,
    /// CXS on an input's guard `x >= k` or `x > k` (Lemma 6 ii), unless unspecified inputs are ignored.
    L6ii,
    /// CXS on an invariant `x <= k` or `x < k` of a location that no input enters (Lemma 7 i, its syntactic form),
    /// unless an urgent output does.
    L7i,
    /// CXS on an invariant `x >= k` or `x > k` of a location that only inputs enter (Lemma 7 ii, its syntactic form),
    /// unless it is the initial one or unspecified inputs are ignored.
    L7ii,
}

impl Rule {
    /// All rules, in order.
    pub const ALL: [Self; 11] = [
        Self::L1,
        Self::L2,
        Self::L3,
        Self::L4i,
        Self::L4ii,
        Self::L4iii,
        Self::L5,
        Self::L6i,
        Self::L6ii,
        Self::L7i,
        Self::L7ii,
    ];

    /// Its name: the lemma of \[003\] and the case of it.
    pub fn name(self) -> &'static str {
        match self {
            Self::L1 => "L1",
            Self::L2 => "L2",
            Self::L3 => "L3",
            Self::L4i => "L4.i",
            Self::L4ii => "L4.ii",
            Self::L4iii => "L4.iii",
            Self::L5 => "L5",
            Self::L6i => "L6.i",
            Self::L6ii => "L6.ii",
            Self::L7i => "L7.i",
            Self::L7ii => "L7.ii",
        }
    }
    /// What it advises, as a sentence.
    pub fn advice(self) -> &'static str {
        match self {
            Self::L1 => "do not remove an output",
            Self::L2 => "do not add an input",
            Self::L3 => "do not remove a location that no input enters",
            Self::L4i => "do not relax the upper bound of an input",
            Self::L4ii => "do not move an output `x == k` past the invariant `x <= k`",
            Self::L4iii => "do not raise the lower bound of an output",
            Self::L5 => "do not raise a lower bound in the invariant of a location that no input enters",
            Self::L6i => "do not tighten the upper bound of an output",
            Self::L6ii => "do not relax the lower bound of an input",
            Self::L7i => "do not tighten an upper bound in the invariant of a location that no input enters",
            Self::L7ii => "do not relax a lower bound in the invariant of a location that only inputs enter",
        }
    }
    /// Where it is proved.
    pub fn source(self) -> &'static str {
        match self {
            Self::L1 => "[003] Lemma 1",
            Self::L2 => "[003] Lemma 2",
            Self::L3 => "[003] Lemma 3",
            Self::L4i => "[003] Lemma 4 (i)",
            Self::L4ii => "[003] Lemma 4 (ii)",
            Self::L4iii => "[003] Lemma 4 (iii)",
            Self::L5 => "[003] Lemma 5",
            Self::L6i => "[003] Lemma 6 (i)",
            Self::L6ii => "[003] Lemma 6 (ii)",
            Self::L7i => "[003] Lemma 7 (i)",
            Self::L7ii => "[003] Lemma 7 (ii)",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The rule that names `mutation` of `automaton`, if one does (the rules exclude each other).
/// Linear in the number of edges for mutations of locations, else constant.
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
        Mutation::NegateGuard { .. } => None,
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

/// Whether the edge is an output or internal, and time may pass where it is missing just as where it is there.
fn is_removable_output(automaton: &Automaton, edge: EdgeId) -> bool {
    let action = &automaton.actions()[automaton.edges()[edge].action];
    action.role != Role::Input && !action.urgent
}

fn only_removable_outputs_enter(automaton: &Automaton, location: LocId) -> bool {
    automaton
        .entering(location)
        .all(|(edge, _)| is_removable_output(automaton, edge))
}
