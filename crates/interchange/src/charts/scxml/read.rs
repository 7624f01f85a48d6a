//! Reads the states and transitions of a chart.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::Node;

use crate::charts::chart::{Chart, ChartAction, ChartState, ChartTransition, Dialect, StateKind};
use crate::charts::data::Variable;
use crate::charts::file::read_chart;
use crate::charts::unfold::{Stop, Unfolded, events};
use tamper_text::scxml::{Value, attribute, check_attributes, children, is, parse, place, required};
use tamper_text::{Diagnostic, ReadError, SourceFile, Span, has_error};
use tamper_uppaal::{Document, ReadOptions};

/// The deepest nesting of states.
const MOST_LEVELS: usize = 60;
const STATES: [&str; 4] = ["state", "parallel", "final", "history"];
/// Elements of a state that are no states.
const PARTS: [&str; 7] = [
    "datamodel",
    "onentry",
    "onexit",
    "initial",
    "transition",
    "invoke",
    "donedata",
];

/// Variables that are not followed: where that is seen, and why.
pub(super) type Inexact = BTreeMap<String, (Span, String)>;

/// The chart in `bytes`, the content of a file called `name`, as a game, and warnings about it.
///
/// # Errors
/// Everything that is malformed, and what has no exact meaning here, by its name.
pub fn read_scxml(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<(Document, Vec<Diagnostic>), ReadError> {
    read_chart(name, bytes, options, chart)
}

fn chart(file: &SourceFile, found: &mut Vec<Diagnostic>) -> Option<(Chart, Unfolded)> {
    let document = match parse(file.text()) {
        Ok(document) => document,
        Err(error) => {
            found.push(error);
            return None;
        }
    };
    let root = document.root_element();
    let mut excluded = Inexact::new();
    loop {
        let mut own = Vec::new();
        let chart = read(root, &excluded, &mut own);
        let unfolded = (!has_error(&own)).then(|| Unfolded::of(&chart, events(&chart), &mut own));
        let read = match unfolded {
            Some(Err(Stop::Data(variable, why))) => {
                let Variable { name, place, .. } = &chart.data[variable];
                excluded.insert(name.clone(), (*place, why));
                continue;
            }
            Some(Err(Stop::Refused(error))) => {
                own.push(error);
                None
            }
            Some(Ok(unfolded)) => Some((chart, unfolded)),
            None => None,
        };
        found.append(&mut own);
        return read;
    }
}

/// The chart, in which the variables that are `excluded` are not followed.
fn read(root: Node<'_, '_>, excluded: &Inexact, found: &mut Vec<Diagnostic>) -> Chart {
    let mut reader = Reader {
        chart: Chart {
            dialect: Dialect::Scxml,
            ..Chart::default()
        },
        constants: constants(root),
        inexact: excluded.clone(),
        ids: BTreeMap::new(),
        events: named(root),
        has_event: false,
        found,
    };
    check_attributes(
        root,
        &["version", "name", "datamodel", "initial", "binding", "exmode"],
        &[],
        reader.found,
    );
    let mut nodes = Vec::new();
    reader.state(root, None, 0, &mut nodes);
    reader.data(root);
    for (state, node) in nodes.iter().enumerate() {
        reader.parts(state, *node);
    }
    if reader.chart.regions(0).next().is_none() {
        reader.error("the chart has no state", place(root), "write a <state>");
    }
    reader.chart
}

pub(super) struct Reader<'f> {
    pub chart: Chart,
    /// Variables that keep their first value, with its text.
    constants: BTreeMap<String, String>,
    pub inexact: Inexact,
    pub ids: BTreeMap<String, usize>,
    /// All events that the file names.
    events: BTreeSet<String>,
    /// Whether what is read is done only at an event that has a name.
    pub has_event: bool,
    pub found: &'f mut Vec<Diagnostic>,
}

/// The variables that nothing changes.
fn constants(root: Node<'_, '_>) -> BTreeMap<String, String> {
    let data = root.descendants().filter(|node| is(*node, "data"));
    let named = data.filter_map(|node| Some((node.attribute("id")?, node.attribute("expr")?.trim())));
    let is_changed = |name: &str| {
        root.descendants().any(|node| match node.tag_name().name() {
            "assign" => node
                .attribute("location")
                .is_some_and(|location| location.contains(name)),
            "foreach" => [node.attribute("item"), node.attribute("index")].contains(&Some(name)),
            "finalize" => true,
            "script" => node.has_attribute("src") || node.text().is_some_and(|text| text.contains(name)),
            _ => node.attribute("idlocation") == Some(name),
        })
    };
    let kept = named.filter(|(name, _)| !is_changed(name));
    kept.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// The names of events without what stands for longer names.
fn described(words: &str) -> impl Iterator<Item = &str> {
    let words = words.split_ascii_whitespace();
    words.map(|word| word.strip_suffix(".*").unwrap_or(word).trim_end_matches('.'))
}

fn named(root: Node<'_, '_>) -> BTreeSet<String> {
    let named = root.descendants().filter_map(|node| node.attribute("event"));
    let mut events: BTreeSet<String> = named.flat_map(described).map(str::to_owned).collect();
    for node in root.descendants() {
        let kind = match node.tag_name().name() {
            "state" | "parallel" => "state",
            "invoke" => "invoke",
            _ => continue,
        };
        events.extend(node.attribute("id").map(|id| format!("done.{kind}.{id}")));
    }
    events.remove("*");
    events
}

impl Reader<'_> {
    pub fn error(&mut self, message: impl Into<String>, place: Span, help: impl Into<String>) {
        self.found.push(Diagnostic::error(message, place).with_help(help));
    }

    pub fn required<'a>(&mut self, node: Node<'a, '_>, name: &str) -> Option<Value<'a>> {
        required(node, name).map_err(|error| self.found.push(error)).ok()
    }

    /// The text of an expression, or the value of the variable that it is.
    pub fn constant<'t>(&'t self, text: &'t str) -> &'t str {
        self.constants.get(text.trim()).map_or(text, String::as_str)
    }

    pub fn by_id(&mut self, id: &str, place: Span) -> Option<usize> {
        let state = self.ids.get(id).copied();
        if state.is_none() {
            self.error(
                format!("there is no state with the id `{id}`"),
                place,
                "write the id of a state",
            );
        }
        state
    }

    fn states(&mut self, ids: &Value<'_>) -> Vec<usize> {
        let states: Vec<usize> = ids.words().filter_map(|id| self.by_id(id, ids.span)).collect();
        if !self.chart.are_together(&states) {
            let help = "keep one, or write states of different regions of a parallel state";
            self.error("these targets cannot be active together", ids.span, help);
        }
        states
    }

    /// Adds the state and all within it.
    fn state<'a, 'i>(
        &mut self,
        node: Node<'a, 'i>,
        parent: Option<usize>,
        level: usize,
        nodes: &mut Vec<Node<'a, 'i>>,
    ) {
        let at = self.chart.states.len();
        let is_state = |node: &Node<'_, '_>| STATES.contains(&node.tag_name().name());
        let name = node.tag_name().name();
        let known: Vec<&str> = match (name, parent) {
            ("history", _) => vec!["transition"],
            ("final", _) => vec!["onentry", "onexit", "donedata", "datamodel"],
            (_, None) => [&STATES[..3], &["datamodel", "script", "initial"]].concat(),
            _ => [&STATES[..], &PARTS].concat(),
        };
        let states: Vec<_> = children(node, &known, self.found)
            .into_iter()
            .filter(is_state)
            .collect();
        let given = attribute(node, None, if parent.is_some() { "id" } else { "name" });
        let id = given
            .as_ref()
            .map_or_else(|| format!("{name}{at}"), |id| id.text.trim().to_owned());
        if let Some(given) = given.filter(|_| parent.is_some())
            && let Some(earlier) = self.ids.insert(id.clone(), at)
        {
            let error = Diagnostic::error(format!("two states have the id `{id}`"), given.span);
            let earlier = self.chart.states[earlier].place;
            self.found.push(
                error
                    .with_secondary(earlier, "the first one")
                    .with_help("give one another id"),
            );
        }
        let has_children = states.iter().any(|node| !is(*node, "history"));
        let kind = match name {
            "parallel" => StateKind::Parallel,
            "final" => StateKind::Final,
            "history" => StateKind::History {
                deep: node.attribute("type") == Some("deep"),
            },
            _ if has_children || parent.is_none() => StateKind::Compound,
            _ => StateKind::Atomic,
        };
        if parent.is_some_and(|parent| self.chart.states[parent].kind == StateKind::Parallel)
            && kind == StateKind::Final
        {
            self.error(
                "a region of a parallel state is no <final>",
                place(node),
                "put it into a <state>",
            );
        }
        nodes.push(node);
        let state = ChartState::new(at, [id.clone(), id], parent, kind, place(node));
        self.chart.states.push(state);
        if level > MOST_LEVELS {
            return self.error(
                "states are nested too deeply",
                place(node),
                "at most 60 levels are read",
            );
        }
        for node in states {
            let child = self.chart.states.len();
            self.state(node, Some(at), level + 1, nodes);
            self.chart.states[at].children.push(child);
        }
        self.chart.states[at].end = self.chart.states.len();
    }

    /// Reads what a state does, now that all states are known.
    fn parts(&mut self, state: usize, node: Node<'_, '_>) {
        let kind = self.chart.states[state].kind;
        if state != 0 {
            check_attributes(node, &["id", "initial", "type"], &[], self.found);
        }
        for child in node
            .children()
            .filter(|child| child.tag_name().namespace() == node.tag_name().namespace())
        {
            match child.tag_name().name() {
                "onentry" => {
                    let actions = self.content(child, &[]);
                    self.chart.states[state].entry.extend(actions);
                }
                "onexit" => {
                    let actions = self.content(child, &[]);
                    self.chart.states[state].exit.extend(actions);
                }
                // A script of the root.
                "script" => self.chart.states[state].entry.push(ChartAction::Assign),
                "initial" => {
                    let transition = children(child, &["transition"], self.found);
                    match transition.first() {
                        Some(transition) => self.by_default(state, *transition),
                        None => self.error(
                            "an initial state has a transition",
                            place(child),
                            "write <transition target=\"…\"/>",
                        ),
                    }
                }
                "transition" if matches!(kind, StateKind::History { .. }) => self.by_default(state, child),
                "transition" => self.transition(state, child),
                "invoke" => {
                    let invokes = &mut self.chart.states[state].invokes;
                    let id = attribute(child, None, "id").map(|id| id.text.trim().to_owned());
                    let number = invokes.len();
                    let id = id.unwrap_or_else(|| format!("{}.{number}", self.chart.states[state].id));
                    self.events.insert(format!("done.invoke.{id}"));
                    self.chart.states[state].invokes.push(id);
                }
                _ => {}
            }
        }
        if let Some(initial) = attribute(node, None, "initial") {
            self.chart.states[state].default = Some(self.states(&initial));
        }
        self.check_default(state, place(node));
    }

    /// The targets and actions of the transition of an initial state or of a history.
    fn by_default(&mut self, state: usize, node: Node<'_, '_>) {
        check_attributes(node, &["target", "type"], &[], self.found);
        let targets = self.required(node, "target").map(|target| self.states(&target));
        let actions = self.content(node, &[]);
        self.chart.states[state].default = targets;
        match self.chart.is_history(state) {
            true => self.chart.states[state].entry = actions,
            false => self.chart.states[state].initial = Some((state, actions)),
        }
    }

    /// Checks the states that are entered by default; without any it is the first one.
    fn check_default(&mut self, state: usize, place: Span) {
        let chart = &self.chart;
        let own = &chart.states[state];
        let first = || {
            own.children
                .iter()
                .find(|child| !chart.is_history(**child))
                .map(|child| vec![*child])
        };
        let around = match own.kind {
            StateKind::Compound => state,
            StateKind::History { .. } => own.parent.unwrap_or(0),
            _ if own.default.is_some() => {
                return self.error(
                    "no state within this one can be entered by default",
                    place,
                    "leave out what says so",
                );
            }
            _ => return,
        };
        let is_history = chart.is_history(state);
        let default = own.default.clone().or_else(|| first().filter(|_| !is_history));
        let fits =
            |target: &usize| chart.is_within(*target, Some(around)) && !(is_history && chart.is_history(*target));
        match default {
            Some(targets) if targets.iter().all(fits) => self.chart.states[state].default = Some(targets),
            Some(_) => self.error(
                "a state outside is entered by default",
                place,
                "write the ids of states within it",
            ),
            None => self.error(
                "a history without states by default",
                place,
                "write <transition target=\"…\"/> within it",
            ),
        }
    }

    fn transition(&mut self, source: usize, node: Node<'_, '_>) {
        check_attributes(node, &["event", "cond", "target", "type"], &[], self.found);
        let kind = attribute(node, None, "type");
        if let Some(kind) = kind
            .as_ref()
            .filter(|kind| !matches!(kind.text, "internal" | "external"))
        {
            self.error("the type is neither internal nor external", kind.span, "leave it out");
        }
        let event = node.attribute("event");
        self.has_event = event.is_some_and(|event| described(event).all(|word| word != "*"));
        let transition = ChartTransition {
            source,
            targets: attribute(node, None, "target").map(|target| self.states(&target)),
            guard: attribute(node, None, "cond").map(|cond| self.cond(&cond)),
            reenter: kind.is_none_or(|kind| kind.text != "internal"),
            actions: self.content(node, &[]),
            place: place(node),
        };
        self.has_event = false;
        let Some(event) = attribute(node, None, "event") else {
            self.chart.states[source].always.push(transition);
            return;
        };
        let mut on: BTreeSet<&str> = BTreeSet::new();
        for word in described(event.text) {
            let is_meant = |event: &&String| {
                event
                    .strip_prefix(word)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            on.extend(self.events.iter().filter(is_meant).map(String::as_str));
            on.extend((word == "*").then_some(word));
        }
        let on = on.into_iter().map(|event| (event.to_owned(), vec![transition.clone()]));
        self.chart.states[source].on.extend(on);
    }
}
