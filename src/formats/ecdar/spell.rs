//! A project as a UPPAAL file.

use std::collections::{BTreeMap, BTreeSet};

use super::super::transcript::{Finding, Mapped, Origin, Transcript};
use super::project::{Component, Edge, Project};
use crate::text::{Diagnostic, Span};

/// The UPPAAL file that says what `project` does.
pub(super) fn spell(project: &Project, findings: &mut Vec<Finding>) -> Transcript {
    let mut out = Transcript::default();
    let start = Origin::of(Span::new(0, 0));
    out.markup("<nta>", start);
    let mut globals = project.globals.clone().unwrap_or_default();
    channels(project, &mut globals, start);
    out.element("<declaration>", &globals, "</declaration>\n", start);
    for component in &project.components {
        template((project, component), &mut out, findings);
    }
    match &project.system {
        Some(system) => out.element("<system>", system, "</system>", start),
        None => {
            let names: Vec<&str> = project
                .components
                .iter()
                .map(|component| component.name.text.trim())
                .collect();
            out.markup(&format!("<system>system {};</system>", names.join(", ")), start);
        }
    }
    out.markup("</nta>", start);
    out
}

/// Declares the channels that nobody declares: Ecdar takes them from the edges and the IO lines.
fn channels(project: &Project, globals: &mut Mapped, origin: Origin) {
    let declared: BTreeSet<String> = words(&globals.text).map(|(word, _)| word.to_owned()).collect();
    let mut used = BTreeMap::<String, ()>::new();
    for component in &project.components {
        let syncs = component.edges.iter().map(|edge| edge.sync.text.clone());
        used.extend(syncs.map(|name| (name, ())));
        used.extend(marked(&component.declarations.text));
    }
    if let Some(system) = &project.system {
        used.extend(marked(&system.text));
    }
    for name in used.into_keys().filter(|name| !declared.contains(name)) {
        globals.whole(&format!("\nbroadcast chan {name};"), origin);
    }
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

/// The words that `?` or `!` follows: the channels of IO lines and alphabet directives.
fn marked(text: &str) -> impl Iterator<Item = (String, ())> {
    let is_line = |line: &&str| line.contains("IO ") || line.contains("tamper:alphabet");
    let relevant = text.lines().any(|line| is_line(&line));
    words(text)
        .filter(move |(word, next)| {
            relevant && matches!(next, Some('?' | '!')) && !word.starts_with(|c: char| c.is_ascii_digit())
        })
        .map(|(word, _)| (word.to_owned(), ()))
}

/// The actions of a component, `a?` or `a!`: those of its edges, of its alphabet directive and of its IO line.
fn actions(project: &Project, component: &Component) -> BTreeSet<String> {
    let mark = |is_input| if is_input { '?' } else { '!' };
    let of_edges = component
        .edges
        .iter()
        .map(|edge| format!("{}{}", edge.sync.text.trim(), mark(edge.is_input)));
    let mut actions: BTreeSet<String> = of_edges.collect();
    let name = component.name.text.trim();
    let directives = component
        .declarations
        .text
        .lines()
        .filter(|line| line.contains("tamper:alphabet"));
    let io = project
        .system
        .iter()
        .flat_map(|system| system.text.split("IO ").skip(1))
        .filter_map(|rest| {
            let (owner, list) = rest.split_once('{')?;
            (owner.trim() == name).then(|| list.split('}').next().unwrap_or_default())
        });
    for list in directives.chain(io) {
        let marked =
            words(list).filter_map(|(word, next)| Some(format!("{word}{}", next.filter(|c| "?!".contains(*c))?)));
        actions.extend(marked);
    }
    actions
}

fn template((project, component): (&Project, &Component), out: &mut Transcript, findings: &mut Vec<Finding>) {
    let origin = |span| Origin {
        file: component.file,
        span,
    };
    let report = |findings: &mut Vec<Finding>, diagnostic| {
        findings.push(Finding {
            file: component.file,
            diagnostic,
        });
    };
    let here = origin(component.place);
    out.markup("<template>", here);
    out.element("<name>", &component.name, "</name>", here);
    out.element("<declaration>", &component.declarations, "</declaration>", here);
    for (number, location) in component.locations.iter().enumerate() {
        let here = origin(location.place);
        let at = location
            .at
            .map_or(String::new(), |(x, y)| format!(" x=\"{x}\" y=\"{y}\""));
        out.markup(&format!("<location id=\"id{number}\"{at}>"), here);
        out.element("<name>", &location.id, "</name>", here);
        out.element("<label kind=\"invariant\">", &location.invariant, "</label>", here);
        out.markup(location.urgency, here);
        out.markup("</location>", here);
    }
    let mut initial = component
        .locations
        .iter()
        .enumerate()
        .filter(|(_, location)| location.initial);
    match initial.next() {
        Some((number, location)) => out.markup(&format!("<init ref=\"id{number}\"/>"), origin(location.place)),
        None => report(
            findings,
            Diagnostic::error("this component has no initial location", component.place)
                .with_help("give one location the type INITIAL"),
        ),
    }
    if let Some((_, second)) = initial.next() {
        let error = Diagnostic::error("a second initial location", second.place);
        report(findings, error.with_help("a component starts in one location"));
    }
    let mut ends = |edge: &Edge| {
        let mut find = |(id, span): &(String, Span)| {
            let found = component.locations.iter().position(|location| location.id.text == *id);
            if found.is_none() {
                let error = Diagnostic::error(format!("there is no location `{id}`"), *span);
                report(findings, error.with_help("name the id of a location of this component"));
            }
            found
        };
        find(&edge.source).zip(find(&edge.target))
    };
    for edge in &component.edges {
        if let Some(ends) = ends(edge) {
            transition(edge, ends, out, origin(edge.place));
        }
    }
    for (number, location) in component
        .locations
        .iter()
        .enumerate()
        .filter(|(_, location)| location.universal)
    {
        for action in actions(project, component) {
            let ends = format!("<source ref=\"id{number}\"/><target ref=\"id{number}\"/>");
            let sync = format!("<label kind=\"synchronisation\">{action}</label>");
            out.markup(
                &format!("<transition>{ends}{sync}</transition>"),
                origin(location.place),
            );
        }
    }
    out.markup("</template>\n", here);
}

fn transition(edge: &Edge, (source, target): (usize, usize), out: &mut Transcript, here: Origin) {
    out.markup(
        &format!("<transition><source ref=\"id{source}\"/><target ref=\"id{target}\"/>"),
        here,
    );
    out.element("<label kind=\"select\">", &edge.select, "</label>", here);
    out.element("<label kind=\"guard\">", &edge.guard, "</label>", here);
    let mut sync = edge.sync.clone();
    sync.whole(if edge.is_input { "?" } else { "!" }, here);
    out.element("<label kind=\"synchronisation\">", &sync, "</label>", here);
    out.element("<label kind=\"assignment\">", &edge.update, "</label>", here);
    for (x, y) in &edge.nails {
        out.markup(&format!("<nail x=\"{x}\" y=\"{y}\"/>"), here);
    }
    out.markup("</transition>", here);
}
