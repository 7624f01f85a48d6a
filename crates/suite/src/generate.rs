//! Tests for mutants, one at a time.

use std::collections::BTreeSet;

use super::completed::completed;
use super::cooperative::{self, Draft};
use super::definite::DefiniteSolution;
use super::error::SuiteFailure;
use super::linear::{self, Pick, Picking};
use super::pairing::{Pair, Pairing};
use super::search::shortest;
use super::{Kill, Style, TestCase, strategy};
use crate::execution::compiled::CompiledTest;
use crate::execution::concrete_state::clock_names;
use crate::execution::opponent::{Ends, Opponent, execute, execute_with};
use crate::execution::subject::{Subject, push_fresh};
use tamper_game::analyse;
use tamper_game::symbolic::INITIAL;
use tamper_text::Budget;
use tamper_timed::model::{Automaton, EdgeId};
use tamper_timed::mutation::edge_name;

/// A specification, prepared for making tests from it.
pub struct Tester {
    automaton: Automaton,
    spec: Subject,
    /// Number of parts into which tests of fixed times divide a time unit.
    grid: Option<u32>,
    /// The edges at which chains of definitions and uses are observed; if empty, all outputs and refused inputs.
    pub(super) points: BTreeSet<EdgeId>,
    /// Whether chains are searched depth first.
    pub(super) depth_first: bool,
}

/// Maximum factor by which constants grow where zones are computed in parts of a time unit.
pub(super) const SMALL: i64 = 1 << 10;

/// Whether a test can fail on a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Potential {
    /// This test can fail on it; its id is empty.
    Killed(TestCase),
    /// No run of the mutant shows anything that the specification does not allow: no test fails on it.
    NotKillable,
}

/// Whether a tester can make every run of a mutant fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Definite {
    /// This test fails on every run of the mutant; its id is empty.
    Killed(TestCase),
    /// The mutant can always avoid failing.
    Avoidable,
    /// The tester wins if it sees the mutant's state, which observations do not determine: some edges of the mutant
    /// overlap. That strategy does not always fail when it is executed without seeing the state.
    Unknown,
}

impl Tester {
    /// Prepares a specification, after checking that observations determine its state.
    ///
    /// # Errors
    /// [`SuiteFailure::NonDeterministic`], games without a meaning, and the budget.
    pub fn new(spec: &Automaton, budget: &Budget) -> Result<Self, SuiteFailure> {
        let analysis = analyse(spec, budget)??;
        if let Some(overlap) = analysis.overlaps.first() {
            let edges = (edge_name(spec, overlap.first), edge_name(spec, overlap.second));
            return Err(SuiteFailure::NonDeterministic { edges });
        }
        Self::with_choices(spec, budget)
    }

    /// Prepares a specification whose state need not be determined by observations: tests that plan while they run follow all
    /// states in which it may be.
    ///
    /// # Errors
    /// Games without a meaning, and the budget.
    pub fn with_choices(spec: &Automaton, budget: &Budget) -> Result<Self, SuiteFailure> {
        Ok(Self {
            automaton: spec.clone(),
            spec: Subject::specification(spec, budget)?,
            grid: None,
            points: BTreeSet::new(),
            depth_first: false,
        })
    }

    /// The same tester, but fixed times in its tests are multiples of `1 / grid` time units wherever an allowed time is one: the
    /// clock of a program may have no finer resolution.
    #[must_use]
    pub fn on_grid(self, grid: u32) -> Self {
        Self {
            grid: Some(grid),
            ..self
        }
    }

    pub(super) fn grid(&self) -> Option<u32> {
        self.grid
    }

    pub(super) fn picking(&self, pick: Pick) -> Picking {
        Picking { pick, grid: self.grid }
    }

    /// The automaton of the specification.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The specification as a subject of tests.
    pub fn spec(&self) -> &Subject {
        &self.spec
    }

    /// The shortest test that can fail on `mutant`. It has style [`Style::Cooperative`] if `style` is [`Style::Strategy`] or
    /// [`Style::Blind`], whose tests are made by [`Tester::definite`] and [`Tester::blind`].
    ///
    /// # Errors
    /// The budget.
    ///
    /// # Panics
    /// If the test that was found does not fail on the mutant, or fails on the specification: an error of this module.
    pub fn potential(
        &self,
        mutant: &Subject,
        style: Style,
        pick: Pick,
        budget: &Budget,
    ) -> Result<Potential, SuiteFailure> {
        let pairing = Pairing::new(&self.spec, mutant);
        let Some(run) = shortest(&pairing, budget)? else {
            return Ok(Potential::NotKillable);
        };
        let test = match style {
            Style::Adaptive => {
                let nodes = linear::nodes(&pairing, &run, self.picking(pick));
                TestCase::unnamed(style, Kill::Potential, clock_names(), nodes)
            }
            Style::Cooperative | Style::Strategy | Style::Blind => {
                let draft = self.draft_of(mutant, &pairing, run.steps.len(), &run.pairs, pick, budget)?;
                self.whole(&draft)
            }
        };
        let test = self.completed(&test)?;
        assert!(
            ends(&test, mutant, budget)?.can_fail(),
            "the test fails on its mutant: {test:?}"
        );
        Ok(Potential::Killed(self.harmless(test, budget)?))
    }

    fn draft_of(
        &self,
        mutant: &Subject,
        pairing: &Pairing<'_>,
        length: usize,
        pairs: &[(Pair, usize)],
        pick: Pick,
        budget: &Budget,
    ) -> Result<Draft, SuiteFailure> {
        let is_small = |subject: &Subject| subject.arena.scaled(SMALL).is_some();
        if !is_small(mutant) || !is_small(&self.spec) {
            return Err(SuiteFailure::ConstantTooLarge);
        }
        let distances = cooperative::Distances::compute(pairing, pairs, length, budget)?;
        Ok(Draft::new(&distances, (INITIAL, INITIAL), pick))
    }

    /// The cooperative test of [`Tester::potential`] for `mutant`, as a draft that can be extended; `None` if no run shows the mutant.
    ///
    /// # Errors
    /// As [`Tester::potential`].
    pub fn draft(&self, mutant: &Subject, pick: Pick, budget: &Budget) -> Result<Option<Draft>, SuiteFailure> {
        let pairing = Pairing::new(&self.spec, mutant);
        let Some(run) = shortest(&pairing, budget)? else {
            return Ok(None);
        };
        let draft = self.draft_of(mutant, &pairing, run.steps.len(), &run.pairs, pick, budget)?;
        Ok(Some(draft))
    }

    /// The test of the draft.
    ///
    /// # Errors
    /// Bounds too fine to be compared exactly, and the budget.
    ///
    /// # Panics
    /// If the test can fail on the specification: an error of this module.
    pub fn finish(&self, draft: &Draft, budget: &Budget) -> Result<TestCase, SuiteFailure> {
        self.harmless(self.completed(&self.whole(draft))?, budget)
    }

    /// The draft, extended where it ends without a fail to show `mutant` as well; `None` if that is impossible.
    ///
    /// # Errors
    /// Bounds too fine to be compared exactly, and the budget.
    pub fn extend(&self, draft: &Draft, mutant: &Subject, budget: &Budget) -> Result<Option<Draft>, SuiteFailure> {
        draft.extended(&self.whole(draft), &self.spec, mutant, budget)
    }

    /// The draft with names: the specification's clocks, the first mutant's with a mark, `t`, and further mutants'.
    fn whole(&self, draft: &Draft) -> TestCase {
        let mut clocks: Vec<String> = self.spec.clocks.clone();
        let n = clocks.len();
        for position in n..draft.n_clocks {
            let of_game = match position {
                position if position == 2 * n => None,
                position if position < 2 * n => self.spec.clocks.get(position - n),
                position => self.spec.clocks.get((position - 2 * n - 1) % n.max(1)),
            };
            let mut name = of_game.map_or("t".to_owned(), |clock| format!("{clock}'"));
            while clocks.contains(&name) {
                name.push('_');
            }
            clocks.push(name);
        }
        TestCase::unnamed(Style::Cooperative, Kill::Potential, clocks, draft.nodes.clone())
    }

    /// A test that always fails on `mutant`.
    ///
    /// # Errors
    /// The budget.
    ///
    /// # Panics
    /// If the test that was found can fail on the specification: an error of this module.
    pub fn definite(&self, mutant: &Subject, budget: &Budget) -> Result<Definite, SuiteFailure> {
        let pairing = Pairing::new(&self.spec, mutant);
        let solution = DefiniteSolution::compute(&pairing, budget)?;
        if !solution.is_won() {
            return Ok(Definite::Avoidable);
        }
        let (clocks, nodes) = (self.clock_names(mutant), strategy::nodes(&solution));
        let mut test = TestCase::unnamed(Style::Strategy, Kill::Definite, clocks, nodes);
        let compiled = CompiledTest::in_own_unit(&test)?;
        let opponent = Opponent::new(mutant, &compiled)?;
        let mut used = BTreeSet::new();
        let mut note = |node, rule| {
            used.insert((node, rule));
        };
        if !execute_with(&compiled, &opponent, budget, &mut note)?.must_fail() {
            return Ok(Definite::Unknown);
        }
        test.nodes = strategy::pruned(test.nodes, &used);
        let test = self.completed(&test)?;
        assert!(
            ends(&test, mutant, budget)?.must_fail(),
            "the test always fails on its mutant: {test:?}"
        );
        Ok(Definite::Killed(self.harmless(test, budget)?))
    }

    /// The completed test, which judges as the specification does.
    pub(super) fn completed(&self, test: &TestCase) -> Result<TestCase, SuiteFailure> {
        completed(test, &self.spec, None)
    }

    /// The completed test `test`, which lingers after its end: it judges all events until the specification forces no more and
    /// nothing has come for `quiet` time units. It fails where it failed before, and where something wrong comes after its end.
    ///
    /// # Errors
    /// Bounds too fine to be compared exactly, and the budget.
    ///
    /// # Panics
    /// If the test can fail on the specification: an error of this module.
    pub fn lingering(&self, test: &TestCase, quiet: u32, budget: &Budget) -> Result<TestCase, SuiteFailure> {
        self.harmless(completed(test, &self.spec, Some(quiet))?, budget)
    }

    /// The test, checked like all tests that are returned: it never fails on the specification.
    ///
    /// # Panics
    /// If it can: an error of this room.
    pub(super) fn harmless(&self, test: TestCase, budget: &Budget) -> Result<TestCase, SuiteFailure> {
        assert!(
            !ends(&test, &self.spec, budget)?.can_fail(),
            "the test does not fail on the specification: {test:?}"
        );
        Ok(test)
    }

    /// The names of the specification's clocks, of the mutant's clocks with a mark, and of a clock that restarts in every node; all
    /// are different.
    fn clock_names(&self, mutant: &Subject) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let marked = mutant.clocks.iter().map(|name| format!("{name}'"));
        for name in self.spec.clocks.iter().cloned().chain(marked).chain(["t".to_owned()]) {
            push_fresh(&mut names, name);
        }
        names
    }
}

/// All ends of a test against a game.
///
/// # Errors
/// Bounds too fine to be compared exactly, and the budget.
pub fn ends(test: &TestCase, subject: &Subject, budget: &Budget) -> Result<Ends, SuiteFailure> {
    let compiled = CompiledTest::in_own_unit(test)?;
    execute(&compiled, &Opponent::new(subject, &compiled)?, budget)
}
