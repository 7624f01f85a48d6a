//! Plans: what a run is about, its share of it, and its folder.

pub mod manifest;
pub mod merge;
pub mod output;
pub mod plan;
pub mod sample;
pub mod shard;
pub mod shares;
pub mod timer;
pub(crate) mod turns;
