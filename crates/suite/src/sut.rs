//! Systems under test, which take inputs and make outputs in time, and the meaning of a refused input.

use num_rational::BigRational;

use tamper_timed::model::Automaton;

/// An observation of the system while the tester waited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Observed {
    /// It made an output at this time after the wait began (in time units of the model).
    Output {
        /// The name of the action.
        action: String,
        /// At most the waited time, or more if the tester itself looked too late (in real time).
        after: BigRational,
    },
    /// It told that it had refused the last input of that name.
    Refused {
        /// The name of the action.
        action: String,
    },
    /// All the time passed without an output.
    Silence,
}

/// A moment measured on a wall clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measured {
    /// The moment, in time units since the reset.
    pub at: BigRational,
    /// The possible error in time units, as the tester was stopped or held up around that moment.
    pub doubt: BigRational,
}

/// A system under test. Time is the tester's: it passes only in [`Sut::wait`].
pub trait Sut {
    /// A failure to test the system, as opposed to a failed test.
    type Error;

    /// Puts the system into its initial state; a new test begins at time 0.
    ///
    /// # Errors
    /// The system is not there, hangs, or does not keep to the protocol.
    fn reset(&mut self) -> Result<(), Self::Error>;

    /// Gives the input `action` now. Returns whether it was taken, as far as is known now (see [`Observed::Refused`]).
    ///
    /// # Errors
    /// As [`Sut::reset`].
    fn input(&mut self, action: &str) -> Result<bool, Self::Error>;

    /// Lets time pass until the next output, but no longer than `at_most` time units.
    ///
    /// # Errors
    /// As [`Sut::reset`].
    fn wait(&mut self, at_most: &BigRational) -> Result<Observed, Self::Error>;

    /// The moment at which the last event really happened: the system was ready, the input was sent, the output or refusal arrived,
    /// or the tester looked up after a wait in silence. `None` if time is only what the tester says: then its sum of waits is
    /// exact.
    fn measured(&mut self) -> Option<Measured> {
        None
    }

    /// Maximum number of time units for which the tester may keep listening after a test, to tell a late output from one that never
    /// comes. `None` for no limit.
    fn most_overtime(&self) -> Option<BigRational> {
        None
    }
}

tamper_text::named! {
    /// The meaning of a refused input to a suite.
    #[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
    pub enum Refusals {
        /// A fail: the specification takes every input that a test gives.
        #[default]
        Error = "error",
        /// Nothing: a system that does not take an input ignores it. A model under test then stays in its state.
        Never = "never",
    }
}

impl Refusals {
    /// The game that tests of the suite are executed on: `game`, which ignores missing inputs if refusals mean nothing.
    #[must_use]
    pub fn met(self, game: Automaton) -> Automaton {
        match self {
            Self::Error => game,
            Self::Never => game.with_input_enabling(true),
        }
    }
}
