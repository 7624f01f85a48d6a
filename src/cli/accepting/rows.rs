//! The file of accepted mutants beside a model.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;

use crate::cli::terminal::Terminal;
use tamper::experiment::{AcceptedFile, AcceptedFound, Asked, Mutants, accepted_path, day_since_1970};
use tamper::mutation::{AppliedOperator, Order};
use tamper::untimed::UntimedWorld;

/// The question, today in UTC, about mutants of this order by these operators.
pub fn asked<'a>(operators: &'a [&'static str], order: Order) -> Asked<'a> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    Asked {
        operators,
        order: usize::from(order.number()),
        is_whole: false,
        today: day_since_1970(since.unwrap_or_default()),
    }
}

/// The operators of all kinds of models: a file may be about several.
pub fn all_operators() -> Vec<&'static str> {
    let timed = AppliedOperator::all().map(AppliedOperator::name);
    let untimed = [
        UntimedWorld::TransitionSystem,
        UntimedWorld::ActionSystem,
        UntimedWorld::StateMachine,
    ];
    timed
        .chain(untimed.iter().flat_map(|world| world.operators()))
        .collect()
}

/// The rows in `named`, else those beside `model`; none if there is no such file.
pub fn read_rows(named: Option<&Path>, model: &Path) -> Result<AcceptedFile> {
    let beside = accepted_path(model);
    let path = named.unwrap_or(&beside);
    if named.is_none() && !path.is_file() {
        return Ok(AcceptedFile::default());
    }
    Ok(AcceptedFile::read(path, &all_operators())?)
}

/// The mutants that the rows accept today; rows that accept none are named.
pub fn found(
    rows: &AcceptedFile,
    mutants: &Mutants<'_>,
    asked: Asked<'_>,
    terminal: &Terminal,
) -> Result<AcceptedFound> {
    let found = rows.among(mutants, asked)?;
    for lost in &found.lost {
        terminal.note(&format!("note: {lost}"));
    }
    Ok(found)
}
