//! Turns: what takes long waits until the rest is done.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::Timer;
use crate::decision::one_by_one::in_order;
use crate::error::Result;

/// The time of each job before others have their turn, and its growth from turn to turn.
const TURN: Duration = Duration::from_millis(250);
const GROWTH: u32 = 4;

/// Hands `done` the results of the jobs at the positions in `open`, each made with a timer for its questions. What is not done within
/// its turn is done again from the start, so that no turn has a say in a result.
///
/// # Errors
/// The first error of `done`.
pub(crate) fn each_in_turn<S: Default, T>(
    mut open: Vec<usize>,
    timer: &Timer,
    job: impl Fn(usize, &Timer, &mut S) -> T + Sync,
    done: impl Fn(usize, T) -> Result<()> + Sync,
) -> Result<()> {
    let mut turn = TURN;
    while !open.is_empty() {
        let shorter = timer.within(turn).filter(|_| !timer.is_over());
        let waiting = Mutex::new(Vec::new());
        in_order(open.len(), |at, scratch: &mut S| {
            let (at, started) = (open[at], Instant::now());
            let result = job(at, shorter.as_ref().unwrap_or(timer), scratch);
            if shorter.is_some() && started.elapsed() >= turn {
                waiting.lock().unwrap_or_else(PoisonError::into_inner).push(at);
                return Ok(());
            }
            done(at, result)
        })?;
        open = waiting.into_inner().unwrap_or_else(PoisonError::into_inner);
        open.sort_unstable();
        turn = turn.saturating_mul(GROWTH);
    }
    Ok(())
}

/// The results of `n` such jobs.
pub(crate) fn in_turns<T: Send + Sync>(n: usize, timer: &Timer, job: impl Fn(usize, &Timer) -> T + Sync) -> Vec<T> {
    let results: Vec<OnceLock<T>> = (0..n).map(|_| OnceLock::new()).collect();
    let keep = |at: usize, result| {
        let _ = results[at].set(result);
        Ok(())
    };
    each_in_turn((0..n).collect(), timer, |at, timer, (): &mut ()| job(at, timer), keep)
        .expect("keeping has no errors");
    results.into_iter().filter_map(OnceLock::into_inner).collect()
}
