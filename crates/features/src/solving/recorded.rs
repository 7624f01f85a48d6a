//! A solver that remembers its clauses.

use crate::{Cnf, Lit, Solver, SolverFailure, Var};

/// A solver with all its clauses beside it.
#[derive(Debug)]
pub struct Recorded<S> {
    solver: S,
    cnf: Cnf,
}

impl<S> Recorded<S> {
    /// `solver`, which has no variables yet.
    pub fn new(solver: S) -> Self {
        let cnf = Cnf::default();
        Self { solver, cnf }
    }
    /// The clauses that were added so far.
    pub fn cnf(&self) -> &Cnf {
        &self.cnf
    }
}

impl<S: Solver> Solver for Recorded<S> {
    fn fresh(&mut self) -> Var {
        self.cnf.fresh();
        self.solver.fresh()
    }
    fn add_clause(&mut self, clause: &[Lit]) {
        self.cnf.add(clause.iter().copied());
        self.solver.add_clause(clause);
    }
    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, SolverFailure> {
        self.solver.solve(assumptions)
    }
    fn value(&self, var: Var) -> bool {
        self.solver.value(var)
    }
    fn failed(&mut self) -> Result<Vec<Lit>, SolverFailure> {
        self.solver.failed()
    }
    fn late(&self) -> Option<SolverFailure> {
        self.solver.late()
    }
}
