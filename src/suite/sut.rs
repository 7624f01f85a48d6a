//! What tests are run against: something that takes inputs and makes outputs in time.

use num_rational::BigRational;

/// What a system did while the tester waited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Observed {
    /// It made an output, that long after the wait began (in time units of the model).
    Output {
        /// The name of the action.
        action: String,
        /// At most what was waited for.
        after: BigRational,
    },
    /// It let the tester know that it had refused the last input of that name.
    Refused {
        /// The name of the action.
        action: String,
    },
    /// All the time passed without an output.
    Silence,
}

/// A system under test. Time is the tester's: it passes only in [`Sut::wait`].
pub trait Sut {
    /// How the system fails to be tested, as opposed to failing a test.
    type Error;

    /// Puts the system into its initial state; a new test begins at time 0.
    ///
    /// # Errors
    /// The system is not there, hangs, or does not keep to the protocol.
    fn reset(&mut self) -> Result<(), Self::Error>;

    /// Gives the input `action` now; whether it was taken, as far as is known now (see [`Observed::Refused`]).
    ///
    /// # Errors
    /// As [`Sut::reset`].
    fn input(&mut self, action: &str) -> Result<bool, Self::Error>;

    /// Lets time pass until the next output, but no longer than `at_most` time units.
    ///
    /// # Errors
    /// As [`Sut::reset`].
    fn wait(&mut self, at_most: &BigRational) -> Result<Observed, Self::Error>;
}
