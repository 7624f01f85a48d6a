//! The commands on action systems.

use std::path::Path;

use anyhow::Result;

use super::load::SYSTEMS;
use crate::cli::arguments::args::LimitArgs;
use crate::cli::arguments::game_args::RefineArgs;
use crate::cli::door::{UntimedFile, open_as};
use crate::cli::exit::ExitCode;
use crate::cli::terminal::Terminal;
use tamper::experiment::Timer;
use tamper::formats::actions::{ReadActions, read_actions};
use tamper::formats::{FileKind, SystemFormat, read_input};
use tamper::report::systems::{ActionFacts, action_facts_text, action_verdicts_json, action_verdicts_text};
use tamper::systems::actions::{Killed, compare, reach};

/// The action system in `file`.
pub fn read(file: &Path) -> Result<ReadActions> {
    let bytes = read_input(file, SYSTEMS)?;
    Ok(read_actions(&file.display().to_string(), &bytes)?)
}

/// Shows the facts about an action system.
pub fn check(file: &UntimedFile, limits: &LimitArgs, terminal: &Terminal) -> Result<ExitCode> {
    let read = read(&file.path)?;
    let timer = Timer::new(limits.resolve());
    let reached = reach(&read.system, &timer.budget());
    let facts = ActionFacts::of(&read.system, &reached);
    terminal.answer(|| &facts, || action_facts_text(&facts))?;
    Ok(ExitCode::known_if(reached.is_ok()))
}

/// Decides whether the left system refines the right one, in three ways.
pub fn refine(file: &UntimedFile, args: &RefineArgs, terminal: &Terminal) -> Result<ExitCode> {
    let is_actions = |kind| kind == FileKind::System(SystemFormat::Actions);
    let original = open_as(Path::new(args.left()?), is_actions, "an action system")?;
    let (mutant, original) = (read(&file.path)?, read(&original)?);
    let timer = Timer::new(args.limits.resolve());
    let verdicts = compare(&mutant.system, &original.system, &timer.budget())?;
    terminal.answer(|| action_verdicts_json(&verdicts), || action_verdicts_text(&verdicts))?;
    Ok(match verdicts.state {
        Killed::No if verdicts.open().is_none() => ExitCode::Yes,
        Killed::Yes(_) if verdicts.open().is_none() => ExitCode::No,
        _ => ExitCode::Unknown,
    })
}
