//! The distinct mutants that a run has seen so far.

use crate::records::verdict::NAMED_EARLIER;
use crate::{DecidedBy, Judgement, Verdict};
use tamper_timed::mutation::Fingerprint;

/// The source of a mutant's verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VerdictSource {
    /// Its own game or rule; with its number among the distinct mutants, if it has a fingerprint.
    Own(Option<u32>),
    /// The distinct mutant of this number, which is the same automaton.
    Earlier(u32),
}

/// The first of each set of equal mutants: the end of its id, its verdict, and the reason that names it.
#[derive(Clone, Copy, Debug)]
struct KnownMutant {
    fingerprint: Fingerprint,
    id_end: usize,
    verdict: Verdict,
    named: Option<ReasonIndex>,
}

/// Position of a reason in [`DistinctMutants::reasons`].
type ReasonIndex = u8;

/// The distinct mutants so far, numbered as they come.
///
/// Every mutant is looked up, in an order without locality for caches. So the table holds only the data needed to find
/// the one entry that is read, and this entry holds all data about a distinct mutant.
#[derive(Debug)]
pub(crate) struct DistinctMutants {
    /// Hash table with open addressing and linear probing; the length is a power of two, at most half of it is in use.
    slots: Vec<FingerprintSlot>,
    known: Vec<KnownMutant>,
    /// The reasons that name mutants.
    reasons: Vec<&'static str>,
    /// The ids of the distinct mutants, one after the other.
    ids: String,
}

/// The number of a distinct mutant, counted from 1 (0 if the slot is empty), and a part of its fingerprint.
#[derive(Clone, Copy, Default, Debug)]
struct FingerprintSlot {
    tag: u32,
    number: u32,
}

impl FingerprintSlot {
    fn of(fingerprint: Fingerprint, number: u32) -> Self {
        #[allow(
            clippy::cast_possible_truncation,
            reason = "the high bits: the low ones say where it is"
        )]
        let tag = (fingerprint.bits() >> 96) as u32;
        Self { tag, number }
    }
}

impl DistinctMutants {
    /// An empty table; `n_mutants` are expected, about half of them distinct.
    pub fn expecting(n_mutants: u64) -> Self {
        const MOST: u64 = 1 << 20;
        let n = usize::try_from((n_mutants / 2).min(MOST)).unwrap_or_default();
        Self {
            slots: vec![FingerprintSlot::default(); (2 * n).next_power_of_two().max(64)],
            known: Vec::with_capacity(n),
            reasons: vec![NAMED_EARLIER],
            ids: String::new(),
        }
    }

    /// For each fingerprint, the distinct mutant that is the same automaton, if it is already known and found at once.
    ///
    /// Each step is done for all mutants without a branch, so that the waits for memory overlap; one by one, these
    /// lookups would take a tenth of a run.
    pub fn foresee(&self, fingerprints: &[Fingerprint]) -> Vec<Option<u32>> {
        let slots = fingerprints
            .iter()
            .map(|fingerprint| self.slots[self.home(*fingerprint)]);
        let slots: Vec<FingerprintSlot> = slots.collect();
        let number = |(fingerprint, slot): (&Fingerprint, &FingerprintSlot)| {
            // In an empty slot this reads the first mutant, whose fingerprint differs.
            let number = slot.number.saturating_sub(1);
            let is_same = self.known.get(number as usize)?.fingerprint == *fingerprint;
            is_same.then_some(number)
        };
        fingerprints.iter().zip(&slots).map(number).collect()
    }

    /// The source of the verdict on the next mutant, given its fingerprint and the result of `foresee`.
    pub fn source(&mut self, fingerprint: Fingerprint, foreseen: Option<u32>, id: &str) -> VerdictSource {
        if let Some(number) = foreseen {
            return VerdictSource::Earlier(number);
        }
        let at = match self.find(fingerprint) {
            Ok(number) => return VerdictSource::Earlier(number),
            Err(at) => at,
        };
        let Ok(number) = u32::try_from(self.known.len() + 1) else {
            // Beyond 2^32 distinct mutants, each is decided separately.
            return VerdictSource::Own(None);
        };
        self.ids.push_str(id);
        // The verdict is settled before it is read.
        self.known.push(KnownMutant {
            fingerprint,
            id_end: self.ids.len(),
            verdict: Verdict::Unknown,
            named: None,
        });
        self.slots[at] = FingerprintSlot::of(fingerprint, number);
        if 2 * self.known.len() > self.slots.len() {
            self.grow();
        }
        VerdictSource::Own(Some(number - 1))
    }

    /// The slot at which the search for a fingerprint starts.
    fn home(&self, fingerprint: Fingerprint) -> usize {
        #[allow(clippy::cast_possible_truncation, reason = "any bits will do")]
        let bits = fingerprint.bits() as usize;
        bits & (self.slots.len() - 1)
    }

    /// The number of the mutant with this fingerprint, or the slot that it would get.
    fn find(&self, fingerprint: Fingerprint) -> Result<u32, usize> {
        let tag = FingerprintSlot::of(fingerprint, 0).tag;
        let mask = self.slots.len() - 1;
        let mut at = self.home(fingerprint);
        loop {
            let slot = self.slots[at];
            let Some(number) = slot.number.checked_sub(1) else {
                return Err(at);
            };
            if slot.tag == tag && self.known[number as usize].fingerprint == fingerprint {
                return Ok(number);
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let length = 2 * self.slots.len();
        self.slots.clear();
        self.slots.resize(length, FingerprintSlot::default());
        for (number, known) in (1..).zip(&self.known) {
            if let Err(at) = self.find(known.fingerprint) {
                self.slots[at] = FingerprintSlot::of(known.fingerprint, number);
            }
        }
    }

    /// Stores the verdict on a distinct mutant, and the reason that names it.
    pub fn settle(&mut self, number: u32, judgement: &Judgement, violates: bool) {
        let named = judgement.named.or(violates.then_some(NAMED_EARLIER));
        let named = named.map(|named| self.reason(named));
        let known = &mut self.known[number as usize];
        known.verdict = judgement.verdict;
        known.named = named;
    }

    /// The position of a reason, which is added if it is new. There are only a few.
    fn reason(&mut self, named: &'static str) -> ReasonIndex {
        let position = self.reasons.iter().position(|reason| *reason == named);
        let position = position.unwrap_or_else(|| {
            self.reasons.push(named);
            self.reasons.len() - 1
        });
        ReasonIndex::try_from(position).expect("fewer than 256 reasons name mutants")
    }

    /// The judgement that equal mutants inherit.
    pub fn inherited(&self, number: u32) -> Judgement {
        let known = self.known[number as usize];
        Judgement {
            verdict: known.verdict,
            decided_by: DecidedBy::Duplicate,
            reason: None,
            witness: None,
            named: known.named.map(|reason| self.reasons[usize::from(reason)]),
            how: None,
        }
    }

    /// The ids of distinct mutants, in one text, and the end of each. They are far apart in memory, so they are read
    /// together, as in [`Self::foresee`].
    pub fn ids(&self, numbers: impl Iterator<Item = u32>) -> (String, Vec<usize>) {
        let (mut ids, mut ends) = (String::new(), Vec::new());
        for number in numbers {
            let at = number as usize;
            let start = at.checked_sub(1).map_or(0, |before| self.known[before].id_end);
            ids.push_str(&self.ids[start..self.known[at].id_end]);
            ends.push(ids.len());
        }
        (ids, ends)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use tamper_timed::mutation::{Fingerprinter, MutantSpace, MutationOptions, Order};
    use testing::studies::wfas;

    /// Starts with a table that is too small, since the expected number is only a hint.
    #[test]
    fn the_first_of_equal_mutants_is_found_however_many_are_asked_about_at_once() {
        let base = wfas();
        let space = MutantSpace::new(&base, &MutationOptions::default(), Order::SECOND).unwrap();
        let fingerprinter = Fingerprinter::new(&base);
        let mut mutants = Vec::new();
        for family in 0..space.n_families() {
            let siblings = space.siblings(family).unwrap();
            let prints = fingerprinter.siblings(siblings.parent());
            mutants.extend(siblings.last().iter().map(|last| (prints.of(&last), siblings.id(last))));
        }
        for at_once in [1, 100, 20_000] {
            let mut seen = DistinctMutants::expecting(10);
            let mut firsts = BTreeMap::new();
            let mut sources = Vec::new();
            for some in mutants.chunks(at_once) {
                let fingerprints: Vec<_> = some.iter().map(|(fingerprint, _)| *fingerprint).collect();
                let foreseen = seen.foresee(&fingerprints);
                for ((fingerprint, id), foreseen) in some.iter().zip(foreseen) {
                    sources.push(seen.source(*fingerprint, foreseen, id));
                }
            }
            for (source, (fingerprint, id)) in sources.iter().zip(&mutants) {
                let next = u32::try_from(firsts.len()).unwrap();
                match firsts.get(fingerprint) {
                    None => {
                        assert_eq!(*source, VerdictSource::Own(Some(next)), "{id}");
                        firsts.insert(*fingerprint, (next, id));
                    }
                    Some((number, _)) => assert_eq!(*source, VerdictSource::Earlier(*number), "{id}"),
                }
            }
            assert!(firsts.len() > 5000 && firsts.len() < mutants.len());
            let mut ids = Vec::from_iter(firsts.into_values());
            ids.sort_unstable();
            let (text, ends) = seen.ids(ids.iter().rev().map(|(number, _)| *number));
            let mut start = 0;
            for ((_, id), end) in ids.iter().rev().zip(ends) {
                assert_eq!(text[start..end], ***id);
                start = end;
            }
        }
    }

    #[test]
    fn equal_mutants_inherit_the_verdict_and_what_names_it() {
        let mut seen = DistinctMutants::expecting(0);
        let fingerprint = Fingerprinter::new(&wfas()).fingerprint(&wfas());
        assert_eq!(seen.source(fingerprint, None, "a"), VerdictSource::Own(Some(0)));
        for (named, violates, inherited) in [
            (None, false, None),
            (Some("dead guard"), false, Some("dead guard")),
            (None, true, Some(NAMED_EARLIER)),
            (Some("dead guard"), true, Some("dead guard")),
        ] {
            let judgement = Judgement {
                verdict: Verdict::Inconsistent,
                decided_by: DecidedBy::Rule,
                reason: None,
                witness: None,
                named,
                how: None,
            };
            seen.settle(0, &judgement, violates);
            let expected = Judgement {
                decided_by: DecidedBy::Duplicate,
                named: inherited,
                ..judgement
            };
            assert_eq!(seen.inherited(0), expected);
        }
    }
}
