//! The mutants of order 1 of untimed systems by what they change.

use anyhow::{Context as _, Result};

use super::args::{AcceptedArgs, ChangedArgs};
use super::rows::{all_operators, asked, found};
use crate::cli::door::UntimedFile;
use crate::cli::systems::described_mutants;
use crate::cli::terminal::Terminal;
use tamper::experiment::{AcceptedFound, Description, Mutants, changed};
use tamper::mutation::Order;

/// The mutants of a system.
pub struct SystemMutants<'f> {
    file: &'f UntimedFile,
    list: Vec<Description>,
}

impl<'f> SystemMutants<'f> {
    /// The mutants of the system in `file`.
    pub fn of(file: &'f UntimedFile, terminal: &Terminal) -> Result<Self> {
        let list = described_mutants(file, terminal)?;
        Ok(Self { file, list })
    }

    /// Hands the mutants to `ask`.
    pub fn with<T>(&self, ask: impl FnOnce(&Mutants<'_>) -> Result<T>) -> Result<T> {
        ask(&Mutants {
            len: self.list.len() as u64,
            described: &|range| {
                let numbered = self.list.iter().filter(|mutant| range.contains(&mutant.number));
                Ok(numbered.cloned().collect())
            },
        })
    }

    /// The accepted ones; rows that accept none are named.
    pub fn accepted(&self, args: &AcceptedArgs, terminal: &Terminal) -> Result<AcceptedFound> {
        let Some(rows) = args.rows(&self.file.path)? else {
            return Ok(AcceptedFound::default());
        };
        let operators = all_operators();
        self.with(|mutants| found(&rows, mutants, asked(&operators, Order::FIRST), terminal))
    }

    /// The numbers of the mutants that the system as it was does not have; `None` if that is not asked for.
    pub fn changed(&self, args: &ChangedArgs, terminal: &Terminal) -> Result<Option<Vec<u64>>> {
        let Some(older) = args.older(&self.file.path)? else {
            return Ok(None);
        };
        let file = UntimedFile {
            path: older.path.clone(),
            format: self.file.format,
        };
        let was = SystemMutants::of(&file, &terminal.quietly()).with_context(|| older.context())?;
        let changed = was.with(|was| self.with(|mutants| Ok(changed(was, mutants)?)))?;
        Ok(Some(changed.into_keys().collect()))
    }
}
