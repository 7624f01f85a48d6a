//! Limits of a computation, and the reason it stopped at one.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Allocation counter registered with `count_memory`.
static ALLOCATED: OnceLock<fn() -> u64> = OnceLock::new();

/// Registers the allocation counter for [`Budget::max_memory`]. Only the first registration counts.
pub fn count_memory(allocated: fn() -> u64) {
    // Later registrations are ignored.
    let _ = ALLOCATED.set(allocated);
}

/// Number of bytes that the program has allocated; 0 if no counter is registered.
pub fn allocated() -> u64 {
    ALLOCATED.get().map_or(0, |allocated| allocated())
}

/// Limits of one decision. Counts are deterministic; the deadline arrives as a flag that the caller sets.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Most symbolic states explored in one decision.
    pub max_states: Option<u64>,
    /// Most bytes of zones held at once in one decision, and of everything that the program has [`allocated`].
    pub max_memory: Option<u64>,
    /// Set from outside when the time is up.
    pub deadline: Option<Arc<AtomicBool>>,
    /// Number of states that the current decision has explored, for progress displays.
    pub watched: Option<Arc<AtomicU64>>,
}

impl Budget {
    /// A budget without any limit.
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// The same with at most `states` symbolic states.
    #[must_use]
    pub fn at_most(&self, states: u64) -> Self {
        Self {
            max_states: Some(self.max_states.map_or(states, |most| most.min(states))),
            ..self.clone()
        }
    }

    /// The limit that `states` explored states holding `bytes` bytes of zones pass, if any.
    pub fn exceeded(&self, states: u64, bytes: u64) -> Option<StopReason> {
        if let Some(watched) = &self.watched {
            watched.store(states, Ordering::Relaxed);
        }
        if self.max_states.is_some_and(|most| states > most) {
            return Some(StopReason::States);
        }
        if self.max_memory.is_some_and(|most| bytes.max(allocated()) > most) {
            return Some(StopReason::Memory);
        }
        let late = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        self.deadline.as_ref().is_some_and(late).then_some(StopReason::Time)
    }
}

crate::named! {
    /// The limit that a computation hit.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum StopReason {
        /// [`Budget::max_states`] was passed.
        States = "state budget (--max-states) hit",
        /// [`Budget::max_memory`] was passed.
        Memory = "memory budget (--max-memory) hit",
        /// The [`Budget::deadline`] was reached.
        Time = "time budget (--timeout or --total-timeout) hit",
    }
}

impl std::error::Error for StopReason {}
