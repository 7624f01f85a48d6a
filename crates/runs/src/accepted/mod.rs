//! Mutants told apart by what they change: those that a user accepts, and those at places that differ from an older model.
//!
//! A [`Description`] of a mutant has its [`Content`]: the id without the numbers in it, and the changed parts of the model as
//! text. Two models are compared by contents, so that a new edge, which numbers others anew, changes nothing. Mutants of the
//! same content change equal parts (two edges that are the same in everything), and count in the order of their numbers. An
//! [`AcceptedFile`] holds rows of accepted mutants. Deliberately absent: verdicts, and the date.

mod content;
mod date;
mod file;
mod found;
mod parts;
mod write;

pub use content::{Content, Description, described};
pub use date::{day_since_1970, parse_day};
pub use file::{AcceptedCondition, AcceptedFile, AcceptedMutant, accepted_path};
pub use found::{AcceptedFound, Asked, LostReason, LostRow, Mutants, RowPosition, changed};
pub(crate) use parts::part_text;
