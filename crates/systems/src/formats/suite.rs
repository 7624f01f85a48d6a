//! Suites of tests for untimed systems, as JSON (`docs/book/src/untimed.md`).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::KillStrength;
use crate::testing::{SystemTest, TestAnswer, TestGraph, TestNode, Then, Unsound};

/// The name of the format.
pub const FORMAT: &str = "tamper-system-suite";
/// The version of the format: raised when a reader of the old one would misunderstand the new one.
const VERSION: u32 = 1;

/// The system that a suite tests.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestedSystem {
    /// The file it was read from.
    pub file: String,
    /// BLAKE3 of the file's bytes, in hexadecimal.
    pub hash: String,
    /// Whether states without a step for an input stay unchanged (`--unspecified fill`).
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub complete: bool,
}

/// A mutant of a suite, and the verdict on it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteMutant {
    /// Its id.
    pub id: String,
    /// `blind`, `definite`, `potential`, `none`, `unknown` or `invalid`; of an untimed system also `untestable` or `refused`.
    pub killable: String,
    /// The test that was made for it, or kills it, if there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub test: Option<String>,
    /// Why there is no test, or why it is not known how surely it can be killed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

/// A suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemSuite {
    /// The tested system.
    pub specification: TestedSystem,
    /// Its tests.
    pub tests: Vec<SystemTest>,
    /// The mutants it was made for, in order; may be empty.
    pub mutants: Vec<SuiteMutant>,
}

impl SystemSuite {
    /// This suite with the tests of `others`, each test named `name:id` after the name beside its suite (\[004\]
    /// section 6.2: the tests made from one model judged by the mutants of another). The mutants and their verdicts are
    /// not changed.
    ///
    /// # Errors
    /// Two tests would have the same id.
    pub fn with(mut self, others: &[(String, &Self)]) -> Result<Self, SystemSuiteError> {
        for (name, other) in others {
            self.specification.complete |= other.specification.complete;
            for test in &other.tests {
                let id = format!("{name}:{}", test.id);
                if self.tests.iter().any(|own| own.id == id) {
                    return Err(SystemSuiteError::Duplicate(id));
                }
                self.tests.push(SystemTest { id, ..test.clone() });
            }
        }
        Ok(self)
    }
}

/// The reason why a file is not a suite.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SystemSuiteError {
    /// The text is not JSON of the right shape; the error has line and column.
    #[error("not a suite: {0}")]
    Json(serde_json::Error),
    /// The suite has another format or version.
    #[error("`{format}` version {version} is not read here: this is for `{FORMAT}` version {VERSION}")]
    Version {
        /// The format it claims to be.
        format: String,
        /// The version.
        version: u32,
    },
    /// A test is malformed.
    #[error("test {test}: {problem}")]
    Test {
        /// The test.
        test: String,
        /// The fault of the test.
        problem: Unsound,
    },
    /// A name in a test has no meaning.
    #[error("test {test}: `{word}` has no meaning there")]
    Word {
        /// The test.
        test: String,
        /// The text.
        word: String,
    },
    /// Two tests have the same id.
    #[error("two tests have the id {0}")]
    Duplicate(String),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSuite {
    format: String,
    version: u32,
    specification: TestedSystem,
    tests: Vec<RawTest>,
    #[serde(default)]
    mutants: Vec<SuiteMutant>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTest {
    id: String,
    kill: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    relation: Option<String>,
    #[serde(default)]
    targets: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    starts: Vec<RawAnswer>,
    nodes: Vec<RawNode>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawNode {
    give: String,
    answers: Vec<RawAnswer>,
}

/// Either `next` or `verdict`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAnswer {
    seen: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    next: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    verdict: Option<String>,
}

/// Reads the suite in `text`.
///
/// # Errors
/// The first error in it.
pub fn read_system_suite(text: &str) -> Result<SystemSuite, SystemSuiteError> {
    let raw: RawSuite = serde_json::from_str(text).map_err(SystemSuiteError::Json)?;
    if raw.format != FORMAT || raw.version != VERSION {
        let (format, version) = (raw.format, raw.version);
        return Err(SystemSuiteError::Version { format, version });
    }
    let tests: Vec<SystemTest> = raw.tests.into_iter().map(test_of).collect::<Result<_, _>>()?;
    let mut ids = BTreeSet::new();
    if let Some(test) = tests.iter().find(|test| !ids.insert(&test.id)) {
        return Err(SystemSuiteError::Duplicate(test.id.clone()));
    }
    Ok(SystemSuite {
        specification: raw.specification,
        tests,
        mutants: raw.mutants,
    })
}

fn test_of(raw: RawTest) -> Result<SystemTest, SystemSuiteError> {
    let word = |word: &str| SystemSuiteError::Word {
        test: raw.id.clone(),
        word: word.to_owned(),
    };
    let kills = [KillStrength::Potential, KillStrength::Definite, KillStrength::Blind];
    let kill = kills.into_iter().find(|kill| kill.name() == raw.kill);
    let kill = kill.ok_or_else(|| word(&raw.kill))?;
    let relation = raw.relation.as_deref();
    if let Some(other) = relation.filter(|relation| !["event", "ioco"].contains(relation)) {
        return Err(word(other));
    }
    let answer = |answer: &RawAnswer| {
        let then = match (answer.next, answer.verdict.as_deref()) {
            (Some(next), None) => Then::Node(next),
            (None, Some("pass")) => Then::Pass,
            (None, Some("inconclusive")) => Then::Inconclusive,
            (_, verdict) => return Err(word(verdict.unwrap_or(&answer.seen))),
        };
        let seen = answer.seen.clone();
        Ok(TestAnswer { seen, then })
    };
    let node = |node: &RawNode| {
        let answers: Result<Vec<TestAnswer>, SystemSuiteError> = node.answers.iter().map(answer).collect();
        let give = node.give.clone();
        Ok(TestNode {
            give,
            answers: answers?,
        })
    };
    let nodes: Result<Vec<TestNode>, SystemSuiteError> = raw.nodes.iter().map(node).collect();
    let starts: Result<Vec<TestAnswer>, SystemSuiteError> = raw.starts.iter().map(answer).collect();
    let (starts, nodes) = (starts?, nodes?);
    let test = SystemTest {
        id: raw.id,
        kill,
        relation: raw.relation,
        targets: raw.targets,
        course: TestGraph { starts, nodes },
    };
    match test.check() {
        Ok(()) => Ok(test),
        Err(problem) => Err(SystemSuiteError::Test { test: test.id, problem }),
    }
}

/// The suite as JSON with a final newline.
///
/// # Panics
/// Never: plain data has a JSON form.
pub fn write_system_suite(suite: &SystemSuite) -> String {
    let raw = RawSuite {
        format: FORMAT.to_owned(),
        version: VERSION,
        specification: suite.specification.clone(),
        tests: suite.tests.iter().map(raw_test).collect(),
        mutants: suite.mutants.clone(),
    };
    serde_json::to_string_pretty(&raw).expect("plain data has a JSON form") + "\n"
}

fn raw_test(test: &SystemTest) -> RawTest {
    let answer = |answer: &TestAnswer| {
        let (next, verdict) = match answer.then {
            Then::Node(next) => (Some(next), None),
            Then::Pass => (None, Some("pass".to_owned())),
            Then::Inconclusive => (None, Some("inconclusive".to_owned())),
        };
        let seen = answer.seen.clone();
        RawAnswer { seen, next, verdict }
    };
    let node = |node: &TestNode| RawNode {
        give: node.give.clone(),
        answers: node.answers.iter().map(answer).collect(),
    };
    RawTest {
        id: test.id.clone(),
        kill: test.kill.name().to_owned(),
        relation: test.relation.clone(),
        targets: test.targets.clone(),
        starts: test.course.starts.iter().map(answer).collect(),
        nodes: test.course.nodes.iter().map(node).collect(),
    }
}
