//! The language that says which mutants are kept: `verdict == non-subsumed && operator in (CXL, CXS) && !violates`.
//!
//! [`Filter::parse`] makes a typed condition of the text or says where it is wrong: fields, the values of
//! enumerations, relations that a field does not have. [`Filter::check`] asks whether a run can know what the condition
//! asks for, and whether the game has what it names, so that nothing is found out after hours. What a field means is in
//! [`Field`] alone; the command's help is made from it. What is deliberately absent: files, and any decision.

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
