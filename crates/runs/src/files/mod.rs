//! Protection of files against loss: the rules for all output of commands.
//!
//! [`refuse_clashes`] compares a command's outputs with its inputs, by file identity and not by name, before any work
//! is done. A [`Draft`] gets its name when it is complete, and follows symbolic links. A [`FolderLock`] keeps two
//! commands out of one folder, and ends with the process. Remains of a killed run are removed by the next run in the
//! same place.

mod clash;
mod draft;
mod identity;
mod lock;
mod made;

pub use clash::{Output, OutputKind, refuse_clashes};
pub use draft::{Draft, abandon_drafts, write_file, write_parts};
pub use lock::FolderLock;

pub(super) use identity::{destination, old};
pub(super) use lock::LOCK;
pub(super) use made::{MANIFEST, foreign_entry, is_empty, is_run};
