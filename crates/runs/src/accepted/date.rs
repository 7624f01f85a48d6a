//! Days of the calendar, as TOML has them.

use std::time::Duration;

use toml::value::{Date, Datetime};

/// The day in UTC of a time since the start of 1970, by Howard Hinnant's `civil_from_days`: years begin in March, so that the leap day is
/// their last.
pub fn day_since_1970(time: Duration) -> Date {
    let days = time.as_secs() / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (
        day - (153 * month + 2) / 5 + 1,
        if month < 10 { month + 3 } else { month - 9 },
    );
    let year = year + era * 400 + u64::from(month <= 2);
    let small = |number: u64| u8::try_from(number).unwrap_or(u8::MAX);
    Date {
        year: u16::try_from(year).unwrap_or(u16::MAX),
        month: small(month),
        day: small(day),
    }
}

/// A day, written as in TOML.
///
/// # Errors
/// If it is none; the error says how days are written.
pub fn parse_day(text: &str) -> Result<Date, &'static str> {
    let day = text.parse().ok().and_then(|day: Datetime| match day {
        Datetime {
            date: Some(date),
            time: None,
            offset: None,
        } => Some(date),
        _ => None,
    });
    day.ok_or("a day of the calendar is written as 2027-06-30")
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
            assert_eq!(Ok(day_since_1970(Duration::from_secs(seconds))), parse_day(day));
        }
        for wrong in ["2027-02-29", "2027-13-01", "2027-1-1", "2027-01-01T00:00:00", "soon"] {
            assert!(parse_day(wrong).is_err(), "{wrong}");
        }
    }
}
