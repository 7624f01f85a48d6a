//! Options that many commands share.

use std::path::PathBuf;

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Args, Id, ValueEnum};

use crate::cli::arguments::parse::{parse_bytes, parse_order, parse_seconds};
use crate::cli::places::CommandPaths;
use tamper::experiment::Sample;
use tamper::formats::smv::SmvNames;
use tamper::mutation::{AppliedOperator, Operator, OperatorSet, Order, TadGuard};

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
    #[command(flatten)]
    pub names: NameArgs,
    /// Take options that are not typed from this TOML file: `[classify]`, then `order = 2` [default: tamper.toml, if it is there]
    #[arg(long, global = true, value_name = "TOML", help_heading = GLOBAL)]
    pub config: Option<PathBuf>,
    /// Seconds for the whole command: then it ends, at most a second later, with exit code 3
    #[arg(long, global = true, value_name = "SECONDS", value_parser = parse_seconds, help_heading = GLOBAL)]
    pub total_timeout: Option<u64>,
    /// Where the command reads and writes.
    #[arg(skip)]
    pub places: CommandPaths,
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

/// What is seen of a system in SMV.
#[derive(Args, Debug)]
pub struct NameArgs {
    /// SMV: the variables that the environment chooses, besides IVARs [default: those of a comment line `-- inputs: a, b`]
    #[arg(long, global = true, value_delimiter = ',', value_name = "NAMES", help_heading = GLOBAL)]
    pub inputs: Option<Vec<String>>,
    /// SMV: the variables and definitions that are seen [default: those of a comment line `-- outputs: x, y`]
    #[arg(long, global = true, value_delimiter = ',', value_name = "NAMES", help_heading = GLOBAL)]
    pub outputs: Option<Vec<String>>,
}

impl NameArgs {
    pub fn resolve(&self) -> SmvNames {
        SmvNames {
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
        }
    }
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
#[derive(Args, Clone, Debug)]
pub struct SpaceArgs {
    #[command(flatten)]
    pub of: SpaceGameArgs,
    #[command(flatten)]
    pub mutation: MutationArgs,
    #[command(flatten)]
    pub drawn: SampleArgs,
}

/// Of which game, and how many mutations.
#[derive(Args, Clone, Debug)]
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
    let mut text =
        "Only these operators, or sets of them, e.g. TMI,CXL or paper,data [default: paper, of charts chart]\n"
            .to_owned();
    for (name, operators) in Operator::PRESETS {
        let names: Vec<_> = operators.iter().map(|operator| operator.name()).collect();
        let names = match name {
            "all" => "every one".to_owned(),
            "none" => "not one".to_owned(),
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

/// Operators whose mutants have a place that can be passed.
fn with_memory(text: &str) -> Result<OperatorSet, String> {
    let set: OperatorSet = text.parse().map_err(|wrong| format!("{wrong}"))?;
    let has_memory = |operator: &Operator| AppliedOperator::all().any(|one| one.again && one.operator == *operator);
    match set.0.as_slice() {
        [operator] if !has_memory(operator) => Err(format!(
            "{operator} has no mutants of the second time: its change has no place that a run passes"
        )),
        _ => Ok(set),
    }
}

/// The option `operators` of a command that has all of them unless some are named, and those of the second time.
pub fn all_by_default(operators: Arg) -> Arg {
    let said = |text: Option<&StyledStr>| {
        let text = text.map(ToString::to_string).unwrap_or_default();
        text.replace(
            "[default: paper, of charts chart]",
            "[default: all, of charts chart, and with memory RRS and OTM]",
        )
    };
    let (help, long) = (said(operators.get_help()), said(operators.get_long_help()));
    operators.help(help).long_help(long)
}

/// What the operators may do.
#[derive(Args, Clone, Debug)]
pub struct MutationArgs {
    /// Only these operators, or sets of them: none, paper, structure, data, tchecker, muppaal, all; e.g. TMI,CXL or paper,data
    /// (`--help` lists them) [default: paper, of charts chart]
    #[arg(long, value_name = "LIST", value_delimiter = ',', long_help = operators_help())]
    pub operators: Vec<OperatorSet>,
    /// Also mutants of the second time, whose change holds once its place was passed: by the operators in use, or by these
    #[arg(long, value_name = "LIST", value_delimiter = ',', num_args = 0..=1, require_equals = true, value_parser = with_memory)]
    pub again: Option<Vec<OperatorSet>>,
    /// Details of the operators, separated by commas: step=K (CXL and CXS change constants by K), cxs-to-zero (CXS reaches the
    /// constant 0), conjuncts (each clock atom of a conjunction is mutated, too), tad-guard=none (an edge added by TAD has no guard and
    /// no reset; else those of the file's first edge)
    #[arg(long = "mutation", value_name = "KEY[=VALUE],..", value_delimiter = ',')]
    pub details: Vec<MutationDetail>,
}

/// A detail of the operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MutationDetail {
    /// By how much constants change.
    Step(i64),
    /// What guard and resets an added edge gets.
    TadGuard(TadGuard),
    /// The constant 0 is reached.
    CxsToZero,
    /// Atoms of conjunctions are mutated.
    Conjuncts,
}

impl std::str::FromStr for MutationDetail {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let step = || text.strip_prefix("step=")?.parse().ok().filter(|step| *step >= 1);
        match text {
            "cxs-to-zero" => Ok(Self::CxsToZero),
            "conjuncts" => Ok(Self::Conjuncts),
            _ => step()
                .map(Self::Step)
                .or_else(|| {
                    text.strip_prefix("tad-guard=")
                        .and_then(TadGuard::named)
                        .map(Self::TadGuard)
                })
                .ok_or("step=K with K from 1, cxs-to-zero, conjuncts, tad-guard=none or tad-guard=first-edge"),
        }
    }
}

/// Which refinement is meant.
#[derive(Args, Default, Debug)]
pub struct SemanticsArgs {
    /// What an action that one side does not know means, and whether both games are first restricted to their consistent states
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "strict",
        value_name = "READING"
    )]
    pub semantics: Vec<RefinementReading>,
}

/// A reading of refinement, or after the readings a part of one: an old name of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Debug)]
pub enum RefinementReading {
    /// Unmatched actions are refused, inconsistent states pruned
    #[value(alias = "reject+prune")]
    Strict,
    /// Refused, no pruning: Definition 7 to the letter, and no mutant is inconsistent
    #[value(alias = "reject+no-prune")]
    Definition,
    /// Ignored (that side stays where it is), as the TIGA and Ecdar engines do, and pruned
    #[value(alias = "ignore+prune")]
    Tiga,
    /// Ignored, no pruning
    #[value(alias = "ignore+no-prune")]
    Lenient,
    #[value(hide = true)]
    Reject,
    #[value(hide = true)]
    Ignore,
    #[value(hide = true)]
    Prune,
    #[value(hide = true)]
    NoPrune,
}

impl RefinementReading {
    /// Whether it is a reading, not a part of one.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::Strict | Self::Definition | Self::Tiga | Self::Lenient)
    }
}

/// The limit of all decisions of a run together.
#[derive(Args, Clone, Debug)]
pub struct TotalArgs {
    /// Seconds for the whole run; what is not decided by then is left out or unknown
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub total_timeout: Option<u64>,
}

/// Limits of each decision; a limit that is hit gives the answer `unknown`.
#[derive(Args, Clone, Debug, Default)]
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
