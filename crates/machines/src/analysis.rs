//! Decides whether a suite is complete, by the procedure of \[000\] section 3.2, incrementally.

use super::conformance::killing_sequence;
use super::encoding::{Choice, Encoding};
use super::{AlphaAutomaton, ConformingBox, InputId, Mutant, MutationMachine};
use tamper_features::{Lit, Solver, SolverFailure};
use tamper_text::{Budget, StopReason};

/// The size of a test and of its description by clauses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestFacts {
    /// The number of inputs in the test.
    pub length: usize,
    /// The number of revealing executions, each described by one clause; `None` if the test is described by positions
    /// instead.
    pub n_executions: Option<usize>,
    /// The number of clauses that describe the test.
    pub n_clauses: usize,
}

/// A mutant that no test kills although a test can.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Escape {
    /// The mutant that passes every test.
    pub mutant: Mutant,
    /// A shortest sequence that kills it.
    pub killed_by: Vec<InputId>,
}

/// Whether the tests kill every nonconforming mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Every mutant that does not conform is killed.
    Complete,
    /// This mutant does not conform and is not killed.
    Escape(Escape),
    /// A limit was hit before the answer was known.
    Unknown(StopReason),
}

/// An incremental analysis: the tests so far, the mutants that they do not kill, and the conforming mutants met.
///
/// The solver keeps its clauses from question to question: tests and conforming mutants are only ever added.
#[derive(Debug)]
pub struct Analysis<'m, S> {
    pub(super) machine: &'m MutationMachine,
    solver: S,
    encoding: Encoding,
    tests: Vec<Vec<InputId>>,
    facts: Vec<TestFacts>,
    conforming: Vec<ConformingBox>,
    /// The mutant that each box was made around; the first is the specification.
    centres: Vec<Mutant>,
    n_clauses: usize,
    n_questions: u64,
}

impl<'m, S: Solver> Analysis<'m, S> {
    /// An analysis without tests; `solver` must be fresh. The specification is excluded, with every mutant that
    /// conforms in the same way (of an extended machine, alone).
    pub fn new(machine: &'m MutationMachine, mut solver: S) -> Self {
        let (encoding, n_clauses) = Encoding::new(machine, &mut solver);
        let mut analysis = Self {
            machine,
            solver,
            encoding,
            tests: Vec::new(),
            facts: Vec::new(),
            conforming: Vec::new(),
            centres: Vec::new(),
            n_clauses,
            n_questions: 0,
        };
        let specification = Mutant::specification(machine);
        match machine.extended() {
            None => {
                analysis.exclude_around(&specification);
            }
            // Finding the mutants that conform like the specification would take all its configurations; this waits
            // until a conforming mutant is met.
            Some(_) => analysis.exclude_box(&specification, ConformingBox::only(machine, &specification)),
        }
        analysis
    }

    /// Adds a test to the suite.
    pub fn add_test(&mut self, inputs: &[InputId]) {
        let facts = self.describe(inputs);
        self.tests.push(inputs.to_vec());
        self.facts.push(facts);
    }
    /// Replaces the last test, a prefix of `inputs`, by `inputs`.
    pub(super) fn extend_last(&mut self, inputs: &[InputId]) {
        let facts = self.describe(inputs);
        self.tests.pop();
        self.facts.pop();
        self.tests.push(inputs.to_vec());
        self.facts.push(facts);
    }
    fn describe(&mut self, inputs: &[InputId]) -> TestFacts {
        let alpha = AlphaAutomaton::new(self.machine, inputs);
        let described = self.encoding.describe(&alpha, &mut self.solver);
        self.n_clauses += described.n_clauses;
        TestFacts {
            length: inputs.len(),
            n_executions: described.n_executions,
            n_clauses: described.n_clauses,
        }
    }
    /// Excludes all mutants that conform like `mutant`. Returns `false`, and does nothing, if `mutant` does not
    /// conform, or if a limit of the machine's unfolding hides whether it does.
    pub fn exclude(&mut self, mutant: &Mutant) -> bool {
        killing_sequence(self.machine, mutant).is_none() && self.exclude_around(mutant)
    }
    /// Excludes one mutant, conforming or not.
    pub(super) fn exclude_one(&mut self, mutant: &Mutant) {
        let choices = self.machine.sets().map(|set| (set, mutant.choice(set)));
        let clause: Vec<Lit> = choices.map(|(set, choice)| !self.encoding.lit(set, choice)).collect();
        self.solver.add_clause(&clause);
        self.n_clauses += 1;
    }
    /// Returns whether the machine was unfolded far enough to know the mutants to exclude; if not, does nothing.
    fn exclude_around(&mut self, mutant: &Mutant) -> bool {
        let conforming = ConformingBox::around(self.machine, mutant);
        let is_known = self.machine.stopped().is_none();
        if is_known {
            self.exclude_box(mutant, conforming);
        }
        is_known
    }
    fn exclude_box(&mut self, mutant: &Mutant, conforming: ConformingBox) {
        let mut clause: Vec<Lit> = Vec::new();
        for (set, allowed) in &conforming.allowed {
            let others = (0..self.machine.n_choices(*set)).filter(|at| !allowed.contains(&(*at as u32)));
            clause.extend(others.map(|choice| self.encoding.lit(*set, choice)));
        }
        self.solver.add_clause(&clause);
        self.n_clauses += 1;
        self.conforming.push(conforming);
        self.centres.push(mutant.clone());
    }

    /// A nonconforming mutant that no test kills. `on_conforming` receives every conforming mutant met on the way,
    /// which is excluded with all mutants that conform in the same way. The budget's states are the questions to the
    /// solver.
    ///
    /// # Errors
    /// If the solver does not answer.
    pub fn escape(&mut self, budget: &Budget, on_conforming: &mut dyn FnMut(&Mutant)) -> Result<Answer, SolverFailure> {
        loop {
            let limit = budget.exceeded(self.n_questions + 1, 0);
            if let Some(reason) = limit.or(self.machine.stopped()) {
                return Ok(Answer::Unknown(reason));
            }
            self.n_questions += 1;
            if !self.solver.solve(&[])? {
                return Ok(Answer::Complete);
            }
            let Some(mutant) = self.encoding.mutant(self.machine, &self.solver) else {
                return Err(SolverFailure::of("in use"));
            };
            let killing = killing_sequence(self.machine, &mutant);
            if let Some(reason) = self.machine.stopped() {
                return Ok(Answer::Unknown(reason));
            }
            if let Some(killed_by) = killing {
                return Ok(Answer::Escape(Escape { mutant, killed_by }));
            }
            on_conforming(&mutant);
            self.exclude_around(&mutant);
        }
    }

    /// The solver, with all clauses so far.
    pub fn solver(&self) -> &S {
        &self.solver
    }
    /// The literals of all choices.
    pub fn choices(&self) -> Vec<Choice> {
        self.encoding.choices()
    }
    /// The machine whose mutants are analysed.
    pub fn machine(&self) -> &'m MutationMachine {
        self.machine
    }
    /// The tests in the order of their addition.
    pub fn tests(&self) -> &[Vec<InputId>] {
        &self.tests
    }
    /// The facts about each test, in the same order.
    pub fn facts(&self) -> &[TestFacts] {
        &self.facts
    }
    /// Conforming mutants that were excluded; the first box is the specification's. Boxes can overlap.
    pub fn conforming(&self) -> &[ConformingBox] {
        &self.conforming
    }
    /// The mutants around which the boxes were made, without the specification.
    pub fn centres(&self) -> &[Mutant] {
        &self.centres[1..]
    }
    /// The number of clauses given to the solver.
    pub fn n_clauses(&self) -> usize {
        self.n_clauses
    }
    /// The number of clauses that describe the tests.
    pub fn n_test_clauses(&self) -> usize {
        self.facts.iter().map(|facts| facts.n_clauses).sum()
    }
    /// The number of questions asked to the solver.
    pub fn n_questions(&self) -> u64 {
        self.n_questions
    }
}
