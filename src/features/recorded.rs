//! A solver that remembers what it was asked about.

use super::{Cnf, Lit, Solver, SolverFailure, Var};

/// A solver with all its clauses beside it, if they are wanted.
#[derive(Debug)]
pub struct Recorded<S> {
    solver: S,
    cnf: Option<Cnf>,
}

impl<S> Recorded<S> {
    /// `solver`, which has no variables yet.
    pub fn new(solver: S, is_wanted: bool) -> Self {
        Self {
            solver,
            cnf: is_wanted.then(Cnf::default),
        }
    }
    /// The clauses, if they were wanted.
    pub fn cnf(&self) -> Option<&Cnf> {
        self.cnf.as_ref()
    }
}

impl<S: Solver> Solver for Recorded<S> {
    fn fresh(&mut self) -> Var {
        if let Some(cnf) = &mut self.cnf {
            cnf.fresh();
        }
        self.solver.fresh()
    }
    fn add_clause(&mut self, clause: &[Lit]) {
        if let Some(cnf) = &mut self.cnf {
            cnf.add(clause.iter().copied());
        }
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
