//! Why a certificate proves nothing.

use std::fmt;

/// The reason for which a certificate is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The text is no certificate.
    Malformed {
        /// The line, from 1.
        line: usize,
        /// The reason.
        because: String,
    },
    /// It is one, but what it says does not hold.
    DoesNotHold {
        /// The line, from 1, that is wrong.
        line: usize,
        /// The reason.
        because: String,
    },
    /// The limit was hit before the end.
    Limit,
}

impl Fault {
    /// The text is no certificate.
    pub fn malformed(line: usize, because: impl Into<String>) -> Self {
        let because = because.into();
        Self::Malformed { line, because }
    }
    /// The statement of the line does not hold.
    pub fn at(line: usize, because: impl Into<String>) -> Self {
        let because = because.into();
        Self::DoesNotHold { line, because }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { line, because } => write!(f, "no certificate: line {line}: {because}"),
            Self::DoesNotHold { line, because } => write!(f, "does not hold: line {line}, because {because}"),
            Self::Limit => f.write_str("unknown: the limit of steps was hit"),
        }
    }
}

impl std::error::Error for Fault {}

/// Counts operations on zones, so that no certificate takes for ever.
#[derive(Clone, Debug)]
pub struct Limit(u64);

impl Limit {
    /// As many operations as this on zones of two clocks; an operation takes as long as the cube of the number of clocks.
    pub fn of_steps(steps: u64, n_clocks: usize) -> Self {
        let weight = (n_clocks as u64 + 1).pow(3) / 27;
        Self(steps / weight.max(1))
    }
    /// Counts some operations.
    ///
    /// # Errors
    /// [`Fault::Limit`] if not as many are left.
    pub fn steps(&mut self, operations: usize) -> Result<(), Fault> {
        self.0 = self.0.checked_sub(operations as u64).ok_or(Fault::Limit)?;
        Ok(())
    }
}
