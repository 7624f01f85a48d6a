//! The mutants of a finished run that a [`Filter`](super::Filter) keeps, written down: a file each, a line each, or
//! one featured model.
//!
//! [`walk`] goes through the records of the run next to the numbered mutants, a chunk at a time, and hands over those
//! that are kept; what it holds does not depend on how many there are. A sink writes them. The list of what was
//! written (`index.jsonl`, or the table itself) gets its name last: a folder that has it is whole.

mod exported;
mod files;
mod fmm;
mod formats;
mod merge;
mod restrict;
mod sink;
mod table;
mod walk;

pub use exported::Exported;
pub use files::{FilesSink, MutantFiles};
pub use fmm::FmmSink;
pub use formats::{EcdarProject, TcheckerFiles, UppaalFiles};
pub use merge::{ExportShares, SHARED_FORMATS};
pub use sink::{Kept, Sink};
pub use table::{TableKind, TableSink};
pub use walk::{Counts, Source, walk};
