//! Feature expressions of one automaton, each with its part; the features in them are not resolved yet.

use std::collections::BTreeMap;

use crate::grammar::notes::{FeatureNote, NoteTarget, no_such_conjunct};
use crate::text::Text;
use tamper_text::{Diagnostic, Span};
use tamper_timed::model::{ActionId, EdgeId, Guard, LocId, Urgency};

/// The feature expressions of one automaton, in the order of the file, and the errors in their places.
#[derive(Clone, Default, Debug)]
pub(crate) struct Annotations {
    pub list: Vec<Annotation>,
    pub errors: Vec<Diagnostic>,
    /// The place of each part's expression.
    first: BTreeMap<ConditionPart, Span>,
}

/// A feature expression and its part.
#[derive(Clone, Debug)]
pub(crate) struct Annotation {
    pub part: ConditionPart,
    /// The place of the text before the expression.
    pub span: Span,
    pub expr: Text,
}

/// A part of an automaton that can have a condition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum ConditionPart {
    Location(LocId),
    Initial(LocId),
    Urgency(LocId, Urgency),
    /// The clock atom of that number in the invariant.
    Clock(LocId, usize),
    /// The integer condition of that number in the invariant.
    Data(LocId, usize),
    Edge(EdgeId),
    Action(ActionId),
}

impl Annotations {
    /// Adds the expressions beside a location with that invariant; `conjuncts` has a guard for each conjunct that the
    /// notes name, in their order.
    pub(crate) fn location(
        &mut self,
        id: LocId,
        invariant: &Guard,
        notes: &[FeatureNote],
        mut conjuncts: impl Iterator<Item = Result<Guard, Vec<Diagnostic>>>,
    ) {
        let mut claimed = Vec::new();
        for note in notes {
            match &note.target {
                NoteTarget::Whole => self.add(ConditionPart::Location(id), note.span, &note.expr),
                NoteTarget::Initial => self.add(ConditionPart::Initial(id), note.span, &note.expr),
                NoteTarget::Urgency(urgency) => self.add(ConditionPart::Urgency(id, *urgency), note.span, &note.expr),
                NoteTarget::Conjuncts(tree) => {
                    let guard = conjuncts.next().expect("a guard per conjunct");
                    let parts = guard.and_then(|guard| parts_of(id, invariant, &guard, tree.span, &mut claimed));
                    match parts {
                        Ok(parts) => parts.into_iter().for_each(|part| self.add(part, note.span, &note.expr)),
                        Err(errors) => self.errors.extend(errors),
                    }
                }
            }
        }
    }

    /// Adds the expressions beside an edge.
    pub(crate) fn edge(&mut self, id: EdgeId, notes: &[FeatureNote]) {
        for note in notes {
            self.add(ConditionPart::Edge(id), note.span, &note.expr);
        }
    }

    /// Adds one expression; each part has at most one.
    pub(crate) fn add(&mut self, part: ConditionPart, span: Span, expr: &Text) {
        if let Some(first) = self.first.get(&part) {
            let error = Diagnostic::error("a second feature expression for the same part", span);
            let error = error.with_secondary(*first, "the first one");
            self.errors.push(error.with_help("join the two with `&&` or `||`"));
            return;
        }
        self.first.insert(part, span);
        self.list.push(Annotation {
            part,
            span,
            expr: expr.clone(),
        });
    }
}

/// The conjuncts of `invariant` that `guard` repeats; of equal conjuncts, the first one that no earlier line has
/// claimed.
fn parts_of(
    id: LocId,
    invariant: &Guard,
    guard: &Guard,
    span: Span,
    claimed: &mut Vec<ConditionPart>,
) -> Result<Vec<ConditionPart>, Vec<Diagnostic>> {
    let missing = || vec![no_such_conjunct(span)];
    let mut parts = Vec::new();
    let mut claim = |candidates: Vec<ConditionPart>| {
        let free = candidates.into_iter().find(|part| !claimed.contains(part));
        let part = free.ok_or_else(missing)?;
        claimed.push(part);
        parts.push(part);
        Ok::<_, Vec<Diagnostic>>(())
    };
    for atom in &guard.clocks {
        let equal = invariant.clocks.iter().enumerate().filter(|(_, known)| *known == atom);
        claim(equal.map(|(at, _)| ConditionPart::Clock(id, at)).collect())?;
    }
    for condition in &guard.data {
        let equal = invariant
            .data
            .iter()
            .enumerate()
            .filter(|(_, known)| *known == condition);
        claim(equal.map(|(at, _)| ConditionPart::Data(id, at)).collect())?;
    }
    if parts.is_empty() { Err(missing()) } else { Ok(parts) }
}
