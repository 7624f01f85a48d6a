//! The actions of events and vectors, given by the alphabet line of a file.

use std::collections::{BTreeMap, BTreeSet};

use super::system::{AlphabetEntry, Process, Sync, System};
use tamper_text::{Diagnostic, Piece, Span};
use tamper_timed::model::Role;

/// The actions of a file's events and vectors.
#[derive(Debug)]
pub(super) struct Actions<'a> {
    alphabet: BTreeMap<&'a str, AlphabetEntry<'a>>,
    system: &'a System<'a>,
    /// The places of the actions that an error was reported for.
    said: BTreeSet<Span>,
}

impl<'a> Actions<'a> {
    /// The actions of `system`.
    pub fn new(system: &'a System<'a>) -> Self {
        let alphabet = system.alphabet.iter();
        Self {
            alphabet: alphabet.map(|(event, listed)| (&**event, *listed)).collect(),
            system,
            said: BTreeSet::new(),
        }
    }

    /// The action, in a network, of an event that `process` has alone. Without an alphabet line, as in TChecker's own
    /// files, nothing comes from outside: the event is an output, and `tau` is internal.
    pub fn alone_in_network(
        &mut self,
        process: &Process<'_>,
        event: Piece<'a>,
        found: &mut Vec<Diagnostic>,
    ) -> Option<AlphabetEntry<'a>> {
        match self.alphabet.is_empty() {
            true => Some(from_inside(event.text, event.text == TAU, event.span)),
            false => self.alone(process, event, found),
        }
    }

    /// The action of a vector in a network, likewise.
    pub fn together_in_network(
        &mut self,
        sync: &'a Sync<'_>,
        found: &mut Vec<Diagnostic>,
    ) -> Option<AlphabetEntry<'a>> {
        let is_internal = || sync.parts.iter().all(|part| part.event.text == TAU);
        match self.alphabet.is_empty() {
            true => Some(from_inside(&sync.name, is_internal(), sync.span)),
            false => self.together(sync, found),
        }
    }

    /// The action of an event that `process` has alone.
    pub fn alone(
        &mut self,
        process: &Process<'_>,
        event: Piece<'_>,
        found: &mut Vec<Diagnostic>,
    ) -> Option<AlphabetEntry<'a>> {
        let listed = self.listed(process, event.text);
        if listed.is_none() && self.said.insert(event.span) {
            found.push(unlisted(event.text, event.span));
        }
        listed
    }

    /// The action of a vector: the entry of the vector in the list, or else of the events in it.
    pub fn together(&mut self, sync: &Sync<'_>, found: &mut Vec<Diagnostic>) -> Option<AlphabetEntry<'a>> {
        if let Some(listed) = self.alphabet.get(sync.name.as_str()) {
            return Some(*listed);
        }
        let mut actions: Vec<AlphabetEntry<'_>> = Vec::new();
        for part in &sync.parts {
            if let Some(listed) = self.listed(&self.system.processes[part.process], part.event.text) {
                let is_same = |known: &AlphabetEntry<'_>| known.channel == listed.channel && known.role == listed.role;
                if !actions.iter().any(is_same) {
                    actions.push(listed);
                }
            }
        }
        if let [action] = actions[..] {
            return Some(action);
        }
        if self.said.insert(sync.span) {
            let said = match actions.is_empty() {
                true => "it is not said whether this vector is an input or an output".to_owned(),
                false => "the events of this vector are different actions".to_owned(),
            };
            let help = format!(
                "list one of its events, or the vector, in a comment line: `# tamper:alphabet {0}=press?` (input), \
                 `{0}=coffee!` (output) or `{0}=tau` (internal)",
                sync.name
            );
            found.push(Diagnostic::error(said, sync.span).with_help(help));
        }
        None
    }

    fn listed(&self, process: &Process<'_>, event: &str) -> Option<AlphabetEntry<'a>> {
        let own = format!("{}@{event}", process.name.text);
        let listed = self.alphabet.get(own.as_str());
        listed.or_else(|| self.alphabet.get(event)).copied()
    }
}

/// The conventional name of internal events.
const TAU: &str = "tau";

fn from_inside(channel: &str, is_internal: bool, span: Span) -> AlphabetEntry<'_> {
    let role = if is_internal { Role::Internal } else { Role::Output };
    AlphabetEntry { channel, role, span }
}

/// The error that an event is not listed.
pub(super) fn unlisted(event: &str, span: Span) -> Diagnostic {
    let message = format!("it is not said whether the event `{event}` is an input or an output");
    let help = format!("add a comment line `# tamper:alphabet {event}?` (input), `{event}!` (output) or");
    let help = format!("{help} `{event}=tau` (internal); list all events in it");
    Diagnostic::error(message, span).with_help(help)
}
