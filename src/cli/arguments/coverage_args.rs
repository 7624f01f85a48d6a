//! `tamper coverage` as it is typed.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use num_bigint::BigUint;

use crate::cli::arguments::args::MutationArgs;
use crate::cli::arguments::family_args::PairArgs;
use crate::cli::arguments::parse::{OrderArg, parse_bytes, parse_seconds};
use crate::cli::arguments::unspecified::{GraphArgs, MachineArgs};
use crate::cli::testing::suites::KillArg;
use tamper::machines::Strategy;

/// `tamper coverage`.
///
/// A mutation machine is a deterministic state machine with suspicious transitions: at some states and inputs, others
/// (mutated ones) may be there instead of its own. Every combination of choices is a mutant. A suite is complete if it
/// kills every mutant that any test can kill. All combinations are decided together, none is enumerated.
///
/// For a timed game, the mutants are all combinations of mutations, and a test kills what can fail it (or, with --kill
/// definite, what must fail it). With --features they are all products of a family of games, such as a featured mutant
/// model that was edited, and the suite is for the game of --against.
#[derive(Args, Debug)]
#[command(after_help = "\
A machine is text, one transition per line (or KISS2: .kiss, .kiss2; or as learners write it: .dot, .gv):

  initial 1
  1 b / 0 -> 2              in state 1, on input b, it answers 0 and is in state 2
  mutated 3 a / 1 -> 3      a fault: instead of the transition of state 3 on a

Every state needs a transition on every input. A suite has a test per line: inputs with the expected answers, b/0 a/1 (an
answer of several words in quotes, put/\"two words\"), or names of inputs alone, with spaces between them (or without, where
every name is one character). # starts a comment. A suite that expects what the machine does not answer is refused, with
test, step, expected and got; `tamper run suite.txt --against other.fsm` compares the answers of another machine.

Machines with variables, guards and updates (.efsm) and hierarchical ones (.scxml) are described in docs/book/src/machines.md:

  var n : 0..5 = 0
  idle coin [n < 5 | n <= 5] / ok {n := n + 1 | n} -> idle      a mutant has one alternative of each | (and all
                                                                combinations are mutants)

Prints complete, incomplete (with an escaping mutant and the shortest test that kills it) or unknown.

Examples:
  tamper coverage machine.fsm suite.txt --show count  and how many mutants escape, exactly
  tamper coverage machine.fsm suite.txt --show survivors=1%
                                                      the mutants that escape, each with a test for it
  tamper coverage machine.fsm suite.txt --formula left.smt2
                                                      let another solver look for a mutant that escapes
  tamper coverage machine.fsm suite.txt --proof complete.proof
  tamper coverage machine.fsm suite.txt --check-proof complete.proof
                                                      a proof that it is complete, and its check
  tamper coverage machine.fsm --suite complete --out suite.txt
                                                      a complete suite from nothing
  tamper coverage machine.fsm suite.txt --suite extended,minimised
                                                      go on with the last test; then drop needless ones
  tamper coverage machine.fsm --suite smallest --out suite.txt
                                                      the fewest tests that are complete
  tamper coverage learned.dot --moore --start q0 --faults all --suite complete
                                                      a Moore machine or an acceptor, whose graph names no start
  tamper coverage lion.kiss2 suite.txt --faults transfers
                                                      every wrong target of every transition, all combinations
  tamper coverage model.xml suite.json --show count   all combinations of mutations of a timed game
  tamper coverage model.xml --suite complete --kill definite --out suite.json
                                                      tests that fail every run of what they can
  tamper coverage fmm/fmm.xml suite.json --features fmm/features.uvl --against model.xml
                                                      all products of a featured mutant model")]
pub struct CoverageArgs {
    /// A mutation machine, a timed game (UPPAAL, Ecdar, TChecker), or a family of timed games
    pub machine: PathBuf,
    /// A test suite: text for a machine, JSON for a timed game [default: no tests]
    pub suite: Option<PathBuf>,
    /// Make another suite, in one or more of these ways
    #[arg(long = "suite", value_enum, value_name = "WHICH,..", value_delimiter = ',')]
    pub suites: Vec<SuiteArg>,
    /// Also show of the given suite: count, how many mutants it kills and misses (bounds where a limit is hit); of machines
    /// survivors=N|P%, that many of the mutants that it misses although a test kills them, each with the shortest such test; and
    /// conforming=N|P%, that many of those that conform, so that no test kills them
    #[arg(long = "show", value_name = "WHAT,..", value_delimiter = ',')]
    pub shown: Vec<ShowArg>,
    /// Write the resulting suite to FILE instead of showing it
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// With --suite complete or extended: write every step to FILE, so that an interrupted run can be continued
    #[arg(long, value_name = "FILE", requires = "suites")]
    pub journal: Option<PathBuf>,
    /// Continue the run whose journal FILE is
    #[arg(long, requires = "journal")]
    pub resume: bool,
    /// Seconds for the whole analysis, e.g. 10 or 0.5; the command ends at most a second later
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub timeout: Option<u64>,
    /// Machines: questions to the solver, nodes of the diagram that counts, configurations of a machine with variables [default
    /// for these: 1000000]. Timed games: symbolic states of one test or
    /// game, and nodes of all diagrams together [default for these: 5000000]
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Memory for diagrams (and for the zones of one test or game), e.g. 500M or 2G
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub max_memory: Option<u64>,
    #[command(flatten)]
    pub of_machine: MachineCoverageArgs,
    #[command(flatten)]
    pub read: MachineArgs,
    #[command(flatten)]
    pub games: PairArgs,
    #[command(flatten)]
    pub timed: TimedCoverageArgs,
    #[command(flatten)]
    pub mutation: MutationArgs,
    #[command(flatten)]
    pub graph: GraphArgs,
}

/// Options of `tamper coverage` for state machines.
#[derive(Args, Debug)]
pub struct MachineCoverageArgs {
    /// Write the formula that was solved to FILE (.cnf, .dimacs: DIMACS; .smt2: SMT-LIB): it has no solution if the suite
    /// is complete
    #[arg(long, value_name = "FILE")]
    pub formula: Option<PathBuf>,
    /// If the suite is complete in the end, write the proof to FILE; .drat: only the steps, for other checkers, which
    /// refute what --formula FILE.cnf writes
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Instead of searching, check that FILE, from --proof, proves SUITE complete: its steps are DRAT and lead to the empty
    /// clause; where unit propagation alone comes there, any steps do
    #[arg(long, value_name = "FILE", requires = "suite",
        conflicts_with_all = ["suites", "shown", "formula", "proof", "out",
            "timeout", "max_states", "max_memory"])]
    pub check_proof: Option<PathBuf>,
    /// Add faults of this kind to every transition; where answers have values, these stay
    #[arg(long, value_enum, value_name = "KIND")]
    pub faults: Option<FaultsArg>,
}

/// Options of `tamper coverage` for timed games.
#[derive(Args, Debug)]
pub struct TimedCoverageArgs {
    /// Timed games: how many mutations a mutant may have, or any number (each of the original, at most one per constraint)
    #[arg(long, value_name = "N|any", default_value = "any")]
    pub order: OrderArg,
    /// Timed games: the mutants are the products of this model of FILE's feature expressions: UVL, FeatureIDE (.xml) or
    /// DIMACS
    #[arg(long, value_name = "MODEL", requires = "against")]
    pub features: Option<PathBuf>,
    /// With --features: the specification, a game without features
    #[arg(long, value_name = "SPEC", requires = "features")]
    pub against: Option<PathBuf>,
    /// Timed games: what kills a mutant [default: potential]
    #[arg(long, value_enum, value_name = "HOW")]
    pub kill: Option<KillArg>,
}

/// A number of mutants, or a share of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShareArg {
    /// A number of mutants.
    Number(u64),
    /// Millionths of all mutants.
    Millionths(u64),
}

impl ShareArg {
    /// The number of mutants out of `all`, rounded up.
    pub fn of(self, all: &BigUint) -> u64 {
        match self {
            Self::Number(number) => number,
            Self::Millionths(share) => {
                let number = (all * share + 999_999_u32) / 1_000_000_u32;
                u64::try_from(number).unwrap_or(u64::MAX)
            }
        }
    }
}

impl std::str::FromStr for ShareArg {
    type Err = &'static str;
    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        const EXPECTED: &str = "a number of mutants, or a share up to 100% with at most four decimals";
        let Some(share) = text.strip_suffix('%') else {
            return text.parse().map(Self::Number).map_err(|_| EXPECTED);
        };
        let (units, decimals) = share.split_once('.').unwrap_or((share, "0"));
        let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(units) || !is_number(decimals) || decimals.len() > 4 {
            return Err(EXPECTED);
        }
        match format!("{units}{decimals:0<4}").parse() {
            Ok(millionths) if millionths <= 1_000_000 => Ok(Self::Millionths(millionths)),
            _ => Err(EXPECTED),
        }
    }
}

/// A suite that is made.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum SuiteArg {
    /// Tests are added until it is complete
    Complete,
    /// The same, and the last test goes on until it kills what escapes, which saves resets (machines)
    Extended,
    /// From nothing as few tests as any complete suite has, of these one of the fewest inputs in all, which is proved, or said how many
    /// tests are needed at least (machines)
    Smallest,
    /// Tests whose mutants the other tests kill anyway are dropped (machines)
    Minimised,
    /// Those tests first that kill most of what the tests before them leave (machines)
    Prioritised,
}

/// What is shown of a suite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShowArg {
    /// How many mutants it kills and misses.
    Count,
    /// Mutants that it misses.
    Survivors(ShareArg),
    /// Mutants that no test kills.
    Conforming(ShareArg),
}

impl std::str::FromStr for ShowArg {
    type Err = &'static str;
    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        match text.split_once('=') {
            None if text == "count" => Ok(Self::Count),
            Some(("survivors", most)) => most.parse().map(Self::Survivors),
            Some(("conforming", most)) => most.parse().map(Self::Conforming),
            _ => Err("count, survivors=N or P%, or conforming=N or P%"),
        }
    }
}

impl CoverageArgs {
    /// How the suite is completed, if it is.
    pub fn completes(&self) -> Option<Strategy> {
        self.suites.iter().find_map(|suite| match suite {
            SuiteArg::Complete => Some(Strategy::NewTests),
            SuiteArg::Extended => Some(Strategy::ExtendLast),
            _ => None,
        })
    }

    /// Up to how many of `all` mutants are listed.
    pub fn lists(&self, all: &BigUint, what: fn(ShareArg) -> ShowArg) -> Option<u64> {
        self.shown.iter().find_map(|shown| match *shown {
            ShowArg::Survivors(most) | ShowArg::Conforming(most) if what(most) == *shown => Some(most.of(all)),
            _ => None,
        })
    }

    /// Refuses options that do not go together.
    pub fn check(&self) -> Result<()> {
        let is_alone =
            self.suites.len() == 1 && self.suite.is_none() && self.shown.is_empty() && self.journal.is_none();
        let writes = self.of_machine.formula.is_some() || self.of_machine.proof.is_some();
        if self.suites.contains(&SuiteArg::Smallest) && (writes || !is_alone) {
            bail!(
                "--suite smallest starts from nothing: leave out SUITE, the other suites, --show, --formula, --proof and --journal"
            );
        }
        if self.suites.contains(&SuiteArg::Complete) && self.suites.contains(&SuiteArg::Extended) {
            bail!("--suite: complete or extended, not both");
        }
        if self.journal.is_some() && self.completes().is_none() {
            bail!("--journal is for --suite complete or extended");
        }
        if self.completes().is_some() && self.shown.iter().any(|shown| matches!(shown, ShowArg::Survivors(_))) {
            bail!("--show survivors is about a given suite: leave out --suite");
        }
        Ok(())
    }
}

/// Faults that are possible everywhere.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum FaultsArg {
    /// Any other output
    Outputs,
    /// Any other target
    Transfers,
    /// Any output and any target
    All,
}
