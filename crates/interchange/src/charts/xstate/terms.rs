//! Transitions, guards and actions of a machine configuration.

use jsonc_parser::ast::{Object, Value};

use super::json::{elements, get, name_place, place, written};
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
            reenter: self.enters_again(value),
            actions: Vec::new(),
            place: place(value),
        };
        let Value::Object(config) = value else {
            transition.targets = self.targets(source, value);
            return Some(transition);
        };
        if let Some(target) = get(config, "target") {
            transition.reenter = self.enters_again(target);
        }
        let (guard, reenter) = match self.says_4() {
            true => ("cond", "internal"),
            false => ("guard", "reenter"),
        };
        let mut terms = Vec::new();
        for property in &config.properties {
            let value = &property.value;
            match property.name.as_str() {
                "target" => transition.targets = self.targets(source, value),
                "actions" => transition.actions = self.actions(value),
                key if key == guard => terms.push(self.guard(value)?),
                key if key == reenter => match value {
                    Value::BooleanLit(literal) => transition.reenter = literal.value != self.says_4(),
                    other => self.error(format!("`{key}` is true or false"), place(other), "write true"),
                },
                "in" if self.says_4() => terms.insert(0, self.in_state(source, value)?),
                "delay" | "event" if self.says_4() => {}
                "meta" | "description" => {}
                _ => self.unknown(property, "a transition"),
            }
        }
        transition.guard = match terms.len() {
            0 | 1 => terms.pop(),
            _ => Some(GuardTerm::All(terms)),
        };
        Some(transition)
    }

    /// Whether a transition to these targets leaves its own state where it does not say so.
    fn enters_again(&self, targets: &Value<'_>) -> bool {
        self.is_of_4() && !is_relative(targets)
    }

    /// The condition of xstate 4 that a state is active: an id, or a path or a value within the state around the parent.
    fn in_state(&mut self, source: usize, value: &Value<'_>) -> Option<GuardTerm> {
        let parent = |state: usize| self.chart.states[state].parent.unwrap_or(0);
        let around = parent(parent(source));
        match value {
            Value::StringLit(text) => match self.by_path(around, &text.value, place(value))? {
                0 => {
                    self.error(
                        "xstate 4 throws here: `in` is for states",
                        place(value),
                        "leave `in` out",
                    );
                    None
                }
                state => Some(GuardTerm::In(state)),
            },
            other => self.in_value(around, other, GuardTerm::In).map(GuardTerm::All),
        }
    }

    /// That the states of a value are so, as `term` says.
    fn in_value(&mut self, around: usize, value: &Value<'_>, term: fn(usize) -> GuardTerm) -> Option<Vec<GuardTerm>> {
        let Value::Object(config) = value else {
            let help = "write the key of a state, or {\"key\": …}";
            self.error("this is no value of a state", place(value), help);
            return None;
        };
        let mut terms = Vec::new();
        for property in &config.properties {
            let state = self.by_path(around, property.name.as_str(), name_place(property))?;
            terms.push(term(state));
            match &property.value {
                Value::StringLit(key) => terms.push(term(self.by_path(state, &key.value, place(value))?)),
                within => terms.extend(self.in_value(state, within, term)?),
            }
        }
        Some(terms)
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
            (None, None) if self.says_4() => self.by_path(source, text, place),
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
        let whole = text.strip_prefix('#').filter(|_| self.is_of_4());
        if let Some(state) = whole.and_then(|id| self.ids.get(id).copied()) {
            return Some(state);
        }
        let mut keys = keys(text).into_iter();
        let mut at = from;
        if let Some(id) = text.starts_with('#').then(|| keys.next()).flatten() {
            match self.ids.get(&id[1..]) {
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
            "xstate.guard" if self.says_4() => {
                let Value::Object(config) = value else { return None };
                let name = self.text(config, "name")?;
                Some(self.named_guard(name, place(value)))
            }
            "xstate.not" | "xstate.and" | "xstate.or" | "xstate.stateIn" if self.says_4() => {
                let help = "that is xstate 5: write a guard of its own name";
                self.error(format!("the guard `{name}` is not read"), place(value), help);
                None
            }
            "xstate.not" => {
                let mut terms = self.guards_in(value, &name, 1)?;
                Some(GuardTerm::Not(Box::new(terms.pop()?)))
            }
            "xstate.and" => Some(GuardTerm::All(self.guards_in(value, &name, usize::MAX)?)),
            "xstate.or" => Some(GuardTerm::Any(self.guards_in(value, &name, usize::MAX)?)),
            "xstate.stateIn" => {
                let of = parts(value).and_then(|parts| get(parts, "stateValue"));
                match of {
                    Some(Value::StringLit(text)) => {
                        let is_id = text.value.starts_with('#');
                        let term = if is_id { GuardTerm::In } else { GuardTerm::Shown };
                        self.by_path(0, &text.value, place(value)).map(term)
                    }
                    Some(of) => self.in_value(0, of, GuardTerm::Shown).map(GuardTerm::All),
                    None => {
                        let help = "write {\"type\": \"xstate.stateIn\", \"stateValue\": \"#id\"}";
                        self.error("`xstate.stateIn` names no state", place(value), help);
                        None
                    }
                }
            }
            _ => Some(self.named_guard(format!("{name}{parameters}"), place(value))),
        }
    }

    fn named_guard(&mut self, name: String, place: Span) -> GuardTerm {
        let known = self.chart.guards.iter().position(|(known, _)| *known == name);
        GuardTerm::Named(known.unwrap_or_else(|| {
            self.chart.guards.push((name, place));
            self.chart.guards.len() - 1
        }))
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
                self.send(value, event, false, ChartAction::Raise)
            }
            "xstate.cancel" => {
                let id = parts(value).and_then(|parts| {
                    let key = if get(parts, "sendId").is_some() { "sendId" } else { "id" };
                    self.text(parts, key)
                });
                if id.as_ref().is_none_or(|id| id.starts_with("xstate.after")) {
                    let help =
                        "write {\"type\": \"xstate.cancel\", \"id\": \"i\"} with the id of a delayed `xstate.raise`";
                    self.error("this action cancels no event that was raised", place(value), help);
                }
                id.map(ChartAction::Cancel)
            }
            "xstate.send" if self.says_4() => self.send_of_4(value),
            "xstate.emit" if !self.says_4() => self.event_of(value).map(ChartAction::Output),
            "xstate.sendTo" if !self.says_4() => {
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
                let help = match self.says_4() {
                    true => "those that are: assign, raise, send, cancel and log; everything else is an action by name",
                    false => {
                        "those that are: assign, raise, cancel, emit, sendTo and log; everything else is an action by name"
                    }
                };
                self.error(format!("the action `{name}` is not read"), place(value), help);
                None
            }
            _ => Some(ChartAction::Output(format!("{name}{parameters}"))),
        }
    }

    /// An event that comes after the delay of the action, or `at_once`.
    fn send(
        &mut self,
        value: &Value<'_>,
        event: String,
        is_output: bool,
        at_once: fn(String) -> ChartAction,
    ) -> Option<ChartAction> {
        let parts = parts(value)?;
        let Some(delay) = get(parts, "delay").filter(|delay| !matches!(delay, Value::NullKeyword(_))) else {
            return Some(at_once(event));
        };
        let delay = self.delay_or_name(delay)?;
        let (id, place) = (self.text(parts, "id"), place(value));
        let timer = Timer { delay, event, place };
        self.chart.sends.push(Sender { timer, id, is_output });
        Some(ChartAction::Send(self.chart.sends.len() - 1))
    }

    /// `send` of xstate 4: an event to the machine itself is handled when the macrostep has ended.
    fn send_of_4(&mut self, value: &Value<'_>) -> Option<ChartAction> {
        let event = self.event_of(value)?;
        match parts(value).and_then(|parts| get(parts, "to")) {
            None | Some(Value::NullKeyword(_)) => self.send(value, event, false, ChartAction::Later),
            Some(Value::StringLit(to)) if to.value == "#_internal" => {
                self.send(value, event, false, ChartAction::Raise)
            }
            Some(to) => self.send(
                value,
                format!("send {event} to {}", written(to)),
                true,
                ChartAction::Output,
            ),
        }
    }

    /// The event of an action that sends one.
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
                let parameters = match self.says_4() {
                    true => Some(written_beside(config)),
                    false => get(config, "params").map(written),
                };
                let parameters = parameters.filter(|text| !text.is_empty());
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

/// The words of an object of xstate 4 beside its type.
fn written_beside(config: &Object<'_>) -> String {
    let properties = config.properties.iter();
    let others = properties.filter(|property| !["type", "exec"].contains(&property.name.as_str()));
    let words = others.map(|property| match property.name.as_str() {
        "params" => written(&property.value),
        name => format!("{name} {}", written(&property.value)),
    });
    words.collect::<Vec<_>>().join(" ")
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
