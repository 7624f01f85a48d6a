//! Commands about state machines: to compare them, and to draw them.

mod dispatch;
mod families;
mod load;
mod refine;

pub use dispatch::dispatch;
pub use load::read_one;
