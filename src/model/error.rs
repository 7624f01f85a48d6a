//! What can be wrong with a timed game.

use super::{ClockId, EdgeId, IntId, LocId};

/// Why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum EvalError {
    /// Division or remainder by zero.
    DivisionByZero,
    /// The value does not fit in 64 bits, or a shift distance is not in 0..32.
    Overflow,
}

impl std::fmt::Display for EvalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::DivisionByZero => "division by zero",
            Self::Overflow => "arithmetic overflow",
        })
    }
}

impl std::error::Error for EvalError {}

/// Why a builder does not give an automaton.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ModelError {
    /// No initial location was set, or it is not a location of the automaton.
    NoInitialLocation,
    /// Two locations share a name.
    DuplicateLocation(LocId, LocId),
    /// An edge names a location, action, clock, integer or select variable that the automaton does not have.
    DanglingEdge(EdgeId),
    /// An invariant names a clock or integer that the automaton does not have, or a select variable.
    DanglingInvariant(LocId),
    /// A clock is compared with itself.
    SelfDifference(ClockId),
    /// An integer's range is empty or does not hold its initial value.
    BadRange(IntId),
}

impl std::fmt::Display for ModelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoInitialLocation => write!(f, "the automaton has no initial location"),
            Self::DuplicateLocation(first, second) => write!(f, "locations {first:?} and {second:?} share a name"),
            Self::DanglingEdge(edge) => write!(f, "edge {edge:?} refers to something the automaton does not have"),
            Self::DanglingInvariant(location) => {
                write!(
                    f,
                    "the invariant of {location:?} refers to something the automaton does not have"
                )
            }
            Self::SelfDifference(clock) => write!(f, "clock {clock:?} is compared with itself"),
            Self::BadRange(int) => write!(f, "the range of {int:?} is empty or does not hold its initial value"),
        }
    }
}

impl std::error::Error for ModelError {}
