//! The locations that a test visits.

use std::collections::BTreeSet;

use crate::TestCase;
use crate::error::SuiteFailure;
use crate::execution::compiled::CompiledTest;
use crate::execution::execute::execute_in;
use crate::execution::opponent::Opponent;
use crate::execution::single::{RunObserver, Single};
use crate::execution::subject::Subject;
use tamper_game::symbolic::NodeId;
use tamper_text::Budget;
use tamper_timed::model::LocId;
use tamper_zones::Dbm;

/// The locations of `subject` that some run of `test` comes to.
///
/// # Errors
/// Bounds too fine to be compared exactly, and the budget.
pub fn visits(test: &TestCase, subject: &Subject, budget: &Budget) -> Result<BTreeSet<LocId>, SuiteFailure> {
    let compiled = CompiledTest::in_own_unit(test)?;
    let mut visited = Single {
        stage: &Opponent::new(subject, &compiled)?,
        watch: BTreeSet::new(),
    };
    execute_in(&compiled, &mut visited, budget, &mut |_, _| ())?;
    let location = |node: NodeId| subject.arena.node(node).location;
    Ok(visited.watch.into_iter().map(location).collect())
}

impl RunObserver<NodeId> for BTreeSet<NodeId> {
    fn comes_to(&mut self, place: &NodeId, _: &Dbm) {
        self.insert(*place);
    }
}
