//! A table of the verdicts on mutants, in memory of a given size, for many threads at once.

use std::sync::Mutex;

use crate::Verdict;
use tamper_timed::mutation::Fingerprint;

/// The verdicts on distinct mutants by their fingerprints.
pub(crate) struct VerdictTable {
    /// Selected by the highest bits of the fingerprint.
    shards: Vec<Mutex<TableShard>>,
    most: usize,
}

/// The state of a mutant that is looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MutantLookup {
    /// New: the caller is the first and settles it.
    First,
    /// Known, but still being decided.
    Open,
    /// Decided: its verdict, and whether it is counted.
    FirstVerdict { verdict: Verdict, is_counted: bool },
    /// New, but there is no room for it.
    Full,
}

/// A hash table with open addressing and linear probing.
#[derive(Default)]
struct TableShard {
    keys: Vec<u128>,
    /// [`EMPTY`], [`OPEN`], or the position of the verdict among all verdicts, counted from 2; and [`COUNTED`].
    states: Vec<u8>,
    n: usize,
}

const EMPTY: u8 = 0;
const OPEN: u8 = 1;
const COUNTED: u8 = 0x80;
const SHARD_BITS: u32 = 10;
const BYTES_PER_SLOT: u64 = 17;

impl VerdictTable {
    /// Number of mutants that fit into `bytes` bytes, even while the table grows.
    pub fn capacity(bytes: u64) -> u64 {
        // Slots are between 3/5 and 4/5 full, except in the shard that is growing.
        (bytes / BYTES_PER_SLOT / 5 * 3).max(1)
    }

    /// An empty table for at most `most` mutants.
    pub fn of_at_most(most: u64) -> Self {
        let n_shards = 1usize << SHARD_BITS;
        // Fingerprints are spread evenly; a few more in one shard than in another do not matter.
        let most = usize::try_from(most >> SHARD_BITS).unwrap_or(usize::MAX / 4);
        Self {
            shards: (0..n_shards).map(|_| Mutex::default()).collect(),
            most: most + most / 8 + 4,
        }
    }

    /// The state of the mutant; after [`MutantLookup::First`] it is open.
    pub fn claim(&self, fingerprint: Fingerprint) -> MutantLookup {
        let mut shard = self.shard(fingerprint);
        let at = match shard.find(fingerprint.bits()) {
            Ok(at) => {
                return match shard.states[at] {
                    OPEN => MutantLookup::Open,
                    state => MutantLookup::FirstVerdict {
                        verdict: Verdict::ALL[usize::from(state & !COUNTED) - 2],
                        is_counted: state & COUNTED != 0,
                    },
                };
            }
            Err(at) => at,
        };
        if shard.n >= self.most {
            return MutantLookup::Full;
        }
        shard.keys[at] = fingerprint.bits();
        shard.states[at] = OPEN;
        shard.n += 1;
        if 5 * shard.n > 4 * shard.keys.len() {
            shard.grow();
        }
        MutantLookup::First
    }

    /// Stores the verdict on a mutant that was claimed.
    pub fn settle(&self, fingerprint: Fingerprint, verdict: Verdict) {
        let mut shard = self.shard(fingerprint);
        let position = Verdict::ALL.iter().position(|known| *known == verdict);
        if let (Ok(at), Some(position)) = (shard.find(fingerprint.bits()), position) {
            shard.states[at] = u8::try_from(position + 2).expect("there are six verdicts");
        }
    }

    /// Counts a mutant with a stored verdict; returns false if it was counted before.
    pub fn count(&self, fingerprint: Fingerprint) -> bool {
        let mut shard = self.shard(fingerprint);
        let Ok(at) = shard.find(fingerprint.bits()) else {
            return false;
        };
        let is_new = shard.states[at] & COUNTED == 0;
        shard.states[at] |= COUNTED;
        is_new
    }

    fn shard(&self, fingerprint: Fingerprint) -> std::sync::MutexGuard<'_, TableShard> {
        #[allow(clippy::cast_possible_truncation, reason = "the highest bits alone")]
        let shard = (fingerprint.bits() >> (128 - SHARD_BITS)) as usize;
        let mut shard = self.shards[shard]
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if shard.keys.is_empty() {
            shard.resize(16);
        }
        shard
    }
}

impl TableShard {
    fn resize(&mut self, length: usize) {
        self.keys = vec![0; length];
        self.states = vec![EMPTY; length];
    }

    /// The slot of the key, or as an error the slot that it would get.
    fn find(&self, key: u128) -> Result<usize, usize> {
        // The bits just below the ones that select the shard, taken as a fraction of the length.
        #[allow(clippy::cast_possible_truncation, reason = "the bits in the middle")]
        let fraction = (key >> (64 - SHARD_BITS)) as u64;
        let home = (u128::from(fraction) * self.keys.len() as u128) >> 64;
        let mut at = usize::try_from(home).expect("below the length");
        loop {
            if self.states[at] == EMPTY {
                return Err(at);
            }
            if self.keys[at] == key {
                return Ok(at);
            }
            at = if at + 1 == self.keys.len() { 0 } else { at + 1 };
        }
    }

    fn grow(&mut self) {
        let length = self.keys.len() + self.keys.len() / 3;
        let (keys, states) = (std::mem::take(&mut self.keys), std::mem::take(&mut self.states));
        self.resize(length);
        for (key, state) in keys.into_iter().zip(states) {
            if state != EMPTY
                && let Err(at) = self.find(key)
            {
                self.keys[at] = key;
                self.states[at] = state;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamper_timed::mutation::{Fingerprinter, MutantSpace, MutationOptions, Order};
    use testing::studies::wfas;

    fn settled(verdict: Verdict, is_counted: bool) -> MutantLookup {
        MutantLookup::FirstVerdict { verdict, is_counted }
    }

    #[test]
    fn each_mutant_is_first_once_and_keeps_its_verdict() {
        let base = wfas();
        let space = MutantSpace::new(&base, &MutationOptions::default(), Order::SECOND).unwrap();
        let fingerprinter = Fingerprinter::new(&base);
        let table = VerdictTable::of_at_most(1 << 20);
        let mut known = std::collections::HashMap::new();
        for family in 0..space.n_families() {
            let siblings = space.siblings(family).unwrap();
            let prints = fingerprinter.siblings(siblings.parent());
            for last in siblings.last().iter() {
                let print = prints.of(&last);
                let verdict = Verdict::ALL[known.len() % 6];
                match known.get(&print) {
                    Some(verdict) => assert_eq!(table.claim(print), settled(*verdict, false)),
                    None => {
                        assert_eq!(table.claim(print), MutantLookup::First);
                        assert_eq!(table.claim(print), MutantLookup::Open);
                        table.settle(print, verdict);
                        known.insert(print, verdict);
                    }
                }
            }
        }
        assert!(known.len() > 5000);
        for (print, verdict) in known {
            assert!(table.count(print));
            assert!(!table.count(print));
            assert_eq!(table.claim(print), settled(verdict, true));
        }
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let base = wfas();
        let space = MutantSpace::new(&base, &MutationOptions::default(), Order::SECOND).unwrap();
        let fingerprinter = Fingerprinter::new(&base);
        let table = VerdictTable::of_at_most(0);
        let full = (0..space.n_families()).flat_map(|family| {
            let siblings = space.siblings(family).unwrap();
            let prints = fingerprinter.siblings(siblings.parent());
            let prints: Vec<_> = siblings.last().iter().map(|last| prints.of(&last)).collect();
            prints.into_iter().map(|print| table.claim(print))
        });
        let claims: Vec<MutantLookup> = full.collect();
        let n = |claim| claims.iter().filter(|found| **found == claim).count();
        assert!(n(MutantLookup::First) > 1000 && n(MutantLookup::First) <= 4 << SHARD_BITS);
        assert!(n(MutantLookup::Full) > 1000);
    }
}
