//! The lines of the protocol (`docs/book/src/sut-protocol.md`), one message each.

use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::target::TimeMode;
use tamper_text::LONGEST_NUMBER;

/// The version of the protocol, as the first line names it.
const VERSION: u32 = 1;

/// A message of the tester.
pub(super) enum Request<'a> {
    /// The first line, which tells whose clock counts.
    Hello(TimeMode),
    /// The program has to return to its initial state.
    Reset,
    /// An input.
    Input(&'a str),
    /// This time passes, unless an output comes first.
    Delay(&'a BigRational),
    /// The program has to end.
    Quit,
}

impl fmt::Display for Request<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hello(TimeMode::Accelerated) => write!(f, "tamper {VERSION} accelerated"),
            Self::Hello(TimeMode::Real(unit)) => write!(f, "tamper {VERSION} real {}", unit.as_micros()),
            Self::Reset => write!(f, "reset"),
            Self::Input(action) => write!(f, "input {action}"),
            Self::Delay(delay) => write!(f, "delay {delay}"),
            Self::Quit => write!(f, "quit"),
        }
    }
}

/// A message of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Response {
    /// The program is in its initial state.
    Ready,
    /// The input has arrived.
    Ok,
    /// The input was refused; in real time with the name of the input.
    Refused(Option<String>),
    /// The whole delay has passed.
    Done,
    /// An output; in accelerated time with the time since the delay began.
    Output { action: String, after: Option<BigRational> },
    /// A line for the log; `None` for an empty line.
    Remark(Option<String>),
}

impl Response {
    /// Parses a line; `None` if it is not part of the protocol.
    pub fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["ready"] => Some(Self::Ready),
            ["ok"] => Some(Self::Ok),
            ["refused"] => Some(Self::Refused(None)),
            ["refused", action] => Some(Self::Refused(Some((*action).to_owned()))),
            ["done"] => Some(Self::Done),
            [] => Some(Self::Remark(None)),
            ["log", ..] => {
                let text = line.trim_start().strip_prefix("log").unwrap_or_default();
                Some(Self::Remark(Some(text.trim().to_owned())))
            }
            ["output", action] => Some(Self::Output {
                action: (*action).to_owned(),
                after: None,
            }),
            ["output", action, "after", time] => Some(Self::Output {
                action: (*action).to_owned(),
                after: Some(parse_time(time)?),
            }),
            _ => None,
        }
    }
}

/// Maximum length of a time of a program, in characters: sums of many times have to be readable again.
const LONGEST_TIME: usize = 100;

/// A time of the protocol, in time units: `3`, `7/2` or `3.5`, not negative, of at most 100 characters.
pub fn parse_time(text: &str) -> Option<BigRational> {
    (text.len() <= LONGEST_TIME).then(|| exact(text)).flatten()
}

/// A number as [`parse_time`] reads it, but as long as numbers in files may be.
pub fn exact(text: &str) -> Option<BigRational> {
    if text.len() > LONGEST_NUMBER {
        return None;
    }
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let number = |part: &str| digits(part).then(|| part.parse::<BigInt>().ok()).flatten();
    let time = if let Some((numerator, denominator)) = text.split_once('/') {
        let denominator = number(denominator).filter(|denominator| !denominator.is_zero())?;
        BigRational::new(number(numerator)?, denominator)
    } else if let Some((whole, fraction)) = text.split_once('.') {
        let scale = BigInt::from(10u32).pow(u32::try_from(fraction.len()).ok()?);
        BigRational::new(number(whole)? * &scale + number(fraction)?, scale)
    } else {
        number(text)?.into()
    };
    (!time.is_negative()).then_some(time)
}
