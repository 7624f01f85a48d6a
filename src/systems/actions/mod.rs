//! Action systems (\[001\]): guarded actions over bounded integers, and three verdicts on their mutants.

mod compare;
mod mutation;
mod normal;
mod steps;
mod system;

pub use compare::{ActionVerdicts, CompareError, Killed, SILENCE, compare, reach};
pub use mutation::{ActionMutation, ActionOperator, action_mutations};
pub use steps::{Event, Open, Values};
pub use system::{Action, ActionSystem, Body, Condition, Instance, IntType, Relation, StateVariable, Term};
