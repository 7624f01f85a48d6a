//! `tamper coverage --suite smallest`.

use anyhow::Result;

use crate::cli::arguments::coverage_args::CoverageArgs;
use crate::cli::exit::ExitCode;
use crate::cli::terminal::Terminal;
use tamper::experiment::write_file;
use tamper::features::Varisat;
use tamper::formats::machines::write_suite;
use tamper::machines::{MutationMachine, smallest};
use tamper::report::{smallest_json, smallest_text};

/// Finds the complete suite of the fewest tests.
pub fn coverage_smallest(args: &CoverageArgs, machine: &MutationMachine, terminal: &Terminal) -> Result<ExitCode> {
    let status = terminal.status();
    let mut progress = |n_tests: usize, lower_bound: usize| {
        if let Some(status) = &status {
            status.set_message(format!("{n_tests} tests, at least {lower_bound} needed"));
        }
    };
    let budget = args.timer().budget();
    machine.keep_to(&budget);
    let found = smallest(machine, &Varisat::default, &budget, &mut progress)?;
    if let Some(status) = &status {
        status.finish_and_clear();
    }
    let suite = write_suite(machine, &found.tests);
    if let Some(path) = &args.out {
        write_file(path, &suite)?;
    }
    let text = || match args.out.is_some() {
        true => smallest_text(machine, &found),
        false => format!("{}\n{suite}", smallest_text(machine, &found)),
    };
    terminal.answer(|| smallest_json(machine, &found), text)?;
    Ok(ExitCode::known_if(found.is_proved()))
}
