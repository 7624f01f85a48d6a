//! Zones as labels of an automaton.

use std::collections::BTreeSet;

use crate::symbolic::zone_ops;
use tamper_text::Id;
use tamper_timed::model::{ActionId, AutomatonBuilder, ClockId, Edge, Expr, Guard, LocId, Update};
use tamper_zones::{Dbm, Federation, Variable};

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
        let set = |(variable, value): &(Variable, i64)| Update::Reset(id(*variable), Expr::Const(*value));
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

fn id(variable: Variable) -> ClockId {
    ClockId::from_index(variable.index() - 1)
}

/// The zone, as a guard or an invariant with the fewest possible atoms.
pub fn guard(zone: &Dbm) -> Guard {
    let atoms = zone_ops::atoms_of_zone(zone);
    Guard {
        clocks: atoms.iter().filter_map(|atom| zone_ops::constraint(atom, id)).collect(),
        data: Vec::new(),
    }
}

/// A set of names, each given only once.
#[derive(Default)]
pub struct UniqueNames(BTreeSet<String>);

impl UniqueNames {
    /// `name`, or the next one like it that was not given yet.
    pub fn unique(&mut self, name: &str) -> String {
        let mut name = name.to_owned();
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}
