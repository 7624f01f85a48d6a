//! What a `.tck` file declares, as a UPPAAL file.

use std::collections::{BTreeMap, BTreeSet};

use super::super::transcript::{Mapped, Origin, Transcript};
use super::expression::{condition, statements};
use super::read::{Edge, Listed, Process, System};
use super::scan::Word;
use crate::base::{Diagnostic, Span};
use crate::model::Role;

/// The UPPAAL file that says what `system` does.
pub(super) fn spell(system: &System<'_>, found: &mut Vec<Diagnostic>) -> Transcript {
    let mut out = Transcript::default();
    let start = origin(Span::new(0, 0));
    let alphabet: BTreeMap<&str, Listed<'_>> = system
        .alphabet
        .iter()
        .map(|(event, listed)| (&**event, *listed))
        .collect();
    let single = system.processes.len() == 1;
    out.markup("<nta>", start);
    let mut global = Mapped::default();
    let mut channels = BTreeSet::new();
    for listed in alphabet.values().filter(|listed| listed.role != Role::Internal) {
        if channels.insert(listed.channel) {
            global.whole(&format!("chan {};\n", listed.channel), origin(listed.span));
        }
    }
    if !single {
        variables(system, &mut global);
    }
    out.element("<declaration>", &global, "</declaration>\n", start);
    for process in &system.processes {
        let at = origin(process.name.span);
        out.markup("<template>", at);
        out.element("<name>", &exact(process.name), "</name>", at);
        let mut local = Mapped::default();
        if single {
            variables(system, &mut local);
            let actions: Vec<String> = alphabet.values().map(shown).collect();
            let span = alphabet.values().next().map_or(process.name.span, |listed| listed.span);
            local.whole(&format!("// tamper:alphabet {}", actions.join(" ")), origin(span));
        }
        out.element("<declaration>", &local, "</declaration>", at);
        parts(process, &alphabet, &mut out, found);
        out.markup("</template>\n", at);
    }
    let names: Vec<&str> = system.processes.iter().map(|process| process.name.text).collect();
    if !names.is_empty() {
        out.markup(&format!("<system>system {};</system>", names.join(", ")), start);
    }
    out.markup("</nta>", start);
    out
}

fn origin(span: Span) -> Origin {
    Origin { file: 0, span }
}

fn exact(word: Word<'_>) -> Mapped {
    let mut mapped = Mapped::default();
    mapped.exact(word.text, origin(word.span));
    mapped
}

fn shown(listed: &Listed<'_>) -> String {
    match listed.role {
        Role::Input => format!("{}?", listed.channel),
        Role::Output => format!("{}!", listed.channel),
        Role::Internal => "tau".to_owned(),
    }
}

fn variables(system: &System<'_>, out: &mut Mapped) {
    for clock in &system.clocks {
        out.whole("clock ", origin(clock.span));
        out.exact(clock.text, origin(clock.span));
        out.whole(";\n", origin(clock.span));
    }
    for int in &system.ints {
        let at = origin(int.name.span);
        out.whole(&format!("int[{},{}] ", number(int.low), number(int.high)), at);
        out.exact(int.name.text, at);
        out.whole(&format!(" = {};\n", number(int.initial)), at);
    }
}

/// No part of the spelling leaves 32 bits.
fn number(value: i32) -> String {
    match value {
        i32::MIN => format!("(-{} - 1)", i32::MAX),
        value => value.to_string(),
    }
}

fn parts(
    process: &Process<'_>,
    alphabet: &BTreeMap<&str, Listed<'_>>,
    out: &mut Transcript,
    found: &mut Vec<Diagnostic>,
) {
    for (position, location) in process.locations.iter().enumerate() {
        let at = origin(location.name.span);
        out.markup(&format!("<location id=\"id{position}\">"), at);
        out.element("<name>", &exact(location.name), "</name>", at);
        if let Some(invariant) = location.invariant {
            let text = condition(invariant, found);
            out.element("<label kind=\"invariant\">", &text, "</label>", origin(invariant.span));
        }
        if location.urgent {
            out.markup("<urgent/>", at);
        }
        if location.committed {
            out.markup("<committed/>", at);
        }
        out.markup("</location>", at);
    }
    initial(process, out, found);
    for edge in &process.edges {
        transition(edge, alphabet, out, found);
    }
}

fn initial(process: &Process<'_>, out: &mut Transcript, found: &mut Vec<Diagnostic>) {
    let marked = process.locations.iter().enumerate();
    let mut marked = marked.filter_map(|(position, location)| Some((position, location.initial?)));
    let at = process.name.span;
    let Some((position, first)) = marked.next() else {
        let error = Diagnostic::error(
            format!("the process `{}` has no initial location", process.name.text),
            at,
        );
        return found.push(error.with_help("mark one: `location:P:idle{initial:}`"));
    };
    if let Some((_, second)) = marked.next() {
        let error = Diagnostic::error("a second initial location is not supported", second);
        found.push(
            error
                .with_secondary(first, "the first one")
                .with_help("start in one location that leads to both"),
        );
    }
    out.markup(&format!("<init ref=\"id{position}\"/>"), origin(first));
}

fn transition(
    edge: &Edge<'_>,
    alphabet: &BTreeMap<&str, Listed<'_>>,
    out: &mut Transcript,
    found: &mut Vec<Diagnostic>,
) {
    let at = origin(edge.span);
    let (source, target) = edge.ends;
    out.markup(
        &format!("<transition><source ref=\"id{source}\"/><target ref=\"id{target}\"/>"),
        at,
    );
    if let Some(guard) = edge.guard {
        let text = condition(guard, found);
        out.element("<label kind=\"guard\">", &text, "</label>", origin(guard.span));
    }
    match alphabet.get(edge.event.text) {
        Some(listed) if listed.role == Role::Internal => {}
        Some(listed) => {
            let mut text = Mapped::default();
            text.whole(&shown(listed), origin(edge.event.span));
            out.element("<label kind=\"synchronisation\">", &text, "</label>", at);
        }
        None => {
            let message = format!(
                "it is not said whether the event `{}` is an input or an output",
                edge.event.text
            );
            let help = format!(
                "add a comment line `# tamper:alphabet {0}?` (input), `{0}!` (output) or",
                edge.event.text
            );
            let help = format!("{help} `{0}=tau` (internal); list all events in it", edge.event.text);
            found.push(Diagnostic::error(message, edge.event.span).with_help(help));
        }
    }
    if let Some(update) = edge.update {
        let text = statements(update, found);
        out.element("<label kind=\"assignment\">", &text, "</label>", origin(update.span));
    }
    out.markup("</transition>", at);
}
