//! Clocks as matrix indices: one that may be the reference, one that never is.

/// A row or column of a zone: the reference clock (constantly zero) or a real clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Clock(u16);

impl Clock {
    /// The reference clock, constantly zero.
    pub const ZERO: Self = Self(0);

    /// The clock of matrix index `index`: 0 is the reference clock, `i + 1` the `i`-th real one.
    ///
    /// # Panics
    /// If `index` does not fit in 16 bits.
    #[inline]
    pub fn from_index(index: usize) -> Self {
        Self(u16::try_from(index).expect("fewer than 2^16 clocks"))
    }
    /// The row and column of this clock in a matrix.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
    /// This clock as a real clock; `None` for the reference.
    #[inline]
    pub fn variable(self) -> Option<Variable> {
        (self != Self::ZERO).then_some(Variable(self.0))
    }
}

/// A real clock, never the reference: the only kind that can be reset.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Variable(u16);

impl Variable {
    /// The `number`-th real clock, counted from 0; its matrix index is `number + 1`.
    ///
    /// # Panics
    /// If `number + 1` does not fit in 16 bits.
    #[inline]
    pub fn new(number: usize) -> Self {
        Self(u16::try_from(number + 1).expect("fewer than 2^16 clocks"))
    }
    /// The row and column of this clock in a matrix: at least 1.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl From<Variable> for Clock {
    #[inline]
    fn from(variable: Variable) -> Self {
        Self(variable.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_real_clock_has_matrix_index_one() {
        assert_eq!(Variable::new(0).index(), 1);
        assert_eq!(Clock::from(Variable::new(4)).index(), 5);
        assert_eq!(Clock::ZERO.variable(), None);
        assert_eq!(Clock::from_index(3).variable(), Some(Variable::new(2)));
    }
}
