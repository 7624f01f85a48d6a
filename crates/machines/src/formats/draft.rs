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
    /// Lets the machine start in the state of that name.
    pub fn start_in(&mut self, name: &str) {
        let named = self.states.keys().find(|state| self.builder.name_of(**state) == name);
        match named.copied() {
            Some(state) => self.builder.set_initial(state),
            None => {
                let names: Vec<&str> = self
                    .states
                    .keys()
                    .take(20)
                    .map(|state| self.builder.name_of(*state))
                    .collect();
                let help = format!("its states are {}", names.join(", "));
                let message = format!("the machine has no state `{name}` to start in");
                self.diagnostics.push(Diagnostic::error(message, None).with_help(help));
            }
        }
    }
    pub fn error(&mut self, message: impl Into<String>, span: Span, help: &str) {
        self.diagnostics.push(Diagnostic::error(message, span).with_help(help));
    }
}
