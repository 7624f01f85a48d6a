//! Sets of numbers, and the least ones of those that a search has met.

/// A set of numbers, in order.
pub(super) type Set = Box<[u32]>;

/// The numbers in order, without repetitions.
pub(super) fn set_of(mut numbers: Vec<u32>) -> Set {
    numbers.sort_unstable();
    numbers.dedup();
    numbers.into_boxed_slice()
}

/// Whether every member of `small` is one of `large`.
pub(super) fn is_subset(small: &[u32], large: &[u32]) -> bool {
    let mut rest = large;
    small.len() <= large.len()
        && small.iter().all(|member| {
            let at = rest.partition_point(|other| other < member);
            rest = &rest[at..];
            rest.first() == Some(member)
        })
}

/// Sets none of which holds another.
#[derive(Clone, Debug, Default)]
pub(super) struct Antichain {
    /// Each with a bit for every residue of its members modulo 64.
    sets: Vec<(u64, Set)>,
}

impl Antichain {
    /// Whether `set` holds a set that was met before; if not, it is kept and those that hold it are dropped.
    pub fn is_covered(&mut self, set: &Set) -> bool {
        let bits = set.iter().fold(0_u64, |bits, member| bits | 1 << (member % 64));
        let below = |(other_bits, other): &(u64, Set)| other_bits & !bits == 0 && is_subset(other, set);
        if self.sets.iter().any(below) {
            return true;
        }
        self.sets
            .retain(|(other_bits, other)| bits & !other_bits != 0 || !is_subset(set, other));
        self.sets.push((bits, set.clone()));
        false
    }
}
