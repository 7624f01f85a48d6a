//! Single values as they are typed.

use clap::ValueEnum;
use num_rational::BigRational;

use tamper::mutation::Order;
use tamper::programs::parse_time;

/// Parses the order of a mutant, its number of mutations.
pub fn parse_order(text: &str) -> Result<Order, String> {
    let order = text.trim().parse().ok().and_then(Order::new);
    order.ok_or_else(|| format!("a number of mutations from 1 to {}", Order::MOST))
}

/// The name of a value on the command line.
pub fn name_of(value: impl ValueEnum) -> Option<String> {
    Some(value.to_possible_value()?.get_name().to_owned())
}

/// A positive number of seconds, `60` or `60s`, in milliseconds.
pub fn parse_seconds(text: &str) -> Result<u64, String> {
    let number = text.trim();
    let number = number.strip_suffix('s').unwrap_or(number);
    let refused = |_| "not a number of seconds, such as 60 or 0.5".to_owned();
    let seconds: f64 = number.parse().map_err(refused)?;
    if !(0.001..=1e9).contains(&seconds) {
        return Err("between 0.001 and a thousand million seconds".to_owned());
    }
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range was checked"
    )]
    Ok((seconds * 1000.0).round() as u64)
}

/// A number of bytes, with K, M or G for powers of 1024.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let (number, factor) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1 << 10),
        Some((at, 'm' | 'M')) => (&text[..at], 1 << 20),
        Some((at, 'g' | 'G')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let number: u64 = number
        .trim()
        .parse()
        .map_err(|_| "not a number of bytes such as 1000000, 500M or 2G".to_owned())?;
    number.checked_mul(factor).ok_or_else(|| "too large".to_owned())
}

/// A number of percent.
pub fn parse_percent(text: &str) -> Result<BigRational, String> {
    let hundred = BigRational::from_integer(100.into());
    let percent = parse_time(text).filter(|percent| *percent <= hundred);
    percent.ok_or_else(|| "a number of percent from 0 to 100, such as 80 or 99.5".to_owned())
}

/// The largest number of mutations; `None` for any number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OrderArg(pub Option<u32>);

impl std::fmt::Display for OrderArg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(order) => order.fmt(f),
            None => f.write_str("any"),
        }
    }
}

impl std::str::FromStr for OrderArg {
    type Err = &'static str;
    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        match (text, text.parse()) {
            ("any", _) => Ok(Self(None)),
            (_, Ok(order)) if order > 0 => Ok(Self(Some(order))),
            _ => Err("a number from 1, or `any`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_seconds_read_as_they_are_said() {
        assert_eq!(parse_bytes("500M"), Ok(500 << 20));
        assert_eq!(parse_bytes("12"), Ok(12));
        assert!(parse_bytes("é").is_err() && parse_bytes("99999999999G").is_err());
        assert_eq!(parse_seconds("0.5"), Ok(500));
        assert_eq!(parse_seconds(" 60s "), Ok(60_000));
        assert!(["0", "NaN", "s", "5m"].iter().all(|text| parse_seconds(text).is_err()));
    }
}
