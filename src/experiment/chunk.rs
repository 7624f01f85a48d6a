//! Some consecutive mutants on their way.

use std::ops::Range;

use anyhow::{Result, bail};
use rayon::prelude::*;
use smallvec::SmallVec;

use super::extended::{Shared, Steps};
use super::families::{FamilyEngine, Workspace};
use super::judge::Subject;
use super::lines::{Line, Lines};
use super::seen::{Seen, Source};
use super::{Judge, Judgement, Log, Record, Run};
use crate::game::{self, Scratch};
use crate::guidelines::Rule;
use crate::model::Automaton;
use crate::mutation::{Fingerprint, Fingerprinter, Mutation, Siblings};

/// A family of siblings and the rule that names its shared mutation.
struct Family {
    siblings: Siblings,
    /// The rule that names each shared mutation.
    rules: SmallVec<[Option<Rule>; 2]>,
    /// For the extended guidelines, from order 2 on.
    shared: Option<Shared>,
}

impl Family {
    /// Whether guidelines name all shared mutations.
    fn is_named(&self) -> bool {
        self.rules.iter().all(Option::is_some)
    }
}

/// A mutant on its way.
struct Candidate {
    /// The position of its family in the chunk.
    family: usize,
    last: Mutation,
    id: String,
    /// The rule that names its last mutation.
    rule: Option<Rule>,
    /// Its fingerprint, when games are played.
    fingerprint: Option<Fingerprint>,
    /// The automaton, when mutants are decided on their own.
    made: Option<Automaton>,
}

/// Consecutive mutants of a run.
pub(super) struct Chunk {
    families: Vec<Family>,
    mutants: Vec<Candidate>,
}

impl Chunk {
    pub fn make(run: Run<'_>, fingerprinter: &Fingerprinter, in_families: bool, numbers: &[u64]) -> Self {
        let mut locator = run.space.locator();
        let places: Vec<_> = numbers.iter().filter_map(|number| locator.locate(*number)).collect();
        let mut used: Vec<u64> = places.iter().map(|(family, _)| *family).collect();
        used.dedup();
        let families: Vec<Family> = used
            .par_iter()
            .map_init(
                || run.space.locator(),
                |locator, family| {
                    let siblings = locator.siblings(*family)?;
                    let steps = siblings.steps().iter();
                    let rules: SmallVec<_> = steps.map(|(game, mutation)| (run.rules)(game, mutation)).collect();
                    let shared = (!rules.is_empty())
                        .then(|| run.judge.shared(siblings.parent()))
                        .flatten();
                    Some(Family {
                        siblings,
                        rules,
                        shared,
                    })
                },
            )
            .flatten_iter()
            .collect();
        let plays = run.judge.plays_games();
        let prints: Vec<_> = families
            .par_iter()
            .map(|family| (plays && in_families).then(|| fingerprinter.siblings(family.siblings.parent())))
            .collect();
        let candidate = |(family, position): &(u64, u64)| {
            let at = used.binary_search(family).ok()?;
            let family = families.get(at)?;
            let last = family.siblings.last().get(*position)?;
            let made = (plays && !in_families).then(|| family.siblings.mutant(last));
            let fingerprint = match (&made, &prints[at]) {
                (Some(mutant), _) => Some(fingerprinter.fingerprint(mutant)),
                (None, Some(prints)) => Some(prints.of(&last)),
                (None, None) => None,
            };
            Some(Candidate {
                family: at,
                last,
                id: family.siblings.id(last),
                rule: (run.rules)(family.siblings.parent(), &last),
                fingerprint,
                made,
            })
        };
        let mutants = places.par_iter().with_min_len(64).filter_map(candidate).collect();
        Self { families, mutants }
    }

    /// The records that an interrupted run left for the first mutants of the chunk.
    pub fn kept(&self, log: &mut Log) -> Result<Vec<Record>> {
        let mut kept = Vec::new();
        for candidate in &self.mutants {
            let Some(record) = log.next_kept()? else { break };
            if record.id != candidate.id {
                bail!(
                    "the records hold {} where this run has {}: start anew without --resume",
                    record.id,
                    candidate.id
                );
            }
            kept.push(record);
        }
        Ok(kept)
    }

    /// The verdict of each mutant that is not a duplicate, and how many symbolic states were explored.
    pub fn decide<'f>(
        &self,
        run: Run<'_>,
        engine: Option<&'f FamilyEngine<'_>>,
        sources: &[Source],
        kept: &[Record],
    ) -> (Vec<Option<Judgement>>, u64) {
        let slices = self.slices();
        let judgements = |space: &mut Workspace<'f>, slice: Range<usize>| -> (Vec<Option<Judgement>>, u64) {
            let n_before = space.scratch.n_states;
            let is_open = |at: &usize| matches!(sources[*at], Source::Own(_)) && *at >= kept.len();
            let siblings = &self.families[self.mutants[slice.start].family].siblings;
            let mut family = slice
                .clone()
                .find(is_open)
                .and_then(|_| engine?.family(siblings, space));
            let judgement = |at: usize| {
                if let Source::Earlier(_) = sources[at] {
                    return None;
                }
                Some(match kept.get(at) {
                    Some(record) => judgement_of(record),
                    None => self.judge(run, at, engine.zip(family.as_mut()), &mut space.scratch),
                })
            };
            let judgements = slice.map(judgement).collect();
            (judgements, space.scratch.n_states - n_before)
        };
        let slices = slices.into_par_iter().map_init(Workspace::default, judgements);
        let slices: Vec<_> = slices.collect();
        let n_states = slices.iter().map(|(_, n_states)| n_states).sum();
        let judgements = slices.into_iter().flat_map(|(judgements, _)| judgements);
        (judgements.collect(), n_states)
    }

    fn judge<'f>(
        &self,
        run: Run<'_>,
        at: usize,
        family: Option<(&FamilyEngine<'_>, &mut game::Family<'f>)>,
        scratch: &mut Scratch,
    ) -> Judgement {
        let candidate = &self.mutants[at];
        let family_of = &self.families[candidate.family];
        let steps = Steps {
            shared: family_of.is_named(),
            last: candidate.rule.is_some(),
        };
        if !run.judge.plays_games() {
            return run.judge.by_rule_only(self.violates(at));
        }
        let mut subject = Subject {
            siblings: &family_of.siblings,
            last: candidate.last,
            made: candidate.made.as_ref(),
            family,
        };
        run.judge
            .decide(&mut subject, steps, family_of.shared.as_ref(), scratch)
    }

    /// Runs of mutants of one family, none too long for the threads to share the work.
    fn slices(&self) -> Vec<Range<usize>> {
        const LONGEST: usize = 256;
        let mut slices = Vec::new();
        let mut start = 0;
        for end in 1..=self.mutants.len() {
            let goes_on = end < self.mutants.len() && self.mutants[end].family == self.mutants[start].family;
            if !goes_on || end - start == LONGEST {
                slices.push(start..end);
                start = end;
            }
        }
        slices
    }

    /// Whether guidelines name all mutations of the mutant at `at`.
    pub fn violates(&self, at: usize) -> bool {
        let candidate = &self.mutants[at];
        candidate.rule.is_some() && self.families[candidate.family].is_named()
    }

    /// Where each verdict comes from.
    pub fn sources(&self, seen: &mut Seen) -> Vec<Source> {
        let source = |candidate: &Candidate| seen.source(candidate.fingerprint, &candidate.id);
        self.mutants.iter().map(source).collect()
    }

    /// The records as they are written.
    pub fn lines<'c>(
        &'c self,
        run: Run<'_>,
        seen: &Seen,
        sources: &[Source],
        judgements: &[Option<Judgement>],
    ) -> Result<Lines<'c>> {
        const SLICE: usize = 256;
        let slices: Vec<Range<usize>> = (0..self.mutants.len())
            .step_by(SLICE)
            .map(|start| start..self.mutants.len().min(start + SLICE))
            .collect();
        let written = slices.into_par_iter().map(|slice| -> Result<Lines<'c>> {
            let mut lines = Lines::default();
            for at in slice {
                let inherited;
                let (judgement, duplicate_of) = match (&judgements[at], sources[at]) {
                    (None, Source::Earlier(first)) => {
                        inherited = seen.inherited(first);
                        (&inherited, Some(seen.id(first)))
                    }
                    (Some(judgement), _) => (judgement, None),
                    (None, _) => bail!("no verdict on {}", self.mutants[at].id),
                };
                lines.push(self.line(run, at, (judgement, duplicate_of)))?;
            }
            Ok(lines)
        });
        let written = written.collect::<Result<Vec<_>>>()?;
        Ok(Lines::joined(written))
    }

    fn line<'c, 'j>(
        &'c self,
        run: Run<'_>,
        at: usize,
        (judgement, duplicate_of): (&'j Judgement, Option<&'j str>),
    ) -> (&'c str, Line<'j>) {
        let candidate = &self.mutants[at];
        let Family { siblings, rules, .. } = &self.families[candidate.family];
        let violates = self.violates(at);
        let rules = rules.iter().copied().chain([candidate.rule]).flatten();
        let mutations = siblings.prefix().chain([candidate.last]);
        let line = Line {
            operators: mutations.map(|mutation| mutation.operator()).collect(),
            rules: rules.filter(|_| violates).collect(),
            why: run.judge.why(judgement, violates),
            judgement,
            duplicate_of,
        };
        (&candidate.id, line)
    }
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
