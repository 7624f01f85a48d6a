//! What a suite kills of *all* products of a featured mutant model, however many there are.
//!
//! A test is executed once, symbolically: a run carries the conditions of the parts it depends on, as literals of a SAT
//! solver, and goes on only as long as some product that no test killed has them. A run that fails gives a cube
//! of conditions, whose products the test kills potentially; the cube is excluded. What the solver still finds is a
//! product that escapes: it is killed by a new test, or no test can kill it; then it is excluded together with all
//! products whose explored part has no more outputs and is the same otherwise (`docs/notes/0009-all-products.md`).

mod analysis;
mod conforming;
mod knowledge;
mod world;

pub use analysis::{Completed, DomainAnswer, DomainCounts, FaultDomain};
