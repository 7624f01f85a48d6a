//! The strategies of `tamper testgen`, and its options for state machines.

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use tamper::experiment::killing::Strategy;

/// Options of `tamper testgen` for state machines.
#[derive(Args, Clone, Debug)]
pub struct TestgenMachineArgs {
    /// State machines, with --strategy w-method or hsi-method: how many states more than the specification's that differ a machine may
    /// have whose faults are found; each makes the suite as many times longer as there are inputs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub extra_states: usize,
}

/// How tests are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum StrategyArg {
    /// One per mutant; equal ones are one
    #[default]
    PerMutant,
    /// Always the test that kills most of those still alive, led on for others while that takes no more steps than a new test
    OnTheFly,
    /// The fewest of the tests per mutant
    Minimal,
    /// As few tests as can be found, each one trace that goes on as long as it can show another mutant (--kill potential)
    Fewest,
    /// One per mutant, along a chain of definitions and uses from what it changes to where that is observed ([002]). A chain does not
    /// know values: a test counts if it kills its mutant when it is executed, and a mutant without such a test is unknown
    Chain,
    /// The same, with chains that are looked for depth first, which are longer
    ChainDepthFirst,
    /// State machines: for all faults, mutants or not, of machines with as many states as the specification has that are reachable and
    /// differ (and --extra-states); each state is told from all others by the same words (Chow 1978)
    WMethod,
    /// State machines: the same with words of its own for each state, which are fewer (harmonised state identifiers)
    HsiMethod,
    /// State machines: for all faults that add no state one test without a reset (Hennie 1964); exit code 1 where there is none
    CheckingSequence,
}

impl StrategyArg {
    /// The strategy for tests of a timed game.
    pub fn timed(self) -> Result<Strategy> {
        Ok(match self {
            Self::PerMutant => Strategy::PerMutant,
            Self::OnTheFly => Strategy::OnTheFly,
            Self::Minimal => Strategy::Minimal,
            Self::Fewest => Strategy::Fewest,
            Self::Chain | Self::ChainDepthFirst => Strategy::Chain,
            Self::WMethod | Self::HsiMethod | Self::CheckingSequence => {
                bail!("--strategy w-method, hsi-method and checking-sequence are for state machines")
            }
        })
    }
}
