//! Untimed systems, action systems and their suites as text, and questions about them for other tools.
//!
//! A reader answers exactly or refuses by name, with places in the text.

pub mod actions;
pub mod btor2;
pub mod hyper;
pub mod smv;
pub mod suite;
mod tokens;
