//! Constructs in the labels of a process that a single automaton cannot express.

/// A construct of a label that only a composition can express.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotSingleAutomaton {
    /// A part of an array or structure, by its name.
    #[error("`{0}` is part of an array or structure, which no automaton by itself has")]
    Element(String),
    /// An element whose index is known only at run time, or whole arrays.
    #[error("an array or structure, which no automaton by itself has")]
    Array,
    /// The call of a function of the file.
    #[error("the call of the function `{0}` is not supported")]
    Call(String),
    /// A quantifier, by its keyword.
    #[error("the quantifier `{0}` is not supported")]
    Quantifier(&'static str),
    /// Absolute values of absolute values: each doubles the expression.
    #[error("`abs` inside `abs`, which no automaton by itself has")]
    Abs,
    /// A meta variable, by its name.
    #[error("the meta variable `{0}`, which no automaton by itself has")]
    Meta(String),
    /// A variable changes while an expression is computed.
    #[error("an assignment inside an expression")]
    Assignment,
    /// Alternatives of clock conditions, in words.
    #[error("{0} is not supported")]
    Disjunction(&'static str),
    /// Two clocks, or a clock and a number, that differ.
    #[error("`!=` between clocks is not supported")]
    Disequality,
    /// A clock that does not run at rate 1.
    #[error("clock rates (stopwatches) are not supported")]
    Stopwatch,
    /// A clock below 0.
    #[error("a clock is reset to a negative number")]
    NegativeReset,
    /// A number beyond 32 bits, and what it is.
    #[error("{0} does not fit in 32 bits")]
    TooLarge(String),
    /// Constants without a value.
    #[error("{0} in a constant expression")]
    Constant(crate::model::EvalError),
}

/// The alternative for constructs that no single automaton has.
const AS_NETWORK: &str = "take the file as a network: `tamper compose`, `classify --mutate`";

impl NotSingleAutomaton {
    /// A hint to the user.
    pub fn help(&self) -> String {
        match self {
            Self::Element(_) | Self::Array | Self::Abs => format!("use one variable per element, or {AS_NETWORK}"),
            Self::Call(_) => format!("write the expression out where it is called, or {AS_NETWORK}"),
            Self::Meta(_) => format!("make it an ordinary variable, or {AS_NETWORK}"),
            Self::Quantifier(_) => {
                format!("write the condition out for each value, joined by `&&` or `||`, or {AS_NETWORK}")
            }
            Self::Assignment => "assignments belong in the assignment label, one after the other".to_owned(),
            Self::Disjunction(_) => "a guard is a conjunction: split the edge into one edge per alternative".to_owned(),
            Self::Disequality => "split the edge into one with `<` and one with `>`".to_owned(),
            Self::Stopwatch => {
                "every clock grows at rate 1; model the pause with an extra location or integer".to_owned()
            }
            Self::NegativeReset => "clocks have values from 0 on".to_owned(),
            Self::TooLarge(_) => "UPPAAL computes in 32 bits; choose a larger unit".to_owned(),
            Self::Constant(_) => "correct the constants".to_owned(),
        }
    }
}
