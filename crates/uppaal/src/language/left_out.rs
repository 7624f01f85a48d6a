//! The parts of a file that are not read, counted for the one warning about them.

use std::collections::{BTreeMap, BTreeSet};

use tamper_text::{Diagnostic, Span};

/// Parts that are not read, by kind, with their places: instances of one template share these.
#[derive(Clone, Default, Debug)]
pub(crate) struct Unread(BTreeMap<&'static str, BTreeSet<Span>>);

impl Unread {
    /// Adds a part of the kind `what` at a place.
    pub fn add(&mut self, what: &'static str, place: Span) {
        self.0.entry(what).or_default().insert(place);
    }

    /// The single warning about all parts.
    pub fn warning(&self) -> Option<Diagnostic> {
        let first = self.0.values().flatten().min()?;
        let counted = self.0.iter().map(|(what, places)| match places.len() {
            1 => format!("1 {what}"),
            n => match what.split_once(' ') {
                Some((first, rest)) if rest.starts_with("of ") => format!("{n} {first}s {rest}"),
                _ => format!("{n} {what}s"),
            },
        });
        let all: Vec<String> = counted.collect();
        let message = format!(
            "not read, because no guard or invariant asks for it: {}",
            all.join(", ")
        );
        let help = "a game is about what can happen, not about how likely or how dear it is: every branch can be taken";
        Some(Diagnostic::warning(message, *first).with_help(help))
    }
}
