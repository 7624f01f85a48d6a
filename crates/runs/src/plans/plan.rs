//! The parameters of a run, which are written down before it starts.

use serde::{Deserialize, Serialize};

use crate::plans::manifest::{RunManifest, RunPlan};
use crate::{GuidelineSet, Sample, Selection, Shard};
use tamper_game::Semantics;
use tamper_timed::model::Automaton;
use tamper_timed::mutation::{MutationOptions, Order};

/// The use of the guidelines in place of games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StaticUse {
    /// A violating mutant is only checked for consistency.
    #[default]
    Use,
    /// No game is played at all.
    Only,
    /// Every mutant's game is played, so that each violating mutant tests the guidelines.
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

/// The model of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ModelRef {
    /// The file, as the user named it.
    pub file: String,
    /// The template.
    pub template: String,
    /// BLAKE3 of the file's bytes, in hexadecimal.
    pub hash: String,
}

/// The parameters of a run: everything that its records depend on. A manifest lists them in this order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The model.
    pub model: ModelRef,
    /// Whether inputs that no edge accepts are ignored.
    pub input_enabled: bool,
    /// Whether refinement compares the atomic propositions of locations.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sees_propositions: bool,
    /// The order of the mutants.
    pub order: Order,
    /// The options of the operators.
    #[serde(flatten)]
    pub mutation: MutationOptions,
    /// The semantics of refinement.
    #[serde(flatten)]
    pub semantics: Semantics,
    /// Whether the guidelines replace games.
    #[serde(rename = "static")]
    pub statics: StaticUse,
    /// The set of guidelines.
    pub guidelines: GuidelineSet,
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
    /// Whether records show counterexamples.
    pub witness: bool,
}

impl Plan {
    /// The plan of all mutants of order 1 that `mutation` makes of `game`, which the user knows by `file`: the game decides each of
    /// them, in the strict reading, without limits. The contents of a file are not noted.
    pub fn of(file: &str, game: &Automaton, mutation: MutationOptions) -> Self {
        Self {
            model: ModelRef {
                file: file.to_owned(),
                template: game.name().to_owned(),
                hash: String::new(),
            },
            input_enabled: game.is_input_enabled(),
            sees_propositions: game.sees_propositions(),
            order: Order::FIRST,
            mutation,
            semantics: Semantics::STRICT,
            statics: StaticUse::Off,
            guidelines: GuidelineSet::Published,
            sample: None,
            seed: None,
            only: None,
            shard: None,
            limits: Limits::default(),
            witness: false,
        }
    }

    /// The mutants that the run is about, of all mutants or a sample of them: not its share.
    pub fn asked(&self, drawn: Selection) -> Selection {
        drawn.only(self.only.as_deref())
    }
}

/// The manifest of a run on timed games.
pub type Manifest = RunManifest<Plan>;

impl Manifest {
    /// The model of the run.
    pub fn model(&self) -> &ModelRef {
        &self.plan().model
    }
}

impl RunPlan for Plan {
    const IS_UNTIMED: bool = false;

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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    #[test]
    fn the_scope_of_an_older_run_on_a_network_names_no_version() {
        let old: crate::NetworkScope = serde_json::from_str(r#"{"mutated": ["A"], "scope": "template"}"#).unwrap();
        assert!(!old.is_current() && crate::NetworkScope::default().is_current());
    }

    pub fn plan() -> Plan {
        Plan {
            model: ModelRef {
                file: "model.xml".to_owned(),
                template: "A".to_owned(),
                hash: "00".to_owned(),
            },
            input_enabled: false,
            sees_propositions: false,
            order: Order::FIRST,
            mutation: MutationOptions::default(),
            semantics: Semantics::STRICT,
            statics: StaticUse::Use,
            guidelines: GuidelineSet::Published,
            sample: None,
            seed: None,
            only: None,
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
        (plan.sample, plan.seed) = (Some(Sample::Percent(2.5)), Some(0));
        let manifest = Manifest::new(&plan, 121, 3);
        let text = serde_json::to_string(&manifest).unwrap();
        assert_eq!(serde_json::from_str::<Manifest>(&text).unwrap(), manifest);
        assert_eq!(*manifest.plan(), plan);
    }
}
