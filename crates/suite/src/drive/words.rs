//! The wording of results of a run, with times in the user's unit.
//!
//! Planned times are exact, as far as four digits behind the point allow. Measured times are rounded to milliseconds; they have
//! more digits if that rounds away what a sentence is about (`by 2.0 s; it came at 2.0 s`).

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One as _, Signed as _, Zero as _};

use super::decimal::{Decimal, MOST_DIGITS};
use super::failure::{Allowed, Failure, UnexpectedOutput};
use super::log::{Event, Lateness, What};
use tamper_text::visible;

/// Number of digits of planned times, counted from the first non-zero digit if there is nothing before the point.
const PLANNED_DIGITS: u32 = 4;

/// The unit of time for the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TimeUnit {
    /// Times are called time units, as the program's time is not wall time.
    Model,
    /// This number of nanoseconds of wall time for a time unit of the model, more than 0.
    Wall(u64),
}

/// The wording of results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words {
    /// The unit of times.
    pub unit: TimeUnit,
    /// What the model calls a time unit, if it has a name for it.
    pub name: Option<String>,
    /// The tolerance for the time of an output, in time units.
    pub tolerance: BigRational,
}

impl Words {
    /// The wording of results on a model: exact times, in its time units.
    pub fn of_model() -> Self {
        Self {
            unit: TimeUnit::Model,
            name: None,
            tolerance: BigRational::zero(),
        }
    }

    /// The reason for which a test failed, in one sentence.
    pub fn failure(&self, failure: &Failure) -> String {
        let edges = failure.edges();
        let most = edges.iter().map(|edge| &edge.0).chain(failure.found());
        let mut numbers = self.numbers(most.max().unwrap_or(&BigRational::zero()));
        if let Some(found) = failure.found() {
            while numbers.digits < MOST_DIGITS && edges.iter().any(|edge| numbers.hides(edge, found)) {
                numbers.digits += 1;
            }
        }
        let mut text = numbers.sentence(failure);
        if !self.tolerance.is_zero() {
            let numbers = self.numbers(&self.tolerance);
            text.push_str(&format!(
                " (tolerance {})",
                numbers.span(&numbers.planned(&self.tolerance))
            ));
        }
        text
    }

    /// The lateness of the tester, with the step.
    pub fn lateness(&self, lateness: &Lateness) -> String {
        let numbers = self.numbers(&lateness.by);
        let by = numbers.span(&numbers.measured(&lateness.by));
        format!("the tester was {by} late at step {}", lateness.step)
    }

    /// A moment of a log or a duration, given in time units, in the user's unit.
    pub fn time(&self, time: &BigRational) -> String {
        let numbers = self.numbers(time);
        numbers.moment(&numbers.measured(time))
    }

    /// The times of a log, all in one unit.
    pub fn times(&self, log: &[Event]) -> Vec<String> {
        let numbers = self.numbers(log.last().map_or(&BigRational::zero(), |last| &last.at));
        log.iter()
            .map(|event| numbers.moment(&numbers.measured(&event.at)))
            .collect()
    }

    /// The unit that fits times up to `most`.
    fn numbers(&self, most: &BigRational) -> TimeFormat<'_> {
        let TimeUnit::Wall(nanos) = self.unit else {
            return TimeFormat {
                factor: BigRational::one(),
                unit: "",
                name: self.name.as_deref(),
                digits: PLANNED_DIGITS,
            };
        };
        let nanos = BigRational::from(BigInt::from(nanos));
        let in_nanos = most * &nanos;
        let scale = |power: u32| BigRational::from(BigInt::from(10).pow(power));
        let (power, unit, digits) = if in_nanos >= scale(9) {
            (9, "s", 3)
        } else if in_nanos >= scale(6) || in_nanos.is_zero() {
            (6, "ms", u32::from(in_nanos < scale(8)))
        } else {
            (3, "µs", 0)
        };
        TimeFormat {
            factor: nanos / scale(power),
            unit,
            name: None,
            digits,
        }
    }
}

/// An end of a window on the schedule, in time units: its time, and the two times of which that is the sum: the time at which the
/// node was entered, and the delay after it.
type ScheduledBound = (BigRational, BigRational, BigRational);

impl Failure {
    /// The ends of the expected windows.
    fn edges(&self) -> Vec<ScheduledBound> {
        let windows = self.expected.iter().flat_map(|allowed| [&allowed.from, &allowed.by]);
        let ends = windows.flatten().map(|(end, _)| end);
        ends.map(|end| (end.clone(), self.entered.clone(), end - &self.entered))
            .collect()
    }

    /// The time at which something came, or until which nothing came.
    fn found(&self) -> Option<&BigRational> {
        Some(match &self.unexpected {
            Some(UnexpectedOutput::Late { at, .. }) => at,
            Some(UnexpectedOutput::Never { until }) => until,
            None => &self.came.at,
        })
    }
}

/// Times as numbers of one unit.
struct TimeFormat<'w> {
    /// The length of a time unit in that unit.
    factor: BigRational,
    /// The name of the unit; empty for time units.
    unit: &'static str,
    /// The model's name for its time unit.
    name: Option<&'w str>,
    /// Maximum number of digits behind the point of a measured time.
    digits: u32,
}

impl TimeFormat<'_> {
    fn planned(&self, time: &BigRational) -> Decimal {
        let value = time * &self.factor;
        let mut digits = PLANNED_DIGITS;
        let least = BigRational::from(BigInt::from(10).pow(PLANNED_DIGITS - 1));
        while !value.is_zero() && digits < MOST_DIGITS && value.abs() * BigInt::from(10).pow(digits) < least {
            digits += 1;
        }
        Decimal::rounded(&value, digits)
    }

    fn measured(&self, time: &BigRational) -> Decimal {
        match self.unit {
            "" => self.planned(time),
            _ => Decimal::rounded(&(time * &self.factor), self.digits),
        }
    }

    /// Whether rounding changes the order of the end of a window and the moment at which something came.
    fn hides(&self, (end, entered, after): &ScheduledBound, found: &BigRational) -> bool {
        let said = self.exactly(entered).value() + self.planned(after).value();
        self.exactly(found).value().cmp(&said) != found.cmp(end)
    }

    /// A measured moment, with the digits of this sentence.
    fn exactly(&self, time: &BigRational) -> Decimal {
        let digits = match self.unit {
            "" => self.digits.max(self.planned(time).digits),
            _ => self.digits,
        };
        Decimal::rounded(&(time * &self.factor), digits)
    }

    /// A duration.
    fn span(&self, number: &Decimal) -> String {
        match (self.unit, self.name) {
            ("", Some(name)) => format!("{} {name}", number.text(false)),
            ("", None) if number.text(false) == "1" => "1 time unit".to_owned(),
            ("", None) => format!("{} time units", number.text(false)),
            (unit, _) => format!("{} {unit}", self.digits_of(number)),
        }
    }

    /// A moment.
    fn moment(&self, number: &Decimal) -> String {
        match (self.unit, self.name) {
            ("", None) => number.text(false),
            _ => self.span(number),
        }
    }

    /// Seconds always have a point, to show that they are measured.
    fn digits_of(&self, number: &Decimal) -> String {
        number.text(self.unit == "s")
    }

    fn sentence(&self, failure: &Failure) -> String {
        let at = |time| self.moment(&self.exactly(time));
        let came = &failure.came;
        if let What::Refused(action) = &came.what {
            return format!(
                "expected {} to be accepted; it was refused at {}",
                name(action),
                at(&came.at)
            );
        }
        if let What::Input(action) = &came.what {
            return format!(
                "expected {} to be refused; it was accepted at {}",
                name(action),
                at(&came.at)
            );
        }
        let (after, awaited) = (self.after(failure), self.awaited(failure));
        let it = |action: &str| match failure.expected.as_slice() {
            [one] if one.action == action => "it".to_owned(),
            _ => name(action),
        };
        match (&came.what, &failure.unexpected) {
            (What::Output(action), _) if failure.expected.is_empty() => {
                format!("expected no output{after}; {} came at {}", name(action), at(&came.at))
            }
            (What::Output(action), _) => format!("expected {awaited}; {} came at {}", it(action), at(&came.at)),
            (_, Some(UnexpectedOutput::Late { action, at: late })) => {
                format!("expected {awaited}; {} came at {}", it(action), at(late))
            }
            (_, Some(UnexpectedOutput::Never { until })) => {
                format!("expected {awaited}; nothing came by {}", at(until))
            }
            (_, None) => format!("expected {awaited}; nothing came by {}", at(&came.at)),
        }
    }

    /// The event after which an output was awaited, with its time if it was not the start.
    fn after(&self, failure: &Failure) -> String {
        let moment = self.exactly(&failure.entered);
        let when = match moment.value().is_zero() {
            true => String::new(),
            false => format!(" (at {})", self.moment(&moment)),
        };
        match failure.since.as_ref().map(|since| &since.what) {
            Some(What::Input(action) | What::Output(action)) => format!(" after {}{when}", name(action)),
            _ => " after the start".to_owned(),
        }
    }

    /// The expected outputs, with their windows and the event before.
    fn awaited(&self, failure: &Failure) -> String {
        let after = self.after(failure);
        let Some((last, before)) = failure.expected.split_last() else {
            return format!("an output{after}");
        };
        let window = |allowed: &Allowed| format!("{}{}", name(&allowed.action), self.window(allowed, &failure.entered));
        let mut text: String = before
            .iter()
            .map(|allowed| format!("{} or ", window(allowed)))
            .collect();
        text.push_str(&window(last));
        text + &after
    }

    /// The window in which an output is allowed, counted from the moment from which on it is awaited.
    fn window(&self, allowed: &Allowed, entered: &BigRational) -> String {
        let number = |end: &BigRational| self.planned(&(end - entered));
        let span = |end| self.span(&number(end));
        match (&allowed.from, &allowed.by) {
            (None, None) => String::new(),
            (None, Some((by, false))) => format!(" within {}", span(by)),
            (None, Some((by, true))) => format!(" in less than {}", span(by)),
            (Some((from, false)), None) => format!(" {} or more", span(from)),
            (Some((from, true)), None) => format!(" more than {}", span(from)),
            (Some((from, false)), Some((by, false))) if from == by => format!(" {}", span(by)),
            (Some((from, is_after)), Some((by, is_before))) => {
                let from = self.digits_of(&number(from));
                match (is_after, is_before) {
                    (false, false) => format!(" {from} to {}", span(by)),
                    (false, true) => format!(" {from} to less than {}", span(by)),
                    (true, false) => format!(" more than {from} and up to {}", span(by)),
                    (true, true) => format!(" more than {from} and less than {}", span(by)),
                }
            }
        }
    }
}

/// The name of an action, without the mark of inputs or outputs.
fn name(action: &str) -> String {
    let name = action.strip_suffix(['!', '?']).unwrap_or(action);
    visible(name).into_owned()
}

#[cfg(test)]
mod tests;
