//! The runs of a game alone from some of its states: whether they can continue for ever, or get stuck
//! (`docs/notes/0021-runs-that-leave.md`).

use fixedbitset::FixedBitSet;

use crate::symbolic::{Arena, Halt, INITIAL, Move, MoveId, NodeBounds, NodeId, Taken, Walk, is_calm};
use tamper_text::Budget;
use tamper_timed::model::Role;
use tamper_zones::Dbm;

/// The runs of outputs, internal steps and delays of a game, unpruned and without clock differences, from added states.
pub(super) struct Future<'a> {
    arena: &'a Arena,
    walk: Walk<'a>,
    /// Per examined state, the states that its steps lead to.
    next: Vec<Vec<usize>>,
}

impl<'a> Future<'a> {
    /// No state yet.
    pub fn new(arena: &'a Arena, bounds: &'a NodeBounds, budget: &'a Budget) -> Self {
        Self {
            arena,
            walk: Walk::new(arena, bounds, budget),
            next: Vec::new(),
        }
    }

    /// Adds values that satisfy the invariant of a node.
    pub fn enter(&mut self, node: NodeId, entry: Dbm) -> Result<(), Halt> {
        self.walk.enter(node, entry, None)?;
        Ok(())
    }

    /// Adds the result of a move from `zone`; returns whether some value can take the move.
    pub fn enter_by(&mut self, zone: &Dbm, step: &Move) -> Result<bool, Halt> {
        let entry = self.walk.after(zone, step);
        let is_possible = entry.is_some();
        entry.map_or(Ok(()), |entry| self.enter(step.target, entry))?;
        Ok(is_possible)
    }

    /// Explores until a node is met in which time can pass for ever, and returns the run to it; `None` if no state is left.
    pub fn calm(&mut self) -> Result<Option<Vec<MoveId>>, Halt> {
        while let Some(state) = self.walk.next_state() {
            let (node, zone) = (self.walk.states[state].node, self.walk.states[state].zone.clone());
            if is_calm(self.arena, node) {
                return Ok(Some(self.walk.run_to(state)));
            }
            let mut next = Vec::new();
            for step in self.arena.move_ids(node) {
                let parts = &self.arena.moves[step];
                if parts.role == Role::Input {
                    continue;
                }
                if let Some(entry) = self.walk.after(&zone, parts) {
                    next.push(self.walk.enter(parts.target, entry, Some(Taken { state, step }))?);
                }
            }
            self.next.resize(self.next.len().max(state), Vec::new());
            self.next.push(next);
        }
        Ok(None)
    }

    /// Whether every run gets stuck, if all were explored and no node is calm: no run returns to a state that it left.
    pub fn ends(&self) -> bool {
        let n_states = self.walk.states.len();
        let (mut open, mut done) = (
            FixedBitSet::with_capacity(n_states),
            FixedBitSet::with_capacity(n_states),
        );
        for first in 0..n_states {
            let mut path = vec![(first, 0)];
            while let Some((state, at)) = path.pop() {
                if done.contains(state) {
                    continue;
                }
                open.insert(state);
                let Some(next) = self.next_of(state, at) else {
                    open.set(state, false);
                    done.insert(state);
                    continue;
                };
                if open.contains(next) {
                    return false;
                }
                path.push((state, at + 1));
                path.push((next, 0));
            }
        }
        true
    }

    /// The target of a step of the state; if another state covers it, that state is the only target.
    fn next_of(&self, state: usize, at: usize) -> Option<usize> {
        match self.walk.states[state].covered_by {
            Some(other) => (at == 0).then_some(other),
            None => self.next.get(state)?.get(at).copied(),
        }
    }
}

/// Whether an input that the environment can make at once leaves the game in a state from which every run gets stuck.
pub(super) fn is_stuck_at_once(arena: &Arena, budget: &Budget) -> Result<bool, Halt> {
    let inputs = arena.moves_of(INITIAL).iter().filter(|step| step.role == Role::Input);
    if !arena.diagonals.is_empty() || inputs.clone().next().is_none() {
        return Ok(false);
    }
    let bounds = NodeBounds::of(arena, |_| false, |_, _| {});
    let start = Dbm::zero(arena.dim());
    for step in inputs {
        let mut future = Future::new(arena, &bounds, budget);
        let is_possible = future.enter_by(&start, step)?;
        if is_possible && future.calm()?.is_none() && future.ends() {
            return Ok(true);
        }
    }
    Ok(false)
}
