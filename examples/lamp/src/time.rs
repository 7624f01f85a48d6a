//! Time units of the model, exactly.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;

/// A fraction in lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Time {
    numerator: i128,
    denominator: i128,
}

impl Time {
    /// The start.
    pub const ZERO: Self = Self::whole(0);

    /// Whole units.
    pub const fn whole(units: i128) -> Self {
        Self {
            numerator: units,
            denominator: 1,
        }
    }

    /// Half units.
    pub fn halves(halves: i128) -> Self {
        Self::of(halves, 2)
    }

    /// A fraction, whose denominator is positive.
    pub fn of(numerator: i128, denominator: i128) -> Self {
        let by = common(numerator.abs(), denominator).max(1);
        Self {
            numerator: numerator / by,
            denominator: denominator / by,
        }
    }

    /// The whole part of the time in another unit, of which `per_unit` make one of these.
    pub fn in_units(self, per_unit: i128) -> i128 {
        self.numerator * per_unit / self.denominator
    }
}

/// The greatest common divisor.
fn common(one: i128, other: i128) -> i128 {
    if other == 0 { one } else { common(other, one % other) }
}

impl Add for Time {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::of(
            self.numerator * other.denominator + other.numerator * self.denominator,
            self.denominator * other.denominator,
        )
    }
}

impl Sub for Time {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        let minus = Self {
            numerator: -other.numerator,
            ..other
        };
        self + minus
    }
}

impl Ord for Time {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.numerator * other.denominator).cmp(&(other.numerator * self.denominator))
    }
}

impl PartialOrd for Time {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `3` or `5/2`, as tamper writes times.
impl FromStr for Time {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let number = |text: &str| text.parse::<i64>().map_err(|_| ());
        let (numerator, denominator) = match text.split_once('/') {
            Some((numerator, denominator)) => (number(numerator)?, number(denominator)?),
            None => (number(text)?, 1),
        };
        match denominator {
            1.. => Ok(Self::of(numerator.into(), denominator.into())),
            _ => Err(()),
        }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            _ => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}
