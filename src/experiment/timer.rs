//! Deadlines: flags that are raised when a decision's time is up.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::Limits;
use crate::base::Budget;

type Queue = Arc<Mutex<VecDeque<(Instant, Weak<AtomicBool>)>>>;

/// Makes the budget of each decision. With a time limit, a thread raises the flags whose time has come.
#[derive(Debug)]
pub struct Timer {
    limits: Limits,
    /// The flags in the order of their deadlines: all decisions get the same time.
    queue: Queue,
    thread: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
}

impl Timer {
    /// A timer for decisions under `limits`.
    pub fn new(limits: Limits) -> Self {
        let queue = Queue::default();
        let thread = limits.timeout_ms.map(|timeout| {
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
        Self { limits, queue, thread }
    }

    /// Whether there are no limits.
    pub fn is_unlimited(&self) -> bool {
        self.limits == Limits::default()
    }

    /// The budget of one decision that starts now.
    pub fn budget(&self) -> Budget {
        let deadline = self.limits.timeout_ms.map(|timeout| {
            let flag = Arc::new(AtomicBool::new(false));
            if let Ok(mut queue) = self.queue.lock() {
                queue.push_back((Instant::now() + Duration::from_millis(timeout), Arc::downgrade(&flag)));
            }
            flag
        });
        Budget {
            max_states: self.limits.max_states,
            max_memory: self.limits.max_memory,
            deadline,
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
            // A panic of the timer's thread has nothing more to spoil here.
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
}
