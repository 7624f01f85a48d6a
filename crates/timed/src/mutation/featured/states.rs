//! The states that changes of constants can bring a guard or an invariant to.

use super::key::AtomChanges;
use crate::model::{ClockConstraint, EdgeId, Expr, Guard, LocId, SimpleConstraint};
use crate::mutation::list::{atom_changes, mutable_atoms_of};
use crate::mutation::{MutationOptions, Operator, Site};
use tamper_text::Id;

/// Whether a conjunction is a guard or an invariant: CCN is for guards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConjunctionKind {
    Guard,
    Invariant,
}

/// A clock atom after some changes, at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AtomState {
    /// Its position in the guard.
    pub atom: u32,
    pub path: Vec<Operator>,
    /// The atom before the last change.
    pub old: SimpleConstraint,
    pub new: SimpleConstraint,
}

/// All states of the atoms of `guard` after 1 to `depth` changes: atom by atom, each state before the states made from it.
pub fn atom_states(guard: &Guard, kind: ConjunctionKind, options: &MutationOptions, depth: usize) -> Vec<AtomState> {
    let mut states = Vec::new();
    // Only the kind of the site matters.
    let site = match kind {
        ConjunctionKind::Guard => Site::Guard(EdgeId::from_index(0)),
        ConjunctionKind::Invariant => Site::Invariant(LocId::from_index(0)),
    };
    for (atom, constraint) in mutable_atoms_of(guard, site, options.conjuncts) {
        let mut path = Vec::new();
        extend(&mut states, &mut path, atom, constraint, site, options, depth);
    }
    states
}

fn extend(
    states: &mut Vec<AtomState>,
    path: &mut Vec<Operator>,
    atom: u32,
    old: SimpleConstraint,
    site: Site,
    options: &MutationOptions,
    depth: usize,
) {
    if depth == 0 {
        return;
    }
    for mutation in atom_changes(site, atom, old, options) {
        let Some(change) = mutation.constraint() else { continue };
        path.push(mutation.operator());
        states.push(AtomState {
            atom,
            path: path.clone(),
            old,
            new: change.new,
        });
        extend(states, path, atom, change.new, site, options, depth - 1);
        path.pop();
    }
}

/// The clock atom of a simple constraint.
pub fn clock_atom(simple: SimpleConstraint) -> ClockConstraint {
    ClockConstraint {
        left: simple.clock,
        right: None,
        cmp: simple.cmp,
        bound: Expr::Const(simple.constant),
    }
}

/// `guard` with up to `depth` changes in all, each combination of the states of its atoms once; unchanged first.
pub fn guard_states(guard: &Guard, states: &[AtomState], depth: usize) -> Vec<(Guard, AtomChanges)> {
    let mut all = vec![(guard.clone(), AtomChanges::new())];
    let mut rest = states;
    while let Some(first) = rest.first() {
        let n_states = rest.iter().take_while(|state| state.atom == first.atom).count();
        let (of_atom, others) = rest.split_at(n_states);
        for (guard, changes) in all.clone() {
            let n_changes: usize = changes.values().map(Vec::len).sum();
            for state in of_atom.iter().filter(|state| n_changes + state.path.len() <= depth) {
                let mut changed = guard.clone();
                changed.clocks[state.atom as usize] = clock_atom(state.new);
                let mut changes = changes.clone();
                changes.insert(state.atom, state.path.clone());
                all.push((changed, changes));
            }
        }
        rest = others;
    }
    all
}
