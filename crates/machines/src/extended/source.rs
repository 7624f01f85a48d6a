//! An extended machine: states, variables over bounded domains, inputs with parameters, and rules.
//!
//! In a state, on an event, the first rule whose guard holds is taken. Some parts have alternatives, of which a mutant
//! has exactly one; the first is the specification's. The semantics of rules is in `step`.

use std::sync::Arc;

use super::expr::Expr;
use crate::SetId;
use tamper_text::{IndexVec, Span};

/// The values from `low` to `high`, with names for an enumeration or the booleans.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domain {
    /// The least value of the domain.
    pub low: i64,
    /// The greatest value of the domain.
    pub high: i64,
    /// The names of the values, if they have names: then the least value is 0.
    pub names: Option<Arc<[String]>>,
}

impl Domain {
    /// The number of values.
    pub fn size(&self) -> u128 {
        (i128::from(self.high) - i128::from(self.low) + 1).unsigned_abs()
    }
    /// Whether `value` is in the domain.
    pub fn has(&self, value: i64) -> bool {
        (self.low..=self.high).contains(&value)
    }
    /// The value in its written form.
    pub fn show(&self, value: i64) -> String {
        let name = self
            .names
            .as_ref()
            .and_then(|names| names.get(usize::try_from(value).ok()?));
        name.cloned().unwrap_or_else(|| value.to_string())
    }
}

/// A variable over a bounded domain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The name of the variable.
    pub name: String,
    /// The values that the variable can have.
    pub domain: Domain,
    /// The value before the first input.
    pub initial: i64,
}

/// An input, or an event that rules raise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The name of the event.
    pub name: String,
    /// The names and domains of the parameters.
    pub parameters: Vec<(String, Domain)>,
    /// Whether it is an input; else rules of the machine raise it.
    pub is_input: bool,
}

/// The trigger of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trigger {
    /// The rule waits for this event.
    Event(usize),
    /// The rule is tried whenever its state is entered or stayed in, before any further event.
    Always,
}

/// A part with alternatives; without a set there is only one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options<T> {
    /// The suspicious set in which mutants choose, if any.
    pub set: Option<SetId>,
    /// The alternatives, of which the first is the specification's.
    pub all: Vec<T>,
}

impl<T> Options<T> {
    /// A single option, in which all mutants agree.
    pub fn one(only: T) -> Self {
        Self {
            set: None,
            all: vec![only],
        }
    }
}

/// A place for a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The trigger of the rule.
    pub trigger: Trigger,
    /// The rule; a mutant may lack it.
    pub rule: Options<Option<Rule>>,
}

/// A guarded rule: its actions are executed on an event if the guard holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The condition under which the rule is enabled.
    pub guard: Expr,
    /// The actions, in order.
    pub actions: Vec<Action>,
    /// The next state.
    pub target: Options<usize>,
    /// The place of the rule in the text.
    pub span: Span,
}

/// A single effect of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A variable gets a value.
    Assign {
        /// The variable that gets the value.
        variable: usize,
        /// The value that the variable gets.
        value: Expr,
        /// The place of the assignment in the text.
        span: Span,
    },
    /// The machine gives this answer to the input.
    Answer(Options<Answer>),
    /// The machine raises an event that it reacts to before the next input.
    Raise(usize),
}

/// An answer: a name, with values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The name of the answer.
    pub name: String,
    /// The values, each with the names of its domain's values.
    pub arguments: Vec<(Expr, Option<Arc<[String]>>)>,
}

/// The machine with all its alternatives. References between its parts are valid numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtendedMachine {
    /// The names of the states.
    pub states: Vec<String>,
    /// The state before the first input.
    pub initial: usize,
    /// The actions before the first input: assignments only, without alternatives.
    pub start: Vec<Action>,
    /// The variables of all configurations.
    pub variables: Vec<Variable>,
    /// The inputs and the events that rules raise.
    pub events: Vec<Event>,
    /// By state: its rules, in the order in which they are tried.
    pub slots: Vec<Vec<Slot>>,
    /// By suspicious set: a description of each choice, for display.
    pub sets: IndexVec<SetId, Vec<String>>,
    /// The hash of the text that it was read from.
    pub fingerprint: String,
}

impl ExtendedMachine {
    /// The number of rules, alternatives for whole rules included.
    pub fn n_rules(&self) -> usize {
        let slots = self.slots.iter().flatten();
        slots.map(|slot| slot.rule.all.iter().flatten().count()).sum()
    }

    /// The rules of a state for an event, by the number of their slot.
    pub(super) fn on(&self, state: usize, trigger: Trigger) -> impl Iterator<Item = &Slot> {
        self.slots[state].iter().filter(move |slot| slot.trigger == trigger)
    }

    pub(super) fn rules(&self) -> impl Iterator<Item = &Rule> {
        let slots = self.slots.iter().flatten();
        slots.flat_map(|slot| slot.rule.all.iter().flatten())
    }

    /// The inputs with all values of their parameters, in order.
    pub fn inputs(&self) -> Vec<(usize, Vec<i64>)> {
        let mut inputs = Vec::new();
        for (at, event) in self.events.iter().enumerate().filter(|(_, event)| event.is_input) {
            let mut all = vec![Vec::new()];
            for (_, domain) in &event.parameters {
                let longer = |values: &Vec<i64>| -> Vec<Vec<i64>> {
                    (domain.low..=domain.high)
                        .map(|value| [&values[..], &[value]].concat())
                        .collect()
                };
                all = all.iter().flat_map(longer).collect();
            }
            inputs.extend(all.into_iter().map(|values| (at, values)));
        }
        inputs
    }

    /// An input in its written form: `coin(2)`.
    pub fn show_input(&self, event: usize, values: &[i64]) -> String {
        let event = &self.events[event];
        let shown = event.parameters.iter().zip(values);
        with_values(&event.name, shown.map(|((_, domain), value)| domain.show(*value)))
    }
}

/// `name`, or `name(value,value)`.
pub(super) fn with_values(name: &str, values: impl Iterator<Item = String>) -> String {
    let values: Vec<String> = values.collect();
    if values.is_empty() {
        name.to_owned()
    } else {
        format!("{name}({})", values.join(","))
    }
}
