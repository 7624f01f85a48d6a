//! A log in integers, with the orders in which its events can have happened.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, ToPrimitive as _};

use crate::drive::{Event, What};
use crate::error::SuiteFailure;
use tamper_zones::Bound;

/// The observations of a program.
#[derive(Clone, Copy, Debug)]
pub struct Trace<'l> {
    /// The events, in the order in which the tester saw them.
    pub events: &'l [Event],
    /// The time until which the tester listened, in time units since the start; at least the last event's time.
    pub until: &'l BigRational,
    /// Maximum difference between the time of an output and the time at which it was made, in time units. The times of inputs are exact.
    pub tolerance: &'l BigRational,
}

/// An output that was seen, with the times at which it can have been made.
#[derive(Clone, Debug)]
pub(super) struct ObservedOutput {
    pub label: String,
    pub earliest: i64,
    pub latest: i64,
    /// Number of inputs before it in the log.
    pub n_inputs: usize,
    event: usize,
}

/// An input that was given.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub label: String,
    pub at: i64,
    /// Number of outputs before it in the log: they were made before it.
    pub n_outputs: usize,
    /// Its position in the log.
    pub event: usize,
    /// The position of its refusal in the log.
    refusal: Option<usize>,
    pub is_refused: bool,
}

/// A log. Times are in units of one part in `scale` of a time unit.
#[derive(Clone, Debug)]
pub(super) struct TimedLog {
    pub scale: i64,
    pub inputs: Vec<Given>,
    pub outputs: Vec<ObservedOutput>,
    /// The time until which the tester listened.
    pub until: i64,
    /// The time until which runs are followed.
    pub horizon: i64,
    /// The time from which on outputs may have been made without being seen; `None` if all were seen.
    pub unseen_from: Option<i64>,
    tolerance: i64,
    /// The times of the events.
    times: Vec<i64>,
}

impl TimedLog {
    pub fn new(trace: Trace<'_>) -> Result<Self, SuiteFailure> {
        let times = || trace.events.iter().map(|event| &event.at);
        let all = times().chain([trace.until, trace.tolerance]);
        let scale = all.fold(BigInt::one(), |scale, time| scale.lcm(time.denom()));
        let integer = |time: &BigRational| {
            let scaled = (time * &scale).to_integer().to_i64();
            scaled.filter(|time| (0..=Bound::LIMIT / 2).contains(time))
        };
        let integer = |time: &BigRational| integer(time).ok_or(SuiteFailure::TraceTooFine);
        let times: Vec<i64> = times().map(integer).collect::<Result<_, _>>()?;
        let tolerance = integer(trace.tolerance)?;
        let until = times.iter().copied().fold(integer(trace.until)?, i64::max);
        let mut record = Self {
            scale: scale.to_i64().ok_or(SuiteFailure::TraceTooFine)?,
            inputs: Vec::new(),
            outputs: Vec::new(),
            until,
            horizon: until,
            unseen_from: None,
            tolerance,
            times,
        };
        for (event, logged) in trace.events.iter().enumerate() {
            record.add(event, &logged.what);
        }
        Ok(record.listening_until(until))
    }

    fn add(&mut self, event: usize, what: &What) {
        let at = self.times[event];
        match what {
            What::Input(label) => self.inputs.push(Given {
                label: label.clone(),
                at,
                n_outputs: self.outputs.len(),
                event,
                refusal: None,
                is_refused: false,
            }),
            What::Output(label) => self.outputs.push(ObservedOutput {
                label: label.clone(),
                earliest: (at - self.tolerance).max(0),
                latest: at + self.tolerance,
                n_inputs: self.inputs.len(),
                event,
            }),
            What::Refused(label) => {
                let mut given = self.inputs.iter_mut().rev();
                if let Some(given) = given.find(|given| given.label == *label && !given.is_refused) {
                    (given.refusal, given.is_refused) = (Some(event), true);
                }
            }
            What::Silence => {}
        }
    }

    fn listening_until(mut self, until: i64) -> Self {
        (self.until, self.horizon) = (until, until);
        self.unseen_from = (self.tolerance > 0).then_some((until - self.tolerance).max(0));
        self
    }

    /// The first `n` events, without anything that was heard after them.
    pub fn beginning(&self, n: usize) -> Self {
        let mut record = self.clone();
        record.inputs.retain(|given| given.event < n);
        record.outputs.retain(|made| made.event < n);
        for given in &mut record.inputs {
            given.is_refused = given.refusal.is_some_and(|event| event < n);
        }
        let until = self.times[..n].iter().copied().max().unwrap_or(0);
        record.listening_until(until)
    }

    /// The first `n` events; runs are followed until the next event may have happened, or to the end.
    pub fn before(&self, n: usize) -> Self {
        let next = self.times.get(n).map_or(self.until, |at| at + self.tolerance);
        let beginning = self.beginning(n);
        Self {
            horizon: next.max(beginning.until),
            ..beginning
        }
    }

    /// The record if every output was seen.
    pub fn without_unseen(&self) -> Self {
        Self {
            unseen_from: None,
            ..self.clone()
        }
    }

    /// Whether outputs may be logged after inputs before which they were made.
    pub fn is_loose(&self) -> bool {
        self.tolerance > 0
    }
}
