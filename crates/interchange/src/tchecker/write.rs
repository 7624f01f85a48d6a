//! A game as a `.tck` file.

use std::collections::{BTreeMap, BTreeSet};

use crate::dialect::Dialect;
use tamper_text::IndexVec;
use tamper_timed::model::{ActionId, Automaton, Role, Urgency};
use tamper_timed::mutation::edge_name;
use tamper_uppaal::{Inexpressible, Part};

const DIALECT: Dialect = Dialect {
    name: "TChecker",
    disjunctions: false,
    rich: true,
    separator: ";",
};

/// The words that are not names: keywords of declarations and of expressions.
const KEYWORDS: [&str; 16] = [
    "clock", "edge", "event", "int", "location", "process", "sync", "system", "if", "then", "else", "end", "while",
    "do", "local", "nop",
];

/// `automaton` as a system of one process; reads back as the same game.
///
/// # Errors
/// A part that TChecker cannot express.
pub fn write_tchecker(automaton: &Automaton) -> Result<String, Inexpressible> {
    if automaton.is_input_enabled() {
        return Err(DIALECT.error(Part::IgnoredInputs));
    }
    if !automaton.propositions().is_empty() {
        return Err(DIALECT.error(Part::Propositions));
    }
    let process = process_name(automaton.name());
    let events = events(automaton)?;
    let listed: Vec<String> = automaton
        .actions()
        .iter_enumerated()
        .map(|(id, action)| match events[id] == *action.name {
            true => action.to_string(),
            false => format!("{}={action}", events[id]),
        })
        .collect();
    let mut text = format!("# tamper:alphabet {}\n", listed.join(" "));
    text.push_str(&format!("system:{process}\nprocess:{process}\n"));
    for event in events.iter().collect::<BTreeSet<_>>() {
        text.push_str(&format!("event:{event}\n"));
    }
    for clock in automaton.clocks() {
        text.push_str(&format!("clock:1:{}\n", variable(&clock.name)?));
    }
    for int in automaton.ints() {
        let name = variable(&int.name)?;
        text.push_str(&format!("int:1:{}:{}:{}:{name}\n", int.low, int.high, int.initial));
    }
    for (id, location) in automaton.locations().iter_enumerated() {
        let invariant = DIALECT.guard(automaton, &location.invariant)?;
        let urgency = match location.urgency {
            Urgency::Normal => "",
            Urgency::Urgent => "urgent:",
            Urgency::Committed => "committed:",
        };
        let initial = if id == automaton.initial() { "initial:" } else { "" };
        let attributes = attributes(&[initial.to_owned(), urgency.to_owned(), keyed("invariant", &invariant)]);
        text.push_str(&format!("location:{process}:{}{attributes}\n", name(&location.name)?));
    }
    for (id, edge) in automaton.edges().iter_enumerated() {
        if !edge.selects.is_empty() {
            return Err(DIALECT.error(Part::Select(edge_name(automaton, id))));
        }
        let guard = DIALECT.guard(automaton, &edge.guard)?;
        let updates = DIALECT.updates(automaton, &edge.updates)?;
        let end = |location| name(&automaton.locations()[location].name);
        text.push_str(&format!(
            "edge:{process}:{}:{}:{}{}\n",
            end(edge.source)?,
            end(edge.target)?,
            events[edge.action],
            attributes(&[keyed("provided", &guard), keyed("do", &updates)])
        ));
    }
    Ok(text)
}

/// The event of each action: the action's name, with a suffix if several actions share it.
fn events(automaton: &Automaton) -> Result<IndexVec<ActionId, String>, Inexpressible> {
    let mut uses = BTreeMap::<&str, usize>::new();
    for action in automaton.actions() {
        if action.urgent {
            return Err(DIALECT.error(Part::UrgentChannel(action.name.to_string())));
        }
        *uses.entry(&action.name).or_default() += 1;
    }
    let event = |action: &tamper_timed::model::Action| {
        let suffix = match (action.role, uses.get(&*action.name)) {
            (_, Some(1) | None) => "",
            (Role::Input, _) => ".in",
            (Role::Output, _) => ".out",
            (Role::Internal, _) => ".internal",
        };
        match action.role {
            Role::Internal => Ok(format!("{}{suffix}", action.name)),
            // In the alphabet line, `tau` would mean the internal action.
            _ if *action.name == *"tau" => Err(DIALECT.error(Part::Name(action.name.to_string()))),
            _ => Ok(format!("{}{suffix}", name(&action.name)?)),
        }
    };
    automaton.actions().iter().map(event).collect()
}

fn keyed(key: &str, value: &str) -> String {
    match value {
        "" => String::new(),
        _ => format!("{key}:{value}"),
    }
}

/// The list of the attributes that are not empty. A key without a value ends in its colon; another one separates.
fn attributes(list: &[String]) -> String {
    let given: Vec<&str> = list
        .iter()
        .filter(|text| !text.is_empty())
        .map(String::as_str)
        .collect();
    match given.is_empty() {
        true => String::new(),
        false => format!("{{{}}}", given.join(":")),
    }
}

/// A name for a process, similar to `name`: nothing refers to it.
fn process_name(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    match KEYWORDS.contains(&plain.as_str()) || !plain.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => format!("P_{plain}"),
        false => plain,
    }
}

/// `text` if it is a name: letters, digits, `_` and `.`, no digit first, no keyword.
fn name(text: &str) -> Result<&str, Inexpressible> {
    let letters = text
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'));
    let first = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    match letters && first && !KEYWORDS.contains(&text) {
        true => Ok(text),
        false => Err(DIALECT.error(Part::Name(text.to_owned()))),
    }
}

/// `text` if it is the name of a variable, which has no `.`.
fn variable(text: &str) -> Result<&str, Inexpressible> {
    match text.contains('.') {
        true => Err(DIALECT.error(Part::Name(text.to_owned()))),
        false => name(text),
    }
}
