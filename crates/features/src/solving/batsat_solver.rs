//! The default solver: batsat, pure Rust, a descendant of MiniSat, which can be interrupted. It shares no code with
//! varisat.

use std::fmt;

use batsat::{Callbacks, SolverInterface, SolverOpts, lbool};

use crate::{Lit, Solver, SolverFailure, Var};
use tamper_text::{Budget, Id};

/// Stops the search when the time is up.
#[derive(Default)]
struct Stop(Budget);

impl Callbacks for Stop {
    fn stop(&self) -> bool {
        self.0.exceeded(0, 0).is_some()
    }
}

/// A [`Solver`] backed by batsat; it can be interrupted by a [`Budget`].
pub struct Batsat {
    solver: batsat::Solver<Stop>,
    vars: Vec<batsat::Var>,
    budget: Budget,
}

impl Default for Batsat {
    fn default() -> Self {
        Self::within(&Budget::unlimited())
    }
}

impl fmt::Debug for Batsat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batsat")
            .field("n_vars", &self.vars.len())
            .finish_non_exhaustive()
    }
}

impl Batsat {
    /// A solver that stops when the time of `budget` is up.
    pub fn within(budget: &Budget) -> Self {
        Self {
            solver: batsat::Solver::new(SolverOpts::default(), Stop(budget.clone())),
            vars: Vec::new(),
            budget: budget.clone(),
        }
    }
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
        if let Some(failure) = self.late() {
            return Err(failure);
        }
        let assumptions: Vec<_> = assumptions.iter().map(|lit| self.lower(*lit)).collect();
        match self.solver.solve_limited(&assumptions) {
            answer if answer == lbool::TRUE => Ok(true),
            answer if answer == lbool::FALSE => Ok(false),
            _ => Err(self.late().unwrap_or_else(|| SolverFailure::of("batsat"))),
        }
    }
    fn late(&self) -> Option<SolverFailure> {
        let reason = self.budget.exceeded(0, 0);
        reason.map(|reason| SolverFailure::stopped("batsat", reason))
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
