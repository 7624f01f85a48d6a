//! An automaton as a new UPPAAL file: for dumps in tests, and for automata that come from no file.

use std::collections::BTreeSet;
use std::io::{self, Write};

use crate::drawing::Drawing;
use crate::writing::print::{
    alphabet_directive, guard_text, int_declaration, lost_actions, selects_text, updates_text,
};
use crate::writing::spelling::Spelling;
use tamper_text::Id;
use tamper_text::xml::{Declaration, DocumentWriter, Element, Layout, written};
use tamper_timed::model::{Action, Automaton, EdgeId, LocId, Role, Urgency};

const DOCTYPE: &str = "nta PUBLIC '-//Uppaal Team//DTD Flat System 1.1//EN' \
    'http://www.it.uu.se/research/group/darts/uppaal/flat-1_1.dtd'";

/// A file that reads back as `automaton`, if its names are UPPAAL identifiers and differ from each other; the locations
/// are on a grid.
pub fn write_automaton(automaton: &Automaton) -> String {
    write_drawn(automaton, &Drawing::grid())
}

/// Writes the same file with a comment at each location, and at some edges, element by element.
///
/// # Errors
/// Those of `to`.
pub fn write_remarked(
    to: impl Write,
    automaton: &Automaton,
    location: &dyn Fn(LocId) -> String,
    edge: &dyn Fn(EdgeId) -> Option<String>,
) -> io::Result<()> {
    let remarks = PartComments {
        declarations: Vec::new(),
        locations: &|id| vec![location(id)],
        edges: &|id| edge(id).into_iter().collect(),
    };
    let sheet = Sheet {
        automaton,
        drawing: &Drawing::grid(),
        remarks: &remarks,
        spelling: &Spelling::default(),
    };
    sheet.write(to)
}

/// The same file with the locations at the positions of `drawing`.
pub fn write_drawn(automaton: &Automaton, drawing: &Drawing) -> String {
    Sheet {
        automaton,
        drawing,
        remarks: &PartComments::default(),
        spelling: &Spelling::default(),
    }
    .text()
}

/// Lines of comments beside the parts of an automaton.
pub(crate) struct PartComments<'a> {
    pub declarations: Vec<String>,
    pub locations: &'a dyn Fn(LocId) -> Vec<String>,
    pub edges: &'a dyn Fn(EdgeId) -> Vec<String>,
}

impl Default for PartComments<'_> {
    fn default() -> Self {
        Self {
            declarations: Vec::new(),
            locations: &|_| Vec::new(),
            edges: &|_| Vec::new(),
        }
    }
}

/// The content of a new file.
pub(crate) struct Sheet<'a> {
    pub automaton: &'a Automaton,
    pub drawing: &'a Drawing,
    pub remarks: &'a PartComments<'a>,
    /// Labels that name constants.
    pub spelling: &'a Spelling,
}

impl Sheet<'_> {
    pub(crate) fn text(&self) -> String {
        written(|to| self.write(to))
    }

    fn write(&self, to: impl Write) -> io::Result<()> {
        let automaton = self.automaton;
        let actions = automaton.actions();
        let io = match automaton.is_input_enabled() {
            true => {
                let named = actions.iter().filter(|action| action.role != Role::Internal);
                let list: Vec<_> = named.map(ToString::to_string).collect();
                format!("\nIO {} {{ {} }}", automaton.name(), list.join(", "))
            }
            false => String::new(),
        };
        let system = format!("system {};{io}", automaton.name());
        write_sheets(to, &[(self, "")], &system, None)
    }

    /// Writes the template; the ids of its elements start with `prefix`.
    fn write_template(&self, file: &mut DocumentWriter<'_, impl Write>, prefix: &str) -> io::Result<()> {
        let initial = format!("{prefix}id{}", self.automaton.initial().index());
        file.open("template")?;
        file.put(&Element::new("name").text(self.automaton.name()))?;
        file.put(&Element::new("declaration").text(self.declarations()))?;
        self.locations(prefix).try_for_each(|location| file.put(&location))?;
        file.put(&Element::new("init").with("ref", initial))?;
        self.transitions(prefix).try_for_each(|edge| file.put(&edge))?;
        file.close()
    }

    fn declarations(&self) -> String {
        let automaton = self.automaton;
        let clocks = automaton.clocks().iter().map(|clock| match clock.is_left_out {
            // A start value other than 0 forbids comparisons with the clock, whatever the original reason was.
            true => format!("clock {} = 1;", clock.name),
            false => format!("clock {};", clock.name),
        });
        let mut lines: Vec<String> = self.spelling.constants.iter().cloned().collect();
        lines.extend(clocks);
        lines.extend(automaton.ints().iter().map(int_declaration));
        let listed = listed_actions(automaton);
        if !listed.is_empty() {
            lines.push(alphabet_directive(listed.into_iter()));
        }
        if automaton.is_atomic() {
            lines.push("// tamper:atomic".to_owned());
        }
        lines.extend_from_slice(&self.remarks.declarations);
        lines.join("\n")
    }

    fn locations(&self, prefix: &str) -> impl Iterator<Item = Element> {
        let locations = self.automaton.locations().iter_enumerated();
        locations.map(move |(id, location)| {
            let (x, y) = self.drawing.place(id);
            let invariant = guard_text(self.automaton, &location.invariant, &[]);
            let invariant = self.spelling.invariant(id).unwrap_or(&invariant);
            let index = id.index();
            Element::new("location")
                .with("id", format!("{prefix}id{index}"))
                .with("x", x)
                .with("y", y)
                .child(Element::new("name").text(&*location.name))
                .children(label("invariant", invariant, None))
                .children(label("comments", &self.comments(id), None))
                .children(mark(location.urgency))
        })
    }

    fn comments(&self, location: LocId) -> String {
        let held = self.automaton.propositions();
        let held = held.get(&self.automaton.locations()[location].name);
        let names = held.map(|held| held.iter().map(|name| &**name).collect::<Vec<_>>().join(", "));
        let line = names.map(|names| format!("propositions: {names}"));
        let others = (self.remarks.locations)(location).join("\n");
        let lines = line.into_iter().chain((!others.is_empty()).then_some(others));
        lines.collect::<Vec<_>>().join("\n")
    }

    fn transitions(&self, prefix: &str) -> impl Iterator<Item = Element> {
        let edges = self.automaton.edges().ids();
        let bends = self.drawing.bends(self.automaton);
        edges
            .zip(bends)
            .map(move |(edge, bend)| self.transition(edge, prefix, bend))
    }

    fn transition(&self, id: EdgeId, prefix: &str, bend: Option<(i32, i32)>) -> Element {
        let automaton = self.automaton;
        let edge = &automaton.edges()[id];
        let action = &automaton.actions()[edge.action];
        let sync = if action.role == Role::Internal {
            String::new()
        } else {
            action.to_string()
        };
        let texts = [
            ("select", selects_text(&edge.selects)),
            ("guard", guard_text(automaton, &edge.guard, &edge.selects)),
            ("synchronisation", sync),
            ("assignment", updates_text(automaton, &edge.updates, &edge.selects)),
            ("comments", (self.remarks.edges)(id).join("\n")),
        ];
        let labels = texts.into_iter().zip(0..).filter_map(|((kind, text), row)| {
            let text = self.spelling.label(id, kind).unwrap_or(&text);
            label(kind, text, bend.map(|(x, y)| (x, y.saturating_add(15 * row))))
        });
        let end = |name, location: LocId| Element::new(name).with("ref", format!("{prefix}id{}", location.index()));
        let nail = bend.map(|(x, y)| Element::new("nail").with("x", x).with("y", y));
        Element::new("transition")
            .child(end("source", edge.source))
            .child(end("target", edge.target))
            .children(labels)
            .children(nail)
    }
}

/// Writes a file with the templates of `sheets`, each with the prefix of its ids; the actions of the first are declared as
/// channels.
pub(crate) fn write_sheets(
    to: impl Write,
    sheets: &[(&Sheet<'_>, &str)],
    system: &str,
    queries: Option<&Element>,
) -> io::Result<()> {
    let actions = sheets[0].0.automaton.actions().iter();
    let mut channels: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    for action in actions.clone().filter(|action| action.role != Role::Internal) {
        if seen.insert(&action.name) {
            let urgent = actions.clone().any(|other| other.urgent && other.name == action.name);
            channels.push(format!("{}chan {};", if urgent { "urgent " } else { "" }, action.name));
        }
    }
    let declaration = Declaration {
        encoding: "utf-8",
        doctype: Some(DOCTYPE),
        ..Declaration::default()
    };
    let mut file = DocumentWriter::new(to, &declaration, Layout::default())?;
    file.open("nta")?;
    file.put(&Element::new("declaration").text(channels.join("\n")))?;
    for (sheet, prefix) in sheets {
        sheet.write_template(&mut file, prefix)?;
    }
    file.put(&Element::new("system").text(system))?;
    queries.map_or(Ok(()), |queries| file.put(queries))?;
    file.finish().map(drop)
}

/// The element that marks a location in which no time passes.
pub(crate) fn mark(urgency: Urgency) -> Option<Element> {
    match urgency {
        Urgency::Normal => None,
        Urgency::Urgent => Some(Element::new("urgent")),
        Urgency::Committed => Some(Element::new("committed")),
    }
}

/// The actions that the file must list for the alphabet to be read back in its order: the actions without an edge, or
/// all.
fn listed_actions(automaton: &Automaton) -> Vec<&Action> {
    let actions = automaton.actions();
    let mut used = Vec::new();
    let mut seen = BTreeSet::new();
    for edge in automaton.edges() {
        if seen.insert(edge.action) {
            used.push(edge.action);
        }
    }
    let names: BTreeSet<(&str, Role)> = used.iter().map(|id| (&*actions[*id].name, actions[*id].role)).collect();
    let lost = lost_actions(actions.as_slice(), &names);
    let is_lost = |id: &_| !seen.contains(id);
    let declared = automaton.is_input_enabled();
    // The actions in the order of reading: the directive, the IO line, the edges.
    let mut read: Vec<_> = actions.ids().filter(is_lost).collect();
    if declared {
        let named = actions
            .ids()
            .filter(|id| actions[*id].role != Role::Internal && !is_lost(id));
        read.extend(named);
    }
    read.extend(
        used.into_iter()
            .filter(|id| !declared || actions[*id].role == Role::Internal),
    );
    if read.is_sorted() {
        lost
    } else {
        actions.iter().collect()
    }
}

fn label(kind: &str, text: &str, place: Option<(i32, i32)>) -> Option<Element> {
    let label = Element::new("label")
        .with("kind", kind)
        .with_some("x", place.map(|(x, _)| x));
    let label = label.with_some("y", place.map(|(_, y)| y)).text(text);
    (!text.is_empty()).then_some(label)
}
