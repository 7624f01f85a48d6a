//! Arguments of the commands about families: featured mutant models, feature models, products.

use std::path::PathBuf;

use clap::Args;

use crate::cli::arguments::args::{LimitArgs, MutationArgs, SemanticsArgs};
use crate::cli::arguments::network_args::{NetworkArgs, split};
use crate::cli::arguments::parse::OrderArg;
use crate::cli::arguments::unspecified::{GraphArgs, MachineArgs};

/// `tamper fmm`.
#[derive(Args, Debug)]
#[command(after_help = "\
The model has one feature per mutation; a product is a set of mutations, its game the mutant. DIR gets
  fmm.xml          all mutants as one annotated UPPAAL file
  features.uvl     the feature model as UVL, each mutation with its id, reasons as comments
  features.xml     the same for FeatureIDE
  features.dimacs  the same as clauses
whose size is linear in the number of mutations. `tamper features` answers questions about the feature model, `tamper
project` gives single mutants. A family of games is mutated as a family: give its feature model with --features.

Examples:
  tamper fmm model.xml --order 2 --out fmm
  tamper fmm model.xml --guidelines --out fmm            only mutants that no guideline names
  tamper fmm line.xml --features line.uvl --out fmm      the mutants of every product of a product line")]
pub struct FmmArgs {
    /// A timed game (UPPAAL's .xml or .xta, TChecker's .tck, or an Ecdar folder)
    pub file: PathBuf,
    /// The game to mutate (needed when the file runs several)
    #[arg(long, value_name = "NAME")]
    pub template: Option<String>,
    /// The feature model of FILE's feature expressions: UVL, FeatureIDE (.xml) or DIMACS
    #[arg(long, value_name = "MODEL")]
    pub features: Option<PathBuf>,
    /// Up to how many mutations a product has, each on what the ones before made; any: every set of mutations of the
    /// game itself
    #[arg(long, value_name = "1|2|3|any", default_value = "1")]
    pub order: OrderArg,
    /// Exclude the mutants that the guidelines name, with the lemma as the reason (orders 1 and 2)
    #[arg(long = "guidelines", alias = "with-guidelines")]
    pub with_guidelines: bool,
    #[command(flatten)]
    pub mutation: MutationArgs,
    /// The folder for the files; those that are there are replaced
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub network: NetworkArgs,
}

/// `tamper features`.
///
/// Without an option: how many products there are, and which features are in all or none of them. A feature is given by its
/// name, a mutation also by its id.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tamper features fmm/features.uvl
  tamper features fmm/features.uvl --why TMI_s0_to_s1_0        is this mutant a product, and if not, why
  tamper features fmm/features.uvl --sample 10 --seed 1        ten products, each as likely as any other
  tamper features line.uvl --anomalies                         what the model says in vain
  tamper features line.uvl --sample 2-wise                     few products that show all pairs of choices
  tamper features line.uvl --out line.dimacs                   in another format")]
pub struct FeaturesArgs {
    /// A feature model: UVL (.uvl), FeatureIDE (.xml) or DIMACS (.dimacs, .cnf)
    pub file: PathBuf,
    /// Whether there is a product with these features and no others, and if not, why
    #[arg(long, value_name = "FEATURE,..", value_delimiter = ',', group = "question")]
    pub why: Option<Vec<String>>,
    /// Draw N products uniformly; or find products that together have every possible choice of T of the features (of the mutations,
    /// where there are some), T from 1 to 3
    #[arg(long, value_name = "N|T-wise", group = "question")]
    pub sample: Option<ProductSample>,
    /// What products are drawn by: the same seed gives the same products
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Also name the features that are optional in the tree and always there, and the constraints that follow from all other rules
    #[arg(long, group = "question")]
    pub anomalies: bool,
    /// Write the feature model to FILE, in the format that its ending names
    #[arg(long, value_name = "FILE", group = "question")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Which products are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProductSample {
    /// So many, each as likely as any other.
    Uniform(usize),
    /// So many that every choice of that many features is among them.
    Wise(usize),
}

impl std::str::FromStr for ProductSample {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wise = text.strip_suffix("-wise").or_else(|| text.strip_prefix("t="));
        let wise = wise.map(str::parse);
        match (wise, text.parse()) {
            (Some(Ok(t @ 1..=3)), _) => Ok(Self::Wise(t)),
            (None, Ok(n)) => Ok(Self::Uniform(n)),
            _ => Err("a number of products, 1-wise, 2-wise or 3-wise"),
        }
    }
}

/// `tamper project`.
#[derive(Args, Debug)]
#[command(after_help = "\
What the tree of the feature model requires (parents, mandatory features) need not be named.

Examples:
  tamper project line.xml --features line.uvl --product soda --out soda.xml
  tamper project fmm/fmm.xml --features fmm/features.uvl --product TMI_s0_to_s1_0 --out mutant.xml
  tamper project fmm/fmm.xml --features fmm/features.uvl --out original.xml")]
pub struct ProjectArgs {
    /// A UPPAAL XML file with feature expressions
    pub file: PathBuf,
    /// Its feature model: UVL, FeatureIDE (.xml) or DIMACS
    #[arg(long, value_name = "MODEL")]
    pub features: PathBuf,
    /// The features of the product: names, or ids of mutations
    #[arg(long, value_name = "FEATURE,..", value_delimiter = ',')]
    pub product: Vec<String>,
    /// The game to project (needed when the file runs several)
    #[arg(long, value_name = "NAME")]
    pub template: Option<String>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// `tamper families`.
///
/// Decides all products together: states are explored with the set of products that reach them. Per verdict: how many
/// products, and for which features. A product without a game, or whose game has no meaning, is unknown, with the reason.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit code 0 if every product refines the specification, 1 if one does not, 2 if one has no meaning, 3 if a limit was hit.
Limits are those of all products together.

Examples:
  tamper families line.xml --features line.uvl --against spec.xml
  tamper families fmm/fmm.xml --features fmm/features.uvl --against model.xml --semantics tiga
  tamper families line.xml --features line.uvl --against spec.xml --witness 3
  tamper families mutants.fsm --against learned.dot     how many machines of a mutation machine answer as a learned one")]
pub struct FamiliesArgs {
    /// A UPPAAL XML file with feature expressions, or a mutation machine (.fsm, .kiss, .dot), which needs no feature model
    pub file: PathBuf,
    /// The specification: a game without features, or a state machine
    #[arg(long, value_name = "SPEC")]
    pub against: PathBuf,
    #[command(flatten)]
    pub games: PairArgs,
    #[command(flatten)]
    pub timed: FamiliesTimedArgs,
    #[command(flatten)]
    pub machine: MachineArgs,
    #[command(flatten)]
    pub semantics: SemanticsArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub graph: GraphArgs,
}

/// Options of `tamper families` for timed games.
#[derive(Args, Debug)]
pub struct FamiliesTimedArgs {
    /// The feature model of FILE: UVL, FeatureIDE (.xml) or DIMACS
    #[arg(long, value_name = "MODEL")]
    pub features: Option<PathBuf>,
    /// Show up to N counterexamples, each with all products that can play it
    #[arg(long = "witness", alias = "witnesses", value_name = "N")]
    pub witnesses: Option<usize>,
}

/// The games that are meant where files run several.
#[derive(Args, Debug)]
pub struct PairArgs {
    /// The game that is meant where FILE runs several; behind a comma that of SPEC (LINE,SPEC, or ,SPEC alone)
    #[arg(long, value_name = "NAME[,NAME]")]
    pub template: Option<String>,
}

impl PairArgs {
    /// The game, or family of games.
    pub fn product(&self) -> Option<String> {
        self.named(0)
    }

    /// The specification.
    pub fn specification(&self) -> Option<String> {
        self.named(1)
    }

    fn named(&self, at: usize) -> Option<String> {
        let names = self.template.iter().flat_map(|names| split(names));
        names.skip(at).take(1).find(|name| !name.is_empty())
    }
}
