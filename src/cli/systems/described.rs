//! The mutants of a system by what they change.

use std::slice;

use anyhow::Result;

use super::actions;
use super::load::read;
use crate::cli::door::UntimedFile;
use crate::cli::terminal::Terminal;
use tamper::experiment::Description;
use tamper::formats::SystemFormat;
use tamper::systems::actions::action_mutations;
use tamper::systems::mutations;
use tamper::untimed::UntimedMutant;

/// The mutants of order 1 of the system in `file`.
pub fn described_mutants(file: &UntimedFile, terminal: &Terminal) -> Result<Vec<Description>> {
    let mutants: Vec<UntimedMutant> = match file.format {
        SystemFormat::Actions => {
            let read = actions::read(&file.path)?;
            let found = action_mutations(&read.system);
            let found = found.iter().map(slice::from_ref);
            found
                .map(|mutation| UntimedMutant::of_actions(&read, mutation))
                .collect()
        }
        SystemFormat::Smv | SystemFormat::Btor2 => {
            let read = read(file, &terminal.quietly())?;
            let found = mutations(&read.program);
            let found = found.iter().map(slice::from_ref);
            found
                .map(|mutation| UntimedMutant::of_system(&read, mutation))
                .collect()
        }
    };
    Ok((0..)
        .zip(&mutants)
        .map(|(number, mutant)| mutant.described(number))
        .collect())
}
