//! Arguments of the commands about finished runs.

use std::path::PathBuf;

use clap::Args;
#[cfg(feature = "drawing")]
use clap::ValueEnum;
use num_rational::BigRational;

use crate::cli::accepting::args::AcceptedArgs;
#[cfg(feature = "drawing")]
use crate::cli::arguments::args::LimitArgs;
use crate::cli::arguments::network_args::NetworkArgs;
use crate::cli::arguments::parse::parse_percent;

/// `tamper merge`.
#[derive(Args, Debug)]
#[command(after_help = "\
The shares may be given in any order. One that is missing, there twice, not finished, or of another run is named, and
nothing is written. What is written, or of a score printed, has the bytes of one run without --shard.

Examples:
  tamper classify model.xml --order 2 --shard 1/2 --out share-1     on one machine
  tamper classify model.xml --order 2 --shard 2/2 --out share-2     on another one
  tamper merge share-1 share-2 --out tamper.out
  tamper export model.xml --mutants tamper.out --shard 1/2 --out files-1 and so on: an export in shares
  tamper score suite.json model.xml --shard 1/2 --out score-1            a score in shares, which merge prints")]
pub struct MergeArgs {
    /// The folders of all shares of a run, an export or a score
    #[arg(required = true, value_name = "DIR")]
    pub dirs: Vec<PathBuf>,
    #[command(flatten)]
    pub folder: MergeFolderArgs,
    #[command(flatten)]
    pub run: MergeRunArgs,
    #[command(flatten)]
    pub accepted: AcceptedArgs,
    #[command(flatten)]
    pub score: MergeScoreArgs,
    #[command(flatten)]
    pub network: NetworkArgs,
}

/// Where what is merged goes; a score is printed.
#[derive(Args, Debug)]
pub struct MergeFolderArgs {
    /// The folder for the run or export; a previous run in it is kept as DIR.old
    #[arg(long, value_name = "DIR", default_value = "tamper.out")]
    pub out: PathBuf,
}

/// Options of `tamper merge` for runs.
#[derive(Args, Debug)]
pub struct MergeRunArgs {
    /// Of a run: the model [default: the file that the shares name]
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
}

/// Options of `tamper merge` for scores.
#[derive(Args, Debug)]
pub struct MergeScoreArgs {
    /// Of a score: the least one, in percent of the killable mutants, that is good enough, as for `tamper score`
    #[arg(long, value_name = "SCORE", value_parser = parse_percent)]
    pub fail_under: Option<BigRational>,
}

/// `tamper report`.
#[cfg(feature = "drawing")]
#[derive(Args, Debug)]
#[command(after_help = "\
The page is one file that opens from the disk in any browser and asks nothing of any network: the verdicts by operator,
the model with the mutants on it, all mutants with their counterexamples (of a run with --witness), to be filtered and
searched; with --suite also the tests and what each kills of the run's non-subsumed mutants. Of a run on mutants of a
network (--mutate) each process, and which of its mutants the rest of the network masks.

Of `run`, `score` and `coverage` the page is made from what they print with --format json; of `run --sut` also from what
--results wrote. It has a timeline for each test: what was allowed, what was sent and what came, and where it went wrong.

Examples:
  tamper classify model.xml --witness
  tamper report tamper.out --out report.html
  tamper report tamper.out --suite suite.json --out report.html
  tamper run suite.json --sut ./controller --results run.jsonl
  tamper report run.jsonl --out run.html

Tables and figures for a paper, of a run, of what `score` and of what `minimise` print with --format json:
  tamper report tamper.out --as latex --out verdicts.tex                the verdicts by operator; needs booktabs
  tamper report tamper.out --as svg --show ratios --out ratios.svg      what the guidelines find, as bars
  tamper report tamper.out --suite suite.json --as csv --show kills --out kills.csv     a row for each mutant
  tamper score suite.json model.xml --format json > score.json
  tamper report score.json --as svg --show growth --out growth.svg      what is killed after 1, 2, 3 … tests
  rsvg-convert -f pdf -o growth.pdf growth.svg                          PDF, by librsvg")]
pub struct ReportArgs {
    /// The folder of a finished `tamper classify`, a file of what `run`, `score` or `coverage` printed as JSON, or of what `run --results` wrote
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// The page to write, or the table or figure of --as
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    #[command(flatten)]
    pub figure: ReportFigureArgs,
    #[command(flatten)]
    pub of_run: ReportRunArgs,
    #[command(flatten)]
    pub tests: ReportSuiteArgs,
    #[command(flatten)]
    pub network: NetworkArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// What `tamper report` writes in the place of a page.
#[cfg(feature = "drawing")]
#[derive(Args, Debug)]
pub struct ReportFigureArgs {
    /// Write a table or a figure for a paper in the place of the page
    #[arg(long = "as", value_enum, value_name = "FORM")]
    pub form: Option<ReportForm>,
    /// With --as: what it shows [default: of a run the verdicts, of a score the scores, of what `minimise` printed the growth]
    #[arg(long, value_enum, value_name = "WHAT", requires = "form")]
    pub show: Option<ShowArg>,
    /// With --as: the title of the figure, or the caption of the table [default: what it shows, of what]
    #[arg(long, value_name = "TEXT", requires = "form")]
    pub title: Option<String>,
}

/// How a table or a figure is written.
#[cfg(feature = "drawing")]
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum ReportForm {
    /// A table for LaTeX, with booktabs
    Latex,
    /// A figure
    Svg,
    /// The numbers
    Csv,
}

/// What a table or a figure shows.
#[cfg(feature = "drawing")]
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum ShowArg {
    /// The verdicts, by operator
    Verdicts,
    /// What the guidelines find of the mutants that no test kills, by operator
    Ratios,
    /// What a suite kills of what can be killed, by operator
    Scores,
    /// Which test kills which mutant; in LaTeX how many of each operator
    Kills,
    /// How what is killed grows with the tests
    Growth,
}

/// Options of `tamper report` for runs.
#[cfg(feature = "drawing")]
#[derive(Args, Debug)]
pub struct ReportRunArgs {
    /// The model [default: the file that the run names]
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
}

/// The suite whose kills a page shows.
#[cfg(feature = "drawing")]
#[derive(Args, Debug)]
pub struct ReportSuiteArgs {
    /// A suite of timed tests (JSON), scored against the mutants that the run found non-subsumed
    #[arg(long, value_name = "SUITE")]
    pub suite: Option<PathBuf>,
}
