//! The view of a process for the operators: an automaton with the labels that they may change, and the way back.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::remaining_parts::{RemainingParts, kept, touches};
use tamper_text::Id;
use tamper_timed::model::{
    Automaton, ClockId, Edge, EdgeId, Expr, Guard, LocId, Location, Role, Select, SimpleConstraint, Update,
};
use tamper_timed::mutation::{Alteration, MemoryMutation, Mutation, Site};
use tamper_timed::network::{self, Condition, Labels, Network, Own, SingleAutomaton, Uses, View, roles_of_edge};

/// A process as an automaton.
#[derive(Clone, Debug)]
pub(super) struct ProcessView {
    pub automaton: Automaton,
    /// The network's clock or variable for each clock and variable of the automaton.
    pub labels: Labels,
    /// For each location and each edge, the kinds of the parts of its condition.
    invariants: Vec<Vec<ConditionPartKind>>,
    guards: Vec<Vec<ConditionPartKind>>,
    /// For each edge, the relation between its updates and the automaton's.
    updates: Vec<Updates>,
}

/// The relation between the updates of an edge and the automaton's updates.
#[derive(Clone, Default, Debug)]
struct Updates {
    /// For each update of the process, the number of updates of the automaton that it becomes; 0 if no operator changes
    /// it.
    parts: Vec<usize>,
    /// The clocks, by their positions in the network, that the other updates set.
    set: BTreeSet<usize>,
}

/// The kind of a part of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ConditionPartKind {
    /// A clock constraint.
    Atom,
    /// Integer conditions.
    Data,
    /// A condition that no operator changes.
    Opaque,
}

/// The positions of the clock constraints in a condition.
fn atoms(kinds: &[ConditionPartKind]) -> Vec<usize> {
    (0..kinds.len())
        .filter(|at| kinds[*at] == ConditionPartKind::Atom)
        .collect()
}

fn parts(condition: &Condition) -> &[Condition] {
    match condition {
        Condition::And(parts) => parts,
        single => std::slice::from_ref(single),
    }
}

/// The guard of the automaton for `condition`.
fn read(plain: &mut SingleAutomaton<'_>, condition: &Condition) -> (Guard, Vec<ConditionPartKind>) {
    let (mut guard, mut kinds) = (Guard::always(), Vec::new());
    for part in parts(condition) {
        let mut own = Guard::always();
        let is_read = plain.conjunct(part, &mut own).is_ok();
        let kind = match part {
            Condition::Atom(_, None, _, bound) if is_read && bound.as_const().is_some() => ConditionPartKind::Atom,
            Condition::Data(_) if is_read => ConditionPartKind::Data,
            _ => ConditionPartKind::Opaque,
        };
        kinds.push(kind);
        match kind {
            ConditionPartKind::Atom => guard.clocks.append(&mut own.clocks),
            ConditionPartKind::Data => guard.data.append(&mut own.data),
            ConditionPartKind::Opaque => {}
        }
    }
    // A formula is rewritten as a whole, or not at all.
    if kinds.contains(&ConditionPartKind::Opaque) {
        let is_atom = |kind: &&mut ConditionPartKind| **kind != ConditionPartKind::Atom;
        let others = kinds.iter_mut().filter(is_atom);
        guard.data = others
            .map(|kind| {
                *kind = ConditionPartKind::Opaque;
                Expr::Const(1)
            })
            .collect();
    }
    (guard, kinds)
}

/// The updates of the automaton for the updates of an edge.
fn read_updates(
    plain: &mut SingleAutomaton<'_>,
    network: &Network,
    updates: &[network::Expr],
) -> (Vec<Update>, Updates) {
    let (mut own, mut parts, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for update in updates {
        let n_before = own.len();
        if plain.assignment(update, &mut own).is_err() {
            own.truncate(n_before);
            others.push(update);
        }
        parts.push(own.len() - n_before);
    }
    let set = Uses::of_updates(network, others.into_iter()).clocks;
    (own, Updates { parts, set })
}

/// The clocks and variables that the process declares.
fn own(network: &Network, process: &str) -> Own {
    let prefix = format!("{process}.");
    let range = |names: &mut dyn Iterator<Item = &Arc<str>>| {
        let mut own = names.enumerate().filter(|(_, name)| name.starts_with(prefix.as_str()));
        let Some((first, _)) = own.next() else { return 0..0 };
        first..own.last().map_or(first, |(last, _)| last) + 1
    };
    Own {
        clocks: range(&mut network.clocks.iter()),
        variables: range(&mut network.variables.iter().map(|variable| &variable.name)),
    }
}

/// The role of an edge. Mixed roles count as outputs: guidelines are not applied to these edges.
fn single_role(network: &Network, view: &View, process: usize, edge: usize) -> Role {
    match roles_of_edge(network, view, process, edge) == [Role::Input].into() {
        true => Role::Input,
        false => Role::Output,
    }
}

impl ProcessView {
    /// The view of the process at position `at`.
    pub fn of(network: &Network, view: &View, at: usize, name: &str) -> Self {
        let process = &network.processes[at];
        let own = own(network, &process.name);
        let mut plain = SingleAutomaton::with_elements(network, &process.name, &own);
        let mut invariants = Vec::new();
        for location in &process.locations {
            let (invariant, kinds) = read(&mut plain, &location.invariant);
            invariants.push(kinds);
            plain.builder.location(Location {
                name: location.name.clone(),
                invariant,
                urgency: location.urgency,
            });
        }
        let (mut guards, mut updates) = (Vec::new(), Vec::new());
        for (index, edge) in process.edges.iter().enumerate() {
            plain.selects.clone_from(&edge.selects);
            let (guard, kinds) = read(&mut plain, &edge.guard);
            guards.push(kinds);
            let (own, known) = read_updates(&mut plain, network, &edge.updates);
            updates.push(known);
            plain.selects.clear();
            let action = match &edge.sync {
                None => plain.builder.tau(),
                Some(sync) => {
                    let channel = &network.channels[sync.channel.base as usize];
                    let role = single_role(network, view, at, index);
                    plain.builder.action(&channel.name, role, false)
                }
            };
            let select = |(at, select): (usize, &network::Select)| Select {
                name: format!("select_{at}").into(),
                low: select.low,
                high: select.high,
            };
            plain.builder.edge(Edge {
                source: LocId::from_index(edge.source),
                target: LocId::from_index(edge.target),
                action,
                guard,
                updates: own,
                selects: edge.selects.iter().enumerate().map(select).collect(),
            });
        }
        plain.builder.initial(LocId::from_index(process.initial));
        let (builder, labels) = plain.finish();
        let automaton = builder
            .build()
            .expect("names of locations are unique and parts are known")
            .renamed(name)
            .with_clocks_left_out(|clock| network.left_out.contains(&(labels.clocks[clock] as usize)));
        Self {
            automaton,
            labels,
            invariants,
            guards,
            updates,
        }
    }

    /// Position of a clock in the network.
    pub fn clock(&self, clock: ClockId) -> usize {
        self.labels.clocks[clock.index()] as usize
    }

    /// Translates `mutation` of the first instance of the template to this one, whose clock constraints may have other
    /// numbers.
    ///
    /// # Panics
    /// If this process does not have the mutation.
    pub fn own(&self, mutation: &Mutation) -> Mutation {
        if let Mutation::Again(memory) = mutation {
            let own = MemoryMutation::of(self.own(&memory.once()));
            return Mutation::Again(own.expect("the change of another constant has memory, too"));
        }
        let Some(change) = mutation.constraint() else {
            return *mutation;
        };
        let guard = match change.site {
            Site::Guard(edge) => &self.automaton.edges()[edge].guard,
            Site::Invariant(location) => &self.automaton.locations()[location].invariant,
        };
        let atom = &guard.clocks[change.atom as usize];
        let old = SimpleConstraint {
            clock: atom.left,
            cmp: atom.cmp,
            constant: atom
                .bound
                .as_const()
                .expect("clock constraints that are read have a number"),
        };
        mutation.where_it_is(old).expect("each instance has the mutation")
    }

    /// The view of the process after `mutation`.
    #[must_use]
    pub fn after(&self, mutation: &Mutation) -> Self {
        let automaton = mutation.apply(&self.automaton);
        let mut after = self.clone();
        match *mutation {
            Mutation::RemoveEdge { edge } => {
                after.guards.remove(edge.index());
                after.updates.remove(edge.index());
            }
            Mutation::RemoveLocation { location } => {
                let is_kept = |edge: usize| !touches(&self.automaton, edge, location);
                after.invariants.remove(location.index());
                after.guards = kept(&self.guards, is_kept);
                after.updates = kept(&self.updates, is_kept);
            }
            Mutation::AddEdge { cloned, .. } => {
                let parts = cloned.map_or_else(Vec::new, |first| self.guards[first.index()].clone());
                after.guards.push(parts);
                let updates = cloned.map_or_else(Updates::default, |first| self.updates[first.index()].clone());
                after.updates.push(updates);
            }
            Mutation::Alter { alteration, .. } => {
                for (at, (old, new)) in self.automaton.locations().iter().zip(automaton.locations()).enumerate() {
                    if old.invariant != new.invariant {
                        let site = Site::Invariant(LocId::from_index(at));
                        after.invariants[at] = self.kinds_after(&alteration, site, &new.invariant);
                    }
                }
                for (at, (old, new)) in self.automaton.edges().iter().zip(automaton.edges()).enumerate() {
                    if old.guard != new.guard {
                        let site = Site::Guard(EdgeId::from_index(at));
                        after.guards[at] = self.kinds_after(&alteration, site, &new.guard);
                    }
                    if old.updates != new.updates {
                        let parts = self.updates_after(&alteration, at, new.updates.len()).into_iter();
                        after.updates[at].parts = parts.map(|part| usize::from(part.is_ok())).collect();
                    }
                }
                if let Alteration::OldTimer { edge, .. } = alteration {
                    let late = self.guards[edge.index()].iter().copied();
                    after.guards.push(late.chain([ConditionPartKind::Atom]).collect());
                    after.updates.push(self.updates[edge.index()].clone());
                }
            }
            Mutation::LargerConstant { .. } | Mutation::SmallerConstant { .. } | Mutation::NegateGuard { .. } => {}
            Mutation::Again(memory) => {
                let copy = self.after(&memory.once());
                after.invariants.extend(copy.invariants);
                after.guards.extend(copy.guards);
                after.updates.extend(copy.updates);
            }
        }
        after.automaton = automaton;
        after
    }

    /// Positions of the clock constraints of `site` in its condition.
    pub fn atoms(&self, site: Site) -> Vec<usize> {
        atoms(self.kinds(site))
    }

    fn kinds(&self, site: Site) -> &[ConditionPartKind] {
        match site {
            Site::Guard(edge) => &self.guards[edge.index()],
            Site::Invariant(location) => &self.invariants[location.index()],
        }
    }

    /// Whether the condition of `site` has a part that no operator changes.
    pub fn is_closed(&self, site: Site) -> bool {
        self.kinds(site).contains(&ConditionPartKind::Opaque)
    }

    /// Whether the clock constraints have the same positions in both.
    pub fn has_atoms_of(&self, other: &Self) -> bool {
        let places = |kinds: &[Vec<ConditionPartKind>]| kinds.iter().map(|kinds| atoms(kinds)).collect::<Vec<_>>();
        places(&self.invariants) == places(&other.invariants) && places(&self.guards) == places(&other.guards)
    }

    /// Whether the automaton shows all labels of an edge.
    pub fn shows(&self, edge: EdgeId) -> bool {
        !self.is_closed(Site::Guard(edge)) && !self.updates[edge.index()].parts.contains(&0)
    }

    /// Whether both have the same labels, except for the numbers and variables in them, so that an alteration has a
    /// meaning for both; also with the same clocks, if `names_clock`.
    pub fn has_shape_of(&self, other: &Self, names_clock: bool) -> bool {
        let shape = |automaton: &Automaton| {
            let locations = automaton.locations().iter().map(|location| &location.invariant);
            let guards = locations.chain(automaton.edges().iter().map(|edge| &edge.guard));
            let guards = guards.map(|guard| {
                let data = guard.data.iter().map(shape_of).collect::<Vec<_>>();
                let atoms = guard.clocks.iter();
                let atoms = atoms.map(|atom| {
                    let clocks = names_clock.then_some((atom.left, atom.right));
                    (clocks, atom.cmp, shape_of(&atom.bound))
                });
                (data, atoms.collect::<Vec<_>>())
            });
            let updates = automaton.edges().iter().map(|edge| {
                let values = edge.updates.iter().map(|update| match update {
                    Update::Reset(clock, value) => (true, names_clock.then_some(*clock), shape_of(value)),
                    Update::Assign(_, value) => (false, None, shape_of(value)),
                });
                values.collect::<Vec<_>>()
            });
            let clocks = automaton.clocks().len();
            (guards.collect::<Vec<_>>(), updates.collect::<Vec<_>>(), clocks)
        };
        let parts = |updates: &[Updates]| updates.iter().map(|one| one.parts.clone()).collect::<Vec<_>>();
        self.invariants == other.invariants
            && self.guards == other.guards
            && parts(&self.updates) == parts(&other.updates)
            && shape(&self.automaton) == shape(&other.automaton)
    }

    /// Applies to `process`, of which `left` is left, the changes that `alteration` makes in the automaton.
    pub fn alter(&self, alteration: &Alteration, left: &RemainingParts, process: &mut network::Process) {
        let mutant = alteration.apply(&self.automaton);
        if let (Alteration::OldTimer { edge, .. }, Some(late)) = (alteration, mutant.edges().iter().next_back()) {
            let mut new = process.edges[left.edge(*edge)].clone();
            let late = late.guard.clocks.last().map(|atom| self.labels.atom(atom));
            new.guard = Condition::And(parts(&new.guard).iter().cloned().chain(late).collect());
            process.edges.push(new);
        }
        for (at, (old, new)) in self.automaton.locations().iter().zip(mutant.locations()).enumerate() {
            if Arc::ptr_eq(old, new) {
                continue;
            }
            let location = &mut process.locations[left.locations[at]];
            location.urgency = new.urgency;
            if old.invariant != new.invariant {
                let site = Site::Invariant(LocId::from_index(at));
                location.invariant = self.condition(alteration, site, &location.invariant, &new.invariant);
            }
        }
        for (at, (old, new)) in self.automaton.edges().iter().zip(mutant.edges()).enumerate() {
            if Arc::ptr_eq(old, new) {
                continue;
            }
            let edge = &mut process.edges[left.edges[at]];
            (edge.source, edge.target) = (left.location(new.source), left.location(new.target));
            if old.guard != new.guard {
                let site = Site::Guard(EdgeId::from_index(at));
                edge.guard = self.condition(alteration, site, &edge.guard, &new.guard);
            }
            if old.updates != new.updates {
                let parts = self.updates_after(alteration, at, new.updates.len()).into_iter();
                let parts = parts.map(|part| match part {
                    Ok(new_at) => self.labels.update(&new.updates[new_at]),
                    Err(old_at) => edge.updates[old_at].clone(),
                });
                edge.updates = parts.collect();
            }
        }
    }

    /// The updates of an edge after `alteration`, which leaves `n_new` updates of the automaton: the position of one of
    /// these, or, as an error, the position of an update of the process.
    fn updates_after(&self, alteration: &Alteration, edge: usize, n_new: usize) -> Vec<Result<usize, usize>> {
        let dropped = match *alteration {
            Alteration::DropUpdate { update, .. } | Alteration::OldTimer { update, .. } => Some(update as usize),
            _ => None,
        };
        let (mut n_old, mut new) = (0, 0..n_new);
        let mut list = Vec::new();
        for (at, n_parts) in self.updates[edge].parts.iter().enumerate() {
            if *n_parts == 0 {
                list.push(Err(at));
            }
            for old in n_old..n_old + n_parts {
                if dropped != Some(old) {
                    list.extend(new.next().map(Ok));
                }
            }
            n_old += n_parts;
        }
        list.extend(new.map(Ok));
        list
    }

    /// Whether the mutation sets a clock to 0 that may also be set by an update that the automaton lacks.
    pub fn sets_already(&self, mutation: &Mutation) -> bool {
        let Mutation::Alter {
            alteration: Alteration::Reset { edge, clock },
            ..
        } = mutation.once()
        else {
            return false;
        };
        self.updates[edge.index()].set.contains(&self.clock(clock))
    }

    /// The parts of the condition of `site` after `alteration`, given the automaton's condition `new`.
    fn parts_after(&self, alteration: &Alteration, site: Site, new: &Guard) -> Vec<NewPart> {
        let (n_atoms, n_data) = (new.clocks.len(), new.data.len());
        let is_whole = matches!(
            alteration,
            Alteration::DropGuard { .. } | Alteration::NeverGuard { .. } | Alteration::DropInvariant { .. }
        );
        if is_whole {
            let atoms = (0..n_atoms).map(NewPart::Atom);
            return atoms.chain((0..n_data).map(NewPart::Data)).collect();
        }
        let dropped = match alteration {
            Alteration::DropAtom { atom, .. } => self.atoms(site).get(*atom as usize).copied(),
            _ => None,
        };
        let (mut atoms, mut data) = (0..n_atoms, Some(0..n_data));
        let mut list = Vec::new();
        for (at, kind) in self.kinds(site).iter().enumerate() {
            match kind {
                _ if dropped == Some(at) => {}
                ConditionPartKind::Opaque => list.push(NewPart::Old(at)),
                ConditionPartKind::Atom => list.extend(atoms.next().map(NewPart::Atom)),
                ConditionPartKind::Data => list.extend(data.take().into_iter().flatten().map(NewPart::Data)),
            }
        }
        // New parts are put at the end.
        list.extend(atoms.map(NewPart::Atom));
        if !self.is_closed(site) {
            list.extend(data.into_iter().flatten().map(NewPart::Data));
        }
        list
    }

    fn kinds_after(&self, alteration: &Alteration, site: Site, new: &Guard) -> Vec<ConditionPartKind> {
        let parts = self.parts_after(alteration, site, new).into_iter();
        parts
            .map(|part| match part {
                NewPart::Old(_) => ConditionPartKind::Opaque,
                NewPart::Atom(_) => ConditionPartKind::Atom,
                NewPart::Data(_) => ConditionPartKind::Data,
            })
            .collect()
    }

    /// The condition of `site` after `alteration`, made of its former condition `old` and the automaton's condition
    /// `new`.
    fn condition(&self, alteration: &Alteration, site: Site, old: &Condition, new: &Guard) -> Condition {
        let list = self.parts_after(alteration, site, new).into_iter();
        let list = list.map(|part| match part {
            NewPart::Old(at) => parts(old)[at].clone(),
            NewPart::Atom(at) => self.labels.atom(&new.clocks[at]),
            NewPart::Data(at) => Condition::Data(self.labels.expr(&new.data[at])),
        });
        Condition::And(list.collect())
    }
}

/// A part of a condition after an alteration.
enum NewPart {
    /// The part at this position of the former condition.
    Old(usize),
    /// The clock constraint at this position of the guard.
    Atom(usize),
    /// The integer condition at this position of the guard.
    Data(usize),
}

/// The structure of `expr`, without its numbers and variables.
fn shape_of(expr: &Expr) -> String {
    match expr {
        Expr::Const(_) => "c".to_owned(),
        Expr::Var(_) => "v".to_owned(),
        Expr::Select(at) => format!("s{at}"),
        Expr::Unary(op, part) => format!("({op:?} {})", shape_of(part)),
        Expr::Binary(op, left, right) => format!("({op:?} {} {})", shape_of(left), shape_of(right)),
        Expr::Cond(test, then, other) => {
            format!("(if {} {} {})", shape_of(test), shape_of(then), shape_of(other))
        }
    }
}
