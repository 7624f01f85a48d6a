//! The events of a chart, and the events that a descriptor matches.

use super::super::extended::ExtendedDraft;
use super::chart::{Chart, ChartTransition, StateKind};
use super::content::Content;
use crate::Event;

/// Whether a descriptor matches an event: it is the name, or its first words between dots; `*` matches every event.
pub(super) fn is_meant(descriptor: &str, event: &str) -> bool {
    let words = descriptor
        .strip_suffix(".*")
        .or_else(|| descriptor.strip_suffix('.'))
        .unwrap_or(descriptor);
    match event.strip_prefix(words) {
        Some(rest) => rest.is_empty() || rest.starts_with('.'),
        None => words == "*",
    }
}

/// Declares the events that the machine raises, and the inputs if the file does not declare them.
pub(super) fn declare(chart: &Chart, draft: &mut ExtendedDraft) {
    let transitions = || {
        let choices = chart.states.iter().flat_map(|state| &state.transitions);
        choices.flat_map(|choice| choice.all.iter().flatten())
    };
    let mut raised: Vec<String> = Vec::new();
    for state in &chart.states {
        if state.kind == StateKind::Final && state.parent != 0 {
            let around = chart.states[state.parent].parent;
            raised.push(done(chart, state.parent));
            raised.extend((chart.states[around].kind == StateKind::Parallel).then(|| done(chart, around)));
        }
        let initial = state.initial.iter().flat_map(|(_, content, _)| content);
        let all = state.entry.iter().chain(&state.exit).chain(initial);
        raised.extend(all.filter_map(raises));
    }
    raised.extend(
        transitions()
            .flat_map(|transition: &ChartTransition| &transition.content)
            .filter_map(raises),
    );
    if !chart.has_inputs {
        for descriptor in transitions().flat_map(|transition| &transition.events) {
            let is_own = descriptor.starts_with("done.") || raised.contains(descriptor);
            if !is_own && !descriptor.ends_with('*') && draft.scope.event(descriptor).is_none() {
                draft.scope.events.push(Event {
                    name: descriptor.clone(),
                    parameters: Vec::new(),
                    is_input: true,
                });
            }
        }
    }
    for name in raised {
        if draft.scope.event(&name).is_none() {
            draft.scope.events.push(Event {
                name,
                parameters: Vec::new(),
                is_input: false,
            });
        }
    }
    for transition in transitions() {
        for descriptor in &transition.events {
            if !draft.scope.events.iter().any(|event| is_meant(descriptor, &event.name)) {
                draft.error(
                    format!("no input and no event of the machine is meant by `{descriptor}`"),
                    transition.span,
                    "name it in tamper:inputs of <scxml>, or leave that attribute out",
                );
            }
        }
    }
}

/// The event that is raised when a state reaches its end.
pub(super) fn done(chart: &Chart, state: usize) -> String {
    format!("done.state.{}", chart.states[state].id.as_deref().unwrap_or_default())
}

fn raises(content: &Content) -> Option<String> {
    match content {
        Content::Raise { event, .. } => Some(event.clone()),
        _ => None,
    }
}
