//! The model by which the logs of a program are judged.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::cli::arguments::args::GlobalArgs;
use crate::cli::arguments::network_args::{Composition, NetworkArgs};
use crate::cli::arguments::suite_run_args::RunArgs;
use crate::cli::models::load::Loaded;
use crate::cli::terminal::Terminal;
use crate::cli::testing::suites::stale_suite;
use tamper::experiment::killing::stale;
use tamper::experiment::{Implementation, Limits, Timer, check_alphabet};
use tamper::formats::read_model;
use tamper::formats::suite_json::{Suite, SuiteSpecification};
use tamper::model::Automaton;
use tamper::programs::LogJudge;
use tamper::suite::{TestCase, Tester};

/// A game that judges.
pub struct Oracle {
    /// The game.
    game: Automaton,
    /// The file of the model.
    file: PathBuf,
}

impl Oracle {
    /// The model that `--model` names, else the model of the suite if its file is there and unchanged. Prints a note if there is no model.
    pub fn find(
        args: &RunArgs,
        suite: &Suite,
        tests: &[&TestCase],
        global: &GlobalArgs,
        terminal: &Terminal,
    ) -> Result<Option<Self>> {
        let Some(file) = &args.program.oracle else {
            let found = Self::of_suite(args.suite()?, &suite.specification, args, global, terminal);
            if found.is_none() {
                let file = &suite.specification.file;
                terminal.note(&format!(
                    "note: only the tests judge what is seen: {file} is not there as it was, or not one game by itself (--model MODEL)"
                ));
            }
            return Ok(found);
        };
        let network = args.network.or_of(&suite.specification);
        let loaded = loaded(args, file, &network, global, terminal)?;
        let game = loaded.game_of_suite(None, &suite.specification)?.clone();
        let model = Implementation {
            name: game.name().to_owned(),
            automaton: game,
        };
        check_alphabet(tests, &model)
            .with_context(|| args.suite().map_or(String::new(), |path| path.display().to_string()))?;
        Ok(Some(Self {
            game: model.automaton,
            file: file.clone(),
        }))
    }

    /// The model that `--model` names, and the reference to it in a suite.
    pub fn named(args: &RunArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<(Self, SuiteSpecification)> {
        let file = args.program.oracle.as_ref().context("name a --model")?;
        let loaded = loaded(args, file, &args.network, global, terminal)?;
        let game = loaded.game(args.timed.template.as_deref())?;
        let oracle = Self {
            game: game.clone(),
            file: file.clone(),
        };
        let specification = loaded.specification(game);
        Ok((oracle, specification))
    }

    /// The game that judges.
    pub fn game(&self) -> &Automaton {
        &self.game
    }

    /// The model's file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The model's file, if it is unchanged since the suite was made. Its name is resolved in the current folder, then beside the suite.
    fn of_suite(
        suite: &Path,
        specification: &SuiteSpecification,
        args: &RunArgs,
        global: &GlobalArgs,
        terminal: &Terminal,
    ) -> Option<Self> {
        let beside = suite.parent().map(|folder| folder.join(&specification.file));
        let files = [Some(PathBuf::from(&specification.file)), beside];
        let file = files.into_iter().flatten().find(|file| file.is_file())?;
        if let Some(scope) = &specification.network {
            let network = NetworkArgs::of(scope);
            let composition = Composition::read(&file, &network, &args.limits, terminal).ok()?;
            let is_same = composition.hash == specification.hash && !composition.composed.has_hidden;
            return is_same.then_some(Self {
                game: composition.composed.automaton,
                file,
            });
        }
        let read = read_model(&file, &global.read_options()).ok()?;
        let is_same = blake3::hash(&read.content).to_hex().as_str() == specification.hash;
        let mut games = read.document.automata().iter();
        let game = games.find(|game| game.name() == specification.template)?;
        is_same.then(|| Self {
            game: game.clone(),
            file,
        })
    }

    /// The judge of logs.
    ///
    /// # Errors
    /// If the game has no meaning.
    pub fn judge(&self) -> Result<LogJudge> {
        LogJudge::new(&self.game).with_context(|| self.file.display().to_string())
    }

    /// The error to report if some of these tests fail on behaviour that this game allows: the suite was made for another game, or tamper
    /// has an error.
    pub fn difference(&self, suite: Option<&Path>, tests: &[TestCase]) -> anyhow::Error {
        let timer = Timer::new(Limits::default());
        let tester = Tester::new(&self.game, &timer.budget());
        let found = tester.and_then(|tester| stale(tests, &tester, &timer));
        match (found, suite) {
            (Ok(Some(stale)), Some(suite)) => {
                let specification = format!("`{}` of {}", self.game.name(), self.file.display());
                stale_suite(suite, &specification, &stale)
            }
            _ => anyhow::anyhow!(
                "tamper is wrong: its test and its judge differ; please report it, with the suite, the model and the log"
            ),
        }
    }
}

/// Reads the model in `file` under the typed options.
fn loaded(
    args: &RunArgs,
    file: &Path,
    network: &NetworkArgs,
    global: &GlobalArgs,
    terminal: &Terminal,
) -> Result<Loaded> {
    let names: Vec<&str> = args.timed.template.as_deref().into_iter().collect();
    let loaded = Loaded::read_either(file, &names, network, &args.limits, global, terminal)?;
    loaded.comparable()?;
    Ok(loaded)
}
