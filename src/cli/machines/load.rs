//! From a file name to a state machine.

use std::path::Path;

use anyhow::{Result, bail};

use crate::cli::load::once;
use crate::cli::terminal::Terminal;
use crate::cli::unspecified::UnspecifiedArg;
use tamper::formats::machines::{MachineFormat, MachineOptions, read_machine};
use tamper::formats::read_input;
use tamper::machines::MutationMachine;

/// Whether `path` is a state machine, by its ending.
pub fn is_machine(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let extension = extension.map(str::to_ascii_lowercase);
    matches!(
        extension.as_deref(),
        Some("fsm" | "kiss" | "kiss2" | "dot" | "gv" | "efsm" | "scxml")
    )
}

/// Reads a machine; warnings are shown.
pub fn read(path: &Path, unspecified: UnspecifiedArg, terminal: &Terminal) -> Result<MutationMachine> {
    let bytes = read_input(
        path,
        "name a state machine: text (.fsm), KISS2 (.kiss, .kiss2) or DOT (.dot, .gv)",
    )?;
    let options = MachineOptions {
        unspecified: unspecified.resolve(),
        ..MachineOptions::default()
    };
    let name = path.display().to_string();
    let read = read_machine(&name, &bytes, MachineFormat::of(path), &options)?;
    if read.machine.extended().is_some() {
        bail!("{name}: machines with variables or super-states are for `tamper coverage`");
    }
    if !read.warnings.is_empty() {
        terminal.warnings(&read.file, &once(&read.warnings));
    }
    Ok(read.machine)
}

/// Reads a machine without faults.
pub fn read_one(path: &Path, unspecified: UnspecifiedArg, terminal: &Terminal) -> Result<MutationMachine> {
    let machine = read(path, unspecified, terminal)?;
    if machine.n_mutated() > 0 {
        bail!(
            "{} has {} mutated transitions, so it is several machines; here one is meant. For all of them: tamper coverage, or \
             tamper families MACHINE --against SPEC",
            path.display(),
            machine.n_mutated()
        );
    }
    Ok(machine)
}
