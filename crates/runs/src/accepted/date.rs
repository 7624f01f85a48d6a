//! Days of the calendar.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A day of the Gregorian calendar, in UTC.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// The error that a text is no day.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a day is written as year, month and day, and the calendar has it: 2027-06-30")]
pub struct NoDate;

impl Date {
    /// The day of a time since the start of 1970.
    pub fn since_1970(time: Duration) -> Self {
        let mut days = time.as_secs() / (24 * 60 * 60);
        let (mut year, mut month) = (1970, 1);
        while days >= days_of(year) {
            days -= days_of(year);
            year += 1;
        }
        while days >= u64::from(days_of_month(year, month)) {
            days -= u64::from(days_of_month(year, month));
            month += 1;
        }
        #[allow(clippy::cast_possible_truncation, reason = "fewer than the days of a month")]
        let day = days as u8 + 1;
        Self { year, month, day }
    }
}

fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_of(year: u16) -> u64 {
    if is_leap(year) { 366 } else { 365 }
}

fn days_of_month(year: u16, month: u8) -> u8 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl FromStr for Date {
    type Err = NoDate;

    fn from_str(text: &str) -> Result<Self, NoDate> {
        let is_digits = |part: &str, n: usize| part.len() == n && part.bytes().all(|byte| byte.is_ascii_digit());
        let parts: Vec<&str> = text.split('-').collect();
        let [year, month, day] = parts[..] else {
            return Err(NoDate);
        };
        if !(is_digits(year, 4) && is_digits(month, 2) && is_digits(day, 2)) {
            return Err(NoDate);
        }
        let year = year.parse().map_err(|_| NoDate)?;
        let (month, day) = (month.parse().map_err(|_| NoDate)?, day.parse().map_err(|_| NoDate)?);
        let is_day = (1..=12).contains(&month) && day >= 1 && day <= days_of_month(year, month);
        is_day.then_some(Self { year, month, day }).ok_or(NoDate)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The seconds are those of `date -u -d 2000-02-29 +%s`, and so on.
    #[test]
    fn days_since_1970_are_days_of_the_calendar() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (951_868_799, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (4_102_444_799, "2099-12-31"),
        ] {
            assert_eq!(Date::since_1970(Duration::from_secs(seconds)).to_string(), day);
            assert_eq!(day.parse(), Ok(Date::since_1970(Duration::from_secs(seconds))));
        }
        for wrong in [
            "2027-02-29",
            "2027-13-01",
            "2027-1-1",
            "27-01-01",
            "2027-01-01x",
            "soon",
            "",
        ] {
            assert_eq!(wrong.parse::<Date>(), Err(NoDate), "{wrong}");
        }
        assert!("2027-01-31".parse::<Date>() < "2027-02-01".parse());
    }
}
