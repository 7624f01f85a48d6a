//! Synchronisations on urgent channels that depend on clocks.
//!
//! Time stands where one is enabled: at the clock values U of a discrete state. If each of the conditions that make U is about
//! one clock, the values outside U are a product of intervals, one per clock, that end where U begins. So the state becomes
//! parts: each piece of U, in which time stands, and each product P outside, in which time passes as long as the closure of P
//! allows. A run is in the part in which the state was entered, which its values determine. In P time ends where a value reaches
//! the end b of its interval: just there (if b is in U) or just afterwards (if it is not) time stands, so that no more time
//! passes, and at b the steps are those of the state. Conditions on several clocks at once are refused: where time reaches U then
//! depends on the difference of the clocks.

use super::atoms::{Atoms, DifferenceConstraint, disjoint, minus_all};
use super::{Network, Sync};
use tamper_zones::{Bound, Clock};

/// A part of the clock values of a discrete state.
#[derive(Clone, Default, Debug)]
pub(super) struct StatePart {
    /// The values with which it is entered.
    pub entry: Atoms,
    /// The values until which time passes.
    pub until: Atoms,
    /// Whether time stands.
    pub stands: bool,
}

/// Most parts of a state.
const MOST_PARTS: usize = 256;

/// The parts of a state in which synchronisations on urgent channels are enabled under these `conditions`; `None` if one is
/// about several clocks, or there are too many parts.
pub(super) fn parts(conditions: Vec<Atoms>) -> Option<Vec<StatePart>> {
    if conditions.is_empty() || conditions.iter().any(Atoms::is_trivial) {
        let stands = !conditions.is_empty();
        return Some(vec![StatePart {
            stands,
            ..StatePart::default()
        }]);
    }
    if conditions.len() > MOST_PARTS || !conditions.iter().all(is_about_one_clock) {
        return None;
    }
    let mut free = vec![Atoms::default()];
    for condition in &conditions {
        free = minus_all(free, [condition]);
        if free.len() > MOST_PARTS {
            return None;
        }
    }
    let passing = free.into_iter().map(|entry| StatePart {
        until: closed_above(&entry),
        entry,
        stands: false,
    });
    let standing = disjoint(conditions, MOST_PARTS)?.into_iter().map(|entry| StatePart {
        entry,
        until: Atoms::default(),
        stands: true,
    });
    Some(passing.chain(standing).collect())
}

fn is_about_one_clock(condition: &Atoms) -> bool {
    let clock = |atom: &DifferenceConstraint| atom.left.max(atom.right);
    let mut atoms = condition.as_slice().iter();
    let first = condition.as_slice().first().map(clock);
    atoms.all(|atom| Some(clock(atom)) == first && atom.left.min(atom.right) == Clock::ZERO)
}

/// The upper bounds of the conjunction, with their ends.
fn closed_above(part: &Atoms) -> Atoms {
    let upper = part.as_slice().iter().filter(|atom| atom.right == Clock::ZERO);
    let mut closed = upper.map(|atom| DifferenceConstraint {
        bound: Bound::le(atom.bound.constant()),
        ..*atom
    });
    let all = closed.try_fold(Atoms::default(), |all, atom| all.and(atom));
    all.expect("a larger bound does not contradict others")
}

impl Network {
    /// Whether a synchronisation on an urgent channel may depend on clocks.
    pub(super) fn has_timed_urgency(&self) -> bool {
        let is_urgent = |sync: &Sync| self.channels[sync.channel.range()].iter().any(|one| one.urgent);
        let mut edges = self.processes.iter().flat_map(|process| &process.edges);
        edges.any(|edge| {
            let mut has_clock = false;
            edge.guard.atoms(&mut |_, _, _| has_clock = true);
            has_clock && edge.sync.as_ref().is_some_and(is_urgent)
        })
    }
}
