//! Facts about a template and the behaviour that its runs reach.

use std::cell::LazyCell;
use std::fmt::Write as _;

use serde::Serialize;

use super::why::{dead_because, inconsistent_because};
use tamper_game::{Analysis, Consistency, Overlap};
use tamper_timed::model::{Automaton, EdgeId, LocId, Role};
use tamper_timed::mutation::edge_names;

/// The facts about one template, ready to be shown. Lists are names; `None` where a limit was hit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Facts {
    template: String,
    locations: usize,
    edges: usize,
    clocks: usize,
    integers: usize,
    inputs: Vec<String>,
    outputs: Vec<String>,
    internal: bool,
    input_enabled: bool,
    initial: String,
    deterministic: Option<bool>,
    possibly_overlapping_edges: Vec<[String; 2]>,
    overlapping_edges: Vec<[String; 2]>,
    consistent: Option<bool>,
    unreachable_locations: Vec<String>,
    dead_edges: Vec<String>,
    /// For each dead edge the reason, if it is cheap to tell; for the text only.
    #[serde(skip)]
    why_dead: Vec<Option<String>>,
    time_locks: Vec<String>,
    inconsistent_locations: Vec<String>,
    /// For each inconsistent location the reason, likewise.
    #[serde(skip)]
    why_inconsistent: Vec<Option<String>>,
    /// The steps of a circle that some run takes for ever while no time passes, as `source -action-> target`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    zeno_circle: Vec<String>,
    discrete_states: usize,
    zones: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<String>,
}

impl Facts {
    /// The facts about `automaton` that need no exploration; `reason` says why it was not explored.
    pub fn unexplored(automaton: &Automaton, reason: impl Into<String>) -> Self {
        Self {
            unknown: Some(reason.into()),
            ..Self::read(automaton)
        }
    }

    /// The facts that `analysis` found about `automaton`; `place` names locations that are more than their names.
    pub fn of(automaton: &Automaton, analysis: &Analysis, place: &dyn Fn(LocId) -> Option<String>) -> Self {
        let edges = LazyCell::new(|| edge_names(automaton));
        let edge = |id| edges[id].clone();
        let pairs = |overlaps: &[Overlap]| overlaps.iter().map(|two| [edge(two.first), edge(two.second)]).collect();
        let names = |locations: &[LocId]| {
            let name = |id: &LocId| place(*id).unwrap_or_else(|| automaton.locations()[*id].name.to_string());
            locations.iter().map(name).collect()
        };
        let (consistent, unknown) = match analysis.consistency {
            Consistency::Consistent => (Some(true), None),
            Consistency::Inconsistent => (Some(false), None),
            Consistency::Unknown(reason) => (None, Some(reason.to_string())),
        };
        Self {
            deterministic: Some(analysis.overlaps.is_empty()),
            possibly_overlapping_edges: pairs(&analysis.syntactic_overlaps),
            overlapping_edges: pairs(&analysis.overlaps),
            consistent,
            unreachable_locations: names(&analysis.unreachable),
            dead_edges: analysis.dead_edges.iter().map(|id| edge(*id)).collect(),
            why_dead: analysis
                .dead_edges
                .iter()
                .map(|id| dead_because(automaton, *id, &analysis.unreachable))
                .collect(),
            time_locks: names(&analysis.time_locks),
            inconsistent_locations: names(&analysis.inconsistent),
            why_inconsistent: analysis
                .inconsistent
                .iter()
                .map(|id| inconsistent_because(automaton, *id))
                .collect(),
            zeno_circle: analysis
                .zeno_circle
                .iter()
                .map(|id| step_text(automaton, *id))
                .collect(),
            discrete_states: analysis.n_discrete,
            zones: analysis.n_zones,
            unknown,
            ..Self::read(automaton)
        }
    }

    /// The same, with the edges and locations of processes that no edge and no location of the composition comes from.
    #[must_use]
    pub fn with_unused(mut self, edges: &[String], locations: &[String]) -> Self {
        self.why_dead.resize(self.dead_edges.len() + edges.len(), None);
        self.dead_edges.extend_from_slice(edges);
        self.unreachable_locations.extend_from_slice(locations);
        self
    }

    fn read(automaton: &Automaton) -> Self {
        let of_role = |role| {
            let actions = automaton.actions().iter().filter(move |action| action.role == role);
            actions.map(|action| action.name.to_string()).collect::<Vec<_>>()
        };
        Self {
            template: automaton.name().to_owned(),
            locations: automaton.locations().len(),
            edges: automaton.edges().len(),
            clocks: automaton.clocks().len(),
            integers: automaton.ints().len(),
            inputs: of_role(Role::Input),
            outputs: of_role(Role::Output),
            internal: automaton.actions().iter().any(|action| action.role == Role::Internal),
            input_enabled: automaton.is_input_enabled(),
            initial: automaton.locations()[automaton.initial()].name.to_string(),
            deterministic: None,
            possibly_overlapping_edges: Vec::new(),
            overlapping_edges: Vec::new(),
            consistent: None,
            unreachable_locations: Vec::new(),
            dead_edges: Vec::new(),
            why_dead: Vec::new(),
            time_locks: Vec::new(),
            inconsistent_locations: Vec::new(),
            why_inconsistent: Vec::new(),
            zeno_circle: Vec::new(),
            discrete_states: 0,
            zones: 0,
            unknown: None,
        }
    }

    /// Whether the game may be consistent: it is, or that is unknown.
    pub fn may_be_consistent(&self) -> bool {
        self.consistent != Some(false)
    }

    /// Whether every mutant has a verdict.
    pub fn is_complete(&self) -> bool {
        self.unknown.is_none()
    }
}

/// The facts as a paragraph for a terminal.
pub fn facts_text(facts: &Facts) -> String {
    let mut text = String::new();
    let yes_no = |answer| match answer {
        Some(true) => "yes",
        Some(false) => "no",
        None => "unknown",
    };
    let list = |names: &[String]| match names {
        [] => "none".to_owned(),
        names => names.join(", "),
    };
    let pairs = |pairs: &[[String; 2]]| {
        let names: Vec<_> = pairs.iter().map(|two| two.join(" with ")).collect();
        // Names of edges of a composition are long, so each pair has a line.
        shortened(&names, &format!("\n{:26}", ""))
    };
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "  {name:<24}{value}");
    };
    line(
        "locations",
        &format!("{} (initial: {})", facts.locations, facts.initial),
    );
    line("edges", &facts.edges.to_string());
    line("clocks, integers", &format!("{}, {}", facts.clocks, facts.integers));
    line("inputs", &list(&facts.inputs));
    let outputs = list(&facts.outputs) + if facts.internal { ", and internal steps" } else { "" };
    line("outputs", &outputs);
    line(
        "unspecified inputs",
        if facts.input_enabled { "ignored" } else { "refused" },
    );
    if let Some(reason) = &facts.unknown {
        line("not fully explored", reason);
    }
    line("deterministic", yes_no(facts.deterministic));
    if facts.deterministic == Some(false) {
        line("  overlapping edges", &pairs(&facts.overlapping_edges));
    } else if !facts.possibly_overlapping_edges.is_empty() {
        line("  never met together", &pairs(&facts.possibly_overlapping_edges));
    }
    line("consistent", yes_no(facts.consistent));
    if facts.deterministic.is_some() {
        line("unreachable locations", &shortened(&facts.unreachable_locations, ", "));
        line(
            "edges never enabled",
            &shortened(&explained(&facts.dead_edges, &facts.why_dead), ", "),
        );
        line("time-locks in", &shortened(&facts.time_locks, ", "));
        let inconsistent = explained(&facts.inconsistent_locations, &facts.why_inconsistent);
        line("inconsistent states in", &shortened(&inconsistent, ", "));
        if !facts.zeno_circle.is_empty() {
            line("for ever without time", &shortened(&facts.zeno_circle, ", "));
        }
        line(
            "discrete states, zones",
            &format!("{}, {}", facts.discrete_states, facts.zones),
        );
    }
    format!("{}{}\n{text}", facts.template, inconsistency(facts))
}

/// `source -action!-> target`
fn step_text(automaton: &Automaton, id: EdgeId) -> String {
    let edge = &automaton.edges()[id];
    let [source, target] = [edge.source, edge.target].map(|at| &automaton.locations()[at].name);
    format!("{source} -{}-> {target}", automaton.actions()[edge.action])
}

/// What follows the name of a game that is inconsistent.
fn inconsistency(facts: &Facts) -> &'static str {
    match facts.may_be_consistent() {
        true => "",
        false => {
            ": inconsistent, so that verdicts need --semantics definition (from its initial state it cannot avoid a state where \
                 time is stopped and it has no output)"
        }
    }
}

/// The largest number of names in a list.
const MOST: usize = 10;

/// The names with `between` them; of more than ten names the first ten, and their number.
fn shortened(names: &[String], between: &str) -> String {
    match names {
        [] => "none".to_owned(),
        names if names.len() <= MOST => names.join(between),
        names => format!("{} (the first {MOST} of {})", names[..MOST].join(between), names.len()),
    }
}

/// Each name with its reason.
fn explained(names: &[String], reasons: &[Option<String>]) -> Vec<String> {
    let pairs = names.iter().zip(reasons);
    pairs
        .map(|(name, reason)| match reason {
            Some(reason) => format!("{name} ({reason})"),
            None => name.clone(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut_and_counted() {
        let names = |n: usize| (0..n).map(|at| format!("L{at}")).collect::<Vec<_>>();
        assert_eq!(shortened(&names(0), ", "), "none");
        assert_eq!(shortened(&names(2), ", "), "L0, L1");
        assert!(shortened(&names(10), ", ").ends_with("L8, L9"));
        assert!(shortened(&names(11), "\n").ends_with("L8\nL9 (the first 10 of 11)"));
    }
}
