//! The language of conditions on mutants, for example `verdict == non-subsumed && operator in (CXL, CXS) && !violates`.
//!
//! [`Filter::parse`] turns text into a typed condition, or reports errors with their places: unknown fields, wrong
//! values of enumerations, relations that a field does not have. [`Filter::check`] checks that a run will know
//! everything that the condition needs, and that the game has all names in it, so that no error shows up only after
//! hours. The meaning of a field is defined in [`Field`] alone; the command's help is generated from it. Deliberately
//! absent: files, and any decision.

mod ast;
mod check;
mod fields;
mod lexer;
mod parser;
mod places;
mod subject;

pub use ast::Filter;
pub use check::Knowledge;
pub use fields::{FIELDS, Field, FieldInfo, Kind, Needs};
pub use places::Places;
pub use subject::Subject;

#[cfg(test)]
mod tests;
