//! The mutants of untimed systems by what they change: of order 1, and of state machines all.

use anyhow::{Context as _, Result};

use super::args::{AcceptedArgs, ChangedArgs};
use super::rows::{all_operators, asked, found};
use crate::cli::systems::{MutatedFile, mutants_of, with_mutants};
use crate::cli::terminal::Terminal;
use tamper::experiment::{AcceptedFound, Mutants, changed};
use tamper::mutation::Order;
use tamper::untimed::UntimedMutants;

/// The mutants of a system.
pub struct SystemMutants {
    file: MutatedFile,
    complete: bool,
    mutants: UntimedMutants,
}

impl SystemMutants {
    /// The mutants of the system in `file`; `complete` tells whether what a machine does not specify is filled in.
    pub fn of(file: MutatedFile, complete: bool, terminal: &Terminal) -> Result<Self> {
        let mutants = mutants_of(&file, Order::FIRST, complete, terminal)?;
        Ok(Self {
            file,
            complete,
            mutants,
        })
    }

    /// Hands the mutants to `ask`.
    pub fn with<T>(&self, ask: impl FnOnce(&Mutants<'_>) -> Result<T>) -> Result<T> {
        with_mutants(&self.mutants, ask)
    }

    /// The accepted ones; rows that accept none are named.
    pub fn accepted(&self, args: &AcceptedArgs, terminal: &Terminal) -> Result<AcceptedFound> {
        let rows = args.rows(self.file.path())?;
        if rows.is_empty() {
            return Ok(AcceptedFound::default());
        }
        let operators = all_operators();
        self.with(|mutants| found(&rows, mutants, asked(&operators, Order::FIRST), terminal))
    }

    /// The numbers of the mutants that the system as it was does not have; `None` if that is not asked for.
    pub fn changed(&self, args: &ChangedArgs, terminal: &Terminal) -> Result<Option<Vec<u64>>> {
        let Some(older) = args.older(self.file.path())? else {
            return Ok(None);
        };
        let was = Self::of(self.file.at(&older.path), self.complete, &terminal.quietly());
        let was = was.with_context(|| older.context())?;
        let changed = was.with(|was| self.with(|mutants| Ok(changed(was, mutants)?)))?;
        Ok(Some(changed.into_keys().collect()))
    }
}
