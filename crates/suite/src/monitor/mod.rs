//! Logs judged by the specification itself: whether some run of it explains a log.
//!
//! `record` converts a log to integers, `search` follows all runs that the log leaves possible, as zones, `judge` asks for such
//! runs, and tells what was allowed where no run is left, `word` plays what must happen. Nothing here knows a test, so tests and their strategies are checked as
//! well. The claims are in `docs/notes/0018-judging-logs.md`.

mod judge;
mod record;
mod search;
mod word;

pub use judge::{Breach, Monitor, Ruling};
pub use record::Trace;
pub use word::{AnsweredWord, WordAct, WordEnd};
