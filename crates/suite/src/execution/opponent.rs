//! A single game that a test is executed against.

use std::rc::Rc;

use crate::TestVerdict;
use crate::error::SuiteFailure;
use crate::execution::compiled::CompiledTest;
use crate::execution::execute::{ExecutionEnd, execute_in};
use crate::execution::single::{RunObserver, Single, SingleSystem};
use crate::execution::subject::Subject;
use crate::view::View;
use tamper_game::symbolic::{INITIAL, NodeId};
use tamper_text::{Budget, IndexVec};

/// The ends that the runs of a test against one game come to.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Ends {
    /// Some run ends in fail.
    pub fail: bool,
    /// Some run ends in pass.
    pub pass: bool,
    /// Some run of the test ends inconclusively.
    pub inconclusive: bool,
    /// Some run stops time before a verdict.
    pub stalled: bool,
}

impl Ends {
    /// Whether the test kills the game potentially: some run fails.
    pub fn can_fail(self) -> bool {
        self.fail
    }
    /// Whether the test kills the game definitely: every run fails.
    pub fn must_fail(self) -> bool {
        self.fail && !self.pass && !self.inconclusive && !self.stalled
    }
    pub(crate) fn add(&mut self, end: ExecutionEnd) {
        match end {
            ExecutionEnd::Verdict(TestVerdict::Pass) => self.pass = true,
            ExecutionEnd::Verdict(TestVerdict::Fail) => self.fail = true,
            ExecutionEnd::Verdict(TestVerdict::Inconclusive) => self.inconclusive = true,
            ExecutionEnd::Stalled => self.stalled = true,
        }
    }
}

impl RunObserver<NodeId> for Ends {
    const HEEDS_SILENCE: bool = true;
    fn ends(&mut self, end: ExecutionEnd) {
        self.add(end);
    }
}

/// A game in the unit of time of some tests, with its clocks behind the tests' clocks.
pub struct Opponent {
    views: IndexVec<NodeId, Rc<View<NodeId>>>,
    n_clocks: usize,
    n_test_clocks: usize,
    scale: i64,
}

impl Opponent {
    /// The game for tests with the number of clocks and the scale of `test`.
    ///
    /// # Errors
    /// If a constant of the game becomes too large.
    pub fn new(subject: &Subject, test: &CompiledTest) -> Result<Self, SuiteFailure> {
        Self::behind(subject, test.n_clocks, test.scale)
    }
    /// The game by itself, in its own unit of time.
    ///
    /// # Errors
    /// As of [`Opponent::new`].
    pub fn alone(subject: &Subject) -> Result<Self, SuiteFailure> {
        Self::behind(subject, 0, 1)
    }
    /// The game with its clocks behind `n_test_clocks` others, in a unit of time `scale` times smaller.
    pub(crate) fn behind(subject: &Subject, n_test_clocks: usize, scale: i64) -> Result<Self, SuiteFailure> {
        let scaled = subject.arena.scaled(scale).ok_or(SuiteFailure::ConstantTooLarge)?;
        let arena = scaled.shifted(n_test_clocks);
        Ok(Self {
            views: arena
                .nodes
                .ids()
                .map(|node| Rc::new(View::of(&arena, node, &subject.labels)))
                .collect(),
            n_clocks: arena.n_clocks,
            n_test_clocks,
            scale,
        })
    }
    /// Whether the game has the unit and the place of its clocks for `test`.
    pub fn fits(&self, test: &CompiledTest) -> bool {
        self.n_test_clocks == test.n_clocks && self.scale == test.scale
    }
}

impl SingleSystem for Opponent {
    type Place = NodeId;
    fn n_clocks(&self) -> usize {
        self.n_clocks
    }
    fn start(&self) -> NodeId {
        INITIAL
    }
    fn view(&self, place: &NodeId) -> Rc<View<NodeId>> {
        Rc::clone(&self.views[*place])
    }
}

/// All ends of `test` against the game.
///
/// # Errors
/// The budget, which counts states of the test with zones.
///
/// # Panics
/// If the game is in another unit or behind another number of clocks ([`Opponent::fits`]).
pub fn execute(test: &CompiledTest, opponent: &Opponent, budget: &Budget) -> Result<Ends, SuiteFailure> {
    execute_with(test, opponent, budget, &mut |_, _| ())
}

/// Executes as [`execute`], and reports to `used` which rule of which node some run follows.
pub(crate) fn execute_with(
    test: &CompiledTest,
    opponent: &Opponent,
    budget: &Budget,
    used: &mut dyn FnMut(usize, usize),
) -> Result<Ends, SuiteFailure> {
    assert!(
        opponent.fits(test),
        "the game is in the test's unit and behind its clocks"
    );
    let mut single = Single {
        stage: opponent,
        watch: Ends::default(),
    };
    execute_in(test, &mut single, budget, used)?;
    Ok(single.watch)
}
