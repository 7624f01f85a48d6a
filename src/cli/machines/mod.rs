//! Commands about state machines: to compare them, and to draw them.

#[cfg(feature = "drawing")]
mod draw;
mod families;
mod load;
mod refine;

#[cfg(feature = "drawing")]
pub use draw::draw;
pub use families::families;
pub use load::{MACHINES, read, read_one, read_with_places};
pub use refine::refine;
