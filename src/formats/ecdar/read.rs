//! The files of an Ecdar project to its games.

use super::super::decode::decode;
use super::super::json::{Fields, parse};
use super::super::transcript::{Finding, Mapped, Origin, first_file};
use super::super::uppaal::{Document, ReadError, ReadOptions};
use super::project::{Component, Edge, Location, Project};
use super::spell::spell;
use crate::text::{Diagnostic, Severity, SourceFile};

/// The games of a project, and the warnings about each of its files.
type ReadProject = (Document, Vec<(SourceFile, Vec<Diagnostic>)>);

/// The games in `files`, names and contents: `SystemDeclarations.json`, `GlobalDeclarations.json` (by their names) and
/// components. Gives the warnings about each file, too. The games are held as the UPPAAL file that says the same.
///
/// # Errors
/// What is wrong in the first file in which something is.
pub fn read_ecdar(files: &[(String, Vec<u8>)], options: &ReadOptions) -> Result<ReadProject, ReadError> {
    let mut sources = Vec::new();
    for (name, bytes) in files {
        sources.push(decode(name, bytes).map_err(|(file, error)| ReadError {
            file,
            diagnostics: vec![*error],
        })?);
    }
    let mut findings = Vec::new();
    let mut project = Project::default();
    for (at, source) in sources.iter().enumerate() {
        let mut found = Vec::new();
        file(at, source, &mut project, &mut found);
        findings.extend(found.into_iter().map(|diagnostic| Finding { file: at, diagnostic }));
    }
    let refused = |findings: &[Finding]| {
        findings
            .iter()
            .any(|found| found.diagnostic.severity == Severity::Error)
    };
    if project.components.is_empty() && !refused(&findings) {
        let error = Diagnostic::error("the project has no component", None);
        findings.push(Finding {
            file: 0,
            diagnostic: error.with_help("components are JSON files in the folder Components/"),
        });
    }
    if refused(&findings) {
        return Err(first_file(&sources, findings));
    }
    let transcript = spell(&project, &mut findings);
    if refused(&findings) {
        return Err(first_file(&sources, findings));
    }
    let (document, more) = transcript.read(&sources, options)?;
    findings.extend(more);
    let of = |(at, source): (usize, &SourceFile)| {
        let here = findings.iter().filter(|found| found.file == at);
        (source.clone(), here.map(|found| found.diagnostic.clone()).collect())
    };
    Ok((document, sources.iter().enumerate().map(of).collect()))
}

fn file(at: usize, source: &SourceFile, project: &mut Project, found: &mut Vec<Diagnostic>) {
    let value = match parse(source) {
        Ok(value) => value,
        Err(error) => return found.push(error),
    };
    let here = (at, source.text());
    let Some(mut fields) = Fields::of(&value, here, "an Ecdar file", found) else {
        return;
    };
    let name = source.name().rsplit(['/', '\\']).next().unwrap_or_default();
    if matches!(name, "GlobalDeclarations.json" | "SystemDeclarations.json") {
        let text = fields.text("declarations", found);
        match name {
            "GlobalDeclarations.json" => project.globals = Some(text),
            _ => project.system = Some(text),
        }
        fields.finish(&["name"], found);
        return;
    }
    let component = component(&mut fields, here, found);
    let display = [
        "description",
        "x",
        "y",
        "width",
        "height",
        "color",
        "includeInPeriodicCheck",
    ];
    fields.finish(&display, found);
    project.components.extend(component);
}

fn component(fields: &mut Fields<'_, '_>, file: (usize, &str), found: &mut Vec<Diagnostic>) -> Option<Component> {
    let name = fields.text("name", found);
    if name.text.trim().is_empty() {
        let error = Diagnostic::error("this is no component: it has no name", fields.place());
        found.push(error.with_help("name the JSON file of a component, or the folder of a project"));
        return None;
    }
    let declarations = fields.text("declarations", found);
    let mut locations = Vec::new();
    for value in fields.list("locations", found) {
        if let Some(mut fields) = Fields::of(value, file, "a location", found) {
            locations.push(location(&mut fields, found));
            let display = [
                "nickname",
                "color",
                "nicknameX",
                "nicknameY",
                "invariantX",
                "invariantY",
            ];
            fields.finish(&display, found);
        }
    }
    let mut edges = Vec::new();
    for value in fields.list("edges", found) {
        if let Some(mut fields) = Fields::of(value, file, "an edge", found) {
            edges.extend(edge(&mut fields, file, found));
            fields.finish(&["id", "group", "isLocked"], found);
        }
    }
    Some(Component {
        file: file.0,
        place: fields.value_place("name"),
        name,
        declarations,
        locations,
        edges,
    })
}

fn location(fields: &mut Fields<'_, '_>, found: &mut Vec<Diagnostic>) -> Location {
    let id = fields.text("id", found);
    let place = fields.value_place("id");
    if id.text.trim().is_empty() {
        let error = Diagnostic::error("this location has no id", fields.place());
        found.push(error.with_help("give it one, unique in the component"));
    }
    let kind = fields.text("type", found).text;
    if !matches!(kind.as_str(), "" | "NORMAL" | "INITIAL" | "UNIVERSAL" | "INCONSISTENT") {
        let message = format!("locations of type {kind} are not supported");
        let error = Diagnostic::error(message, fields.value_place("type"));
        found.push(error.with_help("write the location's behaviour out with edges"));
    }
    let urgency = fields.text("urgency", found).text;
    let urgency = match urgency.as_str() {
        "" | "NORMAL" => "",
        "URGENT" => "<urgent/>",
        "COMMITTED" => "<committed/>",
        _ => {
            let message = format!("the urgency {urgency} is not supported");
            let error = Diagnostic::error(message, fields.value_place("urgency"));
            found.push(error.with_help("urgencies are NORMAL, URGENT and COMMITTED"));
            ""
        }
    };
    Location {
        place,
        invariant: fields.text("invariant", found),
        initial: kind == "INITIAL",
        universal: kind == "UNIVERSAL",
        // Time is stopped in an inconsistent location, and it has no edge.
        urgency: if kind == "INCONSISTENT" { "<urgent/>" } else { urgency },
        at: fields.coordinate("x").zip(fields.coordinate("y")),
        id,
    }
}

fn edge(fields: &mut Fields<'_, '_>, file: (usize, &str), found: &mut Vec<Diagnostic>) -> Option<Edge> {
    let mut end = |key| {
        let text = fields.text(key, found).text;
        (text, fields.value_place(key))
    };
    let (source, target) = (end("sourceLocation"), end("targetLocation"));
    let status = fields.text("status", found).text;
    let is_input = match status.as_str() {
        "INPUT" => true,
        "OUTPUT" => false,
        _ => {
            let error = Diagnostic::error(
                "this edge is neither an INPUT nor an OUTPUT",
                fields.value_place("status"),
            );
            found.push(error.with_help("write \"status\": \"INPUT\" or \"OUTPUT\""));
            false
        }
    };
    let sync = channel(fields, is_input, file.0, found)?;
    let mut nails = Vec::new();
    for value in fields.list("nails", found) {
        if let Some(mut nail) = Fields::of(value, file, "a nail", found) {
            nails.extend(nail.coordinate("x").zip(nail.coordinate("y")));
        }
    }
    Some(Edge {
        place: fields.place(),
        source,
        target,
        is_input,
        select: fields.text("select", found),
        guard: fields.text("guard", found),
        update: fields.text("update", found),
        sync,
        nails,
    })
}

/// The channel of an edge; a mark behind it must agree with the edge's status.
fn channel(fields: &mut Fields<'_, '_>, is_input: bool, file: usize, found: &mut Vec<Diagnostic>) -> Option<Mapped> {
    let sync = fields.text("sync", found);
    let place = fields.value_place("sync");
    let (name, agrees) = match sync.text.trim().char_indices().last() {
        Some((at, '?')) => (&sync.text.trim()[..at], is_input),
        Some((at, '!')) => (&sync.text.trim()[..at], !is_input),
        _ => (sync.text.trim(), true),
    };
    let error = match (name, agrees) {
        ("" | "*", _) => Some((
            "this edge has no channel",
            "name one; edges for all channels (`*`) are written out one by one",
        )),
        (_, false) => Some((
            "the mark of the channel and the status of the edge disagree",
            "`?` belongs to INPUT, `!` to OUTPUT",
        )),
        _ => None,
    };
    if let Some((message, help)) = error {
        found.push(Diagnostic::error(message, place).with_help(help));
        return None;
    }
    let mut mapped = Mapped::default();
    mapped.whole(name, Origin { file, span: place });
    Some(mapped)
}
