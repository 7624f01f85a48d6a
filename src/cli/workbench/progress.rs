//! The progress of a decision, with the page of the mutants that are decided so far.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use tamper::report::{LivePage, PageFacts, RunPage, Scene};

/// The time after which a decision shows what it has; most decisions are shorter.
const SOON: Duration = Duration::from_millis(1200);

/// The version of a page that nobody has seen yet.
const UNSEEN: u64 = u64::MAX;

/// The page of the mutants that are decided so far.
pub struct PartialPage {
    /// The page for a browser that opens it now.
    pub html: String,
    /// The message for pages of an older version.
    pub news: Value,
}

impl PartialPage {
    /// The same page as that version.
    fn with_version(mut self, version: u64) -> Self {
        let live = |version: u64| format!("\"live\":{version}");
        self.html = self.html.replacen(&live(UNSEEN), &live(version), 1);
        self.news["version"] = json!(version);
        self.news["data"]["live"] = json!(version);
        self
    }
}

/// The progress of a decision.
#[derive(Default)]
pub struct DecisionProgress {
    done: AtomicU64,
    all: AtomicU64,
    /// The number of mutants on the last partial page, from 1; 0 before there is a page.
    n_shown: AtomicU64,
    /// The last partial page, until it is taken.
    page: Mutex<Option<PartialPage>>,
    /// The flag that ends the decision.
    pub stop: Arc<AtomicBool>,
}

impl DecisionProgress {
    /// Notes the number of selected mutants.
    pub fn begin(&self, all: u64) {
        self.all.store(all, Ordering::Relaxed);
    }

    /// Notes the number of decided mutants. Returns whether they are worth a new page, in a decision that began at `started`: there are
    /// half as many again as on the last one, so that all pages together cost as much as three of the whole run.
    pub fn is_due(&self, done: u64, started: Instant) -> bool {
        self.done.store(done, Ordering::Relaxed);
        started.elapsed() >= SOON && 2 * (done + 1) >= 3 * self.n_shown.load(Ordering::Relaxed)
    }

    /// Makes the page of the mutants decided so far.
    pub fn show(&self, page: &RunPage, facts: &PageFacts, scenes: &[Scene]) {
        let done = self.done.load(Ordering::Relaxed);
        let live = LivePage {
            version: UNSEEN,
            suite: None,
            deciding: Some(self.json()),
        };
        let partial = PartialPage {
            html: page.live_html(facts, scenes, &live),
            news: page.news(facts, scenes, &live),
        };
        self.n_shown.store(done + 1, Ordering::Relaxed);
        *self.page.lock().unwrap_or_else(PoisonError::into_inner) = Some(partial);
    }

    /// Takes the page of the mutants decided so far, if it is a new one, and it is time for it in a decision that began at `started`: it
    /// becomes the next version after `version`.
    pub fn page(&self, version: u64, started: Instant) -> Option<PartialPage> {
        let page = || self.page.lock().unwrap_or_else(PoisonError::into_inner).take();
        let is_time = started.elapsed() >= SOON;
        is_time.then(page).flatten().map(|page| page.with_version(version + 1))
    }

    /// The numbers of decided and of all mutants, as the page shows them.
    pub fn json(&self) -> Value {
        json!({ "done": self.done(), "all": self.all() })
    }

    /// The number of decided mutants.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// The number of mutants that will be decided; 0 before it is known.
    pub fn all(&self) -> u64 {
        self.all.load(Ordering::Relaxed)
    }
}
