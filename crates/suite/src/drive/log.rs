//! The log of a test: its events in the order of time, and the lateness of the tester.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed as _, Zero as _};

/// An event of a test run, with its time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The time of the event, in time units since the test began.
    pub at: BigRational,
    /// The input, output or silence that happened.
    pub what: What,
}

/// An input, output, refusal or silence in a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// The tester gave an input (`name?`).
    Input(String),
    /// The system refused an input (`name?`).
    Refused(String),
    /// The system made an output (`name!`).
    Output(String),
    /// No output came until the tester stopped waiting.
    Silence,
}

/// Number of inputs and outputs among the events.
pub fn n_events(log: &[Event]) -> usize {
    let is_one = |event: &&Event| matches!(event.what, What::Input(_) | What::Output(_));
    log.iter().filter(is_one).count()
}

/// The amount by which the tester missed a moment: it was late to act or to look up, or could not tell when something happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lateness {
    /// The position of the event in the log, from 1.
    pub step: usize,
    /// The lateness, in time units.
    pub by: BigRational,
}

impl Lateness {
    /// Whether a fail may be the tester's fault: it was later than the tolerance, or, if that is zero, than a tenth of a time unit
    /// (no clock on the wall is exact).
    pub fn exceeds(&self, tolerance: &BigRational) -> bool {
        match tolerance.is_zero() {
            true => self.by > BigRational::new(BigInt::from(1), BigInt::from(10)),
            false => self.by > *tolerance,
        }
    }
}

/// The events of a run so far.
#[derive(Default)]
pub(crate) struct EventLog {
    pub events: Vec<Event>,
    pub lateness: Option<Lateness>,
}

impl EventLog {
    /// Adds an event of the tester, which comes after all that is known. Returns the event as it stands in the log.
    pub fn does(&mut self, what: What, at: BigRational) -> &Event {
        let at = self.until(at);
        self.events.push(Event { at, what });
        &self.events[self.events.len() - 1]
    }

    /// Adds an event of the system, which may be heard only after later acts of the tester. Returns its position, from 1.
    pub fn hears(&mut self, what: What, at: BigRational) -> usize {
        let before = self.events.iter().rposition(|event| event.at <= at);
        let position = before.map_or(0, |before| before + 1);
        if let Some(lateness) = self.lateness.as_mut().filter(|lateness| lateness.step > position) {
            lateness.step += 1;
        }
        self.events.insert(position, Event { at, what });
        position + 1
    }

    /// Notes that the tester missed the moment of this step by at least `by`; a negative `by` is ignored.
    pub fn was_late(&mut self, step: usize, by: BigRational) {
        let is_most = self.lateness.as_ref().is_none_or(|known| known.by < by);
        if is_most && !by.is_negative() {
            self.lateness = Some(Lateness { step, by });
        }
    }

    /// The moment `at`, or the time of the last event if it is later.
    pub fn until(&self, at: BigRational) -> BigRational {
        let last = self.events.last().map(|event| &event.at);
        last.filter(|last| **last > at).cloned().unwrap_or(at)
    }
}
