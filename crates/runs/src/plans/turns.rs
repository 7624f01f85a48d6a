//! Turns: what takes long waits until the rest is done.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::Timer;

/// The time of each job before others have their turn, and its growth from turn to turn.
pub(crate) const TURN: Duration = Duration::from_millis(250);
pub(crate) const GROWTH: u32 = 4;

/// The results of `n` jobs, each by its position and a timer for its questions. What is not done within its turn is done again from
/// the start, so that no turn has a say in a result.
pub(crate) fn in_turns<T: Send>(n: usize, timer: &Timer, job: impl Fn(usize, &Timer) -> T + Sync) -> Vec<T> {
    let (mut open, mut turn) = ((0..n).collect::<Vec<usize>>(), TURN);
    let mut done = Vec::with_capacity(n);
    while !open.is_empty() {
        let shorter = timer.within(turn).filter(|_| !timer.is_over());
        let tried = |at: usize| {
            let started = Instant::now();
            let result = job(at, shorter.as_ref().unwrap_or(timer));
            let waits = shorter.is_some() && started.elapsed() >= turn;
            (at, (!waits).then_some(result))
        };
        let tried: Vec<_> = open.into_par_iter().map(tried).collect();
        open = Vec::new();
        for (at, result) in tried {
            match result {
                Some(result) => done.push((at, result)),
                None => open.push(at),
            }
        }
        turn = turn.saturating_mul(GROWTH);
    }
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}
