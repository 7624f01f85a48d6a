//! Detects whether this process was stopped or held up: a thread looks at the clock again and again, and notes the gaps.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Pause between two looks at the clock.
const BEAT: Duration = Duration::from_millis(5);
/// Tolerated delay of a look at the clock on a busy machine; also the time after a gap for which other threads may still take what
/// came in the gap for new.
const SLACK: Duration = Duration::from_millis(20);
/// Maximum number of gaps that are remembered.
const MAX_GAPS: usize = 1_000;

/// A thread that looks at the clock until this is dropped.
pub(super) struct StallDetector(Arc<Mutex<Beats>>);

struct Beats {
    last: Instant,
    gaps: VecDeque<(Instant, Instant)>,
}

impl StallDetector {
    pub fn start() -> Self {
        let beats = Beats {
            last: Instant::now(),
            gaps: VecDeque::new(),
        };
        let beats = Arc::new(Mutex::new(beats));
        let seen = Arc::downgrade(&beats);
        std::thread::spawn(move || beat(&seen));
        Self(beats)
    }

    /// The time for which nobody had looked at the clock when this moment was taken: an event found at that moment may have
    /// happened earlier by that time.
    pub fn doubt(&self, at: Instant) -> Duration {
        lock(&self.0).doubt(at)
    }
}

fn lock(beats: &Mutex<Beats>) -> MutexGuard<'_, Beats> {
    beats.lock().unwrap_or_else(PoisonError::into_inner)
}

fn beat(beats: &Weak<Mutex<Beats>>) {
    while let Some(beats) = beats.upgrade() {
        lock(&beats).beat(Instant::now());
        drop(beats);
        std::thread::sleep(BEAT);
    }
}

impl Beats {
    fn beat(&mut self, now: Instant) {
        if now.duration_since(self.last) > BEAT + SLACK {
            self.gaps.push_back((self.last, now));
        }
        if self.gaps.len() > MAX_GAPS {
            self.gaps.pop_front();
        }
        self.last = now;
    }

    fn doubt(&self, at: Instant) -> Duration {
        let gaps = self.gaps.iter().filter(|(from, to)| *from <= at && at <= *to + SLACK);
        let of_gaps = gaps.map(|(from, to)| at.min(*to).duration_since(*from)).max();
        // The gap may still last, or may not be noted yet.
        let of_now = Some(at.saturating_duration_since(self.last)).filter(|since| *since > BEAT + SLACK);
        of_gaps.max(of_now).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_in_a_gap_or_just_after_it_may_be_as_old_as_the_gap() {
        let start = Instant::now();
        let at = |millis| start + Duration::from_millis(millis);
        let mut beats = Beats {
            last: start,
            gaps: VecDeque::new(),
        };
        let doubt = |beats: &Beats, millis| beats.doubt(at(millis)).as_millis();
        beats.beat(at(5));
        beats.beat(at(24));
        assert_eq!((doubt(&beats, 10), doubt(&beats, 30)), (0, 0));
        // Nobody looks from 24 to 424.
        assert_eq!(doubt(&beats, 420), 396);
        beats.beat(at(424));
        beats.beat(at(429));
        let found = [23, 124, 424, 440, 445].map(|millis| doubt(&beats, millis));
        assert_eq!(found, [0, 100, 400, 400, 0]);
    }
}
