//! From a file name to a state machine.

use anyhow::{Result, bail};

use crate::cli::door::MachineFile;
use crate::cli::models::load::once;
use crate::cli::terminal::Terminal;
use tamper::formats::machines::{MachineOptions, ReadMachine, read_machine};
use tamper::formats::read_input;
use tamper::machines::MutationMachine;

/// The advice if a machine cannot be read.
pub const MACHINES: &str = "name a state machine: text (.fsm), KISS2 (.kiss, .kiss2) or DOT (.dot, .gv)";

/// Reads a machine; warnings are shown.
pub fn read(file: &MachineFile, options: &MachineOptions, terminal: &Terminal) -> Result<MutationMachine> {
    Ok(read_with_places(file, options, terminal)?.machine)
}

/// The same, with the places of its transitions in the file.
pub fn read_with_places(file: &MachineFile, options: &MachineOptions, terminal: &Terminal) -> Result<ReadMachine> {
    let bytes = read_input(&file.path, MACHINES)?;
    let read = read_machine(&file.path.display().to_string(), &bytes, file.format, options)?;
    if !read.warnings.is_empty() {
        terminal.warnings(&read.file, &once(&read.warnings));
    }
    Ok(read)
}

/// Reads a machine without faults.
pub fn read_one(file: &MachineFile, options: &MachineOptions, terminal: &Terminal) -> Result<MutationMachine> {
    let machine = read(file, options, terminal)?;
    if machine.n_mutated() > 0 {
        bail!(
            "{} has {} mutated transitions, so it is several machines; here one is meant. For all of them: tamper coverage, or \
             tamper families MACHINE --against SPEC",
            file.path.display(),
            machine.n_mutated()
        );
    }
    Ok(machine)
}
