//! `tamper view`.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde_json::json;

use crate::cli::arguments::args::GlobalArgs;
use crate::cli::arguments::network_args::NetworkArgs;
use crate::cli::arguments::suite_run_args::chosen;
use crate::cli::exit::ExitCode;
use crate::cli::models::load::Loaded;
use crate::cli::terminal::{Terminal, counted};
use crate::cli::testing::suites::load_suite;
use tamper::experiment::{FolderLock, Implementation, check_alphabet, write_file};
use tamper::formats::{Inexpressible, Part, check_composable, write_tester};
use tamper::suite::{TestCase, TesterGame};

/// `tamper view`.
///
/// Writes each test of a suite for UPPAAL: ID.xml is the model with the tester as a second template, ID.q the query whether the
/// test can fail on it, ID-tester.xml the tester alone. The model may be the specification or a mutant. Both are in the
/// test's unit of time, so that all constants are integers (docs/book/src/results.md says what is left out).
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tamper view suite.json model.xml --out tests
  tamper view suite.json mutants/000012-CXL.xml --template Spec_mutant --only t1 --out tests
  tamper view suite.json trains.xml --network --out tests      a suite of a network
  verifyta tests/t1.xml tests/t1.q")]
pub struct ViewArgs {
    /// A suite of timed tests (JSON)
    pub suite: PathBuf,
    /// The model that the tests play against
    pub file: PathBuf,
    /// The game, where the file runs several [default: that of the suite]
    #[arg(long, value_name = "NAME")]
    pub template: Option<String>,
    /// Only these tests, by id
    #[arg(long, value_name = "TEST", value_delimiter = ',')]
    pub only: Vec<String>,
    /// The folder for the files; files that are there are replaced
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    #[command(flatten)]
    pub network: NetworkArgs,
}

/// The endings of the names of a test's files: the network, the query, the tester alone.
const ENDINGS: [&str; 3] = [".xml", ".q", "-tester.xml"];

/// Writes tests as UPPAAL networks.
pub fn view(args: &ViewArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let suite = load_suite(&args.suite)?;
    let tests = chosen(&suite.tests, &args.only).with_context(|| args.suite.display().to_string())?;
    let network = args.network.or_of(&suite.specification);
    let loaded = Loaded::read_game(&args.file, args.template.as_deref(), &network, global, terminal)?;
    let game = loaded.game_of_suite(args.template.as_deref(), &suite.specification)?;
    let model = Implementation {
        name: loaded.name().to_owned(),
        automaton: game.clone(),
    };
    check_alphabet(&tests, &model)?;
    check_composable(game).map_err(|error| match (&error.part, loaded.internal_step()) {
        (Part::InternalEdge(_), Some(own)) => Inexpressible {
            part: Part::InternalEdge(own.to_owned()),
            ..error
        },
        _ => error,
    })?;
    let is_name = |id: &str| {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        id.chars().all(fits) && !id.starts_with('.') && !id.is_empty()
    };
    if let Some(test) = tests.iter().find(|test| !is_name(&test.id)) {
        bail!("test `{}` cannot be the name of a file", test.id);
    }
    let file = |test: &TestCase, ending: &str| format!("{}{ending}", test.id);
    let names = tests.iter().flat_map(|test| ENDINGS.map(|ending| file(test, ending)));
    let names: Vec<String> = names.collect();
    global.places.check_files(&args.out, names.iter().map(String::as_str))?;
    let (drawing, spelling) = (loaded.drawing(game), loaded.placement(game).spelling);
    let views = tests.iter().map(|test| TesterGame::new(test, game));
    let views: Vec<TesterGame> = views.collect::<Result<_, _>>()?;
    let _lock = FolderLock::make(&args.out)?;
    for (test, view) in tests.iter().zip(&views) {
        let files = write_tester(view, &drawing, &spelling);
        for (ending, text) in ENDINGS.iter().zip([&files.network, &files.query, &files.tester]) {
            write_file(&args.out.join(file(test, ending)), text)?;
        }
    }
    let folder = args.out.display().to_string();
    terminal.answer(
        || json!({ "tests": tests.len(), "out": folder }),
        || format!("{} written to {folder}", counted(tests.len(), "test")),
    )?;
    Ok(ExitCode::Yes)
}
