//! The queries of a whole text of certificates.

use std::io::Write;

use super::error::QueriesError;
use super::reading::Reader;
use super::refinement::check_mutant;
use super::states::KnownGame;

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
