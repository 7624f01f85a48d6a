//! The content of a suite's file, and its form in JSON; conditions are texts.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero as _;
use serde::{Deserialize, Serialize};

use crate::NetworkScope;
use tamper_suite::{Constraint, Refusals, TestCase};
use tamper_systems::formats::suite::SuiteMutant;
use tamper_text::LONGEST_NUMBER;
use tamper_timed::model::Cmp;

/// Name of the format.
pub(crate) const FORMAT: &str = "tamper-suite";
/// Version of the format: raised if a reader of the old version would misunderstand the new one.
pub(super) const VERSION: u32 = 1;

/// The game that a suite tests.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteSpecification {
    /// The file that it was read from.
    pub file: String,
    /// Its template.
    pub template: String,
    /// BLAKE3 hash of the file's bytes (for a network: and of its view), in hexadecimal.
    pub hash: String,
    /// The scope and view, if the file is a network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkScope>,
    /// The name of its unit of time, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

tamper_text::named! {
    /// The mutants left out before tests are generated. The mutants that a suite can kill are the same at every level.
    #[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
    pub enum Pruning {
        /// No mutants.
        #[default]
        None = "none",
        /// Mutants named by the guidelines of \[003\], or of operators beyond the six.
        Published = "published",
        /// Also mutants named by the identity check.
        Extended = "extended",
        /// All mutants that refine the specification.
        Exact = "exact",
    }
}

/// A suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suite {
    /// The game that it tests.
    pub specification: SuiteSpecification,
    /// Meaning of refused inputs in its tests.
    pub refusals: Refusals,
    /// The mutants left out before its tests were generated.
    pub pruning: Pruning,
    /// Its tests.
    pub tests: Vec<TestCase>,
    /// Entries of the mutants that it was made for, in order; may be empty.
    pub mutants: Vec<SuiteMutant>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSuite {
    pub format: String,
    pub version: u32,
    pub specification: SuiteSpecification,
    /// `None` in files that were written before there was a choice.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub refusals: Option<String>,
    /// `None` if no mutant was left out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pruning: Option<String>,
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

/// A rule with either `input` and `then`, or `verdict`.
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

/// A jump with either `next` or `verdict`.
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

/// Comparisons in the order of the search: longer symbols before their prefixes.
const SYMBOLS: [Cmp; 5] = [Cmp::Le, Cmp::Ge, Cmp::Eq, Cmp::Lt, Cmp::Gt];

/// The constraint as text.
pub(super) fn text_of(constraint: &Constraint, clocks: &[String]) -> String {
    let left = &clocks[constraint.left];
    let (cmp, bound) = (constraint.cmp.symbol(), &constraint.bound);
    match constraint.right {
        Some(right) => format!("{left} - {} {cmp} {bound}", clocks[right]),
        None => format!("{left} {cmp} {bound}"),
    }
}

/// Parses the constraint `text`; the error explains the problem.
pub(super) fn constraint_of(text: &str, clocks: &[String]) -> Result<Constraint, String> {
    let found = SYMBOLS
        .iter()
        .find_map(|cmp| text.split_once(cmp.symbol()).map(|(left, bound)| (*cmp, left, bound)));
    let Some((cmp, left, bound)) = found else {
        return Err(format!("`{text}` is no condition: it compares nothing"));
    };
    let clock = |name: &str| {
        let name = name.trim();
        let position = clocks.iter().position(|clock| clock == name);
        position.ok_or_else(|| format!("`{text}`: the test has no clock `{name}`"))
    };
    let (left, right) = match left.split_once('-') {
        Some((left, right)) => (clock(left)?, Some(clock(right)?)),
        None => (clock(left)?, None),
    };
    let bound = rational_of(bound.trim()).ok_or_else(|| format!("`{text}`: `{}` is no number", bound.trim()))?;
    Ok(Constraint {
        left,
        right,
        cmp,
        bound,
    })
}

/// Parses an integer or a fraction of two, of at most [`LONGEST_NUMBER`] characters.
pub(super) fn rational_of(text: &str) -> Option<BigRational> {
    if text.len() > LONGEST_NUMBER {
        return None;
    }
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let numerator: BigInt = numerator.trim().parse().ok()?;
    let denominator: BigInt = denominator.trim().parse().ok()?;
    (!denominator.is_zero()).then(|| BigRational::new(numerator, denominator))
}
