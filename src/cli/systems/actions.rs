//! The commands on action systems.

use std::path::Path;

use anyhow::Result;

use super::load::SYSTEMS;
use crate::cli::args::LimitArgs;
use crate::cli::door::{ActionsFile, Subject, UntimedFile, open};
use crate::cli::exit::ExitCode;
use crate::cli::game_args::RefineArgs;
use crate::cli::terminal::Terminal;
use tamper::experiment::Timer;
use tamper::formats::actions::{ReadActions, read_actions};
use tamper::formats::read_input;
use tamper::report::systems::{ActionFacts, action_facts_text, action_verdicts_json, action_verdicts_text};
use tamper::systems::actions::{Killed, compare, reach};

/// The action system in `file`.
pub fn read(file: &ActionsFile) -> Result<ReadActions> {
    let bytes = read_input(&file.path, SYSTEMS)?;
    Ok(read_actions(&file.path.display().to_string(), &bytes)?)
}

/// Shows the facts about an action system.
pub fn check(file: &ActionsFile, limits: &LimitArgs, terminal: &Terminal) -> Result<ExitCode> {
    let read = read(file)?;
    let timer = Timer::new(limits.resolve());
    let reached = reach(&read.system, &timer.budget());
    let facts = ActionFacts::of(&read.system, &reached);
    terminal.answer(|| &facts, || action_facts_text(&facts))?;
    Ok(if reached.is_ok() {
        ExitCode::Yes
    } else {
        ExitCode::Unknown
    })
}

/// Decides whether the left system refines the right one, in three ways.
pub fn refine(file: &ActionsFile, args: &RefineArgs, terminal: &Terminal) -> Result<ExitCode> {
    let original = match open(Path::new(args.left()))? {
        Subject::Untimed(UntimedFile::Actions(original)) => original,
        other => return Err(other.not("an action system").into()),
    };
    let (mutant, original) = (read(file)?, read(&original)?);
    let timer = Timer::new(args.limits.resolve());
    let verdicts = compare(&mutant.system, &original.system, &timer.budget())?;
    terminal.answer(|| action_verdicts_json(&verdicts), || action_verdicts_text(&verdicts))?;
    Ok(match verdicts.state {
        Killed::No if verdicts.open().is_none() => ExitCode::Yes,
        Killed::Yes(_) if verdicts.open().is_none() => ExitCode::No,
        _ => ExitCode::Unknown,
    })
}
