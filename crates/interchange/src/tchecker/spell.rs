//! The declarations of a `.tck` file as the parts of a UPPAAL file.

use std::collections::{BTreeMap, BTreeSet};

use super::actions::unlisted;
use super::expression::{condition, statements};
use super::product::{ProductEdge, SystemProduct, product};
use super::system::{AlphabetEntry, Process, System, TcheckerEdge, TcheckerLocation};
use tamper_text::{Diagnostic, Piece, Span, Text};
use tamper_timed::model::Role;
use tamper_uppaal::{RawEdge, RawFile, RawLocation, RawTemplate, RawText, is_reserved, location_id};

/// The parts of a UPPAAL file that is equivalent to `system`.
pub(super) fn spell(system: &System<'_>, found: &mut Vec<Diagnostic>) -> RawFile {
    let alphabet = system.alphabet.iter().map(|(event, listed)| (&**event, *listed));
    let alphabet: BTreeMap<&str, AlphabetEntry<'_>> = alphabet.collect();
    let is_product = !system.syncs.is_empty();
    let single = system.processes.len() == 1 || is_product;
    let start = Span::new(0, 0);
    let mut global = Text::default();
    let mut channels = BTreeSet::new();
    for listed in alphabet.values().filter(|listed| listed.role != Role::Internal) {
        if channels.insert(listed.channel) {
            global.whole(&format!("chan {};\n", listed.channel), listed.span);
        }
    }
    if !single {
        variables(system, &mut global);
    }
    let mut raw = RawFile {
        declaration: RawText::of(global, start),
        ..RawFile::default()
    };
    if is_product {
        together(system, &alphabet, &mut raw, found);
        return raw;
    }
    for process in &system.processes {
        let place = process.name.span;
        let declarations = single.then(|| own_declarations(system, &alphabet, place));
        raw.templates.push(RawTemplate {
            declaration: declarations.and_then(|text| RawText::of(text, place)),
            ..template(process, edges(process, &alphabet, found), found)
        });
    }
    raw.system = system_line(system);
    raw
}

/// The parts of a UPPAAL file with the processes of `system`; `channels` maps each event to its channel. The
/// synchronisation vectors are not included, since UPPAAL cannot express them.
pub(super) fn spell_network(
    system: &System<'_>,
    channels: &BTreeMap<&str, String>,
    found: &mut Vec<Diagnostic>,
) -> RawFile {
    let start = Span::new(0, 0);
    let mut global = Text::default();
    for (event, channel) in channels {
        let span = system.events.get(event).copied().unwrap_or(start);
        global.whole(&format!("chan {channel};\n"), span);
    }
    variables(system, &mut global);
    let label = |event: Piece<'_>, _: &mut Vec<Diagnostic>| {
        let channel = channels.get(event.text)?;
        RawText::made(&format!("{channel}!"), event.span)
    };
    let templates = system.processes.iter();
    RawFile {
        declaration: RawText::of(global, start),
        templates: templates
            .map(|process| template(process, labelled(process, found, label), found))
            .collect(),
        system: system_line(system),
        ..RawFile::default()
    }
}

fn template(process: &Process<'_>, edges: Vec<RawEdge>, found: &mut Vec<Diagnostic>) -> RawTemplate {
    let place = process.name.span;
    RawTemplate {
        locations: locations(process, found),
        init: initial(process, found),
        edges,
        ..RawTemplate::new(RawText::of(process.name, place), place)
    }
}

fn system_line(system: &System<'_>) -> Option<RawText> {
    let names: Vec<&str> = system.processes.iter().map(|process| process.name.text).collect();
    let line = (!names.is_empty()).then(|| format!("system {};", names.join(", ")))?;
    RawText::made(&line, Span::new(0, 0))
}

/// The declarations of the only game of a file.
fn own_declarations(system: &System<'_>, alphabet: &BTreeMap<&str, AlphabetEntry<'_>>, at: Span) -> Text {
    let mut out = Text::default();
    variables(system, &mut out);
    let mut actions: Vec<String> = Vec::new();
    for action in alphabet.values().map(shown) {
        if !actions.contains(&action) {
            actions.push(action);
        }
    }
    let span = alphabet.values().next().map_or(at, |listed| listed.span);
    out.whole(&format!("// tamper:alphabet {}", actions.join(" ")), span);
    out
}

/// The product of all processes as one template.
fn together(
    system: &System<'_>,
    alphabet: &BTreeMap<&str, AlphabetEntry<'_>>,
    raw: &mut RawFile,
    found: &mut Vec<Diagnostic>,
) {
    for process in &system.processes {
        initial(process, found);
    }
    let Some(product) = product(system, found) else { return };
    let place = system.name.map_or(Span::new(0, 0), |name| name.span);
    let name = fresh(system.name.map_or("System", |name| name.text), &mut BTreeSet::new());
    let declarations = own_declarations(system, alphabet, place);
    let steps = product.edges.iter();
    raw.templates.push(RawTemplate {
        declaration: RawText::of(declarations, place),
        locations: joint_locations(system, &product, found),
        init: Some((location_id(0), place)),
        edges: steps.map(|step| synchronised(system, step, found)).collect(),
        ..RawTemplate::new(RawText::made(&name, place), place)
    });
    raw.system = RawText::made(&format!("system {name};"), place);
}

/// A name that UPPAAL accepts, as similar to `text` as possible and not in `taken`, to which it is added.
pub(crate) fn fresh(text: &str, taken: &mut BTreeSet<String>) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut name: String = text.chars().map(letter).collect();
    while is_reserved(&name) || !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}

fn joint_locations(system: &System<'_>, product: &SystemProduct<'_>, found: &mut Vec<Diagnostic>) -> Vec<RawLocation> {
    let mut taken = BTreeSet::new();
    let mut joint = |position: usize, places: &[usize]| {
        let parts = system.processes.iter().zip(places);
        let parts: Vec<&TcheckerLocation<'_>> = parts.map(|(process, at)| &process.locations[*at]).collect();
        let place = parts[0].name.span;
        let names: Vec<&str> = parts.iter().map(|location| location.name.text).collect();
        let name = fresh(&names.join("_"), &mut taken);
        let invariants = parts.iter().filter_map(|location| location.invariant);
        let invariant = conjunction(invariants.map(|word| (condition(word, found), word.span)));
        RawLocation {
            invariant: RawText::of(invariant, place),
            urgent: parts.iter().any(|location| location.urgent),
            committed: parts.iter().any(|location| location.committed),
            ..RawLocation::new(position, RawText::made(&name, place), place)
        }
    };
    let locations = product.locations.iter().enumerate();
    locations.map(|(position, places)| joint(position, places)).collect()
}

/// Texts in brackets, joined by `&&`.
fn conjunction(parts: impl Iterator<Item = (Text, Span)>) -> Text {
    let mut all = Text::default();
    for (text, span) in parts.filter(|(text, _)| !text.is_blank()) {
        all.whole(if all.decoded.is_empty() { "(" } else { " && (" }, span);
        all.append(&text);
        all.whole(")", span);
    }
    all
}

fn synchronised(system: &System<'_>, step: &ProductEdge<'_>, found: &mut Vec<Diagnostic>) -> RawEdge {
    let parts = step.parts.iter();
    let parts: Vec<&TcheckerEdge<'_>> = parts
        .map(|(process, edge)| &system.processes[*process].edges[*edge])
        .collect();
    let place = parts[0].span;
    let guards = parts.iter().filter_map(|edge| edge.guard);
    let guard = conjunction(guards.map(|word| (condition(word, found), word.span)));
    let mut updates = Text::default();
    for word in parts.iter().filter_map(|edge| edge.update) {
        let own = statements(word, found);
        if !updates.decoded.is_empty() && !own.decoded.is_empty() {
            updates.whole(", ", word.span);
        }
        updates.append(&own);
    }
    let (source, target) = step.ends;
    RawEdge {
        guard: RawText::of(guard, place),
        sync: label(&step.listed, parts[0].event.span),
        update: RawText::of(updates, place),
        ..RawEdge::new(source, target, place)
    }
}

/// The label of an edge whose event is at `place`.
fn label(listed: &AlphabetEntry<'_>, place: Span) -> Option<RawText> {
    match listed.role {
        Role::Internal => None,
        Role::Input | Role::Output => RawText::made(&shown(listed), place),
    }
}

fn shown(listed: &AlphabetEntry<'_>) -> String {
    match listed.role {
        Role::Input => format!("{}?", listed.channel),
        Role::Output => format!("{}!", listed.channel),
        Role::Internal => "tau".to_owned(),
    }
}

fn variables(system: &System<'_>, out: &mut Text) {
    for clock in &system.clocks {
        out.whole("clock ", clock.span);
        out.append(&Text::from(*clock));
        out.whole(";\n", clock.span);
    }
    for int in &system.ints {
        let at = int.name.span;
        out.whole(&format!("int[{},{}] ", number(int.low), number(int.high)), at);
        out.append(&Text::from(int.name));
        out.whole(&format!(" = {};\n", number(int.initial)), at);
    }
}

/// No part of the spelled expression exceeds 32 bits.
fn number(value: i32) -> String {
    match value {
        i32::MIN => format!("(-{} - 1)", i32::MAX),
        value => value.to_string(),
    }
}

fn locations(process: &Process<'_>, found: &mut Vec<Diagnostic>) -> Vec<RawLocation> {
    let mut read = |word: Piece<'_>| RawText::of(condition(word, found), word.span);
    let locations = process.locations.iter().enumerate();
    let locations = locations.map(|(position, location)| RawLocation {
        invariant: location.invariant.and_then(&mut read),
        urgent: location.urgent,
        committed: location.committed,
        ..RawLocation::new(
            position,
            RawText::of(location.name, location.name.span),
            location.name.span,
        )
    });
    locations.collect()
}

fn initial(process: &Process<'_>, found: &mut Vec<Diagnostic>) -> Option<(String, Span)> {
    let marked = process.locations.iter().enumerate();
    let mut marked = marked.filter_map(|(position, location)| Some((position, location.initial?)));
    let at = process.name.span;
    let Some((position, first)) = marked.next() else {
        let error = Diagnostic::error(
            format!("the process `{}` has no initial location", process.name.text),
            at,
        );
        found.push(error.with_help("mark one: `location:P:idle{initial:}`"));
        return None;
    };
    if let Some((_, second)) = marked.next() {
        let error = Diagnostic::error("a second initial location is not supported", second);
        found.push(
            error
                .with_secondary(first, "the first one")
                .with_help("start in one location that leads to both"),
        );
    }
    Some((location_id(position), first))
}

fn edges(
    process: &Process<'_>,
    alphabet: &BTreeMap<&str, AlphabetEntry<'_>>,
    found: &mut Vec<Diagnostic>,
) -> Vec<RawEdge> {
    labelled(process, found, |event, found| {
        let listed = alphabet.get(event.text);
        if listed.is_none() {
            found.push(unlisted(event.text, event.span));
        }
        label(listed?, event.span)
    })
}

/// The edges of a process, each with the label that `label` makes of its event.
fn labelled(
    process: &Process<'_>,
    found: &mut Vec<Diagnostic>,
    label: impl Fn(Piece<'_>, &mut Vec<Diagnostic>) -> Option<RawText>,
) -> Vec<RawEdge> {
    let mut edge = |edge: &TcheckerEdge<'_>| {
        let (source, target) = edge.ends;
        let guard = edge.guard.map(|word| (condition(word, found), word.span));
        let update = edge.update.map(|word| (statements(word, found), word.span));
        RawEdge {
            guard: guard.and_then(|(text, place)| RawText::of(text, place)),
            sync: label(edge.event, found),
            update: update.and_then(|(text, place)| RawText::of(text, place)),
            ..RawEdge::new(source, target, edge.span)
        }
    };
    process.edges.iter().map(&mut edge).collect()
}
