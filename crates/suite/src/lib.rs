//! Tests for mutants: their form, their generation and execution, the mutants they kill, and the choice of the tests to keep.
//!
//! A [`TestCase`] is a timed test. A [`Tester`] finds tests for mutants of a specification: [`Tester::potential`] finds one that
//! can fail, [`Tester::definite`] one that always fails, as the tester's strategy in a timed game. [`ends`] computes all ends of a
//! test against a game ([`Subject`]), [`simulate`] makes one random play, [`family_based`] executes a test against all mutants at
//! once. [`minimum_cover`] finds the fewest (or cheapest) tests that kill all that a suite kills, [`prioritised`] the order to run
//! them in, [`longest_time`] the longest duration of a test on a game, [`hoped_time`] the duration that the test itself hopes for.
//! [`drive`] runs a test against a [`Sut`]. Deliberately absent: files, processes, time on the wall.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

mod blind;
mod chain;
mod completed;
mod cooperative;
mod criteria;
mod definite;
mod domain;
mod drive;
mod error;
mod execution;
mod failures;
mod family;
mod generate;
mod linear;
mod matrix;
mod minimise;
mod monitor;
mod online;
mod pairing;
mod search;
mod sites;
mod strategy;
mod sut;
mod test_case;
mod test_trace;
mod tester_game;
mod view;
mod weak;

pub use blind::Blind;
pub use chain::{Chain, Chains};
pub use cooperative::Draft;
pub use criteria::{Criterion, Item, items};
pub use domain::{Completed, DefiniteCounts, DomainAnswer, DomainCounts, DomainStep, FaultDomain, ProductClauses};
pub use drive::{
    Allowed, Broken, Driven, Ending, Event, Failure, Lateness, TimeUnit, UnexpectedOutput, Wait, What, Words, drive,
    n_events,
};
pub use error::SuiteFailure;
pub use execution::compiled::CompiledTest;
pub use execution::duration::{hoped_time, longest_time};
pub use execution::opponent::{Ends, Opponent, execute};
pub use execution::random_game::{RandomGame, Stalled};
pub use execution::reads::reads;
pub use execution::simulate::{simulate, simulate_logged};
pub use execution::subject::Subject;
pub use execution::visits::visits;
pub use family::Family;
pub use generate::{Definite, Potential, Tester, ends};
pub use linear::Pick;
pub use matrix::{KillMatrix, family_based, one_by_one};
pub use minimise::{Cover, greedy_cover, minimum_cover, prioritised};
pub use monitor::{AnsweredWord, Breach, Monitor, Ruling, Trace, WordAct, WordEnd};
pub use online::{
    AdaptiveCampaign, AdaptiveGuide, CampaignTarget, OnlineOracle, Open, RandomGuide, TestPolicy, Unjudged,
    drive_online,
};
pub use sites::Site;
pub use sut::{Measured, Observed, Refusals, Sut};
pub use test_case::{
    Act, Condition, Constraint, Dangling, Expected, Jump, Kill, Next, Node, Resets, Rule, Style, TestCase, TestVerdict,
};
pub use test_trace::{Extension, MutantEstimate, Reach, SearchLimits, TargetMutant, TestTrace};
pub use tester_game::TesterGame;
pub use weak::kills_weakly;
