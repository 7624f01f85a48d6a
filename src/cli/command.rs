//! The command line as it is typed.

use clap::{Parser, Subcommand};

use super::exit::EXIT_CODES;
#[cfg(feature = "reproduction")]
use super::reproduce::ReproduceArgs;
#[cfg(feature = "workbench")]
use super::workbench::OpenArgs;
use crate::cli::accepting::accept::AcceptArgs;
use crate::cli::arguments::args::GlobalArgs;
use crate::cli::arguments::coverage_args::CoverageArgs;
use crate::cli::arguments::family_args::{FamiliesArgs, FeaturesArgs, FmmArgs, ProjectArgs};
use crate::cli::arguments::game_args::{CheckArgs, ClassifyArgs, ExportArgs, RefineArgs};
use crate::cli::arguments::packaging_args::{CompletionsArgs, ManArgs, NewAdapterArgs};
use crate::cli::arguments::run_args::MergeArgs;
#[cfg(feature = "drawing")]
use crate::cli::arguments::run_args::ReportArgs;
use crate::cli::arguments::suite_run_args::RunArgs;
use crate::cli::games::compose::ComposeArgs;
use crate::cli::machines::oracle::OracleArgs;
#[cfg(feature = "drawing")]
use crate::cli::pages::draw::DrawArgs;
use crate::cli::testing::diagnose::DiagnoseArgs;
use crate::cli::testing::harness::HarnessArgs;
use crate::cli::testing::minimise::MinimiseArgs;
use crate::cli::testing::score::ScoreArgs;
use crate::cli::testing::testgen::TestgenArgs;
use crate::cli::testing::view::ViewArgs;
use crate::cli::verify::VerifyArgs;

/// Mutation testing of real-time systems: is a mutant of a timed game worth a test?
///
/// tamper reads timed games (UPPAAL XML; `a?` is an input, `a!` an output), makes their mutants, and decides exactly
/// which of them no test can tell from the original.
#[derive(Parser, Debug)]
#[command(name = "tamper", version, max_term_width = 100, after_help = EXIT_CODES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Cli {
    #[command(flatten)]
    pub global: GlobalArgs,
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  tamper check model.xml                           what the file holds, and whether it is sound
  tamper classify model.xml                        a verdict on every first-order mutant
  tamper classify model.xml --order 2 --sample 5%  a twentieth of all pairs of mutations
  tamper refine model.xml Impl Spec --witness      does Impl refine Spec, and if not, why
  tamper export model.xml --keep 'non-subsumed && !duplicate' --out mutants
                                                   the mutants worth a test, as UPPAAL files
  tamper coverage machine.fsm suite.txt --show count
                                                   which combinations of faults a suite misses
  tamper oracle machine.dot                        a teacher for automata learners";

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Show what a file holds: size, alphabet, determinism, consistency, what no run reaches
    Check(CheckArgs),
    /// Decide whether one game refines another
    Refine(RefineArgs),
    /// Compose the automata of a network into one game and write it as a UPPAAL file
    Compose(ComposeArgs),
    /// Decide every mutant of a game: non-subsumed, subsumed or inconsistent
    Classify(ClassifyArgs),
    /// Check certificates of verdicts, and proofs that suites are complete
    Verify(VerifyArgs),
    /// Make one run, export or score of the shares that `--shard` made
    Merge(MergeArgs),
    /// Write mutants as models of UPPAAL, Ecdar or TChecker, or as a table
    #[command(alias = "mutate")]
    Export(ExportArgs),
    /// Write all mutants of a game, or of a family of games, as one featured mutant model
    Fmm(FmmArgs),
    /// Answer questions about a feature model: products, why a choice is none, samples
    Features(FeaturesArgs),
    /// Write one product of a family of games, or one mutant of a featured mutant model
    Project(ProjectArgs),
    /// Decide which products of a family of games refine a specification
    Families(FamiliesArgs),
    /// Say which combinations of faults of a mutation machine a suite misses
    Coverage(CoverageArgs),
    /// Answer the questions of a learner about a state machine, line by line
    Oracle(OracleArgs),
    /// Draw a game, a mutant with what is changed in it, or a feature model
    #[cfg(feature = "drawing")]
    Draw(DrawArgs),
    /// Show a model and its mutants on a page that follows it while it is edited
    #[cfg(feature = "workbench")]
    Open(OpenArgs),
    /// Write a run as one page for a browser, or as a table or figure
    #[cfg(feature = "drawing")]
    Report(ReportArgs),
    /// Run the published experiments again, and compare all that the paper says
    #[cfg(feature = "reproduction")]
    Reproduce(ReproduceArgs),
    /// What tamper starts itself as, to end a program under test with all that it started
    #[cfg(unix)]
    #[command(hide = true)]
    Supervise {
        /// A command of the shell
        command: String,
    },
    /// Make timed tests that kill the mutants of a game
    Testgen(TestgenArgs),
    /// Score a suite of timed tests: which mutants it kills, and why others survive
    Score(ScoreArgs),
    /// Keep mutants that may survive, each with a reason, beside the model
    Accept(AcceptArgs),
    /// Choose the fewest tests of a suite that kill as many mutants
    Minimise(MinimiseArgs),
    /// Run a suite of timed tests against a program, or against models in simulated time
    Run(RunArgs),
    /// Say what is wrong with a program, by the mutants that explain its logs
    Diagnose(DiagnoseArgs),
    /// Write the tests of a suite for UPPAAL: the tester beside a model, a query
    View(ViewArgs),
    /// Write the tests of a suite for pytest, JavaScript, cargo test or C
    Harness(HarnessArgs),
    /// Print a program to begin with that stands between tamper and a system under test
    NewAdapter(NewAdapterArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Write manual pages
    Man(ManArgs),
}
