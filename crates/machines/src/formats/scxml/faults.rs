//! Faults for a whole chart (\[000\] section 2.2), as alternatives to the parts of the specification's transitions.

use std::collections::BTreeSet;

use super::super::extended::ExtendedDraft;
use super::chart::{Chart, ChartTransition, shown};
use super::content::Content;
use crate::{Faults, SetId};
use tamper_text::SourceFile;

/// A visitor of a set, its names and their place.
type SetVisitor<'v> = dyn FnMut(&mut Option<SetId>, &mut Vec<String>, u32) + 'v;

impl Chart {
    /// Adds faults: other names for every answer, with the same values; and for every transition of the specification,
    /// any other state or history with an id as its target, which is entered as usual.
    pub(super) fn add_faults(&mut self, faults: Faults, file: &SourceFile, draft: &mut ExtendedDraft) {
        if faults != Faults::Transfers {
            let mut names = BTreeSet::new();
            self.each_send(&mut |_, all, _| names.extend(all.iter().cloned()));
            self.each_send(&mut |set, all, line| {
                let others = names.iter().filter(|name| !all.contains(name));
                let label = |name: &String| format!("line {}: send {name}", file.line_col(line).line);
                let more: Vec<_> = others.map(|name| (name.clone(), label(name))).collect();
                let own = label(&all[0]);
                ExtendedDraft::extend(&mut draft.sets, (set, all), own, more);
            });
        }
        if faults == Faults::Outputs {
            return;
        }
        let ids: Vec<String> = self.ids.keys().cloned().collect();
        for choice in self.states.iter_mut().flat_map(|state| &mut state.transitions) {
            let Some(Some(own)) = choice.all.first().cloned() else {
                continue;
            };
            let is_there = |id: &&String| {
                let mut known = choice.all.iter().flatten();
                known.any(|other| other.targets == [id.as_str()])
            };
            let head = choice.label.rsplit_once(": ").map_or("", |(head, _)| head);
            let other = |id: &String| {
                let transition = ChartTransition {
                    targets: vec![id.clone()],
                    ..own.clone()
                };
                let label = format!("{head}: {}", shown(&transition));
                (Some(transition), label)
            };
            let more = ids.iter().filter(|id| !is_there(id)).map(other).collect();
            let own = choice.label.clone();
            ExtendedDraft::extend(&mut draft.sets, (&mut choice.set, &mut choice.all), own, more);
        }
    }

    /// Visits every answer of the specification: its set, its names, and its place.
    fn each_send(&mut self, visit: &mut SetVisitor<'_>) {
        for state in &mut self.states {
            let own = state.transitions.iter_mut().filter_map(|choice| choice.all.first_mut());
            let own = own.flatten().flat_map(|transition| &mut transition.content);
            let initial = state.initial.iter_mut().flat_map(|(_, content, _)| content);
            let entered = state.entry.iter_mut().chain(&mut state.exit).chain(initial);
            for content in entered.chain(own) {
                if let Content::Send { set, names, span, .. } = content {
                    visit(set, names, span.start);
                }
            }
        }
    }
}
