//! What a suite kills of *all* products of a family, say of a featured mutant model, however many there are.
//!
//! A test is executed once, symbolically: a run carries the conditions of the parts it depends on, as literals of a SAT
//! solver, and goes on only as long as some product that no test killed has them. A run that fails gives a cube
//! of conditions, whose products the test kills potentially; the cube is excluded. Definitely it kills the products of
//! failing runs without those of runs that end in another way. What the solver still finds is a product that escapes: it
//! is killed by a new test, or no test can kill it in this way; then it is excluded together with all products that
//! no test can kill for the same reason (`docs/notes/0009-all-products.md`).

mod analysis;
mod around;
mod avoiding;
mod conforming;
mod counts;
mod knowledge;
mod world;

pub use analysis::{Completed, DomainAnswer, DomainStep, FaultDomain};
pub use counts::{DefiniteCounts, DomainCounts};
