//! Tests for untimed systems: made from a kill, executed on every choice of a system.
//!
//! A [`SystemTest`] is a graph without circles: in each node the tester gives an input and sees an answer. What is not
//! listed there is a fail, so a test holds all that the specification allows. Tests of action systems speak of events, by
//! classes of parameters.

mod candidate;
mod execute;
mod generate;
mod plan;
mod test;

pub use candidate::{Candidate, SystemFate, WantedKill, collect, fate_of, is_enough, is_killed};
pub use execute::{Ends, NoInput, execute};
pub use generate::{blind_test, potential_test};
pub use plan::definite_test;
pub use test::{Answer, Course, SystemTest, TestNode, Then, Unsound};
