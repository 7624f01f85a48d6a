//! A JSON file to the automaton that it holds.

use std::collections::BTreeMap;

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged as _;

use super::interval::{Interval, shown, union};
use super::spell::{ACCEPT, OneClock, Transition, spell};
use tamper_text::json::{Fields, Word, parse, span, word};
use tamper_text::{Diagnostic, Piece, ReadError, Severity, SourceFile, Span, decode};
use tamper_uppaal::{Document, ReadOptions, is_reserved, read_behind};

/// The keys of each part: those of the tools' authors, and those of sites that take their files.
const LOCATIONS: [&str; 3] = ["l", "s", "states"];
const ACTIONS: [&str; 2] = ["sigma", "inputs"];
const TRANSITIONS: [&str; 2] = ["tran", "trans"];
const INITIAL: [&str; 2] = ["init", "initState"];
const ACCEPTING: [&str; 2] = ["accept", "acceptStates"];

/// At most this many pairs of a location and an action, and intervals of guards: for each there is an edge.
const LARGEST: usize = 100_000;

/// The game of the automaton in `bytes`, the content of a file called `name`, and warnings about it.
///
/// # Errors
/// Everything that is malformed, that is not between natural numbers, or that is not deterministic.
pub fn read_one_clock(
    name: &str,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<(Document, Vec<Diagnostic>), ReadError> {
    let file = decode(name, bytes)?;
    let mut found = Vec::new();
    let automaton = automaton(&file, &mut found);
    // Where something is wrong, no game is made: it may be too large.
    let is_right = found.iter().all(|found| found.severity == Severity::Warning);
    let raw = automaton.filter(|_| is_right).map(|automaton| spell(&automaton));
    read_behind(file, raw.unwrap_or_default(), found, options)
}

fn automaton(file: &SourceFile, found: &mut Vec<Diagnostic>) -> Option<OneClock> {
    let text = Piece::new(file.text(), 0);
    let value = parse(text).map_err(|error| found.push(error)).ok()?;
    let mut fields = Fields::of(&value, text, "an automaton", found)?;
    if fields.get("outputs").is_some() {
        let error = Diagnostic::error(
            "a Mealy machine with a clock (it has `outputs`) is not read",
            fields.value_place("outputs"),
        );
        found.push(error.with_help("write the automaton of its words, with `sigma`, or a timed game as UPPAAL XML"));
        return None;
    }
    let name = match fields.get("name") {
        Some(name) => word(name, "the name", found)?,
        None => Word {
            text: stem(file.name()).to_owned(),
            span: Span::new(0, 0),
        },
    };
    let locations = Names::read("location", part(&mut fields, &LOCATIONS, found), found);
    let mut actions = Names::read("action", part(&mut fields, &ACTIONS, found), found);
    let initial = part(&mut fields, &INITIAL, found).and_then(|value| locations.find(value, found));
    let accepting = list(part(&mut fields, &ACCEPTING, found), "the accepting locations", found);
    let mut accepting: Vec<usize> = accepting
        .iter()
        .filter_map(|value| locations.find(value, found))
        .collect();
    accepting.sort_unstable();
    accepting.dedup();
    let transitions = match part(&mut fields, &TRANSITIONS, found) {
        Some(Value::Object(object)) => transitions(object, &locations, &actions, found),
        Some(other) => {
            let error = Diagnostic::error("the transitions are a JSON object", span(other.range()));
            found.push(error.with_help("write `{\"0\": [source, action, guard, reset, target], …}`"));
            Vec::new()
        }
        None => Vec::new(),
    };
    let intervals = transitions.iter().map(|transition| transition.guard.len()).sum();
    check_size(&locations, &actions, intervals, fields.place(), found);
    fields.finish(&[], found);
    overlaps(&transitions, &locations, &actions, found);
    channels(&mut actions.list, found);
    Some(OneClock {
        name,
        locations: locations.list,
        actions: actions.list,
        initial: initial?,
        accepting,
        transitions,
    })
}

/// The name of a file without folders and ending.
fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.split_once('.').map_or(file, |(stem, _)| stem)
}

/// The value of the one of `keys` that is there.
fn part<'v, 'a>(
    fields: &mut Fields<'v, 'a>,
    keys: &[&'static str],
    found: &mut Vec<Diagnostic>,
) -> Option<&'v Value<'a>> {
    let mut values = Vec::new();
    for key in keys {
        values.extend(fields.get(key));
    }
    match values[..] {
        [] => {
            let error = Diagnostic::error(format!("the automaton has no `{}`", keys[0]), fields.place());
            found.push(error.with_help(format!(
                "the keys are `{}`",
                [LOCATIONS[0], ACTIONS[0], TRANSITIONS[0], INITIAL[0], ACCEPTING[0],].join("`, `")
            )));
        }
        [_, second, ..] => {
            let error = Diagnostic::error(format!("`{}` is given twice", keys[0]), span(second.range()));
            found.push(error.with_help(format!("keep one of `{}`", keys.join("`, `"))));
        }
        [_] => {}
    }
    values.first().copied()
}

fn list<'v, 'a>(value: Option<&'v Value<'a>>, what: &str, found: &mut Vec<Diagnostic>) -> &'v [Value<'a>] {
    match value {
        Some(Value::Array(array)) => &array.elements,
        Some(other) => {
            let error = Diagnostic::error(format!("{what} are a list"), span(other.range()));
            found.push(error.with_help("write `[ … ]`"));
            &[]
        }
        None => &[],
    }
}

/// Names that are declared, by position.
struct Names {
    /// `location` or `action`.
    kind: &'static str,
    list: Vec<Word>,
    positions: BTreeMap<String, usize>,
}

impl Names {
    fn read(kind: &'static str, value: Option<&Value<'_>>, found: &mut Vec<Diagnostic>) -> Self {
        let (mut names, mut positions) = (Vec::<Word>::new(), BTreeMap::new());
        for value in list(value, &format!("the {kind}s"), found) {
            let Some(name) = word(value, &format!("the name of a {kind}"), found) else {
                continue;
            };
            match positions.get(&name.text) {
                Some(earlier) => {
                    let first: &Word = &names[*earlier];
                    let error = Diagnostic::error(format!("the {kind} `{}` is listed twice", name.text), name.span);
                    let error = error.with_secondary(first.span, "first listed here");
                    found.push(error.with_help("keep one"));
                }
                None => {
                    positions.insert(name.text.clone(), names.len());
                    names.push(name);
                }
            }
        }
        Self {
            kind,
            list: names,
            positions,
        }
    }

    fn find(&self, value: &Value<'_>, found: &mut Vec<Diagnostic>) -> Option<usize> {
        let Word { text, span } = word(value, &format!("the name of a {}", self.kind), found)?;
        let position = self.positions.get(&text);
        if position.is_none() {
            let error = Diagnostic::error(format!("there is no {} `{text}`", self.kind), span);
            found.push(error.with_help(format!("list it with the other {}s", self.kind)));
        }
        position.copied()
    }
}

fn transitions(
    object: &Object<'_>,
    locations: &Names,
    actions: &Names,
    found: &mut Vec<Diagnostic>,
) -> Vec<Transition> {
    let mut ids = BTreeMap::new();
    let mut all = Vec::new();
    for property in &object.properties {
        let id = property.name.as_str();
        if let Some(first) = ids.insert(id, span(property.range)) {
            let error = Diagnostic::error(format!("the transition `{id}` is given twice"), span(property.range));
            let error = error.with_secondary(first, "first given here");
            found.push(error.with_help("give it another id"));
        }
        all.extend(transition(&property.value, locations, actions, found));
    }
    all
}

fn transition(list: &Value<'_>, locations: &Names, actions: &Names, found: &mut Vec<Diagnostic>) -> Option<Transition> {
    let place = span(list.range());
    let elements = list.as_array().map_or(&[][..], |array| &array.elements);
    let [source, action, guard, reset, target] = elements else {
        let error = Diagnostic::error("a transition is a list of five texts", place);
        found.push(error.with_help("write [source, action, guard, \"r\" (the clock is reset) or \"n\", target]"));
        return None;
    };
    let (source, action) = (locations.find(source, found), actions.find(action, found));
    let guard_place = span(guard.range());
    let guard = word(guard, "a guard", found).and_then(|guard| intervals(&guard, found));
    let reset = word(reset, "a reset", found).and_then(|reset| match reset.text.as_str() {
        "r" => Some(true),
        "n" => Some(false),
        other => {
            let error = Diagnostic::error(format!("`{other}` does not say whether the clock is reset"), reset.span);
            found.push(error.with_help("write \"r\" if it is, \"n\" if not"));
            None
        }
    });
    let target = locations.find(target, found);
    Some(Transition {
        source: source?,
        action: action?,
        guard: guard?,
        reset: reset?,
        target: target?,
        guard_place,
        place,
    })
}

fn intervals(guard: &Word, found: &mut Vec<Diagnostic>) -> Option<Vec<Interval>> {
    match union(&guard.text) {
        Ok(intervals) => {
            if intervals.is_empty() {
                let warning = Diagnostic::warning(format!("`{}` has no point", guard.text), guard.span);
                found.push(warning.with_help("the transition is never taken"));
            }
            Some(intervals)
        }
        Err(fault) => {
            found.push(Diagnostic::error(fault.message, guard.span).with_help(fault.help));
            None
        }
    }
}

/// Refuses automata whose games would fill the memory.
fn check_size(locations: &Names, actions: &Names, intervals: usize, place: Span, found: &mut Vec<Diagnostic>) {
    let (n_locations, n_actions) = (locations.list.len(), actions.list.len());
    let pairs = n_locations.saturating_mul(n_actions);
    if pairs.saturating_add(intervals) > LARGEST {
        let message = format!(
            "{n_locations} locations with {n_actions} actions, and {intervals} intervals of guards, are more than {LARGEST}"
        );
        let error = Diagnostic::error(message, place);
        found.push(error.with_help("for each pair and each interval there is an edge; split the automaton"));
    }
}

/// Refuses what is not deterministic.
fn overlaps(all: &[Transition], locations: &Names, actions: &Names, found: &mut Vec<Diagnostic>) {
    let mut together: BTreeMap<(usize, usize), Vec<(Interval, usize)>> = BTreeMap::new();
    for (at, transition) in all.iter().enumerate() {
        let guard = transition.guard.iter().map(|interval| (*interval, at));
        together
            .entry((transition.source, transition.action))
            .or_default()
            .extend(guard);
    }
    for ((source, action), mut intervals) in together {
        intervals.sort_unstable();
        // The one that ends last of those that begin earlier.
        let mut longest: Option<(Interval, usize)> = None;
        for (interval, at) in intervals {
            if let Some((earlier, other)) = longest
                && let Some(step) = earlier.common(interval)
            {
                let (first, second) = (&all[at.min(other)], &all[at.max(other)]);
                let message = format!(
                    "the automaton is not deterministic: from `{}` two transitions take `{}` {}",
                    locations.list[source].text,
                    actions.list[action].text,
                    shown(step),
                );
                let error = Diagnostic::error(message, second.guard_place);
                let error = error.with_secondary(first.guard_place, "the guard of the other one");
                found.push(error.with_help("give them guards without a common point"));
            }
            if longest.is_none_or(|(earlier, _)| interval.outlasts(earlier)) {
                longest = Some((interval, at));
            }
        }
    }
}

/// Leaves off the marks `?` and `!` of actions; refuses those that are no names of inputs then.
fn channels(actions: &mut [Word], found: &mut Vec<Diagnostic>) {
    let mut known: BTreeMap<String, Span> = BTreeMap::new();
    let mut is_marked = false;
    for action in actions {
        if let Some(text) = action.text.strip_suffix(['?', '!']) {
            if !is_marked {
                let warning = Diagnostic::warning("the marks `?` and `!` of actions are not read", action.span);
                found.push(warning.with_help("all actions of an automaton are inputs of its game"));
            }
            is_marked = true;
            action.text = text.to_owned();
        }
        let text = &action.text;
        let is_name = !is_reserved(text)
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let wrong = if !is_name {
            Some((
                format!("`{text}` is no name of an action"),
                "letters, digits and `_`, no digit first, and no word of UPPAAL's language",
            ))
        } else if text == ACCEPT {
            let help = "rename it: the output `accept!` of the game says that a word is accepted";
            Some((format!("an action is called `{ACCEPT}`"), help))
        } else {
            None
        };
        if let Some((message, help)) = wrong {
            found.push(Diagnostic::error(message, action.span).with_help(help));
        }
        if let Some(first) = known.insert(text.clone(), action.span) {
            let error = Diagnostic::error(format!("two actions are called `{text}`"), action.span);
            let error = error.with_secondary(first, "the other one");
            found.push(error.with_help("without marks, names differ: rename one"));
        }
    }
}
