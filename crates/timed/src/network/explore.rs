//! The reachable discrete states of a network, by zones.
//!
//! A zone is not explored if a known one simulates it: the known zone takes every step that it takes, up to the lower and upper
//! bounds that clocks are still compared with ([`ClockBounds`], and for clocks that these do not cover, the constants of all steps
//! explored so far; if a larger one turns up, the zones are computed again). That is exact for which states are reached and which
//! steps are taken (`docs/notes/0019-zones-up-to-simulation.md`) as long as no two clocks are compared with each other; if they are,
//! zones prune nothing, and everything that conditions on variables allow is explored. Clocks that nothing reads before they are set
//! again are freed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::atoms::Atoms;
use super::clock_bounds::{ClockBounds, LowerUpper};
use super::error::{ComposeError, FaultStep};
use super::interned::Interned;
use super::moves::{CombinedMove, MoveGenerator, State, fault};
use super::priorities::prioritised;
use crate::model::MAX_CLOCKS;
use tamper_text::Budget;
use tamper_zones::{Dbm, Variable};

/// An explored network.
pub(super) struct Graph {
    /// The reached discrete states, in the order of discovery.
    pub nodes: Vec<ExploredState>,
    /// Symbolic states explored.
    pub n_explored: u64,
    /// Symbolic states kept: no other one simulates them.
    pub n_kept: u64,
    /// Per node, a zone that contains all clock values with which runs reach it; empty if it was not asked for, or if zones
    /// prune nothing.
    pub reach: Vec<Dbm>,
}

/// The possible steps of a discrete state, after priorities, and whether time is stopped there.
pub(super) type EnabledMoves = (Arc<[CombinedMove]>, bool);

/// A look-up of steps that need not be computed.
pub(super) type KnownSteps<'k> = dyn Fn(&State) -> Option<EnabledMoves> + 'k;

/// A reached discrete state.
pub(super) struct ExploredState {
    pub state: Arc<State>,
    /// `None` for an initial state in which no clock value satisfies the invariant.
    pub invariant: Option<Arc<Atoms>>,
    pub urgent: bool,
    pub committed: bool,
    /// The steps.
    pub moves: Arc<[CombinedMove]>,
    /// Per step, the node it leads to if some run takes it.
    pub targets: Vec<Option<usize>>,
    /// Whether the steps were computed.
    pub expanded: bool,
    /// Its zones, none of which simulates another.
    pub zones: Vec<usize>,
}

impl ExploredState {
    /// Its steps and the nodes they lead to; it has none afterwards.
    pub fn take_steps(&mut self) -> (Arc<[CombinedMove]>, Vec<Option<usize>>) {
        (std::mem::take(&mut self.moves), std::mem::take(&mut self.targets))
    }
}

/// The rank of an entry that simulates everything possible.
const FIRST: u32 = u32::MAX;

/// A symbolic state.
struct SymbolicState {
    node: usize,
    /// Often that of many others.
    zone: Arc<Dbm>,
    /// The entry and the step that led here.
    parent: Option<(usize, usize)>,
    /// Whether its steps were followed.
    is_explored: bool,
    /// Whether a later one simulates it.
    is_covered: bool,
    /// An upper bound of the ranks of all entries derived from it.
    most_below: u32,
}

/// Explores `generator`'s network; `known` steps are not computed again.
pub(super) fn explore(
    generator: &mut MoveGenerator<'_>,
    known: Option<&KnownSteps<'_>>,
    budget: &Budget,
) -> Result<Graph, ComposeError> {
    let network = generator.network;
    if network.clocks.len() > MAX_CLOCKS {
        return Err(ComposeError::Clocks(network.clocks.len()));
    }
    let (bounds, diagonals) = LowerUpper::everywhere(network);
    let local = ClockBounds::of(network);
    let dim = network.clocks.len() + 1;
    let mut explorer = NetworkExplorer {
        local: &local,
        generator,
        known,
        budget,
        index: FxHashMap::default(),
        nodes: Vec::new(),
        bounds,
        here: Vec::new(),
        lower: vec![0; dim],
        upper: vec![0; dim],
        by_zones: !diagonals,
        n_explored: 0,
        zones: Interned::default(),
        entries: Vec::new(),
        waiting: BinaryHeap::new(),
    };
    explorer.run()?;
    let reach = match known.is_some() && explorer.by_zones {
        true => explorer.hulls(),
        false => Vec::new(),
    };
    Ok(Graph {
        reach,
        n_kept: explorer.nodes.iter().map(|node| node.zones.len() as u64).sum(),
        nodes: explorer.nodes,
        n_explored: explorer.n_explored,
    })
}

struct NetworkExplorer<'m, 'a> {
    local: &'m ClockBounds,
    generator: &'m mut MoveGenerator<'a>,
    known: Option<&'m KnownSteps<'m>>,
    budget: &'m Budget,
    index: FxHashMap<Arc<State>, usize>,
    nodes: Vec<ExploredState>,
    /// Per clock, the largest constants of all steps that were explored.
    bounds: Vec<LowerUpper>,
    /// Per clock, the constants that matter in the current state; `lower` and `upper` hold them by matrix index.
    here: Vec<LowerUpper>,
    lower: Vec<i64>,
    upper: Vec<i64>,
    by_zones: bool,
    n_explored: u64,
    zones: Interned<Dbm>,
    entries: Vec<SymbolicState>,
    /// The entries whose steps are still to be followed: by rank, and within a rank in order.
    waiting: BinaryHeap<(u32, Reverse<usize>)>,
}

impl NetworkExplorer<'_, '_> {
    fn run(&mut self) -> Result<(), ComposeError> {
        let network = self.generator.network;
        let initial = State {
            locations: network
                .processes
                .iter()
                .map(|process| u32::try_from(process.initial).expect("a location"))
                .collect(),
            store: network.variables.iter().map(|variable| variable.initial).collect(),
            part: 0,
        };
        let (initial, invariant) = self.generator.target(initial).map_err(|(at, why)| fault(at, why))?;
        let (initial, invariant) = self.generator.start(initial, invariant);
        self.node(&initial, invariant.as_ref());
        let mut zone = Dbm::zero(self.lower.len());
        if !invariant
            .as_ref()
            .is_some_and(|invariant| invariant.restrict(&mut zone))
        {
            return Ok(());
        }
        while !self.pass(&zone)? {
            // A larger constant turned up: the zones are computed again, with the known discrete states.
            self.entries.clear();
            self.waiting.clear();
            self.zones = Interned::default();
            for node in &mut self.nodes {
                node.zones.clear();
                node.targets.fill(None);
            }
        }
        Ok(())
    }

    /// Explores all zones from `start`, the values on entering the initial state; `false` if it has to start again.
    fn pass(&mut self, start: &Dbm) -> Result<bool, ComposeError> {
        if !self.settle(0, start.clone(), None)? {
            return Ok(false);
        }
        while let Some((_, Reverse(entry))) = self.waiting.pop() {
            if self.entries[entry].is_covered {
                continue;
            }
            self.entries[entry].is_explored = true;
            self.n_explored += 1;
            let bytes = self.entries.len() * 8 * self.lower.len() * self.lower.len();
            if let Some(reason) = self.budget.exceeded(self.n_explored, bytes as u64) {
                return Err(ComposeError::Stopped {
                    reason,
                    locations: self.nodes.len(),
                    zones: self.n_explored,
                });
            }
            let node = self.entries[entry].node;
            for at in 0..self.nodes[node].moves.len() {
                let Some((target, zone)) = self.fire(entry, at)? else {
                    continue;
                };
                if !self.settle(target, zone, Some((entry, at)))? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The zone on entering the target of step `at`, if some value of `entry` takes it.
    fn fire(&mut self, entry: usize, at: usize) -> Result<Option<(usize, Dbm)>, ComposeError> {
        let node = self.entries[entry].node;
        let (moves, known) = (Arc::clone(&self.nodes[node].moves), self.nodes[node].targets[at]);
        if self.by_zones && !moves[at].guard.may_hold_in(&self.entries[entry].zone) {
            return Ok(None);
        }
        let mut zone = Dbm::clone(&self.entries[entry].zone);
        if self.by_zones && !moves[at].guard.restrict(&mut zone) {
            return Ok(None);
        }
        let effect = match &moves[at].effect {
            Ok(effect) => effect,
            Err(wrong) if self.generator.skips_faults && !wrong.1.is_refused() => return Ok(None),
            Err(wrong) => {
                let run = self.by_zones.then(|| self.run_to(entry));
                let (at, fault) = *wrong.clone();
                return Err(ComposeError::Fault { at, fault, run });
            }
        };
        if self.by_zones {
            for (clock, value) in effect.resets.iter() {
                zone.reset(Variable::new(*clock as usize), *value);
            }
            if !effect.invariant.restrict(&mut zone) {
                return Ok(None);
            }
        } else if known.is_some() {
            return Ok(None);
        }
        let target = match known {
            Some(known) => known,
            None => self.node(&effect.target, Some(&effect.invariant)),
        };
        self.nodes[node].targets[at] = Some(target);
        Ok(Some((target, zone)))
    }

    /// The node of `state`, created if it is new.
    fn node(&mut self, state: &Arc<State>, invariant: Option<&Arc<Atoms>>) -> usize {
        if let Some(known) = self.index.get(state) {
            return *known;
        }
        let node = self.nodes.len();
        self.index.insert(Arc::clone(state), node);
        self.nodes.push(ExploredState {
            committed: self.generator.is_committed(state),
            state: Arc::clone(state),
            invariant: invariant.cloned(),
            urgent: false,
            moves: Arc::default(),
            targets: Vec::new(),
            expanded: false,
            zones: Vec::new(),
        });
        node
    }

    /// Lets time pass in `node` from `zone` and queues the result if it is new. `false` if a constant turned up that is
    /// larger than all used so far.
    fn settle(&mut self, node: usize, mut zone: Dbm, parent: Option<(usize, usize)>) -> Result<bool, ComposeError> {
        if !self.nodes[node].expanded && !self.expand(node, parent)? {
            return Ok(false);
        }
        let mut rank = 0;
        let ExploredState {
            invariant,
            urgent,
            zones,
            ..
        } = &self.nodes[node];
        if self.by_zones {
            let invariant = invariant.as_ref().expect("only an initial state without runs has none");
            if !urgent {
                zone.up();
                let kept = invariant.restrict(&mut zone);
                assert!(kept, "a state that satisfies its invariant keeps doing so for no time");
            }
            let idle = self.local.inactive(&self.nodes[node].state);
            idle.for_each(|clock| zone.free(clock));
            if zones.iter().any(|known| self.entries[*known].zone.includes(&zone)) {
                return Ok(true);
            }
            match self.rank_of(node, &zone) {
                Some(found) => rank = found,
                None => return Ok(true),
            }
        } else if !zones.is_empty() {
            return Ok(true);
        }
        let entry = self.entries.len();
        self.nodes[node].zones.push(entry);
        self.entries.push(SymbolicState {
            node,
            zone: self.zones.get(&zone, |zone| Arc::new(zone.clone())),
            parent,
            is_explored: false,
            is_covered: false,
            most_below: 0,
        });
        self.wait(entry, rank);
        Ok(true)
    }

    /// The rank with which a new zone of `node` is explored, after the zones that it simulates are marked as covered;
    /// `None` if a known zone simulates it.
    fn rank_of(&mut self, node: usize, zone: &Dbm) -> Option<u32> {
        self.look_at(node);
        let mut rank = 0;
        let (lower, upper) = (&self.lower, &self.upper);
        let zones = &self.nodes[node].zones;
        if zones
            .iter()
            .any(|known| zone.is_simulated_in(&self.entries[*known].zone, lower, upper))
        {
            return None;
        }
        let mut kept = Vec::with_capacity(zones.len() + 1);
        for known in zones {
            let entry = &mut self.entries[*known];
            entry.is_covered = entry.zone.is_simulated_in(zone, lower, upper);
            match entry.is_covered {
                true => rank = rank.max(entry.most_below + u32::from(entry.is_explored)),
                false => kept.push(*known),
            }
        }
        if self.has_all(node, zone) {
            rank = FIRST;
        }
        self.nodes[node].zones = kept;
        Some(rank)
    }

    /// Queues `entry`. An entry that simulates another one goes before everything derived from that one, because its own
    /// successors are to simulate those; an entry that simulates everything possible goes first (Herbreteau and Tran,
    /// "Improving search order for reachability testing in timed automata", FORMATS 2015).
    fn wait(&mut self, entry: usize, rank: u32) {
        self.waiting.push((rank, Reverse(entry)));
        let mut above = (rank < FIRST).then_some(entry);
        while let Some(at) = above.filter(|at| self.entries[*at].most_below < rank) {
            self.entries[at].most_below = rank;
            above = self.entries[at].parent.map(|(parent, _)| parent);
        }
    }

    /// Whether `zone` simulates everything that runs may reach in `node`, whose bounds are set.
    fn has_all(&self, node: usize, zone: &Dbm) -> bool {
        let mut all = Dbm::universe(self.lower.len());
        let invariant = self.nodes[node].invariant.as_ref();
        invariant.is_none_or(|invariant| !invariant.restrict(&mut all))
            || all.is_simulated_in(zone, &self.lower, &self.upper)
    }

    /// Sets the bounds that matter in `node`.
    fn look_at(&mut self, node: usize) {
        self.here.clone_from(&self.bounds);
        self.local.sharpen(&self.nodes[node].state, &mut self.here);
        for (at, LowerUpper { lower, upper }) in (1..).zip(&self.here) {
            (self.lower[at], self.upper[at]) = (*lower, *upper);
        }
    }

    /// Computes the steps from `node`; `false` if they have a constant that is larger than all used so far.
    fn expand(&mut self, node: usize, parent: Option<(usize, usize)>) -> Result<bool, ComposeError> {
        let state = Arc::clone(&self.nodes[node].state);
        let (moves, urgent) = match self.known.and_then(|known| known(&state)) {
            Some(known) => known,
            None => self.steps(&state, parent)?,
        };
        let mut raised = false;
        let mut raise = |atoms: &Atoms| {
            for atom in atoms.as_slice() {
                let constant = atom.bound.constant().abs();
                for clock in [atom.left, atom.right] {
                    if clock.index() > 0 {
                        let known = &mut self.bounds[clock.index() - 1];
                        let more = known.max(LowerUpper::of(constant));
                        raised |= more != *known;
                        *known = more;
                    }
                }
            }
        };
        self.nodes[node].invariant.as_deref().into_iter().for_each(&mut raise);
        for step in moves.iter() {
            raise(&step.guard);
            step.effect.iter().for_each(|effect| raise(&effect.invariant));
        }
        let node = &mut self.nodes[node];
        node.targets = vec![None; moves.len()];
        node.moves = moves;
        node.urgent = urgent;
        node.expanded = true;
        Ok(!raised || !self.by_zones)
    }

    /// Per node, a zone that contains all values that runs reach there: everything that its zones simulate.
    fn hulls(&mut self) -> Vec<Dbm> {
        let mut hulls = Vec::with_capacity(self.nodes.len());
        for node in 0..self.nodes.len() {
            self.look_at(node);
            let (lower, upper) = (&self.lower, &self.upper);
            let zones = self.nodes[node].zones.iter().map(|entry| &self.entries[*entry].zone);
            let widened = zones.map(|zone| zone.simulated(lower, upper));
            match widened.reduce(|hull, zone| hull.hull(&zone)) {
                Some(hull) => hulls.push(hull),
                None => break,
            }
        }
        hulls
    }

    /// Computes the possible steps of `state`, to which `parent` led.
    fn steps(&mut self, state: &State, parent: Option<(usize, usize)>) -> Result<EnabledMoves, ComposeError> {
        match self.generator.moves(state) {
            Ok((moves, urgent)) => Ok((prioritised(moves).into(), urgent)),
            Err(error) if self.generator.skips_faults && error.is_fault() => Ok((Arc::default(), true)),
            Err(ComposeError::Fault { at, fault, .. }) => {
                let run = self
                    .by_zones
                    .then(|| parent.map_or_else(Vec::new, |(entry, step)| self.run_through(entry, step)));
                Err(ComposeError::Fault { at, fault, run })
            }
            Err(error) => Err(error),
        }
    }

    /// The run that led to `entry`.
    fn run_to(&self, entry: usize) -> Vec<FaultStep> {
        match self.entries[entry].parent {
            Some((before, step)) => self.run_through(before, step),
            None => Vec::new(),
        }
    }

    /// The run that led to `entry` and continues with step `at`.
    fn run_through(&self, mut entry: usize, mut at: usize) -> Vec<FaultStep> {
        let network = self.generator.network;
        let mut run = Vec::new();
        loop {
            let SymbolicState { node, parent, .. } = &self.entries[entry];
            let step = &self.nodes[*node].moves[at];
            let names = step.parts.iter().map(|part| network.edge_name(part.process, part.edge));
            let unheard = || {
                format!(
                    "{}? from outside, unheard",
                    network.channels[step.channel.unwrap_or(0) as usize].name
                )
            };
            run.push(FaultStep {
                edges: match step.parts.is_empty() {
                    true => vec![unheard()],
                    false => names.collect(),
                },
                guard: crate::network::single::guard::shown(network, &self.nodes[*node].state.store, &step.guard),
            });
            match parent {
                Some(before) => (entry, at) = *before,
                None => break,
            }
        }
        run.reverse();
        run
    }
}
