//! How long a test takes.

use std::rc::Rc;

use num_rational::BigRational;

use super::TestCase;
use super::compiled::{CompiledNode, CompiledTest};
use super::error::SuiteFailure;
use super::execute::{End, World, execute_in};
use super::opponent::Opponent;
use super::subject::Subject;
use super::view::View;
use crate::base::Budget;
use crate::game::INITIAL;
use crate::zones::{Dbm, Variable};

/// The longest that a run of `test` against the game takes until its verdict, in time units: the least upper bound over
/// all runs. None if a run may wait for ever.
///
/// # Errors
/// Bounds too fine to be compared exactly, and the budget.
pub fn longest_time(test: &TestCase, subject: &Subject, budget: &Budget) -> Result<Option<BigRational>, SuiteFailure> {
    // A clock that nothing restarts.
    let mut clocked = test.clone();
    clocked.clocks.push(String::new());
    let compiled = CompiledTest::in_own_unit(&clocked)?;
    let opponent = Opponent::new(subject, &compiled)?;
    let mut timed = Timed {
        opponent: &opponent,
        clock: Variable::new(test.clocks.len()),
        latest: Some(0),
    };
    execute_in(&compiled, &mut timed, budget, &mut |_, _| ())?;
    Ok(timed
        .latest
        .map(|latest| BigRational::new(latest.into(), compiled.scale.into())))
}

struct Timed<'a> {
    opponent: &'a Opponent,
    clock: Variable,
    latest: Option<i64>,
}

impl World for Timed<'_> {
    type Place = u32;
    type Group = ();
    fn n_clocks(&self) -> usize {
        self.opponent.n_clocks()
    }
    fn start(&self) -> (u32, ()) {
        (INITIAL, ())
    }
    fn split(&mut self, place: &u32, (): &(), _: &CompiledNode) -> Vec<(Rc<View<u32>>, ())> {
        vec![(self.opponent.view(*place), ())]
    }
    fn includes(&self, (): &(), (): &()) -> bool {
        true
    }
    fn unite(&self, (): &mut (), (): &()) -> bool {
        true
    }
    fn waits(&mut self, reached: &Dbm) {
        let bound = reached.bound_upper(self.clock);
        let latest = self.latest.filter(|_| !bound.is_infinite());
        self.latest = latest.map(|latest| latest.max(bound.constant()));
    }
    fn end(&mut self, _: End, (): &()) {}
    fn is_settled(&self, (): &()) -> bool {
        self.latest.is_none()
    }
    fn heeds_silence(&self) -> bool {
        false
    }
}
