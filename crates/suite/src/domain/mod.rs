//! What a suite kills of *all* products of a family, say of a featured mutant model, however many there are.
//!
//! A test is executed once, symbolically: a run carries the set of products that it is a run of, as a decision diagram,
//! and goes on only as long as it has a product that no test killed. The products of failing runs are those that the test
//! kills potentially; without those of runs that end in another way, those that it kills definitely. A product that is left
//! escapes: it is killed by a new test, or no test can kill it in this way; then it is excluded together with all products
//! that no test can kill for the same reason (`docs/notes/0009-all-products.md`).

mod analysis;
mod around;
mod avoiding;
mod clauses;
mod conforming;
mod counts;
mod parts;
mod world;

pub use analysis::{Completed, DomainAnswer, DomainStep, FaultDomain};
pub use clauses::ProductClauses;
pub use counts::{DefiniteCounts, DomainCounts};
