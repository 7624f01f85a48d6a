//! Operations on zones and conjunctions of atoms.

use super::arena::Atom;
use tamper_timed::model::{ClockConstraint, ClockId, Cmp, Expr};
use tamper_zones::{Clock, Dbm, Federation, Variable};

/// Whether every point of `zone` satisfies all `atoms`.
pub fn satisfies(zone: &Dbm, atoms: &[Atom]) -> bool {
    atoms.iter().all(|atom| zone.bound(atom.left, atom.right) <= atom.bound)
}

/// Restricts `zone` to `atoms`; `false` if nothing is left (then the zone may only be overwritten).
#[must_use]
pub fn restrict(zone: &mut Dbm, atoms: &[Atom]) -> bool {
    atoms
        .iter()
        .all(|atom| zone.constrain(atom.left, atom.right, atom.bound))
}

/// The part of `zone` that satisfies `atoms`.
pub fn restricted(zone: &Dbm, atoms: &[Atom]) -> Option<Dbm> {
    let mut part = zone.clone();
    restrict(&mut part, atoms).then_some(part)
}

/// Appends to `out` the points of `zone` that do not satisfy `atoms`, as zones that do not overlap.
pub fn subtract(mut zone: Dbm, atoms: &[Atom], out: &mut Vec<Dbm>) {
    for atom in atoms {
        if zone.bound(atom.left, atom.right) <= atom.bound {
            continue;
        }
        let mut outside = zone.clone();
        if outside.constrain(atom.right, atom.left, atom.bound.complement()) {
            out.push(outside);
        }
        if !zone.constrain(atom.left, atom.right, atom.bound) {
            return;
        }
    }
}

/// Splits each cell into the part where the atoms hold, to which `item` is added, and the rest.
pub fn divided<T: Clone>(cells: Vec<(Vec<T>, Dbm)>, atoms: &[Atom], item: &T) -> Vec<(Vec<T>, Dbm)> {
    let mut divided = Vec::with_capacity(cells.len());
    for (noted, zone) in cells {
        if let Some(inside) = restricted(&zone, atoms) {
            divided.push(([noted.as_slice(), std::slice::from_ref(item)].concat(), inside));
        }
        let mut outside = Vec::new();
        subtract(zone, atoms, &mut outside);
        divided.extend(outside.into_iter().map(|zone| (noted.clone(), zone)));
    }
    divided
}

/// The union of the conjunctions `cases` over clocks of a game of dimension `dim`.
pub fn federation<'a>(dim: usize, cases: impl IntoIterator<Item = &'a [Atom]>) -> Federation {
    let mut union = Federation::empty(dim);
    let universe = Dbm::universe(dim);
    for atoms in cases {
        if let Some(zone) = restricted(&universe, atoms) {
            union.add(zone);
        }
    }
    union
}

/// A minimal set of atoms that describes `zone`.
pub fn atoms_of_zone(zone: &Dbm) -> Vec<Atom> {
    zone.minimal_constraints()
        .into_iter()
        .map(|(left, right, bound)| Atom { left, right, bound })
        .collect()
}

/// The atom as a clock constraint of an automaton, whose clocks `id` names; `None` if it has no clock.
pub fn constraint(atom: &Atom, id: impl Fn(Variable) -> ClockId) -> Option<ClockConstraint> {
    let clock = |clock: Clock| clock.variable().map(&id);
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

/// Sets clocks to the values of `resets`.
pub fn reset_all(zone: &mut Dbm, resets: &[(Variable, i64)]) {
    for (variable, value) in resets {
        zone.reset(*variable, *value);
    }
}

/// Appends to `out` a finite abstraction of `zone` that no game over these constants can distinguish from it: the zone
/// split along every clock difference of the game, each part extrapolated by the largest constants and then restricted
/// again to the differences that it satisfied (Bengtsson and Yi 2003; without differences this is Extra_M^+ of Behrmann et
/// al. 2006).
///
/// Each point of the result equals some point of `zone` on every clock up to its `max`, both exceed it elsewhere, and both
/// satisfy the same differences: a time-abstract bisimulation, so every verdict is preserved.
pub fn normalise(zone: Dbm, diagonals: &[Atom], max: &[i64], out: &mut Vec<Dbm>) {
    let Some((diagonal, rest)) = diagonals.split_first() else {
        let mut zone = zone;
        zone.extrapolate_max(max);
        out.push(zone);
        return;
    };
    let opposite = Atom {
        left: diagonal.right,
        right: diagonal.left,
        bound: diagonal.bound.complement(),
    };
    for side in [*diagonal, opposite] {
        let Some(part) = restricted(&zone, &[side]) else {
            continue;
        };
        let first = out.len();
        normalise(part, rest, max, out);
        for extrapolated in &mut out[first..] {
            let kept = restrict(extrapolated, &[side]);
            assert!(kept, "a zone keeps the part of itself that it was made from");
        }
    }
}

/// Bytes that one zone of dimension `dim` takes, for memory budgets.
pub fn zone_bytes(dim: usize) -> u64 {
    8 * dim as u64 * dim as u64
}
