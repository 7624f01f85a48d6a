//! Text to games and back: the only parsers and printers of the crate.
//!
//! A reader answers exactly or refuses by name: nothing in a file is skipped silently. Every finding is a
//! [`Diagnostic`](crate::base::Diagnostic) with a span into the decoded text; [`render`] draws it.
//! What is deliberately absent: any meaning beyond what the file says (no exploration, no verdicts).

mod decode;
pub mod feature_model;
mod render;
pub mod uppaal;

pub use render::render;
pub use uppaal::{
    Document, Edit, InputEnabling, IoConvention, Layout, ReadError, ReadOptions, WriteError, read_bytes, read_file,
    write_automaton, write_mutant, write_mutations,
};
