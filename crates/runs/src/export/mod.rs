//! Export of a finished run's mutants that a [`Filter`](super::Filter) keeps: in separate files, in one table, or as
//! one featured model.
//!
//! [`walk`] reads the records of the run together with the numbered mutants, one chunk at a time, and passes on the
//! mutants that are kept; its memory does not depend on their number. A sink writes them. The list of the written
//! mutants (`index.jsonl`, or the table itself) gets its name last: a folder that has it is complete.

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
pub use formats::{EcdarProject, NormalForms, TcheckerFiles, UppaalFiles};
pub use merge::{ExportShares, SHARED_FORMATS};
pub use sink::{Kept, Sink};
pub use table::{TableKind, TableSink};
pub use walk::{Counts, Source, Walk, walk};
