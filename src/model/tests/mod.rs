//! What the tests of all rooms share about games.

pub mod sketch;
