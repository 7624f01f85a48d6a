//! The command line as it is typed.

use std::path::PathBuf;

use clap::{ArgAction, Args, Id, Parser, Subcommand, ValueEnum};

use super::compose::ComposeArgs;
use super::coverage_args::CoverageArgs;
#[cfg(feature = "drawing")]
use super::draw::DrawArgs;
use super::exit::EXIT_CODES;
use super::family_args::{FamiliesArgs, FeaturesArgs, FmmArgs, ProjectArgs};
use super::harness_args::HarnessArgs;
use super::minimise::MinimiseArgs;
use super::network_args::{MutateArgs, NetworkArgs};
use super::oracle_args::OracleArgs;
use super::packaging_args::{CompletionsArgs, ManArgs, NewAdapterArgs};
use super::places::Places;
#[cfg(feature = "reproduction")]
use super::reproduce::ReproduceArgs;
#[cfg(feature = "drawing")]
use super::run_args::ReportArgs;
use super::run_args::{MergeArgs, RecordsArg};
use super::run_suite::RunArgs;
use super::score::ScoreArgs;
use super::settings::{parse_bytes, parse_order, parse_seconds};
use super::testgen::TestgenArgs;
use super::unspecified::UnspecifiedArg;
use super::view::ViewArgs;
use crate::experiment::{Sample, Shard};
use crate::mutation::{Operator, OperatorSet, Order};

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
  tamper coverage machine.fsm suite.txt --count    which combinations of faults a suite misses
  tamper oracle machine.dot                        a teacher for automata learners";

/// Options of every command.
#[derive(Args, Debug)]
pub struct GlobalArgs {
    /// How results are printed
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORMAT", help_heading = GLOBAL)]
    pub format: Format,
    /// Threads to use, 1 to 1024 [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = GLOBAL)]
    pub threads: Option<u16>,
    /// Only results and errors: no progress, no notes
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = GLOBAL)]
    pub quiet: bool,
    /// More about what is done
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = GLOBAL)]
    pub verbose: u8,
    /// When messages are coloured
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN", help_heading = GLOBAL)]
    pub color: Color,
    /// What makes an edge an input: its label (`?`, `!`), the attribute `controllable`, or both if they agree
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHAT", help_heading = GLOBAL)]
    pub io: Io,
    /// Whether inputs that no edge accepts are ignored (on), refused (off), or ignored in games with an IO line (auto)
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN", help_heading = GLOBAL)]
    pub input_enabling: Enabling,
    /// Take options that are not typed from this TOML file: `[classify]`, then `order = 2` [default: tamper.toml, if it is there]
    #[arg(long, global = true, value_name = "TOML", help_heading = GLOBAL)]
    pub config: Option<PathBuf>,
    /// Where the command reads and writes.
    #[arg(skip)]
    pub places: Places,
}

const GLOBAL: &str = "Global options";

/// How results are printed.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}

/// When messages are coloured.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What makes an edge an input.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum Io {
    /// Both; where they disagree, an error
    #[default]
    Auto,
    /// The label
    Label,
    /// The attribute
    Attribute,
}

/// Whether inputs that no edge accepts are ignored.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum Enabling {
    /// In games with an IO line
    #[default]
    Auto,
    /// Ignored
    On,
    /// Refused
    Off,
}

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
    /// Make one run, export or score of the shares that `--shard` made
    Merge(MergeArgs),
    /// Write mutants of a game, those that a condition keeps: as UPPAAL, Ecdar or TChecker models, or as a table
    #[command(alias = "mutate")]
    Export(ExportArgs),
    /// Write all mutants of a game, or of a family of games, as one featured mutant model
    Fmm(FmmArgs),
    /// Answer questions about a feature model: products, why a choice is none, samples
    Features(FeaturesArgs),
    /// Write one product of a family of games, or one mutant of a featured mutant model
    Project(ProjectArgs),
    /// Decide for all products of a family of games together which of them refine a specification
    Families(FamiliesArgs),
    /// Decide whether a test suite finds every combination of faults of a mutation machine; if not, which it misses
    Coverage(CoverageArgs),
    /// Answer the questions of a learner about a state machine, line by line: what it answers, whether a hypothesis is right
    Oracle(OracleArgs),
    /// Draw a game, a mutant with what is changed in it, or a feature model
    #[cfg(feature = "drawing")]
    Draw(DrawArgs),
    /// Write a run as one page for a browser: verdicts, the model with its mutants, counterexamples, what tests kill
    #[cfg(feature = "drawing")]
    Report(ReportArgs),
    /// Run the published experiments again: six case studies, tables, figures, and what the paper says about them
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
    /// Choose the fewest tests of a suite that kill as many mutants
    Minimise(MinimiseArgs),
    /// Run a suite of timed tests against a program, or against models in simulated time
    Run(RunArgs),
    /// Write the tests of a suite for UPPAAL: the tester beside a model, and the query whether it can fail
    View(ViewArgs),
    /// Write the tests of a suite as a program that needs no tamper: for pytest, or in plain C
    Harness(HarnessArgs),
    /// Print a program to begin with that stands between tamper and a system under test
    NewAdapter(NewAdapterArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Write manual pages
    Man(ManArgs),
}

/// `tamper check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// A UPPAAL XML file
    pub file: PathBuf,
    /// Only this template, or the one game of an expression, `A || B` or `A && B` (default: all that the system line runs)
    #[arg(long, value_name = "NAME")]
    pub template: Option<String>,
    /// The feature model of FILE's feature expressions (UVL, FeatureIDE .xml or DIMACS): FILE is a family of games
    #[arg(long, value_name = "MODEL")]
    pub features: Option<PathBuf>,
    #[command(flatten)]
    pub network: NetworkArgs,
    #[command(flatten)]
    pub systems: SystemArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// `tamper refine`.
///
/// Prints subsumed, non-subsumed, inconsistent (the left side is), spec-inconsistent (the right side is) or unknown. Of
/// transition systems also how surely the left one can be killed: potentially, definitely, or blindly.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tamper refine model.xml Mutant Spec --semantics definition --witness
  tamper refine model.xml \"Admin || Machine\" Spec     `A || B`, `A && B`; on the right also `A \\\\ B`, the quotient
  tamper refine mutant.smv spec.smv --witness
  tamper refine learned.dot machine.fsm                 state machines: the shortest word that they answer in two ways")]
pub struct RefineArgs {
    /// A UPPAAL XML file, a transition system (.smv), or a state machine (.fsm, .kiss, .dot)
    pub file: PathBuf,
    /// The template that should refine the other one, or an expression; of a transition system or a state machine the file
    /// of the specification
    pub left: String,
    /// The specification (timed games), or an expression
    pub right: Option<String>,
    /// Where RIGHT is, if not in FILE
    #[arg(long, value_name = "FILE2")]
    pub right_file: Option<PathBuf>,
    /// Show a run of one side that the other cannot match
    #[arg(long)]
    pub witness: bool,
    /// State machines: states without a transition on some input
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub unspecified: UnspecifiedArg,
    #[command(flatten)]
    pub network: NetworkArgs,
    #[command(flatten)]
    pub semantics: SemanticsArgs,
    #[command(flatten)]
    pub systems: SystemArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// `tamper classify`.
#[derive(Args, Debug)]
#[command(after_help = "\
Results are written while they come to tamper.out/: manifest.json (what was run), mutants.jsonl (one mutant per
line), a list of ids per verdict, and summary.csv and summary.json at the end. The ratio is violating / (subsumed +
inconsistent): the share of useless mutants that the guidelines foresee.

Examples:
  tamper classify model.xml --semantics tiga            the published experiments' reading
  tamper classify model.xml --order 2 --resume          go on where an interrupted run stopped
  tamper classify model.xml --static-only --order 2     count guideline violations, play no game
  tamper classify model.xml --order 3 --summary-only    count hundreds of millions of mutants
  tamper classify model.xml --guidelines extended       find more useless mutants without a game, and say why
  tamper classify trains.xml --mutate Train             mutants of one process, judged in the whole network
  tamper classify model.xml --no-static                 re-check the guidelines on every mutant
  tamper classify model.xml --all-constants             how far each constant may go before a test sees it")]
pub struct ClassifyArgs {
    /// A UPPAAL XML file
    pub file: PathBuf,
    #[command(flatten)]
    pub space: SpaceArgs,
    /// Play no game: mutants that violate the guidelines are subsumed or inconsistent, all others unknown
    #[arg(long, conflicts_with_all = ["no_static", "witness"])]
    pub static_only: bool,
    /// Play every game, also those that the guidelines make needless
    #[arg(long)]
    pub no_static: bool,
    /// Which guidelines replace games, and are counted
    #[arg(long, value_enum, default_value_t, value_name = "SET")]
    pub guidelines: GuidelinesArg,
    /// How games are decided: all mutants that share a mutation together, or each on its own; the verdicts are the same
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    pub engine: EngineArg,
    /// Record a counterexample with each non-subsumed mutant
    #[arg(long)]
    pub witness: bool,
    /// Afterwards decide N mutants again by the plain game, drawn (by --seed) evenly over the ways in which they were decided; a
    /// difference is an error of tamper that is named, with exit code 1
    #[arg(long, value_name = "N", conflicts_with_all = ["static_only", "all_constants"])]
    pub verify: Option<usize>,
    /// Also find mutants that refine each other, which every test kills together or not at all: classes.csv (id, verdict, class:
    /// the id of its first mutant). Needs unmatched actions to be refused (strict or definition)
    #[arg(long, conflicts_with_all = ["static_only", "all_constants"])]
    pub duplicates: bool,
    /// Only count: no record and no list is written, and less than 1 GiB is used however many mutants there are; they are gone
    /// through several times if need be
    #[arg(long, conflicts_with_all = ["static_only", "witness", "sample", "verify", "duplicates", "all_constants"])]
    pub summary_only: bool,
    /// Instead of mutants: for every constant that CXL and CXS change, the intervals of values that share one verdict, from 0 to
    /// LAST [default: the largest constant of the game + 2]; printed, nothing is written. --timeout is then that of the whole run
    #[arg(long, value_name = "LAST", num_args = 0..=1, require_equals = true, value_parser = clap::value_parser!(i64).range(0..),
        conflicts_with_all = ["static_only", "no_static", "witness", "resume", "out", "sample", "order"])]
    pub all_constants: Option<Option<i64>>,
    /// The folder for the results; a previous run in it is kept as DIR.old
    #[arg(long, value_name = "DIR", default_value = "tamper.out")]
    pub out: PathBuf,
    /// How records are written: parquet writes mutants.parquet beside mutants.jsonl
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub records: RecordsArg,
    /// Continue an interrupted run of the same parameters: what it decided is kept
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    pub mutated: MutateArgs,
    /// Decide only share K of N, each on a machine of its own and with an --out of its own; `tamper merge` makes them the run
    #[arg(long, value_name = "K/N", conflicts_with_all = ["duplicates", "all_constants", "mutate"])]
    pub shard: Option<Shard>,
    #[command(flatten)]
    pub network: NetworkArgs,
    #[command(flatten)]
    pub semantics: SemanticsArgs,
    #[command(flatten)]
    pub systems: SystemArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub total: TotalArgs,
}

/// `tamper export`.
#[derive(Args, Debug)]
#[command(
    after_help = "The language of --keep and its fields: tamper export --help",
    after_long_help = super::filter_help::export_help()
)]
pub struct ExportArgs {
    /// A model: UPPAAL XML, an Ecdar project (a folder or a component's .json), TChecker (.tck), or a one-clock automaton (.json)
    pub file: PathBuf,
    /// Which mutants to write, e.g. 'verdict == non-subsumed && operator in (CXL, CXS)'
    #[arg(long, value_name = "CONDITION", default_value = "all")]
    pub keep: String,
    /// What to write them as
    #[arg(long = "as", value_enum, default_value_t, value_name = "FORMAT")]
    pub target: ExportFormat,
    /// Take the verdicts from this folder of a finished `tamper classify` instead of deciding now
    #[arg(long, value_name = "DIR", conflicts_with_all = run_parameters())]
    pub run: Option<PathBuf>,
    /// Of the run that --run names, write only share K of N, each into an --out of its own; `tamper merge` puts them together
    #[arg(long, value_name = "K/N", requires = "run")]
    pub shard: Option<Shard>,
    /// The folder for the files; a previous run in it is kept as DIR.old
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    #[command(flatten)]
    pub space: SpaceArgs,
    #[command(flatten)]
    pub mutated: MutateArgs,
    #[command(flatten)]
    pub network: NetworkArgs,
    /// Which guidelines replace games, and are counted
    #[arg(long, value_enum, default_value_t, value_name = "SET")]
    pub guidelines: GuidelinesArg,
    /// Record a counterexample with each non-subsumed mutant
    #[arg(long)]
    pub witness: bool,
    #[command(flatten)]
    pub semantics: SemanticsArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub total: TotalArgs,
    #[command(flatten)]
    pub systems: SystemArgs,
}

/// What a finished run has fixed.
fn run_parameters() -> Vec<Id> {
    let mut ids = ids_of::<SpaceArgs>();
    ids.extend(ids_of::<MutateArgs>());
    ids.extend(ids_of::<SemanticsArgs>());
    ids.extend(ids_of::<LimitArgs>());
    ids.extend(ids_of::<TotalArgs>());
    ids.extend(["guidelines", "witness"].map(Id::from));
    ids
}

/// The ids of a group of options, for what goes without all of them.
pub fn ids_of<Group: Args>() -> Vec<Id> {
    let group = Group::augment_args(clap::Command::new("group"));
    group.get_arguments().map(|arg| arg.get_id().clone()).collect()
}

/// What kept mutants are written as.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum ExportFormat {
    /// A UPPAAL file each, with the original, its drawing, and a refinement query
    #[default]
    Uppaal,
    /// One Ecdar project: a component each, and a query each
    EcdarJson,
    /// A TChecker file each, and one of the original
    Tchecker,
    /// One featured mutant model whose products are exactly the kept mutants
    Fmm,
    /// One JSON object per line: records, and where the mutations are
    Jsonl,
    /// The same as a table
    Csv,
    /// Of transition systems in SMV: conditional mutants, and what is asked about them as HyperQB and AutoHyper read it
    Hyperltl,
    /// Of transition systems: whether a test of so many inputs kills, at the shortest length and one below
    Smtlib,
    /// Of transition systems without choices: a circuit that shows where a mutant differs
    Aiger,
    /// The same of transition systems with choices, which are inputs in it (D(S) of [004] section 5.1)
    Determinised,
}

impl ExportFormat {
    /// What it is called on the command line.
    pub fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// Which mutants of which game.
#[derive(Args, Debug)]
pub struct SpaceArgs {
    /// The game to mutate (needed when the file runs several), or an expression, `A || B` or `A && B`: mutants are of the one
    /// game that it stands for
    #[arg(long, value_name = "NAME")]
    pub template: Option<String>,
    /// How many mutations a mutant has, each applied to the mutant that the ones before it make
    #[arg(long, value_name = "1..6", value_parser = parse_order, default_value = "1")]
    pub order: Order,
    #[command(flatten)]
    pub mutation: MutationArgs,
    /// Look at N mutants, P% of them, or max(n1*n2/10, 1000) of each pair of operators (paper), drawn without replacement
    #[arg(long, value_name = "N|P%|paper")]
    pub sample: Option<Sample>,
    /// What the sample is drawn by: the same seed draws the same mutants
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
}

/// How games are decided.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum EngineArg {
    /// From what is known about the mutants' family; with limits (--timeout, ...) each on its own
    #[default]
    Family,
    /// Each mutant on its own
    Enumerate,
}

/// Which guidelines are in use.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum GuidelinesArg {
    /// Lemmata 1 to 7 of the literature
    #[default]
    Published,
    /// These and what the game's own zone graph says; records then hold a reason for each useless mutant
    Extended,
}

/// The operators and their sets, for the long help.
fn operators_help() -> String {
    let mut text = "Only these operators, or sets of them, e.g. TMI,CXL or paper,data [default: paper]\n".to_owned();
    for (name, operators) in Operator::PRESETS {
        let names: Vec<_> = operators.iter().map(|operator| operator.name()).collect();
        let names = match name {
            "all" => "every one".to_owned(),
            _ => names.join(" "),
        };
        text += &format!("\n  {name}: {names}");
    }
    text += "\n";
    for operator in Operator::ALL {
        text += &format!("\n  {operator}  {}", operator.summary());
    }
    text
}

/// What the operators may do.
#[derive(Args, Debug)]
pub struct MutationArgs {
    /// Only these operators, or sets of them: paper, structure, data, tchecker, muppaal, all; e.g. TMI,CXL or paper,data
    /// (`--help` lists them) [default: paper]
    #[arg(long, value_name = "LIST", value_delimiter = ',', long_help = operators_help())]
    pub operators: Vec<OperatorSet>,
    /// By how much CXL and CXS change a constant
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(i64).range(1..), default_value_t = 1)]
    pub step: i64,
    /// What guard and resets an edge added by TAD gets
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    pub tad_guard: TadGuardArg,
    /// Let CXS reach the constant 0
    #[arg(long)]
    pub cxs_to_zero: bool,
    /// Also mutate each clock atom of a conjunction
    #[arg(long)]
    pub conjuncts: bool,
}

/// What an added edge looks like.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum TadGuardArg {
    /// Those of the file's first edge
    #[default]
    FirstEdge,
    /// None
    None,
}

/// Which refinement is meant.
#[derive(Args, Default, Debug)]
pub struct SemanticsArgs {
    /// strict: unmatched actions are refused, inconsistent states pruned; definition: no pruning; tiga: unmatched
    /// actions are ignored, as the TIGA and Ecdar engines do
    #[arg(long, value_enum, default_value_t, value_name = "PRESET")]
    pub semantics: Preset,
    /// An action that the other side does not know: refuse it, or let that side stay where it is
    #[arg(long, value_enum, value_name = "POLICY")]
    pub unmatched: Option<UnmatchedArg>,
    /// First restrict both games to their consistent states
    #[arg(long, overrides_with = "no_prune")]
    pub prune: bool,
    /// Take both games as they are: no mutant is inconsistent then
    #[arg(long, overrides_with = "prune")]
    pub no_prune: bool,
}

/// The presets.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum Preset {
    /// Refuse and prune
    #[default]
    Strict,
    /// Refuse, no pruning
    Definition,
    /// Ignore and prune
    Tiga,
}

/// What happens to unmatched actions.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum UnmatchedArg {
    /// They have no match
    Reject,
    /// The other side stays
    Ignore,
}

/// The limit of all decisions of a run together.
#[derive(Args, Debug)]
pub struct TotalArgs {
    /// Seconds for the whole run; what is not decided by then is left out or unknown
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub total_timeout: Option<u64>,
}

/// How transition systems are read.
#[derive(Args, Debug)]
pub struct SystemArgs {
    /// Of transition systems: where a state has no step for an input, it stays, with an output of its own (else the file is refused)
    #[arg(long)]
    pub complete: bool,
}

/// Limits of each decision; a limit that is hit gives the answer `unknown`.
#[derive(Args, Debug, Default)]
pub struct LimitArgs {
    /// Seconds per decision, e.g. 10 or 0.5
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub timeout: Option<u64>,
    /// Symbolic states per decision
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Memory for zones per decision, e.g. 500M or 2G
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub max_memory: Option<u64>,
}
