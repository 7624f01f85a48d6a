//! Tests that go on for as long as the mutant can still be killed: cooperative strategies (the term of David, Larsen, Li
//! and Nielsen, Cooperative Testing of Timed Systems, 2008), bounded by the length of the shortest run that shows the
//! mutant.
//!
//! `distance` finds, per pair and number of steps, all points from which some run shows the mutant within that many
//! steps; `graph` makes a node of each such pair and number, whose outputs lead on at every time from which the rest can
//! still be done; `moments` says when the tester acts; `simplify` leaves out what cannot happen, and clocks that others
//! stand for.

mod distance;
mod draft;
mod graph;
mod moments;
mod reached;
mod simplify;

pub(super) use distance::Distances;
pub use draft::Draft;
pub(super) use simplify::{retold, simplified};
