//! A suite run against a program.
//!
//! `outcome` has the outcomes of tests, `finding` describes failures in words, `place` has the places that they refer to; `attempt`
//! runs a test once, `judged` asks the specification, `examine` runs a test as often as is asked for, `adaptive` keeps the mutants
//! that adaptive tests have still to look for, `crew` runs all tests, with several instances of the program side by side.

mod adaptive;
mod attempt;
mod crew;
mod examine;
mod finding;
mod judged;
pub(super) mod lines;
mod outcome;
mod place;
mod plan;
mod results;
mod trial;

pub use adaptive::{AdaptivePlan, AdaptiveTests};
pub use attempt::NeverStarted;
pub use crew::{Halt, Ran, RunEnd, run_tests};
pub use finding::Finding;
pub use judged::{Judged, LogJudge};
pub use outcome::{Outcome, Tally, TestRun};
pub use place::{Awaited, Permitted, Place, WindowEnd};
pub use plan::{PlannedTest, n_kills, together, wall_time, within};
pub use results::{ReadResults, Results, RunSetting, read_results};
pub use trial::{Manner, RandomTests, Repeats, Trials};
