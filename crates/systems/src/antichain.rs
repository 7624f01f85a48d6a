//! Sets of numbers, and an antichain of the sets that a search has met.

use rustc_hash::FxHashMap;

/// A set of numbers, in order.
pub(super) type NumberSet = Box<[u32]>;

/// The numbers in order, without repetitions.
pub(super) fn set_of(mut numbers: Vec<u32>) -> NumberSet {
    numbers.sort_unstable();
    numbers.dedup();
    numbers.into_boxed_slice()
}

/// Whether `small` is a subset of `large`.
pub(super) fn is_subset(small: &[u32], large: &[u32]) -> bool {
    let mut rest = large;
    small.len() <= large.len()
        && small.iter().all(|member| {
            let at = rest.partition_point(|other| other < member);
            rest = &rest[at..];
            rest.first() == Some(member)
        })
}

/// The minimal sets that a search has met.
#[derive(Clone, Debug, Default)]
pub(super) struct Antichain {
    /// By first member: the sets, each with a bit for every residue of its members modulo 64.
    by_first: FxHashMap<u32, Vec<(u64, NumberSet)>>,
    /// Whether the empty set, a subset of every set, was met.
    has_empty: bool,
}

impl Antichain {
    /// Whether `set` includes a set that was met before. If not, it is kept, and its supersets with the same first
    /// member are dropped.
    pub fn is_covered(&mut self, set: &NumberSet) -> bool {
        if self.has_empty {
            return true;
        }
        let Some(first) = set.first() else {
            self.has_empty = true;
            return false;
        };
        let bits = set.iter().fold(0_u64, |bits, member| bits | 1 << (member % 64));
        let below = |(other_bits, other): &(u64, NumberSet)| other_bits & !bits == 0 && is_subset(other, set);
        // The first member of a subset is a member of this set.
        let mut begun = set.iter().filter_map(|member| self.by_first.get(member));
        if begun.any(|sets| sets.iter().any(below)) {
            return true;
        }
        let alike = self.by_first.entry(*first).or_default();
        alike.retain(|(other_bits, other)| bits & !other_bits != 0 || !is_subset(set, other));
        alike.push((bits, set.clone()));
        false
    }
}
