//! How long a test takes.

use num_rational::BigRational;

use super::compiled::CompiledTest;
use super::error::SuiteFailure;
use super::execute::execute_in;
use super::opponent::Opponent;
use super::single::{Single, Watch};
use super::subject::Subject;
use super::{Node, TestCase};
use crate::symbolic::NodeId;
use crate::text::{Budget, StopReason};
use crate::zones::{Bound, Clock, Dbm, Federation, Variable};

/// The most states that are explored: whether the runs of a test with a loop end is not known in advance.
const MOST_OF_A_LOOP: u64 = 20_000;

/// The longest that a run of `test` against the game takes until its verdict, in time units, if the tester acts as soon as
/// the test allows (behind an open bound: within the part of a time unit that divides the test's bounds): the least
/// upper bound over all runs. None if the test has a loop and its runs did not all end within 20,000 states.
///
/// # Errors
/// Bounds too fine to be compared exactly, and the budget.
pub fn longest_time(test: &TestCase, subject: &Subject, budget: &Budget) -> Result<Option<BigRational>, SuiteFailure> {
    let has_loop = test.has_loop();
    let mut budget = budget.clone();
    if has_loop {
        let most = budget.max_states.unwrap_or(MOST_OF_A_LOOP);
        budget.max_states = Some(most.min(MOST_OF_A_LOOP));
    }
    // One clock that restarts in every node, and one that nothing restarts.
    let (since, total) = (test.clocks.len(), test.clocks.len() + 1);
    let mut clocked = test.clone();
    clocked.clocks.resize(total + 1, String::new());
    for jump in clocked.nodes.iter_mut().flat_map(Node::jumps_mut) {
        jump.resets.push((since, 0));
    }
    let compiled = CompiledTest::in_own_unit(&clocked)?;
    let opponent = Opponent::new(subject, &compiled)?;
    let mut timed = Single {
        stage: &opponent,
        watch: Timed {
            total: Variable::new(total),
            latest: 0,
        },
    };
    match execute_in(&compiled, &mut timed, &budget, &mut |_, _| ()) {
        Err(SuiteFailure::Stopped(StopReason::States)) if has_loop => return Ok(None),
        ended => ended?,
    }
    Ok(Some(BigRational::new(timed.watch.latest.into(), compiled.scale.into())))
}

struct Timed {
    total: Variable,
    latest: i64,
}

impl Watch<NodeId> for Timed {
    fn waits(&mut self, reached: &Dbm, when: &Dbm) -> Option<Federation> {
        let mut parts = Federation::from(reached.clone());
        if let Some(late) = later(reached, when) {
            parts.subtract_dbm(&late);
        }
        for part in parts.zones() {
            let bound = part.bound_upper(self.total);
            assert!(!bound.is_infinite(), "each wait ends when the tester may act");
            self.latest = self.latest.max(bound.constant());
        }
        Some(parts)
    }
}

/// Where the tester has acted: later than the first point in both zones, or than a part of a time unit behind an open
/// bound. One clock has been at 0 on entry, so that first point is of the same visit.
fn later(reached: &Dbm, when: &Dbm) -> Option<Dbm> {
    let mut late = reached.clone();
    if !late.intersect(when) {
        return None;
    }
    late.up();
    let clocks = (1..late.dim()).map(Clock::from_index);
    let bounds: Vec<_> = clocks.map(|clock| (clock, late.bound(Clock::ZERO, clock))).collect();
    let is_some = bounds.into_iter().all(|(clock, bound)| {
        let open = i64::from(bound.is_strict());
        late.constrain(Clock::ZERO, clock, Bound::lt(bound.constant() - open))
    });
    is_some.then_some(late)
}
