//! Files are never lost: the rules that every command's writing obeys.
//!
//! [`refuse_clashes`] compares what a command writes with what it reads, as files and not as names, before anything is
//! done. A [`Draft`] gets its name when it is whole, and writes where a symbolic link leads. A [`FolderLock`] keeps two
//! commands out of one folder, and ends with the process. What a killed run left behind is taken away by the next one
//! in the same place.

mod clash;
mod draft;
mod identity;
mod lock;
mod made;

pub use clash::{Output, OutputKind, refuse_clashes};
pub use draft::{Draft, abandon_drafts, write_file};
pub use lock::FolderLock;

pub(super) use identity::{destination, old};
pub(super) use lock::LOCK;
pub(super) use made::{MANIFEST, foreign_entry, is_empty, is_run};
