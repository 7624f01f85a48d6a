//! An automaton as a new UPPAAL file, its locations on a grid: what tests dump, and what has no file of its own.

use std::collections::BTreeSet;

use super::print::{escape, guard_text, int_declaration, selects_text, updates_text};
use super::write::{alphabet_directive, lost_actions};
use crate::base::Id;
use crate::model::{Action, Automaton, Edge, Role, Urgency};

/// A file that reads back as `automaton`, if its names are UPPAAL identifiers and differ from each other.
pub fn write_automaton(automaton: &Automaton) -> String {
    let name = automaton.name();
    let actions = automaton.actions();
    let mut channels: Vec<String> = Vec::new();
    for action in actions.iter().filter(|action| action.role != Role::Internal) {
        let urgent = actions.iter().any(|other| other.name == action.name && other.urgent);
        let line = format!("{}chan {};", if urgent { "urgent " } else { "" }, action.name);
        if !channels.contains(&line) {
            channels.push(line);
        }
    }
    let io = match automaton.is_input_enabled() {
        true => {
            let named = actions.iter().filter(|action| action.role != Role::Internal);
            let list: Vec<_> = named.map(ToString::to_string).collect();
            format!("\nIO {name} {{ {} }}", list.join(", "))
        }
        false => String::new(),
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.1//EN' \
         'http://www.it.uu.se/research/group/darts/uppaal/flat-1_1.dtd'>\n\
         <nta>\n  <declaration>{}</declaration>\n  <template>\n    <name>{}</name>\n    <declaration>{}</declaration>\n\
         {}    <init ref=\"id{}\"/>\n{}  </template>\n  <system>system {};{}</system>\n</nta>\n",
        channels.join("\n"),
        escape(name),
        escape(&declarations(automaton)),
        locations(automaton),
        automaton.initial().index(),
        automaton
            .edges()
            .iter()
            .map(|edge| transition(automaton, edge))
            .collect::<String>(),
        escape(name),
        escape(&io),
    )
}

fn declarations(automaton: &Automaton) -> String {
    let mut lines: Vec<String> = automaton
        .clocks()
        .iter()
        .map(|clock| format!("clock {};", clock.name))
        .collect();
    lines.extend(automaton.ints().iter().map(int_declaration));
    let used: BTreeSet<(&str, Role)> = automaton
        .edges()
        .iter()
        .map(|edge| &automaton.actions()[edge.action])
        .map(|action| (&*action.name, action.role))
        .collect();
    let alphabet: Vec<Action> = automaton.actions().iter().cloned().collect();
    let lost = lost_actions(&alphabet, &used);
    if !lost.is_empty() {
        lines.push(alphabet_directive(lost.into_iter()));
    }
    lines.join("\n")
}

fn locations(automaton: &Automaton) -> String {
    let mut text = String::new();
    for (id, location) in automaton.locations().iter_enumerated() {
        let (x, y) = (id.index() % 6 * 200, id.index() / 6 * 150);
        let invariant = guard_text(automaton, &location.invariant, &[]);
        let urgency = match location.urgency {
            Urgency::Normal => "",
            Urgency::Urgent => "<urgent/>",
            Urgency::Committed => "<committed/>",
        };
        text.push_str(&format!(
            "    <location id=\"id{}\" x=\"{x}\" y=\"{y}\"><name>{}</name>{}{urgency}</location>\n",
            id.index(),
            escape(&location.name),
            label("invariant", &invariant),
        ));
    }
    text
}

fn transition(automaton: &Automaton, edge: &Edge) -> String {
    let action = &automaton.actions()[edge.action];
    let sync = if action.role == Role::Internal {
        String::new()
    } else {
        action.to_string()
    };
    let labels = [
        label("select", &selects_text(&edge.selects)),
        label("guard", &guard_text(automaton, &edge.guard, &edge.selects)),
        label("synchronisation", &sync),
        label("assignment", &updates_text(automaton, &edge.updates, &edge.selects)),
    ];
    format!(
        "    <transition><source ref=\"id{}\"/><target ref=\"id{}\"/>{}</transition>\n",
        edge.source.index(),
        edge.target.index(),
        labels.concat(),
    )
}

fn label(kind: &str, text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!("<label kind=\"{kind}\">{}</label>", escape(text))
    }
}
