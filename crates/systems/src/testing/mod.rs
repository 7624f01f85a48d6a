//! Tests for untimed systems: made from a kill, executed on every choice of a system.
//!
//! A [`SystemTest`] is an acyclic graph: in each node the tester gives an input and sees an answer. An unlisted answer
//! is a fail, so a test lists all answers that the specification allows. Tests of action systems refer to events by
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
pub use test::{SystemTest, TestAnswer, TestGraph, TestNode, Then, Unsound};
