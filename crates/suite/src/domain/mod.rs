//! The products that a suite kills, among *all* products of a family (for example of a featured mutant model), however many there are.
//!
//! A test is executed once, symbolically: a run carries its set of products as a decision diagram, and continues only while the set
//! has a product that no test killed. The products of failing runs are killed potentially; the products of failing runs that have
//! no run with another end are killed definitely. A product that is left escapes: either a new test kills it, or no test can kill
//! it in this way; then it is excluded together with all products that no test can kill for the same reason
//! (`docs/notes/0009-all-products.md`).

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
