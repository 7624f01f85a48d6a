//! Suites for machines: made, completed, shortened, and what they leave alive.

pub mod checking;
pub mod complete;
pub mod first_order;
pub mod identifying;
pub mod joint;
pub mod minimise;
pub mod parallel_walk;
pub mod partition;
pub mod prioritise;
pub mod reduced;
pub mod smallest;
pub mod survivors;
