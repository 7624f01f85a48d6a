//! What an automaton with one clock is, and the game that it is read as.

use std::collections::BTreeSet;

use super::interval::{Interval, rest};
use tamper_text::json::Word;
use tamper_text::{Span, Text};
use tamper_uppaal::{RawEdge, RawFile, RawLocation, RawTemplate, RawText, is_reserved, location_id};

/// The output that says that the word so far is accepted.
pub(super) const ACCEPT: &str = "accept";

/// A deterministic timed automaton with one clock. Locations and actions are named by their positions.
#[derive(Debug)]
pub(super) struct OneClock {
    pub name: Word,
    pub locations: Vec<Word>,
    pub actions: Vec<Word>,
    pub initial: usize,
    /// Each once.
    pub accepting: Vec<usize>,
    pub transitions: Vec<Transition>,
}

#[derive(Debug)]
pub(super) struct Transition {
    pub source: usize,
    pub action: usize,
    /// In order, none touching another.
    pub guard: Vec<Interval>,
    /// Whether the clock is 0 afterwards.
    pub reset: bool,
    pub target: usize,
    /// Where the guard stands.
    pub guard_place: Span,
    /// All of it.
    pub place: Span,
}

/// An edge of the game.
struct Edge<'a> {
    ends: (usize, usize),
    guard: Option<Interval>,
    /// `push?`
    label: &'a str,
    reset: bool,
    place: Span,
}

/// The parts of the UPPAAL file that says what `automaton` accepts.
pub(super) fn spell(automaton: &OneClock) -> RawFile {
    let start = automaton.name.span;
    let inputs = automaton.actions.iter().map(|action| format!("{}?", action.text));
    let inputs: Vec<String> = inputs.collect();
    let missing = missing(automaton);
    let mut taken: BTreeSet<String> = automaton.actions.iter().map(|action| action.text.clone()).collect();
    taken.insert(ACCEPT.to_owned());
    let name = fresh(&automaton.name.text, &mut taken.clone());
    let mut locations = Vec::new();
    let mut location = |text: &str, place: Span| {
        let name = RawText::made(&fresh(text, &mut taken), place);
        locations.push(RawLocation::new(locations.len(), name, place));
    };
    for known in &automaton.locations {
        location(&known.text, known.span);
    }
    if !missing.is_empty() {
        location("sink", start);
    }
    let clock = fresh("x", &mut taken);
    let local = format!("clock {clock};\n// tamper:alphabet {} {ACCEPT}!", inputs.join(" "));
    let mut steps = Vec::new();
    edges(automaton, &missing, &inputs, |edge| steps.push(edge.raw(&clock)));
    let template = RawTemplate {
        declaration: RawText::made(&local, start),
        locations,
        init: Some((location_id(automaton.initial), start)),
        edges: steps,
        ..RawTemplate::new(RawText::made(&name, start), start)
    };
    RawFile {
        root: start,
        declaration: RawText::of(channels(automaton), start),
        templates: vec![template],
        system: RawText::made(&format!("system {name};"), start),
        ..RawFile::default()
    }
}

/// A name that UPPAAL takes, as like `text` as can be: not one of those `taken`, to which it comes.
fn fresh(text: &str, taken: &mut BTreeSet<String>) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut name: String = text.chars().map(letter).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        name.insert(0, '_');
    }
    while is_reserved(&name) || !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}

fn channels(automaton: &OneClock) -> Text {
    let mut out = Text::default();
    for action in &automaton.actions {
        out.whole(&format!("chan {};\n", action.text), action.span);
    }
    out.whole(&format!("chan {ACCEPT};\n"), automaton.name.span);
    out
}

/// For each location and action the values of the clock that no transition takes.
fn missing(automaton: &OneClock) -> Vec<(usize, usize, Interval)> {
    let n_actions = automaton.actions.len();
    let mut taken = vec![Vec::new(); automaton.locations.len() * n_actions];
    for transition in &automaton.transitions {
        taken[transition.source * n_actions + transition.action].extend(&transition.guard);
    }
    let at = |(position, taken)| {
        let gaps = rest(taken).into_iter();
        gaps.map(move |gap| (position / n_actions, position % n_actions, gap))
    };
    taken.into_iter().enumerate().flat_map(at).collect()
}

/// All edges of the game: the transitions, then what says where words are accepted, then what leads to the sink. The
/// value of the clock means nothing in the sink; it is set to 0.
fn edges(
    automaton: &OneClock,
    missing: &[(usize, usize, Interval)],
    inputs: &[String],
    mut write: impl FnMut(Edge<'_>),
) {
    for transition in &automaton.transitions {
        for interval in &transition.guard {
            write(Edge {
                ends: (transition.source, transition.target),
                guard: Some(*interval),
                label: &inputs[transition.action],
                reset: transition.reset,
                place: transition.place,
            });
        }
    }
    for location in &automaton.accepting {
        write(Edge {
            ends: (*location, *location),
            guard: None,
            label: &format!("{ACCEPT}!"),
            reset: false,
            place: automaton.locations[*location].span,
        });
    }
    let sink = automaton.locations.len();
    for (location, action, gap) in missing {
        write(Edge {
            ends: (*location, sink),
            guard: Some(*gap),
            label: &inputs[*action],
            reset: true,
            place: automaton.locations[*location].span,
        });
    }
    if missing.is_empty() {
        return;
    }
    for label in inputs {
        write(Edge {
            ends: (sink, sink),
            guard: None,
            label,
            reset: true,
            place: automaton.name.span,
        });
    }
}

impl Edge<'_> {
    fn raw(&self, clock: &str) -> RawEdge {
        let made = |text: &str| RawText::made(text, self.place);
        let (source, target) = self.ends;
        RawEdge {
            guard: self.guard.and_then(|guard| made(&guard.guard(clock))),
            sync: made(self.label),
            update: self.reset.then(|| format!("{clock} = 0")).and_then(|text| made(&text)),
            ..RawEdge::new(source, target, self.place)
        }
    }
}
