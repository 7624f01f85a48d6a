//! The table of mutants per operator.

use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Map, Value, json};

use crate::base::StopReason;
use crate::systems::{Kill, SystemOperator};

/// What became of a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// How surely it can be killed, and after which inputs.
    Decided(Kill, Vec<String>),
    /// It is no total system, or starts with other outputs.
    Refused(String),
    /// A limit was hit.
    Unknown(StopReason),
}

/// A mutant and what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The operator it is made by.
    pub operator: SystemOperator,
    /// What it changes.
    pub id: String,
    /// Its verdict.
    pub outcome: Outcome,
}

/// The columns: each mutant is counted in one, by its strongest kill.
const COLUMNS: [&str; 6] = ["equivalent", "potential", "definite", "blind", "refused", "unknown"];

fn column(outcome: &Outcome) -> usize {
    match outcome {
        Outcome::Decided(Kill::None, _) => 0,
        Outcome::Decided(Kill::Potential, _) => 1,
        Outcome::Decided(Kill::Definite, _) => 2,
        Outcome::Decided(Kill::Blind, _) => 3,
        Outcome::Refused(_) => 4,
        Outcome::Unknown(_) => 5,
    }
}

/// Per operator and in all: the number of mutants, and how many are in each column.
fn rows(judged: &[Judged]) -> Vec<(&'static str, usize, [usize; 6])> {
    let row = |name, mutants: Vec<&Judged>| {
        let mut counts = [0; 6];
        mutants.iter().for_each(|mutant| counts[column(&mutant.outcome)] += 1);
        (name, mutants.len(), counts)
    };
    let of = |operator: SystemOperator| judged.iter().filter(move |mutant| mutant.operator == operator);
    let operators = SystemOperator::ALL.into_iter();
    let rows = operators.map(|operator| row(operator.name(), of(operator).collect()));
    let rows = rows.filter(|(_, total, _)| *total > 0);
    rows.chain([row("total", judged.iter().collect())]).collect()
}

/// The table for a terminal; with `witness` also a line per mutant.
pub fn classification_text(judged: &[Judged], witness: bool) -> String {
    let mut table = Table::new();
    table.force_no_tty().load_style(presets::ASCII_MARKDOWN);
    table.set_header(["operator", "total"].into_iter().chain(COLUMNS));
    for (name, total, counts) in rows(judged) {
        let counts = counts.iter().map(ToString::to_string);
        table.add_row([name.to_owned(), total.to_string()].into_iter().chain(counts));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut text = format!("{table}\n");
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
    let mut operators = Map::new();
    for (name, total, counts) in rows(judged) {
        let mut row = Map::new();
        row.insert("total".to_owned(), json!(total));
        for (column, count) in COLUMNS.iter().zip(counts) {
            row.insert((*column).to_owned(), json!(count));
        }
        operators.insert(name.to_owned(), Value::Object(row));
    }
    let total = operators.remove("total");
    let mut object = Map::new();
    object.insert("operators".to_owned(), Value::Object(operators));
    object.insert("total".to_owned(), json!(total));
    if witness {
        let mutants = judged.iter().map(|mutant| match &mutant.outcome {
            Outcome::Decided(kill, word) => json!({ "id": mutant.id, "kill": kill.name(), "word": word }),
            Outcome::Refused(because) => json!({ "id": mutant.id, "kill": "refused", "because": because }),
            Outcome::Unknown(reason) => json!({ "id": mutant.id, "kill": "unknown", "because": reason.to_string() }),
        });
        object.insert("mutants".to_owned(), Value::Array(mutants.collect()));
    }
    Value::Object(object)
}
