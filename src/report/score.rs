//! What a suite is worth, as text and JSON.

use std::fmt::Write as _;

use serde_json::Value;

use super::answers::{ScoreAnswer, SurvivorAnswer, TallyAnswer, value};
use super::table::{numbers_text, text_table};
use crate::experiment::killing::{OperatorScore, Score, Survivor};
use crate::network::headline;

/// The score of the tests with those ids as JSON.
pub fn score_json(score: &Score, ids: &[String]) -> Value {
    let tally = |part: &OperatorScore| TallyAnswer {
        mutants: part.mutants,
        killable: part.killable,
        killed: part.killed,
    };
    let listed = |survivors: &[Survivor]| {
        let one = |survivor: &Survivor| SurvivorAnswer {
            id: survivor.id.clone(),
            why: survivor.why.clone(),
        };
        survivors.iter().map(one).collect::<Vec<_>>()
    };
    let operators = score.operators.iter();
    value(&ScoreAnswer {
        tests: score.tests,
        mutants: score.total.mutants,
        killable: score.total.killable,
        killed: score.total.killed,
        score: score.ratio(),
        operators: operators
            .map(|(operator, part)| (operator.to_string(), tally(part)))
            .collect(),
        survivors: listed(&score.survivors),
        unknown: listed(&score.unknown),
        invalid: listed(&score.invalid),
        killed_though_subsumed: listed(&score.subsumed),
        kills: ids.iter().cloned().zip(score.kills.iter().copied()).collect(),
    })
}

/// The score as a table and the survivors.
pub fn score_text(score: &Score) -> String {
    let mut table = text_table(["operator", "mutants", "killable", "killed", "score"]);
    for (operator, tally) in &score.operators {
        table.add_row(row(&operator.to_string(), tally));
    }
    table.add_row(row("total", &score.total));
    let mut text = numbers_text(table);
    for survivor in &score.survivors {
        let _ = writeln!(text, "survives: {}: {}", survivor.id, survivor.why);
    }
    for subsumed in &score.subsumed {
        let _ = writeln!(text, "killed all the same: {}: {}", subsumed.id, subsumed.why);
    }
    for unknown in &score.unknown {
        let _ = writeln!(text, "unknown: {}: {}", unknown.id, unknown.why);
    }
    for invalid in &score.invalid {
        let _ = writeln!(text, "invalid: {}: {}", invalid.id, headline(&invalid.why));
    }
    text
}

fn row(name: &str, tally: &OperatorScore) -> [String; 5] {
    #[allow(clippy::cast_precision_loss, reason = "far fewer mutants than 2^52")]
    let percent = |killable: usize| format!("{:.1} %", 100.0 * tally.killed as f64 / killable as f64);
    [
        name.to_owned(),
        tally.mutants.to_string(),
        tally.killable.to_string(),
        tally.killed.to_string(),
        match tally.killable {
            0 => "-".to_owned(),
            killable => percent(killable),
        },
    ]
}
