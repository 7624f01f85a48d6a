//! The common part of readers and writers of files: ids, places in source text and the way back to them, diagnostics and their
//! drawing, encodings, a cursor for lexers, JSON with places, XML that is written, elements of SCXML; and budgets. Knows no automaton.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

mod budget;
mod cursor;
mod decode;
mod depth;
mod diagnostic;
mod ids;
pub mod json;
mod mapped;
mod named;
mod read_error;
mod render;
pub mod scxml;
mod source;
mod visible;
mod words;
pub mod xml;
mod xml_size;

pub use budget::{Budget, StopReason, allocated, count_memory};
pub use cursor::{Cursor, Piece};
pub use decode::{declared_encoding, decode};
pub use depth::{Height, LONGEST_NUMBER, MAX_HEIGHT, STACK, too_high};
pub use diagnostic::{Diagnostic, Severity};
pub use ids::{Id, IndexVec, ids_of};
pub use mapped::Text;
pub use read_error::{ReadError, has_error};
pub use render::render;
pub use source::{LineCol, SourceFile, Span};
pub use visible::{brief, visible, visible_json, visible_text};
pub use words::words;
