//! The parameters of a run on mutants of an untimed system, which are written down before it starts.

use serde::{Deserialize, Serialize};

use tamper_machines::FaultKind;
use tamper_runs::{Limits, RunManifest, RunPlan, Sample, Selection, Shard};
use tamper_systems::SystemOperator;
use tamper_systems::actions::ActionOperator;
use tamper_systems::formats::smv::SmvNames;
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
    /// The inputs and outputs that the user named.
    #[serde(default, skip_serializing_if = "has_no_names")]
    pub names: SmvNames,
    /// Number of mutations of a mutant; 1 for a state machine, which has mutants of all orders.
    #[serde(default, skip_serializing_if = "is_first")]
    pub order: Order,
    /// Whether a state without a step for an input stays unchanged.
    pub complete: bool,
    /// The sample; `None` for all mutants.
    pub sample: Option<Sample>,
    /// Seed of the sample, if there is one.
    pub seed: Option<u64>,
    /// The numbers of the mutants that are asked about, ascending, if they are those at places that changed; `None` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<Vec<u64>>,
    /// The share of these mutants that is decided; `None` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Limits of one decision.
    pub limits: Limits,
    /// Whether records contain the killing word or trace.
    pub witness: bool,
}

/// Whether the file names inputs and outputs itself.
fn has_no_names(names: &SmvNames) -> bool {
    *names == SmvNames::default()
}

/// Whether the order is the first, which manifests omit, as they did before there were others.
fn is_first(order: &Order) -> bool {
    *order == Order::FIRST
}

impl UntimedPlan {
    /// The mutants to decide, of `total` mutants.
    pub fn selection(&self, total: u64) -> Selection {
        let drawn = Selection::of_each(total, self.sample, self.seed.unwrap_or_default());
        drawn.only(self.only.as_deref()).share(self.shard)
    }
}

/// The manifest of a run on mutants of an untimed system.
pub type UntimedManifest = RunManifest<UntimedPlan>;

impl RunPlan for UntimedPlan {
    const IS_UNTIMED: bool = true;

    fn file_mut(&mut self) -> &mut String {
        &mut self.model.file
    }
    fn shard_mut(&mut self) -> &mut Option<Shard> {
        &mut self.shard
    }
    fn shard(&self) -> Option<Shard> {
        self.shard
    }
}
