//! Certainly non-subsumed mutants: Lemmata 8 to 14 of \[003\] section 4.2.
//!
//! [`effective`] reads the lemmata as printed and looks at the syntax alone. This proves nothing: the lemmata are about
//! games in which every element takes part in some run, and most ask for a run that shows the change. [`question`]
//! describes this run by an automaton and some of its edges: if a run takes one of the edges, the hypothesis holds.
//! Answering the question needs the zones of one game, not a play between two, and is left to the caller.

use crate::model::{
    Action, ActionId, Automaton, ClockConstraint, ClockId, Cmp, Edge, EdgeId, Guard, LocId, Role, Select,
    SimpleConstraint, Update, Urgency,
};
use crate::mutation::{ConstraintChange, Mutation, Site};
use tamper_text::Id;

tamper_text::named! {
    /// A lemma that calls a mutant non-subsumed. Internal edges count as outputs.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Lemma {
        /// TMI of an input (Lemma 8).
        L8 = "L8",
        /// TAD of an output (Lemma 9).
        L9 = "L9",
        /// CXL on an output's guard `x <= k` or `x < k` (Lemma 10 i).
        L10i = "L10.i",
        /// CXL on an input's guard `x >= k` or `x > k` (Lemma 10 ii).
        L10ii = "L10.ii",
        /// CXL on an invariant `x >= k` or `x > k` of a location that an input enters (Lemma 11 i).
        L11i = "L11.i",
        /// CXL on an invariant `x <= k` or `x < k` (Lemma 11 ii).
        L11ii = "L11.ii",
        /// CXS on an input's guard `x <= k` or `x < k` (Lemma 12 i).
        L12i = "L12.i",
        /// CXS on an output's guard `x >= k` or `x > k` (Lemma 12 ii).
        L12ii = "L12.ii",
        /// CXS on an invariant `x >= k` or `x > k` of a location that an output enters (Lemma 13 i).
        L13i = "L13.i",
        /// CXS on an invariant `x <= k` or `x < k` of a location that an input enters (Lemma 13 ii).
        L13ii = "L13.ii",
        /// Negated guards are non-subsumed (Lemma 14 of \[003\]).
        L14 = "L14",
    }
}

/// A reading of the hypotheses of a lemma.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reading {
    /// As printed: the valuations named there, in runs of the game named there.
    Stated,
    /// The same, with the valuations that the change is about: Lemma 11 (i) and Lemma 13 print bounds that are off by one
    /// point for `<=` and `>=` or the other way round.
    Corrected,
    /// The hypotheses that make the conclusion hold, for a deterministic original: the difference is reached by a run that
    /// the original and the mutant have in common, and nothing else of the original answers it.
    Needed,
}

/// The hypothesis of a lemma as a question: does some run of `runs` take one of `edges`?
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReachabilityQuery {
    /// The original or the mutant, with one extra edge for every way in which the difference can show.
    pub runs: Automaton,
    /// The edges whose execution must be shown.
    pub edges: Vec<EdgeId>,
}

/// The lemma that calls the mutant non-subsumed, by syntax alone (no lemma is about SMI, nor about `==`).
/// Linear in the number of edges for mutations of invariants, else constant.
pub fn effective(automaton: &Automaton, mutation: &Mutation) -> Option<Lemma> {
    let change = mutation.constraint();
    match *mutation {
        Mutation::RemoveEdge { edge } => (automaton.role(edge) == Role::Input).then_some(Lemma::L8),
        Mutation::AddEdge { role, .. } => (role != Role::Input).then_some(Lemma::L9),
        Mutation::RemoveLocation { .. } | Mutation::Alter { .. } | Mutation::Again(_) => None,
        Mutation::NegateGuard { .. } => Some(Lemma::L14),
        Mutation::LargerConstant { .. } => change.and_then(|change| larger(automaton, change)),
        Mutation::SmallerConstant { .. } => change.and_then(|change| smaller(automaton, change)),
    }
}

fn larger(automaton: &Automaton, change: ConstraintChange) -> Option<Lemma> {
    match (change.site, is_upper(change.old.cmp)?) {
        (Site::Guard(edge), true) => (automaton.role(edge) != Role::Input).then_some(Lemma::L10i),
        (Site::Guard(edge), false) => (automaton.role(edge) == Role::Input).then_some(Lemma::L10ii),
        (Site::Invariant(location), false) => enters(automaton, location, true).then_some(Lemma::L11i),
        (Site::Invariant(_), true) => Some(Lemma::L11ii),
    }
}

fn smaller(automaton: &Automaton, change: ConstraintChange) -> Option<Lemma> {
    match (change.site, is_upper(change.old.cmp)?) {
        (Site::Guard(edge), true) => (automaton.role(edge) == Role::Input).then_some(Lemma::L12i),
        (Site::Guard(edge), false) => (automaton.role(edge) != Role::Input).then_some(Lemma::L12ii),
        (Site::Invariant(location), false) => enters(automaton, location, false).then_some(Lemma::L13i),
        (Site::Invariant(location), true) => enters(automaton, location, true).then_some(Lemma::L13ii),
    }
}

/// Whether the comparison is an upper bound; `None` for `==`.
fn is_upper(cmp: Cmp) -> Option<bool> {
    match cmp {
        Cmp::Lt | Cmp::Le => Some(true),
        Cmp::Ge | Cmp::Gt => Some(false),
        Cmp::Eq => None,
    }
}

fn enters(automaton: &Automaton, location: LocId, input: bool) -> bool {
    automaton
        .entering(location)
        .any(|(edge, _)| (automaton.role(edge) == Role::Input) == input)
}

/// The hypothesis under which [`effective`]'s lemma holds. `None` where no lemma applies, or where under
/// [`Reading::Needed`] no run can establish it: another edge of the same action might answer, inputs are
/// ignored, an urgent channel or location forbids delay, or an invariant is more than one atom.
///
/// Under [`Reading::Needed`] the answer "yes" makes the mutant non-subsumed by \[003\] Definition 7 (unmatched
/// actions rejected, no pruning), provided that `automaton` is deterministic in every state that a run reaches.
pub fn question(automaton: &Automaton, mutation: &Mutation, reading: Reading) -> Option<ReachabilityQuery> {
    let lemma = effective(automaton, mutation)?;
    let needed = reading == Reading::Needed;
    if needed && !is_plain(automaton, lemma) {
        return None;
    }
    let change = mutation.constraint();
    let question = match (lemma, change.map(|change| (change, change.site))) {
        (_, Some((change, Site::Invariant(location)))) => {
            return at_invariant(automaton, mutation, lemma, change, location, reading);
        }
        (_, Some((change, Site::Guard(edge)))) if automaton.role(edge) == Role::Input => {
            let lost = part(&automaton.edges()[edge].guard, change, change.old, change.new)?;
            ReachabilityQuery::copying(automaton, edge, lost)
        }
        (_, Some((change, Site::Guard(edge)))) => {
            if needed && !is_only_answer(automaton, edge) {
                return None;
            }
            let gained = part(&automaton.edges()[edge].guard, change, change.new, change.old)?;
            ReachabilityQuery::copying(&mutation.apply(automaton), edge, gained)
        }
        (Lemma::L9, None) => {
            let runs = mutation.apply(automaton);
            let edges = runs.edges().ids().next_back().into_iter().collect();
            ReachabilityQuery { runs, edges }
        }
        (_, None) => {
            let Mutation::RemoveEdge { edge } = *mutation else {
                return None;
            };
            ReachabilityQuery {
                runs: automaton.clone(),
                edges: vec![edge],
            }
        }
    };
    Some(question)
}

/// Whether the game leaves no ambiguity about a difference: it has no urgent channel, and if the mutant has less, it
/// refuses the inputs that no edge accepts.
fn is_plain(automaton: &Automaton, lemma: Lemma) -> bool {
    let gains = matches!(
        lemma,
        Lemma::L9 | Lemma::L10i | Lemma::L11ii | Lemma::L12ii | Lemma::L13i
    );
    (gains || !automaton.is_input_enabled()) && automaton.actions().iter().all(|action| !action.urgent)
}

/// Whether no other edge of its source has its action.
fn is_only_answer(automaton: &Automaton, id: EdgeId) -> bool {
    let edge = &automaton.edges()[id];
    let same = |other: &EdgeId| {
        let other = &automaton.edges()[*other];
        other.source == edge.source && other.action == edge.action
    };
    automaton.edges().ids().filter(same).count() == 1
}

/// `guard` restricted to values at which the changed atom satisfies `within` and not `without`.
fn part(guard: &Guard, change: ConstraintChange, within: SimpleConstraint, without: SimpleConstraint) -> Option<Guard> {
    let mut guard = guard.clone();
    guard.clocks.remove(change.atom as usize);
    guard.clocks.push(atom(within));
    guard.clocks.push(atom(outside(without)?));
    Some(guard)
}

fn outside(constraint: SimpleConstraint) -> Option<SimpleConstraint> {
    let cmp = constraint.cmp.negated()?;
    Some(SimpleConstraint { cmp, ..constraint })
}

fn atom(constraint: SimpleConstraint) -> ClockConstraint {
    let mut guard = Guard::from(constraint);
    guard.clocks.remove(0)
}

fn at_invariant(
    automaton: &Automaton,
    mutation: &Mutation,
    lemma: Lemma,
    change: ConstraintChange,
    location: LocId,
    reading: Reading,
) -> Option<ReachabilityQuery> {
    let needed = reading == Reading::Needed;
    let parts = &automaton.locations()[location];
    let atoms = parts.invariant.as_simple().is_some();
    if lemma == Lemma::L11ii {
        let rests = parts.urgency == Urgency::Normal && atoms;
        return (rests || !needed)
            .then(|| ReachabilityQuery::asking(automaton.clone(), [(location, Guard::always(), Vec::new())]));
    }
    // The guard at entry: after the updates, the clock's value satisfies only one of the two invariants.
    let input = lemma != Lemma::L13i;
    let (low, high) = (
        change.old.constant.min(change.new.constant),
        change.old.constant.max(change.new.constant),
    );
    let range = if reading != Reading::Stated {
        let (within, without) = if input {
            (change.old, change.new)
        } else {
            (change.new, change.old)
        };
        [within, outside(without)?]
    } else {
        // Printed: `k < v <= k'` in Lemma 11 (i), `k' <= v < k` in Lemma 13.
        let (from, to) = match lemma {
            Lemma::L11i => (Cmp::Gt, Cmp::Le),
            _ => (Cmp::Ge, Cmp::Lt),
        };
        let bound = |cmp, constant| SimpleConstraint {
            clock: change.old.clock,
            cmp,
            constant,
        };
        [bound(from, low), bound(to, high)]
    };
    if !atoms {
        return None;
    }
    // As printed, behaviour that the mutant gains is looked for in the mutant, and behaviour that it loses in the original.
    // A common run is a run of the game that has less.
    let runs = if input == needed {
        mutation.apply(automaton)
    } else {
        automaton.clone()
    };
    let entries = automaton.entering(location).filter(|(id, _)| {
        (automaton.role(*id) == Role::Input) == input && (!needed || input || is_only_answer(automaton, *id))
    });
    let probes = entries.filter_map(|(_, edge)| Some((edge.source, entry_guard(edge, &range)?, edge.selects.clone())));
    Some(ReachabilityQuery::asking(runs, probes))
}

/// The guard of `edge` for entering its target within `range`; `None` if it never does, or if this is more than a condition
/// on the clock's value or a constant.
fn entry_guard(edge: &Edge, range: &[SimpleConstraint]) -> Option<Guard> {
    let mut guard = edge.guard.clone();
    for constraint in range {
        match value_after(edge, constraint.clock)? {
            None => guard.clocks.push(atom(*constraint)),
            Some(value) => {
                if !constraint.cmp.holds(&value, &constraint.constant) {
                    return None;
                }
            }
        }
    }
    Some(guard)
}

/// The constant that `edge` sets `clock` to: `Some(None)` if it does not set it, `None` if the value is no constant.
fn value_after(edge: &Edge, clock: ClockId) -> Option<Option<i64>> {
    let last = edge.updates.iter().rev().find_map(|update| match update {
        Update::Reset(reset, value) if *reset == clock => Some(value),
        _ => None,
    });
    match last {
        None => Some(None),
        Some(value) => value.as_const().map(Some),
    }
}

impl ReachabilityQuery {
    /// Asks whether a run takes `edge` where `guard` holds: by a copy of the edge, which changes no run.
    fn copying(automaton: &Automaton, edge: EdgeId, guard: Guard) -> Self {
        let edge = Edge {
            guard,
            ..(*automaton.edges()[edge]).clone()
        };
        let runs = automaton.with_new_action_edge(probe(), edge);
        let edges = runs.edges().ids().next_back().into_iter().collect();
        Self { runs, edges }
    }

    /// Asks whether a run reaches one of the locations where its guard holds: by a self loop, which changes no run.
    fn asking(automaton: Automaton, probes: impl IntoIterator<Item = (LocId, Guard, Vec<Select>)>) -> Self {
        let mut question = Self {
            runs: automaton,
            edges: Vec::new(),
        };
        for (location, guard, selects) in probes {
            let edge = Edge {
                source: location,
                target: location,
                action: ActionId::from_index(0), // replaced by the new action
                guard,
                updates: Vec::new(),
                selects,
            };
            question.runs = question.runs.with_new_action_edge(probe(), edge);
            question.edges.extend(question.runs.edges().ids().next_back());
        }
        question
    }
}

/// The action of the added edges. Its name may already exist, since actions are told apart by id.
fn probe() -> Action {
    Action {
        name: "probe".into(),
        role: Role::Internal,
        urgent: false,
    }
}

#[cfg(test)]
mod tests;
