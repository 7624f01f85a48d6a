//! The mutants of timed games and networks by what they change.

use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::args::{AcceptedArgs, ChangedArgs};
use super::rows::{asked, found};
use crate::cli::arguments::args::GlobalArgs;
use crate::cli::models::mutated::MutatedModel;
use crate::cli::models::read_mutated::{MutatedRequest, read_mutated};
use crate::cli::terminal::Terminal;
use tamper::experiment::{AcceptedFound, MutantSet, Mutants, changed, described};
use tamper::formats::suite_json::SuiteSpecification;
use tamper::mutation::{AppliedOperator, MutationOptions, Order};

/// How a model is read, so that the older one is read in the same way.
#[derive(Clone, Copy)]
pub struct OlderRequest<'a> {
    /// The request for the model.
    pub asked: MutatedRequest<'a>,
    /// The model of the suite, if there is one.
    pub of_suite: Option<&'a SuiteSpecification>,
    /// The options of every command.
    pub global: &'a GlobalArgs,
}

/// The mutants that operators make of a model.
#[derive(Clone, Copy)]
pub struct TimedMutants<'m> {
    /// The model.
    pub model: &'m dyn MutatedModel,
    /// What the operators may do.
    pub options: &'m MutationOptions,
    /// The order of the mutants.
    pub order: Order,
}

impl TimedMutants<'_> {
    /// Hands the mutants to `ask`.
    pub fn with<T>(&self, ask: impl FnOnce(&Mutants<'_>) -> Result<T>) -> Result<T> {
        let set = self.model.set(self.options, self.order)?;
        let set: &dyn MutantSet = &*set;
        let described = |range: Range<u64>| described(set, &range.collect::<Vec<_>>());
        ask(&Mutants {
            len: set.n_mutants(),
            described: &described,
        })
    }

    /// The names of the operators.
    pub fn operators(&self) -> Vec<&'static str> {
        let plain = self.options.operators.iter().map(|operator| (*operator, false));
        let again = self.options.again.iter().map(|operator| (*operator, true));
        let all = plain.chain(again);
        all.map(|(operator, again)| AppliedOperator { again, operator }.name())
            .collect()
    }

    /// The accepted ones; rows that accept none are named.
    pub fn accepted(&self, args: &AcceptedArgs, file: &Path, terminal: &Terminal) -> Result<AcceptedFound> {
        let mut rows = args.rows(file)?;
        rows.conditions.extend(self.model.accept_comments()?);
        if rows.is_empty() {
            return Ok(AcceptedFound::default());
        }
        let operators = self.operators();
        self.with(|mutants| found(&rows, mutants, asked(&operators, self.order), terminal))
    }

    /// The numbers of the mutants that the model as it was does not have; `None` if that is not asked for.
    pub fn changed(
        &self,
        args: &ChangedArgs,
        request: OlderRequest<'_>,
        terminal: &Terminal,
    ) -> Result<Option<Vec<u64>>> {
        let Some(older) = args.older(request.asked.file)? else {
            return Ok(None);
        };
        let asked = MutatedRequest {
            file: &older.path,
            ..request.asked
        };
        let was = read_mutated(asked, request.of_suite, request.global, &terminal.quietly());
        let was = was.with_context(|| older.context())?;
        let was = TimedMutants { model: &*was, ..*self };
        let changed = was.with(|was| self.with(|mutants| Ok(changed(was, mutants)?)))?;
        Ok(Some(changed.into_keys().collect()))
    }
}
