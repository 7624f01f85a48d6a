//! Untimed systems: finite transition systems with inputs and outputs, and the kills of their mutants (\[004\]:
//! conditional mutants).
//!
//! A [`TransitionSystem`] is explicit: numbered states, and steps `X -(I, O)-> X'`, at least one for every state and
//! input. [`decide`] answers, exactly, whether a mutant is equivalent, killed potentially, killed definitely by a
//! tester who sees the outputs, or killed definitely by one sequence of inputs. [`formats`] reads and writes files.
//! Time is deliberately absent.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

pub mod actions;
mod adaptive;
mod antichain;
mod blind;
mod chains;
mod conditional;
mod controllable;
mod decision;
mod error;
mod evaluate;
mod explicit;
mod explore;
pub mod formats;
mod ids;
mod lasting;
mod mutation;
mod pair;
mod potential;
mod program;
mod side_by_side;
pub mod testing;
mod verdict;

pub use chains::{Chained, Chains, Mutated};
pub use conditional::{conditional_mutant, featured_mutants};
pub use controllable::controllable;
pub use decision::{Decision, Move, Run, Strategy};
pub use error::SystemError;
pub use evaluate::NoValue;
pub use explicit::{Builder, Step, TransitionSystem};
pub use explore::{ExploreError, Missing, explore};
pub use ids::{InputId, OutputId, StateId};
pub use mutation::{Place, SystemMutation, SystemOperator, mutations};
pub use pair::Pair;
pub use program::{
    Binary, Constraint, Define, DefineId, Domain, Expr, ExprKind, Moments, Observed, Program, Role, SYMBOL, Unary,
    VarId, Variable,
};
pub use side_by_side::side_by_side;
pub use verdict::{KillStrength, Verdicts, decide};
