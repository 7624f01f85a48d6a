//! An automaton as a UPPAAL file.

use std::collections::BTreeSet;

use super::super::transcript::{Mapped, Origin, Transcript};
use super::super::uppaal::is_reserved;
use super::automaton::{ACCEPT, OneClock};
use super::interval::{Interval, rest};
use crate::text::Span;

/// An edge of the game.
struct Edge<'a> {
    ends: (usize, usize),
    guard: Option<Interval>,
    /// `push?`
    label: &'a str,
    reset: bool,
    origin: Origin,
}

/// The UPPAAL file that says what `automaton` accepts.
pub(super) fn spell(automaton: &OneClock) -> Transcript {
    let mut out = Transcript::default();
    let start = Origin::of(automaton.name.span);
    let inputs: Vec<String> = automaton
        .actions
        .iter()
        .map(|action| format!("{}?", action.text))
        .collect();
    let missing = missing(automaton);
    let mut taken: BTreeSet<String> = automaton.actions.iter().map(|action| action.text.clone()).collect();
    taken.insert(ACCEPT.to_owned());
    let name = fresh(&automaton.name.text, &mut taken.clone());
    out.markup("<nta>", start);
    out.element("<declaration>", &channels(automaton), "</declaration>\n", start);
    out.markup(&format!("<template><name>{name}</name>"), start);
    let mut locations: Vec<(String, Span)> = Vec::new();
    for location in &automaton.locations {
        locations.push((fresh(&location.text, &mut taken), location.span));
    }
    if !missing.is_empty() {
        locations.push((fresh("sink", &mut taken), automaton.name.span));
    }
    let clock = fresh("x", &mut taken);
    let mut local = Mapped::default();
    let alphabet = inputs.join(" ");
    local.whole(
        &format!("clock {clock};\n// tamper:alphabet {alphabet} {ACCEPT}!"),
        start,
    );
    out.element("<declaration>", &local, "</declaration>", start);
    for (at, (name, place)) in locations.iter().enumerate() {
        out.markup(
            &format!("<location id=\"id{at}\"><name>{name}</name></location>"),
            Origin::of(*place),
        );
    }
    out.markup(&format!("<init ref=\"id{}\"/>", automaton.initial), start);
    edges(automaton, &missing, &inputs, |edge| transition(&edge, &clock, &mut out));
    out.markup(&format!("</template>\n<system>system {name};</system></nta>"), start);
    out
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

fn channels(automaton: &OneClock) -> Mapped {
    let mut out = Mapped::default();
    for action in &automaton.actions {
        out.whole(&format!("chan {};\n", action.text), Origin::of(action.span));
    }
    out.whole(&format!("chan {ACCEPT};\n"), Origin::of(automaton.name.span));
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
                origin: Origin::of(transition.place),
            });
        }
    }
    for location in &automaton.accepting {
        write(Edge {
            ends: (*location, *location),
            guard: None,
            label: &format!("{ACCEPT}!"),
            reset: false,
            origin: Origin::of(automaton.locations[*location].span),
        });
    }
    let sink = automaton.locations.len();
    for (location, action, gap) in missing {
        write(Edge {
            ends: (*location, sink),
            guard: Some(*gap),
            label: &inputs[*action],
            reset: true,
            origin: Origin::of(automaton.locations[*location].span),
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
            origin: Origin::of(automaton.name.span),
        });
    }
}

fn transition(edge: &Edge<'_>, clock: &str, out: &mut Transcript) {
    let at = edge.origin;
    let (source, target) = edge.ends;
    out.markup(
        &format!("<transition><source ref=\"id{source}\"/><target ref=\"id{target}\"/>"),
        at,
    );
    let mut guard = Mapped::default();
    guard.whole(&edge.guard.map_or(String::new(), |guard| guard.guard(clock)), at);
    out.element("<label kind=\"guard\">", &guard, "</label>", at);
    out.markup(&format!("<label kind=\"synchronisation\">{}</label>", edge.label), at);
    if edge.reset {
        out.markup(&format!("<label kind=\"assignment\">{clock} = 0</label>"), at);
    }
    out.markup("</transition>", at);
}
