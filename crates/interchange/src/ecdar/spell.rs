//! A project as the parts of a UPPAAL file.

use std::collections::{BTreeMap, BTreeSet};

use super::project::{Edge, Location, Project, ProjectComponent};
use super::run::{IoLine, io_lines, without_comments};
use tamper_text::{Diagnostic, Span, Text};
use tamper_timed::model::Urgency;
use tamper_uppaal::{RawEdge, RawFile, RawLocation, RawTemplate, RawText, location_id};

/// The IO lines of each component, by its name.
type IoLines<'l> = BTreeMap<&'l str, Vec<&'l IoLine>>;

/// The parts of a UPPAAL file that is equivalent to `project`.
pub(super) fn spell(project: &Project, found: &mut Vec<Diagnostic>) -> RawFile {
    let start = Span::new(0, 0);
    let mut globals = project.globals.clone().unwrap_or_default();
    channels(project, &mut globals, start);
    let mut system = project.system.clone().unwrap_or_else(|| {
        let names = project.components.iter().map(|component| component.name.decoded.trim());
        let names: Vec<&str> = names.collect();
        let mut text = Text::default();
        text.whole(&format!("system {};", names.join(", ")), start);
        text
    });
    let lines = io_lines(&system.decoded);
    let mut io = IoLines::new();
    for line in &lines {
        io.entry(&line.1).or_default().push(line);
    }
    // The names of instances differ from the names of components.
    if !without_comments(&system.decoded).contains('=') {
        declare_actions(&project.components, &io, &mut system, found);
    }
    let components = project.components.iter();
    RawFile {
        declaration: RawText::of(globals, start),
        templates: components.map(|component| template(component, &io, found)).collect(),
        system: RawText::of(system, start),
        are_games: true,
        ..RawFile::default()
    }
}

/// Declares the undeclared channels: Ecdar takes them from the edges and the IO lines.
fn channels(project: &Project, globals: &mut Text, place: Span) {
    let declared: BTreeSet<String> = words(&globals.decoded).map(|(word, _)| word.to_owned()).collect();
    let mut used = BTreeSet::<String>::new();
    for component in &project.components {
        used.extend(component.edges.iter().map(|edge| edge.sync.decoded.clone()));
        used.extend(marked(&component.declarations.decoded));
    }
    if let Some(system) = &project.system {
        used.extend(marked(&system.decoded));
    }
    for name in used.into_iter().filter(|name| !declared.contains(name)) {
        globals.whole(&format!("\nbroadcast chan {name};"), place);
    }
}

/// Adds missing actions to the IO lines of components, and missing IO lines: the engines take a component's actions
/// from its edges, too, and ignore its inputs. A component with an alphabet directive and no IO line is left alone: its
/// directive is complete.
fn declare_actions(components: &[ProjectComponent], io: &IoLines<'_>, system: &mut Text, found: &mut Vec<Diagnostic>) {
    // By position of insertion.
    let mut more: Vec<(usize, String, Span)> = Vec::new();
    for component in components {
        let name = component.name.decoded.trim();
        let line = io.get(name).and_then(|lines| lines.first());
        if line.is_none() && component.declarations.decoded.contains("tamper:alphabet") {
            continue;
        }
        let mut lacking = of_edges(component);
        let Some((range, _, list)) = line else {
            let actions: Vec<String> = lacking.into_iter().collect();
            let line = format!("\nIO {name} {{ {} }}", actions.join(", "));
            more.push((system.decoded.len(), line, component.place));
            continue;
        };
        for action in marks(list) {
            lacking.remove(&action);
        }
        if lacking.is_empty() {
            continue;
        }
        let place = system.span(range.start, range.end);
        let actions: Vec<String> = lacking.into_iter().collect();
        let message = format!("`{name}` has edges for {}, which its IO line lacks", actions.join(", "));
        found.push(
            Diagnostic::warning(message, place)
                .with_help("they are taken for actions of it, as by the Ecdar engines: add them"),
        );
        let comma = if list.trim().is_empty() { "" } else { ", " };
        more.push((range.end - 1, format!("{comma}{}", actions.join(", ")), place));
    }
    more.sort_by_key(|(at, _, _)| *at);
    let (mut whole, mut from) = (Text::within(system.content), 0);
    for (at, actions, place) in more {
        whole.append(&system.slice(from..at));
        whole.whole(&actions, place);
        from = at;
    }
    whole.append(&system.slice(from..system.decoded.len()));
    *system = whole;
}

/// The actions of a component's edges.
fn of_edges(component: &ProjectComponent) -> BTreeSet<String> {
    let mark = |is_input| if is_input { '?' } else { '!' };
    let edges = component.edges.iter();
    edges
        .map(|edge| format!("{}{}", edge.sync.decoded.trim(), mark(edge.is_input)))
        .collect()
}

/// The actions in a list.
fn marks(list: &str) -> impl Iterator<Item = String> {
    words(list).filter_map(|(word, next)| Some(format!("{word}{}", next.filter(|c| "?!".contains(*c))?)))
}

/// The words of `text`, each with the character behind it.
fn words(text: &str) -> impl Iterator<Item = (&str, Option<char>)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_word)?;
        let end = start + text[start..].find(|c| !is_word(c)).unwrap_or(text.len() - start);
        at = end;
        Some((&text[start..end], text[end..].chars().next()))
    })
}

/// The words followed by `?` or `!`: the channels of IO lines and alphabet directives.
fn marked(text: &str) -> impl Iterator<Item = String> {
    let is_line = |line: &&str| line.contains("IO ") || line.contains("tamper:alphabet");
    let relevant = text.lines().any(|line| is_line(&line));
    words(text)
        .filter(move |(word, next)| {
            relevant && matches!(next, Some('?' | '!')) && !word.starts_with(|c: char| c.is_ascii_digit())
        })
        .map(|(word, _)| word.to_owned())
}

/// The actions of a component, `a?` or `a!`: the actions of its edges, of its alphabet directive and of its IO lines.
fn actions(component: &ProjectComponent, io: &IoLines<'_>) -> BTreeSet<String> {
    let mut actions = of_edges(component);
    let directives = component.declarations.decoded.lines();
    let directives = directives.filter(|line| line.contains("tamper:alphabet"));
    directives.for_each(|list| actions.extend(marks(list)));
    let own = io.get(component.name.decoded.trim()).into_iter().flatten();
    own.for_each(|(_, _, list)| actions.extend(marks(list)));
    actions
}

fn template(component: &ProjectComponent, io: &IoLines<'_>, found: &mut Vec<Diagnostic>) -> RawTemplate {
    let place = component.place;
    let positions = component.edges.iter().filter_map(|edge| {
        let source = position(component, &edge.source.0, edge.source.1, found);
        let target = position(component, &edge.target.0, edge.target.1, found);
        Some((edge, source?, target?))
    });
    let mut edges: Vec<RawEdge> = positions
        .map(|(edge, source, target)| raw_edge(edge, source, target))
        .collect();
    for (at, location) in component
        .locations
        .iter()
        .enumerate()
        .filter(|(_, location)| location.universal)
    {
        let loops = actions(component, io).into_iter().map(|action| RawEdge {
            sync: RawText::made(&action, location.place),
            ..RawEdge::new(at, at, location.place)
        });
        edges.extend(loops);
    }
    let locations = component.locations.iter().enumerate();
    RawTemplate {
        declaration: RawText::of(component.declarations.clone(), place),
        locations: locations.map(|(at, location)| raw_location(at, location)).collect(),
        init: initial(component, found),
        edges,
        ..RawTemplate::new(RawText::of(component.name.clone(), place), place)
    }
}

fn raw_location(at: usize, location: &Location) -> RawLocation {
    let place = location.place;
    RawLocation {
        invariant: RawText::of(location.invariant.clone(), place),
        urgent: location.urgency == Urgency::Urgent,
        committed: location.urgency == Urgency::Committed,
        at: location.at,
        ..RawLocation::new(at, RawText::of(location.id.clone(), place), place)
    }
}

fn initial(component: &ProjectComponent, found: &mut Vec<Diagnostic>) -> Option<(String, Span)> {
    let locations = component.locations.iter().enumerate();
    let mut initial = locations.filter(|(_, location)| location.initial);
    let first = initial.next().map(|(at, location)| (location_id(at), location.place));
    if first.is_none() {
        let error = Diagnostic::error("this component has no initial location", component.place);
        found.push(error.with_help("give one location the type INITIAL"));
    }
    if let Some((_, second)) = initial.next() {
        let error = Diagnostic::error("a second initial location", second.place);
        found.push(error.with_help("a component starts in one location"));
    }
    first
}

/// The position of the location that an edge names.
fn position(component: &ProjectComponent, id: &str, span: Span, found: &mut Vec<Diagnostic>) -> Option<usize> {
    let mut locations = component.locations.iter();
    let position = locations.position(|location| location.id.decoded == id);
    if position.is_none() {
        let error = Diagnostic::error(format!("there is no location `{id}`"), span);
        found.push(error.with_help("name the id of a location of this component"));
    }
    position
}

fn raw_edge(edge: &Edge, source: usize, target: usize) -> RawEdge {
    let place = edge.place;
    let label = |text: &Text| RawText::of(text.clone(), place);
    let mut sync = edge.sync.clone();
    sync.whole(if edge.is_input { "?" } else { "!" }, place);
    RawEdge {
        select: label(&edge.select),
        guard: label(&edge.guard),
        sync: label(&sync),
        update: label(&edge.update),
        nails: edge.nails.clone(),
        ..RawEdge::new(source, target, place)
    }
}
