//! `tamper check` of a transition system.

use anyhow::Result;

use super::load::{read, states};
use crate::cli::args::Format;
use crate::cli::exit::ExitCode;
use crate::cli::game_args::CheckArgs;
use crate::cli::terminal::Terminal;
use tamper::experiment::Timer;
use tamper::report::systems::{SystemFacts, facts_text};

/// Shows the facts about a system.
pub fn check(args: &CheckArgs, terminal: &Terminal) -> Result<ExitCode> {
    let system = read(&args.file, terminal)?;
    let timer = Timer::new(args.limits.resolve());
    let states = states(&system, args.systems.complete, &timer.budget())?;
    let facts = SystemFacts::of(&system.program, &states);
    terminal.result(&match terminal.format {
        Format::Json => serde_json::to_string_pretty(&facts)?,
        Format::Text => facts_text(&facts),
    })?;
    Ok(if states.is_ok() {
        ExitCode::Yes
    } else {
        ExitCode::Unknown
    })
}
