//! The elements of an SCXML file.

use std::collections::BTreeMap;

use roxmltree::Node;

use super::super::extended::{ExtendedDraft, PieceExt as _, constant, declare_event, read_domain, truth};
use super::content::{Content, Terms, read_content, read_terms};
use crate::{SetId, Variable};
use tamper_text::scxml::{SCXML, TAMPER, Value, attribute, check_attributes, children, is, parse, place, required};
use tamper_text::{Diagnostic, SourceFile, Span};

/// The deepest nesting of states.
const MAX_DEPTH: usize = 60;

/// The kind of a state element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StateKind {
    /// The root, or a state of no other kind.
    State,
    Final,
    /// All its children are active at once.
    Parallel,
    /// Stands for the states that were active in its parent when the parent was last left: the active child, or with
    /// `true` (deep) all active descendants.
    History(bool),
}

impl StateKind {
    /// The known attributes and child elements of this kind.
    const fn parts(self) -> (&'static [&'static str], &'static [&'static str]) {
        match self {
            Self::State => (
                &["id", "initial"],
                &[
                    "state",
                    "parallel",
                    "final",
                    "history",
                    "datamodel",
                    "onentry",
                    "onexit",
                    "initial",
                    "transition",
                ],
            ),
            Self::Final => (&["id"], &["onentry", "onexit"]),
            Self::Parallel => (
                &["id"],
                &[
                    "state",
                    "parallel",
                    "history",
                    "datamodel",
                    "onentry",
                    "onexit",
                    "transition",
                ],
            ),
            Self::History(_) => (&["id", "type"], &["transition"]),
        }
    }
}

/// The root, a state, or a history.
#[derive(Debug)]
pub(super) struct ChartState {
    pub id: Option<String>,
    pub parent: usize,
    /// The children that can be active.
    pub children: Vec<usize>,
    pub kind: StateKind,
    pub entry: Vec<Content>,
    pub exit: Vec<Content>,
    /// The states entered by default, with the actions on the way; if `None`, the first child. Of a history: the states
    /// entered while nothing is remembered.
    pub initial: Option<(Vec<String>, Vec<Content>, Span)>,
    pub transitions: Vec<TransitionAlternatives>,
    pub span: Span,
}

/// A transition, and the alternatives that mutants may have.
#[derive(Debug)]
pub(super) struct TransitionAlternatives {
    pub set: Option<SetId>,
    /// The specification's transition as it is shown.
    pub label: String,
    /// The specification's transition first; `None` if it is missing.
    pub all: Vec<Option<ChartTransition>>,
}

#[derive(Clone, Debug)]
pub(super) struct ChartTransition {
    /// Descriptors of events; empty if the transition waits for nothing.
    pub events: Vec<String>,
    pub guard: Option<Terms>,
    /// The ids of the states to enter; empty if it stays.
    pub targets: Vec<String>,
    pub is_internal: bool,
    pub content: Vec<Content>,
    pub span: Span,
}

/// The states; the first is the root.
#[derive(Debug)]
pub(super) struct Chart {
    pub states: Vec<ChartState>,
    pub ids: BTreeMap<String, usize>,
    /// Whether the inputs were declared.
    pub has_inputs: bool,
}

/// The chart in `file`; `None` if the file is not SCXML.
pub(super) fn read(file: &SourceFile, draft: &mut ExtendedDraft) -> Option<Chart> {
    let document = match parse(file.text()) {
        Ok(document) => document,
        Err(error) => {
            draft.diagnostics.push(error);
            return None;
        }
    };
    let root = document.root_element();
    let mut chart = Chart {
        states: Vec::new(),
        ids: BTreeMap::new(),
        has_inputs: false,
    };
    check_root(root, draft);
    read_data(root, draft);
    if let Some(inputs) = attribute(root, Some(TAMPER), "inputs") {
        chart.has_inputs = true;
        for input in inputs.piece().outer_words() {
            if let Err(error) = declare_event(draft, input, "_event.data.") {
                draft.diagnostics.push(error);
            }
        }
    }
    chart.state(root, 0, 0, draft);
    if chart.states[0].children.is_empty() {
        draft.error("the chart has no state", place(root), "write a <state>");
        return None;
    }
    Some(chart)
}

fn check_root(root: Node<'_, '_>, draft: &mut ExtendedDraft) {
    let own = ["version", "name", "datamodel", "initial", "binding"];
    check_attributes(root, &own, &["inputs"], &mut draft.diagnostics);
    let refuse = |name: &str, fits: &[&str], help: &str, draft: &mut ExtendedDraft| {
        if let Some(value) = attribute(root, None, name)
            && !fits.contains(&value.text)
        {
            draft.error(format!("{name}=\"{}\" is not supported", value.text), value.span, help);
        }
    };
    refuse("version", &["1.0"], "SCXML has the version 1.0", draft);
    refuse(
        "binding",
        &["early"],
        "variables have their values from the beginning",
        draft,
    );
    let models = ["ecmascript", "null", ""];
    refuse(
        "datamodel",
        &models,
        "expressions are those of ecmascript over numbers and booleans",
        draft,
    );
}

/// Reads the variables, wherever they are declared: they are bound early.
fn read_data(root: Node<'_, '_>, draft: &mut ExtendedDraft) {
    for model in root.descendants().filter(|node| is(*node, "datamodel")) {
        check_attributes(model, &[], &[], &mut draft.diagnostics);
        for data in children(model, &["data"], &mut draft.diagnostics) {
            check_attributes(data, &["id", "expr"], &["range"], &mut draft.diagnostics);
            if let Err(error) = read_variable(data, draft) {
                draft.diagnostics.push(error);
            }
        }
    }
}

fn read_variable(data: Node<'_, '_>, draft: &mut ExtendedDraft) -> Result<(), Diagnostic> {
    let name = required(data, "id")?;
    let initial = required(data, "expr")?;
    let is_truth = matches!(initial.text.trim(), "true" | "false");
    let domain = match attribute(data, Some(TAMPER), "range") {
        Some(range) => read_domain(draft, range.piece())?,
        None if is_truth => truth(),
        None => {
            let error = Diagnostic::error(format!("the variable `{}` has no range", name.text), place(data));
            return Err(error.with_help(format!(
                "write tamper:range=\"LOW..HIGH\", with xmlns:tamper=\"{TAMPER}\""
            )));
        }
    };
    let initial = constant(&domain, initial.piece())?;
    let name_text = name.text.trim().to_owned();
    if draft.scope.variable(&name_text).is_some() {
        let error = Diagnostic::error(format!("`{name_text}` is declared already"), name.span);
        return Err(error.with_help("give it another name"));
    }
    draft.scope.variables.push(Variable {
        name: name_text,
        domain,
        initial,
    });
    Ok(())
}

impl Chart {
    /// Whether `state` is a proper descendant of `other`.
    pub fn is_below(&self, state: usize, other: usize) -> bool {
        let mut at = state;
        while at != 0 {
            at = self.states[at].parent;
            if at == other {
                return true;
            }
        }
        false
    }
    /// The ancestors of `state`, from the inside out, without the root.
    pub fn around(&self, state: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(self.states[state].parent), |at| Some(self.states[*at].parent))
            .take_while(|at| *at != 0)
    }
    /// The states with these ids.
    pub fn named(&self, ids: &[String]) -> Vec<usize> {
        ids.iter().filter_map(|id| self.ids.get(id).copied()).collect()
    }
    pub fn is_history(&self, state: usize) -> bool {
        matches!(self.states[state].kind, StateKind::History(_))
    }

    /// Reads the state `node`, at nesting level `depth`, with its descendants.
    fn state(&mut self, node: Node<'_, '_>, parent: usize, depth: usize, draft: &mut ExtendedDraft) -> usize {
        let at = self.enter(node, parent, draft);
        let (own, mut known) = self.states[at].kind.parts();
        match at {
            0 => known = &["state", "parallel", "final", "datamodel"],
            _ => check_attributes(node, own, &[], &mut draft.diagnostics),
        }
        if depth > MAX_DEPTH {
            let help = "at most 60 levels are read";
            draft.error("states are nested too deeply", place(node), help);
            return at;
        }
        if self.is_history(at) {
            self.read_initial(node, at, draft);
            return at;
        }
        for child in children(node, known, &mut draft.diagnostics) {
            match (child.tag_name().namespace(), child.tag_name().name()) {
                (Some(SCXML), "state" | "parallel" | "final" | "history") => {
                    let below = self.state(child, at, depth + 1, draft);
                    if !self.is_history(below) {
                        self.states[at].children.push(below);
                    }
                }
                _ => self.part(child, at, draft),
            }
        }
        at
    }

    /// Adds the state `node` to the chart.
    fn enter(&mut self, node: Node<'_, '_>, parent: usize, draft: &mut ExtendedDraft) -> usize {
        let at = self.states.len();
        let id = attribute(node, None, "id").map(|id| id.text.trim().to_owned());
        let initial = attribute(node, None, "initial");
        let kind = match (node.tag_name().name(), attribute(node, None, "type")) {
            ("final", _) => StateKind::Final,
            ("parallel", _) => StateKind::Parallel,
            ("history", Some(how)) if how.text == "deep" => StateKind::History(true),
            ("history", Some(how)) if how.text != "shallow" => {
                draft.error("the type is neither shallow nor deep", how.span, "leave it out");
                StateKind::History(false)
            }
            ("history", _) => StateKind::History(false),
            _ => StateKind::State,
        };
        self.states.push(ChartState {
            id: id.clone(),
            parent,
            children: Vec::new(),
            kind,
            entry: Vec::new(),
            exit: Vec::new(),
            initial: initial.map(|target| (ids(&target), Vec::new(), target.span)),
            transitions: Vec::new(),
            span: place(node),
        });
        if let Some(id) = id
            && self.ids.insert(id.clone(), at).is_some()
        {
            let message = format!("two states have the id `{id}`");
            draft.error(message, place(node), "give one another id");
        }
        at
    }

    /// Reads a part of the state at that position other than a state.
    fn part(&mut self, node: Node<'_, '_>, at: usize, draft: &mut ExtendedDraft) {
        let context = self.context(at);
        match (node.tag_name().namespace(), node.tag_name().name()) {
            (Some(SCXML), "onentry") => {
                let more = read_content(node, &format!("{context} on entry"), draft);
                self.states[at].entry.extend(more);
            }
            (Some(SCXML), "onexit") => {
                let more = read_content(node, &format!("{context} on exit"), draft);
                self.states[at].exit.extend(more);
            }
            (Some(SCXML), "initial") => {
                check_attributes(node, &[], &[], &mut draft.diagnostics);
                self.read_initial(node, at, draft);
            }
            (Some(SCXML), "transition") => {
                let choice = read_choice(node, &context, draft);
                self.states[at].transitions.extend(choice);
            }
            (Some(TAMPER), _) => {
                if let Err(error) = self.instead(node, at, &context, draft) {
                    draft.diagnostics.push(error);
                }
            }
            _ => {}
        }
    }

    /// The name of the state at that position, for descriptions of its parts.
    fn context(&self, at: usize) -> String {
        self.states[at]
            .id
            .clone()
            .unwrap_or_else(|| "state without id".to_owned())
    }

    /// Reads the only transition of `<initial>` or `<history>`.
    fn read_initial(&mut self, node: Node<'_, '_>, at: usize, draft: &mut ExtendedDraft) {
        let transitions = children(node, &["transition"], &mut draft.diagnostics);
        let [transition] = transitions.as_slice() else {
            let name = node.tag_name().name();
            draft.error(
                format!("<{name}> without one <transition>"),
                place(node),
                "it has exactly one",
            );
            return;
        };
        // The type `internal` makes no difference: there is no state to leave.
        check_attributes(*transition, &["target", "type"], &[], &mut draft.diagnostics);
        is_internal(*transition, draft);
        match required(*transition, "target") {
            Ok(target) => {
                let content = read_content(*transition, &format!("{} initially", self.context(at)), draft);
                if self.states[at].initial.is_some() {
                    draft.error("the initial state is given twice", place(node), "keep one of the two");
                }
                self.states[at].initial = Some((ids(&target), content, target.span));
            }
            Err(error) => draft.diagnostics.push(error),
        }
    }

    /// Reads a `<tamper:transition>`, an alternative for mutants to the `<transition>` above it.
    fn instead(
        &mut self,
        node: Node<'_, '_>,
        at: usize,
        context: &str,
        draft: &mut ExtendedDraft,
    ) -> Result<(), Diagnostic> {
        check_attributes(
            node,
            &["event", "cond", "target", "type"],
            &["cond"],
            &mut draft.diagnostics,
        );
        let own = self.states[at]
            .transitions
            .last()
            .and_then(|choice| choice.all[0].clone());
        let Some(own) = own else {
            let error = Diagnostic::error("there is no <transition> above that this one may replace", place(node));
            return Err(error.with_help("put it behind the <transition> that it may replace"));
        };
        let mut instead = read_transition(node, context, draft)?;
        if attribute(node, None, "event").is_none() {
            instead.events = own.events;
        }
        let label = format!("{context}, line {}: {}", row(node), shown(&instead));
        if let Some(choice) = self.states[at].transitions.last_mut() {
            choice.all.push(Some(instead));
            match choice.set {
                Some(set) => draft.sets[set].push(label),
                None => choice.set = Some(draft.sets.push(vec![choice.label.clone(), label])),
            }
        }
        Ok(())
    }
}

fn row(node: Node<'_, '_>) -> u32 {
    node.document().text_pos_at(node.range().start).row
}

pub(super) fn shown(transition: &ChartTransition) -> String {
    let target = match transition.targets.as_slice() {
        [] => "stays".to_owned(),
        targets => format!("to {}", targets.join(" ")),
    };
    format!("on {} {target}", transition.events.join(" "))
}

/// The words of a value.
fn ids(value: &Value<'_>) -> Vec<String> {
    value.words().map(str::to_owned).collect()
}

/// Reads a `<transition>` with its alternative targets, and whether it may be missing in mutants.
fn read_choice(node: Node<'_, '_>, context: &str, draft: &mut ExtendedDraft) -> Option<TransitionAlternatives> {
    check_attributes(
        node,
        &["event", "cond", "target", "type"],
        &["cond", "target", "missing"],
        &mut draft.diagnostics,
    );
    let own = match read_transition(node, context, draft) {
        Ok(own) => own,
        Err(error) => {
            draft.diagnostics.push(error);
            return None;
        }
    };
    let head = format!("{context}, line {}", row(node));
    let mut labels = vec![format!("{head}: {}", shown(&own))];
    let mut all = vec![Some(own.clone())];
    for part in attribute(node, Some(TAMPER), "target")
        .iter()
        .flat_map(|targets| targets.piece().alternatives('|'))
    {
        let other = ChartTransition {
            targets: part.text.split_ascii_whitespace().map(str::to_owned).collect(),
            ..own.clone()
        };
        labels.push(format!("{head}: {}", shown(&other)));
        all.push(Some(other));
    }
    match attribute(node, Some(TAMPER), "missing") {
        Some(value) if value.text == "true" => {
            labels.push(format!("{head}: missing"));
            all.push(None);
        }
        Some(value) if value.text != "false" => {
            draft.error(
                "neither true nor false",
                value.span,
                "mutants may lack the transition if it is true",
            );
        }
        _ => {}
    }
    let label = labels[0].clone();
    let set = (all.len() > 1).then(|| draft.sets.push(labels));
    Some(TransitionAlternatives { set, label, all })
}

fn read_transition(
    node: Node<'_, '_>,
    context: &str,
    draft: &mut ExtendedDraft,
) -> Result<ChartTransition, Diagnostic> {
    let events = attribute(node, None, "event").as_ref().map(ids).unwrap_or_default();
    let guard = attribute(node, None, "cond");
    let others = attribute(node, Some(TAMPER), "cond");
    let what = format!("{context}, line {}: cond", row(node));
    let guard = match (&guard, &others) {
        (Some(own), others) => Some(read_terms(own, others.as_ref(), draft, &what)?),
        (None, None) => None,
        (None, Some(others)) => {
            let error = Diagnostic::error("alternatives of a cond that is not there", others.span);
            return Err(error.with_help("write cond=\"true\" beside it"));
        }
    };
    let target = attribute(node, None, "target");
    let targets = target.as_ref().map(ids).unwrap_or_default();
    if let (Some(target), true) = (target, targets.is_empty()) {
        return Err(Diagnostic::error("a target without a state", target.span).with_help("leave it out"));
    }
    Ok(ChartTransition {
        events,
        guard,
        targets,
        is_internal: is_internal(node, draft),
        content: read_content(node, context, draft),
        span: place(node),
    })
}

/// Whether the type of a transition is `internal`; any type but that and `external` is an error.
fn is_internal(node: Node<'_, '_>, draft: &mut ExtendedDraft) -> bool {
    let kind = attribute(node, None, "type");
    if let Some(kind) = kind.filter(|kind| !matches!(kind.text, "internal" | "external")) {
        draft.error("the type is neither internal nor external", kind.span, "leave it out");
    }
    attribute(node, None, "type").is_some_and(|kind| kind.text == "internal")
}
