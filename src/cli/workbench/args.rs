//! Arguments of `tamper open`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::arguments::args::{GuidelinesArg, LimitArgs, SemanticsArgs, SpaceArgs};
use crate::cli::arguments::network_args::{MutateArgs, NetworkArgs};

/// `tamper open`.
#[derive(Args, Debug)]
#[command(after_help = "\
The page shows the model, its mutants, their verdicts and counterexamples, which it plays step by step. Save the model in
your editor: all is read and decided again, and the page follows. An error in the model is shown above the page, which
stays as it was. The page is for this machine only: its address has a secret part, and nothing else is answered.

It ends with Ctrl-C, with its terminal, and at the end of its standard input where that is no terminal.

Examples:
  tamper open model.xml                            prints the address of the page
  tamper open model.xml --browser                  shows it in a browser
  tamper open trains.xml --mutate Train            mutants of one process of a network
  tamper open model.xml --operators all --port 8080")]
pub struct OpenArgs {
    /// A timed game or network (UPPAAL's .xml or .xta, TChecker's .tck, an Ecdar folder)
    pub file: PathBuf,
    /// The port of the page [default: a free one]
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub port: Option<u16>,
    /// Show the page in a browser
    #[arg(long)]
    pub browser: bool,
    /// Which guidelines replace games, and are counted
    #[arg(long, value_enum, default_value_t, value_name = "SET")]
    pub guidelines: GuidelinesArg,
    #[command(flatten)]
    pub space: SpaceArgs,
    #[command(flatten)]
    pub mutated: MutateArgs,
    #[command(flatten)]
    pub network: NetworkArgs,
    #[command(flatten)]
    pub semantics: SemanticsArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}
