//! Consistency of all products at once ([`consistency`] lifted to sets of products).
//!
//! Per node, the consistent states are a list of cells: products, and the states for these products. All cells together are
//! the node's products. Applying the definition to a node splits a cell only where a move changes what is kept for some of
//! its products and not for others, and joins cells that come out the same.

use super::arena::LiftedArena;
use crate::base::Budget;
use crate::features::ProductSets;
use crate::model::Role;
use crate::symbolic::{
    Arena, Atom, Cases, Halt, Move,
    consistency::{bounded, invariant, is_always_ahead, kept, predecessors, sources},
    index, zone_ops,
};
use crate::zones::{Dbm, Federation};

/// Products of a node, and their consistent states there; none where these are all of the invariant.
#[derive(Clone)]
struct Cell<Set> {
    products: Set,
    shrunk: Option<Federation>,
}

/// Products, and states that are the same for all of them.
type Parts<Set> = Vec<(Set, Federation)>;

/// The arena restricted to consistent states, for `products` only: every node by its cells.
///
/// # Errors
/// The budget.
pub(super) fn prune<S: ProductSets>(
    lifted: &LiftedArena<S::Set>,
    products: &S::Set,
    sets: &mut S,
    budget: &Budget,
) -> Result<LiftedArena<S::Set>, Halt> {
    let arena = &lifted.arena;
    let mut cells = Vec::new();
    for own in &lifted.nodes {
        let products = sets.and(own, products)?;
        cells.push(vec![Cell { products, shrunk: None }]);
    }
    let mut pruning = Pruning { lifted, cells, sets };
    let sources = sources(arena);
    let mut waiting: Vec<u32> = (0..index(arena.nodes.len())).collect();
    // Per node, the products for which it is to be looked at: those for which a node it leads to shrank.
    let mut affected = vec![products.clone(); arena.nodes.len()];
    let mut n_steps = 0u64;
    while let Some(node) = waiting.pop() {
        let none = pruning.sets.none();
        let own = std::mem::replace(&mut affected[node as usize], none);
        n_steps += 1;
        if let Some(reason) = budget.exceeded(n_steps, 0) {
            return Err(reason.into());
        }
        let shrank = pruning.shrink(node, &own)?;
        if pruning.sets.is_empty(&shrank) {
            continue;
        }
        for source in &sources[node as usize] {
            let affected = &mut affected[*source as usize];
            if pruning.sets.is_empty(affected) {
                waiting.push(*source);
            }
            *affected = pruning.sets.or(affected, &shrank)?;
        }
    }
    pruning.finish()
}

struct Pruning<'a, S: ProductSets> {
    lifted: &'a LiftedArena<S::Set>,
    cells: Vec<Vec<Cell<S::Set>>>,
    sets: &'a mut S,
}

impl<S: ProductSets> Pruning<'_, S> {
    /// Applies the definition to a node for some products; those for which it shrank.
    fn shrink(&mut self, node: u32, affected: &S::Set) -> Result<S::Set, Halt> {
        let mut after: Vec<Cell<S::Set>> = Vec::new();
        let mut shrank = self.sets.none();
        for cell in self.cells[node as usize].clone() {
            let mut products = self.sets.and(&cell.products, affected)?;
            let others = self.sets.minus(&cell.products, affected)?;
            self.join(&mut after, others, cell.shrunk.clone())?;
            if self.sets.is_empty(&products) {
                continue;
            }
            if cell.shrunk.is_none() {
                let full = self.progressing(node, &products)?;
                products = self.sets.minus(&products, &full)?;
                self.join(&mut after, full, None)?;
            }
            if self.sets.is_empty(&products) {
                continue;
            }
            let before = match &cell.shrunk {
                Some(shrunk) => shrunk.clone(),
                None => invariant(&self.lifted.arena, node),
            };
            for (products, kept) in self.step(node, products, &before)? {
                if kept.includes(&before) {
                    self.join(&mut after, products, cell.shrunk.clone())?;
                } else {
                    shrank = self.sets.or(&shrank, &products)?;
                    self.join(&mut after, products, Some(kept))?;
                }
            }
        }
        self.cells[node as usize] = after;
        Ok(shrank)
    }

    /// Adds products to the cell with these states.
    fn join(
        &mut self,
        cells: &mut Vec<Cell<S::Set>>,
        products: S::Set,
        shrunk: Option<Federation>,
    ) -> Result<(), Halt> {
        if self.sets.is_empty(&products) {
            return Ok(());
        }
        let same = |cell: &&mut Cell<S::Set>| match (&cell.shrunk, &shrunk) {
            (None, None) => true,
            (Some(a), Some(b)) => a.equals(b),
            _ => false,
        };
        match cells.iter_mut().find(same) {
            Some(cell) => cell.products = self.sets.or(&cell.products, &products)?,
            None => cells.push(Cell { products, shrunk }),
        }
        Ok(())
    }

    /// Those of `products` for which a cheap condition keeps all of the node's invariant: no input leaves the consistent
    /// states, and time is unbounded or one output is always still ahead.
    fn progressing(&mut self, node: u32, products: &S::Set) -> Result<S::Set, Halt> {
        let lifted = self.lifted;
        let mut calm = products.clone();
        for at in lifted.moves_of(node) {
            let step = &lifted.arena.moves[at];
            if step.role == Role::Input {
                for (going, _) in self.targets((at, products), false)? {
                    calm = self.sets.minus(&calm, &going)?;
                }
            }
        }
        let Some(all) = bounded(&lifted.arena, node) else {
            return Ok(calm);
        };
        let urgent = lifted.arena.node(node).urgent;
        let mut progressing = self.sets.none();
        for at in lifted.moves_of(node) {
            let step = &lifted.arena.moves[at];
            if step.role != Role::Input && is_always_ahead(&lifted.arena, (urgent, &all), step) {
                let moving = self.sets.and(&calm, &lifted.moves[at])?;
                let full = self.cells[step.target as usize]
                    .iter()
                    .find(|cell| cell.shrunk.is_none());
                if let Some(cell) = full.filter(|_| !self.sets.is_empty(&moving)) {
                    let going = self.sets.and(&moving, &cell.products)?;
                    progressing = self.sets.or(&progressing, &going)?;
                }
            }
        }
        Ok(progressing)
    }

    /// The cells that the move leads `products` to: those that go there, and their consistent states. `with_full`: also the
    /// cell in which nothing is lost.
    fn targets(&mut self, (at, products): (usize, &S::Set), with_full: bool) -> Result<Parts<S::Set>, Halt> {
        let target = self.lifted.arena.moves[at].target;
        let mut parts = Vec::new();
        let cells = &self.cells[target as usize];
        if cells.iter().all(|cell| cell.shrunk.is_none() && !with_full) {
            return Ok(parts);
        }
        let moving = self.sets.and(products, &self.lifted.moves[at])?;
        if self.sets.is_empty(&moving) {
            return Ok(parts);
        }
        for cell in cells.iter().filter(|cell| with_full || cell.shrunk.is_some()) {
            let going = self.sets.and(&moving, &cell.products)?;
            if !self.sets.is_empty(&going) {
                let alive = match &cell.shrunk {
                    None => invariant(&self.lifted.arena, target),
                    Some(shrunk) => shrunk.clone(),
                };
                parts.push((going, alive));
            }
        }
        Ok(parts)
    }

    /// What the definition keeps of `before`, for `products` of the node.
    fn step(&mut self, node: u32, products: S::Set, before: &Federation) -> Result<Parts<S::Set>, Halt> {
        let lifted = self.lifted;
        let arena = &lifted.arena;
        let mut safe: Parts<S::Set> = vec![(products.clone(), before.clone())];
        let mut with_output: Parts<S::Set> = vec![(products.clone(), Federation::empty(arena.dim()))];
        for at in lifted.moves_of(node) {
            let step = &arena.moves[at];
            let is_input = step.role == Role::Input;
            for (going, alive) in self.targets((at, &products), !is_input)? {
                if is_input {
                    let mut lost = invariant(arena, step.target);
                    lost.subtract(&alive);
                    let lost = predecessors(arena, step, &lost);
                    let lose = |states: &Federation| {
                        states.intersects(&lost).then(|| {
                            let mut rest = states.clone();
                            rest.subtract(&lost);
                            rest
                        })
                    };
                    safe = self.change(safe, &going, &lose)?;
                } else {
                    let mut ahead = predecessors(arena, step, &alive);
                    ahead.intersect(before);
                    let gain = |states: &Federation| {
                        (!states.includes(&ahead)).then(|| {
                            let mut more = states.clone();
                            more.union_with(&ahead);
                            more
                        })
                    };
                    with_output = self.change(with_output, &going, &gain)?;
                }
            }
        }
        let urgent = arena.node(node).urgent;
        let mut result = Vec::new();
        for (some, safe) in &safe {
            for (others, with_output) in &with_output {
                let both = self.sets.and(some, others)?;
                if !self.sets.is_empty(&both) {
                    result.push((both, kept(urgent, safe, with_output.clone())));
                }
            }
        }
        Ok(result)
    }

    /// The parts with `change` made to those of `products`; it gives none where nothing changes.
    fn change(
        &mut self,
        parts: Parts<S::Set>,
        products: &S::Set,
        change: &dyn Fn(&Federation) -> Option<Federation>,
    ) -> Result<Parts<S::Set>, Halt> {
        let mut result: Parts<S::Set> = Vec::new();
        let mut changed: Parts<S::Set> = Vec::new();
        for (own, states) in parts {
            let with = self.sets.and(&own, products)?;
            if self.sets.is_empty(&with) {
                result.push((own, states));
                continue;
            }
            let Some(after) = change(&states) else {
                result.push((own, states));
                continue;
            };
            let without = self.sets.minus(&own, products)?;
            if !self.sets.is_empty(&without) {
                result.push((without, states));
            }
            changed.push((with, after));
        }
        for (own, states) in changed {
            match result.iter_mut().find(|(_, known)| known.equals(&states)) {
                Some((known, _)) => *known = self.sets.or(known, &own)?,
                None => result.push((own, states)),
            }
        }
        Ok(result)
    }

    /// The arena with a node per cell, `alive` and `enabled` as pruned; cells without states are left out.
    fn finish(self) -> Result<LiftedArena<S::Set>, Halt> {
        let Self { lifted, cells, sets } = self;
        let old = &lifted.arena;
        let mut arena = Arena {
            nodes: Vec::new(),
            moves: Vec::new(),
            max_bounds: Vec::new(),
            ..old.clone()
        };
        let mut nodes: Vec<S::Set> = Vec::new();
        let mut origins = Vec::new();
        // Per old node, the new ones.
        let mut split: Vec<Vec<u32>> = Vec::new();
        for (node, cells) in cells.iter().enumerate() {
            let mut own = Vec::new();
            for cell in cells {
                let mut parts = old.nodes[node].clone();
                if let Some(shrunk) = &cell.shrunk {
                    if shrunk.is_empty() {
                        continue;
                    }
                    let zones = shrunk.zones().iter();
                    let conjunctions: Vec<_> = zones
                        .map(|zone| arena.push_conjunction(zone_ops::atoms_of_zone(zone)))
                        .collect();
                    parts.alive = arena.push_cases(conjunctions);
                }
                own.push(index(arena.nodes.len()));
                arena.nodes.push(parts);
                arena.max_bounds.extend_from_slice(old.max_bounds_of(index(node)));
                nodes.push(cell.products.clone());
                origins.push(index(node));
            }
            split.push(own);
        }
        let mut moves = Vec::new();
        for (node, own) in split.iter().enumerate() {
            for new in own {
                let first = index(arena.moves.len());
                for at in lifted.moves_of(index(node)) {
                    let step = &old.moves[at];
                    let targets = &split[step.target as usize];
                    let is_whole = cells[step.target as usize].len() == 1;
                    for target in targets {
                        let there = match is_whole {
                            true => lifted.moves[at].clone(),
                            false => sets.and(&lifted.moves[at], &nodes[*target as usize])?,
                        };
                        let here = sets.and(&there, &nodes[*new as usize])?;
                        if sets.is_empty(&here) {
                            continue;
                        }
                        let enabled = enabled(&mut arena, step, *target);
                        let target = *target;
                        if enabled.start < enabled.end {
                            arena.moves.push(Move {
                                enabled,
                                target,
                                ..step.clone()
                            });
                            moves.push(there);
                        }
                    }
                }
                arena.nodes[*new as usize].moves = first..index(arena.moves.len());
            }
        }
        let zero = Dbm::zero(arena.dim());
        let mut starts = Vec::new();
        for (node, products) in &lifted.starts {
            for new in &split[*node as usize] {
                let here = sets.and(products, &nodes[*new as usize])?;
                let contains_start = arena.alive(*new).any(|atoms| zone_ops::satisfies(&zero, atoms));
                if contains_start && !sets.is_empty(&here) {
                    starts.push((*new, here));
                }
            }
        }
        Ok(LiftedArena {
            arena,
            nodes,
            moves,
            origins,
            starts,
        })
    }
}

/// Where `step` leads to consistent states of its new target.
fn enabled(arena: &mut Arena, step: &Move, target: u32) -> Cases {
    let before = |alive: &[Atom]| {
        let mut atoms = arena.atoms_of(step.guard).to_vec();
        arena.before_resets(alive, step, &mut atoms).then_some(atoms)
    };
    let cases: Vec<Vec<Atom>> = arena.alive(target).filter_map(before).collect();
    let conjunctions: Vec<_> = cases.into_iter().map(|atoms| arena.push_conjunction(atoms)).collect();
    arena.push_cases(conjunctions)
}
