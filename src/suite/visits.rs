//! Where a test leads: the locations of a game that some run of the test comes to.

use std::collections::BTreeSet;

use super::TestCase;
use super::compiled::{CompiledNode, CompiledTest};
use super::error::SuiteFailure;
use super::execute::{Alike, End, World, execute_in};
use super::opponent::Opponent;
use super::subject::Subject;
use crate::base::Budget;
use crate::game::INITIAL;
use crate::model::LocId;

/// The locations of `subject` that some run of `test` comes to.
///
/// # Errors
/// Bounds too fine to be compared exactly, and the budget.
pub fn visits(test: &TestCase, subject: &Subject, budget: &Budget) -> Result<BTreeSet<LocId>, SuiteFailure> {
    let compiled = CompiledTest::in_own_unit(test)?;
    let mut visitor = Visitor {
        opponent: &Opponent::new(subject, &compiled)?,
        nodes: BTreeSet::new(),
    };
    execute_in(&compiled, &mut visitor, budget, &mut |_, _| ())?;
    let location = |node: u32| subject.arena.node(node).location;
    Ok(visitor.nodes.into_iter().map(location).collect())
}

struct Visitor<'a> {
    opponent: &'a Opponent,
    nodes: BTreeSet<u32>,
}

impl World for Visitor<'_> {
    type Place = u32;
    type Group = ();
    fn n_clocks(&self) -> usize {
        self.opponent.n_clocks()
    }
    fn start(&self) -> (u32, ()) {
        (INITIAL, ())
    }
    fn split(&mut self, place: &u32, (): &(), _: &CompiledNode) -> Vec<Alike<u32, ()>> {
        self.nodes.insert(*place);
        vec![(self.opponent.view(*place), ())]
    }
    fn includes(&self, (): &(), (): &()) -> bool {
        true
    }
    fn unite(&self, (): &mut (), (): &()) -> bool {
        true
    }
    fn end(&mut self, _: End, (): &()) {}
    fn is_settled(&self, (): &()) -> bool {
        false
    }
}
