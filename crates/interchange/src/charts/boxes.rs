//! A chart as boxes and arrows, in the words of its file.

use std::collections::{BTreeMap, BTreeSet};

use super::chart::{Chart, ChartAction, ChartTransition, GuardTerm, StateKind};
use super::unfold::Unfolded;
use tamper_timed::model::{BoxKind, Hierarchy, NestedArrow, NestedBox};
use tamper_uppaal::RawFile;

/// The boxes and arrows of `chart`; `raw` says its configurations as locations, and its macrosteps as edges.
pub(super) fn hierarchy(chart: &Chart, unfolded: &Unfolded, raw: &RawFile) -> Hierarchy {
    let mut arrows = Vec::new();
    // The first arrow that begins at a place of the file.
    let mut places = BTreeMap::new();
    for (state, own) in chart.states.iter().enumerate() {
        arrows.extend(by_default(chart, state));
        let on = own.on.iter().map(|(event, transitions)| (event.as_str(), transitions));
        for (event, transitions) in on.chain([("", &own.always)]) {
            let Some(event) = said(chart, state, event) else {
                continue;
            };
            for transition in transitions {
                let place = (transition.place.start, transition.place.end);
                places.entry(place).or_insert(arrows.len());
                arrows.push(NestedArrow {
                    source: state,
                    targets: transition.targets.clone().unwrap_or_default(),
                    is_initial: false,
                    label: label(chart, &event, transition).into(),
                });
            }
        }
    }
    let template = raw.templates.first();
    let edges = || template.into_iter().flat_map(|template| &template.edges);
    let configurations = &unfolded.configurations;
    let innermost = |at: usize| match configurations[at].active.as_slice() {
        [] => vec![0],
        active => {
            let around: BTreeSet<usize> = active.iter().filter_map(|state| chart.states[*state].parent).collect();
            active.iter().copied().filter(|state| !around.contains(state)).collect()
        }
    };
    let mut located: Vec<Vec<usize>> = (0..configurations.len()).map(innermost).collect();
    // Locations behind a location of outputs were added before it.
    let number = |end: &Option<(String, _)>| {
        let name = end.as_ref().map_or("", |(name, _)| name.as_str());
        name.trim_start_matches(|c: char| !c.is_ascii_digit())
            .parse::<usize>()
            .ok()
    };
    let behind: BTreeMap<_, _> = edges()
        .map(|edge| (number(&edge.source), number(&edge.target)))
        .collect();
    for at in configurations.len()..template.map_or(0, |template| template.locations.len()) {
        let target = behind.get(&Some(at)).copied().flatten();
        located.push(
            target
                .and_then(|target| located.get(target).cloned())
                .unwrap_or_default(),
        );
    }
    let taken = edges().map(|edge| places.get(&(edge.element.start, edge.element.end)).copied());
    Hierarchy {
        boxes: (0..chart.states.len()).map(|state| nested(chart, state)).collect(),
        arrows,
        located: located.into_iter().collect(),
        taken: taken.collect(),
    }
}

fn nested(chart: &Chart, state: usize) -> NestedBox {
    let own = &chart.states[state];
    let kind = match own.kind {
        StateKind::Atomic | StateKind::Compound => BoxKind::Plain,
        StateKind::Parallel => BoxKind::Parallel,
        StateKind::Final => BoxKind::Final,
        StateKind::History { deep } => BoxKind::History { deep },
    };
    let lines = [("entry", &own.entry), ("exit", &own.exit)];
    let lines = lines.into_iter().filter(|(_, actions)| !actions.is_empty());
    let notes = lines.map(|(when, actions)| format!("{when} / {}", listed(chart, actions)));
    let invoked = own.invokes.iter().map(|id| format!("invoke {id}"));
    // The root of a file without a name has its place only.
    let name = if own.key.is_empty() { &own.id } else { &own.key };
    NestedBox {
        name: name.as_str().into(),
        parent: own.parent,
        kind,
        notes: notes.chain(invoked).map(Into::into).collect(),
    }
}

/// The first states of a state, or of a history without memory.
fn by_default(chart: &Chart, state: usize) -> Option<NestedArrow> {
    let own = &chart.states[state];
    let (child, actions) = own
        .initial
        .as_ref()
        .map_or((None, &[][..]), |(child, actions)| (Some(*child), actions));
    let targets = own.default.clone().or(child.map(|child| vec![child]))?;
    Some(NestedArrow {
        source: state,
        targets,
        is_initial: !chart.is_history(state),
        label: said_actions(chart, actions).trim_start().into(),
    })
}

/// An event as the file says it; `None` for the event of a missing timer.
fn said(chart: &Chart, state: usize, event: &str) -> Option<String> {
    let own = &chart.states[state];
    let bare = event.strip_prefix("xstate.").unwrap_or(event);
    if let Some(timer) = own.timers.iter().find(|timer| timer.event == event) {
        return Some(format!("after {}", duration(timer.delay)));
    }
    if !chart.dialect.is_own(event) || chart.dialect.own().is_empty() {
        return Some(event.to_owned());
    }
    if event.starts_with("xstate.after") {
        return None;
    }
    let id = |starts: [&str; 2]| starts.into_iter().find_map(|start| bare.strip_prefix(start));
    let words = match bare.strip_prefix("done.state.") {
        Some(done) if done == own.id => "onDone".to_owned(),
        _ => match (
            id(["done.actor.", "done.invoke."]),
            id(["error.actor.", "error.platform."]),
        ) {
            (Some(done), _) => format!("done {done}"),
            (None, Some(failed)) => format!("error {failed}"),
            (None, None) => event.to_owned(),
        },
    };
    Some(words)
}

/// `3 s`, `1.5 s` or `300 ms`, which no line breaks.
fn duration(delay: i64) -> String {
    match (delay / 1000, delay % 1000) {
        (0, _) if delay != 0 => format!("{delay}\u{a0}ms"),
        (seconds, 0) => format!("{seconds}\u{a0}s"),
        (seconds, rest) => format!("{seconds}.{}\u{a0}s", format!("{rest:03}").trim_end_matches('0')),
    }
}

/// `event [guard] / actions`.
fn label(chart: &Chart, event: &str, transition: &ChartTransition) -> String {
    let source = transition.source;
    let mut targets = transition.targets.iter().flatten();
    // Only there it matters whether the source, or the root, is entered again.
    let is_inner = |target: &usize| *target == source || chart.is_within(*target, Some(source));
    let is_root = |target: &usize| *target == 0 || chart.is_history(*target) && chart.states[*target].parent == Some(0);
    let may_stay = targets.clone().all(is_inner) || targets.clone().any(is_root);
    let mut words = Vec::new();
    let is_always = event.is_empty() && transition.guard.is_none() && transition.actions.is_empty();
    words.extend((!event.is_empty()).then(|| event.to_owned()));
    words.extend(is_always.then(|| "always".to_owned()));
    words.extend(
        transition
            .guard
            .as_ref()
            .map(|guard| format!("[{}]", condition(chart, guard, false))),
    );
    if !transition.reenter && may_stay && targets.next().is_some() {
        words.push("(internal)".to_owned());
    }
    words.join(" ") + &said_actions(chart, &transition.actions)
}

fn said_actions(chart: &Chart, actions: &[ChartAction]) -> String {
    match actions {
        [] => String::new(),
        actions => format!(" / {}", listed(chart, actions)),
    }
}

fn listed(chart: &Chart, actions: &[ChartAction]) -> String {
    let action = |action: &ChartAction| match action {
        ChartAction::Send(sender) => {
            let timer = &chart.sends[*sender].timer;
            format!("send {} after {}", timer.event, duration(timer.delay))
        }
        ChartAction::If(branches) => {
            let branch = |(guard, actions): &(GuardTerm, Vec<ChartAction>)| {
                format!("[{}] {}", condition(chart, guard, false), listed(chart, actions))
            };
            format!("if {{{}}}", branches.iter().map(branch).collect::<Vec<_>>().join("; "))
        }
        other => chart.name(other),
    };
    actions.iter().map(action).collect::<Vec<_>>().join(", ")
}

fn condition(chart: &Chart, guard: &GuardTerm, is_part: bool) -> String {
    let joined = |parts: &[GuardTerm], sign: &str, empty: &str| {
        let texts: Vec<String> = parts.iter().map(|part| condition(chart, part, true)).collect();
        match texts.len() {
            0 => empty.to_owned(),
            1 => texts.concat(),
            _ if is_part => format!("({})", texts.join(sign)),
            _ => texts.join(sign),
        }
    };
    match guard {
        GuardTerm::Data(_, text) => text.clone(),
        GuardTerm::Named(guard) => chart.guards[*guard].0.clone(),
        GuardTerm::In(state) | GuardTerm::Shown(state) => format!("in {}", chart.states[*state].id),
        GuardTerm::Not(part) => format!("!{}", condition(chart, part, true)),
        GuardTerm::All(parts) => joined(parts, " && ", "true"),
        GuardTerm::Any(parts) => joined(parts, " || ", "false"),
    }
}
