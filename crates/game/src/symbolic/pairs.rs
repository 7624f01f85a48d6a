//! Pairs of nodes of two games side by side: the reached pairs, their zones, and the order in which a fixpoint over them is
//! computed. The type of the facts about a pair is left to the caller.

use std::collections::VecDeque;
use std::ops::{Index, IndexMut};

use rustc_hash::FxHashMap;

use super::arena::{Arena, Atom};
use super::ids::{INITIAL, NodeId, PairId};
use super::zone_ops;
use tamper_text::{Budget, IndexVec, StopReason};
use tamper_zones::{Dbm, Federation};

/// A node of one game and one of another.
pub type Pair = (NodeId, NodeId);

/// The facts about a pair.
pub trait Known {
    /// The facts about a pair without reached points; the games have `dim` clocks in all, including the reference clock.
    fn unreached(dim: usize) -> Self;
    /// The points that are reached.
    fn reached(&mut self) -> &mut Federation;
}

/// Pairs, numbered in the order in which they are met, with the facts about each.
pub struct Pairs<T> {
    states: IndexVec<PairId, State<T>>,
    ids: FxHashMap<Pair, PairId>,
}

struct State<T> {
    pair: Pair,
    /// Pairs with a move into this one.
    sources: Vec<PairId>,
    known: T,
}

impl<T> Default for Pairs<T> {
    fn default() -> Self {
        Self {
            states: IndexVec::new(),
            ids: FxHashMap::default(),
        }
    }
}

impl<T> Pairs<T> {
    /// An empty set of pairs.
    pub fn new() -> Self {
        Self::default()
    }
    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }
    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.states.len()
    }
    /// The ids of all pairs, in order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = PairId> + use<T> {
        self.states.ids()
    }
    /// The facts about each pair, in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.states.iter().map(|state| &state.known)
    }
    /// The pair of that id.
    pub fn pair(&self, id: PairId) -> Pair {
        self.states[id].pair
    }
    /// The id of a pair that has been met.
    pub fn find(&self, pair: Pair) -> Option<PairId> {
        self.ids.get(&pair).copied()
    }
    /// The facts about a pair that has been met.
    pub fn get(&self, pair: Pair) -> Option<&T> {
        self.find(pair).map(|id| &self[id])
    }
    /// The id of a pair that is met; if this is the first time, the facts about it are `first`.
    pub fn meet(&mut self, pair: Pair, first: impl FnOnce() -> T) -> PairId {
        *self.ids.entry(pair).or_insert_with(|| {
            self.states.push(State {
                pair,
                sources: Vec::new(),
                known: first(),
            })
        })
    }
    /// Records a move from `source` into `target`.
    pub fn link(&mut self, source: PairId, target: PairId) {
        let sources = &mut self.states[target].sources;
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    /// The pairs with a move into that one.
    pub fn sources(&self, id: PairId) -> &[PairId] {
        &self.states[id].sources
    }
}

impl<T> Index<PairId> for Pairs<T> {
    type Output = T;
    fn index(&self, id: PairId) -> &T {
        &self.states[id].known
    }
}

impl<T> IndexMut<PairId> for Pairs<T> {
    fn index_mut(&mut self, id: PairId) -> &mut T {
        &mut self.states[id].known
    }
}

/// The joint moves of two games. In every zone, the clocks of the first game come first, then the clocks of the second.
pub trait PairProduct {
    /// The two games, the clocks of the second shifted behind the first's.
    fn sides(&self) -> (&Arena, &Arena);
    /// The points that `entry` reaches by delays that both can make.
    fn delayed(&self, pair: Pair, entry: Dbm) -> Federation;
    /// The pairs and zones that their moves reach from the points of `zone`.
    fn successors(&self, pair: Pair, zone: &Dbm) -> Vec<(Pair, Dbm)>;

    /// Number of clocks of both, including the reference clock.
    fn dim(&self) -> usize {
        let (first, second) = self.sides();
        first.n_clocks + second.n_clocks + 1
    }
    /// The clock differences of both.
    fn diagonals(&self) -> Vec<Atom> {
        let (first, second) = self.sides();
        first.diagonals.iter().chain(&second.diagonals).copied().collect()
    }
    /// The largest constants of both, by matrix index.
    fn max_bounds(&self, pair: Pair, max: &mut Vec<i64>) {
        let (first, second) = self.sides();
        max.clear();
        max.push(0);
        max.extend_from_slice(first.max_bounds_of(pair.0));
        max.extend_from_slice(second.max_bounds_of(pair.1));
    }
    /// Whether time may pass in the first, in the second.
    fn may_delay(&self, pair: Pair) -> (bool, bool) {
        let (first, second) = self.sides();
        (!first.node(pair.0).urgent, !second.node(pair.1).urgent)
    }
}

impl<T: Known> Pairs<T> {
    /// All pairs that are reached from the initial one, which comes first, with the zones that reach them: extrapolated, and
    /// closed under the delays that both can make. The budget counts zones.
    pub fn explore(games: &impl PairProduct, budget: &Budget) -> Result<Self, StopReason> {
        let dim = games.dim();
        let (diagonals, bytes) = (games.diagonals(), zone_ops::zone_bytes(dim));
        let (mut max, mut parts, mut n_zones) = (Vec::new(), Vec::new(), 0u64);
        let mut pairs = Self::new();
        let first = pairs.meet((INITIAL, INITIAL), || T::unreached(dim));
        let mut waiting = VecDeque::from([(first, Dbm::zero(dim))]);
        while let Some((id, entry)) = waiting.pop_front() {
            let pair = pairs.pair(id);
            games.max_bounds(pair, &mut max);
            for zone in games.delayed(pair, entry).into_zones() {
                zone_ops::normalise(zone, &diagonals, &max, &mut parts);
            }
            for zone in parts.drain(..) {
                let reached = pairs[id].reached();
                if reached.zones().iter().any(|old| old.includes(&zone)) {
                    continue;
                }
                reached.add(zone.clone());
                n_zones += 1;
                if let Some(reason) = budget.exceeded(n_zones, n_zones * bytes) {
                    return Err(reason);
                }
                for (target, next) in games.successors(pair, &zone) {
                    let target = pairs.meet(target, || T::unreached(dim));
                    pairs.link(id, target);
                    waiting.push_back((target, next));
                }
            }
        }
        Ok(pairs)
    }
}

/// A queue of pairs to be examined, each at most once at a time.
pub struct Agenda {
    waiting: VecDeque<PairId>,
    is_waiting: IndexVec<PairId, bool>,
}

impl Agenda {
    /// A queue of all pairs that have been met, in order.
    pub fn of_all<T>(pairs: &Pairs<T>) -> Self {
        Self {
            waiting: pairs.ids().collect(),
            is_waiting: IndexVec::filled(true, pairs.len()),
        }
    }
    /// Removes and returns the pair that has waited longest.
    pub fn take(&mut self) -> Option<PairId> {
        let id = self.waiting.pop_front()?;
        self.is_waiting[id] = false;
        Some(id)
    }
    /// Adds a pair, unless it already waits.
    pub fn add(&mut self, id: PairId) {
        if !std::mem::replace(&mut self.is_waiting[id], true) {
            self.waiting.push_back(id);
        }
    }
}
