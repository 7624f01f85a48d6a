//! The explored network as an automaton: a location per discrete state.

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::classes::Channels;
use super::composed::EdgeParts;
use super::explore::{ExploredState, Graph};
use super::moves::{CombinedMove, State};
use super::{Composed, Network, Observed, Side, View};
use crate::model::{AutomatonBuilder, ClockId, Edge, Expr, Guard, LocId, Location, Role, Update, Urgency};
use crate::network::single::guard::guard;
use tamper_text::Id;

/// The game of `graph`, whose steps go as they are written.
pub(super) fn emit(network: &Network, view: &View, channels: &Channels, mut graph: Graph) -> Composed {
    let mut builder = AutomatonBuilder::new(view.name.as_str());
    let clocks = unique(network.clocks.iter().map(|name| identifier(name)));
    clocks.iter().for_each(|name| {
        builder.clock(Arc::clone(name));
    });
    let names = channel_names(network);
    for (at, channel) in (0..).zip(&network.channels) {
        for role in channels.roles(at, channel.broadcast, view) {
            builder.action(&names[at as usize], role, false);
        }
    }
    for (node, name) in graph.nodes.iter().zip(location_names(network, &graph.nodes)) {
        builder.location(location(node, name));
    }
    builder.initial(LocId::from_index(0));
    let (mut has_hidden, mut seen, mut internal) = (false, Vec::new(), None);
    let mut parts = EdgeParts::default();
    for at in 0..graph.nodes.len() {
        let (moves, targets) = graph.nodes[at].take_steps();
        for (step, target) in moves.iter().zip(&targets) {
            let (Some(target), Ok(effect)) = (target, &step.effect) else {
                continue;
            };
            let ends = (&*graph.nodes[at].state, &*graph.nodes[*target].state);
            let (name, role) = shown_as(network, view, &names, step, ends);
            let action = builder.action(&name, role, false);
            let hidden = is_hidden(view, step);
            has_hidden |= role == Role::Internal && hidden;
            if role == Role::Internal && internal.is_none() {
                let names = step.parts.iter().map(|part| network.edge_name(part.process, part.edge));
                internal = Some(names.collect::<Vec<_>>().join(" with "));
            }
            let updates = effect
                .resets
                .iter()
                .map(|(clock, value)| Update::Reset(ClockId::from_index(*clock as usize), Expr::Const(*value)));
            let edge = builder.edge(Edge {
                source: LocId::from_index(at),
                target: LocId::from_index(*target),
                action,
                guard: guard(&step.guard),
                updates: updates.collect(),
                selects: Vec::new(),
            });
            parts.0.push(Arc::clone(&step.parts));
            if role == Role::Internal && !hidden {
                seen.push(edge);
            }
        }
    }
    let automaton = builder.build().expect("names are unique and parts are known");
    let automaton = automaton.with_clocks_left_out(|clock| network.left_out.contains(&clock));
    Composed {
        automaton: automaton.with_atomic_steps(true),
        has_committed: graph.nodes.iter().any(|node| node.committed),
        has_hidden,
        seen,
        internal,
        n_explored: graph.n_explored,
        n_kept: graph.n_kept,
        parts,
        untaken: Vec::new(),
        reach: graph.reach,
        discrete: graph.nodes.into_iter().map(|node| node.state).collect(),
    }
}

/// The processes' own edges that take part in no step of `graph`, as process and edge.
pub(super) fn untaken(network: &Network, graph: &Graph) -> Vec<(usize, usize)> {
    let is_step = |(step, target): &(&CombinedMove, &Option<usize>)| target.is_some() && step.effect.is_ok();
    let steps = graph.nodes.iter().flat_map(|node| node.moves.iter().zip(&node.targets));
    let parts = steps.filter(is_step).flat_map(|(step, _)| step.parts.iter());
    let taken: FxHashSet<(usize, usize)> = parts.map(|part| (part.process, part.edge)).collect();
    let processes = network.processes.iter().enumerate();
    let edges = processes.flat_map(|(at, process)| (0..process.edges.len()).map(move |edge| (at, edge)));
    edges.filter(|edge| !taken.contains(edge)).collect()
}

/// Names of the actions on the channels, in the order of the channels.
pub(super) fn channel_names(network: &Network) -> Vec<Arc<str>> {
    unique(network.channels.iter().map(|channel| identifier(&channel.name)))
}

/// Whether a step that no action shows is hidden, rather than a step of the system that both sides must match: steps of the
/// environment alone, and, with `hide_internal`, all steps of the system without a channel that shows them.
fn is_hidden(view: &View, step: &CombinedMove) -> bool {
    let inside = |side| step.parts.iter().all(|part| view.sides[part.process] == side);
    step.class.is_none() && (step.channel.is_some() || view.hide_internal || inside(Side::Environment))
}

fn location(node: &ExploredState, name: Arc<str>) -> Location {
    let invariant = match &node.invariant {
        Some(atoms) => guard(atoms),
        None => Guard {
            clocks: Vec::new(),
            data: vec![Expr::Const(0)],
        },
    };
    Location {
        name,
        invariant,
        urgency: match (node.committed, node.urgent) {
            (true, _) => Urgency::Committed,
            (false, true) => Urgency::Urgent,
            (false, false) => Urgency::Normal,
        },
    }
}

/// The action of a step between two states, with these `names` of the channels, and its role. A step that no channel shows has the
/// name of the observed changes in it, if there are any.
pub(super) fn shown_as<'n>(
    network: &Network,
    view: &View,
    names: &'n [Arc<str>],
    step: &CombinedMove,
    (from, to): (&State, &State),
) -> (Cow<'n, str>, Role) {
    if let (Some(role), Some(channel)) = (step.class, step.channel) {
        return (Cow::Borrowed(&*names[channel as usize]), role);
    }
    let seen = view.observe.iter().filter_map(|what| change(network, what, from, to));
    let seen: Vec<String> = seen.collect();
    if seen.is_empty() {
        return ("tau".into(), Role::Internal);
    }
    let mut name = seen.join("__");
    while names.iter().any(|taken| **taken == *name) {
        name.push('_');
    }
    (name.into(), Role::Output)
}

/// The change of `what` in the step between two states, as an action name; `None` if it does not change.
pub(super) fn change(network: &Network, what: &Observed, from: &State, to: &State) -> Option<String> {
    match *what {
        Observed::Variable(at) => {
            let value = to.store[at];
            let sign = if value < 0 { "minus_" } else { "" };
            let name = identifier(&network.variables[at].name);
            (from.store[at] != value).then(|| format!("{name}_{sign}{}", value.unsigned_abs()))
        }
        Observed::Location(process, location) => {
            let is_there = |state: &State| state.locations[process] as usize == location;
            let process = &network.processes[process];
            let name = identifier(&format!("{}_{}", process.name, process.locations[location].name));
            match (is_there(from), is_there(to)) {
                (false, true) => Some(name),
                (true, false) => Some(format!("{name}_left")),
                _ => None,
            }
        }
    }
}

/// The name of each location: the names of the processes' locations, and a number where the values of variables differ.
fn location_names(network: &Network, nodes: &[ExploredState]) -> Vec<Arc<str>> {
    let vector = |node: &ExploredState| {
        let parts = network.processes.iter().zip(&node.state.locations);
        let names: Vec<&str> = parts
            .map(|(process, at)| &*process.locations[*at as usize].name)
            .collect();
        identifier(&names.join("_"))
    };
    unique(nodes.iter().map(vector))
}

/// The names made unique: repetitions get a number.
fn unique(names: impl Iterator<Item = String>) -> Vec<Arc<str>> {
    let mut names: Vec<Arc<str>> = names.map(Arc::from).collect();
    let all: FxHashSet<Arc<str>> = names.iter().cloned().collect();
    let mut count = FxHashMap::<Arc<str>, u32>::default();
    let mut used = FxHashSet::<Arc<str>>::default();
    for name in &mut names {
        if used.insert(Arc::clone(name)) {
            continue;
        }
        let number = count.entry(Arc::clone(name)).or_insert(1);
        *name = loop {
            *number += 1;
            let candidate: Arc<str> = format!("{name}_{number}").into();
            if !all.contains(&candidate) && used.insert(Arc::clone(&candidate)) {
                break candidate;
            }
        };
    }
    names
}

/// `name` with everything that is not allowed in a name replaced; `Train(0).x[1]` is `Train_0_x_1`.
fn identifier(name: &str) -> String {
    let mut text = String::new();
    for character in name.chars() {
        match character {
            c if c.is_ascii_alphanumeric() || c == '_' => text.push(c),
            ')' | ']' => {}
            _ => text.push('_'),
        }
    }
    text
}
