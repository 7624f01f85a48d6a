//! What a run does, as it is written down before it starts.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::Result;
use super::manifest::{RunManifest, entries_that_differ, read_manifest};
use super::{Engine, GuidelineSet, Sample, Shard, Since};
use crate::formats::NetworkScope;
use crate::game::{Semantics, Unmatched};
use crate::mutation::{MutationOptions, Operator, Order, TadGuard};

/// Whether the guidelines replace games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StaticUse {
    /// A violating mutant is only checked for consistency.
    #[default]
    Use,
    /// No game is played at all.
    Only,
    /// Every mutant's game is played, so that each violating one re-checks the guidelines.
    Off,
}

/// Limits of one decision.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// Symbolic states.
    pub max_states: Option<u64>,
    /// Bytes of zones held at once.
    pub max_memory: Option<u64>,
}

/// The model a run is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ModelRef {
    /// The file, as the user named it.
    pub file: String,
    /// The template.
    pub template: String,
    /// BLAKE3 of the file's bytes, in hexadecimal.
    pub hash: String,
}

/// The parameters of a run: everything that its records depend on.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The model.
    pub model: ModelRef,
    /// Whether inputs no edge accepts are ignored.
    pub input_enabled: bool,
    /// The order of the mutants.
    pub order: Order,
    /// What the operators may do.
    pub mutation: MutationOptions,
    /// The refinement that is meant.
    pub semantics: Semantics,
    /// Whether the guidelines replace games.
    pub statics: StaticUse,
    /// Which guidelines.
    pub guidelines: GuidelineSet,
    /// The sample, if not all mutants are looked at.
    pub sample: Option<Sample>,
    /// What the sample is drawn by.
    pub seed: u64,
    /// The share of these mutants that is looked at, if not all are.
    pub shard: Option<Shard>,
    /// Limits of one decision.
    pub limits: Limits,
    /// Whether records show counterexamples.
    pub witness: bool,
}

/// `manifest.json`: a run's parameters, the version that ran it, and its size.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    tool: String,
    version: String,
    model: ModelRef,
    input_enabled: bool,
    order: u8,
    operators: Vec<String>,
    step: i64,
    tad_guard: String,
    cxs_to_zero: bool,
    conjuncts: bool,
    unmatched: String,
    prune: bool,
    #[serde(rename = "static")]
    statics: StaticUse,
    guidelines: GuidelineSet,
    sample: Option<Sample>,
    seed: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shard: Option<Shard>,
    limits: Limits,
    witness: bool,
    /// The engine, where limits chose another one than was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    engine: Option<Engine>,
    /// What of the run is written, where it is an export.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    export: Option<ExportRef>,
    /// What is mutated, where it is a network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    network: Option<NetworkScope>,
    /// BLAKE3 of the counterexamples of an earlier run that were tried first, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    since: Option<String>,
    mutants: u64,
    selected: u64,
}

/// What an export writes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExportRef {
    /// The format.
    #[serde(rename = "as")]
    pub format: String,
    /// Which mutants: the condition as it was typed.
    pub keep: String,
}

impl Manifest {
    /// The manifest of a run of `plan` that looks at `selected` of `mutants` mutants.
    pub fn new(plan: &Plan, mutants: u64, selected: u64) -> Self {
        let used = |operator: &Operator| plan.mutation.operators.contains(operator);
        Self {
            tool: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            model: plan.model.clone(),
            input_enabled: plan.input_enabled,
            order: plan.order.number(),
            operators: Operator::ALL
                .iter()
                .filter(|op| used(op))
                .map(Operator::to_string)
                .collect(),
            step: plan.mutation.step,
            tad_guard: match plan.mutation.tad_guard {
                TadGuard::FirstEdge => "first-edge".to_owned(),
                TadGuard::None => "none".to_owned(),
            },
            cxs_to_zero: plan.mutation.cxs_to_zero,
            conjuncts: plan.mutation.conjuncts,
            unmatched: match plan.semantics.unmatched {
                Unmatched::Reject => "reject".to_owned(),
                Unmatched::Ignore => "ignore".to_owned(),
            },
            prune: plan.semantics.prune,
            statics: plan.statics,
            guidelines: plan.guidelines,
            sample: plan.sample,
            seed: plan.sample.map(|_| plan.seed),
            shard: plan.shard,
            limits: plan.limits,
            witness: plan.witness,
            engine: None,
            export: None,
            network: None,
            since: None,
            mutants,
            selected,
        }
    }

    /// The same of a run whose limits chose `engine`.
    #[must_use]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.engine = Some(engine);
        self
    }

    /// The same of a run that tries the counterexamples of an earlier one first.
    #[must_use]
    pub fn with_since(mut self, since: &Since) -> Self {
        self.since = Some(since.hash().to_owned());
        self
    }

    /// The same of an export of the run.
    #[must_use]
    pub fn with_export(mut self, export: ExportRef) -> Self {
        self.export = Some(export);
        self
    }

    /// What the export writes, if it is one.
    pub fn export(&self) -> Option<&ExportRef> {
        self.export.as_ref()
    }

    /// The same of a run on mutants of a network.
    #[must_use]
    pub fn with_network(mut self, network: NetworkScope) -> Self {
        self.network = Some(network);
        self
    }

    /// What of a network is mutated, if the run is on mutants of one.
    pub fn network(&self) -> Option<&NetworkScope> {
        self.network.as_ref()
    }

    /// The model that the run is about.
    pub fn model(&self) -> &ModelRef {
        &self.model
    }

    /// Whether the run is on mutants of a network.
    pub fn is_of_network(&self) -> bool {
        self.network.is_some()
    }

    /// The manifest of the run in `folder`.
    ///
    /// # Errors
    /// When there is none, or it is not of this version.
    pub fn read(folder: &Path) -> Result<Self> {
        read_manifest(folder)
    }
    /// The plan that was run; none if an entry has a value that this version does not know.
    pub fn plan(&self) -> Option<Plan> {
        let operators = self.operators.iter().map(|name| name.parse().ok());
        Some(Plan {
            model: self.model.clone(),
            input_enabled: self.input_enabled,
            order: Order::new(self.order)?,
            mutation: MutationOptions {
                operators: operators.collect::<Option<_>>()?,
                step: self.step,
                tad_guard: match self.tad_guard.as_str() {
                    "first-edge" => TadGuard::FirstEdge,
                    "none" => TadGuard::None,
                    _ => return None,
                },
                cxs_to_zero: self.cxs_to_zero,
                conjuncts: self.conjuncts,
            },
            semantics: Semantics {
                unmatched: match self.unmatched.as_str() {
                    "reject" => Unmatched::Reject,
                    "ignore" => Unmatched::Ignore,
                    _ => return None,
                },
                prune: self.prune,
            },
            statics: self.statics,
            guidelines: self.guidelines,
            sample: self.sample,
            seed: self.seed.unwrap_or_default(),
            shard: self.shard,
            limits: self.limits,
            witness: self.witness,
        })
    }
    /// How many mutants the run looks at.
    pub fn selected(&self) -> u64 {
        self.selected
    }

    /// The names of the entries in which a run of `other` would give other records. Where the file lies does not
    /// matter, only what it holds, nor does the engine.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let comparable = |manifest: &Self| {
            let mut manifest = manifest.clone();
            manifest.model.file.clear();
            manifest.engine = None;
            manifest
        };
        entries_that_differ(&comparable(self), &comparable(other))
    }

    /// The share of a run that it is about, if it is about one.
    pub fn shard(&self) -> Option<Shard> {
        self.shard
    }

    /// The manifest of the run of which this is a share; `selected` are the mutants of all shares.
    #[must_use]
    pub fn of_all(&self, selected: u64) -> Self {
        Self {
            shard: None,
            selected,
            ..self.clone()
        }
    }
}

impl RunManifest for Manifest {
    const IS_UNTIMED: bool = false;

    fn differences(&self, other: &Self) -> Vec<String> {
        Self::differences(self, other)
    }

    fn shard(&self) -> Option<Shard> {
        Self::shard(self)
    }

    fn of_all(&self, selected: u64) -> Self {
        Self::of_all(self, selected)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    #[test]
    fn the_scope_of_an_older_run_on_a_network_names_no_version() {
        let old: NetworkScope = serde_json::from_str(r#"{"mutated": ["A"], "scope": "template"}"#).unwrap();
        assert!(!old.is_current() && NetworkScope::default().is_current());
    }

    pub fn plan() -> Plan {
        Plan {
            model: ModelRef {
                file: "model.xml".to_owned(),
                template: "A".to_owned(),
                hash: "00".to_owned(),
            },
            input_enabled: false,
            order: Order::FIRST,
            mutation: MutationOptions::default(),
            semantics: Semantics::STRICT,
            statics: StaticUse::Use,
            guidelines: GuidelineSet::Published,
            sample: None,
            seed: 0,
            shard: None,
            limits: Limits::default(),
            witness: false,
        }
    }

    #[test]
    fn a_moved_file_is_the_same_run_and_another_semantics_is_not() {
        let manifest = |plan: &Plan| Manifest::new(plan, 121, 121);
        let mut other = plan();
        other.model.file = "elsewhere.xml".to_owned();
        assert_eq!(manifest(&plan()).differences(&manifest(&other)), [""; 0]);
        other.semantics = Semantics::TIGA;
        other.order = Order::SECOND;
        assert_eq!(manifest(&plan()).differences(&manifest(&other)), ["order", "unmatched"]);
    }

    #[test]
    fn a_manifest_reads_back() {
        let mut plan = plan();
        plan.sample = Some(Sample::Percent(2.5));
        let manifest = Manifest::new(&plan, 121, 3);
        let text = serde_json::to_string(&manifest).unwrap();
        assert_eq!(serde_json::from_str::<Manifest>(&text).unwrap(), manifest);
        assert_eq!(manifest.plan(), Some(plan));
    }
}
