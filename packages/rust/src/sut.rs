//! The handle that the program under test works with.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::rc::Rc;
use std::time::Duration;

use crate::Wrong;
use crate::clock::Clock;

/// The program under test from one reset to the next: its clock, its timers, its outputs. Its later outputs are ignored.
#[derive(Clone)]
pub struct Sut(Rc<RefCell<Generation>>);

/// A timer that was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timer((u64, u64));

struct Generation {
    clock: Clock,
    outputs: VecDeque<String>,
    cleanups: Vec<Box<dyn FnOnce()>>,
    ended: bool,
}

impl Sut {
    pub(crate) fn new(clock: Clock) -> Self {
        Self(Rc::new(RefCell::new(Generation {
            clock,
            outputs: VecDeque::new(),
            cleanups: Vec::new(),
            ended: false,
        })))
    }

    /// Makes an output of the program now. The values follow its name: `say("is", &[2])` is `is_2`, which tamper calls the model's `is[2]`.
    pub fn say(&self, output: &str, values: &[u32]) {
        let mut text = output.to_owned();
        for value in values {
            let _ = write!(text, "_{value}"); // A string takes everything.
        }
        let mut generation = self.0.borrow_mut();
        if !generation.ended {
            generation.outputs.push_back(text);
        }
    }

    /// Returns the duration of `top / bottom` time units of the model. Write the program's timeouts with it.
    ///
    /// # Panics
    /// In virtual time, if the duration is not a whole number of nanoseconds.
    pub fn units(&self, top: u64, bottom: u64) -> Duration {
        match self.0.borrow().clock.units(top, bottom) {
            Ok(nanos) => Duration::from_nanos(nanos),
            Err(wrong) => panic!("{wrong}"),
        }
    }

    /// The time since the reset, in place of `Instant::now`.
    pub fn now(&self) -> Duration {
        Duration::from_nanos(self.0.borrow().clock.now())
    }

    /// Calls `action` after the time `wait`.
    pub fn after(&self, wait: Duration, action: impl FnOnce() + 'static) -> Timer {
        let nanos = u64::try_from(wait.as_nanos()).unwrap_or(u64::MAX);
        Timer(self.0.borrow_mut().clock.set(nanos, Box::new(action)))
    }

    /// Stops the timer; nothing happens if it has fired.
    pub fn cancel(&self, timer: Timer) {
        let action = self.0.borrow_mut().clock.cancel(timer.0);
        drop(action); // Values that it holds may use this generation as they are dropped.
    }

    /// Calls `cleanup` at the next reset and at the end, the last one first.
    pub fn at_end(&self, cleanup: impl FnOnce() + 'static) {
        self.0.borrow_mut().cleanups.push(Box::new(cleanup));
    }

    pub(crate) fn end(&self) {
        self.0.borrow_mut().ended = true;
        let cleanups = std::mem::take(&mut self.0.borrow_mut().cleanups);
        for cleanup in cleanups.into_iter().rev() {
            cleanup();
        }
        let timers = self.0.borrow_mut().clock.clear();
        drop(timers);
    }

    /// Takes out the outputs that have not been sent.
    pub(crate) fn outputs(&self) -> Vec<String> {
        self.0.borrow_mut().outputs.drain(..).collect()
    }

    /// The time until the first timer is due.
    pub(crate) fn rest(&self) -> Option<Duration> {
        let generation = self.0.borrow();
        let due = generation.clock.first()?;
        Some(Duration::from_nanos(due.saturating_sub(generation.clock.now())))
    }

    /// Fires the timers that are due now.
    pub(crate) fn settle(&self) {
        let now = self.0.borrow().clock.now();
        self.0.borrow_mut().clock.step(now);
        while self.fire(now) {}
    }

    fn fire(&self, until: u64) -> bool {
        let action = self.0.borrow_mut().clock.take(until);
        action.map(|action| action()).is_some()
    }

    /// Lets time pass until the first output, and returns the answer of the protocol.
    pub(crate) fn delay(&self, top: u64, bottom: u64) -> Result<String, Wrong> {
        let begun = self.0.borrow().clock.now();
        let end = self.0.borrow().clock.later(top, bottom)?;
        while self.0.borrow().outputs.is_empty() && self.fire(end) {}
        let mut generation = self.0.borrow_mut();
        if let Some(output) = generation.outputs.pop_front() {
            let passed = generation.clock.now() - begun;
            let (unit, common) = (generation.clock.unit, divisor(generation.clock.unit, passed));
            return Ok(format!("output {output} after {}/{}", passed / common, unit / common));
        }
        generation.clock.step(end);
        Ok("done".to_owned())
    }
}

pub(crate) fn divisor(left: u64, right: u64) -> u64 {
    if right == 0 { left } else { divisor(right, left % right) }
}
