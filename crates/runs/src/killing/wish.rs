//! What suite is wanted.

use tamper_suite::{Kill, Pick, Refusals, Style};
use tamper_timed::mutation::MutationOptions;

tamper_text::named! {
    /// Which kills are wanted.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum KillGoal {
        /// Tests that can fail.
        Potential = "potential",
        /// Tests that always fail.
        Definite = "definite",
        /// Tests that always fail and are words of inputs and delays.
        Blind = "blind",
        /// Tests that always fail, or else tests that can.
        Both = "both",
    }
}

/// How tests are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// One for each mutant; equal tests are one.
    PerMutant,
    /// One after the other: always the test that kills most of those still alive, among the tests of the next of them,
    /// led on for others as long as that takes no more steps than a new test (\[002\]).
    OnTheFly,
    /// The fewest of the tests per mutant that kill as many.
    Minimal,
    /// As few tests as can be found, each one trace, as long as it has to be; of tests that can fail.
    Fewest,
    /// One for each mutant, along a chain of definitions and uses from what it changes to an observation point (\[002\]); a mutant
    /// that no such test kills is unknown.
    Chain,
}

/// What suite is wanted.
#[derive(Clone, Debug)]
pub struct SuiteOptions {
    /// Which kills.
    pub wanted: KillGoal,
    /// The style of tests that can fail.
    pub style: Style,
    /// Their delays.
    pub pick: Pick,
    /// How they are chosen.
    pub strategy: Strategy,
    /// With [`Strategy::Fewest`]: how often each test goes for all mutants; before each time but the first it rests.
    pub rounds: u32,
    /// What a refused input means: the mutants are candidates that are [`ignoring`](super::ignoring) inputs, or are not.
    pub refusals: Refusals,
    /// For how many time units nothing must come before a test ends that goes on after its last step; none: it does not go on.
    pub linger: Option<u32>,
    /// What the mutants were made by.
    pub mutation: MutationOptions,
    /// Search steps for the fewest tests.
    pub max_nodes: u64,
}

impl KillGoal {
    /// How surely a test has to kill for that to be of interest: what a kill matrix is to know.
    pub fn kill(self) -> Kill {
        match self {
            Self::Definite | Self::Blind | Self::Both => Kill::Definite,
            Self::Potential => Kill::Potential,
        }
    }
}
