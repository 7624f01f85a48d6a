//! A machine while it is read, shared by the readers.

use std::collections::BTreeMap;

use crate::{InputId, MachineBuilder, StateId, Transition};
use tamper_text::{Diagnostic, Span};

/// The treatment of states and inputs without a transition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Unspecified {
    /// The file is refused.
    #[default]
    Refuse,
    /// The machine stays in its state and answers `-`. In KISS2 also: a next state `*` is the state itself, an output
    /// bit `-` is 0.
    Fill,
}

/// The places of transitions in the file, by state, input and transition.
pub type TransitionSpans = BTreeMap<(StateId, InputId, Transition), Span>;

/// Transitions with their places in the file.
#[derive(Default)]
pub(super) struct MachineDraft {
    pub builder: MachineBuilder,
    /// By transition, in the order of addition.
    pub spans: Vec<Span>,
    pub places: TransitionSpans,
    /// By state: the place of its first mention.
    pub states: BTreeMap<StateId, Span>,
    pub diagnostics: Vec<Diagnostic>,
}

impl MachineDraft {
    pub fn state(&mut self, name: &str, span: Span) -> StateId {
        let state = self.builder.state(name);
        self.states.entry(state).or_insert(span);
        state
    }
    pub fn add(&mut self, state: StateId, input: InputId, transition: Transition, mutated: bool, span: Span) {
        self.builder.add(state, input, transition, mutated);
        self.places.entry((state, input, transition)).or_insert(span);
        self.spans.push(span);
    }
    pub fn error(&mut self, message: impl Into<String>, span: Span, help: &str) {
        self.diagnostics.push(Diagnostic::error(message, span).with_help(help));
    }
}
