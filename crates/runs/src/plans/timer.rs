//! Deadlines: flags that are raised when the time of a decision is up.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::Limits;
use tamper_text::Budget;

/// Whether any decision was started in this process.
static HAS_BEGUN: AtomicBool = AtomicBool::new(false);
/// The time at which all decisions of this process end, if one is set.
static LAST: OnceLock<Instant> = OnceLock::new();

type Queue = Arc<Mutex<VecDeque<(Instant, Weak<AtomicBool>)>>>;

/// Makes the budget of each decision. With a time limit, a thread raises the flags whose deadlines have passed.
#[derive(Debug)]
pub struct Timer {
    limits: Limits,
    /// The flags in the order of their deadlines: all decisions get the same time.
    queue: Queue,
    /// The time at which all decisions end.
    end: Option<Instant>,
    thread: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
    /// Number of states that the last started decision has explored.
    watched: Option<Arc<AtomicU64>>,
    /// Raised by the caller to end the run.
    stop: Option<Arc<AtomicBool>>,
}

impl Timer {
    /// A timer for decisions under `limits`.
    pub fn new(limits: Limits) -> Self {
        Self::of_run(limits, None)
    }

    /// A timer for decisions under `limits`, all of which end after `total_ms` milliseconds from now.
    pub fn of_run(limits: Limits, total_ms: Option<u64>) -> Self {
        let (queue, now) = (Queue::default(), Instant::now());
        let own = total_ms.and_then(|total| now.checked_add(Duration::from_millis(total)));
        let end = own.into_iter().chain(LAST.get().copied()).min();
        let left = end.map(|end| end.saturating_duration_since(now).as_millis());
        let left = left.map(|left| u64::try_from(left).unwrap_or(u64::MAX));
        let shortest = limits.timeout_ms.into_iter().chain(left).min();
        let thread = shortest.map(|timeout| {
            let tick = Duration::from_millis((timeout / 10).clamp(1, 50));
            let (stop, stopped) = mpsc::channel();
            let queue = Arc::clone(&queue);
            let raise = move || {
                while stopped.recv_timeout(tick) == Err(RecvTimeoutError::Timeout) {
                    raise_due(&queue);
                }
            };
            (stop, std::thread::spawn(raise))
        });
        Self {
            limits,
            queue,
            end,
            thread,
            watched: None,
            stop: None,
        }
    }

    /// Sets the time at which the decisions of all timers made from now on end; only the first call has an effect.
    pub fn end_all(end: Instant) {
        // A second call is ignored.
        let _ = LAST.set(end);
    }

    /// Another timer with the same limits and the same end.
    #[must_use]
    pub fn another(&self) -> Self {
        self.under(self.limits, self.end)
    }

    /// Another timer that gives each decision this time, and has the same end; `None` if a decision has no more anyway.
    pub fn within(&self, time: Duration) -> Option<Self> {
        let time = u64::try_from(time.as_millis()).ok()?;
        let is_less = self.limits.timeout_ms.is_none_or(|timeout| timeout > time);
        let limits = Limits {
            timeout_ms: Some(time),
            ..self.limits
        };
        is_less.then(|| self.under(limits, self.end))
    }

    /// Another timer with the same limits, and this number of tenths of the time that is left.
    #[must_use]
    pub fn part(&self, tenths: u32) -> Self {
        let now = Instant::now();
        let part = |end: Instant| now + end.saturating_duration_since(now) * tenths / 10;
        self.under(self.limits, self.end.map(part))
    }

    /// Another timer with the same limits, all decisions of which end after this time from now, or before.
    #[must_use]
    pub fn at_most(&self, time: Duration) -> Self {
        let end = Instant::now().checked_add(time);
        self.under(self.limits, self.end.into_iter().chain(end).min())
    }

    fn under(&self, limits: Limits, end: Option<Instant>) -> Self {
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        let left = left.map(|left| left.as_millis().try_into().unwrap_or(u64::MAX));
        let mut another = Self::of_run(limits, left);
        another.end = end;
        another.stop.clone_from(&self.stop);
        another
    }

    /// The limits of a decision.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Also ends the decisions when `stop` is raised.
    #[must_use]
    pub fn until(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Lets decisions report in `states` the number of states that they have explored.
    #[must_use]
    pub fn watched(mut self, states: Arc<AtomicU64>) -> Self {
        self.watched = Some(states);
        self
    }

    /// Whether the time of all decisions together is up.
    pub fn is_over(&self) -> bool {
        let is_stopped = self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        is_stopped || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Whether single decisions have no limits.
    pub fn is_unlimited(&self) -> bool {
        self.limits == Limits::default()
    }

    /// Whether a decision was started in this process, by any timer: before that, inputs are read.
    pub fn has_begun() -> bool {
        HAS_BEGUN.load(Ordering::Relaxed)
    }

    /// The budget of one decision that starts now.
    pub fn budget(&self) -> Budget {
        HAS_BEGUN.store(true, Ordering::Relaxed);
        let now = Instant::now();
        let own = self
            .limits
            .timeout_ms
            .map(|timeout| now + Duration::from_millis(timeout));
        // Later decisions have later deadlines, even if the end of the run comes first.
        let deadline = own.into_iter().chain(self.end).min().map(|due| {
            let flag = Arc::new(AtomicBool::new(due <= now));
            if let Ok(mut queue) = self.queue.lock() {
                queue.push_back((due, Arc::downgrade(&flag)));
            }
            flag
        });
        Budget {
            max_states: self.limits.max_states,
            max_memory: self.limits.max_memory,
            deadline,
            watched: self.watched.clone(),
        }
    }
}

fn raise_due(queue: &Queue) {
    let now = Instant::now();
    let Ok(mut queue) = queue.lock() else { return };
    while let Some((due, flag)) = queue.front() {
        match flag.upgrade() {
            Some(_) if *due > now => return,
            Some(flag) => flag.store(true, Ordering::Relaxed),
            None => {}
        }
        queue.pop_front();
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.thread.take() {
            drop(stop);
            // A panic of the timer's thread does no further harm here.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_is_raised_when_its_time_has_come_and_not_without_a_limit() {
        let timer = Timer::new(Limits {
            timeout_ms: Some(1),
            ..Limits::default()
        });
        let budget = timer.budget();
        let started = Instant::now();
        while budget.exceeded(0, 0).is_none() {
            assert!(started.elapsed() < Duration::from_secs(60), "the flag was never raised");
            std::thread::yield_now();
        }
        assert!(Timer::new(Limits::default()).budget().deadline.is_none());
    }

    #[test]
    fn the_end_of_a_run_is_the_end_of_its_decisions() {
        let limits = Limits {
            timeout_ms: Some(3_600_000),
            ..Limits::default()
        };
        let timer = Timer::of_run(limits, Some(5));
        let early = timer.budget();
        while !timer.is_over() {
            std::thread::yield_now();
        }
        assert!(timer.budget().exceeded(0, 0).is_some(), "a later one ends at once");
        let started = Instant::now();
        while early.exceeded(0, 0).is_none() {
            assert!(started.elapsed() < Duration::from_secs(60), "the flag was never raised");
            std::thread::yield_now();
        }
        assert!(!Timer::of_run(limits, Some(3_600_000)).is_over() && !Timer::new(limits).is_over());
    }
}
