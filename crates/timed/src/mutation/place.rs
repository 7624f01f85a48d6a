//! Places of an automaton, and their names.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::model::{Automaton, ClockConstraint, Edge, EdgeId, Expr, Guard, LocId};
use tamper_text::{Id, IndexVec};

/// The place of a clock constraint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Site {
    /// In the guard of an edge.
    Guard(EdgeId),
    /// In the invariant of a location.
    Invariant(LocId),
}

/// The guard or invariant there.
pub fn guard_at(automaton: &Automaton, site: Site) -> &Guard {
    match site {
        Site::Guard(edge) => &automaton.edges()[edge].guard,
        Site::Invariant(location) => &automaton.locations()[location].invariant,
    }
}

/// All clock constraints with their places, in order: first the constraints of invariants, then of guards.
pub fn clock_atoms(automaton: &Automaton) -> impl Iterator<Item = (Site, u32, &ClockConstraint)> {
    let invariants = automaton.locations().ids().map(Site::Invariant);
    let guards = automaton.edges().ids().map(Site::Guard);
    invariants.chain(guards).flat_map(move |site| {
        let atoms = (0..).zip(&guard_at(automaton, site).clocks);
        atoms.map(move |(atom, constraint)| (site, atom, constraint))
    })
}

/// One of the conditions whose conjunction is a guard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Conjunct<'a> {
    Clock(&'a ClockConstraint),
    Data(&'a Expr),
}

impl Conjunct<'_> {
    pub fn has_select(self) -> bool {
        let (Self::Clock(ClockConstraint { bound: expr, .. }) | Self::Data(expr)) = self;
        let mut found = false;
        expr.walk(&mut |part| found |= matches!(part, Expr::Select(_)));
        found
    }
}

/// The conjuncts of a guard: first the conditions on clocks, then on integers.
pub fn guard_conjuncts(guard: &Guard) -> Vec<Conjunct<'_>> {
    let clocks = guard.clocks.iter().map(Conjunct::Clock);
    clocks.chain(guard.data.iter().map(Conjunct::Data)).collect()
}

/// The name of an edge: `source->target#k`, `k` being its position among the edges of that source and target.
pub fn edge_name(automaton: &Automaton, edge: EdgeId) -> String {
    EdgeName(automaton, edge).to_string()
}

/// The names of all edges, in one pass over the edges.
pub fn edge_names(automaton: &Automaton) -> IndexVec<EdgeId, String> {
    let mut n_earlier = HashMap::new();
    let name = |edge: &Arc<Edge>| {
        let (source, target) = (&automaton.locations()[edge.source], &automaton.locations()[edge.target]);
        let n = n_earlier.entry((edge.source, edge.target)).or_insert(0_usize);
        *n += 1;
        format!("{}->{}#{}", source.name, target.name, *n - 1)
    };
    automaton.edges().iter().map(name).collect()
}

/// `source->target#k`.
pub(super) struct EdgeName<'a>(pub(super) &'a Automaton, pub(super) EdgeId);

impl fmt::Display for EdgeName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(automaton, id) = *self;
        let edge = &automaton.edges()[id];
        let earlier = &automaton.edges().as_slice()[..id.index()];
        let same = |other: &&Arc<Edge>| other.source == edge.source && other.target == edge.target;
        let (source, target) = (&automaton.locations()[edge.source], &automaton.locations()[edge.target]);
        write!(
            f,
            "{}->{}#{}",
            source.name,
            target.name,
            earlier.iter().filter(same).count()
        )
    }
}
