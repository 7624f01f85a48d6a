//! An automaton as a new UPPAAL file: what tests dump, and what has no file of its own.

use std::collections::BTreeSet;

use super::alphabet::{alphabet_directive, lost_actions};
use super::drawing::Drawing;
use super::print::{guard_text, int_declaration, selects_text, updates_text};
use super::spelling::Spelling;
use crate::formats::escape_xml;
use crate::model::{Action, Automaton, Edge, EdgeId, Role, Urgency};
use crate::text::Id;

/// A file that reads back as `automaton`, if its names are UPPAAL identifiers and differ from each other; the locations
/// are on a grid.
pub fn write_automaton(automaton: &Automaton) -> String {
    write_drawn(automaton, &Drawing::grid())
}

/// The same with a comment at each location, and at some edges.
pub fn write_remarked(automaton: &Automaton, locations: &[String], edge: impl Fn(EdgeId) -> Option<String>) -> String {
    let edges = automaton.edges().ids().map(|id| edge(id).into_iter().collect());
    let remarks = Remarks {
        locations: locations.iter().map(|remark| vec![remark.clone()]).collect(),
        edges: edges.collect(),
        ..Remarks::default()
    };
    Sheet {
        automaton,
        drawing: &Drawing::grid(),
        remarks: &remarks,
        spelling: &Spelling::default(),
    }
    .text()
}

/// The same with the locations where `drawing` has them.
pub fn write_drawn(automaton: &Automaton, drawing: &Drawing) -> String {
    Sheet {
        automaton,
        drawing,
        remarks: &Remarks::default(),
        spelling: &Spelling::default(),
    }
    .text()
}

/// Lines of comments beside the parts of an automaton; where there are fewer than parts, the rest has none.
#[derive(Default)]
pub(super) struct Remarks {
    pub declarations: Vec<String>,
    pub locations: Vec<Vec<String>>,
    pub edges: Vec<Vec<String>>,
}

/// What a new file shows.
pub(super) struct Sheet<'a> {
    pub automaton: &'a Automaton,
    pub drawing: &'a Drawing,
    pub remarks: &'a Remarks,
    /// Labels that name constants.
    pub spelling: &'a Spelling,
}

impl Sheet<'_> {
    pub(super) fn text(&self) -> String {
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
        file(actions.iter(), &self.template(""), &system, "")
    }

    /// The template; the ids of its elements start with `prefix`.
    pub(super) fn template(&self, prefix: &str) -> String {
        format!(
            "  <template>\n    <name>{}</name>\n    <declaration>{}</declaration>\n{}    \
             <init ref=\"{prefix}id{}\"/>\n{}  </template>\n",
            escape_xml(self.automaton.name()),
            escape_xml(&self.declarations()),
            self.locations(prefix),
            self.automaton.initial().index(),
            self.transitions(prefix),
        )
    }

    fn declarations(&self) -> String {
        let automaton = self.automaton;
        let clocks = automaton.clocks().iter().map(|clock| format!("clock {};", clock.name));
        let mut lines: Vec<String> = self.spelling.constants.iter().cloned().collect();
        lines.extend(clocks);
        lines.extend(automaton.ints().iter().map(int_declaration));
        let listed = listed_actions(automaton);
        if !listed.is_empty() {
            lines.push(alphabet_directive(listed.into_iter()));
        }
        lines.extend_from_slice(&self.remarks.declarations);
        lines.join("\n")
    }

    fn locations(&self, prefix: &str) -> String {
        let mut text = String::new();
        for (id, location) in self.automaton.locations().iter_enumerated() {
            let (x, y) = self.drawing.place(id);
            let invariant = guard_text(self.automaton, &location.invariant, &[]);
            let invariant = self.spelling.invariant(id).unwrap_or(&invariant);
            let urgency = match location.urgency {
                Urgency::Normal => "",
                Urgency::Urgent => "<urgent/>",
                Urgency::Committed => "<committed/>",
            };
            let index = id.index();
            text.push_str(&format!(
                "    <location id=\"{prefix}id{index}\" x=\"{x}\" y=\"{y}\"><name>{}</name>{}{}{urgency}</location>\n",
                escape_xml(&location.name),
                label("invariant", invariant, None),
                label("comments", &remarks(&self.remarks.locations, index), None),
            ));
        }
        text
    }

    fn transitions(&self, prefix: &str) -> String {
        let edges = self.automaton.edges().iter_enumerated();
        let bends = self.drawing.bends(self.automaton);
        let all = edges.zip(bends).map(|((id, edge), bend)| {
            let remarks = remarks(&self.remarks.edges, id.index());
            let spelled = |kind: &str| self.spelling.label(id, kind).map(str::to_owned);
            transition((self.automaton, edge, &spelled), prefix, bend, &remarks)
        });
        all.collect()
    }
}

/// A file around templates; `actions` are declared as channels.
pub(super) fn file<'a>(
    actions: impl Iterator<Item = &'a Action> + Clone,
    templates: &str,
    system: &str,
    queries: &str,
) -> String {
    let mut channels: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    for action in actions.clone().filter(|action| action.role != Role::Internal) {
        if seen.insert(&action.name) {
            let urgent = actions.clone().any(|other| other.urgent && other.name == action.name);
            channels.push(format!("{}chan {};", if urgent { "urgent " } else { "" }, action.name));
        }
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.1//EN' \
         'http://www.it.uu.se/research/group/darts/uppaal/flat-1_1.dtd'>\n\
         <nta>\n  <declaration>{}</declaration>\n{templates}  <system>{}</system>\n{queries}</nta>\n",
        channels.join("\n"),
        escape_xml(system),
    )
}

fn remarks(of: &[Vec<String>], index: usize) -> String {
    of.get(index).map(|lines| lines.join("\n")).unwrap_or_default()
}

/// The actions that the file must list for the alphabet to be read back in its order: those no edge has, or all.
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
    // The order of reading: the directive, the IO line, the edges.
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

/// The labels that are spelled otherwise than from the model, by their kind.
type Spelled<'a> = &'a dyn Fn(&str) -> Option<String>;

fn transition(
    (automaton, edge, spelled): (&Automaton, &Edge, Spelled<'_>),
    prefix: &str,
    bend: Option<(i32, i32)>,
    remarks: &str,
) -> String {
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
        ("comments", remarks.to_owned()),
    ];
    let mut labels = String::new();
    for ((kind, text), row) in texts.into_iter().zip(0..) {
        let text = spelled(kind).unwrap_or(text);
        labels.push_str(&label(kind, &text, bend.map(|(x, y)| (x, y.saturating_add(15 * row)))));
    }
    let nail = bend.map_or_else(String::new, |(x, y)| format!("<nail x=\"{x}\" y=\"{y}\"/>"));
    format!(
        "    <transition><source ref=\"{prefix}id{}\"/><target ref=\"{prefix}id{}\"/>{labels}{nail}</transition>\n",
        edge.source.index(),
        edge.target.index(),
    )
}

fn label(kind: &str, text: &str, place: Option<(i32, i32)>) -> String {
    let place = place.map_or_else(String::new, |(x, y)| format!(" x=\"{x}\" y=\"{y}\""));
    if text.is_empty() {
        String::new()
    } else {
        format!("<label kind=\"{kind}\"{place}>{}</label>", escape_xml(text))
    }
}
