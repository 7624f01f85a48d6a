//! Reads an extended machine from text.

use super::super::draft::Unspecified;
use super::super::options::{MachineOptions, ReadMachine};
use super::text;
use crate::Leniency;
use tamper_text::ReadError;
use tamper_text::SourceFile;

/// The machine in `file`.
///
/// # Errors
/// Everything that is wrong with it.
pub(in crate::formats) fn read_extended(file: &SourceFile, options: &MachineOptions) -> Result<ReadMachine, ReadError> {
    let leniency = Leniency {
        first_of_several: false,
        stays: options.unspecified == Unspecified::Fill,
    };
    let mut draft = text::read(file.text());
    if let Some(faults) = options.faults {
        draft.add_faults(faults, file);
    }
    draft.finish(file, leniency, options.most_configurations)
}
