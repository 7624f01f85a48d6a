//! A suite of timed tests as a program that needs no tamper: a module for pytest or a runner of JavaScript, or a file of plain C.
//!
//! All hold the tests as data and run them as [`drive`](crate::suite::drive()) does without a tolerance, in time that the system is
//! told of; `scripts/check-harness.sh` compares them. What is deliberately absent: the system under test.

mod c;
mod data;
mod javascript;
mod python;

pub use c::write_c;
pub use javascript::{Runner, write_javascript};
pub use python::write_pytest;
