//! Arguments of the commands about single games and their mutants: to check, refine, classify and export them.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::{Args, Id, ValueEnum};

use crate::cli::accepting::args::{AcceptedArgs, ChangedArgs};
use crate::cli::arguments::args::{GuidelinesArg, LimitArgs, SemanticsArgs, SpaceArgs, TotalArgs, ids_of};
use crate::cli::arguments::network_args::{MutateArgs, NetworkArgs};
use crate::cli::arguments::unspecified::{GraphArgs, MachineArgs};
use tamper::experiment::Shard;

/// `tamper check`.
///
/// Says what is wrong with a model, and how large it is. With --run: what it answers to a word, before any test is made.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tamper check model.xml
  tamper check machine.fsm --run 'b a a'                 each input of a state machine with its answer and state
  tamper check machine.fsm --run 'b/1 a/0'               refused if it answers otherwise
  tamper check chart.json --template Spec --run 'coin 3 tea 2.5'     inputs and waits of a timed game, with what comes and when
  tamper check model.xml --run 'coin 3 coffee! tea'      which output came, where several are possible; `-`: none
  tamper check model.smv --run 'TRUE FALSE'              all answers that are possible, with the number of states behind them

What must come by the end of a wait comes before the next input. Where an answer is not certain its possibilities are listed,
and the word ends (exit code 2 if more of it follows).")]
pub struct CheckArgs {
    /// A timed game, chart or network (UPPAAL's .xml or .xta, TChecker's .tck, an Ecdar folder, XState, SCXML), a state machine
    /// (.fsm, .kiss2, .dot, .efsm), or a transition system (.smv, .btor2)
    pub file: PathBuf,
    /// Show what the model answers to these inputs (timed models: and waits, as numbers)
    #[arg(long, value_name = "WORD")]
    pub run: Option<String>,
    #[command(flatten)]
    pub timed: CheckTimedArgs,
    #[command(flatten)]
    pub network: NetworkArgs,
    #[command(flatten)]
    pub read: MachineArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub graph: GraphArgs,
}

/// Options of `tamper check` for timed games.
#[derive(Args, Debug)]
pub struct CheckTimedArgs {
    /// Only this template, or the one game of an expression, `A || B` or `A && B` (default: all that the system line runs)
    #[arg(long, value_name = "NAME")]
    pub template: Option<String>,
    /// The feature model of FILE's feature expressions (UVL, FeatureIDE .xml or DIMACS): FILE is a family of games
    #[arg(long, value_name = "MODEL")]
    pub features: Option<PathBuf>,
}

/// `tamper refine`.
///
/// Prints subsumed, non-subsumed, inconsistent (the left side is), spec-inconsistent (the right side is) or unknown. Of
/// transition systems also how surely the left one can be killed: potentially, definitely, or blindly.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tamper refine model.xml Mutant Spec --semantics definition --witness
  tamper refine model.xml \"Admin || Machine\" Spec     `A || B`, `A && B`, `A \\\\ B` (the quotient)
  tamper refine project                                 the queries of an Ecdar project
  tamper refine mutant.smv spec.smv --witness
  tamper refine learned.dot machine.fsm                 state machines: the shortest word that they answer in two ways")]
pub struct RefineArgs {
    /// A timed game or network (UPPAAL's .xml or .xta, TChecker's .tck, an Ecdar folder), a transition system
    /// (.smv, .btor2), or a state machine (.fsm, .kiss, .dot)
    pub file: PathBuf,
    /// The template that should refine the other one, or an expression; of a transition system or a state machine the file
    /// of the specification. Without it the queries of FILE are answered, the folder of an Ecdar project (Queries.json or Queries/)
    pub left: Option<String>,
    #[command(flatten)]
    pub timed: RefineTimedArgs,
    #[command(flatten)]
    pub shown: WitnessArgs,
    #[command(flatten)]
    pub machine: MachineArgs,
    #[command(flatten)]
    pub network: NetworkArgs,
    #[command(flatten)]
    pub semantics: SemanticsArgs,
    #[command(flatten)]
    pub propositions: PropositionsArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub graph: GraphArgs,
}

/// Options of `tamper refine` for timed games.
#[derive(Args, Debug)]
pub struct RefineTimedArgs {
    /// The specification (timed games), or an expression
    pub right: Option<String>,
    /// Where RIGHT is, if not in FILE
    #[arg(long = "against", alias = "right-file", value_name = "FILE2", requires = "right")]
    pub right_file: Option<PathBuf>,
    /// Write to FILE why the verdict holds, for the program `tamper-check`, which shares no code with this one
    #[arg(long, value_name = "FILE", requires = "right")]
    pub certificate: Option<PathBuf>,
    /// The form of the certificate
    #[arg(long, value_name = "FORM", value_enum, default_value_t, requires = "certificate")]
    pub certificate_as: CertificateForm,
}

/// The form of a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum CertificateForm {
    /// Text, for `tamper-check` and `verify`
    #[default]
    Text,
    /// Each condition as a query of SMT-LIB, to which a solver such as z3 answers `unsat`
    Smt2,
}

impl RefineArgs {
    /// What follows FILE.
    pub fn left(&self) -> Result<&str> {
        self.left.as_deref().context("name what it should refine")
    }
}

/// Whether an answer comes with its reason.
#[derive(Args, Debug)]
pub struct WitnessArgs {
    /// Show a run of one side that the other cannot match
    #[arg(long)]
    pub witness: bool,
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
  tamper classify model.xml --static only --order 2     count guideline violations, play no game
  tamper classify model.xml --order 3 --summary-only    count hundreds of millions of mutants
  tamper classify model.xml --guidelines extended       find more useless mutants without a game, and say why
  tamper classify trains.xml --mutate Train             mutants of one process, judged in the whole network
  tamper classify machine.fsm --out run                 all combinations of a mutation machine's faults, one by one
  tamper classify model.xml --static off                re-check the guidelines on every mutant
  tamper classify model.xml --all-constants             how far each constant may go before a test sees it
  tamper classify model.xml --all-constants=9 --order 2      which constants of every two constraints may go together")]
pub struct ClassifyArgs {
    /// A timed game or network (UPPAAL's .xml or .xta, TChecker's .tck, an Ecdar folder), a transition system (.smv, .btor2), an action system (.pl), or a mutation machine (.fsm, .kiss2, .dot)
    pub file: PathBuf,
    #[command(flatten)]
    pub space: SpaceArgs,
    #[command(flatten)]
    pub game: ClassifyGameArgs,
    /// Record a counterexample with each non-subsumed mutant
    #[arg(long)]
    pub witness: bool,
    #[command(flatten)]
    pub folder: RunFolderArgs,
    #[command(flatten)]
    pub mutated: MutateArgs,
    #[command(flatten)]
    pub network: NetworkArgs,
    #[command(flatten)]
    pub semantics: SemanticsArgs,
    #[command(flatten)]
    pub propositions: PropositionsArgs,
    #[command(flatten)]
    pub machine: MachineArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub total: TotalArgs,
    #[command(flatten)]
    pub accepted: AcceptedArgs,
    #[command(flatten)]
    pub changed: ChangedArgs,
}

/// What else `tamper classify` does with mutants of timed games.
#[derive(Args, Debug)]
pub struct ClassifyGameArgs {
    /// Whether guidelines replace games
    #[arg(long = "static", value_enum, default_value_t, value_name = "HOW")]
    pub statics: StaticArg,
    /// For comparisons: decide mutants that share a mutation together, or each on its own; the verdicts are the same
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE", hide = true)]
    pub engine: EngineArg,
    /// Which guidelines replace games, and are counted
    #[arg(long, value_enum, default_value_t, value_name = "SET")]
    pub guidelines: GuidelinesArg,
    /// Afterwards decide N mutants again, drawn (by --seed) evenly over the ways in which they were decided: each gets a certificate that
    /// is checked as `tamper-check` does it; those without one are decided by the plain game. A difference is an error of tamper that is
    /// named, with exit code 1
    #[arg(long, value_name = "N", conflicts_with_all = ["all_constants"])]
    pub verify: Option<usize>,
    /// Afterwards decide every mutant again by the plain game and write into DIR why its verdict holds, for the program `tamper-check`,
    /// which shares no code with this one. A verdict that is another one is an error of tamper that is named, with exit code 1
    #[arg(long, value_name = "DIR", conflicts_with_all = ["all_constants"])]
    pub certify: Option<PathBuf>,
    /// Also find mutants that refine each other, which every test kills together or not at all: classes.csv (id, verdict, class:
    /// the id of its first mutant). Needs unmatched actions to be refused (strict or definition)
    #[arg(long, conflicts_with_all = ["all_constants"])]
    pub duplicates: bool,
    /// Only count: no record and no list is written, and less than 1 GiB is used however many mutants there are; they are gone
    /// through several times if need be
    #[arg(long, conflicts_with_all = ["witness", "sample", "verify", "certify", "duplicates", "all_constants"])]
    pub summary_only: bool,
    /// Instead of mutants: for every constant that CXL and CXS change, the intervals of values that share one verdict, from 0 to
    /// LAST [default: the largest constant of the game + 2]; printed, nothing is written. --timeout is then that of the whole run. With
    /// --order 2 to 4 the constants of so many constraints together, as boxes that share one verdict: at most a million games
    #[arg(long, value_name = "LAST", num_args = 0..=1, require_equals = true, value_parser = clap::value_parser!(i64).range(0..),
        conflicts_with_all = ["statics", "witness", "resume", "out", "sample"])]
    pub all_constants: Option<Option<i64>>,
}

/// How mutants that share a mutation are decided.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum EngineArg {
    /// Together
    #[default]
    Family,
    /// Each on its own
    Enumerate,
}

/// Whether guidelines replace games.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum StaticArg {
    /// Where they decide
    #[default]
    Use,
    /// Nowhere: every game is played
    Off,
    /// Everywhere: no game is played. Mutants that violate the guidelines are subsumed or inconsistent, all others unknown. With --semantics
    /// definition, at order 1: those that Lemmata 8 to 14 of [003] prove non-subsumed, too (`decided_by` is lemma, `reason` names it)
    Only,
}

/// Whether refinement looks at atomic propositions.
#[derive(Args, Debug)]
pub struct PropositionsArgs {
    /// Atomic propositions of locations ([003] Definition 2), in UPPAAL's XML a line `propositions: p, q` in a location's comments. Unseen,
    /// as in Definition 7; or seen: two states are related only if the same propositions hold in them (`refine --format json` says it: `sees_propositions`)
    #[arg(long, value_enum, default_value_t, value_name = "WHETHER")]
    pub propositions: PropositionVisibility,
}

/// Whether refinement looks at atomic propositions.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum PropositionVisibility {
    /// They are not compared
    #[default]
    Unseen,
    /// They are compared
    Seen,
}

/// Where a run is written, and which part of it.
#[derive(Args, Debug)]
pub struct RunFolderArgs {
    /// The folder for the results; a previous run in it is kept as DIR.old
    #[arg(long, value_name = "DIR", default_value = "tamper.out")]
    pub out: PathBuf,
    /// Continue an interrupted run of the same parameters: what it decided is kept
    #[arg(long)]
    pub resume: bool,
    /// Decide only share K of N, each on a machine of its own and with an --out of its own; `tamper merge` makes them the run
    #[arg(long, value_name = "K/N", conflicts_with_all = ["duplicates", "all_constants"])]
    pub shard: Option<Shard>,
}

/// `tamper export`.
#[derive(Args, Debug)]
#[command(
    after_help = "The language of --keep and its fields: tamper export --help",
    after_long_help = crate::cli::arguments::filter_help::export_help()
)]
pub struct ExportArgs {
    /// A model: UPPAAL XML, an Ecdar project (a folder or a component's .json), TChecker (.tck), an untimed system (.smv, .btor2, .pl), or a mutation machine (.fsm, .kiss2, .dot)
    pub file: PathBuf,
    /// Which mutants to write, e.g. 'verdict == non-subsumed && operator in (CXL, CXS)'
    #[arg(long, value_name = "CONDITION", default_value = "all")]
    pub keep: String,
    /// What to write them as
    #[arg(long = "as", value_enum, default_value_t, value_name = "FORMAT")]
    pub target: ExportFormat,
    #[command(flatten)]
    pub source: ExportSourceArgs,
    #[command(flatten)]
    pub share: ExportShardArgs,
    /// The folder for the files; a previous run in it is kept as DIR.old
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    #[command(flatten)]
    pub space: SpaceArgs,
    #[command(flatten)]
    pub mutated: MutateArgs,
    #[command(flatten)]
    pub network: NetworkArgs,
    #[command(flatten)]
    pub timed: ExportTimedArgs,
    #[command(flatten)]
    pub semantics: SemanticsArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub total: TotalArgs,
    #[command(flatten)]
    pub machine: MachineArgs,
}

/// The run that an export takes its verdicts from.
#[derive(Args, Debug)]
pub struct ExportSourceArgs {
    /// Take the verdicts from this folder of a finished `tamper classify` instead of deciding now
    #[arg(long = "mutants", alias = "run", value_name = "RUN_DIR", conflicts_with_all = run_parameters())]
    pub run: Option<PathBuf>,
}

/// Which share an export writes.
#[derive(Args, Debug)]
pub struct ExportShardArgs {
    /// Of the run that --mutants names, write only share K of N, each into an --out of its own; `tamper merge` puts them together
    #[arg(long, value_name = "K/N", requires = "run")]
    pub shard: Option<Shard>,
}

/// How an export decides timed games.
#[derive(Args, Debug)]
pub struct ExportTimedArgs {
    /// Which guidelines replace games, and are counted
    #[arg(long, value_enum, default_value_t, value_name = "SET")]
    pub guidelines: GuidelinesArg,
    /// Record a counterexample with each non-subsumed mutant
    #[arg(long)]
    pub witness: bool,
}

/// The options that a finished run has fixed.
fn run_parameters() -> Vec<Id> {
    let mut ids = ids_of::<SpaceArgs>();
    ids.extend(ids_of::<MutateArgs>());
    ids.extend(ids_of::<SemanticsArgs>());
    ids.extend(ids_of::<LimitArgs>());
    ids.extend(ids_of::<TotalArgs>());
    ids.extend(["guidelines", "witness"].map(Id::from));
    ids
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
    /// The normal form of certificates each, and that of the original: nodes, moves and bounds, all integers written out
    Normal,
    /// One featured mutant model whose products are exactly the kept mutants
    Fmm,
    /// One JSON object per line: records, and where the mutations are
    Jsonl,
    /// The same as a table
    Csv,
    /// Of transition systems: conditional mutants as circuits and in SMV, and what is asked about them as MCHyper, HyperQB and AutoHyper read it
    Hyperltl,
    /// Of transition systems: whether a test of a given length kills, at the shortest length and one below
    Smtlib,
    /// Of transition systems without choices: a circuit that shows where a mutant differs
    Aiger,
    /// The same of transition systems with choices, which are inputs in it (D(S) of [004] section 5.1)
    Determinised,
    /// Of transition systems without choices, in SMV: each mutant beside the system, and the property that nothing seen differs, for
    /// checkers of LTL, CTL and invariants, whose counterexample is a test
    Trap,
}

impl ExportFormat {
    /// The name of the format on the command line.
    pub fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}
