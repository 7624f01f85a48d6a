//! Reader of suites in JSON.

use std::collections::BTreeMap;

use super::data::{FORMAT, Pruning, RawNode, RawRule, RawSuite, RawTest, Suite, VERSION, constraint_of};
use tamper_suite::{
    Act, Condition, Dangling, Expected, Jump, Kill, Next, Node, Refusals, Resets, Rule, Style, TestCase, TestVerdict,
};

/// The reason why a file is no suite.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SuiteFileError {
    /// It is not JSON of the right shape; the error has line and column.
    #[error("not a suite: {0}")]
    Json(serde_json::Error),
    /// It has another format or version.
    #[error("`{format}` version {version} is not read here: this is for `{FORMAT}` version {VERSION}")]
    Version {
        /// The format that the file names.
        format: String,
        /// The version.
        version: u32,
    },
    /// The meaning of refused inputs has no known name.
    #[error("refusals: {0}")]
    Refusals(String),
    /// The level of pruning has no known name.
    #[error("pruning: {0}")]
    Pruning(String),
    /// A part of a test has no meaning.
    #[error("test {test}{}: {problem}", node.map_or_else(String::new, |node| format!(", node {node}")))]
    Part {
        /// The test.
        test: String,
        /// The node; `None` if the error concerns the whole test.
        node: Option<usize>,
        /// The error, with the offending text.
        problem: String,
    },
    /// A test refers to a node or clock that it does not have.
    #[error("{0}")]
    Dangling(Dangling),
    /// Two tests have the same id.
    #[error("two tests have the id {0}")]
    Duplicate(String),
}

/// Reads the suite in `text`.
///
/// # Errors
/// The first error found.
pub fn read_suite(text: &str) -> Result<Suite, SuiteFileError> {
    let raw: RawSuite = serde_json::from_str(text).map_err(SuiteFileError::Json)?;
    if raw.format != FORMAT || raw.version != VERSION {
        return Err(SuiteFileError::Version {
            format: raw.format,
            version: raw.version,
        });
    }
    let tests: Vec<TestCase> = raw.tests.iter().map(test_of).collect::<Result<_, _>>()?;
    let mut ids: Vec<&str> = tests.iter().map(|test| test.id.as_str()).collect();
    ids.sort_unstable();
    if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(SuiteFileError::Duplicate(pair[0].to_owned()));
    }
    let refusals = raw.refusals.as_deref().map_or(Ok(Refusals::default()), |text| {
        named(&Refusals::ALL, Refusals::name, text).map_err(SuiteFileError::Refusals)
    });
    let pruning = raw.pruning.as_deref().map_or(Ok(Pruning::default()), |text| {
        named(&Pruning::ALL, Pruning::name, text).map_err(SuiteFileError::Pruning)
    });
    Ok(Suite {
        specification: raw.specification,
        refusals: refusals?,
        pruning: pruning?,
        tests,
        mutants: raw.mutants,
    })
}

fn test_of(raw: &RawTest) -> Result<TestCase, SuiteFileError> {
    let part = |node, problem| SuiteFileError::Part {
        test: raw.id.clone(),
        node,
        problem,
    };
    // Earlier versions had this style for tests of one trace without times.
    let style = if raw.style == "linear" { "adaptive" } else { &raw.style };
    let style = named(&Style::ALL, Style::name, style).map_err(|problem| part(None, problem))?;
    let kill = named(&Kill::ALL, Kill::name, &raw.kill).map_err(|problem| part(None, problem))?;
    let clocks = &raw.clocks;
    let nodes = raw.nodes.iter().enumerate();
    let nodes = nodes.map(|(at, node)| node_of(node, clocks).map_err(|problem| part(Some(at), problem)));
    let test = TestCase {
        id: raw.id.clone(),
        style,
        kill,
        targets: raw.targets.clone(),
        clocks: clocks.clone(),
        nodes: nodes.collect::<Result<_, _>>()?,
    };
    test.check().map_err(SuiteFileError::Dangling)?;
    Ok(test)
}

fn named<T: Copy>(all: &[T], name: fn(T) -> &'static str, text: &str) -> Result<T, String> {
    let found = all.iter().find(|one| name(**one) == text).copied();
    found.ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|one| name(*one)).collect();
        format!("`{text}` is none of {}", names.join(", "))
    })
}

fn verdict_of(text: &str) -> Result<TestVerdict, String> {
    named(&TestVerdict::ALL, TestVerdict::name, text)
}

fn node_of(raw: &RawNode, clocks: &[String]) -> Result<Node, String> {
    let expected = |raw: &super::data::RawExpected| {
        if !(raw.output.ends_with('!') || raw.output == "tau") {
            return Err(format!(
                "`{}` is no output: one is written `name!`, or `tau`",
                raw.output
            ));
        }
        let jump = jump_of(&raw.when, &raw.reset, raw.next, raw.verdict.as_deref(), clocks)?;
        let action = raw.output.clone();
        Ok(Expected { action, jump })
    };
    Ok(Node {
        rules: raw
            .rules
            .iter()
            .map(|rule| rule_of(rule, clocks))
            .collect::<Result<_, _>>()?,
        outputs: raw.outputs.iter().map(expected).collect::<Result<_, _>>()?,
        otherwise: verdict_of(&raw.otherwise)?,
    })
}

fn rule_of(raw: &RawRule, clocks: &[String]) -> Result<Rule, String> {
    let act = match (&raw.input, &raw.verdict) {
        (Some(action), None) if action.ends_with('?') => {
            let then = raw.then.iter();
            let then = then.map(|jump| jump_of(&jump.when, &jump.reset, jump.next, jump.verdict.as_deref(), clocks));
            Act::Input {
                action: action.clone(),
                then: then.collect::<Result<_, _>>()?,
            }
        }
        (Some(action), None) => return Err(format!("`{action}` is no input: one is written `name?`")),
        (None, Some(verdict)) => Act::Stop(verdict_of(verdict)?),
        _ => return Err("a rule has either an input or a verdict".to_owned()),
    };
    Ok(Rule {
        from: condition_of(&raw.from, clocks)?,
        when: condition_of(&raw.when, clocks)?,
        act,
    })
}

fn jump_of(
    when: &[String],
    reset: &BTreeMap<String, i64>,
    next: Option<usize>,
    verdict: Option<&str>,
    clocks: &[String],
) -> Result<Jump, String> {
    let next = match (next, verdict) {
        (Some(next), None) => Next::Node(next),
        (None, Some(verdict)) => Next::Verdict(verdict_of(verdict)?),
        _ => return Err("a step leads either to a node (`next`) or to a `verdict`".to_owned()),
    };
    Ok(Jump {
        when: condition_of(when, clocks)?,
        resets: resets_of(reset, clocks)?,
        next,
    })
}

fn resets_of(reset: &BTreeMap<String, i64>, clocks: &[String]) -> Result<Resets, String> {
    let one = |(name, value): (&String, &i64)| {
        let clock = clocks.iter().position(|clock| clock == name);
        let clock = clock.ok_or_else(|| format!("the test has no clock `{name}`"))?;
        if *value < 0 {
            return Err(format!("the clock `{name}` is set to {value}, which is negative"));
        }
        Ok((clock, *value))
    };
    reset.iter().map(one).collect()
}

fn condition_of(texts: &[String], clocks: &[String]) -> Result<Condition, String> {
    texts.iter().map(|text| constraint_of(text, clocks)).collect()
}
