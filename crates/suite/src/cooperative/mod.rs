//! Cooperative strategies: tests that continue for as long as the mutant can still be killed (the term is from David, Larsen, Li
//! and Nielsen, Cooperative Testing of Timed Systems, 2008), bounded by the length of the shortest run that shows the mutant.
//!
//! `distance` finds, per pair and number of steps, all points from which some run shows the mutant within that number of steps;
//! `graph` makes a node for each pair and number, whose outputs lead on at every time from which the remaining steps can still be
//! made; `moments` decides when the tester acts; `simplify` leaves out what cannot happen, and clocks that others can replace.

mod distance;
mod draft;
mod graph;
mod moments;
mod reached;
mod simplify;

pub(super) use distance::Distances;
pub use draft::Draft;
pub(super) use simplify::{retold, simplified};
