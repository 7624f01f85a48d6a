//! The conditions of a certificate as queries of SMT-LIB, over linear real arithmetic, each of which a solver answers `unsat`.
//!
//! They are written from the definitions in `docs/notes/0026-certificates.md`, without zones: delays are quantified, resets substituted.
//! Whoever has the answer `unsat` to every query needs neither tamper nor tamper-check; hence this shares no code with the checker and
//! the engine, not even the reading of certificates.

mod reading;
mod refinement;
mod states;
mod terms;
#[cfg(test)]
mod tests;

use std::io::{self, Write};

use reading::Reader;
use refinement::check_mutant;
use states::KnownGame;

/// The reason why there are no queries.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueriesError {
    /// The text is no certificate.
    #[error("no certificate: line {line}: {because}")]
    Malformed {
        /// The line, from 1.
        line: usize,
        /// The reason.
        because: String,
    },
    /// The certificate does not hold, whatever a solver says.
    #[error("does not hold: line {line}, because {because}")]
    DoesNotHold {
        /// The line, from 1.
        line: usize,
        /// The reason.
        because: &'static str,
    },
    /// The queries cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl QueriesError {
    fn malformed(line: usize, because: impl Into<String>) -> Self {
        let because = because.into();
        Self::Malformed { line, because }
    }
    fn wrong(line: usize, because: &'static str) -> Self {
        Self::DoesNotHold { line, because }
    }
}

/// Writes the conditions of the certificates in `text`, a query a line: those of the specification, and below a comment those of each
/// mutant. `(set-logic ALL)` has to stand before them.
///
/// # Errors
/// If the text is no certificate, or one that is wrong whatever a solver says, or if `out` refuses.
pub fn certificate_queries(text: &str, out: &mut dyn Write) -> Result<(), QueriesError> {
    let mut reader = Reader::start(text)?;
    let specification = reader.specification.clone();
    let reading = (reader.ignores_unknown, reader.is_pruned);
    KnownGame::new(&specification, "", reader.is_pruned).check(out)?;
    let mut n_mutants = 0;
    while let Some(mutant) = reader.next_mutant()? {
        n_mutants += 1;
        writeln!(out, "; {}: {}", mutant.name, mutant.claim)?;
        check_mutant(out, &mutant, &specification, reading)?;
    }
    match n_mutants {
        0 => Err(QueriesError::wrong(text.lines().count(), "there is no mutant")),
        _ => Ok(()),
    }
}
