//! From an id back to the mutant.

use crate::mutation::MutantSpace;

/// The number of the mutant of `space` with that id. Linear in the number of mutations of the automaton.
pub fn find_mutant(space: &MutantSpace, id: &str) -> Option<u64> {
    (0..space.n_families()).find_map(|family| {
        // At order 2 an id starts with that of the shared mutation; only then the family is made.
        let siblings = space.siblings(family)?;
        if let Some(first) = siblings.prefix()
            && !id.starts_with(&first.id(space.base()))
        {
            return None;
        }
        let mut lasts = (siblings.start()..).zip(siblings.last().iter());
        lasts
            .find(|(_, last)| siblings.id(*last) == id)
            .map(|(number, _)| number)
    })
}
