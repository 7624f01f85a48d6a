//! A decision of a model's mutants in a separate thread.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Instant;

use anyhow::{Result, anyhow};

use super::edited::{DecidedModel, EditedModel};
use super::progress::{DecisionProgress, PartialPage};
use super::watched::Stamp;
use crate::cli::terminal::Terminal;

/// A decision that goes on. The thread ends soon after this is dropped.
pub struct Decision<'scope> {
    /// Its progress.
    pub progress: Arc<DecisionProgress>,
    /// The stamp of the model that is decided.
    pub stamp: Stamp,
    /// The time of its begin.
    pub started: Instant,
    /// `None` after the result was taken.
    thread: Option<ScopedJoinHandle<'scope, Result<DecidedModel>>>,
}

impl<'scope> Decision<'scope> {
    /// Begins to decide the current version of the model.
    pub fn start<'env>(scope: &'scope Scope<'scope, 'env>, edit: EditedModel<'env>, terminal: Terminal) -> Self {
        let progress = Arc::new(DecisionProgress::default());
        let stamp = Stamp::of(&edit.args.file);
        let shared = Arc::clone(&progress);
        Self {
            progress,
            stamp,
            started: Instant::now(),
            thread: Some(scope.spawn(move || edit.decided(&shared, &terminal))),
        }
    }

    /// Whether the thread has ended.
    pub fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(ScopedJoinHandle::is_finished)
    }

    /// The page of the mutants decided so far, if there is a new one, as the version after `version`.
    pub fn page(&self, version: u64) -> Option<PartialPage> {
        self.progress.page(version, self.started)
    }

    /// Waits for the thread, and returns the model.
    pub fn result(mut self) -> Result<DecidedModel> {
        let ended = self.thread.take().map(ScopedJoinHandle::join);
        let ended = ended.and_then(Result::ok);
        ended.unwrap_or_else(|| Err(anyhow!("an error of tamper: the model was not decided")))
    }
}

impl Drop for Decision<'_> {
    fn drop(&mut self) {
        self.progress.stop.store(true, Ordering::Relaxed);
    }
}
