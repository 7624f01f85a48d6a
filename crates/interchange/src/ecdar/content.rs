//! What a file of an Ecdar project says, every text with its place.

use super::project::{Edge, Location, Project, ProjectComponent};
use tamper_text::json::{Fields, parse};
use tamper_text::{Diagnostic, Piece, Text};
use tamper_timed::model::Urgency;

/// Whether a file holds declarations of the project.
pub(super) fn is_declarations(name: &str) -> bool {
    matches!(file_name(name), "GlobalDeclarations.json" | "SystemDeclarations.json")
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or_default()
}

/// The name of the component in a file: as the file states it, else the name of the file.
pub(super) fn name_of(path: &str, components: &[ProjectComponent]) -> String {
    let of_file = file_name(path).trim_end_matches(".json");
    let said = components.first().map(|component| component.name.decoded.trim());
    said.unwrap_or(of_file).to_owned()
}

pub(super) fn file(name: &str, here: Piece<'_>, project: &mut Project, found: &mut Vec<Diagnostic>) {
    let value = match parse(here) {
        Ok(value) => value,
        Err(error) => return found.push(error),
    };
    let Some(mut fields) = Fields::of(&value, here, "an Ecdar file", found) else {
        return;
    };
    if is_declarations(name) {
        let text = fields.text("declarations", found);
        match file_name(name) {
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

fn component(fields: &mut Fields<'_, '_>, file: Piece<'_>, found: &mut Vec<Diagnostic>) -> Option<ProjectComponent> {
    let name = fields.text("name", found);
    if name.decoded.trim().is_empty() {
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
            let read = edge(&mut fields, file, &locations, found);
            // The other fields of a left-out edge are not checked.
            if let Some(edge) = read {
                edges.push(edge);
                fields.finish(&["id", "group", "isLocked"], found);
            }
        }
    }
    Some(ProjectComponent {
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
    if id.decoded.trim().is_empty() {
        let error = Diagnostic::error("this location has no id", fields.place());
        found.push(error.with_help("give it one, unique in the component"));
    }
    let kind = fields.text("type", found).decoded;
    if !matches!(kind.as_str(), "" | "NORMAL" | "INITIAL" | "UNIVERSAL" | "INCONSISTENT") {
        let message = format!("locations of type {kind} are not supported");
        let error = Diagnostic::error(message, fields.value_place("type"));
        found.push(error.with_help("write the location's behaviour out with edges"));
    }
    let urgency = fields.text("urgency", found).decoded;
    let urgency = match urgency.as_str() {
        // Time is stopped in an inconsistent location, which has no edge.
        _ if kind == "INCONSISTENT" => Urgency::Urgent,
        "" | "NORMAL" => Urgency::Normal,
        "URGENT" => Urgency::Urgent,
        "COMMITTED" => Urgency::Committed,
        _ => {
            let message = format!("the urgency {urgency} is not supported");
            let error = Diagnostic::error(message, fields.value_place("urgency"));
            found.push(error.with_help("urgencies are NORMAL, URGENT and COMMITTED"));
            Urgency::Normal
        }
    };
    Location {
        place,
        invariant: fields.text("invariant", found),
        initial: kind == "INITIAL",
        universal: kind == "UNIVERSAL",
        inconsistent: kind == "INCONSISTENT",
        urgency,
        at: fields.coordinate("x").zip(fields.coordinate("y")),
        id,
    }
}

/// An edge of a component that has these locations; `None` if it is redundant or wrong.
fn edge(
    fields: &mut Fields<'_, '_>,
    file: Piece<'_>,
    locations: &[Location],
    found: &mut Vec<Diagnostic>,
) -> Option<Edge> {
    let mut end = |key| {
        let text = fields.text(key, found).decoded;
        (text, fields.value_place(key))
    };
    // An edge for every channel belongs to the meaning of a universal or an inconsistent location.
    let (source, target) = (end("sourceLocation"), end("targetLocation"));
    let status = fields.text("status", found).decoded;
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
    if fields.text("sync", found).decoded.trim() == "*" && locations.iter().any(|known| known.stands_for_all(&source.0))
    {
        return None;
    }
    let sync = channel(fields, is_input, found)?;
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
fn channel(fields: &mut Fields<'_, '_>, is_input: bool, found: &mut Vec<Diagnostic>) -> Option<Text> {
    let sync = fields.text("sync", found);
    let place = fields.value_place("sync");
    let (name, agrees) = match sync.decoded.trim().char_indices().last() {
        Some((at, '?')) => (&sync.decoded.trim()[..at], is_input),
        Some((at, '!')) => (&sync.decoded.trim()[..at], !is_input),
        _ => (sync.decoded.trim(), true),
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
    Some(Text::at(name, place))
}
