//! What a run on mutants of an untimed system does, as it is written down before it starts.

use serde::{Deserialize, Serialize};

use crate::manifest::RunManifest;
use crate::{Limits, Sample, Selection, Shard};
use tamper_machines::FaultKind;
use tamper_systems::SystemOperator;
use tamper_systems::actions::ActionOperator;
use tamper_timed::mutation::Order;

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

/// The parameters of a run: everything that its records depend on. A manifest lists them in this order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct UntimedPlan {
    /// The kind of the system.
    pub world: UntimedWorld,
    /// The system.
    pub model: SystemRef,
    /// How many mutations a mutant has; 1 of a state machine, which has mutants of all orders.
    #[serde(default, skip_serializing_if = "is_first")]
    pub order: Order,
    /// Whether states stay where they have no step for an input.
    pub complete: bool,
    /// The sample, if not all mutants are looked at.
    pub sample: Option<Sample>,
    /// What the sample is drawn by, if there is one.
    pub seed: Option<u64>,
    /// The share of these mutants that is looked at, if not all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Limits of one decision.
    pub limits: Limits,
    /// Whether records show what kills.
    pub witness: bool,
}

/// Manifests say nothing of the first order, as they did before there was another one.
fn is_first(order: &Order) -> bool {
    *order == Order::FIRST
}

impl UntimedPlan {
    /// Which of `total` mutants the run looks at.
    pub fn selection(&self, total: u64) -> Selection {
        Selection::of_each(total, self.sample, self.seed.unwrap_or_default()).share(self.shard)
    }
}

/// `manifest.json` of such a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct UntimedManifest {
    tool: String,
    version: String,
    #[serde(flatten)]
    plan: UntimedPlan,
    mutants: u64,
    selected: u64,
}

impl UntimedManifest {
    /// The manifest of a run of `plan` that looks at `selected` of `mutants` mutants.
    pub fn new(plan: &UntimedPlan, mutants: u64, selected: u64) -> Self {
        Self {
            tool: crate::TOOL.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            plan: plan.clone(),
            mutants,
            selected,
        }
    }

    /// The plan that was run.
    pub fn plan(&self) -> &UntimedPlan {
        &self.plan
    }

    /// How many mutants the system has.
    pub fn mutants(&self) -> u64 {
        self.mutants
    }
}

impl RunManifest for UntimedManifest {
    const IS_UNTIMED: bool = true;

    fn comparable(&self) -> Self {
        let mut manifest = self.clone();
        manifest.plan.model.file.clear();
        manifest
    }

    fn shard(&self) -> Option<Shard> {
        self.plan.shard
    }

    fn of_all(&self, selected: u64) -> Self {
        let mut manifest = self.clone();
        (manifest.plan.shard, manifest.selected) = (None, selected);
        manifest
    }
}
