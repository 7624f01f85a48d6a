//! Everything the paper says, beside the results of our runs.

use super::{
    CheckedFact, Checks, ClaimResult, Example, PaperClaim, PaperFacts, Study, StudyRun, complete_run, examples,
};
use crate::experiment::error::Result;
use crate::mutation::{MutationOptions, Mutations, Order};

/// The published facts about one study.
#[derive(Clone, Debug)]
pub struct StudyFacts {
    /// The study.
    pub study: Study,
    /// The published facts.
    pub facts: PaperFacts,
    /// The sentences about its mutants of order 1; empty when these were not all run.
    pub checked: Vec<CheckedFact>,
}

/// The comparison of the paper with the runs.
#[derive(Clone, Debug)]
pub struct PaperComparison {
    /// The facts per study, in the paper's order.
    pub studies: Vec<StudyFacts>,
    /// Sentences about several studies or a model.
    pub claims: Vec<(PaperClaim, ClaimResult)>,
    /// Refinements of example games.
    pub examples: Vec<Example>,
}

impl PaperComparison {
    /// Compares `runs`; only complete ones in the published semantics count.
    ///
    /// # Errors
    /// If records cannot be read, or an embedded file has another form.
    pub fn of(runs: &[StudyRun]) -> Result<Self> {
        let mut studies = Vec::new();
        for study in Study::ALL {
            let run = complete_run(runs, study, Order::FIRST);
            let facts = study.facts()?;
            let checked = run.map_or_else(|| Ok(Vec::new()), |run| check_facts(run, &facts))?;
            studies.push(StudyFacts { study, facts, checked });
        }
        let mut claims = Vec::new();
        for claim in Checks::published()?.claim {
            let checked = claim.check(runs)?;
            claims.push((claim, checked));
        }
        Ok(Self {
            studies,
            claims,
            examples: examples()?,
        })
    }
}

fn check_facts(run: &StudyRun, facts: &PaperFacts) -> Result<Vec<CheckedFact>> {
    let game = run.study.game()?;
    let records = run.records()?.collect::<Result<Vec<_>>>()?;
    let mutations: Vec<_> = Mutations::of(&game, &MutationOptions::default()).iter().collect();
    let check = |fact: &super::Fact| fact.check(&game, mutations.iter().copied().zip(&records));
    Ok(facts.facts.iter().map(check).collect())
}
