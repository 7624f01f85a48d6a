//! `tamper classify` of a transition system.

use anyhow::Result;
use rayon::prelude::*;

use super::load::{missing, read, states};
use crate::cli::args::Format;
use crate::cli::exit::ExitCode;
use crate::cli::game_args::ClassifyArgs;
use crate::cli::terminal::Terminal;
use tamper::experiment::Timer;
use tamper::formats::smv::{ReadSystem, expression_text};
use tamper::report::systems::{Judged, Outcome, classification_json, classification_text, explain};
use tamper::systems::testing::SystemFate;
use tamper::systems::{ExploreError, Missing, Pair, SystemMutation, TransitionSystem, decide, explore, mutations};
use tamper::text::Budget;

/// Decides every mutant of a system and shows the table.
pub fn classify(args: &ClassifyArgs, terminal: &Terminal) -> Result<ExitCode> {
    let system = read(&args.file, terminal)?;
    let missing = missing(args.systems.complete);
    let timer = Timer::new(args.limits.resolve());
    let specification = match states(&system, args.systems.complete, &timer.budget())? {
        Ok(states) => states,
        Err(reason) => {
            terminal.message(&format!(
                "error: the states of {} are not known: {reason}",
                args.file.display()
            ));
            return Ok(ExitCode::Unknown);
        }
    };
    let found = mutations(&system.program);
    let bar = terminal.progress(found.len() as u64);
    let judged: Vec<Judged> = found
        .par_iter()
        .map(|mutation| {
            let timer = Timer::new(args.limits.resolve());
            let outcome = judge(&system, (mutation, missing), &specification, &timer.budget());
            bar.inc(1);
            Judged {
                operator: mutation.operator,
                id: id(&system, mutation),
                outcome,
            }
        })
        .collect();
    bar.finish_and_clear();
    terminal.result(&match terminal.format {
        Format::Json => serde_json::to_string_pretty(&classification_json(&judged, args.witness))?,
        Format::Text => classification_text(&judged, args.witness),
    })?;
    let is_open = judged
        .iter()
        .any(|mutant| matches!(mutant.outcome, Outcome::Unknown(_)));
    Ok(if is_open { ExitCode::Unknown } else { ExitCode::Yes })
}

fn judge(
    system: &ReadSystem,
    mutation: (&SystemMutation, Missing),
    specification: &TransitionSystem,
    budget: &Budget,
) -> Outcome {
    let pair = match pair(system, mutation, specification, budget) {
        Ok(pair) => pair,
        Err(SystemFate::Unknown(reason)) => return Outcome::Unknown(reason),
        Err(fate) => return Outcome::Refused(fate.reason().unwrap_or_default().to_owned()),
    };
    let verdicts = decide(&pair, budget);
    match verdicts.kill() {
        Ok(kill) => {
            let word = verdicts.word().iter().map(|input| pair.inputs()[*input].clone());
            Outcome::Decided(kill, word.collect())
        }
        Err(reason) => Outcome::Unknown(reason.to_string()),
    }
}

/// The mutant beside its specification; else why it is refused, or the limit that was hit.
pub fn pair(
    system: &ReadSystem,
    (mutation, missing): (&SystemMutation, Missing),
    specification: &TransitionSystem,
    budget: &Budget,
) -> std::result::Result<Pair, SystemFate> {
    let mutant = match explore(&mutation.apply(&system.program), missing, budget) {
        Ok(mutant) => mutant,
        Err(ExploreError::Limit(reason)) => return Err(SystemFate::Unknown(reason.to_string())),
        Err(error) => return Err(SystemFate::Refused(explain(&error).message)),
    };
    Pair::new(&mutant, specification).map_err(|error| SystemFate::Refused(error.to_string()))
}

/// What the mutant changes, and where: `ROR:12:7:wtr > 0=>wtr >= 0`.
pub fn id(system: &ReadSystem, mutation: &SystemMutation) -> String {
    let at = system.file.line_col(mutation.old.start);
    let old: Vec<&str> = system.file.text()[mutation.old.range()].split_whitespace().collect();
    let new = expression_text(&system.program, &mutation.new);
    format!(
        "{}:{}:{}:{}=>{new}",
        mutation.operator.name(),
        at.line,
        at.column,
        old.join(" ")
    )
}
