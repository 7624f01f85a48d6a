//! The example games of \[003\]: the refinements that the paper states, and the refinements that hold (`uppaal-models/`).

use serde::Deserialize;

use crate::experiment::error::{ExperimentError, Result};
use crate::formats::{ReadOptions, read_bytes};
use crate::game::{GameError, Scratch, Semantics, Specification, Verdict};
use crate::model::Automaton;
use crate::text::Budget;

/// One refinement that the paper states, under one reading of refinement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// The file, the left side and the right side.
    pub question: String,
    /// The reading: `strict`, `definition` or `tiga`.
    pub semantics: String,
    /// The place of the sentence in the paper.
    pub source: String,
    /// The paper's sentence.
    pub sentence: String,
    /// The answer that the sentence states.
    pub published: String,
    /// The answer of tamper.
    pub ours: String,
    /// The reason why the two differ, if they do.
    pub note: Option<String>,
}

#[derive(Deserialize)]
struct ExamplesFile {
    refinement: Vec<ExampleRefinement>,
}

#[derive(Deserialize)]
struct ExampleRefinement {
    file: String,
    left: String,
    right: String,
    semantics: Vec<String>,
    verdict: String,
    source: String,
    sentence: String,
    paper: Option<String>,
    note: Option<String>,
}

macro_rules! models {
    ($($file:literal)*) => {
        [$(($file, include_str!(concat!("../../uppaal-models/", $file)))),*]
    };
}

const MODELS: [(&str, &str); 11] = models![
    "cxl-invariant-lower-bound.xml" "cxl-output-lower-bound.xml" "cxs-invariant-upper-bound.xml" "cxs-invariant.xml"
    "order-two-cxs-after-tad.xml" "order-two-redundant-edges-meet.xml" "tmi-input.xml" "tmi-output.xml"
    "unmatched-output.xml" "vending-machine-mutated.xml" "vending-machine-product.xml"
];

/// Decides every refinement that the paper states about an example game.
///
/// # Errors
/// If an embedded file has another form.
pub fn examples() -> Result<Vec<Example>> {
    let file: ExamplesFile = toml::from_str(include_str!("../../uppaal-models/expected.toml"))?;
    let mut examples = Vec::new();
    for row in file.refinement.iter().filter(|row| row.source.starts_with("[003]")) {
        let games = games(&row.file)?;
        let find = |name: &str| {
            let found = games.iter().find(|game| game.name() == name);
            found.ok_or_else(|| wrong(format!("{} has no template {name}", row.file)))
        };
        let (left, right) = (find(&row.left)?, find(&row.right)?);
        for semantics in &row.semantics {
            examples.push(Example {
                question: format!("{}: {} <= {}", row.file, row.left, row.right),
                semantics: semantics.clone(),
                source: row.source.clone(),
                sentence: row.sentence.clone(),
                published: row.paper.clone().unwrap_or_else(|| row.verdict.clone()),
                ours: decide(left, right, preset(semantics)?)?.to_owned(),
                note: row.note.clone(),
            });
        }
    }
    Ok(examples)
}

fn games(file: &str) -> Result<Vec<Automaton>> {
    let model = MODELS.iter().find(|(name, _)| *name == file);
    let (_, text) = model.ok_or_else(|| wrong(format!("{file} is not embedded")))?;
    let (document, _) = read_bytes(file, text.as_bytes(), &ReadOptions::default())?;
    Ok(document.automata().to_vec())
}

fn preset(name: &str) -> Result<Semantics> {
    match name {
        "strict" => Ok(Semantics::STRICT),
        "definition" => Ok(Semantics::DEFINITION),
        "tiga" => Ok(Semantics::TIGA),
        _ => Err(wrong(format!("no preset is called {name}"))),
    }
}

/// The error that the list of examples is wrong.
fn wrong(what: String) -> ExperimentError {
    ExperimentError::malformed(what)
}

fn decide(left: &Automaton, right: &Automaton, semantics: Semantics) -> Result<&'static str> {
    let budget = Budget::unlimited();
    let specification = match Specification::prepare(right, semantics, &budget) {
        Ok(specification) => specification,
        Err(GameError::SpecInconsistent { .. }) => return Ok("spec-inconsistent"),
        Err(error) => return Err(error.into()),
    };
    let decision = specification.decide(left, &budget, &mut Scratch::default())?;
    Ok(match decision.verdict {
        Verdict::Inconsistent => "inconsistent",
        Verdict::Subsumed => "subsumed",
        Verdict::NonSubsumed => "non-subsumed",
        Verdict::Unknown(_) => "unknown",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_differs_from_the_paper_exactly_where_a_note_says_why() {
        let all = examples().unwrap();
        assert!(all.len() > 20);
        for example in all {
            assert_eq!(example.published != example.ours, example.note.is_some(), "{example:?}");
        }
    }
}
