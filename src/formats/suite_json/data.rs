//! What a suite's file holds, and its shape as JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::formats::NetworkScope;
use crate::suite::{Refusals, TestCase};
use crate::systems::formats::suite::SuiteMutant;

/// The name of the format.
pub(in crate::formats) const FORMAT: &str = "tamper-suite";
/// Its version: raised when a reader of the old one would misunderstand the new one.
pub(super) const VERSION: u32 = 1;

/// The game that a suite tests.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteSpecification {
    /// The file it was read from.
    pub file: String,
    /// Its template.
    pub template: String,
    /// BLAKE3 of the file's bytes (of a network: and of how it is looked at), in hexadecimal.
    pub hash: String,
    /// How the file is looked at, where it is a network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkScope>,
}

/// A suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suite {
    /// What it tests.
    pub specification: SuiteSpecification,
    /// What a refused input means to its tests.
    pub refusals: Refusals,
    /// Its tests.
    pub tests: Vec<TestCase>,
    /// The mutants it was made for, in order; may be empty.
    pub mutants: Vec<SuiteMutant>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSuite {
    pub format: String,
    pub version: u32,
    pub specification: SuiteSpecification,
    /// None: as in files that were written before there was a choice.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub refusals: Option<String>,
    pub tests: Vec<RawTest>,
    #[serde(default)]
    pub mutants: Vec<SuiteMutant>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTest {
    pub id: String,
    pub style: String,
    pub kill: String,
    pub targets: Vec<String>,
    pub clocks: Vec<String>,
    pub nodes: Vec<RawNode>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawNode {
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub rules: Vec<RawRule>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub outputs: Vec<RawExpected>,
    pub otherwise: String,
}

/// Either `input` and `then`, or `verdict`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRule {
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub from: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub when: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub then: Vec<RawJump>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verdict: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawExpected {
    pub output: String,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub when: Vec<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub reset: BTreeMap<String, i64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub next: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verdict: Option<String>,
}

/// Either `next` or `verdict`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawJump {
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub when: Vec<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub reset: BTreeMap<String, i64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub next: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verdict: Option<String>,
}
