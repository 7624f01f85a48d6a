//! A second solver: varisat, pure Rust, with assumptions and failed cores. It has no limits.
//!
//! Version 0.2.2 sometimes gives too small a core: with the clause `b or not a`, the assumptions `not b` and `a`, and more
//! variables beside them, the core can be `a` alone. So the solver is asked again whether a core is contradictory before it
//! is returned; if it is not, all assumptions are returned.

use std::fmt;

use varisat::ExtendFormula;

use crate::{Lit, Solver, SolverFailure, Var};
use tamper_text::Id;

/// A [`Solver`] backed by varisat; it has no limits.
#[derive(Default)]
pub struct Varisat {
    solver: varisat::Solver<'static>,
    n_vars: usize,
    values: Vec<bool>,
    assumptions: Vec<Lit>,
}

impl fmt::Debug for Varisat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Varisat")
            .field("n_vars", &self.n_vars)
            .finish_non_exhaustive()
    }
}

pub(crate) fn lower(lit: Lit) -> varisat::Lit {
    varisat::Lit::from_var(varisat::Var::from_index(lit.var().index()), lit.is_positive())
}

fn raise(lit: varisat::Lit) -> Lit {
    Lit::new(Var::from_index(lit.index()), lit.is_positive())
}

impl Solver for Varisat {
    fn fresh(&mut self) -> Var {
        let var = self.solver.new_var();
        self.n_vars += 1;
        Var::from_index(var.index())
    }
    fn add_clause(&mut self, clause: &[Lit]) {
        let clause: Vec<_> = clause.iter().map(|lit| lower(*lit)).collect();
        self.solver.add_clause(&clause);
    }
    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, SolverFailure> {
        assumptions.clone_into(&mut self.assumptions);
        let lowered: Vec<_> = assumptions.iter().map(|lit| lower(*lit)).collect();
        self.solver.assume(&lowered);
        let answer = self.solver.solve().map_err(|_| SolverFailure::of("varisat"))?;
        if answer {
            self.values = vec![false; self.n_vars];
            for lit in self.solver.model().unwrap_or_default() {
                self.values[lit.index()] = lit.is_positive();
            }
        }
        Ok(answer)
    }
    fn value(&self, var: Var) -> bool {
        self.values.get(var.index()).copied().unwrap_or(false)
    }
    fn failed(&mut self) -> Result<Vec<Lit>, SolverFailure> {
        let core = self.solver.failed_core().unwrap_or_default();
        let core: Vec<Lit> = core.iter().map(|lit| raise(*lit)).collect();
        let assumptions = self.assumptions.clone();
        let is_core = !self.solve(&core)?;
        Ok(if is_core { core } else { assumptions })
    }
}
