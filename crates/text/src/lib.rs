//! Ids, places in source text, diagnostics and budgets. Knows no automaton.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

mod budget;
mod depth;
mod diagnostic;
mod ids;
mod source;
mod visible;
pub mod xml;

pub use budget::{Budget, StopReason};
pub use depth::{Height, MAX_HEIGHT, STACK, too_high};
pub use diagnostic::{Diagnostic, Severity};
pub use ids::{Id, IndexVec, ids_of};
pub use source::{LineCol, SourceFile, Span};
pub use visible::{visible, visible_json, visible_text};
