//! From a file name to a game, and the check whether it can be compared with others.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};

use crate::cli::terminal::Terminal;
use tamper::experiment::ModelRef;
use tamper::formats::suite_json::SuiteSpecification;
use tamper::formats::{
    Document, Drawing, ModelFile, NetworkScope, Placement, ReadError, ReadOptions, read_model, read_model_only,
};
use tamper::model::{Automaton, LocId};
use tamper::network::{CompositionWords, EdgeParts, Network, State, place_in_words};
use tamper::text::Diagnostic;
use tamper::text::Id as _;

/// Each warning at its first place, with the number of further places.
pub fn once(warnings: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut firsts: Vec<(Diagnostic, usize)> = Vec::new();
    for warning in warnings {
        match firsts.iter_mut().find(|(first, _)| first.message == warning.message) {
            Some((_, n_more)) => *n_more += 1,
            None => firsts.push((warning.clone(), 0)),
        }
    }
    let with_count = |(mut warning, n_more): (Diagnostic, usize)| {
        match n_more {
            0 => {}
            1 => warning.message.push_str(" (and at 1 more place)"),
            more => warning.message.push_str(&format!(" (and at {more} more places)")),
        }
        warning
    };
    firsts.into_iter().map(with_count).collect()
}

/// Games, and the file that they come from.
pub struct Loaded {
    games: LoadedGames,
    /// BLAKE3 of the text that was read, in hexadecimal.
    pub hash: String,
    name: String,
    /// The number of its files: a project has several.
    n_files: usize,
    /// The composition that the game comes from, if it was composed.
    origin: Option<CompositionOrigin>,
    /// The view of the network, if the game was composed from the whole file.
    scope: Option<NetworkScope>,
}

/// The games of a file, or one game that was made of them.
enum LoadedGames {
    Read(Box<Document>),
    Made(Box<Automaton>),
}

impl Loaded {
    /// Reads `path`. Warnings are shown, among them one if feature expressions are ignored.
    pub fn read(path: &Path, options: &ReadOptions, terminal: &Terminal) -> Result<Self> {
        Ok(Self::shown(path, read_model(path, options)?, terminal))
    }

    /// The games read from `path`. Warnings are shown, among them one if feature expressions are ignored.
    pub fn shown(path: &Path, file: ModelFile, terminal: &Terminal) -> Self {
        let loaded = Self::of_file(path, file, terminal);
        if let LoadedGames::Read(document) = &loaded.games
            && let Some(warning) = document.features_ignored()
        {
            terminal.warnings(document.source(), &[warning]);
        }
        loaded
    }

    /// Reads `path`. If the file as a whole is refused, and `names` is not empty, reads only the games of these names, and shows errors
    /// elsewhere in the file as warnings.
    pub fn read_named(path: &Path, options: &ReadOptions, names: &[&str], terminal: &Terminal) -> Result<Self> {
        // Of a project, only the requested games are read.
        if path.is_dir() && !names.is_empty() {
            return Ok(Self::of_file(path, read_model_only(path, options, names)?, terminal));
        }
        let whole = Self::read(path, options, terminal);
        let is_refused = |error: &anyhow::Error| error.downcast_ref::<ReadError>().is_some();
        if names.is_empty() || !whole.as_ref().is_err_and(is_refused) {
            return whole;
        }
        match read_model_only(path, options, names) {
            Ok(file) => Ok(Self::of_file(path, file, terminal)),
            Err(_) => whole,
        }
    }

    /// Reads `path` with its feature expressions; warnings are shown.
    pub fn read_family(path: &Path, options: &ReadOptions, terminal: &Terminal) -> Result<Self> {
        Ok(Self::of_file(path, read_model(path, options)?, terminal))
    }

    fn of_file(path: &Path, file: ModelFile, terminal: &Terminal) -> Self {
        let name = path.display().to_string();
        let ModelFile {
            document,
            warnings,
            content,
        } = file;
        for (file, warnings) in warnings.iter().filter(|(_, warnings)| !warnings.is_empty()) {
            terminal.warnings(file, &once(warnings));
        }
        let hash = blake3::hash(&content).to_hex().to_string();
        Self {
            games: LoadedGames::Read(Box::new(document)),
            hash,
            name,
            n_files: warnings.len(),
            origin: None,
            scope: None,
        }
    }

    /// A game that was made of games of the file `name`. If it was composed, `origin` has the facts about that.
    pub fn made(game: Automaton, hash: String, name: String, origin: Option<CompositionOrigin>) -> Self {
        Self {
            games: LoadedGames::Made(Box::new(game)),
            hash,
            name,
            n_files: 0,
            origin,
            scope: None,
        }
    }

    /// The same, of a network with this view.
    pub fn seen_as(mut self, scope: NetworkScope) -> Self {
        self.scope = Some(scope);
        self
    }

    /// The games.
    pub fn automata(&self) -> &[Automaton] {
        match &self.games {
            LoadedGames::Read(document) => document.automata(),
            LoadedGames::Made(game) => std::slice::from_ref(game),
        }
    }

    /// The file of `game`, which is one of these games, and its index there.
    ///
    /// # Errors
    /// If `game` was made from others: no file contains it.
    pub fn in_file(&self, game: &Automaton) -> Result<(&Document, usize)> {
        let of_file = match &self.games {
            LoadedGames::Read(document) => document.find(game.name()).map(|at| (&**document, at)),
            LoadedGames::Made(_) => None,
        };
        of_file.with_context(|| {
            format!(
                "`{}` is made of games of {}: `tamper compose` writes it as a file of its own",
                game.name(),
                self.name
            )
        })
    }

    /// The same, if that is the only file.
    ///
    /// # Errors
    /// If `game` was made from others, or the model is a project of several files.
    pub fn in_one_file(&self, game: &Automaton) -> Result<(&Document, usize)> {
        if self.n_files > 1 {
            bail!(
                "{} is a project of {} files: name the file of the component (in its folder Components)",
                self.name,
                self.n_files
            );
        }
        self.in_file(game)
    }

    /// The places of the locations of `game` in its file; a grid if no file contains it.
    pub fn drawing(&self, game: &Automaton) -> Drawing {
        let in_file = self.in_file(game);
        in_file.map_or_else(|_| Drawing::grid(), |(document, at)| Drawing::of(document, at))
    }

    /// The places of `game` in its file, and the spelling of its labels.
    pub fn placement(&self, game: &Automaton) -> Placement {
        let in_file = self.in_file(game);
        in_file.map_or_else(|_| Placement::default(), |(document, at)| document.placement(at))
    }

    /// Refuses games whose comparison is not decided exactly.
    pub fn comparable(&self) -> Result<()> {
        self.origin.as_ref().map_or(Ok(()), CompositionOrigin::comparable)
    }

    /// The game of that name, or the only one; the error lists the names.
    pub fn game(&self, name: Option<&str>) -> Result<&Automaton> {
        let games = self.automata();
        let names = || games.iter().map(Automaton::name).collect::<Vec<_>>().join(", ");
        match (name, games) {
            (None, [only]) => Ok(only),
            (None, _) => bail!(
                "{} runs several templates: choose one with --template ({})",
                self.name,
                names()
            ),
            (Some(name), _) => {
                let found = games.iter().find(|game| game.name() == name);
                found.with_context(|| format!("{} does not run a template `{name}`; it runs {}", self.name, names()))
            }
        }
    }

    /// A copy of the game of that name.
    pub fn named(&self, name: &str) -> Result<Automaton> {
        self.game(Some(name)).cloned()
    }

    /// The game of that name; without one, the game that a suite is for, if the file runs it.
    pub fn game_of_suite(&self, name: Option<&str>, suite: &SuiteSpecification) -> Result<&Automaton> {
        let of_suite = suite.template.as_str();
        let is_there = self.automata().iter().any(|game| game.name() == of_suite);
        self.game(name.or(is_there.then_some(of_suite)))
    }

    /// The processes' edges that make the first internal step, if the game was composed and has one.
    pub fn internal_step(&self) -> Option<&str> {
        self.origin.as_ref()?.internal.as_deref()
    }

    /// The processes' edges that no run takes, and their locations that no run reaches, if the game was composed.
    pub fn unused(&self) -> [&[String]; 2] {
        let origin = self.origin.as_ref();
        origin.map_or([&[]; 2], |origin| [&origin.untaken, &origin.unreached])
    }

    /// The places of the processes in a location, if the game was composed.
    pub fn place_in_words(&self, location: LocId) -> Option<String> {
        let (network, discrete, _) = self.origin.as_ref()?.places.as_ref()?;
        Some(place_in_words(network, &discrete[location.index()]))
    }

    /// What the parts of the game are, if it was composed.
    pub fn words(&self) -> CompositionWords {
        let places = self.origin.as_ref().and_then(|origin| origin.places.as_ref());
        places.map_or_else(CompositionWords::default, |(network, discrete, parts)| {
            CompositionWords::of(network, discrete, parts)
        })
    }

    /// The file, as the user named it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The reference to `game` in a suite.
    pub fn specification(&self, game: &Automaton) -> SuiteSpecification {
        SuiteSpecification {
            file: self.name.clone(),
            template: game.name().to_owned(),
            hash: self.hash.clone(),
            network: self.scope.clone(),
            unit: game.unit().map(str::to_owned),
        }
    }

    /// The reference to `game` in a manifest.
    pub fn model_ref(&self, game: &Automaton) -> ModelRef {
        ModelRef {
            file: self.name.clone(),
            template: game.name().to_owned(),
            hash: self.hash.clone(),
        }
    }
}

/// Facts about the composition that a game comes from.
#[derive(Clone, Debug)]
pub struct CompositionOrigin {
    /// Whether some step is hidden.
    pub hidden: bool,
    /// The processes' edges that make the first internal step.
    pub internal: Option<String>,
    /// The processes' edges that no run takes.
    pub untaken: Vec<String>,
    /// The processes' locations that no run reaches.
    pub unreached: Vec<String>,
    /// The network, if the game is its composition, the state in each location, and the parts of each edge.
    pub places: Option<(Network, Vec<Arc<State>>, EdgeParts)>,
}

impl CompositionOrigin {
    /// Refuses games whose comparison is not decided exactly.
    pub fn comparable(&self) -> Result<()> {
        if self.hidden {
            bail!(
                "the composition has hidden steps, and games are compared step by step: use --internal visible and put \
                 the processes that synchronise or move silently under test (or make their steps seen with --observe)"
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_warning_is_shown_once_with_a_count() {
        let warnings = ["a", "b", "a", "c", "a", "b"].map(|text| Diagnostic::warning(text, None));
        let shown = once(&warnings);
        let texts: Vec<&str> = shown.iter().map(|warning| warning.message.as_str()).collect();
        assert_eq!(texts, ["a (and at 2 more places)", "b (and at 1 more place)", "c"]);
    }
}
