//! SCXML (`.scxml`) with delayed events, as one timed game, by the algorithm of the standard.
//!
//! What a chart sends to others is an output, and so is each new configuration; what it sends to itself comes after its delay. A
//! `cond` is exact as far as it asks for active states and for integers and booleans that only `<assign>` changes; everything else
//! in it is an input: whoever tests the chart says whether it holds. Other data is not read, so that assignments and scripts only
//! let such inputs change. What is invoked belongs to the environment, which says when it is done.

mod cond;
mod content;
mod data;
mod read;
mod term;

pub use read::read_scxml;
