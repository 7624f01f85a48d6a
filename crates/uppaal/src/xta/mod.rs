//! UPPAAL's text format (`.xta`, and `.ta` of old versions).
//!
//! This module reads the structure of the file: the processes with their states and transitions, and the places of
//! their declarations and labels. The texts of declarations and labels are the same as in an XML file, so the file is
//! turned into the parts of one and read by the common reader. If a file has uncontrollable transitions (`-u->`), all
//! others are controllable; otherwise, the transitions are not marked at all.

mod parse;
mod read;
mod scan;
mod spell;

pub use read::{read_xta, read_xta_network};
