//! Errors in the composition of networks.

use crate::model::{EvalError, MAX_CLOCKS};
use tamper_text::StopReason;

/// An evaluation without a meaning, at which UPPAAL ends the verification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A variable would leave its range.
    Range {
        /// The variable.
        name: String,
        /// The value.
        value: i64,
        /// Least value.
        low: i32,
        /// Greatest value.
        high: i32,
    },
    /// An index is outside of its array.
    Index {
        /// The index.
        index: i64,
        /// Least index.
        low: i32,
        /// Greatest index.
        high: i64,
    },
    /// Division by zero, or a number that is too large.
    Arithmetic(EvalError),
    /// A clock would be set to a negative number, or to one that is too large.
    Reset(i64),
    /// A clock is compared with a number beyond 32 bits.
    Bound(i64),
    /// A function did not end within that many steps.
    Endless(u64),
    /// A function ended without the value that its caller needs.
    NoValue(String),
    /// An invariant is a disjunction of clock conditions in this state.
    Disjunction,
    /// A clock that is compared somewhere runs at another rate than 1.
    Rate(i64),
    /// A meta variable is read in a step that did not write it before.
    Meta(String),
    /// A condition becomes more alternatives than this.
    Cases(usize),
}

impl Fault {
    /// Whether it tells nothing about the network: what is met is not supported here.
    pub(super) fn is_refused(&self) -> bool {
        matches!(
            self,
            Self::Disjunction | Self::Rate(_) | Self::Endless(_) | Self::Cases(_) | Self::Meta(_)
        )
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Range { name, value, low, high } => {
                write!(f, "{value} is not in the range [{low},{high}] of `{name}`")
            }
            Self::Index { index, low, high } => write!(f, "the index {index} is not in [{low},{high}]"),
            Self::Arithmetic(error) => write!(f, "{error}"),
            Self::Reset(value) => write!(
                f,
                "a clock is set to {value}: it takes natural numbers up to 2147483647"
            ),
            Self::Bound(value) => write!(f, "a clock is compared with {value}, which does not fit in 32 bits"),
            Self::Endless(steps) => write!(f, "a function does not end within {steps} steps"),
            Self::NoValue(name) => write!(f, "the function `{name}` ends without a value"),
            Self::Disjunction => f.write_str("the invariant is a disjunction of clock conditions here"),
            Self::Cases(most) => write!(
                f,
                "the condition comes to more than {most} alternatives of clock conditions here"
            ),
            Self::Meta(name) => write!(
                f,
                "the meta variable `{name}` is read before this step writes it, and has no value of its own"
            ),
            Self::Rate(rate) => write!(
                f,
                "a clock that is compared runs at rate {rate} here (only 1 is supported)"
            ),
        }
    }
}

/// One step of a run that leads to a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultStep {
    /// The edges that fired together, the sender's first.
    pub edges: Vec<String>,
    /// The clock condition under which they fire; empty if there is no condition.
    pub guard: String,
}

impl std::fmt::Display for FaultStep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.edges.join(" with "))?;
        if self.guard.is_empty() {
            Ok(())
        } else {
            write!(f, " when {}", self.guard)
        }
    }
}

/// The text between an error and the steps of the run that leads to it, one per line.
const THE_RUN: &str = "; a run that gets there:";

/// The text of an error without the run that leads to it.
pub fn headline(error: &str) -> &str {
    error.split_once(THE_RUN).map_or(error, |(what, _)| what)
}

/// The reason why a network has no composition.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ComposeError {
    /// An edge or invariant has no meaning in a state that a run reaches.
    #[error("{at}: {fault}{}", reached(.run.as_deref()))]
    Fault {
        /// The edge or location.
        at: String,
        /// The fault.
        fault: Fault,
        /// A run that leads there; `None` if none is known.
        run: Option<Vec<FaultStep>>,
    },
    /// A synchronisation on an urgent channel depends on several clocks at once.
    #[error(
        "{at}: a synchronisation on the urgent channel `{channel}` depends on several clocks at once, which is not \
        supported: the moment at which time has to stop would depend on their difference"
    )]
    UrgentClockGuard {
        /// The edges.
        at: String,
        /// The channel.
        channel: String,
    },
    /// More clocks than zones of a reasonable size can have.
    #[error("the network has {0} clocks; at most {MAX_CLOCKS} are supported")]
    Clocks(usize),
    /// More combinations of edges than a synchronisation vector may have in one state.
    #[error("a synchronisation vector has more than {0} combinations of edges in one state")]
    Together(usize),
    /// A limit was hit.
    #[error("{reason} by the composition, after {locations} locations and {zones} zones")]
    Stopped {
        /// The limit.
        reason: StopReason,
        /// The discrete states that were found until then.
        locations: usize,
        /// The zones that were explored until then.
        zones: u64,
    },
}

impl ComposeError {
    /// The limit that was hit, if nothing else is wrong.
    pub fn limit(&self) -> Option<StopReason> {
        match self {
            Self::Stopped { reason, .. } => Some(*reason),
            _ => None,
        }
    }
    /// Whether some run ends in an evaluation without a meaning.
    pub fn is_fault(&self) -> bool {
        matches!(self, Self::Fault { fault, run: Some(_), .. } if !fault.is_refused())
    }
    /// Whether the error shows that the network itself has no meaning; other errors tell nothing about it.
    pub fn is_invalid(&self) -> bool {
        match self {
            Self::Fault { .. } => self.is_fault(),
            Self::UrgentClockGuard { .. } | Self::Clocks(_) | Self::Together(_) | Self::Stopped { .. } => false,
        }
    }
}

/// The run to a fault, as a text to append to it.
fn reached(run: Option<&[FaultStep]>) -> String {
    match run {
        Some([]) => "; at the start".to_owned(),
        Some(run) => {
            let steps = run.iter().map(|step| format!("\n  {step}"));
            steps.fold(THE_RUN.to_owned(), |text, step| text + &step)
        }
        None => {
            "; with clock differences it is not decided whether a run gets there, so the network is refused".to_owned()
        }
    }
}
