//! The command line as it is typed.

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};

use super::exit::EXIT_CODES;
use super::settings::{parse_bytes, parse_seconds};
use crate::experiment::Sample;
use crate::mutation::Operator;

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
  tamper mutate model.xml --keep non-subsumed --out mutants
                                                   the mutants worth a test, as UPPAAL files";

/// Options of every command.
#[derive(Args, Debug)]
pub struct GlobalArgs {
    /// How results are printed
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORMAT", help_heading = GLOBAL)]
    pub format: Format,
    /// Threads to use [default: one per core]
    #[arg(long, global = true, value_name = "N", help_heading = GLOBAL)]
    pub threads: Option<std::num::NonZeroUsize>,
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
    /// Decide every mutant of a game: non-subsumed, subsumed or inconsistent
    Classify(ClassifyArgs),
    /// Write mutants of a game as UPPAAL files
    Mutate(MutateArgs),
    /// Run the published experiments again: six case studies, tables, figures, and what the paper says about them
    Reproduce(ReproduceArgs),
}

/// `tamper check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// A UPPAAL XML file
    pub file: PathBuf,
    /// Only this template (default: all that the system line runs)
    #[arg(long, value_name = "NAME")]
    pub template: Option<String>,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// `tamper refine`.
///
/// Prints subsumed, non-subsumed, inconsistent (the left side is), spec-inconsistent (the right side is) or unknown.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tamper refine model.xml Mutant Spec --semantics definition --witness")]
pub struct RefineArgs {
    /// A UPPAAL XML file
    pub file: PathBuf,
    /// The template that should refine the other one
    pub left: String,
    /// The specification
    pub right: String,
    /// Where RIGHT is, if not in FILE
    #[arg(long, value_name = "FILE2")]
    pub right_file: Option<PathBuf>,
    /// Show a run of one side that the other cannot match
    #[arg(long)]
    pub witness: bool,
    #[command(flatten)]
    pub semantics: SemanticsArgs,
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
  tamper classify model.xml --guidelines extended       find more useless mutants without a game, and say why
  tamper classify model.xml --no-static                 re-check the guidelines on every mutant")]
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
    /// Record a counterexample with each non-subsumed mutant
    #[arg(long)]
    pub witness: bool,
    /// The folder for the results; a previous run in it is kept as DIR.old
    #[arg(long, value_name = "DIR", default_value = "tamper.out")]
    pub out: PathBuf,
    /// Continue an interrupted run of the same parameters: what it decided is kept
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    pub semantics: SemanticsArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// `tamper mutate`.
#[derive(Args, Debug)]
#[command(after_help = "\
Each file holds the original as template Spec, its mutant as Spec_mutant (at order 2 also Spec_mutant_mutant), and the
query that asks whether the mutant refines it; UPPAAL opens it with the layout of the original. index.jsonl says which
file is which mutant. Which mutants are non-subsumed, subsumed or inconsistent is decided as classify does.

Examples:
  tamper mutate model.xml --keep not-violating --out mutants
  tamper mutate model.xml --operators CXL,CXS --keep non-subsumed --out mutants")]
pub struct MutateArgs {
    /// A UPPAAL XML file
    pub file: PathBuf,
    #[command(flatten)]
    pub space: SpaceArgs,
    /// Which mutants to write
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    pub keep: KeepArg,
    /// The folder for the files; a previous run in it is kept as DIR.old
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    #[command(flatten)]
    pub semantics: SemanticsArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Which mutants are written.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum KeepArg {
    /// Every one
    #[default]
    All,
    /// Those that no guideline condemns
    NotViolating,
    /// Those that the guidelines condemn
    Violating,
    /// Those that a test can kill
    NonSubsumed,
    /// Those that refine the original
    Subsumed,
    /// Those without a consistent initial state
    Inconsistent,
}

/// Which mutants of which game.
#[derive(Args, Debug)]
pub struct SpaceArgs {
    /// The game to mutate (needed when the file runs several)
    #[arg(long, value_name = "NAME")]
    pub template: Option<String>,
    /// How many mutations a mutant has
    #[arg(long, value_name = "1|2", value_parser = clap::value_parser!(u8).range(1..=2), default_value_t = 1)]
    pub order: u8,
    #[command(flatten)]
    pub mutation: MutationArgs,
    /// Look at N mutants, P% of them, or max(n1*n2/10, 1000) of each pair of operators (paper), drawn without replacement
    #[arg(long, value_name = "N|P%|paper")]
    pub sample: Option<Sample>,
    /// What the sample is drawn by: the same seed draws the same mutants
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
}

/// `tamper reproduce`.
#[derive(Args, Debug)]
#[command(after_help = "\
The models are part of the program. Every mutant's verdict comes from the game, so that each violating one checks the
guidelines: the command answers no (1) when one of them is non-subsumed. The results in DIR are the same bytes on
every run, except timing.md.

Examples:
  tamper reproduce                                     everything; minutes
  tamper reproduce --order 1 --out again               first-order mutants only; seconds
  tamper reproduce cas --order 2 --sample paper        a tenth of each pair of operators
  tamper reproduce --resume                            go on where an interrupted run stopped")]
pub struct ReproduceArgs {
    /// The studies: cas, coffee, accel, hotel, wfas, mutex [default: all]
    #[arg(value_name = "STUDY")]
    pub studies: Vec<String>,
    /// How many mutations the mutants have
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "1|2|both",
        hide_possible_values = true
    )]
    pub order: ReproducedOrder,
    /// tiga: as published; definition: Definition 7 to the letter; both: and why they differ, mutant by mutant
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    pub semantics: ReproducedSemantics,
    /// At order 2 look at a sample: max(n1*n2/10, 1000) of each pair of operators (paper), N mutants, or P% of them
    #[arg(long, value_name = "paper|N|P%")]
    pub sample: Option<Sample>,
    /// What the sample is drawn by
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// The folder for the results; files that are there are replaced
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
    /// The folder for the records of each run, a line per mutant
    #[arg(long, value_name = "DIR", default_value = "tamper.reproduce")]
    pub work: PathBuf,
    /// Continue an interrupted run of the same parameters: what it decided is kept
    #[arg(long)]
    pub resume: bool,
}

/// Which orders are reproduced.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum ReproducedOrder {
    /// One mutation
    #[value(name = "1")]
    First,
    /// Two
    #[value(name = "2")]
    Second,
    /// Both
    #[default]
    Both,
}

/// Which semantics are reproduced.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum ReproducedSemantics {
    /// As published: unmatched actions ignored, inconsistent states pruned
    Tiga,
    /// Definition 7: refused, no pruning
    Definition,
    /// Both
    #[default]
    Both,
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

/// What the operators may do.
#[derive(Args, Debug)]
pub struct MutationArgs {
    /// Only these operators, e.g. TMI,CXL [default: TMI,TAD,SMI,CXL,CXS,CCN]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub operators: Vec<Operator>,
    /// By how much CXL and CXS change a constant
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(i64).range(1..), default_value_t = 1)]
    pub step: i64,
    /// What guard and resets an edge added by TAD gets
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    pub tad_guard: TadGuardArg,
    /// Let CXS reach the constant 0
    #[arg(long)]
    pub all_constants: bool,
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
#[derive(Args, Debug)]
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

/// Limits of each decision; a limit that is hit gives the answer `unknown`.
#[derive(Args, Debug)]
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
