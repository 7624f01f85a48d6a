//! A guide without a plan: it gives inputs that the specification takes, at random times. It is the baseline that suites are compared with.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::run::{AllowedInputs, TestPolicy};
use crate::{SuiteFailure, What};
use tamper_features::Random;

/// Draws the inputs and waits of a test.
#[derive(Debug)]
pub struct RandomGuide<'r> {
    random: &'r mut Random,
    /// Number of inputs and waits to come; one more wait of `longest` ends the test.
    left: Option<usize>,
    longest: u32,
}

impl<'r> RandomGuide<'r> {
    /// Number of inputs and waits of the random tests of a program.
    pub const N_STEPS: usize = 30;

    /// A guide for a test of `n_steps` inputs and waits, each of at most `longest` time units.
    pub fn new(random: &'r mut Random, n_steps: usize, longest: u32) -> Self {
        Self {
            random,
            left: Some(n_steps),
            longest,
        }
    }
}

impl TestPolicy for RandomGuide<'_> {
    fn wait(&mut self, _now: &BigRational) -> Option<BigRational> {
        let quarters = 4 * self.longest as usize;
        let left = self.left?;
        self.left = left.checked_sub(1);
        if left == 0 {
            return Some(quarter(quarters));
        }
        // Short waits meet windows, long ones deadlines.
        let most = [0, 4, quarters][self.random.below(3)];
        Some(quarter(self.random.below(most + 1)))
    }

    fn give(&mut self, _now: &BigRational, fair: &mut AllowedInputs<'_>) -> Result<Option<String>, SuiteFailure> {
        if self.left.is_none() {
            return Ok(None);
        }
        let fair = fair()?;
        // With the same probability as each input, it waits instead.
        let chosen = self.random.below(fair.len() + 1);
        Ok(fair.into_iter().nth(chosen))
    }

    fn saw(&mut self, _what: &What, _now: &BigRational) {}
}

fn quarter(n: usize) -> BigRational {
    BigRational::new(BigInt::from(n), BigInt::from(4))
}
