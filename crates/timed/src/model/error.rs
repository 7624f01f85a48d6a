//! Errors in timed games.

use super::{ClockId, EdgeId, IntId, LocId};

/// The reason why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// Division or remainder by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// -2147483648 divided by -1, or a value that does not fit where it goes.
    #[error("arithmetic overflow")]
    Overflow,
    /// A shift by a distance that no machine of 32 bits has.
    #[error("a shift by a distance that is not in [0,31]")]
    Shift,
    /// A power with a negative exponent, or beyond 32 bits.
    #[error("a power that is no integer of 32 bits")]
    Power,
}

/// The reason why a builder does not give an automaton.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// No initial location was set, or it is not a location of the automaton.
    #[error("the automaton has no initial location")]
    NoInitialLocation,
    /// Two locations share a name.
    #[error("locations {0:?} and {1:?} share a name")]
    DuplicateLocation(LocId, LocId),
    /// An edge names a location, action, clock, integer or select variable that the automaton does not have.
    #[error("edge {0:?} refers to something the automaton does not have")]
    DanglingEdge(EdgeId),
    /// An invariant names a clock or integer that the automaton does not have, or a select variable.
    #[error("the invariant of {0:?} refers to something the automaton does not have")]
    DanglingInvariant(LocId),
    /// A clock is compared with itself.
    #[error("clock {0:?} is compared with itself")]
    SelfDifference(ClockId),
    /// An integer's range is empty or does not hold its initial value.
    #[error("the range of {0:?} is empty or does not hold its initial value")]
    BadRange(IntId),
}
