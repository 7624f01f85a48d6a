//! Intervals of a clock between natural numbers, closed or open.

/// What cannot be read, and what to do about it.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Fault {
    pub message: String,
    pub help: &'static str,
}

/// An interval as a range of *steps*: step 2k is the number k, step 2k + 1 all that is between k and k + 1. Intervals
/// between natural numbers are exactly the ranges of steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Interval {
    first: u64,
    /// None: without end.
    last: Option<u64>,
}

impl Interval {
    /// The first step of both, if any point is in both.
    pub fn common(self, other: Self) -> Option<u64> {
        let ends_before = |one: Self, step| one.last.is_some_and(|last| last < step);
        let first = self.first.max(other.first);
        (!ends_before(self, first) && !ends_before(other, first)).then_some(first)
    }

    /// Whether it has points behind all of the other.
    pub fn outlasts(self, other: Self) -> bool {
        match (self.last, other.last) {
            (_, None) => false,
            (None, _) => true,
            (Some(own), Some(other)) => own > other,
        }
    }

    /// The conditions on `clock` that say the same.
    pub fn guard(self, clock: &str) -> String {
        if self.last == Some(self.first) && self.first.is_multiple_of(2) {
            return format!("{clock} == {}", self.first / 2);
        }
        let lower = match (self.first, self.first.is_multiple_of(2)) {
            (0, _) => None,
            (step, true) => Some(format!("{clock} >= {}", step / 2)),
            (step, false) => Some(format!("{clock} > {}", step / 2)),
        };
        let upper = self.last.map(|step| match step.is_multiple_of(2) {
            true => format!("{clock} <= {}", step / 2),
            false => format!("{clock} < {}", step / 2 + 1),
        });
        let parts: Vec<String> = lower.into_iter().chain(upper).collect();
        parts.join(" && ")
    }
}

/// A step in words.
pub(super) fn shown(step: u64) -> String {
    match step.is_multiple_of(2) {
        true => format!("at {}", step / 2),
        false => format!("between {} and {}", step / 2, step / 2 + 1),
    }
}

/// What is in none of `taken`, in order.
pub(super) fn rest(mut taken: Vec<Interval>) -> Vec<Interval> {
    taken.sort_unstable();
    let mut gaps = Vec::new();
    let mut next = 0;
    for interval in taken {
        if next < interval.first {
            gaps.push(Interval {
                first: next,
                last: Some(interval.first - 1),
            });
        }
        match interval.last {
            Some(last) => next = next.max(last + 1),
            None => return gaps,
        }
    }
    gaps.push(Interval {
        first: next,
        last: None,
    });
    gaps
}

/// The intervals of a guard `[0,3)` or `[0,1)U(2,+)`, in order, those that touch as one; those without a point are left out.
pub(super) fn union(text: &str) -> Result<Vec<Interval>, Fault> {
    let parts: Vec<Option<Interval>> = text
        .split('U')
        .map(|part| interval(part.trim()))
        .collect::<Result<_, _>>()?;
    // The rest of the rest.
    Ok(rest(rest(parts.into_iter().flatten().collect())))
}

fn interval(text: &str) -> Result<Option<Interval>, Fault> {
    let no_interval = || Fault {
        message: format!("`{text}` is no interval"),
        help: "write `[0,3)`, `(2,2]` or `[1,+)`, where `+` is infinity; a union with `U` between them",
    };
    let ends = text
        .strip_prefix(['[', '('])
        .and_then(|rest| rest.strip_suffix([']', ')']));
    let (low, high) = ends.and_then(|ends| ends.split_once(',')).ok_or_else(no_interval)?;
    let first = 2 * number(low.trim(), text)? + u64::from(text.starts_with('('));
    let last = match (high.trim(), text.ends_with(']')) {
        ("+", false) => return Ok(Some(Interval { first, last: None })),
        ("+", true) => {
            return Err(Fault {
                message: format!("`{text}` ends with infinity, which is no value of a clock"),
                help: "write `+)`",
            });
        }
        (high, closed) => 2 * number(high, text)? + u64::from(closed),
    };
    // `last` is behind the last step.
    Ok((first < last).then(|| Interval {
        first,
        last: Some(last - 1),
    }))
}

fn number(text: &str, interval: &str) -> Result<u64, Fault> {
    let is_natural = !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    if !is_natural {
        return Err(Fault {
            message: format!("`{text}` in `{interval}` is no natural number"),
            help: "bounds are natural numbers; `+` is infinity, at the end; of fractions, take multiples of all times",
        });
    }
    match text.parse::<i32>() {
        Ok(value) => Ok(u64::from(value.unsigned_abs())),
        Err(_) => Err(Fault {
            message: format!("`{text}` in `{interval}` is too large"),
            help: "bounds have at most 32 bits",
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guards(text: &str) -> Vec<String> {
        let read = union(text).unwrap_or_else(|fault| panic!("{}", fault.message));
        read.into_iter().map(|interval| interval.guard("x")).collect()
    }

    #[test]
    fn intervals_are_the_conditions_that_say_the_same() {
        assert_eq!(guards("[0,+)"), [""]);
        assert_eq!(guards("(0,+)"), ["x > 0"]);
        assert_eq!(guards(" [ 2 , 5 ) "), ["x >= 2 && x < 5"]);
        assert_eq!(guards("(2,5]"), ["x > 2 && x <= 5"]);
        assert_eq!(guards("[2,2]"), ["x == 2"]);
        assert_eq!(guards("(2,3)"), ["x > 2 && x < 3"]);
        assert_eq!(guards("[0,0]"), ["x == 0"]);
        assert_eq!(guards("[2147483647,+)"), ["x >= 2147483647"]);
    }

    #[test]
    fn unions_are_in_order_and_without_what_is_said_twice() {
        assert_eq!(guards("(4,+)U[0,1)"), ["x < 1", "x > 4"]);
        assert_eq!(guards("[0,2) U [2,3]"), ["x <= 3"]);
        assert_eq!(guards("[0,2)U[1,4]U[3,3]"), ["x <= 4"]);
        assert_eq!(guards("[0,2)U(2,4]"), ["x < 2", "x > 2 && x <= 4"]);
        assert_eq!(guards("(2,2]"), [""; 0]);
        assert_eq!(guards("[0,0)U[3,1]"), [""; 0]);
    }

    #[test]
    fn the_rest_is_what_no_interval_has() {
        let gaps = |text| {
            let gaps = rest(union(text).unwrap());
            gaps.into_iter().map(|gap| gap.guard("x")).collect::<Vec<_>>()
        };
        assert_eq!(gaps("(1,3]U[5,5]"), ["x <= 1", "x > 3 && x < 5", "x > 5"]);
        assert_eq!(gaps("[0,+)"), [""; 0]);
        assert_eq!(gaps("(2,2)"), [""]);
        assert_eq!(gaps("(0,1)U(1,+)"), ["x == 0", "x == 1"]);
    }

    #[test]
    fn what_is_no_interval_of_natural_numbers_is_refused() {
        for (text, message) in [
            ("", "`` is no interval"),
            ("[0,1", "`[0,1` is no interval"),
            ("[0;1]", "`[0;1]` is no interval"),
            ("[0,1]U", "`` is no interval"),
            ("[0.5,1]", "`0.5` in `[0.5,1]` is no natural number"),
            ("[-1,1]", "`-1` in `[-1,1]` is no natural number"),
            ("[+,1]", "`+` in `[+,1]` is no natural number"),
            ("[1,2,3]", "`2,3` in `[1,2,3]` is no natural number"),
            ("[0,2147483648)", "`2147483648` in `[0,2147483648)` is too large"),
            ("[0,+]", "`[0,+]` ends with infinity, which is no value of a clock"),
        ] {
            assert_eq!(union(text).unwrap_err().message, message);
        }
    }
}
