//! Programs under test: started, spoken to line by line, contained.
//!
//! `target` is the address of a program and its timekeeping, `link` the connection (a process or a TCP socket) with a thread that
//! reads and stamps its lines, `protocol` the lines, `remote` the [`Sut`](tamper_suite::Sut) on top of them, `stall_detector` notices when
//! tamper itself was stopped, `remarks` keeps what a program says beside the protocol, `runs` runs a whole suite; `steps` is for
//! programs without time. `supervisor` is the process that ends a program, with all that it started, when tamper ends. A program
//! that hangs, dies or floods ends in a [`SutError`] within bounded time and memory, and no process is left behind. The protocol is
//! described in `docs/book/src/sut-protocol.md`.

mod error;
mod harness;
mod link;
mod protocol;
mod remarks;
mod remote;
mod runs;
mod stall_detector;
mod steps;
#[cfg(unix)]
mod supervisor;
mod target;

pub use error::SutError;
pub use harness::{Runner, write_c, write_javascript, write_pytest, write_tokio};
pub use protocol::parse_time;
pub use remarks::{Remark, Source};
pub use remote::RemoteSut;
pub use runs::{
    AdaptivePlan, AdaptiveTests, Awaited, Finding, Halt, Judged, LogJudge, Manner, NeverStarted, Outcome, Permitted,
    Place, PlannedTest, Ran, RandomTests, ReadResults, Repeats, Results, RunEnd, RunSetting, Tally, TestRun, Trials,
    WindowEnd, n_kills, read_results, run_tests, together, wall_time, within,
};
pub use steps::{StepLog, StepSut};
#[cfg(unix)]
pub use supervisor::supervise;
pub use target::{Target, TimeMode, Timing};

#[cfg(test)]
mod tests;
