//! Logs judged by the specification itself: is there a run of it that a log can come from?
//!
//! `record` puts a log into integers, `search` follows all runs that the log leaves possible, as zones, `judge`
//! asks, and says what was allowed where none is left. No test is known here, so tests and their strategies are held to account as well. What is
//! claimed: `docs/notes/0018-judging-logs.md`.

mod judge;
mod record;
mod search;

pub use judge::{Breach, Monitor, Ruling};
pub use record::Trace;
