//! What a run on mutants of an untimed system does, as it is written down before it starts.

use serde::{Deserialize, Serialize};

use crate::experiment::manifest::{RunManifest, entries_that_differ};
use crate::experiment::{ExportRef, Limits, Sample, Selection, Shard};
use crate::machines::FaultKind;
use crate::systems::SystemOperator;
use crate::systems::actions::ActionOperator;

/// The kinds of untimed systems.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UntimedWorld {
    /// States, inputs and outputs.
    TransitionSystem,
    /// Actions and events.
    ActionSystem,
    /// States with a transition for every input, and faults.
    StateMachine,
}

impl UntimedWorld {
    /// The operators of its mutants, in the order of tables.
    pub fn operators(self) -> Vec<&'static str> {
        match self {
            Self::TransitionSystem => SystemOperator::ALL.map(SystemOperator::name).to_vec(),
            Self::ActionSystem => ActionOperator::ALL.map(ActionOperator::name).to_vec(),
            Self::StateMachine => FaultKind::ALL.map(FaultKind::name).to_vec(),
        }
    }
}

/// The system that a run is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemRef {
    /// The file, as the user named it.
    pub file: String,
    /// BLAKE3 of the file's bytes, in hexadecimal.
    pub hash: String,
}

/// The parameters of a run: everything that its records depend on.
#[derive(Clone, PartialEq, Debug)]
pub struct UntimedPlan {
    /// The kind of the system.
    pub world: UntimedWorld,
    /// The system.
    pub model: SystemRef,
    /// Whether states stay where they have no step for an input.
    pub complete: bool,
    /// The sample, if not all mutants are looked at.
    pub sample: Option<Sample>,
    /// What the sample is drawn by.
    pub seed: u64,
    /// The share of these mutants that is looked at, if not all are.
    pub shard: Option<Shard>,
    /// Limits of one decision.
    pub limits: Limits,
    /// Whether records show what kills.
    pub witness: bool,
}

impl UntimedPlan {
    /// Which of `total` mutants the run looks at.
    pub fn selection(&self, total: u64) -> Selection {
        Selection::of_each(total, self.sample, self.seed).share(self.shard)
    }
}

/// `manifest.json` of such a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UntimedManifest {
    tool: String,
    version: String,
    world: UntimedWorld,
    model: SystemRef,
    complete: bool,
    sample: Option<Sample>,
    seed: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shard: Option<Shard>,
    limits: Limits,
    witness: bool,
    /// What of the run is written, where it is an export.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    export: Option<ExportRef>,
    mutants: u64,
    selected: u64,
}

impl UntimedManifest {
    /// The manifest of a run of `plan` that looks at `selected` of `mutants` mutants.
    pub fn new(plan: &UntimedPlan, mutants: u64, selected: u64) -> Self {
        Self {
            tool: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            world: plan.world,
            model: plan.model.clone(),
            complete: plan.complete,
            sample: plan.sample,
            seed: plan.sample.map(|_| plan.seed),
            shard: plan.shard,
            limits: plan.limits,
            witness: plan.witness,
            export: None,
            mutants,
            selected,
        }
    }

    /// The plan that was run.
    pub fn plan(&self) -> UntimedPlan {
        UntimedPlan {
            world: self.world,
            model: self.model.clone(),
            complete: self.complete,
            sample: self.sample,
            seed: self.seed.unwrap_or_default(),
            shard: self.shard,
            limits: self.limits,
            witness: self.witness,
        }
    }

    /// How many mutants the system has.
    pub fn mutants(&self) -> u64 {
        self.mutants
    }
}

impl RunManifest for UntimedManifest {
    const IS_UNTIMED: bool = true;

    fn differences(&self, other: &Self) -> Vec<String> {
        let comparable = |manifest: &Self| {
            let mut manifest = manifest.clone();
            manifest.model.file.clear();
            manifest
        };
        entries_that_differ(&comparable(self), &comparable(other))
    }

    fn shard(&self) -> Option<Shard> {
        self.shard
    }

    fn of_all(&self, selected: u64) -> Self {
        Self {
            shard: None,
            selected,
            ..self.clone()
        }
    }
}
