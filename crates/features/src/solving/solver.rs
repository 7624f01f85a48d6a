//! Satisfiability behind a small interface, so that a second solver can check the first.

use crate::{Cnf, EncodedModel, FeatureId, Lit, Product, Var};
use tamper_text::{Id, StopReason};

/// The solver gave no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the SAT solver {solver} gave no answer{}", because(*.stopped))]
pub struct SolverFailure {
    solver: &'static str,
    stopped: Option<StopReason>,
}

impl SolverFailure {
    /// A failure of the solver of that name that no limit caused: a fault of the solver itself.
    pub fn of(solver: &'static str) -> Self {
        Self { solver, stopped: None }
    }
    /// The solver of that name hit a limit.
    pub fn stopped(solver: &'static str, reason: StopReason) -> Self {
        Self {
            solver,
            stopped: Some(reason),
        }
    }
    /// The limit that was hit, if it was one.
    pub fn reason(&self) -> Option<StopReason> {
        self.stopped
    }
}

/// An incremental solver for propositional satisfiability.
pub trait Solver {
    /// Adds a variable; the first is 0, the next 1.
    fn fresh(&mut self) -> Var;
    /// Adds a clause over existing variables.
    fn add_clause(&mut self, clause: &[Lit]);
    /// Whether all clauses can hold together with `assumptions`.
    ///
    /// # Errors
    /// If the solver does not answer.
    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, SolverFailure>;
    /// The value of `var` in the solution found last. Meaningful after a `solve` that returned `true`.
    fn value(&self, var: Var) -> bool;
    /// Assumptions of the last `solve`, which gave `false`, that cannot all hold; not always as few as possible.
    ///
    /// # Errors
    /// If the solver does not answer.
    fn failed(&mut self) -> Result<Vec<Lit>, SolverFailure>;

    /// The reason why the next `solve` will not answer, if it is known; for work between two calls.
    fn late(&self) -> Option<SolverFailure> {
        None
    }

    /// Adds the variables and clauses of `cnf` to a solver without any.
    fn load(&mut self, cnf: &Cnf) {
        for _ in 0..cnf.n_vars() {
            self.fresh();
        }
        for clause in cnf.clauses() {
            self.add_clause(clause);
        }
    }
}

/// Up to `limit` different products of the loaded model, restricted to the features `projection`; each is found once.
/// The solver keeps the clauses that exclude what was found.
///
/// # Errors
/// If the solver does not answer.
pub fn products(
    solver: &mut dyn Solver,
    projection: &[FeatureId],
    limit: usize,
) -> Result<Vec<Product>, SolverFailure> {
    let mut found = Vec::new();
    while found.len() < limit && solver.solve(&[])? {
        let value = |feature: &FeatureId| solver.value(Var::from_index(feature.index()));
        let block: Vec<Lit> = projection
            .iter()
            .map(|feature| EncodedModel::lit(*feature, !value(feature)))
            .collect();
        found.push(projection.iter().copied().filter(|feature| value(feature)).collect());
        solver.add_clause(&block);
    }
    Ok(found)
}

fn because(stopped: Option<StopReason>) -> String {
    stopped.map_or_else(String::new, |reason| format!(": {reason}"))
}
