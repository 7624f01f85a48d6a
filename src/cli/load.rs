//! From a file name to a game.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::terminal::Terminal;
use crate::experiment::ModelRef;
use crate::formats::{Document, ReadOptions, read_bytes, read_file, render};
use crate::model::Automaton;

/// A file that was read.
pub struct Loaded {
    /// What it holds.
    pub document: Document,
    /// BLAKE3 of its bytes, in hexadecimal.
    pub hash: String,
    name: String,
}

impl Loaded {
    /// Reads `path`; warnings are shown.
    pub fn read(path: &Path, options: &ReadOptions, terminal: &Terminal) -> Result<Self> {
        let name = path.display().to_string();
        let Ok(bytes) = std::fs::read(path) else {
            // The reader explains why a file cannot be opened.
            let (document, _) = read_file(path, options)?;
            bail!(
                "{name}: changed while it was read ({} games)",
                document.automata().len()
            );
        };
        let (document, warnings) = read_bytes(&name, &bytes, options)?;
        if !warnings.is_empty() {
            terminal.note(&render(document.source(), &warnings, terminal.color));
        }
        let hash = blake3::hash(&bytes).to_hex().to_string();
        Ok(Self { document, hash, name })
    }

    /// The game of that name, or the only one; the error lists what there is.
    pub fn game(&self, name: Option<&str>) -> Result<&Automaton> {
        let games = self.document.automata();
        let names = || games.iter().map(Automaton::name).collect::<Vec<_>>().join(", ");
        match (name, games) {
            (None, [only]) => Ok(only),
            (None, _) => bail!(
                "{} runs several templates: choose one with --template ({})",
                self.name,
                names()
            ),
            (Some(name), _) => {
                let found = self.document.find(name).and_then(|at| games.get(at));
                found.with_context(|| format!("{} does not run a template `{name}`; it runs {}", self.name, names()))
            }
        }
    }

    /// How a manifest names `game`.
    pub fn model_ref(&self, game: &Automaton) -> ModelRef {
        ModelRef {
            file: self.name.clone(),
            template: game.name().to_owned(),
            hash: self.hash.clone(),
        }
    }
}
