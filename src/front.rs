//! The front page's functions: a file to a game, a game to mutants, mutants to verdicts, a verdict to its reason.
//!
//! They are the shortest way through the rooms, without limits and without records; the rooms do the same in steps that can be chosen.

use std::path::Path;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::formats::{ReadError, ReadOptions, read_model};
use crate::game::{Counterexample, GameError, Scratch, Semantics, Specification, Verdict};
use crate::model::Automaton;
use crate::mutation::{MutantSpace, MutationOptions, Order, TooManyMutants};
use crate::text::Budget;

/// The reason why a question of the front page has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be read, or has errors: every finding, with its place.
    #[error(transparent)]
    Read(ReadError),
    /// The file does not run exactly one game; the names of its games.
    #[error("{}", not_one(.0))]
    NotOneGame(Vec<String>),
    /// There are too many mutants of the order to number them.
    #[error(transparent)]
    TooManyMutants(TooManyMutants),
    /// A game has no meaning, or the specification is inconsistent.
    #[error(transparent)]
    Game(GameError),
}

impl From<ReadError> for Error {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

impl From<TooManyMutants> for Error {
    fn from(error: TooManyMutants) -> Self {
        Self::TooManyMutants(error)
    }
}

impl From<GameError> for Error {
    fn from(error: GameError) -> Self {
        Self::Game(error)
    }
}

/// A mutant: its id, which names its mutations, and the game that they make.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The id, unique among the mutants of one game and order.
    pub id: String,
    /// The mutated game.
    pub automaton: Automaton,
}

/// Reads the only game of a file: UPPAAL XML, TChecker's or Ecdar's.
///
/// # Errors
/// If the file cannot be read, has errors, or runs several games.
pub fn read(path: impl AsRef<Path>) -> Result<Automaton, Error> {
    let file = read_model(path.as_ref(), &ReadOptions::default())?;
    match file.document.automata() {
        [only] => Ok(only.clone()),
        several => Err(Error::NotOneGame(
            several.iter().map(|game| game.name().to_owned()).collect(),
        )),
    }
}

/// All mutants of `game` of an order, with the default operators, in the order of their numbers. They are made one by one as the iterator
/// is asked for them.
///
/// # Errors
/// If there are too many to be numbered.
pub fn mutate(game: &Automaton, order: Order) -> Result<impl Iterator<Item = Mutant>, Error> {
    let space = MutantSpace::new(game, &MutationOptions::default(), order)?;
    let siblings = (0..space.n_families()).filter_map(move |family| space.siblings(family));
    Ok(siblings.flat_map(|siblings| {
        let lasts: Vec<_> = siblings.last().iter().collect();
        lasts.into_iter().map(move |last| Mutant {
            id: siblings.id(last),
            automaton: siblings.mutant(last),
        })
    }))
}

/// Returns the verdict on each of `mutants` against `specification`, in their order; in parallel, without limits.
///
/// # Errors
/// If a game has no meaning, or the specification is inconsistent.
pub fn classify(specification: &Automaton, mutants: &[Mutant], semantics: Semantics) -> Result<Vec<Verdict>, Error> {
    let specification = Specification::prepare(specification, semantics, &Budget::unlimited())?;
    let decide = |scratch: &mut Scratch, mutant: &Mutant| {
        let decision = specification.decide(&mutant.automaton, &Budget::unlimited(), scratch)?;
        Ok(decision.verdict)
    };
    mutants.par_iter().map_init(Scratch::default, decide).collect()
}

/// Returns a counterexample to the refinement of `specification` by `mutant`; `None` if the mutant refines it, or is inconsistent.
///
/// # Errors
/// If a game has no meaning, or the specification is inconsistent.
pub fn counterexample(
    specification: &Automaton,
    mutant: &Mutant,
    semantics: Semantics,
) -> Result<Option<Counterexample>, Error> {
    let specification = Specification::prepare(specification, semantics, &Budget::unlimited())?;
    let found = specification.counterexample(&mutant.automaton, &Budget::unlimited())?;
    Ok(found.counterexample())
}

fn not_one(games: &[String]) -> String {
    match games {
        [] => "the file runs no game".to_owned(),
        names => format!(
            "the file runs several games ({}): read it with `formats::read_model` and choose one",
            names.join(", ")
        ),
    }
}
