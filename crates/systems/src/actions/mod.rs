//! Action systems (\[001\]): guarded actions over bounded integers, and three verdicts on their mutants.

mod candidate;
mod compare;
mod composed;
mod lifted;
mod mutation;
mod normal;
mod observed;
mod pattern;
mod steps;
mod system;

pub use candidate::ActionBench;
pub use compare::{ActionVerdicts, CompareError, Killed, SILENCE, compare, reach};
pub use lifted::{compare_all, compare_made};
pub use mutation::{ActionMutation, ActionOperator, action_mutations};
pub use observed::{Alphabet, OBSERVE, REFUSED, View, observed};
pub use pattern::Pattern;
pub use steps::{Event, Open, Values};
pub use system::{
    ActionBody, ActionCondition, ActionInstance, ActionSystem, ComparisonOperator, GuardedAction, IntType, IntegerTerm,
    Loop, StateVariable,
};
