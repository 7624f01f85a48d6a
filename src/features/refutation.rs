//! Proofs that clauses cannot all hold: written by varisat, checked by its checker, which shares no code with the solver.

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
    let mut watched = Watched::default();
    {
        let mut checker = Checker::new();
        checker.add_transcript(&mut watched);
        for clause in cnf.clauses() {
            let clause: Vec<_> = clause.iter().map(|lit| lower(*lit)).collect();
            checker.add_clause(&clause).map_err(error)?;
        }
        checker.check_proof(proof).map_err(error)?;
    }
    if watched.n_clauses != cnf.clauses().len() {
        return Err(RefutationError("it brings clauses of its own".to_owned()));
    }
    if !watched.is_refuted {
        return Err(RefutationError("it ends before the empty clause".to_owned()));
    }
    Ok(())
}

/// What the checker says that it has seen.
#[derive(Default)]
struct Watched {
    n_clauses: usize,
    is_refuted: bool,
}

impl ProofTranscriptProcessor for Watched {
    fn process_step(&mut self, step: &ProofTranscriptStep<'_>) -> Result<(), anyhow::Error> {
        match step {
            ProofTranscriptStep::AddClause { .. } => self.n_clauses += 1,
            ProofTranscriptStep::Unsat => self.is_refuted = true,
            _ => {}
        }
        Ok(())
    }
}
