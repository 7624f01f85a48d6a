//! The clock of one generation, and its timers.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::Wrong;

/// Maximal number of timers that may fire at one moment: a program with more never comes to rest.
const AT_ONCE: u32 = 100_000;

type Action = Box<dyn FnOnce()>;

/// A clock that is stepped, or the wall clock, with the actions of its timers.
pub struct Clock {
    /// Nanoseconds in a time unit of the model.
    pub unit: u64,
    begun: Option<Instant>,
    stepped: u64,
    timers: BTreeMap<(u64, u64), Action>,
    set: u64,
    fired_at_once: u32,
}

impl Clock {
    pub fn new(unit: u64, real: bool) -> Self {
        Self {
            unit,
            begun: real.then(Instant::now),
            stepped: 0,
            timers: BTreeMap::new(),
            set: 0,
            fired_at_once: 0,
        }
    }

    pub fn is_real(&self) -> bool {
        self.begun.is_some()
    }

    /// Nanoseconds since the reset.
    pub fn now(&self) -> u64 {
        match self.begun {
            Some(begun) => u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX),
            None => self.stepped,
        }
    }

    /// The moment `top / bottom` time units from now, for a clock that is stepped.
    pub fn later(&self, top: u64, bottom: u64) -> Result<u64, Wrong> {
        let end = self.now().checked_add(self.units(top, bottom)?);
        end.ok_or_else(|| Wrong(format!("{top}/{bottom} time units are too long for this clock")))
    }

    /// The number of nanoseconds in `top / bottom` time units; the wall clock rounds it down.
    pub fn units(&self, top: u64, bottom: u64) -> Result<u64, Wrong> {
        let nanos = u128::from(top) * u128::from(self.unit);
        let below = u128::from(bottom);
        if below == 0 {
            return Err(Wrong(format!("{top}/0 is no time")));
        }
        if !self.is_real() && nanos % below != 0 {
            let what = format!("{top}/{bottom} time units are no whole number of nanoseconds");
            return Err(Wrong(format!("{what}; another unit or --grid helps")));
        }
        u64::try_from(nanos / below)
            .map_err(|_| Wrong(format!("{top}/{bottom} time units are too long for this clock")))
    }

    pub fn set(&mut self, wait: u64, action: Action) -> (u64, u64) {
        self.set += 1;
        let key = (self.now().saturating_add(wait), self.set);
        self.timers.insert(key, action);
        key
    }

    pub fn cancel(&mut self, key: (u64, u64)) -> Option<Action> {
        self.timers.remove(&key)
    }

    /// Takes out all timers, so that they can be dropped: they hold parts of the program.
    pub fn clear(&mut self) -> BTreeMap<(u64, u64), Action> {
        std::mem::take(&mut self.timers)
    }

    /// The time at which the first timer is due, in nanoseconds since the reset; `None` without timers.
    pub fn first(&self) -> Option<u64> {
        self.timers.first_key_value().map(|(key, _)| key.0)
    }

    /// Takes the first timer that is due by then; a stepped clock shows its moment.
    pub fn take(&mut self, until: u64) -> Option<Action> {
        let due = self.first().filter(|due| *due <= until)?;
        if due > self.stepped {
            self.stepped = due;
            self.fired_at_once = 0;
        }
        self.fired_at_once += 1;
        assert!(self.fired_at_once <= AT_ONCE, "timers fire and no time passes");
        self.timers.pop_first().map(|(_, action)| action)
    }

    /// Steps the clock to a moment.
    pub fn step(&mut self, moment: u64) {
        self.stepped = moment;
        self.fired_at_once = 0;
    }
}
