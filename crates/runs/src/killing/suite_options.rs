//! The options of a suite to generate.

use tamper_suite::{Kill, Pick, Refusals, Style};
use tamper_timed::mutation::MutationOptions;

tamper_text::named! {
    /// The kind of kills that count.
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

/// The strategy for choosing tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// One test for each mutant; equal tests are merged.
    PerMutant,
    /// One after the other: always the test, among the tests of the next living mutants, that kills most of the living,
    /// extended for further mutants as long as that takes no more steps than a new test (\[002\]).
    OnTheFly,
    /// A smallest subset of the tests per mutant that kills the same mutants.
    Minimal,
    /// The same for the mutants without memory, and long tests that go twice for each mutant with memory.
    ForPrograms,
    /// As few tests as can be found, each a single trace that can fail, as long as necessary.
    Fewest,
    /// One test for each mutant, along a chain of definitions and uses from its change to an observation point
    /// (\[002\]); a mutant that no test of this kind kills is unknown.
    Chain,
}

/// The options of a suite to generate.
#[derive(Clone, Debug)]
pub struct SuiteOptions {
    /// The kind of kills that count.
    pub wanted: KillGoal,
    /// The style of tests that can fail.
    pub style: Style,
    /// Delay to pick inside each allowed interval.
    pub pick: Pick,
    /// The strategy for choosing tests.
    pub strategy: Strategy,
    /// With [`Strategy::Fewest`]: number of rounds that each test makes through all mutants; it rests before each round
    /// but the first.
    pub rounds: u32,
    /// Meaning of refused inputs; the candidates must already be adapted to it by [`ignoring`](super::ignoring).
    pub refusals: Refusals,
    /// Time units of silence after which a test ends that lingers after its last step; `None` for tests that end at
    /// once.
    pub linger: Option<u32>,
    /// The options that made the mutants.
    pub mutation: MutationOptions,
    /// Largest number of search steps for the fewest tests.
    pub max_nodes: u64,
}

impl KillGoal {
    /// The strength of kills that matter for the goal, which a kill matrix has to distinguish.
    pub fn kill(self) -> Kill {
        match self {
            Self::Definite | Self::Blind | Self::Both => Kill::Definite,
            Self::Potential => Kill::Potential,
        }
    }
}
