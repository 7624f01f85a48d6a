//! The table of mutants per operator.

use serde_json::{Value, json};

use super::tally::Tally;
use crate::systems::{Killability, SystemOperator};

/// What became of a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// How surely it can be killed, and after which inputs.
    Decided(Killability, Vec<String>),
    /// It is no total system, or starts with other outputs.
    Refused(String),
    /// A limit was hit before the verdict was known.
    Unknown(String),
}

/// A mutant and what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The operator it is made by.
    pub operator: SystemOperator,
    /// The id of the mutation.
    pub id: String,
    /// The verdict on the mutant, or why there is none.
    pub outcome: Outcome,
}

/// The columns: each mutant is counted in one, by its strongest kill.
const COLUMNS: [&str; 6] = ["equivalent", "potential", "definite", "blind", "refused", "unknown"];

fn column(outcome: &Outcome) -> usize {
    match outcome {
        Outcome::Decided(Killability::None, _) => 0,
        Outcome::Decided(Killability::Potential, _) => 1,
        Outcome::Decided(Killability::Definite, _) => 2,
        Outcome::Decided(Killability::Blind, _) => 3,
        Outcome::Refused(_) => 4,
        Outcome::Unknown(_) => 5,
    }
}

fn tally(judged: &[Judged]) -> Tally<6> {
    let is_there = |operator: &SystemOperator| judged.iter().any(|mutant| mutant.operator == *operator);
    let operators = SystemOperator::ALL
        .into_iter()
        .filter(is_there)
        .map(SystemOperator::name);
    let counted = |mutant: &Judged| {
        let own = column(&mutant.outcome);
        std::array::from_fn(|place| place == own)
    };
    Tally::new(
        COLUMNS,
        operators,
        judged,
        |mutant: &Judged| mutant.operator.name(),
        counted,
    )
}

/// The table for a terminal; with `witness` also a line per mutant.
pub fn classification_text(judged: &[Judged], witness: bool) -> String {
    let mut text = tally(judged).text();
    if witness {
        text.push('\n');
        for mutant in judged {
            let what = match &mutant.outcome {
                Outcome::Decided(kill, word) if word.is_empty() => kill.name().to_owned(),
                Outcome::Decided(kill, word) => format!("{}: {}", kill.name(), word.join(", ")),
                Outcome::Refused(because) => format!("refused: {because}"),
                Outcome::Unknown(reason) => format!("unknown: {reason}"),
            };
            text.push_str(&format!("{}  {what}\n", mutant.id));
        }
    }
    text
}

/// `{"operators": {…}, "total": {…}}`; with `witness` also `"mutants": […]`.
pub fn classification_json(judged: &[Judged], witness: bool) -> Value {
    let mut object = tally(judged).json();
    if witness {
        let mutants = judged.iter().map(|mutant| match &mutant.outcome {
            Outcome::Decided(kill, word) => json!({ "id": mutant.id, "kill": kill.name(), "word": word }),
            Outcome::Refused(because) => json!({ "id": mutant.id, "kill": "refused", "because": because }),
            Outcome::Unknown(reason) => json!({ "id": mutant.id, "kill": "unknown", "because": reason }),
        });
        object.insert("mutants".to_owned(), Value::Array(mutants.collect()));
    }
    Value::Object(object)
}
