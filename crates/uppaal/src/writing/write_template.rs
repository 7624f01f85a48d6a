//! One mutant's template: a copy of the original's text with fresh ids and the edits made.

use std::collections::{BTreeMap, BTreeSet};

use crate::document::{IoConvention, Layout as Places, LocationPlace, TextPlace};
use crate::text::content_span;
use crate::writing::edit::{AddedEdge, Edited, EditedEdge, EditedLocation};
use crate::writing::fresh::mark;
use crate::writing::patch::Patches;
use crate::writing::print::{alphabet_directive, lost_actions};
use crate::writing::writer::{TemplateWriter, behind_edges, child_at, end_of_target};
use tamper_text::xml::{self, Element, Layout};
use tamper_text::{Id as _, Span};
use tamper_timed::model::{Action, EdgeId, LocId, Role, Urgency};

fn label(kind: &str, text: &str) -> Element {
    Element::new("label").with("kind", kind).text(text)
}

fn mark_text(urgency: Option<Urgency>) -> String {
    urgency.and_then(mark).map_or_else(String::new, |mark| mark.to_string())
}

/// The differences of one copy of the template from the original, besides its edits.
pub(crate) struct Copy<'a> {
    pub writer: &'a TemplateWriter<'a>,
    /// The copy's ids by the original's.
    pub ids: BTreeMap<&'a str, String>,
    /// Declarations for everything that the original shares with the file.
    pub own: Vec<String>,
}

impl Copy<'_> {
    /// The text of the copy, named `name`.
    pub(crate) fn text(&self, name: &str, edited: &Edited, alphabet: &[Action]) -> String {
        let layout = self.layout();
        let mut patches = Patches::default();
        patches.replace(layout.name.content, name);
        self.rename_ids(&mut patches);
        self.declarations(&mut patches, edited, alphabet);
        self.locations(&mut patches, edited);
        self.edges(&mut patches, edited);
        patches.apply(self.writer.text, layout.template)
    }

    fn layout(&self) -> &Places {
        self.writer.document.layout(self.writer.index)
    }

    fn rename_ids(&self, patches: &mut Patches) {
        for node in self.writer.template.descendants() {
            for attribute in node
                .attributes()
                .filter(|attribute| matches!(attribute.name(), "id" | "ref"))
            {
                if let Some(id) = self.ids.get(attribute.value()) {
                    let value = attribute.range_value();
                    patches.replace(Span::new(value.start, value.end), xml::attribute(id));
                }
            }
        }
    }

    fn declarations(&self, patches: &mut Patches, edited: &Edited, alphabet: &[Action]) {
        let automaton = self.writer.automaton();
        let used: BTreeSet<(&str, Role)> = edited
            .edges
            .iter()
            .map(|edge| match edge {
                EditedEdge::Kept { origin, .. } => {
                    let action = &automaton.actions()[automaton.edges()[*origin].action];
                    (&*action.name, action.role)
                }
                EditedEdge::Added(edge) | EditedEdge::Replaced(_, edge) => (edge.action.as_str(), edge.role),
            })
            .collect();
        let lost = lost_actions(alphabet, &used);
        // An IO line lists all actions except `tau`.
        let has_io = self.writer.origin().has_io;
        let lost: Vec<_> = lost
            .into_iter()
            .filter(|action| !has_io || action.role == Role::Internal)
            .collect();
        let newline = self.writer.newline;
        let mut lines = self.own.clone();
        if !lost.is_empty() {
            lines.push(alphabet_directive(lost.into_iter()));
        }
        if lines.is_empty() {
            return;
        }
        let text = format!("{newline}{}{newline}", lines.join(newline));
        let child = |name: &str| self.writer.template.children().find(|node| node.has_tag_name(name));
        match child("declaration") {
            Some(node) => self.writer.append(patches, node, &text),
            None => {
                let before = child("parameter").or_else(|| child("name"));
                let at = before.map_or(content_span(self.writer.template).start as usize, |node| {
                    node.range().end
                });
                let whole = Element::new("declaration").markup(text);
                patches.insert(Span::new(at, at).start, whole.to_string());
            }
        }
    }

    fn locations(&self, patches: &mut Patches, edited: &Edited) {
        let kept: BTreeMap<LocId, &EditedLocation> = edited
            .locations
            .iter()
            .map(|location| (location.origin, location))
            .collect();
        for (id, place) in self.layout().locations.iter_enumerated() {
            match kept.get(&id) {
                None => patches.remove_element(self.writer.text, place.element),
                Some(location) => self.location(patches, place, location),
            }
        }
        let n_in_file = self.layout().locations.len();
        let end = self
            .layout()
            .locations
            .iter()
            .next_back()
            .map_or(0, |place| place.element.end);
        for (location, name) in edited.new_locations() {
            let id = self.new_id(location.origin.index() - n_in_file);
            let invariant = location.invariant.as_deref().filter(|text| !text.is_empty());
            let element = Element::new("location")
                .with("id", id)
                .child(Element::new("name").text(name))
                .children(invariant.map(|text| label("invariant", text)))
                .children(location.urgency.and_then(mark));
            let text = format!("{}{element}", self.writer.newline);
            patches.insert(end, text);
        }
    }

    /// The id of the new location of that number, not used in the file.
    fn new_id(&self, at: usize) -> String {
        let own = self.ids.values().next().map_or("", String::as_str);
        let mut id = format!("{own}_new{at}");
        while self.writer.text.contains(&id) || self.ids.values().any(|known| *known == id) {
            id.push('_');
        }
        id
    }

    /// Removes the elements for the location's urgency.
    fn remove_urgency(&self, patches: &mut Patches, place: &LocationPlace) {
        let node = child_at(self.writer.template, place.element);
        let marks = node.into_iter().flat_map(|node| node.children());
        for mark in marks.filter(|child| child.has_tag_name("urgent") || child.has_tag_name("committed")) {
            patches.replace(Span::new(mark.range().start, mark.range().end), "");
        }
    }

    fn location(&self, patches: &mut Patches, place: &LocationPlace, location: &EditedLocation) {
        let text = self.writer.text;
        let mut new = String::new();
        // The name of a location without a name is its id, which differs in the copy.
        let named = place.name.filter(|name| !text[name.content.range()].trim().is_empty());
        if named.is_none() {
            if let Some(blank) = place.name {
                patches.remove_element(text, blank.element);
            }
            new.push_str(&Element::new("name").text(&*place.id).to_string());
        }
        match (&location.invariant, place.invariant) {
            (Some(text), Some(label)) => self.set_label(patches, label, "invariant", text),
            (Some(text), None) => new.push_str(&label("invariant", text).to_string()),
            (None, _) => {}
        }
        let is_empty = place.tag.end == place.element.end;
        if location.urgency.is_some() {
            self.remove_urgency(patches, place);
        }
        let mark = mark_text(location.urgency);
        if is_empty {
            new.push_str(&mark);
        } else if !mark.is_empty() {
            let end = text[place.element.range()].rfind("</").unwrap_or_default();
            patches.insert(Span::new(0, place.element.start as usize + end).end, mark);
        }
        if new.is_empty() {
            return;
        }
        if is_empty {
            let close = Span {
                start: place.tag.end - 2,
                end: place.tag.end,
            };
            patches.replace(close, format!(">{new}</location>"));
        } else {
            patches.insert(named.map_or(place.tag.end, |name| name.element.end), new);
        }
    }

    fn edges(&self, patches: &mut Patches, edited: &Edited) {
        let mut kept = BTreeMap::<EdgeId, Option<&str>>::new();
        let mut added = String::new();
        let mut replaced = Vec::new();
        for edge in &edited.edges {
            match edge {
                EditedEdge::Kept { origin, guard, .. } => {
                    kept.insert(*origin, guard.as_deref());
                }
                EditedEdge::Added(edge) => added.push_str(&self.transition(edge)),
                EditedEdge::Replaced(origin, edge) => {
                    let element = self.layout().edges[*origin].element;
                    patches.replace(element, self.transition(edge).trim_start());
                    replaced.push(*origin);
                }
            }
        }
        for (id, place) in self.layout().edges.iter_enumerated() {
            match (kept.get(&id), place.guard) {
                _ if replaced.contains(&id) => {}
                (None, _) => patches.remove_element(self.writer.text, place.element),
                (Some(None), _) => {}
                (Some(Some(text)), Some(label)) => self.set_label(patches, label, "guard", text),
                (Some(Some(text)), None) => {
                    let end = end_of_target(self.writer.template, place.element);
                    patches.insert(end, label("guard", text).to_string());
                }
            }
        }
        if !added.is_empty() {
            patches.insert(
                behind_edges(self.writer.template).unwrap_or(self.layout().template.end),
                added,
            );
        }
    }

    fn set_label(&self, patches: &mut Patches, place: TextPlace, kind: &str, text: &str) {
        if place.content.start == place.element.end {
            patches.replace(place.element, label(kind, text).to_string());
        } else {
            patches.replace(place.content, xml::content(text));
        }
    }

    pub(crate) fn transition(&self, edge: &AddedEdge) -> String {
        let layout = self.layout();
        let newline = self.writer.newline;
        let sibling = self.writer.template.children().find(|node| node.has_tag_name("init"));
        let indent = sibling.map_or("", |node| self.writer.indent(node));
        let id = |location: LocId| match layout.locations.get(location) {
            Some(place) => self.ids.get(place.id.as_str()).unwrap_or(&place.id).clone(),
            None => self.new_id(location.index() - layout.locations.len()),
        };
        let mark = if edge.role == Role::Input { "?" } else { "!" };
        let sync = match edge.role {
            Role::Internal => String::new(),
            Role::Input | Role::Output => format!("{}{mark}", edge.action),
        };
        let place = self.middle(edge);
        let labels = [
            ("select", &edge.select),
            ("guard", &edge.guard),
            ("synchronisation", &sync),
            ("assignment", &edge.assignment),
        ];
        let labels = labels
            .into_iter()
            .zip(0_i64..)
            .filter(|((_, text), _)| !text.is_empty());
        let labels = labels.map(|((kind, text), row)| {
            let label = Element::new("label").with("kind", kind);
            let label = label.with_some("x", place.map(|(x, _)| x));
            label.with_some("y", place.map(|(_, y)| y - 40 + 15 * row)).text(text)
        });
        let transition = Element::new("transition")
            .block()
            .with_some("controllable", self.controllable(edge.role))
            .child(Element::new("source").with("ref", id(edge.source)))
            .child(Element::new("target").with("ref", id(edge.target)))
            .children(labels);
        let layout = Layout {
            newline,
            margin: indent,
            indent: "  ",
        };
        format!("{newline}{indent}{}", transition.laid_out(&layout))
    }

    /// The attribute `controllable`, if other edges of the file have it or it alone decides.
    fn controllable(&self, role: Role) -> Option<bool> {
        let mut elements = self.writer.template.children();
        let in_use = elements.any(|node| node.has_attribute("controllable"));
        let needed = self.writer.document.options.io == IoConvention::Attribute;
        (in_use || needed).then_some(role == Role::Input)
    }

    /// The midpoint between the ends of `edge`, if the file has their positions.
    fn middle(&self, edge: &AddedEdge) -> Option<(i64, i64)> {
        let position = |location: LocId| {
            let node = child_at(self.writer.template, self.layout().locations.get(location)?.element)?;
            let coordinate = |name: &str| node.attribute(name)?.trim().parse::<i32>().ok().map(i64::from);
            Some((coordinate("x")?, coordinate("y")?))
        };
        let ((x1, y1), (x2, y2)) = (position(edge.source)?, position(edge.target)?);
        Some(((x1 + x2) / 2, (y1 + y2) / 2))
    }
}
