//! UPPAAL's text format (`.xta`, and `.ta` of old versions).
//!
//! The structure of the file is read here: which process has which states and transitions, and where its declarations and
//! labels stand. All of these texts are the ones an XML file has, so the file is spelled out as XML and read by the one
//! reader there is. Where a file has uncontrollable transitions (`-u->`), all others are controllable; where it has none, nothing
//! is said about it.

mod parse;
mod read;
mod scan;
mod spell;

pub use read::{read_xta, read_xta_network};
