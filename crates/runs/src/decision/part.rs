//! A part of a chunk: consecutive mutants and their records.

use smallvec::SmallVec;

use crate::decision::distinct::{DistinctMutants, VerdictSource};
use crate::decision::extended::SharedMutationFacts;
use crate::error::{ExperimentError, Result};
use crate::records::lines::{RecordContent, RecordLines};
use crate::{Facts, Judgement, Run};
use tamper_timed::guidelines::Rule;
use tamper_timed::model::Automaton;
use tamper_timed::mutation::{AppliedOperator, Fingerprint, Fingerprinter, Mutation, SiblingFingerprints, Siblings};

/// A family of siblings, and the rules that name its shared mutations.
pub(crate) struct SiblingFamily {
    pub siblings: Siblings,
    /// The operators of its shared mutations.
    operators: SmallVec<[AppliedOperator; 2]>,
    /// The rules that name its shared mutations, if guidelines name all of them.
    pub rules: Option<SmallVec<[Rule; 2]>>,
    /// Facts for the extended guidelines, from order 2 on.
    pub shared: Option<SharedMutationFacts>,
}

impl SiblingFamily {
    pub fn of(run: Run<'_>, siblings: Siblings) -> Self {
        let steps = siblings.steps();
        let rules = steps.iter().map(|(game, mutation)| (run.rules)(game, mutation));
        let extended = || run.judge.shared(siblings.parent());
        Self {
            operators: steps.iter().map(|(_, mutation)| mutation.applied()).collect(),
            rules: rules.collect(),
            shared: (!steps.is_empty()).then(extended).flatten(),
            siblings,
        }
    }
}

impl SiblingFamily {
    /// The operators of the shared mutations.
    pub fn operators(&self) -> &[AppliedOperator] {
        &self.operators
    }
}

/// A mutant to be decided.
#[derive(Clone, Copy)]
pub(crate) struct DecisionRequest<'c> {
    pub family: &'c SiblingFamily,
    pub last: Mutation,
    /// The rule that names its last mutation.
    pub rule: Option<Rule>,
    /// The automaton, if it was already made.
    pub made: Option<&'c Automaton>,
}

impl DecisionRequest<'_> {
    /// Whether guidelines name all its mutations.
    pub fn violates(&self) -> bool {
        self.rule.is_some() && self.family.rules.is_some()
    }
}

/// A mutant of a part, as stored.
struct StoredMutant {
    /// Position of its family in the chunk.
    family: usize,
    last: Mutation,
    /// The rule that names its last mutation.
    rule: Option<Rule>,
    /// End of its id in the text of all ids.
    id_end: usize,
}

/// Consecutive mutants. Bulky data is stored in one piece for all of them.
#[derive(Default)]
pub(crate) struct MutantChunk {
    candidates: Vec<StoredMutant>,
    /// The ids, one after the other.
    ids: String,
    /// The fingerprints, if games are played.
    fingerprints: Vec<Fingerprint>,
    /// The automata, if mutants are decided separately.
    made: Vec<Automaton>,
    /// The records, once they are written.
    lines: RecordLines,
}

/// A mutant of a part.
#[derive(Clone, Copy)]
pub(crate) struct MutantRef<'c> {
    part: &'c MutantChunk,
    at: usize,
    pub family: &'c SiblingFamily,
    pub last: Mutation,
    /// The rule that names its last mutation.
    pub rule: Option<Rule>,
}

impl<'c> MutantRef<'c> {
    pub fn id(&self) -> &'c str {
        self.part.id(self.at)
    }
    /// The mutant as a question to the judge; with its automaton if mutants are decided separately.
    pub fn asked(&self) -> DecisionRequest<'c> {
        DecisionRequest {
            family: self.family,
            last: self.last,
            rule: self.rule,
            made: self.part.made.get(self.at),
        }
    }
    /// Whether guidelines name all its mutations.
    pub fn violates(&self) -> bool {
        self.asked().violates()
    }
}

impl MutantChunk {
    /// Removes all mutants, and keeps the memory for the next ones.
    pub fn clear(&mut self) {
        self.candidates.clear();
        self.ids.clear();
        self.fingerprints.clear();
        self.made.clear();
        self.lines.clear();
    }

    /// Fills the cleared part with the mutants at these places (index of the family, position within it); `None` if a
    /// place has no mutant. Mutants of families without `prints` are made, if games are played.
    pub fn fill(
        &mut self,
        run: Run<'_>,
        fingerprinter: &Fingerprinter,
        families: &[SiblingFamily],
        prints: &[Option<SiblingFingerprints<'_>>],
        places: &[(usize, u64)],
    ) -> Option<()> {
        for (family, position) in places {
            let siblings = &families[*family].siblings;
            let last = siblings.last().get(*position)?;
            siblings.push_id(last, &mut self.ids);
            self.candidates.push(StoredMutant {
                family: *family,
                last,
                rule: (run.rules)(siblings.parent(), &last),
                id_end: self.ids.len(),
            });
            if let Some(prints) = &prints[*family] {
                self.fingerprints.push(prints.of(&last));
            } else if run.judge.plays_games() {
                let mutant = siblings.mutant(last);
                self.fingerprints.push(fingerprinter.fingerprint(&mutant));
                self.made.push(mutant);
            }
        }
        Some(())
    }

    /// The mutant at position `at`.
    pub fn mutant<'c>(&'c self, families: &'c [SiblingFamily], at: usize) -> MutantRef<'c> {
        let candidate = &self.candidates[at];
        MutantRef {
            part: self,
            at,
            family: &families[candidate.family],
            last: candidate.last,
            rule: candidate.rule,
        }
    }

    /// All mutants of the part.
    pub fn mutants<'c>(&'c self, families: &'c [SiblingFamily]) -> impl Iterator<Item = MutantRef<'c>> {
        (0..self.candidates.len()).map(|at| self.mutant(families, at))
    }

    /// The positions of the mutants' families.
    pub fn families(&self) -> impl Iterator<Item = usize> {
        self.candidates.iter().map(|candidate| candidate.family)
    }

    /// Appends the sources of the mutants' verdicts.
    pub fn find_sources(&self, seen: &mut DistinctMutants, sources: &mut Vec<VerdictSource>) {
        if self.fingerprints.is_empty() {
            sources.extend(self.candidates.iter().map(|_| VerdictSource::Own(None)));
            return;
        }
        let foreseen = seen.foresee(&self.fingerprints);
        let mutants = self.fingerprints.iter().zip(foreseen).enumerate();
        sources.extend(mutants.map(|(at, (print, foreseen))| seen.source(*print, foreseen, self.id(at))));
    }

    fn id(&self, at: usize) -> &str {
        let start = at.checked_sub(1).map_or(0, |before| self.candidates[before].id_end);
        &self.ids[start..self.candidates[at].id_end]
    }

    /// Writes the records. A mutant without a judgement inherits the judgement of an earlier one.
    ///
    /// # Errors
    /// If a mutant has neither.
    pub fn write(
        &mut self,
        run: Run<'_>,
        seen: &DistinctMutants,
        families: &[SiblingFamily],
        sources: &[VerdictSource],
        judgements: &[Option<Judgement>],
    ) -> Result<()> {
        let mut lines = std::mem::take(&mut self.lines);
        let (mut operators, mut rules) = (Vec::new(), Vec::new());
        let earlier = sources.iter().filter_map(|source| match source {
            VerdictSource::Earlier(first) => Some(*first),
            VerdictSource::Own(_) => None,
        });
        let (earlier, ends) = seen.ids(earlier);
        let mut earlier = slices(&earlier, &ends);
        for (mutant, (source, judgement)) in self.mutants(families).zip(sources.iter().zip(judgements)) {
            let inherited;
            let (judgement, duplicate_of) = match (judgement, source) {
                (None, VerdictSource::Earlier(first)) => {
                    inherited = seen.inherited(*first);
                    (&inherited, earlier.next())
                }
                (Some(judgement), _) => (judgement, None),
                (None, _) => return Err(ExperimentError::fault(format!("no verdict on {}", mutant.id()))),
            };
            operators.clear();
            operators.extend_from_slice(&mutant.family.operators);
            operators.push(mutant.last.applied());
            rules.clear();
            if let (Some(earlier), Some(last)) = (&mutant.family.rules, mutant.rule) {
                rules.extend_from_slice(earlier);
                rules.push(last);
            }
            let line = RecordContent {
                order: run.space.order(),
                operators: &operators,
                rules: &rules,
                why: run.judge.why(judgement, mutant.violates()),
                judgement,
                duplicate_of,
            };
            lines.push(mutant.id(), &line)?;
        }
        self.lines = lines;
        Ok(())
    }

    /// The text of all records but the first `n`.
    pub fn text_after(&self, n: usize) -> &[u8] {
        self.lines.text_after(n)
    }

    /// The data of each record that lists and counts need.
    pub fn records(&self) -> impl Iterator<Item = (Facts<'_>, &[AppliedOperator])> {
        self.lines.records((0..self.candidates.len()).map(|at| self.id(at)))
    }
}

/// The slices of `text` that end at the positions `ends`.
fn slices<'t>(text: &'t str, ends: &'t [usize]) -> impl Iterator<Item = &'t str> {
    let starts = [0].into_iter().chain(ends.iter().copied());
    starts.zip(ends).map(|(start, end)| &text[start..*end])
}
