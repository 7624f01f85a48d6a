//! Proofs that clauses cannot all hold: written by varisat, checked by its checker, which shares no code with the solver.

use std::cell::Cell;
use std::fmt;

use varisat::{ExtendFormula as _, ProofFormat};
use varisat_checker::{Checker, ProofTranscriptProcessor, ProofTranscriptStep};

use super::varisat_solver::lower;
use super::{Cnf, SolverFailure};

/// How a refutation is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefutationFormat {
    /// What [`check_refutation`] reads.
    Varisat,
    /// DRAT, for the checkers of others.
    Drat,
}

/// A proof that the clauses cannot all hold; none if they can.
///
/// # Errors
/// If the solver does not answer.
pub fn refute(cnf: &Cnf, format: RefutationFormat) -> Result<Option<Vec<u8>>, SolverFailure> {
    let failure = |_| SolverFailure::of("varisat");
    let mut proof = Vec::new();
    let answer = {
        let mut solver = varisat::Solver::new();
        let format = match format {
            RefutationFormat::Varisat => ProofFormat::Varisat,
            RefutationFormat::Drat => ProofFormat::Drat,
        };
        solver.write_proof(&mut proof, format);
        for clause in cnf.clauses() {
            let clause: Vec<_> = clause.iter().map(|lit| lower(*lit)).collect();
            solver.add_clause(&clause);
        }
        let answer = solver.solve().map_err(failure)?;
        solver.close_proof().map_err(failure)?;
        answer
    };
    Ok((!answer).then_some(proof))
}

/// Why a refutation proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefutationError(String);

impl fmt::Display for RefutationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RefutationError {}

/// Checks that `proof`, in varisat's own format, shows that the clauses cannot all hold.
///
/// # Errors
/// A step does not follow, the empty clause is never reached, or the proof brings clauses of its own.
pub fn check_refutation(cnf: &Cnf, proof: &[u8]) -> Result<(), RefutationError> {
    let error = |error: varisat_checker::CheckerError| RefutationError(error.to_string());
    let n_added = Cell::new(0);
    let mut watched = Watched(&n_added);
    let mut checker = Checker::new();
    checker.add_transcript(&mut watched);
    for clause in cnf.clauses() {
        let clause: Vec<_> = clause.iter().map(|lit| lower(*lit)).collect();
        checker.add_clause(&clause).map_err(error)?;
    }
    let n_given = n_added.get();
    checker.check_proof(proof).map_err(error)?;
    if n_added.get() > n_given {
        return Err(RefutationError("it brings clauses of its own".to_owned()));
    }
    // The checker takes no notice of clauses once it has a contradiction.
    let other = varisat::Lit::from_var(varisat::Var::from_index(cnf.n_vars()), true);
    checker.add_clause(&[other]).map_err(error)?;
    if n_added.get() > n_given {
        return Err(RefutationError("it ends before the empty clause".to_owned()));
    }
    Ok(())
}

/// Counts the clauses that the checker takes notice of.
struct Watched<'c>(&'c Cell<usize>);

impl ProofTranscriptProcessor for Watched<'_> {
    fn process_step(&mut self, step: &ProofTranscriptStep<'_>) -> Result<(), anyhow::Error> {
        if matches!(step, ProofTranscriptStep::AddClause { .. }) {
            self.0.set(self.0.get() + 1);
        }
        Ok(())
    }
}
