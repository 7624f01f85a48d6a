//! What a `.tck` file declares, as a UPPAAL file.

use std::collections::{BTreeMap, BTreeSet};

use super::super::transcript::{Mapped, Origin, Transcript};
use super::super::uppaal::is_reserved;
use super::expression::{condition, statements};
use super::product::{Product, Step, product, unlisted};
use super::scan::Word;
use super::system::{Edge, Listed, Process, System};
use crate::model::Role;
use crate::text::{Diagnostic, Span};

/// The UPPAAL file that says what `system` does.
pub(super) fn spell(system: &System<'_>, found: &mut Vec<Diagnostic>) -> Transcript {
    let mut out = Transcript::default();
    let start = Origin::of(Span::new(0, 0));
    let alphabet: BTreeMap<&str, Listed<'_>> = system
        .alphabet
        .iter()
        .map(|(event, listed)| (&**event, *listed))
        .collect();
    let is_product = !system.syncs.is_empty();
    let single = system.processes.len() == 1 || is_product;
    out.markup("<nta>", start);
    let mut global = Mapped::default();
    let mut channels = BTreeSet::new();
    for listed in alphabet.values().filter(|listed| listed.role != Role::Internal) {
        if channels.insert(listed.channel) {
            global.whole(&format!("chan {};\n", listed.channel), Origin::of(listed.span));
        }
    }
    if !single {
        variables(system, &mut global);
    }
    out.element("<declaration>", &global, "</declaration>\n", start);
    if is_product {
        together(system, &alphabet, &mut out, found);
        out.markup("</nta>", start);
        return out;
    }
    for process in &system.processes {
        let at = Origin::of(process.name.span);
        out.markup("<template>", at);
        out.element("<name>", &exact(process.name), "</name>", at);
        let mut local = Mapped::default();
        if single {
            own_declarations(system, &alphabet, process.name.span, &mut local);
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

/// What the one game of a file declares.
fn own_declarations(system: &System<'_>, alphabet: &BTreeMap<&str, Listed<'_>>, at: Span, out: &mut Mapped) {
    variables(system, out);
    let mut actions: Vec<String> = Vec::new();
    for action in alphabet.values().map(shown) {
        if !actions.contains(&action) {
            actions.push(action);
        }
    }
    let span = alphabet.values().next().map_or(at, |listed| listed.span);
    out.whole(&format!("// tamper:alphabet {}", actions.join(" ")), Origin::of(span));
}

/// The product of all processes as one template.
fn together(
    system: &System<'_>,
    alphabet: &BTreeMap<&str, Listed<'_>>,
    out: &mut Transcript,
    found: &mut Vec<Diagnostic>,
) {
    for process in &system.processes {
        initial(process, &mut Transcript::default(), found);
    }
    let Some(product) = product(system, found) else { return };
    let span = system.name.map_or(Span::new(0, 0), |name| name.span);
    let at = Origin::of(span);
    let mut taken = BTreeSet::new();
    let name = fresh(system.name.map_or("System", |name| name.text), &mut taken);
    out.markup(&format!("<template><name>{name}</name>"), at);
    let mut local = Mapped::default();
    own_declarations(system, alphabet, span, &mut local);
    out.element("<declaration>", &local, "</declaration>", at);
    locations(system, &product, out, found);
    out.markup("<init ref=\"id0\"/>", at);
    for step in &product.edges {
        synchronised(system, step, out, found);
    }
    out.markup(&format!("</template>\n<system>system {name};</system>"), at);
}

/// A name that UPPAAL takes, as like `text` as can be and not one of those `taken`, to which it comes.
fn fresh(text: &str, taken: &mut BTreeSet<String>) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut name: String = text.chars().map(letter).collect();
    while is_reserved(&name) || !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}

fn locations(system: &System<'_>, product: &Product<'_>, out: &mut Transcript, found: &mut Vec<Diagnostic>) {
    let mut taken = BTreeSet::new();
    for (position, places) in product.locations.iter().enumerate() {
        let parts: Vec<_> = system
            .processes
            .iter()
            .zip(places)
            .map(|(process, at)| &process.locations[*at])
            .collect();
        let at = Origin::of(parts[0].name.span);
        let names: Vec<&str> = parts.iter().map(|location| location.name.text).collect();
        out.markup(
            &format!(
                "<location id=\"id{position}\"><name>{}</name>",
                fresh(&names.join("_"), &mut taken)
            ),
            at,
        );
        let invariants = parts.iter().filter_map(|location| location.invariant);
        let text = conjunction(invariants.map(|word| (condition(word, found), word.span)));
        out.element("<label kind=\"invariant\">", &text, "</label>", at);
        if parts.iter().any(|location| location.urgent) {
            out.markup("<urgent/>", at);
        }
        if parts.iter().any(|location| location.committed) {
            out.markup("<committed/>", at);
        }
        out.markup("</location>", at);
    }
}

/// Texts in brackets with `&&` between them.
fn conjunction(parts: impl Iterator<Item = (Mapped, Span)>) -> Mapped {
    let mut all = Mapped::default();
    for (text, span) in parts.filter(|(text, _)| !text.text.trim().is_empty()) {
        all.whole(if all.text.is_empty() { "(" } else { " && (" }, Origin::of(span));
        all.append(&text);
        all.whole(")", Origin::of(span));
    }
    all
}

fn synchronised(system: &System<'_>, step: &Step<'_>, out: &mut Transcript, found: &mut Vec<Diagnostic>) {
    let parts: Vec<&Edge<'_>> = step
        .parts
        .iter()
        .map(|(process, edge)| &system.processes[*process].edges[*edge])
        .collect();
    let at = Origin::of(parts[0].span);
    let (source, target) = step.ends;
    out.markup(
        &format!("<transition><source ref=\"id{source}\"/><target ref=\"id{target}\"/>"),
        at,
    );
    let guards = parts.iter().filter_map(|edge| edge.guard);
    let text = conjunction(guards.map(|word| (condition(word, found), word.span)));
    out.element("<label kind=\"guard\">", &text, "</label>", at);
    if step.listed.role != Role::Internal {
        let mut text = Mapped::default();
        text.whole(&shown(&step.listed), Origin::of(parts[0].event.span));
        out.element("<label kind=\"synchronisation\">", &text, "</label>", at);
    }
    let mut updates = Mapped::default();
    for word in parts.iter().filter_map(|edge| edge.update) {
        let own = statements(word, found);
        if !updates.text.is_empty() && !own.text.is_empty() {
            updates.whole(", ", Origin::of(word.span));
        }
        updates.append(&own);
    }
    out.element("<label kind=\"assignment\">", &updates, "</label>", at);
    out.markup("</transition>", at);
}

fn exact(word: Word<'_>) -> Mapped {
    let mut mapped = Mapped::default();
    mapped.exact(word.text, Origin::of(word.span));
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
        out.whole("clock ", Origin::of(clock.span));
        out.exact(clock.text, Origin::of(clock.span));
        out.whole(";\n", Origin::of(clock.span));
    }
    for int in &system.ints {
        let at = Origin::of(int.name.span);
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
        let at = Origin::of(location.name.span);
        out.markup(&format!("<location id=\"id{position}\">"), at);
        out.element("<name>", &exact(location.name), "</name>", at);
        if let Some(invariant) = location.invariant {
            let text = condition(invariant, found);
            out.element(
                "<label kind=\"invariant\">",
                &text,
                "</label>",
                Origin::of(invariant.span),
            );
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
    out.markup(&format!("<init ref=\"id{position}\"/>"), Origin::of(first));
}

fn transition(
    edge: &Edge<'_>,
    alphabet: &BTreeMap<&str, Listed<'_>>,
    out: &mut Transcript,
    found: &mut Vec<Diagnostic>,
) {
    let at = Origin::of(edge.span);
    let (source, target) = edge.ends;
    out.markup(
        &format!("<transition><source ref=\"id{source}\"/><target ref=\"id{target}\"/>"),
        at,
    );
    if let Some(guard) = edge.guard {
        let text = condition(guard, found);
        out.element("<label kind=\"guard\">", &text, "</label>", Origin::of(guard.span));
    }
    match alphabet.get(edge.event.text) {
        Some(listed) if listed.role == Role::Internal => {}
        Some(listed) => {
            let mut text = Mapped::default();
            text.whole(&shown(listed), Origin::of(edge.event.span));
            out.element("<label kind=\"synchronisation\">", &text, "</label>", at);
        }
        None => found.push(unlisted(edge.event.text, edge.event.span)),
    }
    if let Some(update) = edge.update {
        let text = statements(update, found);
        out.element(
            "<label kind=\"assignment\">",
            &text,
            "</label>",
            Origin::of(update.span),
        );
    }
    out.markup("</transition>", at);
}
