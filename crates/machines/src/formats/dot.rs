//! Machines in the language of Graphviz, as automata learning tools write them (LearnLib, AALpy).
//!
//! A node is a state; an edge with the label `input/output` (spaces around `/` do not count) is a transition. A name of several
//! words is read as one, with `_` between them. Of a Moore machine the label of an edge is the input, and that of a node ends with
//! the output (`NAME / OUTPUT`, `NAME | OUTPUT`); if no node has one, it is an acceptor, which answers `accept` where it comes to a
//! node with a double line (`doublecircle`, `peripheries=2`), else `reject`. An answer is the output of the state that is come to:
//! the output before any input is not seen. A node is
//! not a state but a marker, whose only arrow points to the initial state, if it is called `__start…` or invisible
//! (`shape=none`, `point`, `plaintext`, `plain`, `style=invis`), no edge enters it, and no edge with a label leaves it.
//! With `mutated=true` an edge is a fault. Attributes of timers are refused, all others belong to the drawing. The
//! names of states are the names of the nodes, not their labels.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::dot_syntax::{Attribute, Statement, Word, statements};
use super::draft::MachineDraft;
use super::options::MachineOptions;
use crate::{MutationMachine, Transition};
use tamper_text::{Diagnostic, Span};

const LABEL: &str =
    "a transition is an edge with `label=\"INPUT/OUTPUT\"`; if outputs are at the states, or these accept: --moore";
/// Attributes of machines with time, which are refused.
const TIMED: [&str; 8] = [
    "timers",
    "timer",
    "updates",
    "update",
    "guard",
    "reset",
    "clocks",
    "invariant",
];
/// The prefix of the names of nodes that mark the initial state.
const START_NODE: &str = "__start";
const START: &str =
    "an edge `__start0 -> STATE` without a label says where the machine starts; or name the state: --start STATE";
const MOORE: &str =
    "of a Moore machine each state has a label `NAME / OUTPUT` or `NAME | OUTPUT`; an acceptor has none";

/// Reads the graph in `text`.
pub(super) fn read(text: &str, options: &MachineOptions) -> MachineDraft {
    let mut draft = MachineDraft::default();
    match statements(text) {
        Ok(statements) => Reader {
            hidden: hidden(&statements),
            draft: &mut draft,
            start: None,
            named_start: options.start.as_deref(),
            outputs: BTreeMap::new(),
            is_moore: options.moore,
            spelt: BTreeMap::new(),
        }
        .read(&statements),
        Err(error) => draft.diagnostics.push(error),
    }
    if draft.spans.is_empty() && draft.diagnostics.is_empty() {
        draft.error("the graph has no transition", Span::new(0, text.len().min(1)), LABEL);
    }
    draft
}

fn value<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a Word> {
    let found = attributes.iter().find(|attribute| attribute.name.text == name);
    found.map(|attribute| &attribute.value)
}

/// The nodes that are not states: named or drawn as markers, not entered, and left only by edges without a label.
fn hidden(statements: &[Statement]) -> BTreeSet<&str> {
    let mut hidden = BTreeSet::new();
    for statement in statements {
        match statement {
            Statement::Node { node, attributes } => {
                let says = |name, drawn: &[&str]| {
                    value(attributes, name).is_some_and(|value| drawn.contains(&value.text.as_str()))
                };
                let is_invisible = says("shape", &["none", "point", "plaintext", "plain"]) || says("style", &["invis"]);
                if is_invisible || node.text.starts_with(START_NODE) {
                    hidden.insert(node.text.as_str());
                }
            }
            Statement::Edge { from, .. } if from.text.starts_with(START_NODE) => {
                hidden.insert(from.text.as_str());
            }
            Statement::Edge { .. } | Statement::EdgeDefaults(_) => {}
        }
    }
    for statement in statements {
        if let Statement::Edge { from, to, attributes } = statement {
            hidden.remove(to.text.as_str());
            if label(attributes).is_some() {
                hidden.remove(from.text.as_str());
            }
        }
    }
    hidden
}

/// The label, unless it is blank.
fn label(attributes: &[Attribute]) -> Option<&Word> {
    value(attributes, "label").filter(|label| !label.text.trim().is_empty())
}

struct Reader<'a> {
    hidden: BTreeSet<&'a str>,
    draft: &'a mut MachineDraft,
    /// The place of the arrow to the initial state.
    start: Option<Span>,
    /// The initial state that the user names.
    named_start: Option<&'a str>,
    is_moore: bool,
    /// The outputs of states, of a Moore machine.
    outputs: BTreeMap<String, String>,
    /// Names of several words, or with `_`, as they are written: of inputs and of outputs.
    spelt: BTreeMap<(bool, String), String>,
}

impl Reader<'_> {
    fn read(mut self, statements: &[Statement]) {
        if self.is_moore {
            self.find_outputs(statements);
        }
        for statement in statements {
            self.refuse_time(statement);
            match statement {
                Statement::Node { node, .. } if self.hidden.contains(node.text.as_str()) => {}
                Statement::Node { node, .. } => {
                    self.draft.state(&node.text, node.span);
                }
                Statement::Edge { from, to, .. } if self.hidden.contains(from.text.as_str()) => self.initial(from, to),
                Statement::Edge { from, to, attributes } => self.transition(from, to, attributes),
                Statement::EdgeDefaults(attributes) => {
                    let speaks = |attribute: &&Attribute| ["label", "mutated"].contains(&attribute.name.text.as_str());
                    if let Some(found) = attributes.iter().find(speaks) {
                        let message = format!("`{}` is given to all edges", found.name.text);
                        self.draft.error(message, found.name.span, LABEL);
                    }
                }
            }
        }
        if self.start.is_none()
            && self.named_start.is_none()
            && self.draft.diagnostics.is_empty()
            && !self.draft.spans.is_empty()
        {
            let at = self.draft.states.values().min().copied().unwrap_or(Span::new(0, 1));
            self.draft.error("no arrow says where the machine starts", at, START);
        }
        if self.is_moore && self.draft.diagnostics.is_empty() {
            self.look_for_unseen(statements);
        }
    }

    /// Warns if the output of the initial state is never an answer.
    fn look_for_unseen(&mut self, statements: &[Statement]) {
        let arrow = |statement: &Statement| match statement {
            Statement::Edge { from, to, .. } if self.hidden.contains(from.text.as_str()) => Some(to.text.clone()),
            _ => None,
        };
        let named = self.named_start.map(str::to_owned);
        let Some(initial) = named.or_else(|| statements.iter().find_map(arrow)) else {
            return;
        };
        let comes_back = |statement: &Statement| match statement {
            Statement::Edge { from, to, .. } => to.text == initial && !self.hidden.contains(from.text.as_str()),
            _ => false,
        };
        if !statements.iter().any(comes_back) {
            let message =
                format!("the output of the initial state `{initial}` is never seen: no transition leads there");
            let help = "an answer is the output of the state that an input leads to";
            self.draft
                .diagnostics
                .push(Diagnostic::warning(message, None).with_help(help));
        }
    }

    /// Refuses attributes of timers: without them, a machine with timers would be another machine.
    fn refuse_time(&mut self, statement: &Statement) {
        let (Statement::Node { attributes, .. }
        | Statement::Edge { attributes, .. }
        | Statement::EdgeDefaults(attributes)) = statement;
        let timed = attributes.iter().filter(|one| TIMED.contains(&one.name.text.as_str()));
        for attribute in timed {
            let message = format!(
                "`{}` is of machines with time, which are not read as graphs",
                attribute.name.text
            );
            let help = "write a Mealy machine without timers, or a timed game (UPPAAL XML)";
            self.draft.error(message, attribute.name.span, help);
        }
    }

    fn initial(&mut self, from: &Word, to: &Word) {
        if self.start.is_some() {
            let message = "the initial state is given twice";
            return self.draft.error(message, from.span, "keep one of the two arrows");
        }
        self.start = Some(from.span);
        let state = self.draft.state(&to.text, to.span);
        self.draft.builder.set_initial(state);
    }

    fn transition(&mut self, from: &Word, to: &Word, attributes: &[Attribute]) {
        let whole = Span::new(from.span.start as usize, to.span.end as usize);
        let Some(label) = label(attributes) else {
            return self.draft.error("this edge has no label", whole, LABEL);
        };
        let is_mutated = match value(attributes, "mutated").map(|value| (value.text.as_str(), value.span)) {
            None | Some(("false", _)) => false,
            Some(("true", _)) => true,
            Some((_, span)) => {
                return self
                    .draft
                    .error("`mutated` is true or false", span, "write `mutated=true`");
            }
        };
        let words = match self.is_moore {
            true => Ok((
                label.text.trim(),
                self.outputs.get(&to.text).cloned().unwrap_or_default(),
            )),
            false => split(&label.text).map(|(input, output)| (input, output.to_owned())),
        };
        let (input, output) = match words {
            Ok(words) => words,
            Err(why) => return self.draft.error(why, label.span, LABEL),
        };
        let (input, output) = (
            self.name(true, input, label.span),
            self.name(false, &output, label.span),
        );
        let state = self.draft.state(&from.text, from.span);
        let input = self.draft.builder.input(&input);
        let transition = Transition {
            output: self.draft.builder.output(&output),
            target: self.draft.state(&to.text, to.span),
        };
        self.draft.add(state, input, transition, is_mutated, whole);
    }

    /// The name of an input or output as one word.
    fn name(&mut self, is_input: bool, text: &str, span: Span) -> String {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (name, written) = (words.join("_"), words.join(" "));
        let first = self
            .spelt
            .entry((is_input, name.clone()))
            .or_insert_with(|| written.clone());
        if *first != written {
            let message = format!("`{first}` and `{written}` would be one name, `{name}`");
            self.draft.error(
                message,
                span,
                "rename one of the two: names of several words are read with `_` between them",
            );
        }
        name
    }

    /// Determines the outputs of all states of a Moore machine or an acceptor.
    fn find_outputs(&mut self, statements: &[Statement]) {
        let mut states: BTreeMap<&str, (Option<&str>, bool, Span)> = BTreeMap::new();
        for statement in statements {
            match statement {
                Statement::Node { node, .. } if self.hidden.contains(node.text.as_str()) => {}
                Statement::Node { node, attributes } => {
                    let state = states.entry(&node.text).or_insert((None, false, node.span));
                    let label = label(attributes).and_then(|label| output_of(&label.text));
                    let is = |name, wanted: &str| value(attributes, name).is_some_and(|value| value.text == wanted);
                    state.0 = label.or(state.0);
                    state.1 |= is("shape", "doublecircle") || is("peripheries", "2");
                }
                Statement::Edge { from, to, .. } => {
                    for node in [from, to]
                        .into_iter()
                        .filter(|node| !self.hidden.contains(node.text.as_str()))
                    {
                        states.entry(&node.text).or_insert((None, false, node.span));
                    }
                }
                Statement::EdgeDefaults(_) => {}
            }
        }
        let is_acceptor = states.values().all(|(output, ..)| output.is_none());
        if is_acceptor && states.values().all(|(_, accepts, _)| !accepts) {
            let place = Span::new(0, 1);
            self.draft
                .error("no state has an output, and none accepts", place, MOORE);
        }
        for (state, (output, accepts, span)) in states {
            let output = match output {
                None if is_acceptor => {
                    if accepts {
                        "accept"
                    } else {
                        "reject"
                    }
                }
                None => {
                    self.draft.error(format!("state `{state}` has no output"), span, MOORE);
                    continue;
                }
                Some(output) => output,
            };
            self.outputs.insert(state.to_owned(), output.to_owned());
        }
    }
}

/// The output in the label of a state, if there is one.
fn output_of(label: &str) -> Option<&str> {
    let label = label.trim().trim_start_matches('{').trim_end_matches('}');
    let (_, output) = label.rsplit_once('|').or_else(|| label.rsplit_once('/'))?;
    Some(output.trim()).filter(|output| !output.is_empty())
}

/// The input and the output of a label; of several `/`, the one with spaces around it is the separator.
fn split(label: &str) -> Result<(&str, &str), String> {
    let slashes: Vec<usize> = label.match_indices('/').map(|(at, _)| at).collect();
    let is_spaced = |at: &&usize| {
        let (before, after) = (&label[..**at], &label[**at + 1..]);
        before.ends_with(char::is_whitespace) && after.starts_with(char::is_whitespace)
    };
    let spaced: Vec<usize> = slashes.iter().filter(is_spaced).copied().collect();
    let at = match (slashes.as_slice(), spaced.as_slice()) {
        ([only], _) | (_, [only]) => *only,
        ([], _) => return Err(format!("`{label}` has no `/`")),
        _ => {
            return Err(format!(
                "which `/` of `{label}` separates input and output? Put spaces around that one"
            ));
        }
    };
    let (input, output) = (label[..at].trim(), label[at + 1..].trim());
    for (what, word) in [("input", input), ("output", output)] {
        if word.is_empty() {
            return Err(format!("`{label}` has no {what}"));
        }
    }
    Ok((input, output))
}

/// `machine` as a graph; reading it gives the same machine.
pub fn write_dot(machine: &MutationMachine) -> String {
    let state = |at| quote(&machine.states()[at]);
    // The name of the marker must differ from the names of states.
    let mut start = format!("{START_NODE}0");
    while machine.states().iter().any(|name| *name == start) {
        start.push('_');
    }
    let mut text = format!("digraph machine {{\n{start} [label=\"\" shape=\"none\"];\n");
    for at in machine.states().ids() {
        let _ = writeln!(text, "{} [shape=\"circle\" label={}];", state(at), state(at));
    }
    let _ = writeln!(text, "{start} -> {};", state(machine.initial()));
    for from in machine.states().ids() {
        for input in machine.inputs().ids() {
            for (choice, branch) in machine.branches(from, input).iter().enumerate() {
                let transition = branch.transition;
                let label = format!("{} / {}", machine.inputs()[input], machine.outputs()[transition.output]);
                let mark = if choice == 0 {
                    ""
                } else {
                    " mutated=\"true\" style=\"dashed\""
                };
                let (from, to) = (state(from), state(transition.target));
                let _ = writeln!(text, "{from} -> {to} [label={}{mark}];", quote(&label));
            }
        }
    }
    text.push_str("}\n");
    text
}

pub(super) fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
