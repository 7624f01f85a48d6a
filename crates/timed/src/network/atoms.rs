//! Conjunctions of bounds on clocks and clock differences.

use tamper_zones::{Bound, Clock, Dbm};

/// `left - right` below the bound; clock 0 is the reference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct DifferenceConstraint {
    pub left: Clock,
    pub right: Clock,
    pub bound: Bound,
}

impl DifferenceConstraint {
    /// The atom that holds exactly where this one does not.
    pub fn negated(self) -> Self {
        Self {
            left: self.right,
            right: self.left,
            bound: self.bound.complement(),
        }
    }
}

/// A conjunction of atoms: sorted, at most one per pair of clocks, without atoms that always hold.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct Atoms(Vec<DifferenceConstraint>);

impl Atoms {
    /// The atoms.
    pub fn as_slice(&self) -> &[DifferenceConstraint] {
        &self.0
    }
    /// Whether it always holds.
    pub fn is_trivial(&self) -> bool {
        self.0.is_empty()
    }
    /// The conjunction with one more atom; `None` if two atoms contradict each other.
    pub fn and(&self, atom: DifferenceConstraint) -> Option<Self> {
        let DifferenceConstraint { left, right, bound } = atom;
        if left == right {
            return (bound >= Bound::LE_ZERO).then(|| self.clone());
        }
        // Clocks are not negative.
        if left == Clock::ZERO && bound >= Bound::LE_ZERO {
            return Some(self.clone());
        }
        let back = self.bound(right, left);
        if back.plus(bound) < Bound::LE_ZERO || (right == Clock::ZERO && bound < Bound::LE_ZERO) {
            return None;
        }
        let mut list = self.0.clone();
        match list.binary_search_by_key(&(left, right), |known| (known.left, known.right)) {
            Ok(at) => list[at].bound = list[at].bound.min(bound),
            Err(at) => list.insert(at, atom),
        }
        Some(Self(list))
    }
    /// The conjunction of both; `None` if two atoms contradict each other.
    pub fn and_all(&self, other: &Self) -> Option<Self> {
        other.0.iter().try_fold(self.clone(), |all, atom| all.and(*atom))
    }
    fn bound(&self, left: Clock, right: Clock) -> Bound {
        let at = self
            .0
            .binary_search_by_key(&(left, right), |known| (known.left, known.right));
        at.map_or(Bound::INFINITY, |at| self.0[at].bound)
    }
    /// Restricts `zone`; `false` when nothing is left (then the zone may only be overwritten).
    #[must_use]
    pub fn restrict(&self, zone: &mut Dbm) -> bool {
        self.0
            .iter()
            .all(|atom| zone.constrain(atom.left, atom.right, atom.bound))
    }
    /// Whether each atom alone holds somewhere in `zone`; if one does not, neither does the conjunction.
    pub fn may_hold_in(&self, zone: &Dbm) -> bool {
        let meets = |atom: &DifferenceConstraint| zone.bound(atom.right, atom.left).plus(atom.bound) >= Bound::LE_ZERO;
        self.0.iter().all(meets)
    }
    /// The condition before `resets` (clock positions and values) under which this holds after them.
    pub fn before(&self, resets: &[(u32, i64)]) -> Option<Self> {
        let value = |clock: Clock| {
            let reset = resets.iter().find(|(reset, _)| *reset as usize + 1 == clock.index());
            reset.map(|(_, value)| *value)
        };
        self.0.iter().try_fold(Self::default(), |all, atom| {
            let DifferenceConstraint {
                mut left,
                mut right,
                mut bound,
            } = *atom;
            if let Some(value) = value(left) {
                (left, bound) = (Clock::ZERO, bound.plus(Bound::le(-value)));
            }
            if let Some(value) = value(right) {
                (right, bound) = (Clock::ZERO, bound.plus(Bound::le(value)));
            }
            all.and(DifferenceConstraint { left, right, bound })
        })
    }
    /// The points of this conjunction outside `other`, as conjunctions that do not overlap.
    pub fn minus(&self, other: &Self) -> Vec<Self> {
        let mut outside = Vec::new();
        let mut rest = self.clone();
        for atom in &other.0 {
            outside.extend(rest.and(atom.negated()));
            match rest.and(*atom) {
                Some(inside) => rest = inside,
                None => return outside,
            }
        }
        outside
    }
}

/// The points of `parts` outside all of `others`.
pub(super) fn minus_all<'a>(parts: Vec<Atoms>, others: impl IntoIterator<Item = &'a Atoms>) -> Vec<Atoms> {
    others.into_iter().fold(parts, |parts, other| {
        let rest = parts.iter().flat_map(|part| part.minus(other));
        rest.collect()
    })
}

/// The same points as disjoint conjunctions; `None` if these are more than `most`.
pub(super) fn disjoint(parts: Vec<Atoms>, most: usize) -> Option<Vec<Atoms>> {
    let mut list: Vec<Atoms> = Vec::new();
    for part in parts {
        let mut new = vec![part];
        for other in &list {
            new = new.iter().flat_map(|part| part.minus(other)).collect();
            if new.len() > most {
                return None;
            }
        }
        list.extend(new);
        if list.len() > most {
            return None;
        }
    }
    Some(list)
}
