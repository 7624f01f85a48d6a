//! The commands on action systems.

use std::path::Path;

use anyhow::{Result, bail};
use rayon::prelude::*;

use super::load::{SYSTEMS, SystemFormat};
use crate::cli::args::{Format, LimitArgs};
use crate::cli::exit::ExitCode;
use crate::cli::game_args::{CheckArgs, ClassifyArgs, RefineArgs};
use crate::cli::terminal::Terminal;
use tamper::experiment::Timer;
use tamper::formats::actions::{ReadActions, read_actions};
use tamper::formats::read_input;
use tamper::report::systems::{
    ActionFacts, JudgedAction, action_classification_json, action_classification_text, action_facts_text,
    action_verdicts_json, action_verdicts_text,
};
use tamper::systems::actions::{ActionMutation, ActionVerdicts, Killed, action_mutations, compare, compare_all, reach};
use tamper::text::Budget;

/// The action system in `path`.
pub fn read(path: &Path) -> Result<ReadActions> {
    let bytes = read_input(path, SYSTEMS)?;
    Ok(read_actions(&path.display().to_string(), &bytes)?)
}

/// Shows the facts about an action system.
pub fn check(args: &CheckArgs, terminal: &Terminal) -> Result<ExitCode> {
    let read = read(&args.file)?;
    let timer = Timer::new(args.limits.resolve());
    let reached = reach(&read.system, &timer.budget());
    let facts = ActionFacts::of(&read.system, &reached);
    terminal.result(&match terminal.format {
        Format::Json => serde_json::to_string_pretty(&facts)?,
        Format::Text => action_facts_text(&facts),
    })?;
    Ok(if reached.is_ok() {
        ExitCode::Yes
    } else {
        ExitCode::Unknown
    })
}

/// Decides whether the left system refines the right one, in three ways.
pub fn refine(args: &RefineArgs, terminal: &Terminal) -> Result<ExitCode> {
    let original = Path::new(&args.left);
    if SystemFormat::of(original) != Some(SystemFormat::Actions) {
        bail!("{} is an action system, {} is none", args.file.display(), args.left);
    }
    let (mutant, original) = (read(&args.file)?, read(original)?);
    let timer = Timer::new(args.limits.resolve());
    let verdicts = compare(&mutant.system, &original.system, &timer.budget())?;
    terminal.result(&match terminal.format {
        Format::Json => serde_json::to_string_pretty(&action_verdicts_json(&verdicts))?,
        Format::Text => action_verdicts_text(&verdicts),
    })?;
    Ok(match verdicts.state {
        Killed::No if verdicts.open().is_none() => ExitCode::Yes,
        Killed::Yes(_) if verdicts.open().is_none() => ExitCode::No,
        _ => ExitCode::Unknown,
    })
}

/// Decides every mutant of an action system and shows the table.
pub fn classify(args: &ClassifyArgs, terminal: &Terminal) -> Result<ExitCode> {
    let read = read(&args.file)?;
    let mutations = action_mutations(&read.system);
    let verdicts = verdicts(&read, &mutations, &args.limits, terminal)?;
    let judged = mutations.iter().zip(verdicts).map(|(mutation, verdicts)| JudgedAction {
        operator: mutation.operator,
        id: id(&read, mutation),
        verdicts,
    });
    let judged: Vec<JudgedAction> = judged.collect();
    terminal.result(&match terminal.format {
        Format::Json => serde_json::to_string_pretty(&action_classification_json(&judged, args.witness))?,
        Format::Text => action_classification_text(&judged, args.witness),
    })?;
    let is_open = judged.iter().any(|mutant| mutant.verdicts.open().is_some());
    Ok(if is_open { ExitCode::Unknown } else { ExitCode::Yes })
}

/// The verdicts on all mutants: in one exploration, or each on its own where there are limits of each decision.
fn verdicts(
    read: &ReadActions,
    mutations: &[ActionMutation],
    limits: &LimitArgs,
    terminal: &Terminal,
) -> Result<Vec<ActionVerdicts>> {
    let is_limited = limits.timeout.is_some() || limits.max_states.is_some() || limits.max_memory.is_some();
    if !is_limited && let Ok(verdicts) = compare_all(&read.system, mutations, &Budget::unlimited()) {
        return Ok(verdicts);
    }
    let bar = terminal.progress(mutations.len() as u64);
    let decided = mutations.par_iter().map(|mutation| {
        let timer = Timer::new(limits.resolve());
        let verdicts = compare(&mutation.apply(&read.system), &read.system, &timer.budget())?;
        bar.inc(1);
        Ok(verdicts)
    });
    let decided = decided.collect();
    bar.finish_and_clear();
    decided
}

/// What the mutant changes, and where: `increment:34:20:20=>21`.
pub fn id(read: &ReadActions, mutation: &ActionMutation) -> String {
    let at = read.file.line_col(mutation.span.start);
    let old: Vec<&str> = read.file.text()[mutation.span.range()].split_whitespace().collect();
    let new = mutation
        .constant
        .map(|constant| format!("=>{constant}"))
        .unwrap_or_default();
    format!(
        "{}:{}:{}:{}{new}",
        mutation.operator.name(),
        at.line,
        at.column,
        old.join(" ")
    )
}
