//! Proofs that a suite is complete, which can be checked without search.
//!
//! Every nonconforming mutant is killed if the clauses of the tests (\[000\] section 3.2) contradict the clauses that
//! exclude conforming mutants. A certificate lists conforming mutants, each of which is checked to conform by the
//! product of the two machines, and a refutation of the clauses, which is checked step by step.

use super::{Analysis, InputId, Mutant, MutationMachine};
use tamper_features::{Batsat, Cnf, Recorded, RefutationError, SolverFailure, check_refutation, refute};
use tamper_text::StopReason;

/// A proof that a suite is complete.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// Conforming mutants: each excludes all mutants that conform like it.
    pub conforming: Vec<Mutant>,
    /// A refutation of the remaining clauses, in DRAT.
    pub refutation: String,
}

/// The reason why a certificate proves nothing about a suite.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CertificateError {
    /// A mutant that it excludes does not conform.
    #[error("the mutant of the choices {} does not conform", choices(.0))]
    Nonconforming(Mutant),
    /// The refutation does not hold.
    #[error("the refutation does not hold: {0}")]
    Refutation(RefutationError),
    /// A limit was hit while the machine was unfolded.
    #[error("{0}")]
    Stopped(StopReason),
}

/// The clauses of the mutants that neither the tests kill nor `conforming` excludes, over fresh variables.
///
/// # Errors
/// A mutant in `conforming` that does not conform.
pub fn clauses_left(
    machine: &MutationMachine,
    suite: &[Vec<InputId>],
    conforming: &[Mutant],
) -> Result<(Cnf, Vec<super::Choice>), Mutant> {
    let mut analysis = Analysis::new(machine, Recorded::new(Batsat::default()));
    suite.iter().for_each(|test| analysis.add_test(test));
    for mutant in conforming {
        if !analysis.exclude(mutant) {
            return Err(mutant.clone());
        }
    }
    Ok((analysis.solver().cnf().clone(), analysis.choices()))
}

impl Certificate {
    /// A proof that `suite` kills every mutant except the ones that conform like a member of `conforming`; `None` if
    /// this is not the case.
    ///
    /// # Errors
    /// If the solver does not answer.
    pub fn of(
        machine: &MutationMachine,
        suite: &[Vec<InputId>],
        conforming: &[Mutant],
    ) -> Result<Option<Self>, SolverFailure> {
        let Ok((cnf, _)) = clauses_left(machine, suite, conforming) else {
            return Ok(None);
        };
        let refutation = refute(&cnf)?;
        Ok(refutation.map(|refutation| Self {
            conforming: conforming.to_vec(),
            refutation,
        }))
    }

    /// Checks that `suite` is complete for `machine`.
    ///
    /// # Errors
    /// The first part of the proof that fails.
    pub fn check(&self, machine: &MutationMachine, suite: &[Vec<InputId>]) -> Result<(), CertificateError> {
        let left = clauses_left(machine, suite, &self.conforming);
        if let Some(reason) = machine.stopped() {
            return Err(CertificateError::Stopped(reason));
        }
        let (cnf, _) = left.map_err(CertificateError::Nonconforming)?;
        check_refutation(&cnf, &self.refutation).map_err(CertificateError::Refutation)
    }
}

fn choices(mutant: &Mutant) -> String {
    let choices: Vec<String> = mutant.choices().iter().map(u32::to_string).collect();
    choices.join(" ")
}
