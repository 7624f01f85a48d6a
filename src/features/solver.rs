//! Satisfiability behind a small interface, so that a second solver can check the first.

use std::fmt;

use super::{Cnf, EncodedModel, FeatureId, Lit, Product, Var};
use crate::base::Id;

/// The solver gave up; ours have no limits, so this is a fault of theirs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverFailure(pub(super) &'static str);

impl SolverFailure {
    /// The failure of the solver of that name.
    pub fn of(name: &'static str) -> Self {
        Self(name)
    }
}

impl fmt::Display for SolverFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the SAT solver {} gave no answer", self.0)
    }
}

impl std::error::Error for SolverFailure {}

/// An incremental SAT solver.
pub trait Solver {
    /// One more variable; the first is 0, the next 1.
    fn fresh(&mut self) -> Var;
    /// One more clause over variables that are there.
    fn add_clause(&mut self, clause: &[Lit]);
    /// Whether all clauses can hold together with `assumptions`.
    ///
    /// # Errors
    /// If the solver does not answer.
    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, SolverFailure>;
    /// The value of `var` in the solution found last. Meaningful after a `solve` that gave `true`.
    fn value(&self, var: Var) -> bool;
    /// Assumptions of the last `solve`, which gave `false`, that cannot all hold; not always as few as possible.
    ///
    /// # Errors
    /// If the solver does not answer.
    fn failed(&mut self) -> Result<Vec<Lit>, SolverFailure>;

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
