//! Finite state machines with suspicious transitions, and the faults that a test suite finds in them (\[000\]).
//!
//! A [`MutationMachine`] is a complete deterministic specification with additional *mutated* transitions. Choosing one
//! transition in every *suspicious set* (a state and an input with several transitions) gives a machine; the unaltered
//! choice everywhere gives the specification, every other combination a [`Mutant`]. There are far too many mutants to
//! enumerate. Instead, [`Analysis`] describes the combinations that a test kills by clauses over the choices, and asks
//! a [`Solver`](tamper_features::Solver) for a combination that no test kills; [`complete`](Analysis::complete) adds
//! tests until none is left; [`Counter`] counts them exactly. Invariant: a mutant is a combination of choices, so two
//! mutants that differ only in states that neither can reach are two, as in the formula of \[000\] section 2.2.
//! An [`ExtendedMachine`] also has variables, guards and updates; its configurations are the states of a machine that
//! is unfolded on demand. [`formats`] reads and writes machines and suites. Time is deliberately absent.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

mod alpha;
mod analysis;
mod builder;
mod certificate;
mod choice_diagram;
mod clauses;
mod conformance;
mod count;
mod difference;
mod distinguish;
mod encoding;
mod entering;
mod executions;
mod extended;
pub mod formats;
mod generate;
mod growing;
mod joint_machine;
mod machine;
mod mutant;
mod parts;
mod positions;
mod suites;
mod trail;

pub use alpha::AlphaAutomaton;
pub use analysis::{Analysis, Answer, Escape, TestFacts};
pub use builder::{Faults, MachineBuilder, MachineError};
pub use certificate::{Certificate, CertificateError, clauses_left};
use choice_diagram::ChoiceDiagram;
pub use conformance::ConformingBox;
pub use count::{Counter, Counts, Number};
pub use difference::{Difference, Incomparable, difference};
pub use distinguish::DistinguishingAutomaton;
pub use encoding::Choice;
pub use extended::{
    Action as RuleAction, Answer as RuleAnswer, Checked, Domain, ERROR, Event, Expr, ExtendedMachine, Flaw, Leniency,
    Op, Options, QUIET, Rule, Slot, Trigger, Unfolded, Unfolding, Variable,
};
pub use generate::{Profile, ProfileError};
pub use growing::NameList;
pub use joint_machine::JointMachine;
pub use machine::MutationMachine;
pub use mutant::{Fault, FaultKind, Mutant};
pub use parts::{Assignment, Branch, InputId, OutputId, SetId, StateId, Transition};
pub use suites::checking::checking_sequence;
pub use suites::complete::{Completion, Found, Strategy};
pub use suites::first_order::{FirstOrder, FirstOrderPlan, OneFault, first_order_suite};
pub use suites::identifying::{MOST_INPUTS, SuiteError, differing_states, identifying_suite, w_method};
pub use suites::minimise::{Needed, minimise};
pub use suites::prioritise::prioritised;
pub use suites::smallest::{Smallest, smallest};
pub use suites::survivors::{Listed, Survivors, conforming_mutants};

#[cfg(test)]
mod tests;
