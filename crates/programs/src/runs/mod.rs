//! A suite run against a program.
//!
//! `outcome` has the outcomes of tests, `finding` describes failures in words, `failure_location` has the places that they refer to; `attempt`
//! runs a test once, `judged` asks the specification, `run_test` runs a test as often as is asked for, `adaptive` keeps the mutants
//! that adaptive tests have still to look for, `worker_pool` runs all tests, with several instances of the program side by side.

mod adaptive;
mod attempt;
mod failure_location;
mod finding;
mod judged;
pub(super) mod lines;
mod outcome;
mod plan;
mod results;
mod run_test;
mod trial;
mod worker_pool;

pub use adaptive::{AdaptivePlan, AdaptiveTests};
pub use attempt::NeverStarted;
pub use failure_location::{Awaited, Permitted, Place, WindowEnd};
pub use finding::Finding;
pub use judged::{Judged, LogJudge};
pub use outcome::{Outcome, Tally, TestRun};
pub use plan::{PlannedTest, n_kills, together, wall_time, within};
pub use results::{ReadResults, Results, RunSetting, read_results};
pub use trial::{Manner, RandomTests, Repeats, Trials};
pub use worker_pool::{Halt, Ran, RunEnd, run_tests};
