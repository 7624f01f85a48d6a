//! Reads a machine configuration.

use std::collections::BTreeMap;

use jsonc_parser::ast::{Object, ObjectProp, Value};

use super::json::{elements, get, head, name_place, object, place, sorted};
use crate::charts::chart::{Chart, ChartAction, ChartState, Dialect, StateKind, Timer};
use crate::charts::file::read_chart;
use crate::charts::unfold::{Unfolded, first_difference, unfolded};
use tamper_text::json::parse;
use tamper_text::{Diagnostic, Piece, ReadError, SourceFile, Span, has_error};
use tamper_uppaal::{Document, ReadOptions};

/// The deepest nesting of states.
const MOST_LEVELS: usize = 60;
/// Greatest delay that a timer of JavaScript keeps: after a longer one it goes after 1 ms.
const LONGEST_DELAY: i64 = (1 << 31) - 1;
/// Keys that say nothing about what the machine does.
const REMARKS: [&str; 17] = [
    "$schema",
    "context",
    "delays",
    "description",
    "input",
    "key",
    "meta",
    "order",
    "output",
    "predictableActionArguments",
    "preserveActionOrder",
    "schema",
    "tags",
    "tsTypes",
    "types",
    "version",
    "xstate",
];

/// The machine configuration in `bytes`, the content of a file called `name`, as a game, and warnings about it.
///
/// # Errors
/// Everything that is malformed, and what has no exact meaning here, by its name.
pub fn read_xstate(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<(Document, Vec<Diagnostic>), ReadError> {
    read_chart(name, bytes, options, chart)
}

fn chart(file: &SourceFile, found: &mut Vec<Diagnostic>) -> Option<(Chart, Unfolded)> {
    let value = match parse(Piece::new(file.text(), 0)) {
        Ok(value) => value,
        Err(error) => {
            found.push(error);
            return None;
        }
    };
    let root = object(&value, "a machine configuration", found)?;
    let says_nothing = |property: &ObjectProp<'_>| match (property.name.as_str(), &property.value) {
        ("states", Value::Object(states)) => states.properties.is_empty(),
        (key, _) => key == "id" || REMARKS.contains(&key),
    };
    if root.properties.iter().all(says_nothing) {
        let error = Diagnostic::error("the machine has no states, and nothing happens in it", place(&value));
        let help = "write its \"states\", or, for an Ecdar component, its \"name\", \"locations\" and \"edges\"";
        found.push(error.with_help(help));
        return None;
    }
    let said = version(root, found);
    let dialect = said.unwrap_or_default();
    let chart = read_as(root, dialect, said.is_some(), found).filter(|_| !has_error(found))?;
    // What is too large is so in both versions.
    let (chart, unfolded) = unfolded(chart, found)?;
    if said.is_none() {
        let mut otherwise = Vec::new();
        let other = read_as(root, Dialect::XState4, false, &mut otherwise);
        let of_4 = otherwise.into_iter().find(|said| has_error(std::slice::from_ref(said)));
        let place = match of_4 {
            Some(error) => error.span,
            None => other.and_then(|other| first_difference(&chart, &other)),
        };
        if let Some(place) = place {
            let error = Diagnostic::error("xstate 4 and xstate 5 disagree about what follows from this", place);
            let help = "write \"xstate\": 5 or \"xstate\": 4 beside the states of the machine";
            found.push(error.with_help(help));
            return None;
        }
    }
    Some((chart, unfolded))
}

/// The version that the file says.
fn version(root: &Object<'_>, found: &mut Vec<Diagnostic>) -> Option<Dialect> {
    let value = get(root, "xstate")?;
    match value {
        Value::NumberLit(number) if number.value == "5" => Some(Dialect::XState5),
        Value::NumberLit(number) if number.value == "4" => Some(Dialect::XState4),
        other => {
            let error = Diagnostic::error("the meanings of xstate 4 and of xstate 5 are read", place(other));
            found.push(error.with_help("write \"xstate\": 5 or \"xstate\": 4"));
            None
        }
    }
}

fn read_as(root: &Object<'_>, dialect: Dialect, is_said: bool, found: &mut Vec<Diagnostic>) -> Option<Chart> {
    let mut reader = Reader {
        chart: Chart {
            dialect,
            ..Chart::default()
        },
        delays: BTreeMap::new(),
        ids: BTreeMap::new(),
        is_said,
        found,
    };
    reader.settings(root);
    let mut configs = Vec::new();
    reader.state(root, None, "", 0, &mut configs);
    let ids = reader.chart.states.iter().enumerate().rev();
    reader.ids = ids.map(|(at, state)| (state.id.clone(), at)).collect();
    for (state, config) in configs.iter().enumerate() {
        reader.parts(state, config);
    }
    (0..configs.len()).for_each(|state| reader.by_default(state));
    (!has_error(reader.found)).then_some(reader.chart)
}

pub(in crate::charts) struct Reader<'f> {
    pub chart: Chart,
    /// Delays by name.
    delays: BTreeMap<String, i64>,
    /// States by id.
    pub ids: BTreeMap<String, usize>,
    /// Whether the file says which version of xstate is meant; if not, its words are those of xstate 5.
    is_said: bool,
    found: &'f mut Vec<Diagnostic>,
}

impl Reader<'_> {
    pub(in crate::charts) fn is_of_4(&self) -> bool {
        self.chart.dialect == Dialect::XState4
    }

    /// Whether the words of xstate 4 are read.
    pub(in crate::charts) fn says_4(&self) -> bool {
        self.is_said && self.is_of_4()
    }

    pub(in crate::charts) fn error(&mut self, message: impl Into<String>, place: Span, help: impl Into<String>) {
        self.found.push(Diagnostic::error(message, place).with_help(help));
    }

    /// Reads delays by name, which stand beside the configuration.
    fn settings(&mut self, root: &Object<'_>) {
        let Some(delays) = get(root, "delays") else { return };
        let Some(delays) = object(delays, "`delays`", self.found) else {
            return;
        };
        for property in &delays.properties {
            if let Some(delay) = self.delay(&property.value) {
                self.delays.insert(property.name.as_str().to_owned(), delay);
            }
        }
    }

    /// A number of milliseconds.
    fn delay(&mut self, value: &Value<'_>) -> Option<i64> {
        match value {
            Value::NumberLit(number) => self.milliseconds(number.value, place(value)),
            _ => {
                self.error("a delay is a number of milliseconds", place(value), "write 1000");
                None
            }
        }
    }

    /// A number of milliseconds, or the name of one.
    pub(in crate::charts) fn delay_or_name(&mut self, value: &Value<'_>) -> Option<i64> {
        match value {
            Value::StringLit(name) => self.delay_by_name(&name.value, place(value)),
            _ => self.delay(value),
        }
    }

    fn delay_by_name(&mut self, name: &str, place: Span) -> Option<i64> {
        let delay = self.delays.get(name).copied();
        if delay.is_none() {
            let message =
                format!("the delay `{name}` is not known; xstate takes a name that nothing defines for no delay");
            let help = format!("write \"delays\": {{\"{name}\": 1000}} beside the states of the machine");
            self.error(message, place, help);
        }
        delay
    }

    fn milliseconds(&mut self, text: &str, place: Span) -> Option<i64> {
        match text.parse::<i64>() {
            Ok(delay) if delay > LONGEST_DELAY => {
                let warning = Diagnostic::warning(format!("a timer of JavaScript takes {delay} ms for 1 ms"), place);
                self.found
                    .push(warning.with_help("the longest delay is 2147483647 ms, about 24 days"));
                Some(1)
            }
            Ok(delay) if delay >= 0 => Some(delay),
            _ => {
                let message = format!("the delay {text} is no number of whole milliseconds");
                self.error(message, place, "write 0 or a natural number");
                None
            }
        }
    }

    /// Adds the state and all within it.
    fn state<'v, 'a>(
        &mut self,
        config: &'v Object<'a>,
        parent: Option<usize>,
        key: &str,
        level: usize,
        configs: &mut Vec<&'v Object<'a>>,
    ) {
        let at = self.chart.states.len();
        let id = self.text(config, "id");
        let id = id.unwrap_or_else(|| match parent {
            None => self.text(config, "key").unwrap_or_else(|| "machine".to_owned()),
            Some(parent) => {
                let around = self.chart.around(parent, Some(0));
                // In xstate 4 the key of the machine may differ from its id.
                let root = &self.chart.states[0];
                let mut keys: Vec<&str> = vec![if root.key.is_empty() { &root.id } else { &root.key }];
                keys.extend(around.iter().rev().map(|at| self.chart.states[*at].key.as_str()));
                keys.extend((parent != 0).then(|| self.chart.states[parent].key.as_str()));
                keys.push(key);
                keys.join(".")
            }
        });
        if let Some(earlier) = self.chart.states.iter().find(|state| state.id == id) {
            let earlier = earlier.place;
            let error = Diagnostic::error(format!("two states have the id `{id}`"), head(config));
            self.found.push(
                error
                    .with_secondary(earlier, "the first one")
                    .with_help("give one another id"),
            );
        }
        let own_key = self.text(config, "key").filter(|_| self.says_4());
        if let Some(own_key) = own_key.as_ref().filter(|own_key| parent.is_some() && *own_key != key) {
            let message = format!("the state `{key}` has another key, `{own_key}`");
            self.error(message, head(config), "leave one of them out");
        }
        let states = match get(config, "states") {
            Some(states) => object(states, "`states`", self.found).map(sorted).unwrap_or_default(),
            None => Vec::new(),
        };
        let kind = self.kind(config, !states.is_empty());
        configs.push(config);
        let key = own_key.unwrap_or_else(|| key.to_owned());
        let state = ChartState::new(at, [key, id], parent, kind, head(config));
        self.chart.states.push(state);
        if level > MOST_LEVELS {
            return self.error(
                "states are nested too deeply",
                head(config),
                "at most 60 levels are read",
            );
        }
        for (position, property) in states.iter().enumerate() {
            let key = property.name.as_str();
            if states[..position].iter().any(|earlier| earlier.name.as_str() == key) {
                self.error(
                    format!("two states have the key `{key}`"),
                    name_place(property),
                    "rename one",
                );
                continue;
            }
            if let Some(config) = object(&property.value, "a state", self.found) {
                let child = self.chart.states.len();
                self.state(config, Some(at), key, level + 1, configs);
                self.chart.states[child].place = name_place(property);
                self.chart.states[at].children.push(child);
            }
        }
        self.chart.states[at].end = self.chart.states.len();
    }

    fn kind(&mut self, config: &Object<'_>, has_states: bool) -> StateKind {
        let history = match get(config, "history") {
            Some(Value::StringLit(text)) if text.value == "deep" => Some(true),
            Some(Value::StringLit(text)) if text.value == "shallow" => Some(false),
            Some(Value::BooleanLit(literal)) if literal.value => Some(false),
            None | Some(Value::BooleanLit(_)) => None,
            Some(other) => {
                self.error(
                    "a history is \"shallow\" or \"deep\"",
                    place(other),
                    "write one of the two",
                );
                None
            }
        };
        let is_parallel = matches!(get(config, "parallel"), Some(Value::BooleanLit(literal)) if literal.value);
        let text = self.text(config, "type");
        match text.as_deref() {
            Some("parallel") => StateKind::Parallel,
            Some("final") => StateKind::Final,
            Some("history") => StateKind::History {
                deep: history == Some(true),
            },
            Some("atomic") => StateKind::Atomic,
            Some("compound") => StateKind::Compound,
            Some(other) => {
                let message = format!("there is no type `{other}`");
                self.error(
                    message,
                    head(config),
                    "types are parallel, final, history, atomic and compound",
                );
                StateKind::Atomic
            }
            None if is_parallel && self.says_4() => StateKind::Parallel,
            None if has_states => StateKind::Compound,
            None => history.map_or(StateKind::Atomic, |deep| StateKind::History { deep }),
        }
    }

    /// Reads what a state does, now that all states are known.
    fn parts(&mut self, state: usize, config: &Object<'_>) {
        for property in &config.properties {
            let (key, value) = (property.name.as_str(), &property.value);
            match key {
                "id" | "type" | "states" | "history" => {}
                "parallel" | "data" if self.says_4() => {}
                "strict" if self.says_4() && matches!(value, Value::BooleanLit(literal) if !literal.value) => {}
                "onEntry" if self.says_4() && get(config, "entry").is_none() => {
                    self.chart.states[state].entry = self.actions(value)
                }
                "onExit" if self.says_4() && get(config, "exit").is_none() => {
                    self.chart.states[state].exit = self.actions(value)
                }
                "initial" => self.initial(state, value),
                "target" => {
                    let keys = self.texts(value, "a target");
                    let parent = self.chart.states[state].parent.unwrap_or(0);
                    let found = keys.iter().filter_map(|(key, place)| self.by_path(parent, key, *place));
                    let targets: Vec<usize> = found.collect();
                    self.chart.states[state].default = Some(targets);
                }
                "entry" => self.chart.states[state].entry = self.actions(value),
                "exit" => self.chart.states[state].exit = self.actions(value),
                "on" => self.on(state, value),
                "after" => self.after(state, value),
                "always" => {
                    let always = self.transitions(state, value);
                    self.chart.states[state].always.extend(always);
                }
                "onDone" => {
                    let start = if self.is_of_4() {
                        "done.state"
                    } else {
                        "xstate.done.state"
                    };
                    let event = format!("{start}.{}", self.chart.states[state].id);
                    let transitions = self.transitions(state, value);
                    self.chart.states[state].on.push((event, transitions));
                }
                "invoke" => self.invoke(state, value),
                _ if REMARKS.contains(&key) => {}
                _ => self.unknown(property, "a state"),
            }
        }
        if self.is_of_4() {
            let entry = &self.chart.states[state].entry;
            let is_late = entry.iter().enumerate().any(|(at, action)| {
                let sent = entry[..at].iter().filter_map(|earlier| match earlier {
                    ChartAction::Send(sender) => self.chart.sends[*sender].id.as_ref(),
                    _ => None,
                });
                matches!(action, ChartAction::Cancel(id) if sent.into_iter().any(|sent| sent == id))
            });
            if is_late {
                let place = get(config, "entry")
                    .or(get(config, "onEntry"))
                    .map_or(head(config), place);
                let message =
                    "xstate 4 cancels here before it sends, or after, depending on predictableActionArguments";
                self.error(message, place, "cancel first");
            }
            // The order in which xstate 4 looks for a transition.
            let done = format!("done.state.{}", self.chart.states[state].id);
            let invoked = self.chart.states[state].invokes.clone();
            let is_of = |event: &str, start: &str| {
                let id = event.strip_prefix(start);
                id.is_some_and(|id| invoked.iter().any(|invoked| invoked == id))
            };
            self.chart.states[state]
                .on
                .sort_by_key(|(event, _)| match event.as_str() {
                    event if event == done => 0,
                    event if is_of(event, "done.invoke.") || is_of(event, "error.platform.") => 1,
                    "*" => 3,
                    event if event.starts_with("xstate.after(") => 4,
                    _ => 2,
                });
        }
    }

    /// Checks what is entered by default, now that all of it is read.
    fn by_default(&mut self, state: usize) {
        let own = &self.chart.states[state];
        let by_default = own
            .default
            .iter()
            .flatten()
            .chain(own.initial.iter().map(|(child, _)| child));
        let is_circular = |target: &usize| {
            self.chart.is_history(*target) && (own.default.is_some() || self.chart.states[*target].default.is_none())
        };
        let is_history = own
            .initial
            .as_ref()
            .is_some_and(|(child, _)| self.chart.is_history(*child));
        if by_default.into_iter().any(is_circular) || is_history && self.is_of_4() {
            let (message, place) = (
                format!("`{}` leads to a history without a default of its own", own.id),
                own.place,
            );
            return self.error(
                message,
                place,
                "let it lead to a state, or write the history's \"target\"",
            );
        }
        if own.kind == StateKind::Compound && own.initial.is_none() && !has_error(self.found) {
            let (message, place) = (format!("`{}` has no initial state", own.id), own.place);
            self.error(
                message,
                place,
                "write \"initial\": and the key of the state that is entered by default",
            );
        }
    }

    /// Refuses a key by its name.
    pub(in crate::charts) fn unknown(&mut self, property: &ObjectProp<'_>, whose: &str) {
        let key = property.name.as_str();
        let help = match key {
            "guard" if self.says_4() => "that is xstate 5: in xstate 4 it is `cond`",
            "reenter" if self.says_4() => {
                "that is xstate 5: in xstate 4 a transition to its own state enters it again without \"internal\": true"
            }
            "activities" if self.says_4() => {
                "activities are not read: invoke what goes on, or use actions in entry and exit"
            }
            "strict" => "a machine that is strict throws at an event that means nothing: leave it out",
            "delimiter" => "write paths with `.`",
            "cond" => "that is xstate 4 (\"xstate\": 4): in xstate 5 it is `guard`",
            "internal" => {
                "that is xstate 4: in xstate 5 a transition enters its own state again only with \"reenter\": true"
            }
            "in" => {
                "that is xstate 4: in xstate 5 it is a guard, {\"type\": \"xstate.stateIn\", \"stateValue\": \"#id\"}"
            }
            "activities" => "that is xstate 4: in xstate 5 it is `invoke`",
            "onSnapshot" => "what an invoked actor shows on the way is not read: let it send an event",
            "onEntry" | "onExit" => "that is xstate 4: in xstate 5 it is `entry` or `exit`",
            "parallel" => "that is xstate 4: in xstate 5 it is \"type\": \"parallel\"",
            _ => "remove it if it means nothing",
        };
        self.error(
            format!("the key `{key}` of {whose} is not read"),
            name_place(property),
            help,
        );
    }

    fn initial(&mut self, state: usize, value: &Value<'_>) {
        let (target, actions) = match value {
            Value::Object(config) if !self.says_4() => {
                let actions = get(config, "actions")
                    .map(|actions| self.actions(actions))
                    .unwrap_or_default();
                (get(config, "target"), actions)
            }
            other => (Some(other), Vec::new()),
        };
        let keys = target
            .map(|target| self.texts(target, "an initial state"))
            .unwrap_or_default();
        let [(key, place)] = keys.as_slice() else {
            return self.error(
                "an initial state is one key",
                place(value),
                "write the key of a state within this one",
            );
        };
        match self.chart.child(state, key) {
            Some(child) => self.chart.states[state].initial = Some((child, actions)),
            None => {
                let message = format!("there is no state `{key}` within `{}`", self.chart.states[state].id);
                self.error(message, *place, "write the key of a state directly within this one");
            }
        }
    }

    fn on(&mut self, state: usize, value: &Value<'_>) {
        let Some(on) = object(value, "`on`", self.found) else {
            return;
        };
        for property in sorted(on) {
            let descriptor = property.name.as_str();
            if descriptor.is_empty() && self.says_4() {
                let always = self.transitions(state, &property.value);
                self.chart.states[state].always.splice(0..0, always);
                continue;
            }
            let is_wild = descriptor == "*" || descriptor.ends_with(".*") && !self.says_4();
            if descriptor.is_empty()
                || descriptor.trim_end_matches('*').contains('*')
                || descriptor.contains('*') && !is_wild
            {
                let message = format!("`{descriptor}` describes no event");
                let help = match self.says_4() {
                    true => "write a name or `*`",
                    false => "write a name, `name.*` or `*`; what waits for nothing is `always`",
                };
                self.error(message, name_place(property), help);
                continue;
            }
            let transitions = self.transitions(state, &property.value);
            self.chart.states[state].on.push((descriptor.to_owned(), transitions));
        }
    }

    fn after(&mut self, state: usize, value: &Value<'_>) {
        let Some(after) = object(value, "`after`", self.found) else {
            return;
        };
        for property in sorted(after) {
            let (key, place) = (property.name.as_str(), name_place(property));
            let begins_as_number = key.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
            // JavaScript takes it for a number, whatever has that name.
            let delay = match begins_as_number && key.parse::<f64>().is_ok() {
                true => self.milliseconds(key, place),
                false => self.delay_by_name(key, place),
            };
            let id = &self.chart.states[state].id;
            let event = match self.is_of_4() {
                true => format!("xstate.after({key})#{id}"),
                false => format!("xstate.after.{key}.{id}"),
            };
            let transitions = self.transitions(state, &property.value);
            let own = &mut self.chart.states[state];
            own.on.push((event.clone(), transitions));
            own.timers.extend(delay.map(|delay| Timer { delay, event, place }));
        }
    }

    fn invoke(&mut self, state: usize, value: &Value<'_>) {
        for (number, value) in elements(value).into_iter().enumerate() {
            let Some(config) = object(value, "what is invoked", self.found) else {
                return;
            };
            let id = self.text(config, "id");
            let id = id.unwrap_or_else(|| match (&self.chart.states[state].id, self.is_of_4()) {
                (of, true) => format!("{of}:invocation[{number}]"),
                (of, false) => format!("{number}.{of}"),
            });
            let (done, error) = match self.is_of_4() {
                true => ("done.invoke", "error.platform"),
                false => ("xstate.done.actor", "xstate.error.actor"),
            };
            for property in &config.properties {
                let event = match property.name.as_str() {
                    "onDone" => format!("{done}.{id}"),
                    "onError" => format!("{error}.{id}"),
                    "type" | "data" | "autoForward" | "forward" if self.says_4() => continue,
                    "id" | "src" | "input" | "systemId" | "meta" | "description" => continue,
                    _ => {
                        self.unknown(property, "what is invoked");
                        continue;
                    }
                };
                let transitions = self.transitions(state, &property.value);
                self.chart.states[state].on.push((event, transitions));
            }
            self.chart.states[state].invokes.push(id);
        }
    }
}
