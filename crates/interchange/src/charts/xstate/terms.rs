//! Transitions, guards and actions of a machine configuration.

use jsonc_parser::ast::{Object, Value};

use super::json::{elements, get, place, written};
use super::read::Reader;
use crate::charts::chart::{ChartAction, ChartTransition, GuardTerm, Sender, Timer};
use tamper_text::Span;

impl Reader<'_> {
    /// The transitions of one event: a target, a transition, or a list of them.
    pub(in crate::charts) fn transitions(&mut self, source: usize, value: &Value<'_>) -> Vec<ChartTransition> {
        let elements = elements(value);
        elements
            .into_iter()
            .filter_map(|value| self.transition(source, value))
            .collect()
    }

    fn transition(&mut self, source: usize, value: &Value<'_>) -> Option<ChartTransition> {
        let mut transition = ChartTransition {
            source,
            targets: None,
            guard: None,
            reenter: false,
            actions: Vec::new(),
            place: place(value),
        };
        let Value::Object(config) = value else {
            transition.targets = self.targets(source, value);
            self.keep_ambiguous(&transition, is_relative(value));
            return Some(transition);
        };
        let mut says_reenter = false;
        for property in &config.properties {
            let value = &property.value;
            match property.name.as_str() {
                "target" => transition.targets = self.targets(source, value),
                "guard" => transition.guard = Some(self.guard(value)?),
                "actions" => transition.actions = self.actions(value),
                "reenter" => match value {
                    Value::BooleanLit(literal) => (transition.reenter, says_reenter) = (literal.value, true),
                    other => self.error("`reenter` is true or false", place(other), "write true"),
                },
                "meta" | "description" => {}
                _ => self.unknown(property, "a transition"),
            }
        }
        if !says_reenter {
            self.keep_ambiguous(&transition, get(config, "target").is_some_and(is_relative));
        }
        Some(transition)
    }

    /// A transition from a state into itself may mean something else in xstate 4, which enters the state again, but not the states
    /// within it that are named with a `.` and active.
    fn keep_ambiguous(&mut self, transition: &ChartTransition, is_relative: bool) {
        let (source, chart) = (transition.source, &self.chart);
        let mut targets = transition.targets.iter().flatten();
        let is_ambiguous = targets.any(|target| *target == source || chart.is_within(*target, Some(source)));
        if is_ambiguous {
            let is_history = transition
                .targets
                .iter()
                .flatten()
                .any(|target| chart.is_history(*target));
            self.ambiguous
                .push((source, is_relative || is_history, transition.place));
        }
    }

    /// Refuses transitions that the versions of xstate disagree about, now that all of their states is known.
    pub(in crate::charts) fn refuse_ambiguous(&mut self) {
        for (source, is_always, place) in std::mem::take(&mut self.ambiguous) {
            let own = &self.chart.states[source];
            let is_seen = own.entry.len() + own.exit.len() + own.timers.len() + own.invokes.len() > 0;
            if !self.is_said && (is_always || is_seen) {
                self.error(
                    "xstate 4 and xstate 5 disagree about this transition: does it enter its own state again?",
                    place,
                    "write \"xstate\": 5 beside the states of the machine, or \"reenter\": true or false here",
                );
            }
        }
    }

    fn targets(&mut self, source: usize, value: &Value<'_>) -> Option<Vec<usize>> {
        if matches!(value, Value::NullKeyword(_)) {
            return None;
        }
        let texts = self.texts(value, "a target");
        if matches!(texts.as_slice(), [(only, _)] if only.is_empty()) {
            return None;
        }
        let states = texts
            .iter()
            .filter_map(|(text, place)| self.target(source, text, *place));
        let states: Vec<usize> = states.collect();
        if !self.chart.are_together(&states) {
            self.error(
                "these targets cannot be active together",
                place(value),
                "keep one, or write states of different regions of a parallel state",
            );
        }
        Some(states)
    }

    /// `sibling.child`, `.child`, `#id` or `#id.child`.
    fn target(&mut self, source: usize, text: &str, place: Span) -> Option<usize> {
        if text.starts_with('#') {
            return self.by_path(0, text, place);
        }
        match (text.strip_prefix('.'), self.chart.states[source].parent) {
            (Some(below), _) => self.by_path(source, below, place),
            (None, Some(parent)) => self.by_path(parent, text, place),
            (None, None) => {
                self.error(
                    format!("the machine itself has no state beside it called `{text}`"),
                    place,
                    format!("write `.{text}` for a state within it"),
                );
                None
            }
        }
    }

    pub(in crate::charts) fn by_path(&mut self, from: usize, text: &str, place: Span) -> Option<usize> {
        let mut keys = keys(text).into_iter();
        let mut at = from;
        if let Some(id) = text.starts_with('#').then(|| keys.next()).flatten() {
            match self.chart.ids().get(&id[1..]) {
                Some(state) => at = *state,
                None => {
                    self.error(
                        format!("there is no state with the id `{}`", &id[1..]),
                        place,
                        "write the id of a state",
                    );
                    return None;
                }
            }
        }
        for key in keys.filter(|key| !key.is_empty()) {
            match self.chart.child(at, &key) {
                Some(child) => at = child,
                None => {
                    let own = &self.chart.states[at];
                    let known: Vec<&str> = own
                        .children
                        .iter()
                        .map(|child| self.chart.states[*child].key.as_str())
                        .collect();
                    let message = format!("there is no state `{key}` within `{}`", own.id);
                    let help = match known.is_empty() {
                        true => "no state is within it: name another state by its id, `#id`".to_owned(),
                        false => format!("the states there: {}", known.join(", ")),
                    };
                    self.error(message, place, help);
                    return None;
                }
            }
        }
        Some(at)
    }

    pub(in crate::charts) fn guard(&mut self, value: &Value<'_>) -> Option<GuardTerm> {
        let (name, parameters) = self.named(value, "a guard")?;
        match name.as_str() {
            "xstate.not" => {
                let mut terms = self.guards_in(value, &name, 1)?;
                Some(GuardTerm::Not(Box::new(terms.pop()?)))
            }
            "xstate.and" => Some(GuardTerm::All(self.guards_in(value, &name, usize::MAX)?)),
            "xstate.or" => Some(GuardTerm::Any(self.guards_in(value, &name, usize::MAX)?)),
            "xstate.stateIn" => {
                self.error(
                    "the guard `stateIn` is not read",
                    place(value),
                    "use a guard by name, or another state",
                );
                None
            }
            _ => {
                let name = format!("{name}{parameters}");
                let known = self.chart.guards.iter().position(|(known, _)| *known == name);
                Some(GuardTerm::Named(known.unwrap_or_else(|| {
                    self.chart.guards.push((name, place(value)));
                    self.chart.guards.len() - 1
                })))
            }
        }
    }

    /// The guards that `name` puts together, `most` at most.
    fn guards_in(&mut self, value: &Value<'_>, name: &str, most: usize) -> Option<Vec<GuardTerm>> {
        let guards = match value {
            Value::Object(config) => get(config, "guards").map(elements).unwrap_or_default(),
            _ => Vec::new(),
        };
        if guards.is_empty() || guards.len() > most {
            let message = format!(
                "`{name}` puts {} together",
                if most == 1 { "one guard" } else { "guards" }
            );
            let help = format!("write {{\"type\": \"{name}\", \"guards\": [\"g\"]}}");
            self.error(message, place(value), help);
            return None;
        }
        // Each wrong guard is said.
        let terms: Vec<_> = guards.into_iter().map(|guard| self.guard(guard)).collect();
        terms.into_iter().collect()
    }

    pub(in crate::charts) fn actions(&mut self, value: &Value<'_>) -> Vec<ChartAction> {
        elements(value)
            .into_iter()
            .filter_map(|value| self.action(value))
            .collect()
    }

    fn action(&mut self, value: &Value<'_>) -> Option<ChartAction> {
        let (name, parameters) = self.named(value, "an action")?;
        match name.as_str() {
            "xstate.assign" => Some(ChartAction::Assign),
            "xstate.log" => None,
            "xstate.raise" => {
                let event = self.event_of(value)?;
                let parts = parts(value)?;
                let Some(delay) = get(parts, "delay") else {
                    return Some(ChartAction::Raise(event));
                };
                let delay = self.delay_or_name(delay)?;
                let (id, place) = (self.text(parts, "id"), place(value));
                let timer = Timer { delay, event, place };
                self.chart.sends.push(Sender {
                    timer,
                    id,
                    is_output: false,
                });
                Some(ChartAction::Send(self.chart.sends.len() - 1))
            }
            "xstate.cancel" => {
                let id = parts(value).and_then(|parts| {
                    let key = if get(parts, "sendId").is_some() { "sendId" } else { "id" };
                    self.text(parts, key)
                });
                if id.as_ref().is_none_or(|id| id.starts_with("xstate.after.")) {
                    let help =
                        "write {\"type\": \"xstate.cancel\", \"id\": \"i\"} with the id of a delayed `xstate.raise`";
                    self.error("this action cancels no event that was raised", place(value), help);
                }
                id.map(ChartAction::Cancel)
            }
            "xstate.emit" => self.event_of(value).map(ChartAction::Output),
            "xstate.sendTo" => {
                let event = self.event_of(value)?;
                let Value::Object(config) = value else { return None };
                if let Some(delay) = parts(value).and_then(|parts| get(parts, "delay")) {
                    let help = "raise an event with a delay, and send this one without when it comes";
                    self.error("a message with a delay of its own is not read", place(delay), help);
                }
                let to = self.text(config, "target").or_else(|| self.text(config, "to"));
                Some(ChartAction::Output(format!(
                    "send {event}{}",
                    to.map(|to| format!(" to {to}")).unwrap_or_default()
                )))
            }
            _ if name.starts_with("xstate.") => {
                let help =
                    "those that are: assign, raise, cancel, emit, sendTo and log; everything else is an action by name";
                self.error(format!("the action `{name}` is not read"), place(value), help);
                None
            }
            _ => Some(ChartAction::Output(format!("{name}{parameters}"))),
        }
    }

    /// The event of an action that sends one at once.
    fn event_of(&mut self, value: &Value<'_>) -> Option<String> {
        let Some(config) = parts(value) else {
            self.error(
                "this action has no event",
                place(value),
                "write {\"type\": \"xstate.raise\", \"event\": \"E\"}",
            );
            return None;
        };
        match get(config, "event") {
            Some(event) => self.named(event, "an event").map(|(name, _)| name),
            None => {
                self.error(
                    "this action has no event",
                    place(value),
                    "write \"event\": and its name",
                );
                None
            }
        }
    }

    /// A name, or the `type` of an object with the text of its parameters.
    fn named(&mut self, value: &Value<'_>, what: &str) -> Option<(String, String)> {
        match value {
            Value::StringLit(text) => Some((text.value.to_string(), String::new())),
            Value::Object(config) => {
                let name = self.text(config, "type");
                if name.is_none() {
                    self.error(
                        format!("{what} has no type"),
                        place(value),
                        "write \"type\": and its name",
                    );
                }
                let parameters = get(config, "params").map(written).filter(|text| !text.is_empty());
                Some((name?, parameters.map(|text| format!(" {text}")).unwrap_or_default()))
            }
            other => {
                self.error(
                    format!("{what} has no name"),
                    place(other),
                    "write its name as a text, or {\"type\": …}",
                );
                None
            }
        }
    }

    /// The text of a key.
    pub(in crate::charts) fn text(&mut self, config: &Object<'_>, key: &str) -> Option<String> {
        match get(config, key)? {
            Value::StringLit(text) => Some(text.value.to_string()),
            other => {
                self.error(format!("`{key}` is a text"), place(other), "put it in double quotes");
                None
            }
        }
    }

    /// A text, or a list of them.
    pub(in crate::charts) fn texts(&mut self, value: &Value<'_>, what: &str) -> Vec<(String, Span)> {
        let mut texts = Vec::new();
        for value in elements(value) {
            match value {
                Value::StringLit(text) => texts.push((text.value.to_string(), place(value))),
                other => self.error(format!("{what} is a text"), place(other), "put it in double quotes"),
            }
        }
        texts
    }
}

/// What an action is made of: its parameters, if it has such.
fn parts<'v, 'a>(value: &'v Value<'a>) -> Option<&'v Object<'a>> {
    match value {
        Value::Object(config) => match get(config, "params") {
            Some(Value::Object(parameters)) => Some(parameters),
            _ => Some(config),
        },
        _ => None,
    }
}

/// The keys of a path; what stands behind a `\` is part of a key.
fn keys(text: &str) -> Vec<String> {
    let mut keys = vec![String::new()];
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let last = keys.last_mut().expect("there is one at least");
        match character {
            '.' => keys.push(String::new()),
            '\\' => last.extend(characters.next()),
            _ => last.push(character),
        }
    }
    keys
}

/// Whether one of the targets begins with a `.`.
fn is_relative(targets: &Value<'_>) -> bool {
    let mut targets = elements(targets).into_iter();
    targets.any(|target| matches!(target, Value::StringLit(text) if text.value.starts_with('.')))
}
