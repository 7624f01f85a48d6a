//! Options that many commands share.

use std::path::PathBuf;

use clap::{ArgAction, Args, Id, ValueEnum};

use super::parse::{parse_bytes, parse_order, parse_seconds};
use super::places::Places;
use tamper::experiment::Sample;
use tamper::mutation::{Operator, OperatorSet, Order};

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
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Take options that are not typed from this TOML file: `[classify]`, then `order = 2` [default: tamper.toml, if it is there]
    #[arg(long, global = true, value_name = "TOML", help_heading = GLOBAL)]
    pub config: Option<PathBuf>,
    /// Seconds for the whole command: then it ends, at most a second later, with exit code 3
    #[arg(long, global = true, value_name = "SECONDS", value_parser = parse_seconds, help_heading = GLOBAL)]
    pub total_timeout: Option<u64>,
    /// Where the command reads and writes.
    #[arg(skip)]
    pub places: Places,
}

/// How files of timed games are read.
#[derive(Args, Debug)]
pub struct ReadingArgs {
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

/// The ids of the options in a group, including the groups in it.
pub fn ids_of<Group: Args>() -> Vec<Id> {
    let group = Group::augment_args(clap::Command::new("group"));
    group.get_arguments().map(|arg| arg.get_id().clone()).collect()
}

/// The ids of the options in a group, excluding the groups in it. clap lists the members only of groups that contain no groups.
pub fn own_ids_of<Group: Args>() -> Vec<Id> {
    let whole = Group::augment_args(clap::Command::new("group"));
    let is_leaf = |group: &&clap::ArgGroup| Some(group.get_id()) != Group::group_id().as_ref();
    let others: Vec<&Id> = whole
        .get_groups()
        .filter(is_leaf)
        .flat_map(clap::ArgGroup::get_args)
        .collect();
    let ids = whole.get_arguments().map(clap::Arg::get_id);
    ids.filter(|id| !others.contains(id)).cloned().collect()
}

/// Which mutants of which game.
#[derive(Args, Debug)]
pub struct SpaceArgs {
    #[command(flatten)]
    pub of: SpaceGameArgs,
    #[command(flatten)]
    pub mutation: MutationArgs,
    #[command(flatten)]
    pub drawn: SampleArgs,
}

/// Of which game, and how many mutations.
#[derive(Args, Debug)]
pub struct SpaceGameArgs {
    /// The game to mutate (needed when the file runs several), or an expression, `A || B` or `A && B`: mutants are of the one
    /// game that it stands for
    #[arg(long, value_name = "NAME")]
    pub template: Option<String>,
    /// How many mutations a mutant has, each applied to the mutant that the ones before it make (untimed systems: 1 or 2)
    #[arg(long, value_name = "1..6", value_parser = parse_order, default_value = "1")]
    pub order: Order,
}

/// Which of the mutants a run looks at.
#[derive(Args, Clone, Copy, Debug)]
pub struct SampleArgs {
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
    /// Seconds per decision, and for reading what is decided about, e.g. 10 or 0.5
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub timeout: Option<u64>,
    /// Symbolic states per decision
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Memory of zones per decision, and of all that tamper holds, e.g. 500M or 2G
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub max_memory: Option<u64>,
}
