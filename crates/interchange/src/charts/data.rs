//! Integers and booleans of a chart that are part of its configurations.

use tamper_text::Span;

/// The largest number that a variable has.
pub(super) const LARGEST: i64 = 1 << 26;

/// A variable that is followed exactly. A boolean is 0 or 1.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub name: String,
    pub place: Span,
    pub is_truth: bool,
    pub initial: i64,
    /// The values that the file promises.
    pub range: Option<(i64, i64)>,
    /// Most values that are followed.
    pub most: usize,
}

/// An expression. Numbers are those of JavaScript; truth values are 0 and 1.
#[derive(Clone, Debug)]
pub(super) enum DataTerm {
    Number(f64),
    Variable(usize),
    /// Whether the state is active.
    In(usize),
    /// Whether the event that is handled has this name.
    Event(String),
    Binary(&'static str, Box<[Self; 2]>),
}

/// A variable gets a value.
#[derive(Clone, Debug)]
pub(super) struct DataSet {
    pub variable: usize,
    pub term: DataTerm,
    pub place: Span,
}

impl DataTerm {
    /// The value under these values of variables, in these states, at this event.
    pub fn value(&self, at: (&[i64], &[usize], &str)) -> f64 {
        let (operator, a, b) = match self {
            Self::Number(number) => return *number,
            Self::Variable(variable) => return at.0[*variable] as f64,
            Self::In(state) => return f64::from(at.1.contains(state)),
            Self::Event(name) => return f64::from(name == at.2),
            Self::Binary(operator, sides) => (*operator, sides[0].value(at), sides[1].value(at)),
        };
        match operator {
            "+" => a + b,
            "-" => a - b,
            "*" => a * b,
            "%" => a % b,
            "==" | "===" => f64::from(a == b),
            "!=" | "!==" => f64::from(a != b),
            "<" => f64::from(a < b),
            "<=" => f64::from(a <= b),
            ">" => f64::from(a > b),
            ">=" => f64::from(a >= b),
            "&&" => f64::from(is_true(a) && is_true(b)),
            "||" => f64::from(is_true(a) || is_true(b)),
            _ => f64::from(!is_true(a)),
        }
    }
}

/// What is no number is not true either.
pub(super) fn is_true(value: f64) -> bool {
    value != 0.0 && !value.is_nan()
}
