//! Times as decimals.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::Signed as _;

/// Maximum number of digits behind the point.
pub(super) const MOST_DIGITS: u32 = 12;

/// A number with a fixed number of digits behind the point.
pub(super) struct Decimal {
    scaled: BigInt,
    pub digits: u32,
}

impl Decimal {
    /// The nearest decimal; the middle is rounded up.
    pub fn rounded(value: &BigRational, digits: u32) -> Self {
        let scaled = (value * BigInt::from(10).pow(digits)).round().to_integer();
        Self { scaled, digits }
    }

    pub fn value(&self) -> BigRational {
        BigRational::new(self.scaled.clone(), BigInt::from(10).pow(self.digits))
    }

    /// The number without trailing zeros, but with a decimal point if `with_point` holds.
    pub fn text(&self, with_point: bool) -> String {
        let sign = if self.scaled.is_negative() { "-" } else { "" };
        let (whole, rest) = self.scaled.abs().div_rem(&BigInt::from(10).pow(self.digits));
        let width = self.digits as usize;
        let rest = if width == 0 {
            String::new()
        } else {
            format!("{rest:0>width$}")
        };
        match rest.trim_end_matches('0') {
            "" if with_point => format!("{sign}{whole}.0"),
            "" => format!("{sign}{whole}"),
            rest => format!("{sign}{whole}.{rest}"),
        }
    }
}

/// A time without rounding: as a decimal if it is one, else as a fraction.
pub(super) fn exact(time: &BigRational) -> String {
    let scaled = |digits: &u32| (time * BigInt::from(10).pow(*digits)).is_integer();
    match (0..=MOST_DIGITS).find(scaled) {
        Some(digits) => Decimal::rounded(time, digits).text(false),
        None => time.to_string(),
    }
}
