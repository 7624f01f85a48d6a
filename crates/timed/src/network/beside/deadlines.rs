//! Processes that are stuck: behind some steps of theirs each run has little time, however the other processes go on.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::super::classes::Channels;
use super::super::moves::{CombinedMove, MoveGenerator, State};
use super::super::{Condition, Edge, Expr, Location, Network, Process, Sync, Uses, View};
use super::safe;
use crate::model::{Cmp, Role, Urgency};

/// Most states of a group that are followed, and most groups.
const MOST_STATES: usize = 2_000;
const MOST_GROUPS: usize = 64;

/// The groups of processes of a mutant that may be stuck.
pub(super) struct Deadlines<'w> {
    network: &'w Network,
    view: &'w View,
    channels: &'w Channels,
    /// Known from the first question on.
    groups: Option<Vec<Group>>,
}

/// A process, or two that meet on a channel.
struct Group {
    processes: Vec<usize>,
    /// The network in which all others are free: they can always take part.
    network: Network,
    /// Whether labels of the group use the variable, and whether no other process sets the clock.
    uses: Vec<bool>,
    own_clocks: Vec<bool>,
    /// Whether the group makes finitely many steps from there, in bounded time.
    known: FxHashMap<State, bool>,
}

impl<'w> Deadlines<'w> {
    /// Those of `network`: nothing is computed yet.
    pub fn of(network: &'w Network, view: &'w View, channels: &'w Channels) -> Self {
        Self {
            network,
            view,
            channels,
            groups: None,
        }
    }

    /// Whether every run of outputs, internal steps and delays from the state gets stuck, whatever values clocks have.
    pub fn end_all(&mut self, state: &State) -> bool {
        let groups = self
            .groups
            .get_or_insert_with(|| groups_of(self.network, self.channels));
        groups
            .iter_mut()
            .any(|group| group.ends(state, self.view, self.channels))
    }
}

/// The groups about which something may be known. There is none if some run may end in a fault, as runs from states that are stuck
/// are not followed, or if clocks start ahead.
fn groups_of(network: &Network, channels: &Channels) -> Vec<Group> {
    if !network.ahead.is_empty() || !safe::cannot_fail(network) {
        return Vec::new();
    }
    let updates = UpdatedClocks::of(network);
    let all = 0..network.processes.len();
    let pairs = all
        .clone()
        .flat_map(|one| (0..one).map(move |other| vec![other, one]))
        .filter(|pair| meet(network, pair[0], pair[1]));
    let groups = all.map(|one| vec![one]).chain(pairs).take(MOST_GROUPS);
    let groups = groups.filter(|group| !may_run_on(network, channels, group, &updates));
    groups.filter_map(|group| Group::of(network, group)).collect()
}

impl Group {
    /// `None` if other processes have a say in what the group can do, other than by taking part.
    fn of(network: &Network, processes: Vec<usize>) -> Option<Self> {
        let mut free = network.clone();
        let (mut used, mut set_by_others) = (BTreeSet::new(), Uses::default());
        for (at, process) in free.processes.iter_mut().enumerate() {
            if processes.contains(&at) {
                used.extend(Uses::of(network, at).variables);
                // A step of others may leave a committed location: here none does.
                let committed = |location: &&mut Location| location.urgency == Urgency::Committed;
                let locations = process.locations.iter_mut().filter(committed);
                locations.for_each(|location| location.urgency = Urgency::Urgent);
            } else {
                let more = Uses::of_updates(network, process.edges.iter().flat_map(|edge| &edge.updates));
                set_by_others.variables.extend(more.variables);
                set_by_others.clocks.extend(more.clocks);
                set_free(process, network);
            }
        }
        let mut others = (0..network.processes.len()).filter(|at| !processes.contains(at));
        let are_free = others.all(|at| Uses::of(&free, at).variables.is_empty());
        (are_free && used.is_disjoint(&set_by_others.variables)).then(|| Self {
            uses: (0..network.variables.len()).map(|at| used.contains(&at)).collect(),
            own_clocks: (0..network.clocks.len())
                .map(|at| !set_by_others.clocks.contains(&at))
                .collect(),
            processes,
            network: free,
            known: FxHashMap::default(),
        })
    }

    /// Whether the group makes finitely many steps from `state`, in bounded time: depth first.
    fn ends(&mut self, state: &State, view: &View, channels: &Channels) -> bool {
        let start = self.part_of(state);
        if let Some(known) = self.known.get(&start) {
            return *known;
        }
        let mut generator = MoveGenerator::new(&self.network, view, channels);
        let mut path: Vec<(State, Vec<State>)> = Vec::new();
        let mut entered = Some(start);
        loop {
            if let Some(state) = entered.take()
                && self.known.get(&state) != Some(&true)
            {
                let is_new = !self.known.contains_key(&state) && path.iter().all(|(earlier, _)| *earlier != state);
                let is_open = is_new && self.known.len() + path.len() < MOST_STATES;
                let next = is_open.then(|| self.next(&mut generator, &state)).flatten();
                let Some(next) = next else {
                    // All states on the path lead there.
                    let all = path.into_iter().map(|(state, _)| state).chain([state]);
                    self.known.extend(all.map(|state| (state, false)));
                    return false;
                };
                path.push((state, next));
            }
            let Some((_, open)) = path.last_mut() else { return true };
            entered = open.pop();
            if entered.is_none() {
                let (state, _) = path.pop().expect("it was the last");
                self.known.insert(state, true);
            }
        }
    }

    /// The states to which steps of the group lead; `None` if time does not end before, or if they are not known.
    fn next(&self, generator: &mut MoveGenerator<'_>, state: &State) -> Option<Vec<State>> {
        let mut locations = self.processes.iter().map(|process| {
            let at = state.locations[*process] as usize;
            &self.network.processes[*process].locations[at]
        });
        if locations.all(|location| location.urgency == Urgency::Normal) {
            let invariant = generator.invariant(state).ok()?;
            let ends = invariant.is_none_or(|all| {
                let mut atoms = all.as_slice().iter();
                atoms.any(|atom| {
                    let clock = atom.left.index().checked_sub(1);
                    atom.right == tamper_zones::Clock::ZERO && clock.is_some_and(|clock| self.own_clocks[clock])
                })
            });
            if !ends {
                return None;
            }
        }
        let (moves, _) = generator.moves(state).ok()?;
        let is_own = |step: &&CombinedMove| {
            let mut parts = step.parts.iter();
            step.class != Some(Role::Input) && parts.any(|part| self.processes.contains(&part.process))
        };
        let targets = moves.iter().filter(is_own).map(|step| match &step.effect {
            Ok(effect) => Some(self.part_of(&effect.target)),
            Err(_) => None,
        });
        targets.collect()
    }

    /// What the group sees of the state.
    fn part_of(&self, state: &State) -> State {
        let locations = state.locations.iter().enumerate();
        let values = state.store.iter().zip(&self.network.variables).zip(&self.uses);
        State {
            locations: locations
                .map(|(at, location)| if self.processes.contains(&at) { *location } else { 0 })
                .collect(),
            store: values
                .map(|((value, variable), uses)| if *uses { *value } else { variable.initial })
                .collect(),
            part: 0,
        }
    }
}

/// Leaves the process one location, and there an edge for each way in which an edge of it takes part in steps of others.
fn set_free(process: &mut Process, network: &Network) {
    process.locations.truncate(1);
    for only in &mut process.locations {
        (only.urgency, only.invariant, only.frame) = (Urgency::Normal, Condition::always(), 0);
    }
    process.initial = 0;
    // Nobody waits for who hears a broadcast.
    let matters = |sync: &Sync| {
        sync.sends
            || !network.channels[sync.channel.range()]
                .iter()
                .all(|channel| channel.broadcast)
    };
    let mut edges: Vec<Edge> = Vec::new();
    for edge in process.edges.drain(..) {
        let is_known = |known: &Edge| known.selects == edge.selects && known.sync == edge.sync;
        if edge.sync.as_ref().is_some_and(matters) && !edges.iter().any(is_known) {
            let (source, target, guard, updates) = (0, 0, Condition::always(), Vec::new());
            edges.push(Edge {
                source,
                target,
                guard,
                updates,
                ..edge
            });
        }
    }
    process.edges = edges;
}

/// Whether one of the processes may send to the other, other than by a broadcast.
fn meet(network: &Network, one: usize, other: usize) -> bool {
    let syncs = |process: usize| {
        network.processes[process]
            .edges
            .iter()
            .filter_map(|edge| edge.sync.as_ref())
    };
    syncs(one).any(|own| {
        syncs(other).any(|its| {
            let (first, second) = (own.channel.range(), its.channel.range());
            let is_shared = first.start < second.end && second.start < first.end;
            own.sends != its.sends && is_shared && !network.channels[first.start].broadcast
        })
    })
}

/// The clocks that edges set.
struct UpdatedClocks {
    /// Per process and edge, all of them, and those that are set to 0 and to nothing else.
    of_edges: Vec<Vec<(BTreeSet<usize>, BTreeSet<usize>)>>,
}

impl UpdatedClocks {
    fn of(network: &Network) -> Self {
        let of_edge = |edge: &Edge| {
            let all = Uses::of_updates(network, edge.updates.iter()).clocks;
            let others = edge.updates.iter().filter(|update| zeroed(update).is_none());
            let others = Uses::of_updates(network, others).clocks;
            let zeroed = edge.updates.iter().filter_map(zeroed);
            (all, zeroed.filter(|clock| !others.contains(clock)).collect())
        };
        let processes = network.processes.iter();
        Self {
            of_edges: processes
                .map(|process| process.edges.iter().map(of_edge).collect())
                .collect(),
        }
    }

    /// Whether only edges of the process set the clock, and only to 0.
    fn is_timer(&self, process: usize, clock: usize) -> bool {
        let mut processes = self.of_edges.iter().enumerate();
        processes.all(|(at, edges)| {
            let mut edges = edges.iter().filter(|(all, _)| all.contains(&clock));
            edges.all(|(_, zeroed)| at == process && zeroed.contains(&clock))
        })
    }
}

/// The clock that the update sets to 0.
fn zeroed(update: &Expr) -> Option<usize> {
    match update {
        Expr::Reset(clock, value) if clock.steps.is_empty() && value.as_const() == Some(0) => Some(clock.base as usize),
        _ => None,
    }
}

/// The clocks of which the condition asks that they are 1 at least.
fn awaited(condition: &Condition) -> Vec<usize> {
    match condition {
        Condition::Atom(clock, None, Cmp::Ge | Cmp::Gt | Cmp::Eq, bound)
            if clock.steps.is_empty() && bound.as_const().is_some_and(|bound| bound >= 1) =>
        {
            vec![clock.base as usize]
        }
        Condition::And(parts) => parts.iter().flat_map(awaited).collect(),
        _ => Vec::new(),
    }
}

/// Whether processes but those of the group may make steps for ever in bounded time, as far as channels and clocks tell: whether
/// edges are left that may all be taken again and again.
fn may_run_on(network: &Network, channels: &Channels, group: &[usize], updates: &UpdatedClocks) -> bool {
    let processes = network.processes.iter().enumerate();
    let mut left: Vec<Vec<bool>> = processes
        .map(|(at, process)| vec![!group.contains(&at); process.edges.len()])
        .collect();
    loop {
        let mut lost = Vec::new();
        for (at, process) in network.processes.iter().enumerate() {
            for (number, edge) in process.edges.iter().enumerate().filter(|(number, _)| left[at][*number]) {
                let timers = awaited(&edge.guard)
                    .into_iter()
                    .filter(|clock| updates.is_timer(at, *clock));
                let is_repeated = is_on_circle(&process.edges, number, |other| left[at][other])
                    && timers.into_iter().all(|clock| {
                        let keeps = |other: usize| left[at][other] && !updates.of_edges[at][other].0.contains(&clock);
                        is_on_circle(&process.edges, number, keeps)
                    });
                if !is_repeated || !has_partner(network, channels, (at, edge), &left) {
                    lost.push((at, number));
                }
            }
        }
        if lost.is_empty() {
            return left.iter().flatten().any(|is_left| *is_left);
        }
        for (at, number) in lost {
            left[at][number] = false;
        }
    }
}

/// Whether the edge is taken by itself, or an edge of another process that is left may take part.
fn has_partner(network: &Network, channels: &Channels, (at, edge): (usize, &Edge), left: &[Vec<bool>]) -> bool {
    let Some(sync) = &edge.sync else { return true };
    let mut range = sync.channel.range();
    let is_alone = |channel: usize| {
        let number = u32::try_from(channel).expect("fewer than 2^32 channels");
        network.channels[channel].broadcast || channels.sends_outside(number, at)
    };
    if sync.sends && range.clone().any(is_alone) {
        return true;
    }
    range.any(|channel| {
        let others = network.processes.iter().enumerate().filter(|(other, _)| *other != at);
        let mut edges = others.flat_map(|(other, process)| process.edges.iter().zip(&left[other]));
        edges.any(|(other, is_left)| {
            let meets = |its: &Sync| its.sends != sync.sends && its.channel.range().contains(&channel);
            *is_left && other.sync.as_ref().is_some_and(meets)
        })
    })
}

/// Whether the edge is one of these, and they lead back from its target to its source.
fn is_on_circle(edges: &[Edge], edge: usize, is_meant: impl Fn(usize) -> bool) -> bool {
    if !is_meant(edge) {
        return false;
    }
    let mut reached = BTreeSet::from([edges[edge].target]);
    let mut open = vec![edges[edge].target];
    while let Some(location) = open.pop() {
        if location == edges[edge].source {
            return true;
        }
        let next = edges.iter().enumerate();
        let next = next.filter(|(at, other)| other.source == location && is_meant(*at));
        open.extend(
            next.map(|(_, other)| other.target)
                .filter(|target| reached.insert(*target)),
        );
    }
    false
}
