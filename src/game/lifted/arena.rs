//! An arena for all products: nodes and moves with the products that have them.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::base::{Budget, Id};
use crate::featured::FeaturedAutomaton;
use crate::features::{FeatureExpr, ProductSets};
use crate::model::{EdgeId, LocId, Urgency, Valuation};
use crate::symbolic::{
    Arena, Atom, Cases, Conjunction, Halt, Move, Node, atoms_of_guard, bounds, checked, edge_name, index, push_atoms,
    run_updates, select_values, zone_ops,
};
use crate::zones::Dbm;

/// An arena whose parts belong to products. A location whose invariant or urgency differs between products is several
/// nodes, so that within a node only the moves tell products apart.
pub(super) struct LiftedArena<Set> {
    pub arena: Arena,
    /// Per node, the products for which the location is this node.
    pub nodes: Vec<Set>,
    /// Per move, the products of the source node that have it (and perhaps some that are not in the source node).
    pub moves: Vec<Set>,
    /// Per node, the node it was before pruning: itself, if nothing was pruned yet.
    pub origins: Vec<u32>,
    /// Where runs begin.
    pub starts: Vec<(u32, Set)>,
}

impl<Set> LiftedArena<Set> {
    /// The positions of the moves of a node.
    pub fn moves_of(&self, node: u32) -> std::ops::Range<usize> {
        let range = &self.arena.node(node).moves;
        range.start as usize..range.end as usize
    }
}

/// What lowering all products at once gives.
pub(super) struct Lowered<Set> {
    pub lifted: LiftedArena<Set>,
    /// Products with something that only looking at each of them decides: faults that runs may reach, urgent channels.
    pub alone: Set,
    /// Per action, the products whose alphabet has it.
    pub alphabet: Vec<Set>,
}

/// A location with values for the integers.
type Place = (LocId, Vec<i32>);

/// Lowers all products. Nodes are made for what some product's runs reach, or more.
///
/// # Errors
/// The budget, and differences of clocks that cannot be told apart from others.
pub(super) fn lower<S: ProductSets>(
    featured: &FeaturedAutomaton,
    sets: &mut S,
    budget: &Budget,
) -> Result<Lowered<S::Set>, Halt> {
    let automaton = featured.automaton();
    let arena = Arena {
        n_clocks: automaton.clocks().len(),
        n_ints: automaton.ints().len(),
        diagonals: bounds::diagonals(automaton)?,
        ..Arena::default()
    };
    let mut leaving = vec![Vec::new(); automaton.locations().len()];
    for (id, edge) in automaton.edges().iter_enumerated() {
        leaving[edge.source.index()].push(id);
    }
    let mut alone = sets.none();
    for (_, when) in featured.faults() {
        let faulty = sets.holding(&when)?;
        let faulty = sets.and(&sets.all(), &faulty)?;
        alone = sets.or(&alone, &faulty)?;
    }
    let mut lowering = Lowering {
        featured,
        leaving,
        lifted: LiftedArena {
            arena,
            nodes: Vec::new(),
            moves: Vec::new(),
            origins: Vec::new(),
            starts: Vec::new(),
        },
        places: FxHashMap::default(),
        expanded: Vec::new(),
        faults: Vec::new(),
        alone,
        sets,
    };
    lowering.start()?;
    if automaton.ints().is_empty() {
        lowering.expand_all()?;
    } else {
        lowering.reach(budget)?;
    }
    let mut alphabet = Vec::new();
    for when in &featured.conditions().actions {
        alphabet.push(lowering.sets.holding(when)?);
    }
    let mut lifted = lowering.lifted;
    lifted.arena.max_bounds = bounds::per_node(&lifted.arena);
    Ok(Lowered {
        lifted,
        alone: lowering.alone,
        alphabet,
    })
}

struct Lowering<'a, S: ProductSets> {
    featured: &'a FeaturedAutomaton,
    sets: &'a mut S,
    leaving: Vec<Vec<EdgeId>>,
    lifted: LiftedArena<S::Set>,
    places: FxHashMap<Place, Vec<u32>>,
    expanded: Vec<bool>,
    /// Moves that no run may take, of games with integers: only a run that does is at fault.
    faults: Vec<(u32, Conjunction, S::Set)>,
    alone: S::Set,
}

/// A variant of a location: its products, whether it is urgent, its invariant.
type Variant<Set> = (Set, bool, Vec<Atom>);

impl<S: ProductSets> Lowering<'_, S> {
    fn start(&mut self) -> Result<(), Halt> {
        let featured = self.featured;
        let values: Vec<i32> = featured.automaton().ints().iter().map(|var| var.initial).collect();
        let zero = Dbm::zero(self.lifted.arena.dim());
        for (when, location) in &featured.conditions().initial {
            let when = self.sets.holding(when)?;
            for node in self.place(*location, &values)? {
                let invariant = self.lifted.arena.node(node).invariant;
                let products = self.sets.and(&self.lifted.nodes[node as usize], &when)?;
                if !self.sets.is_empty(&products) && zone_ops::satisfies(&zero, self.lifted.arena.atoms_of(invariant)) {
                    self.lifted.starts.push((node, products));
                }
            }
        }
        Ok(())
    }

    /// The nodes of a location with those values, made if they are new.
    fn place(&mut self, location: LocId, values: &[i32]) -> Result<Vec<u32>, Halt> {
        let place = (location, values.to_vec());
        if let Some(known) = self.places.get(&place) {
            return Ok(known.clone());
        }
        let mut nodes = Vec::new();
        for (products, urgent, atoms) in self.variants(location, values)? {
            let arena = &mut self.lifted.arena;
            let invariant = arena.push_conjunction(atoms);
            let alive = arena.push_cases([invariant]);
            let first_value = index(arena.values.len());
            arena.values.extend_from_slice(values);
            nodes.push(index(arena.nodes.len()));
            self.lifted.origins.push(index(arena.nodes.len()));
            arena.nodes.push(Node {
                location,
                values: first_value,
                urgent,
                invariant,
                moves: 0..0,
                alive,
            });
            self.lifted.nodes.push(products);
            self.expanded.push(false);
        }
        self.places.insert(place, nodes.clone());
        Ok(nodes)
    }

    fn variants(&mut self, location: LocId, values: &[i32]) -> Result<Vec<Variant<S::Set>>, Halt> {
        let featured = self.featured;
        let conditions = featured.conditions();
        let there = self.sets.holding(&conditions.locations[location])?;
        let there = self.sets.and(&self.sets.all(), &there)?;
        let mut urgent = self.sets.none();
        for (when, urgency) in &conditions.urgency[location] {
            if *urgency != Urgency::Normal {
                let when = self.sets.holding(when)?;
                urgent = self.sets.or(&urgent, &when)?;
            }
        }
        let mut variants: Vec<Variant<S::Set>> = Vec::new();
        let calm = self.sets.minus(&there, &urgent)?;
        let urgent = self.sets.and(&there, &urgent)?;
        for (products, urgent) in [(calm, false), (urgent, true)] {
            if !self.sets.is_empty(&products) {
                variants.push((products, urgent, Vec::new()));
            }
        }
        let invariant = &featured.automaton().locations()[location].invariant;
        let own = &conditions.invariants[location];
        let valuation = Valuation {
            ints: values,
            selects: &[],
        };
        for (condition, when) in invariant.data.iter().zip(&own.data) {
            match condition.eval(valuation) {
                Ok(0) => variants = self.without(variants, when)?,
                Ok(_) => {}
                Err(_) => self.set_aside(when)?,
            }
        }
        for (constraint, when) in invariant.clocks.iter().zip(&own.clocks) {
            let place = || String::new();
            let constant = constraint.bound.eval(valuation).ok();
            match constant.and_then(|constant| checked(constant, &place).ok()) {
                Some(constant) => {
                    let mut atoms = Vec::new();
                    push_atoms(constraint, constant, &mut atoms);
                    variants = self.with(variants, when, &atoms)?;
                }
                None => self.set_aside(when)?,
            }
        }
        Ok(variants)
    }

    /// The variants of the products for which `when` does not hold.
    fn without(&mut self, variants: Vec<Variant<S::Set>>, when: &FeatureExpr) -> Result<Vec<Variant<S::Set>>, Halt> {
        let when = self.sets.holding(when)?;
        let mut kept = Vec::new();
        for (products, urgent, atoms) in variants {
            let products = self.sets.minus(&products, &when)?;
            if !self.sets.is_empty(&products) {
                kept.push((products, urgent, atoms));
            }
        }
        Ok(kept)
    }

    /// The variants, with `more` atoms for the products for which `when` holds.
    fn with(
        &mut self,
        variants: Vec<Variant<S::Set>>,
        when: &FeatureExpr,
        more: &[Atom],
    ) -> Result<Vec<Variant<S::Set>>, Halt> {
        let when = self.sets.holding(when)?;
        let mut split = Vec::new();
        for (products, urgent, atoms) in variants {
            let with = self.sets.and(&products, &when)?;
            let without = self.sets.minus(&products, &when)?;
            if !self.sets.is_empty(&with) {
                split.push((with, urgent, [atoms.as_slice(), more].concat()));
            }
            if !self.sets.is_empty(&without) {
                split.push((without, urgent, atoms));
            }
        }
        Ok(split)
    }

    /// The products for which `when` holds are looked at alone.
    fn set_aside(&mut self, when: &FeatureExpr) -> Result<(), Halt> {
        let when = self.sets.holding(when)?;
        let when = self.sets.and(&self.sets.all(), &when)?;
        self.set_products_aside(&when)
    }
    fn set_products_aside(&mut self, products: &S::Set) -> Result<(), Halt> {
        self.alone = self.sets.or(&self.alone, products)?;
        Ok(())
    }

    fn expand_all(&mut self) -> Result<(), Halt> {
        let mut next = 0;
        while next < self.lifted.arena.nodes.len() {
            self.expand(index(next))?;
            next += 1;
        }
        for (_, _, products) in std::mem::take(&mut self.faults) {
            self.set_products_aside(&products)?;
        }
        Ok(())
    }

    /// Makes the moves of `node`, once.
    fn expand(&mut self, node: u32) -> Result<(), Halt> {
        if std::mem::replace(&mut self.expanded[node as usize], true) {
            return Ok(());
        }
        let automaton = self.featured.automaton();
        let location = self.lifted.arena.node(node).location;
        let values = self.lifted.arena.values_of(node).to_vec();
        let first = index(self.lifted.arena.moves.len());
        for id in self.leaving[location.index()].clone() {
            let when = self.sets.holding(&self.featured.edge_condition(id))?;
            let products = self.sets.and(&self.lifted.nodes[node as usize], &when)?;
            if self.sets.is_empty(&products) {
                continue;
            }
            let edge = &automaton.edges()[id];
            match select_values(automaton, edge) {
                Ok(all) => {
                    for selects in all {
                        self.add_moves((node, id), (&values, &selects), &(products.clone(), when.clone()))?;
                    }
                }
                Err(_) => self.set_products_aside(&products)?,
            }
        }
        self.lifted.arena.nodes[node as usize].moves = first..index(self.lifted.arena.moves.len());
        Ok(())
    }

    /// Adds the moves of an edge under the given values: one for each variant of its target. `products` have the edge
    /// and the node; `when` is that of the edge.
    fn add_moves(
        &mut self,
        (node, id): (u32, EdgeId),
        (ints, selects): (&[i32], &[i32]),
        (products, when): &(S::Set, S::Set),
    ) -> Result<(), Halt> {
        let automaton = self.featured.automaton();
        let edge = &automaton.edges()[id];
        let place = || format!("edge {}", edge_name(automaton, edge));
        let guard = match atoms_of_guard(&edge.guard, Valuation { ints, selects }, &place) {
            Ok(Some(guard)) => guard,
            Ok(None) => return Ok(()),
            Err(_) => return self.set_products_aside(products),
        };
        let guard = self.lifted.arena.push_conjunction(guard);
        let Ok(effect) = run_updates(automaton, edge, ints, selects) else {
            self.faults.push((node, guard, products.clone()));
            return Ok(());
        };
        let action = &automaton.actions()[edge.action];
        if action.urgent {
            self.set_products_aside(products)?;
        }
        let arena = &mut self.lifted.arena;
        let first_reset = index(arena.resets.len());
        arena.resets.extend_from_slice(&effect.resets);
        let resets = (first_reset, index(arena.resets.len()));
        for target in self.place(edge.target, &effect.ints)? {
            let here = self.sets.and(products, &self.lifted.nodes[target as usize])?;
            if self.sets.is_empty(&here) {
                continue;
            }
            let arena = &mut self.lifted.arena;
            let step = Move {
                edge: Some(id),
                action: index(edge.action.index()),
                role: action.role,
                guard,
                resets,
                target,
                enabled: Cases::default(),
            };
            let mut atoms = arena.atoms_of(guard).to_vec();
            let invariant = arena.node(target).invariant;
            if arena.before_resets(arena.atoms_of(invariant), &step, &mut atoms) {
                let possible = arena.push_conjunction(atoms);
                let enabled = arena.push_cases([possible]);
                arena.moves.push(Move { enabled, ..step });
                // As few features as tell the move's products from others of the node.
                let is_only_variant = here == *products;
                self.lifted
                    .moves
                    .push(if is_only_variant { when.clone() } else { here });
            }
        }
        Ok(())
    }

    /// Expands what runs of games with integers reach, by zones, and sets aside the products whose runs reach a fault.
    fn reach(&mut self, budget: &Budget) -> Result<(), Halt> {
        let max = bounds::global(self.featured.automaton());
        let dim = self.lifted.arena.dim();
        let zone_bytes = zone_ops::zone_bytes(dim);
        let mut known: FxHashMap<u32, Vec<(Dbm, S::Set)>> = FxHashMap::default();
        let starts = self.lifted.starts.iter();
        let mut waiting: VecDeque<_> = starts.map(|(node, set)| (*node, Dbm::zero(dim), set.clone())).collect();
        let mut n_states = 0u64;
        let mut parts = Vec::new();
        while let Some((node, mut zone, products)) = waiting.pop_front() {
            let products = self.sets.minus(&products, &self.alone)?;
            if self.sets.is_empty(&products) {
                continue;
            }
            self.expand(node)?;
            if !self.lifted.arena.node(node).urgent {
                zone.up();
                let invariant = self.lifted.arena.atoms_of(self.lifted.arena.node(node).invariant);
                let kept = zone_ops::restrict(&mut zone, invariant);
                assert!(kept, "an entered state satisfies its invariant");
            }
            zone_ops::normalise(zone, &self.lifted.arena.diagonals, &max, &mut parts);
            for zone in parts.drain(..) {
                let mut new = products.clone();
                let of_node = known.entry(node).or_default();
                for (old, set) in of_node.iter().filter(|(old, _)| old.includes(&zone)) {
                    new = self.sets.minus(&new, set)?;
                    if old == &zone && self.sets.is_empty(&new) {
                        break;
                    }
                }
                if self.sets.is_empty(&new) {
                    continue;
                }
                n_states += 1;
                if let Some(reason) = budget.exceeded(n_states, n_states * zone_bytes) {
                    return Err(reason.into());
                }
                of_node.push((zone.clone(), new.clone()));
                self.fail_at(node, &zone, &new)?;
                for at in self.lifted.moves_of(node) {
                    let step = &self.lifted.arena.moves[at];
                    let going = self.sets.and(&new, &self.lifted.moves[at])?;
                    if self.sets.is_empty(&going) {
                        continue;
                    }
                    for atoms in self.lifted.arena.cases(step.enabled) {
                        if let Some(mut next) = zone_ops::restricted(&zone, atoms) {
                            zone_ops::reset_all(&mut next, self.lifted.arena.resets_of(step));
                            waiting.push_back((step.target, next, going.clone()));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn fail_at(&mut self, node: u32, zone: &Dbm, products: &S::Set) -> Result<(), Halt> {
        for at in 0..self.faults.len() {
            let (of, guard, faulty) = &self.faults[at];
            let atoms = self.lifted.arena.atoms_of(*guard);
            if *of == node && zone_ops::restricted(zone, atoms).is_some() {
                let faulty = self.sets.and(faulty, products)?;
                self.set_products_aside(&faulty)?;
            }
        }
        Ok(())
    }
}
