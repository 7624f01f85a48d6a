//! The possible steps of one discrete state: combinations of edges that fire together, by UPPAAL's rules.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::atoms::{Atoms, minus_all};
use super::cases::product;
use super::classes::{Channels, ObservedRole};
use super::error::ComposeError;
use super::interned::Interned;
use super::priority::Priority;
use super::urgent::{StatePart, parts};
use super::{Edge, Fault, Machine, Network, Process, Vector, View};
use crate::model::{Role, Urgency};

/// A discrete state of a network.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The position of each process's location.
    pub locations: Box<[u32]>,
    /// The values of all variables.
    pub store: Box<[i32]>,
    /// The part of the clock values in which the state was entered, by its number: 0 unless a synchronisation on an urgent
    /// channel depends on clocks there.
    pub part: u32,
}

/// An edge that takes part in a step.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct FiringEdge {
    pub process: usize,
    pub edge: usize,
    /// The values of its select variables.
    pub selects: Vec<i32>,
}

/// A combination of edges that may fire together; what several steps have in common is there once.
#[derive(Clone, Debug)]
pub(super) struct CombinedMove {
    /// The sender first, then the receivers in process order.
    pub parts: Arc<[FiringEdge]>,
    /// `None` for an edge without a synchronisation.
    pub channel: Option<u32>,
    pub class: ObservedRole,
    pub guard: Arc<Atoms>,
    pub effect: Result<MoveEffect, Box<(String, Fault)>>,
    pub priority: Priority,
}

/// The effect of a step.
#[derive(Clone, Debug)]
pub(super) struct MoveEffect {
    pub target: Arc<State>,
    /// The clocks that are set, each once, by position.
    pub resets: Arc<[(u32, i64)]>,
    /// The invariant of the target.
    pub invariant: Arc<Atoms>,
}

/// An edge whose condition on variables holds.
pub(super) struct Ready {
    part: FiringEdge,
    channel: Option<u32>,
    sends: bool,
    /// The clock conditions of its guard; they do not overlap.
    cases: Arc<[Atoms]>,
}

/// An edge whose guard depends on no variable.
type ConstantCases = Option<Arc<[Atoms]>>;

/// Computes the possible steps of discrete states.
pub(super) struct MoveGenerator<'a> {
    pub network: &'a Network,
    pub view: &'a View,
    pub channels: &'a Channels,
    pub machine: Machine<'a>,
    /// Per process and location, its edges; per process and edge, the conditions of its guard where they are always the same.
    edges: Vec<Vec<Vec<usize>>>,
    cases: Vec<Vec<ConstantCases>>,
    parts: Interned<[FiringEdge]>,
    conditions: Interned<Atoms>,
    resets: Interned<[(u32, i64)]>,
    /// The targets of steps, with their invariants; `None` where no clock value satisfies it.
    targets: FxHashMap<Arc<State>, Option<Arc<Atoms>>>,
    /// Whether what has no meaning is left out, rather than the end of the exploration.
    pub skips_faults: bool,
    /// Whether states have parts, and the parts of the states that were met.
    pub has_parts: bool,
    pub state_parts: FxHashMap<Arc<State>, Arc<[StatePart]>>,
}

/// A result whose error is the edge or location at fault, and the fault.
type Faulty<T> = Result<T, (String, Fault)>;

impl<'a> MoveGenerator<'a> {
    /// For the states of `network`.
    pub fn new(network: &'a Network, view: &'a View, channels: &'a Channels) -> Self {
        let mut machine = Machine::new(network);
        let mut cases_of = |edge: &Edge| {
            machine.frame(edge.frame, &[]);
            let cases = network.is_constant(&edge.guard).then(|| machine.cases(&edge.guard));
            cases.and_then(Result::ok).map(Arc::from)
        };
        let processes = network.processes.iter();
        let cases = processes.map(|process| process.edges.iter().map(&mut cases_of).collect());
        Self {
            cases: cases.collect(),
            edges: network.processes.iter().map(edges_by_source).collect(),
            network,
            view,
            channels,
            machine,
            parts: Interned::default(),
            conditions: Interned::default(),
            resets: Interned::default(),
            targets: FxHashMap::default(),
            skips_faults: false,
            has_parts: network.has_timed_urgency(),
            state_parts: FxHashMap::default(),
        }
    }

    /// `state` with its invariant; `None` if that is false for all clock values.
    pub fn target(&mut self, state: State) -> Faulty<(Arc<State>, Option<Arc<Atoms>>)> {
        if let Some((known, invariant)) = self.targets.get_key_value(&state) {
            return Ok((Arc::clone(known), invariant.clone()));
        }
        let invariant = self.invariant(&state)?;
        let invariant = invariant.map(|all| self.conditions.get(&all, |all| Arc::new(all.clone())));
        let state = Arc::new(state);
        self.targets.insert(Arc::clone(&state), invariant.clone());
        Ok((state, invariant))
    }

    /// The invariant in `state`; `None` if it is false for all clock values.
    pub fn invariant(&mut self, state: &State) -> Faulty<Option<Atoms>> {
        self.machine.load(&state.store);
        let mut all = Atoms::default();
        for (process, at) in self.network.processes.iter().zip(&state.locations) {
            let location = &process.locations[*at as usize];
            let wrong = |fault| (format!("the invariant of {}.{}", process.name, location.name), fault);
            self.machine.frame(location.frame, &[]);
            let cases = self.machine.cases(&location.invariant).map_err(wrong)?;
            let more = match cases.as_slice() {
                [] => return Ok(None),
                [only] => only,
                _ => return Err(wrong(Fault::Disjunction)),
            };
            match all.and_all(more) {
                Some(both) => all = both,
                None => return Ok(None),
            }
        }
        Ok(Some(all))
    }

    /// Whether some process is in a committed location.
    pub fn is_committed(&self, state: &State) -> bool {
        self.urgency(state).any(|urgency| urgency == Urgency::Committed)
    }

    fn urgency(&self, state: &State) -> impl Iterator<Item = Urgency> {
        let pairs = self.network.processes.iter().zip(&state.locations);
        pairs.map(|(process, at)| process.locations[*at as usize].urgency)
    }

    /// The steps from `state` before priorities, and whether no time may pass.
    pub fn moves(&mut self, state: &State) -> Result<(Vec<CombinedMove>, bool), ComposeError> {
        let ready = self.ready(state).map_err(|(at, why)| fault(at, why))?;
        let mut moves = Vec::new();
        for (at, sender) in ready.iter().enumerate() {
            match sender.channel {
                None => self.step(state, &[sender], None, &sender.cases, &mut moves),
                Some(channel) if self.network.channels[channel as usize].by_vectors => {}
                Some(channel) if self.network.channels[channel as usize].broadcast => {
                    self.broadcast(state, &ready, at, channel, &mut moves);
                }
                Some(channel) => self.handshakes(state, &ready, at, channel, &mut moves),
            }
        }
        self.vectors(state, &ready, &mut moves)?;
        self.outside_broadcasts(state, &ready, &mut moves);
        let mut urgent = self.urgency(state).any(|urgency| urgency != Urgency::Normal);
        urgent |= self.time_stands(state, &ready)?;
        if self.is_committed(state) {
            let leaves = |part: &FiringEdge| {
                let process = &self.network.processes[part.process];
                process.locations[process.edges[part.edge].source].urgency == Urgency::Committed
            };
            moves.retain(|step| step.parts.iter().any(leaves));
        }
        if self.has_parts {
            moves = self.by_parts(moves);
        }
        Ok((moves, urgent))
    }

    /// The edges whose conditions on variables hold.
    pub(super) fn ready(&mut self, state: &State) -> Faulty<Vec<Ready>> {
        let network = self.network;
        self.machine.load(&state.store);
        let mut list = Vec::new();
        for (at, process) in network.processes.iter().enumerate() {
            for index in self.edges[at][state.locations[at] as usize].iter().copied() {
                let edge = &process.edges[index];
                for selects in combinations(edge) {
                    let part = FiringEdge {
                        process: at,
                        edge: index,
                        selects,
                    };
                    let wrong = |fault| (network.edge_name(at, index), fault);
                    self.machine.frame(edge.frame, &part.selects);
                    let cases = match &self.cases[at][index] {
                        Some(always) => Arc::clone(always),
                        None => self.machine.cases(&edge.guard).map_err(wrong)?.into(),
                    };
                    if cases.is_empty() {
                        continue;
                    }
                    let channel = match &edge.sync {
                        Some(sync) => {
                            let offset = self.machine.offset(&sync.channel.steps).map_err(wrong)?;
                            let offset = u32::try_from(offset).expect("fewer than 2^32 channels");
                            Some(sync.channel.base + offset)
                        }
                        None => None,
                    };
                    let sends = edge.sync.as_ref().is_some_and(|sync| sync.sends);
                    list.push(Ready {
                        part,
                        channel,
                        sends,
                        cases,
                    });
                }
            }
        }
        Ok(list)
    }

    /// The handshakes in which `ready[at]` is the sender; for a receiver, the handshake with a sender outside.
    fn handshakes(&mut self, state: &State, ready: &[Ready], at: usize, channel: u32, moves: &mut Vec<CombinedMove>) {
        let end = &ready[at];
        let (process, sides) = (end.part.process, &self.view.sides);
        if !end.sends {
            if self.channels.is_open(channel) {
                let class = self.channels.class_from_outside(sides[process]);
                self.step(state, &[end], class, &end.cases, moves);
            }
            return;
        }
        if self.channels.sends_outside(channel, process) {
            let class = self.channels.to_outside(sides[process]);
            self.step(state, &[end], class, &end.cases, moves);
            return;
        }
        for other in ready {
            if other.channel == Some(channel) && !other.sends && other.part.process != process {
                let class = self
                    .channels
                    .between(sides[process], sides[other.part.process], self.view);
                self.step(state, &[end, other], class, &product(&end.cases, &other.cases), moves);
            }
        }
    }

    /// The broadcasts that `ready[at]` sends.
    fn broadcast(&mut self, state: &State, ready: &[Ready], at: usize, channel: u32, moves: &mut Vec<CombinedMove>) {
        let sender = &ready[at];
        if sender.sends {
            let class = self.channels.broadcast(channel, sender.part.process, self.view);
            let others = |other: &&Ready| other.part.process != sender.part.process;
            let receivers: Vec<&Ready> = receivers(ready, channel).filter(others).collect();
            for (parts, cases) in audiences(&receivers, sender.cases.to_vec()) {
                let all: Vec<&Ready> = std::iter::once(sender).chain(parts).collect();
                self.step(state, &all, class, &cases, moves);
            }
        }
    }

    /// The steps of vectors.
    fn vectors(&mut self, state: &State, ready: &[Ready], moves: &mut Vec<CombinedMove>) -> Result<(), ComposeError> {
        let network = self.network;
        for vector in &network.vectors {
            let first = moves.len();
            for (parts, cases) in together(network, vector, state, ready)? {
                self.step(state, &parts, vector.seen.map(|seen| seen.role), &cases, moves);
            }
            let channel = vector.seen.map(|seen| seen.channel);
            moves[first..].iter_mut().for_each(|step| step.channel = channel);
        }
        Ok(())
    }

    /// The broadcasts from a sender outside. One that no process receives changes nothing, but is still possible: a
    /// broadcast is never blocked.
    fn outside_broadcasts(&mut self, state: &State, ready: &[Ready], moves: &mut Vec<CombinedMove>) {
        for channel in 0..u32::try_from(self.network.channels.len()).expect("fewer than 2^32 channels") {
            if !self.network.channels[channel as usize].broadcast || !self.channels.is_open(channel) {
                continue;
            }
            let receivers: Vec<&Ready> = receivers(ready, channel).collect();
            let class = self.channels.broadcast_from_outside(channel, self.view);
            for (parts, cases) in audiences(&receivers, vec![Atoms::default()]) {
                if !parts.is_empty() {
                    self.step(state, &parts, class, &cases, moves);
                } else if class == Some(Role::Input) {
                    self.unheard(state, channel, cases, moves);
                }
            }
        }
    }

    /// Adds the input on `channel` that no process receives, once per clock condition.
    fn unheard(&mut self, state: &State, channel: u32, cases: Vec<Atoms>, moves: &mut Vec<CombinedMove>) {
        let Ok((target, Some(invariant))) = self.target(state.clone()) else {
            return;
        };
        let effect = MoveEffect {
            target,
            resets: [].into(),
            invariant,
        };
        let priority = self.priority(Some(channel), &[]);
        moves.extend(cases.into_iter().map(|guard| CombinedMove {
            parts: [].into(),
            channel: Some(channel),
            class: Some(Role::Input),
            guard: Arc::new(guard),
            effect: Ok(effect.clone()),
            priority,
        }));
    }

    /// Adds the step of `parts`, once per clock condition.
    fn step(
        &mut self,
        state: &State,
        parts: &[&Ready],
        class: ObservedRole,
        cases: &[Atoms],
        moves: &mut Vec<CombinedMove>,
    ) {
        if cases.is_empty() {
            return;
        }
        let list: Vec<FiringEdge> = parts.iter().map(|end| end.part.clone()).collect();
        let Some(effect) = self.effect(state, &list).transpose() else {
            return;
        };
        let channel = parts[0].channel;
        let priority = self.priority(channel, &list);
        let parts = self.parts.get(&list, |list| list.into());
        let effect = effect.map_err(Box::new);
        moves.extend(cases.iter().map(|guard| CombinedMove {
            parts: Arc::clone(&parts),
            channel,
            class,
            guard: self.conditions.get(guard, |guard| Arc::new(guard.clone())),
            effect: effect.clone(),
            priority,
        }));
    }

    /// The priority of the step of `parts`. A step whose sender is outside has the priority of its channel only: the
    /// sender's is unknown.
    fn priority(&self, channel: Option<u32>, parts: &[FiringEdge]) -> Priority {
        let of_channel = channel.map_or(0, |channel| self.network.channels[channel as usize].priority);
        if channel.is_some_and(|channel| self.channels.is_open(channel)) {
            return Priority::Outside(of_channel);
        }
        let processes = parts.iter().map(|part| self.network.processes[part.process].priority);
        Priority::Own(of_channel, processes.max().unwrap_or_default())
    }

    /// The effect of `parts`; `None` if the invariant of the target cannot hold.
    fn effect(&mut self, state: &State, parts: &[FiringEdge]) -> Faulty<Option<MoveEffect>> {
        let network = self.network;
        self.machine.load(&state.store);
        let mut locations = state.locations.clone();
        for part in parts {
            let edge = &network.processes[part.process].edges[part.edge];
            self.machine.frame(edge.frame, &part.selects);
            for update in &edge.updates {
                let wrong = |fault| (network.edge_name(part.process, part.edge), fault);
                self.machine.eval(update).map_err(wrong)?;
            }
            locations[part.process] = u32::try_from(edge.target).expect("fewer than 2^32 locations");
        }
        let mut resets: Vec<(u32, i64)> = Vec::new();
        for (clock, value) in self.machine.resets() {
            match resets.binary_search_by_key(clock, |(known, _)| *known) {
                Ok(at) => resets[at].1 = *value,
                Err(at) => resets.insert(at, (*clock, *value)),
            }
        }
        let target = State {
            locations,
            store: self.machine.left(),
            part: 0,
        };
        let (target, Some(invariant)) = self.target(target)? else {
            return Ok(None);
        };
        // The resets alone may contradict the invariant.
        let possible = invariant.before(&resets).is_some();
        Ok(possible.then_some(MoveEffect {
            target,
            resets: self.resets.get(&resets, |resets| resets.into()),
            invariant,
        }))
    }

    /// Whether synchronisations on urgent channels let time stand in `state`.
    fn time_stands(&self, state: &State, ready: &[Ready]) -> Result<bool, ComposeError> {
        let urgent = self.urgent_synchronisations(ready);
        if urgent.is_empty() {
            return Ok(false);
        }
        let conditions = urgent.iter().flat_map(|(_, cases)| cases).cloned();
        match parts(conditions.collect()) {
            Some(parts) => Ok(parts[state.part as usize].stands),
            None => {
                let conditional = |(_, cases): &&(_, Vec<Atoms>)| parts(cases.clone()).is_none();
                let (ends, _) = urgent.iter().find(conditional).unwrap_or(&urgent[0]);
                let names = ends
                    .iter()
                    .map(|end| self.network.edge_name(end.part.process, end.part.edge));
                let channel = ends[0].channel.expect("it synchronises") as usize;
                Err(ComposeError::UrgentClockGuard {
                    at: names.collect::<Vec<_>>().join(" with "),
                    channel: self.network.channels[channel].name.to_string(),
                })
            }
        }
    }

    /// The synchronisations on urgent channels, each with the clock conditions under which it is enabled.
    pub(super) fn urgent_synchronisations<'r>(&self, ready: &'r [Ready]) -> Vec<MoveParticipants<'r>> {
        let mut list = Vec::new();
        for end in ready {
            let Some(channel) = end.channel else { continue };
            let what = &self.network.channels[channel as usize];
            if !what.urgent {
                continue;
            }
            let alone = match end.sends {
                true => what.broadcast || self.channels.sends_outside(channel, end.part.process),
                false => self.channels.is_open(channel),
            };
            if alone {
                list.push((vec![end], end.cases.to_vec()));
                continue;
            }
            let partners = receivers(ready, channel)
                .filter(|other| end.sends && !what.broadcast && other.part.process != end.part.process);
            list.extend(partners.map(|other| (vec![end, other], product(&end.cases, &other.cases))));
        }
        list.retain(|(_, cases)| !cases.is_empty());
        list
    }
}

/// A fault with the edge or location `at` which it occurs.
pub(super) fn fault(at: String, fault: Fault) -> ComposeError {
    ComposeError::Fault {
        at,
        fault,
        run: Some(Vec::new()),
    }
}

/// Per location of the process, the edges from it.
fn edges_by_source(process: &Process) -> Vec<Vec<usize>> {
    let mut edges = vec![Vec::new(); process.locations.len()];
    for (at, edge) in process.edges.iter().enumerate() {
        edges[edge.source].push(at);
    }
    edges
}

fn receivers(ready: &[Ready], channel: u32) -> impl Iterator<Item = &Ready> {
    ready
        .iter()
        .filter(move |end| end.channel == Some(channel) && !end.sends)
}

/// The possible audiences of a broadcast, with their clock conditions: every process that has an enabled edge takes part,
/// with one of these edges. `receivers` are in process order.
fn audiences<'r>(receivers: &[&'r Ready], cases: Vec<Atoms>) -> Vec<(Vec<&'r Ready>, Vec<Atoms>)> {
    let mut list = vec![(Vec::new(), cases)];
    for edges in receivers.chunk_by(|a, b| a.part.process == b.part.process) {
        let mut next = Vec::new();
        for (parts, cases) in list {
            let absent = minus_all(cases.clone(), edges.iter().flat_map(|end| end.cases.iter()));
            if !absent.is_empty() {
                next.push((parts.clone(), absent));
            }
            for end in edges {
                let both = product(&cases, &end.cases);
                if !both.is_empty() {
                    let parts = parts.iter().copied().chain([*end]).collect();
                    next.push((parts, both));
                }
            }
        }
        list = next;
    }
    list
}

/// The participants of a step, and the clock conditions under which they take part.
pub(super) type MoveParticipants<'r> = (Vec<&'r Ready>, Vec<Atoms>);

/// Most combinations of edges of a vector in one state.
const MOST_TOGETHER: usize = 1 << 14;

/// The possible groups of participants in a step of `vector`, one edge per process, with their clock conditions.
fn together<'r>(
    network: &Network,
    vector: &Vector,
    state: &State,
    ready: &'r [Ready],
) -> Result<Vec<MoveParticipants<'r>>, ComposeError> {
    let mut list = vec![(Vec::new(), vec![Atoms::default()])];
    for part in &vector.parts {
        let at = state.locations[part.process] as usize;
        let is_meant = |edge: &Edge| {
            let sync = edge.sync.as_ref();
            edge.source == at && sync.is_some_and(|sync| sync.channel.base == part.channel)
        };
        if part.is_weak && !network.processes[part.process].edges.iter().any(is_meant) {
            continue;
        }
        let ends = ready
            .iter()
            .filter(|end| end.part.process == part.process && end.channel == Some(part.channel));
        let longer = ends.flat_map(|end| {
            let with = move |(parts, cases): &(Vec<&'r Ready>, Vec<Atoms>)| {
                let parts = parts.iter().copied().chain([end]).collect();
                (parts, product(cases, &end.cases))
            };
            list.iter().map(with).collect::<Vec<_>>()
        });
        list = longer
            .filter(|(_, cases)| !cases.is_empty())
            .take(MOST_TOGETHER + 1)
            .collect();
        if list.len() > MOST_TOGETHER {
            return Err(ComposeError::Together(MOST_TOGETHER));
        }
    }
    list.retain(|(parts, _)| !parts.is_empty());
    Ok(list)
}

/// The combinations of values of an edge's select variables.
fn combinations(edge: &Edge) -> Vec<Vec<i32>> {
    let mut list = vec![Vec::new()];
    for select in &edge.selects {
        let longer = list.iter().flat_map(|values: &Vec<i32>| {
            (select.low..=select.high).map(|value| values.iter().copied().chain([value]).collect())
        });
        list = longer.collect();
    }
    list
}
