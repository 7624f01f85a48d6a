//! Manifests of runs in any world: the parameters of the run in a folder.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::Shard;
use crate::error::{ExperimentError, OrMalformed as _, Result};
use crate::files::MANIFEST;
use crate::plans::shares::Sharded;
use tamper_uppaal::input::read_own_text;

/// `manifest.json`: a run's parameters, the version that ran it, and its size.
pub trait RunManifest: Serialize + DeserializeOwned + Clone {
    /// Whether the manifest describes runs on untimed systems.
    const IS_UNTIMED: bool;

    /// The manifest without entries that change no record, such as the place of the file.
    #[must_use]
    fn comparable(&self) -> Self;

    /// The names of the entries because of which a run of `other` would give different records.
    fn differences(&self, other: &Self) -> Vec<String> {
        entries_that_differ(&self.comparable(), &other.comparable())
    }

    /// The share that the run is, if it is one.
    fn shard(&self) -> Option<Shard>;

    /// The manifest of the whole run, if this is a share; `selected` is the number of mutants of all shares.
    #[must_use]
    fn of_all(&self, selected: u64) -> Self;
}

/// The world of a run, that is, the kind of its mutants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunWorld {
    /// One timed game.
    Game,
    /// A network of processes.
    Network,
    /// An untimed system.
    Untimed,
}

impl RunWorld {
    /// The world of the run in `folder`; a manifest that names none is of a timed game.
    ///
    /// # Errors
    /// If there is no run.
    pub fn of(folder: &Path) -> Result<Self> {
        let manifest = value(folder)?;
        Ok(match (manifest["world"].is_string(), manifest["network"].is_object()) {
            (true, _) => Self::Untimed,
            (false, true) => Self::Network,
            (false, false) => Self::Game,
        })
    }
}

/// Reads the manifest of the run in `folder`.
///
/// # Errors
/// If there is no manifest, or it is of another version or another world; the error names it.
pub fn read_manifest<M: RunManifest>(folder: &Path) -> Result<M> {
    let manifest = value(folder)?;
    let version = manifest["version"].as_str().unwrap_or_default().to_owned();
    let own = env!("CARGO_PKG_VERSION");
    let is_untimed = manifest["world"].is_string();
    let (path, shown) = (folder.join(MANIFEST), folder.display());
    let read =
        serde_json::from_value::<M>(manifest.clone()).and_then(|read| match serde_json::to_value(&read)? == manifest {
            true => Ok(read),
            false => Err(serde::de::Error::custom("it has other entries")),
        });
    read.or_malformed(|| match (version == own, is_untimed == M::IS_UNTIMED) {
        (false, _) => format!(
            "the run in {shown} was made by tamper {version}, whose manifests tamper {own} does not read: make it anew"
        ),
        (true, true) => format!("{} is not a manifest of this version", path.display()),
        (true, false) if is_untimed => format!("the run in {shown} is on mutants of a system without time"),
        (true, false) => format!("the run in {shown} is on mutants of timed games"),
    })
}

fn value(folder: &Path) -> Result<Value> {
    let path = folder.join(MANIFEST);
    let text = read_own_text(&path).map_err(|source| ExperimentError::NoRun {
        folder: folder.to_owned(),
        source,
    })?;
    serde_json::from_str(&text).or_malformed(|| format!("{} is not a manifest of this version", path.display()))
}

/// The names of the entries in which two manifests differ.
pub(crate) fn entries_that_differ(one: &impl Serialize, other: &impl Serialize) -> Vec<String> {
    let (mine, theirs) = (entries(one), entries(other));
    let names: BTreeSet<&String> = mine.keys().chain(theirs.keys()).collect();
    let differs = |name: &&String| mine.get(*name) != theirs.get(*name);
    names.into_iter().filter(differs).cloned().collect()
}

fn entries(manifest: &impl Serialize) -> serde_json::Map<String, Value> {
    match serde_json::to_value(manifest) {
        Ok(Value::Object(entries)) => entries,
        _ => serde_json::Map::new(),
    }
}

impl<M: RunManifest> Sharded for M {
    fn shard(&self) -> Option<Shard> {
        RunManifest::shard(self)
    }

    fn differs_in(&self, other: &Self) -> Vec<String> {
        self.of_all(0).differences(&other.of_all(0))
    }
}
