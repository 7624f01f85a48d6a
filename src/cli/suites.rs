//! What `testgen`, `score` and `minimise` have in common.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};

use super::args::{GlobalArgs, LimitArgs, SpaceArgs};
use super::load::Loaded;
use super::terminal::Terminal;
use crate::experiment::killing::{Candidate, Strategy, Wanted, Wish, candidates};
use crate::experiment::{Selection, Timer};
use crate::formats::suite_json::{Suite, SuiteSpecification, read_suite};
use crate::model::Automaton;
use crate::mutation::MutantSpace;
use crate::suite::{Pick, Style, SuiteFailure, Tester};

/// Which kills count.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum KillArg {
    /// The test can fail on the mutant
    #[default]
    Potential,
    /// It always does
    Definite,
}

/// A game, its mutants, and who tests them.
#[derive(Args, Debug)]
pub struct MutantsArgs {
    #[command(flatten)]
    pub space: SpaceArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// What is to be tested, ready.
pub struct Bench {
    /// How a suite names the game.
    pub specification: SuiteSpecification,
    /// Who makes tests.
    pub tester: Tester,
    /// The mutants.
    pub candidates: Vec<Candidate>,
    /// Limits of each question.
    pub timer: Timer,
}

impl Bench {
    /// The mutants of the game in `file`.
    pub fn new(file: &Path, args: &MutantsArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<Self> {
        let loaded = Loaded::read(file, &global.read_options(), terminal)?;
        let game = loaded.game(args.space.template.as_deref())?;
        let timer = Timer::new(args.limits.resolve());
        let tester = tester(game, &timer)?;
        let space = MutantSpace::new(game, &args.space.mutation.resolve(), args.space.order)?;
        let selection = Selection::of(&space, args.space.sample, args.space.seed)?;
        let reference = loaded.model_ref(game);
        Ok(Self {
            specification: SuiteSpecification {
                file: reference.file,
                template: reference.template,
                hash: reference.hash,
            },
            candidates: candidates(&space, &selection, &|| timer.budget()),
            tester,
            timer,
        })
    }
}

fn tester(game: &Automaton, timer: &Timer) -> Result<Tester> {
    match Tester::new(game, &timer.budget()) {
        Ok(tester) => Ok(tester),
        Err(SuiteFailure::Stopped(reason)) => bail!("the limits are too small for `{}` itself: {reason}", game.name()),
        Err(error) => Err(anyhow::Error::new(error).context(format!("no tests can be made for `{}`", game.name()))),
    }
}

/// A wish for tests that need not be made, only judged.
pub fn judging(kill: KillArg, args: &MutantsArgs) -> Wish {
    Wish {
        wanted: match kill {
            KillArg::Potential => Wanted::Potential,
            KillArg::Definite => Wanted::Definite,
        },
        style: Style::Adaptive,
        pick: Pick::Earliest,
        strategy: Strategy::PerMutant,
        mutation: args.space.mutation.resolve(),
        max_nodes: 0,
    }
}

/// The suite in `path`.
pub fn load_suite(path: &Path) -> Result<Suite> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("{name}: cannot be read"))?;
    read_suite(&text).with_context(|| name.to_string())
}

/// Says so when a suite was made for another model than it is judged by.
pub fn note_other_model(suite: &Suite, bench: &Bench, terminal: &Terminal) {
    if suite.specification.hash != bench.specification.hash {
        terminal.note(&format!(
            "note: the suite was made for {} as it was then (hash {:.12}); {} is not that file",
            suite.specification.file, suite.specification.hash, bench.specification.file
        ));
    }
}

/// Writes a whole file or nothing.
pub fn write_whole(path: &Path, text: &str) -> Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let write = || -> Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        std::io::Write::write_all(&mut file, text.as_bytes())?;
        file.persist(path)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}
