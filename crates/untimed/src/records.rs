//! Records of a run on mutants of an untimed system, together with the mutants.

use std::io::BufRead as _;
use std::path::Path;

use super::mutants::UntimedMutants;
use tamper_runs::error::{ExperimentError, FileAction, OfFile as _, Result};
use tamper_runs::open_lines;
use tamper_runs::{Filter, Places, Record, Selection, Subject};

/// Records with the numbers of their mutants.
pub type UntimedRecords = Vec<(u64, Record)>;

/// The mutants of a finished run that `filter` keeps, as numbers and records. The run in `folder` decided the mutants
/// of `selection`.
///
/// # Errors
/// If the run is not finished, or its records belong to other mutants.
pub fn keep_untimed(
    mutants: &UntimedMutants,
    folder: &Path,
    selection: &Selection,
    filter: &Filter,
) -> Result<UntimedRecords> {
    let path = folder.join("mutants.jsonl");
    let mut lines = open_lines(&path).cannot(FileAction::Read, &path)?.lines();
    let mut kept = Vec::new();
    for (at, number) in (1..).zip(selection.slice(0..selection.len())) {
        let mutant = mutants
            .mutant(number)
            .ok_or_else(|| ExperimentError::no_mutant(number))?;
        let line = lines.next().transpose().cannot(FileAction::Read, &path)?;
        let unfinished = || {
            ExperimentError::Unfinished("the run is not finished: finish it with `tamper classify --resume`".to_owned())
        };
        let record = Record::of_mutant(&line.ok_or_else(unfinished)?, at, &mutant.id)?;
        let subject = Subject {
            number,
            record: &record,
            places: &Places::default(),
        };
        if filter.keeps(subject) {
            kept.push((number, record));
        }
    }
    Ok(kept)
}
