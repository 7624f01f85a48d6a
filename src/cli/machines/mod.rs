//! Commands about state machines: comparing, drawing, and making suites.

#[cfg(feature = "drawing")]
mod draw;
mod families;
mod load;
mod refine;
mod testgen;

#[cfg(feature = "drawing")]
pub use draw::draw;
pub use families::families;
pub use load::{MACHINES, read, read_one, read_with_places};
pub use refine::refine;
pub use testgen::testgen;
