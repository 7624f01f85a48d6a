//! `tamper check` of a transition system.

use anyhow::Result;

use super::load::{read, states};
use crate::cli::arguments::args::LimitArgs;
use crate::cli::arguments::unspecified::MachineArgs;
use crate::cli::door::UntimedFile;
use crate::cli::exit::ExitCode;
use crate::cli::terminal::Terminal;
use tamper::experiment::Timer;
use tamper::report::systems::{SystemFacts, facts_text};

/// Shows the facts about a system.
pub fn check(file: &UntimedFile, read_as: &MachineArgs, limits: &LimitArgs, terminal: &Terminal) -> Result<ExitCode> {
    let system = read(file, terminal)?;
    let timer = Timer::new(limits.resolve());
    let states = states(&system, read_as.fills(), &timer.budget())?;
    let facts = SystemFacts::of(&system.program, &states);
    terminal.answer(|| &facts, || facts_text(&facts))?;
    Ok(ExitCode::known_if(states.is_ok()))
}
