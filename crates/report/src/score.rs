//! The score of a suite, as text and JSON.

use std::fmt::Write as _;

use fixedbitset::FixedBitSet;
use serde_json::Value;

use super::answers::{AccountAnswer, KillingTest, MatrixAnswer, ScoreAnswer, SurvivorAnswer, TallyAnswer, value};
use super::table::{Cell, Head, TOTAL, Table};
use tamper_runs::killing::{Account, Fate, OperatorScore, Score, Survivor};
use tamper_timed::network::headline;

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
        under_script: score.under_script.clone(),
        accepted: listed(&score.accepted),
        not_asked: score.not_asked,
        account: score.account.as_ref().map(account_answer),
        kills: ids.iter().cloned().zip(score.kills.iter().copied()).collect(),
        matrix: matrix(score, ids),
    })
}

/// An account as JSON.
pub fn account_json(account: &Account) -> Value {
    value(&account_answer(account))
}

fn account_answer(account: &Account) -> AccountAnswer {
    let disagreements = account.disagreements.iter();
    AccountAnswer {
        semantics: account.semantics.name().to_owned(),
        non_subsumed: account.non_subsumed,
        killable: account.killable,
        disagreements: disagreements.map(|(kind, n)| (kind.name().to_owned(), *n)).collect(),
    }
}

fn matrix(score: &Score, ids: &[String]) -> MatrixAnswer {
    let is_killable = |at: &usize| matches!(score.fates[*at], Fate::Killed | Fate::Survives(_));
    let killable: Vec<usize> = (0..score.fates.len()).filter(is_killable).collect();
    let kills = |row: &FixedBitSet| (0..killable.len()).filter(|at| row.contains(killable[*at])).collect();
    let tests = ids.iter().zip(&score.matrix);
    MatrixAnswer {
        mutants: killable.iter().map(|at| score.mutants[*at].clone()).collect(),
        tests: tests
            .map(|(test, row)| KillingTest {
                test: test.clone(),
                kills: kills(row),
            })
            .collect(),
    }
}

/// The score as a table and the survivors.
pub fn score_text(score: &Score) -> String {
    let mut text = table(score).text();
    if let Some(account) = score.account.as_ref().filter(|account| !account.agrees()) {
        let _ = writeln!(text, "{account}");
    }
    if !score.under_script.is_empty() {
        let _ = writeln!(
            text,
            "{} of the {} are killed under a script of guards only: whether a program's data gives these values is not known",
            score.under_script.len(),
            score.total.killed
        );
    }
    for survivor in &score.survivors {
        let _ = writeln!(text, "survives: {}: {}", survivor.id, survivor.why);
    }
    for accepted in &score.accepted {
        let _ = writeln!(text, "accepted: {}: {}", accepted.id, accepted.why);
    }
    if let Some(not_asked) = score.not_asked {
        let _ = writeln!(text, "not asked: {not_asked} mutants at places that did not change");
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

fn table(score: &Score) -> Table {
    let mut table = Table::new(["operator", "mutants", "killable", "killed", "score"].map(Head::plain));
    let operators = score.operators.iter();
    let rows = operators.map(|(operator, tally)| (operator.name(), tally));
    for (name, tally) in rows.chain([(TOTAL, &score.total)]) {
        let counts = [tally.mutants, tally.killable, tally.killed].map(Cell::plain);
        table.row(name, counts.into_iter().chain([Cell::ratio(tally.ratio())]));
    }
    table
}
