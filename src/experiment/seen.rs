//! The distinct mutants of a run so far.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::judge::NAMED_EARLIER;
use super::{DecidedBy, Judgement, Verdict};
use crate::mutation::Fingerprint;

/// Where a mutant's verdict comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// Its own game or rule; the number among the distinct mutants, if it has a fingerprint.
    Own(Option<u32>),
    /// The distinct mutant of that number, which is the same automaton.
    Earlier(u32),
}

/// Of the first of each set of equal mutants: where its id ends, the verdict and what names it.
#[derive(Clone, Copy, Debug)]
struct Known {
    id_end: usize,
    verdict: Verdict,
    named: Option<&'static str>,
}

/// The distinct mutants so far, numbered as they come.
#[derive(Debug, Default)]
pub(super) struct Seen {
    numbers: FxHashMap<Fingerprint, u32>,
    known: Vec<Known>,
    /// Their ids, one after the other.
    ids: String,
}

impl Seen {
    /// None yet; `n_mutants` are expected, of which about half will be distinct.
    pub fn expecting(n_mutants: u64) -> Self {
        const MOST: u64 = 1 << 20;
        let n = usize::try_from((n_mutants / 2).min(MOST)).unwrap_or_default();
        let mut seen = Self::default();
        seen.numbers.reserve(n);
        seen.known.reserve(n);
        seen
    }

    /// Where the verdict on the next mutant comes from.
    pub fn source(&mut self, fingerprint: Option<Fingerprint>, id: &str) -> Source {
        let Some(fingerprint) = fingerprint else {
            return Source::Own(None);
        };
        let Ok(next) = u32::try_from(self.known.len()) else {
            // Beyond 2^32 distinct mutants each is decided on its own.
            return Source::Own(None);
        };
        match self.numbers.entry(fingerprint) {
            Entry::Occupied(entry) => Source::Earlier(*entry.get()),
            Entry::Vacant(entry) => {
                entry.insert(next);
                self.ids.push_str(id);
                // The verdict is settled before anyone reads it.
                self.known.push(Known {
                    id_end: self.ids.len(),
                    verdict: Verdict::Unknown,
                    named: None,
                });
                Source::Own(Some(next))
            }
        }
    }

    /// Keeps the verdicts of the distinct ones.
    pub fn settle(&mut self, sources: &[Source], judgements: &[Option<Judgement>], violates: impl Fn(usize) -> bool) {
        for (at, (source, judgement)) in sources.iter().zip(judgements).enumerate() {
            if let (Source::Own(Some(number)), Some(judgement)) = (source, judgement) {
                let known = &mut self.known[*number as usize];
                known.verdict = judgement.verdict;
                known.named = judgement.named.or_else(|| violates(at).then_some(NAMED_EARLIER));
            }
        }
    }

    /// The judgement that equal mutants inherit.
    pub fn inherited(&self, number: u32) -> Judgement {
        let known = self.known[number as usize];
        Judgement {
            verdict: known.verdict,
            decided_by: DecidedBy::Duplicate,
            reason: None,
            witness: None,
            named: known.named,
            how: None,
        }
    }

    /// The id of a distinct mutant.
    pub fn id(&self, number: u32) -> &str {
        let at = number as usize;
        let start = if at == 0 { 0 } else { self.known[at - 1].id_end };
        &self.ids[start..self.known[at].id_end]
    }
}
