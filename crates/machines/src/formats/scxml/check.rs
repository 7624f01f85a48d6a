//! Checks of the targets in a chart: the states named together must be able to be active together.

use super::super::extended::ExtendedDraft;
use super::chart::{Chart, StateKind};
use tamper_text::Span;

impl Chart {
    /// Reports errors in the targets. Returns whether there are no errors.
    pub(super) fn check(&self, draft: &mut ExtendedDraft) -> bool {
        let before = draft.diagnostics.len();
        for (at, state) in self.states.iter().enumerate() {
            if state.kind == StateKind::Parallel && state.children.is_empty() {
                draft.error("a <parallel> without regions", state.span, "write a <state> for each");
            }
            if let Some((ids, _, span)) = &state.initial {
                self.check_initial(at, (ids, *span), draft);
            }
            for transition in state.transitions.iter().flat_map(|choice| choice.all.iter().flatten()) {
                self.check_targets(&transition.targets, transition.span, draft);
            }
        }
        draft.diagnostics.len() == before
    }

    /// Checks that the default target of a compound state is below it, and that the default target of a history is
    /// below its parent.
    fn check_initial(&self, at: usize, (ids, span): (&[String], Span), draft: &mut ExtendedDraft) {
        let own = &self.states[at];
        let within = if self.is_history(at) { own.parent } else { at };
        if self.states[within].children.is_empty() {
            let message = match self.is_history(at) {
                true => "a simple state has no history",
                false => "a simple state has no initial state",
            };
            return draft.error(message, span, "leave it out");
        }
        let fits = |target: usize| {
            let is_within = self.is_below(target, within);
            is_within && !(self.is_history(at) && self.is_history(target))
        };
        let found = ids
            .iter()
            .find(|id| !self.ids.get(*id).is_some_and(|target| fits(*target)));
        match found {
            Some(id) if self.is_history(at) => {
                let message = format!("`{id}` is no state below the one with this history");
                draft.error(message, span, "name one that is");
            }
            Some(id) => draft.error(format!("`{id}` is no state below this one"), span, "name one that is"),
            None if ids.is_empty() => draft.error("no initial state", span, "name one, or leave it out"),
            None => self.check_targets(ids, span, draft),
        }
    }

    fn check_targets(&self, ids: &[String], span: Span, draft: &mut ExtendedDraft) {
        if let Some(id) = ids.iter().find(|id| !self.ids.contains_key(*id)) {
            return draft.error(format!("there is no state `{id}`"), span, "name the id of a state");
        }
        let targets = self.named(ids);
        let together = |a: usize, b: usize| {
            let common = self.around(a).find(|state| self.is_below(b, *state));
            a != b
                && !self.is_below(a, b)
                && !self.is_below(b, a)
                && common.is_some_and(|state| self.states[state].kind == StateKind::Parallel)
        };
        let mut pairs = targets
            .iter()
            .enumerate()
            .flat_map(|(at, a)| targets[..at].iter().map(move |b| (*a, *b)));
        if !pairs.all(|(a, b)| together(a, b)) {
            let help = "several targets are in different regions of one <parallel>";
            draft.error("several targets that are not active at once", span, help);
        }
    }
}
