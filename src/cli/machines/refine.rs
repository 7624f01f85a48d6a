//! `tamper refine` of state machines.

use std::path::Path;

use anyhow::Result;

use super::load::read_one;
use crate::cli::arguments::game_args::RefineArgs;
use crate::cli::door::{MachineFile, open_machine};
use crate::cli::exit::ExitCode;
use crate::cli::terminal::Terminal;
use tamper::experiment::Timer;
use tamper::machines::{Incomparable, difference};
use tamper::report::{machines_json, machines_text};

/// Decides whether the left machine answers as the right one does.
pub fn refine(file: &MachineFile, args: &RefineArgs, terminal: &Terminal) -> Result<ExitCode> {
    let right_name = args.left()?;
    let specification = open_machine(Path::new(right_name))?;
    let options = args.graph.with(args.machine.options());
    let left = read_one(file, &options, terminal)?;
    let right = read_one(&specification, &options, terminal)?;
    let timer = Timer::new(args.limits.resolve());
    let compared = match difference(&left, &right, &timer.budget()) {
        Ok(difference) => Ok(difference),
        Err(Incomparable::Stopped(reason)) => Err(reason),
        Err(error) => return Err(error.into()),
    };
    let name = args.file.display().to_string();
    terminal.answer(
        || machines_json(&compared, &name, right_name),
        || machines_text(&compared, &name, right_name),
    )?;
    Ok(match compared {
        Ok(None) => ExitCode::Yes,
        Ok(Some(_)) => ExitCode::No,
        Err(_) => ExitCode::Unknown,
    })
}
