//! A conjunction of clock atoms as a guard, and in words.

use std::sync::Arc;

use crate::model::{ClockConstraint, ClockId, Cmp, Expr, Guard};
use crate::network::Network;
use crate::network::atoms::{Atoms, DifferenceConstraint};
use tamper_text::Id;
use tamper_zones::{Bound, Clock};

/// The conjunction, as a guard: an upper and a lower bound of the same number are an equality.
pub(in crate::network) fn guard(atoms: &Atoms) -> Guard {
    let list = atoms.as_slice();
    let mirror = |atom: &DifferenceConstraint| {
        let found = list
            .iter()
            .find(|other| other.left == atom.right && other.right == atom.left);
        found.filter(|other| other.bound.plus(atom.bound) == Bound::LE_ZERO)
    };
    let mut clocks = Vec::new();
    for atom in list {
        let is_lower = atom.left == Clock::ZERO || (atom.right != Clock::ZERO && atom.left > atom.right);
        match mirror(atom) {
            Some(_) if is_lower => continue,
            Some(_) => clocks.push(constraint(atom, true)),
            None => clocks.push(constraint(atom, false)),
        }
    }
    Guard {
        clocks,
        data: Vec::new(),
    }
}

fn constraint(atom: &DifferenceConstraint, equal: bool) -> ClockConstraint {
    let id = |clock: Clock| (clock != Clock::ZERO).then(|| ClockId::from_index(clock.index() - 1));
    let constant = atom.bound.constant();
    let strict = atom.bound.is_strict();
    let (left, right, cmp, constant) = match (id(atom.left), id(atom.right)) {
        (Some(left), right) => (left, right, if strict { Cmp::Lt } else { Cmp::Le }, constant),
        (None, Some(right)) => (right, None, if strict { Cmp::Gt } else { Cmp::Ge }, -constant),
        (None, None) => unreachable!("an atom has a clock"),
    };
    let cmp = if equal { Cmp::Eq } else { cmp };
    ClockConstraint {
        left,
        right,
        cmp,
        bound: Expr::Const(constant),
    }
}

/// The conjunction in words, in a state of these variables.
pub(in crate::network) fn shown(network: &Network, store: &[i32], atoms: &Atoms) -> String {
    let ahead = |clock: ClockId| {
        network
            .ahead(clock.index())
            .map_or(0, |at| i64::from(store[at as usize]))
    };
    let name = |clock: ClockId| Arc::clone(&network.clocks[clock.index()]);
    let parts = guard(atoms).clocks.into_iter().map(|atom| {
        let left = match atom.right {
            Some(right) => format!("{} - {}", name(atom.left), name(right)),
            None => name(atom.left).to_string(),
        };
        let bound = atom.bound.as_const().unwrap_or_default() + ahead(atom.left) - atom.right.map_or(0, ahead);
        format!("{left} {} {bound}", atom.cmp.symbol())
    });
    parts.collect::<Vec<_>>().join(" && ")
}
