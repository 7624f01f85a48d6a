//! The commands about state machines, and what commands do about them.

mod check;
pub mod coverage;
pub mod coverage_proof;
pub mod coverage_smallest;
#[cfg(feature = "drawing")]
mod draw;
mod families;
mod load;
pub mod oracle;
pub mod oracle_session;
mod refine;
mod run;
mod testgen;

pub use check::check;
#[cfg(feature = "drawing")]
pub use draw::draw;
pub use families::families;
pub use load::{MACHINES, read, read_one, read_with_places};
pub use refine::refine;
pub use run::run;
pub use testgen::testgen;
