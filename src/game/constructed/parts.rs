//! Zones as labels of an automaton.

use std::collections::BTreeSet;

use crate::model::{ActionId, AutomatonBuilder, ClockConstraint, ClockId, Cmp, Edge, Expr, Guard, LocId, Update};
use crate::symbolic::{Atom, zone_ops};
use crate::text::Id;
use crate::zones::{Clock, Dbm, Federation, Variable};

/// An edge without its guard.
#[derive(Clone, Debug)]
pub struct Way {
    pub source: LocId,
    pub target: LocId,
    pub action: ActionId,
    pub resets: Vec<(Variable, i64)>,
}

/// Adds an edge per zone of `when`; no two of them are enabled together.
pub fn add_edges(builder: &mut AutomatonBuilder, way: &Way, when: Federation) {
    let mut left = when;
    while let Some(zone) = left.zones().first().cloned() {
        left.subtract_dbm(&zone);
        let set = |(variable, value): &(Variable, i64)| {
            Update::Reset(ClockId::from_index(variable.index() - 1), Expr::Const(*value))
        };
        builder.edge(Edge {
            source: way.source,
            target: way.target,
            action: way.action,
            guard: guard(&zone),
            updates: way.resets.iter().map(set).collect(),
            selects: Vec::new(),
        });
    }
}

/// The zone, as a guard or an invariant with as few atoms as there can be.
pub fn guard(zone: &Dbm) -> Guard {
    Guard {
        clocks: zone_ops::atoms_of_zone(zone).iter().filter_map(constraint).collect(),
        data: Vec::new(),
    }
}

fn constraint(atom: &Atom) -> Option<ClockConstraint> {
    let clock = |clock: Clock| {
        clock
            .variable()
            .map(|variable| ClockId::from_index(variable.index() - 1))
    };
    let (upper, lower) = match atom.bound.is_strict() {
        true => (Cmp::Lt, Cmp::Gt),
        false => (Cmp::Le, Cmp::Ge),
    };
    let constant = atom.bound.constant();
    let (left, right, cmp, constant) = match (clock(atom.left), clock(atom.right)) {
        (Some(left), right) => (left, right, upper, constant),
        (None, Some(right)) => (right, None, lower, -constant),
        (None, None) => return None,
    };
    Some(ClockConstraint {
        left,
        right,
        cmp,
        bound: Expr::Const(constant),
    })
}

/// Names that are each given once.
#[derive(Default)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// `name`, or the next one like it that was not given yet.
    pub fn unique(&mut self, name: &str) -> String {
        let mut name = name.to_owned();
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}
