//! The parameters of a run on mutants of an untimed system, which are written down before it starts.

use serde::{Deserialize, Serialize};

use tamper_machines::FaultKind;
use tamper_runs::{Limits, RunManifest, Sample, Selection, Shard, TOOL};
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

/// The system of a run.
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
    /// Number of mutations of a mutant; 1 for a state machine, which has mutants of all orders.
    #[serde(default, skip_serializing_if = "is_first")]
    pub order: Order,
    /// Whether a state without a step for an input stays unchanged.
    pub complete: bool,
    /// The sample; `None` for all mutants.
    pub sample: Option<Sample>,
    /// Seed of the sample, if there is one.
    pub seed: Option<u64>,
    /// The share of these mutants that is decided; `None` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Limits of one decision.
    pub limits: Limits,
    /// Whether records contain the killing word or trace.
    pub witness: bool,
}

/// Whether the order is the first, which manifests omit, as they did before there were others.
fn is_first(order: &Order) -> bool {
    *order == Order::FIRST
}

impl UntimedPlan {
    /// The mutants to decide, of `total` mutants.
    pub fn selection(&self, total: u64) -> Selection {
        Selection::of_each(total, self.sample, self.seed.unwrap_or_default()).share(self.shard)
    }
}

/// `manifest.json` of a run on mutants of an untimed system.
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
    /// The manifest of a run of `plan` that decides `selected` of `mutants` mutants.
    pub fn new(plan: &UntimedPlan, mutants: u64, selected: u64) -> Self {
        Self {
            tool: TOOL.to_owned(),
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

    /// Number of mutants of the system.
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
