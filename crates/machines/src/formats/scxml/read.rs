//! Reads a machine from SCXML.

use super::super::extended::ExtendedDraft;
use super::super::options::{MachineOptions, ReadMachine};
use super::{chart, flatten};
use crate::Leniency;
use tamper_text::ReadError;
use tamper_text::SourceFile;

/// The machine in `file`.
///
/// # Errors
/// Everything that is wrong with it.
pub(in crate::formats) fn read_chart(file: &SourceFile, options: &MachineOptions) -> Result<ReadMachine, ReadError> {
    let mut draft = ExtendedDraft::default();
    if let Some(mut chart) = chart::read(file, &mut draft) {
        if let Some(faults) = options.faults {
            chart.add_faults(faults, file, &mut draft);
        }
        flatten::flatten(&chart, &mut draft, options.most_configurations);
    }
    // Transitions are prioritised in document order, and an event without an enabled transition is dropped.
    let leniency = Leniency {
        first_of_several: true,
        stays: true,
    };
    draft.finish(file, leniency, options.most_configurations)
}
