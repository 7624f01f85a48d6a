//! Manifests of runs in any world: the parameters of the run in a folder.

use std::collections::BTreeSet;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{ExperimentError, OrMalformed as _, Result};
use crate::files::MANIFEST;
use crate::plans::shares::Sharded;
use crate::{Engine, NetworkScope, Shard};
use tamper_uppaal::input::read_own_text;

/// The parameters of a run in one world: everything that its records depend on.
pub trait RunPlan: Serialize + DeserializeOwned + Clone {
    /// Whether the run is on untimed systems.
    const IS_UNTIMED: bool;

    /// The model's file, whose place changes no record.
    fn file_mut(&mut self) -> &mut String;
    /// The share that the run is.
    fn shard_mut(&mut self) -> &mut Option<Shard>;
    /// The share that the run is, if it is one.
    fn shard(&self) -> Option<Shard>;
}

/// `manifest.json`: a run's parameters, the version that ran it, and its size.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunManifest<P> {
    tool: String,
    version: String,
    #[serde(flatten)]
    plan: P,
    /// The engine, if limits required another one than requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    engine: Option<Engine>,
    /// The format and filter, if the manifest is of an export.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    export: Option<ExportRef>,
    /// The mutated part, if the model is a network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    network: Option<NetworkScope>,
    mutants: u64,
    selected: u64,
}

/// The format and filter of an export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExportRef {
    /// The format.
    #[serde(rename = "as")]
    pub format: String,
    /// The condition on the exported mutants, as typed by the user.
    pub keep: String,
}

impl<P: RunPlan> RunManifest<P> {
    /// The manifest of a run of `plan` that decides `selected` of `mutants` mutants.
    pub fn new(plan: &P, mutants: u64, selected: u64) -> Self {
        Self {
            tool: crate::TOOL.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            plan: plan.clone(),
            engine: None,
            export: None,
            network: None,
            mutants,
            selected,
        }
    }

    /// Records that limits required `engine`.
    #[must_use]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.engine = Some(engine);
        self
    }

    /// Turns the manifest into one of an export of the run.
    #[must_use]
    pub fn with_export(mut self, export: ExportRef) -> Self {
        self.export = Some(export);
        self
    }

    /// Records the mutated part of a network.
    #[must_use]
    pub fn with_network(mut self, network: NetworkScope) -> Self {
        self.network = Some(network);
        self
    }

    /// Reads the manifest of the run in `folder`.
    ///
    /// # Errors
    /// If there is no manifest, or it is of another version or another world; the error names it.
    pub fn read(folder: &Path) -> Result<Self> {
        let manifest = value(folder)?;
        let version = manifest["version"].as_str().unwrap_or_default().to_owned();
        let own = env!("CARGO_PKG_VERSION");
        let is_untimed = manifest["world"].is_string();
        let (path, shown) = (folder.join(MANIFEST), folder.display());
        let read = serde_json::from_value::<Self>(manifest.clone()).and_then(|read| {
            match serde_json::to_value(&read)? == manifest {
                true => Ok(read),
                false => Err(serde::de::Error::custom("it has other entries")),
            }
        });
        read.or_malformed(|| match (version == own, is_untimed == P::IS_UNTIMED) {
            (false, _) => format!(
                "the run in {shown} was made by tamper {version}, whose manifests tamper {own} does not read: make it anew"
            ),
            (true, true) => format!("{} is not a manifest of this version", path.display()),
            (true, false) if is_untimed => format!("the run in {shown} is on mutants of a system without time"),
            (true, false) => format!("the run in {shown} is on mutants of timed games"),
        })
    }

    /// The plan that was run.
    pub fn plan(&self) -> &P {
        &self.plan
    }

    /// Number of mutants of the model.
    pub fn mutants(&self) -> u64 {
        self.mutants
    }

    /// Number of mutants that the run decides.
    pub fn selected(&self) -> u64 {
        self.selected
    }

    /// The format and filter, if the manifest is of an export.
    pub fn export(&self) -> Option<&ExportRef> {
        self.export.as_ref()
    }

    /// The mutated part of the network, if the run is on mutants of one.
    pub fn network(&self) -> Option<&NetworkScope> {
        self.network.as_ref()
    }

    /// Whether the run is on mutants of a network.
    pub fn is_of_network(&self) -> bool {
        self.network.is_some()
    }

    /// The names of the entries because of which a run of `other` would give different records: neither the engine nor the place
    /// of the model's file is among them.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let [mine, theirs] = [self, other].map(|manifest| {
            let mut manifest = manifest.clone();
            manifest.plan.file_mut().clear();
            manifest.engine = None;
            manifest
        });
        entries_that_differ(&mine, &theirs)
    }

    /// The manifest of the whole run, if this is a share; `selected` is the number of mutants of all shares.
    #[must_use]
    pub fn of_all(&self, selected: u64) -> Self {
        let mut manifest = self.clone();
        *manifest.plan.shard_mut() = None;
        manifest.selected = selected;
        manifest
    }
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

impl<P: RunPlan> Sharded for RunManifest<P> {
    fn shard(&self) -> Option<Shard> {
        self.plan.shard()
    }

    fn differs_in(&self, other: &Self) -> Vec<String> {
        self.of_all(0).differences(&other.of_all(0))
    }
}
