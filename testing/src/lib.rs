//! What the tests of several packages share: games in short lines, case studies built by hand, random games,
//! and the region oracle that judges them.

pub mod machines;
pub mod networks;
pub mod oracle;
pub mod sketch;
pub mod studies;
pub mod suites;
pub mod systems;

// The two files name the model as the tests of its own package do, which read them, too.
use tamper_timed::model;
