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
mod compiled;
mod completed;
mod concrete_state;
mod cooperative;
mod criteria;
mod definite;
mod domain;
mod drive;
mod duration;
mod error;
mod execute;
mod failures;
mod family;
mod generate;
mod linear;
mod matrix;
mod minimise;
mod monitor;
mod online;
mod opponent;
mod pairing;
mod search;
mod simulate;
mod single;
mod sites;
mod strategy;
mod subject;
mod sut;
mod test_case;
mod tester_game;
mod view;
mod visits;
mod walk;
mod weak;

pub use blind::Blind;
pub use chain::{Chain, Chains};
pub use compiled::CompiledTest;
pub use cooperative::Draft;
pub use criteria::{Criterion, Item, items};
pub use domain::{Completed, DefiniteCounts, DomainAnswer, DomainCounts, DomainStep, FaultDomain, ProductClauses};
pub use drive::{
    Allowed, Broken, Driven, Ending, Event, Failure, Lateness, TimeUnit, UnexpectedOutput, Wait, What, Words, drive,
};
pub use duration::{hoped_time, longest_time};
pub use error::SuiteFailure;
pub use family::Family;
pub use generate::{Definite, Potential, Tester, ends};
pub use linear::Pick;
pub use matrix::{KillMatrix, family_based, one_by_one};
pub use minimise::{Cover, greedy_cover, minimum_cover, prioritised};
pub use monitor::{Breach, Monitor, Ruling, Trace};
pub use online::{
    AdaptiveCampaign, AdaptiveGuide, CampaignTarget, OnlineOracle, Open, RandomGuide, TestPolicy, Unjudged,
    drive_online,
};
pub use opponent::{Ends, Opponent, execute};
pub use simulate::{simulate, simulate_logged};
pub use sites::Site;
pub use subject::Subject;
pub use sut::{Measured, Observed, Refusals, Sut};
pub use test_case::{
    Act, Condition, Constraint, Dangling, Expected, Jump, Kill, Next, Node, Resets, Rule, Style, TestCase, TestVerdict,
};
pub use tester_game::TesterGame;
pub use visits::visits;
pub use walk::{Extension, MutantEstimate, Reach, SearchLimits, TargetMutant, TestTrace};
pub use weak::kills_weakly;
