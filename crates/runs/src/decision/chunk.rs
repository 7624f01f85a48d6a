//! A chunk: consecutive mutants that are named, decided and written together.

use std::ops::Range;

use rayon::prelude::*;

use crate::decision::distinct::{DistinctMutants, VerdictSource};
use crate::decision::extended::NamedSteps;
use crate::decision::families::{FamilyEngine, Workspace};
use crate::decision::judge::{UndecidedMutant, has_start};
use crate::decision::part::{DecisionRequest, MutantChunk, MutantRef, SiblingFamily};
use crate::error::{ExperimentError, Result};
use crate::{Judge, Judgement, Record, Run};
use tamper_game::{self as game, Scratch};
use tamper_timed::mutation::{Fingerprinter, MutantSpace};

/// Largest number of mutants that one thread names, decides or writes at a time.
const LONGEST: usize = 256;

/// Number of parts that a small chunk is divided into.
const N_PARTS: usize = 8;

/// Consecutive mutants of a run. The next chunk reuses the memory of the last one: allocating that much each time would
/// cost more than filling and using it.
#[derive(Default)]
pub(crate) struct Chunk {
    families: Vec<SiblingFamily>,
    /// Parts of `part_len` mutants each; the last one may be shorter.
    parts: Vec<MutantChunk>,
    part_len: usize,
    len: usize,
    /// The source of each mutant's verdict.
    sources: Vec<VerdictSource>,
    /// The verdict on each mutant that is not a duplicate.
    judgements: Vec<Option<Judgement>>,
}

impl Chunk {
    /// Replaces the content by the mutants with these numbers, in order. They are decided in families if `in_families`,
    /// otherwise one by one.
    ///
    /// # Errors
    /// If a number belongs to no mutant.
    pub fn fill(
        &mut self,
        run: Run<'_>,
        fingerprinter: &Fingerprinter,
        in_families: bool,
        numbers: &[u64],
    ) -> Result<()> {
        self.families.clear();
        self.parts.iter_mut().for_each(MutantChunk::clear);
        let (used, places) = places(run.space, numbers);
        let families = used.par_iter().map_init(
            || run.space.locator(),
            |locator, family| Some(SiblingFamily::of(run, locator.siblings(*family)?)),
        );
        let families: Option<Vec<SiblingFamily>> = families.collect();
        let (true, Some(families)) = (places.len() == numbers.len(), families) else {
            return Err(ExperimentError::fewer_mutants());
        };
        let by_family = run.judge.plays_games() && in_families;
        let prints: Vec<_> = families
            .par_iter()
            .map(|family| by_family.then(|| fingerprinter.siblings(family.siblings.parent())))
            .collect();
        self.len = places.len();
        self.part_len = (self.len / N_PARTS).clamp(64, LONGEST);
        self.parts
            .resize_with(self.len.div_ceil(self.part_len), MutantChunk::default);
        let parts = self.parts.par_iter_mut().zip(places.par_chunks(self.part_len));
        let filled = parts.map(|(part, places)| part.fill(run, fingerprinter, &families, &prints, places));
        if filled.any(|filled| filled.is_none()) {
            return Err(ExperimentError::fewer_mutants());
        }
        drop(prints);
        self.families = families;
        Ok(())
    }

    fn mutant(&self, at: usize) -> MutantRef<'_> {
        self.parts[at / self.part_len].mutant(&self.families, at % self.part_len)
    }

    fn mutants(&self) -> impl Iterator<Item = MutantRef<'_>> {
        self.parts.iter().flat_map(|part| part.mutants(&self.families))
    }

    /// The id of the mutant at this position.
    pub fn id(&self, at: usize) -> &str {
        self.mutant(at).id()
    }

    /// Number of mutants.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Finds the source of each verdict.
    pub fn find_sources(&mut self, seen: &mut DistinctMutants) {
        self.sources.clear();
        for part in &self.parts {
            part.find_sources(seen, &mut self.sources);
        }
    }

    /// Decides each mutant that is not a duplicate. Returns the number of symbolic states explored.
    pub fn decide<'f>(&mut self, run: Run<'_>, engine: Option<&'f FamilyEngine<'_>>, kept: &[Record]) -> u64 {
        let mut judgements = std::mem::take(&mut self.judgements);
        judgements.clear();
        judgements.resize_with(self.len, || None);
        let mut rest = &mut judgements[..];
        let mut slices = Vec::new();
        for slice in self.slices() {
            let (own, later) = rest.split_at_mut(slice.len());
            slices.push((slice, own));
            rest = later;
        }
        let sources = &self.sources[..];
        let judge = |space: &mut Workspace<'f>, (slice, judgements): (Range<usize>, &mut [Option<Judgement>])| -> u64 {
            let n_before = space.scratch.n_states;
            let is_open = |at: &usize| matches!(sources[*at], VerdictSource::Own(_)) && *at >= kept.len();
            let siblings = &self.mutant(slice.start).family.siblings;
            let mut family = slice
                .clone()
                .find(is_open)
                .and_then(|_| engine?.family(siblings, space));
            for (at, judgement) in slice.zip(judgements) {
                *judgement = match (sources[at], kept.get(at)) {
                    (VerdictSource::Earlier(_), _) => None,
                    (VerdictSource::Own(_), Some(record)) => Some(judgement_of(record)),
                    (VerdictSource::Own(_), None) => {
                        let family = engine.zip(family.as_mut());
                        Some(judge(run, self.mutant(at).asked(), family, &mut space.scratch))
                    }
                };
            }
            space.scratch.n_states - n_before
        };
        let n_states = slices
            .into_par_iter()
            .with_max_len(1)
            .map_init(Workspace::default, judge)
            .sum();
        self.judgements = judgements;
        n_states
    }

    /// Ranges of consecutive mutants of one family, each short enough for the threads to share the work.
    fn slices(&self) -> Vec<Range<usize>> {
        let mut slices = Vec::new();
        let mut start = 0;
        let mut families = self.parts.iter().flat_map(MutantChunk::families);
        let mut family = families.next();
        for end in 1..=self.len {
            let next = families.next();
            if next != family || end - start == LONGEST {
                slices.push(start..end);
                start = end;
            }
            family = next;
        }
        slices
    }

    /// The verdict on each mutant that is not a duplicate.
    pub fn judgements(&self) -> &[Option<Judgement>] {
        &self.judgements
    }

    /// Tells `seen` the verdicts on the distinct mutants.
    pub fn settle(&self, seen: &mut DistinctMutants) {
        for (mutant, (source, judgement)) in self.mutants().zip(self.sources.iter().zip(&self.judgements)) {
            if let (VerdictSource::Own(Some(number)), Some(judgement)) = (source, judgement) {
                seen.settle(*number, judgement, mutant.violates());
            }
        }
    }

    /// Writes the record of each mutant; all verdicts must be settled.
    ///
    /// # Errors
    /// If a mutant has no verdict.
    pub fn write(&mut self, run: Run<'_>, seen: &DistinctMutants) -> Result<()> {
        let families = &self.families[..];
        let parts = self.parts.par_iter_mut().zip(self.sources.par_chunks(self.part_len));
        let parts = parts.zip(self.judgements.par_chunks(self.part_len));
        parts.try_for_each(|((part, sources), judgements)| part.write(run, seen, families, sources, judgements))
    }

    /// The parts of the chunk, in order.
    pub fn parts(&self) -> &[MutantChunk] {
        &self.parts
    }
}

/// The families of the mutants with these numbers, and the place of each mutant (index of its family in that list, and
/// position within the family), up to the first number that belongs to no mutant.
fn places(space: &MutantSpace, numbers: &[u64]) -> (Vec<u64>, Vec<(usize, u64)>) {
    let mut locator = space.locator();
    let mut families: Vec<u64> = Vec::new();
    let mut places = Vec::with_capacity(numbers.len());
    // Numbers of the last family, cached if consecutive numbers are asked for.
    let mut range = 0..0;
    for (at, number) in numbers.iter().enumerate() {
        if !range.contains(number) {
            let Some((family, position)) = locator.locate(*number) else {
                break;
            };
            if families.last() != Some(&family) {
                families.push(family);
            }
            let goes_on = numbers.get(at + 1) == Some(&(number + 1));
            let whole = goes_on.then(|| locator.family_range(family)).flatten();
            range = whole.unwrap_or(number - position..number + 1);
        }
        places.push((families.len() - 1, number - range.start));
    }
    (families, places)
}

/// Decides a mutant.
pub(crate) fn judge(
    run: Run<'_>,
    mutant: DecisionRequest<'_>,
    family: Option<(&FamilyEngine<'_>, &mut game::Family<'_>)>,
    scratch: &mut Scratch,
) -> Judgement {
    if !run.judge.plays_games() {
        let start = || has_start(&mutant.family.siblings, &mutant.last);
        let first = mutant.family.siblings.steps().is_empty().then_some(&mutant.last);
        return run.judge.by_syntax(mutant.violates(), first, start);
    }
    let steps = NamedSteps {
        shared: mutant.family.rules.is_some(),
        last: mutant.rule.is_some(),
    };
    let mut subject = UndecidedMutant {
        siblings: &mutant.family.siblings,
        last: mutant.last,
        made: mutant.made,
        family,
    };
    run.judge
        .decide(&mut subject, steps, mutant.family.shared.as_ref(), scratch)
}

/// The judgement that an interrupted run recorded.
fn judgement_of(record: &Record) -> Judgement {
    Judgement {
        verdict: record.verdict,
        decided_by: record.decided_by,
        reason: record.reason.clone(),
        witness: record.witness.clone(),
        named: record.why.as_deref().and_then(Judge::reason_of),
        how: None,
    }
}
