//! A second solver: batsat, pure Rust, a descendant of MiniSat. It shares no code with varisat.

use std::fmt;

use batsat::{BasicSolver, SolverInterface, lbool};

use super::{Lit, Solver, SolverFailure, Var};
use crate::base::Id;

/// [`Solver`] by batsat.
#[derive(Default)]
pub struct Batsat {
    solver: BasicSolver,
    vars: Vec<batsat::Var>,
}

impl fmt::Debug for Batsat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batsat")
            .field("n_vars", &self.vars.len())
            .finish_non_exhaustive()
    }
}

impl Batsat {
    fn lower(&self, lit: Lit) -> batsat::Lit {
        batsat::Lit::new(self.vars[lit.var().index()], lit.is_positive())
    }
}

impl Solver for Batsat {
    fn fresh(&mut self) -> Var {
        self.vars.push(self.solver.new_var_default());
        Var::from_index(self.vars.len() - 1)
    }
    fn add_clause(&mut self, clause: &[Lit]) {
        let mut clause: Vec<_> = clause.iter().map(|lit| self.lower(*lit)).collect();
        self.solver.add_clause_reuse(&mut clause);
    }
    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, SolverFailure> {
        let assumptions: Vec<_> = assumptions.iter().map(|lit| self.lower(*lit)).collect();
        match self.solver.solve_limited(&assumptions) {
            answer if answer == lbool::TRUE => Ok(true),
            answer if answer == lbool::FALSE => Ok(false),
            _ => Err(SolverFailure("batsat")),
        }
    }
    fn value(&self, var: Var) -> bool {
        self.solver.value_var(self.vars[var.index()]) == lbool::TRUE
    }
    fn failed(&mut self) -> Result<Vec<Lit>, SolverFailure> {
        // The core holds the negations of the assumptions.
        let core = self.solver.unsat_core().iter();
        Ok(core
            .map(|lit| Lit::new(Var::from_index(lit.var().idx() as usize), !lit.sign()))
            .collect())
    }
}
