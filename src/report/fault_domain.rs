//! What a suite of timed tests kills of all products, as text and JSON.

use std::fmt::Write as _;

use num_bigint::BigUint;
use serde::Serialize;
use serde_json::Value;

use super::coverage::percent;
use crate::suite::{Act, DomainCounts, Next, TestCase};

/// What was found about a suite.
#[derive(Clone, Debug, Default)]
pub struct DomainReport {
    /// `complete`, `incomplete` or `unknown`.
    pub verdict: &'static str,
    /// Why it is unknown.
    pub because: Option<String>,
    /// The mutations of an escaping product, and a test that kills it, also as JSON.
    pub escape: Option<(Vec<String>, TestCase, Value)>,
    /// How many tests were given.
    pub n_given: usize,
    /// How many were added.
    pub n_added: usize,
    /// How many conditions of killed products, and of conforming ones, the answer rests on.
    pub n_conditions: (usize, usize),
    /// How often the solver was asked.
    pub n_questions: u64,
    /// The products the given suite kills, those that conform, all of them.
    pub counts: Option<DomainCounts>,
    /// Why there are none although they were asked for.
    pub no_counts: Option<String>,
}

/// The inputs it gives and the outputs it waits for on its way.
fn path(test: &TestCase) -> String {
    let mut labels = Vec::new();
    for (at, node) in test.nodes.iter().enumerate() {
        let leads_on = |next: &Next| *next == Next::Node(at + 1);
        let given = node.rules.iter().find_map(|rule| match &rule.act {
            Act::Input { action, .. } => Some(action.clone()),
            Act::Stop(_) => None,
        });
        let awaited = node.outputs.iter().find(|expected| leads_on(&expected.jump.next));
        labels.extend(given.or(awaited.map(|expected| expected.action.clone())));
    }
    labels.join(" ")
}

fn undetected(counts: &DomainCounts) -> BigUint {
    &counts.products - &counts.stateless - &counts.killed - &counts.conforming
}

/// As the command shows it.
pub fn domain_text(report: &DomainReport) -> String {
    let mut text = format!("{}\n", report.verdict);
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "{name:12}{value}");
    };
    if let Some(because) = &report.because {
        line("because", because);
    }
    if let Some((mutations, test, _)) = &report.escape {
        line("escapes", &mutations.join(" and "));
        line("killed by", &path(test));
    }
    line(
        "tests",
        &format!("{}, {} added", report.n_given + report.n_added, report.n_added),
    );
    let (killed, conforming) = report.n_conditions;
    line(
        "conditions",
        &format!("{killed} of killed products, {conforming} of conforming ones"),
    );
    if let Some(counts) = &report.counts {
        text.push_str("\nof the suite as it was given\n");
        let killable = &counts.products - &counts.stateless - &counts.conforming;
        let score = match killable == BigUint::ZERO {
            true => "unknown".to_owned(),
            false => percent(&(counts.killed.clone(), killable)),
        };
        for (name, value) in [
            ("products", counts.products.to_string()),
            ("stateless", counts.stateless.to_string()),
            ("killed", counts.killed.to_string()),
            ("conforming", counts.conforming.to_string()),
            ("undetected", undetected(counts).to_string()),
            ("score", score),
        ] {
            let _ = writeln!(text, "{name:12}{value}");
        }
    }
    if let Some(reason) = &report.no_counts {
        let _ = writeln!(text, "not counted, because of the {reason}");
    }
    text
}

#[derive(Serialize)]
struct ReportJson<'a> {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    escape: Option<EscapeJson<'a>>,
    given_tests: usize,
    added_tests: usize,
    killed_conditions: usize,
    conforming_conditions: usize,
    questions: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<CountsJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_counted_because: Option<&'a str>,
}

#[derive(Serialize)]
struct EscapeJson<'a> {
    mutations: &'a [String],
    killed_by: &'a Value,
}

/// Of the suite as it was given; numbers as text, as they can be larger than JSON readers take.
#[derive(Serialize)]
struct CountsJson {
    products: String,
    stateless: String,
    killed: String,
    conforming: String,
    undetected: String,
}

/// As JSON.
///
/// # Errors
/// Never in practice: every part can be written.
pub fn domain_json(report: &DomainReport) -> serde_json::Result<String> {
    serde_json::to_string_pretty(&ReportJson {
        verdict: report.verdict,
        because: report.because.as_deref(),
        escape: report.escape.as_ref().map(|(mutations, _, test)| EscapeJson {
            mutations,
            killed_by: test,
        }),
        given_tests: report.n_given,
        added_tests: report.n_added,
        killed_conditions: report.n_conditions.0,
        conforming_conditions: report.n_conditions.1,
        questions: report.n_questions,
        counts: report.counts.as_ref().map(|counts| CountsJson {
            products: counts.products.to_string(),
            stateless: counts.stateless.to_string(),
            killed: counts.killed.to_string(),
            conforming: counts.conforming.to_string(),
            undetected: undetected(counts).to_string(),
        }),
        not_counted_because: report.no_counts.as_deref(),
    })
}
