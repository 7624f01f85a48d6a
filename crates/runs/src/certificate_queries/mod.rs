//! The conditions of a certificate as queries of SMT-LIB, over linear real arithmetic, each of which a solver answers `unsat`.
//!
//! They are written from the definitions in `docs/notes/0026-certificates.md`, without zones: delays are quantified, resets substituted.
//! Whoever has the answer `unsat` to every query needs neither tamper nor tamper-check; hence this shares no code with the checker and
//! the engine, not even the reading of certificates.

mod error;
mod queries;
mod reading;
mod refinement;
mod states;
mod terms;
#[cfg(test)]
mod tests;

pub use error::QueriesError;
pub use queries::certificate_queries;
