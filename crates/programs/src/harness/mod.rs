//! A suite of timed tests as a program that does not need tamper: a module for pytest or a runner of JavaScript, a file of tests
//! for cargo, or a file of plain C.
//!
//! All of them hold the tests as data and run them as [`drive`](tamper_suite::drive()) does without a tolerance, in time that the
//! system is told of; `scripts/check-harness.sh` compares them. Deliberately absent: the system under test.

mod c;
mod cargo;
mod data;
mod javascript;
mod literals;
mod python;

pub use c::write_c;
pub use cargo::write_tokio;
pub use javascript::{Runner, write_javascript};
pub use python::write_pytest;
