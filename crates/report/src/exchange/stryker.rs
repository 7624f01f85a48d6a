//! A scored suite as a mutation testing report of Stryker (`mutation-testing-report-schema`, version 2): mutants at their place in the
//! model's file, with the tests that kill them.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use crate::exchange::scored_report::{Lines, MutantStatus, ScoredMutant, ScoredReport, SourceRange};
use tamper_suite::TestCase;
use tamper_text::Span;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MutantResult<'a> {
    id: &'a str,
    mutator_name: &'static str,
    description: String,
    replacement: &'a str,
    location: SourceRange,
    status: MutantStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_reason: Option<&'a str>,
    killed_by: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    covered_by: Option<&'a [String]>,
}

/// The report as JSON, ended by a new line.
pub fn write_stryker(report: &ScoredReport<'_>) -> String {
    let source = report.source;
    let lines = Lines::of(source.text());
    let mutants: Vec<Value> = report
        .mutants
        .iter()
        .map(|mutant| json!(result(mutant, &lines)))
        .collect();
    let (suite_name, suite_text) = report.suite;
    let suite_lines = Lines::of(suite_text);
    let tests: Vec<Value> = report.tests.iter().map(|test| definition(test, &suite_lines)).collect();
    let language = match source.text().trim_start().starts_with('<') {
        true => "xml",
        false => "text",
    };
    let file = json!({ "language": language, "source": source.text(), "mutants": mutants });
    let value = json!({
        "schemaVersion": "2.0",
        // A suite that misses a mutant it could kill deserves a look.
        "thresholds": { "high": 100, "low": 80 },
        "framework": { "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") },
        "files": BTreeMap::from([(source.name(), file)]),
        "testFiles": BTreeMap::from([(suite_name, json!({ "source": suite_text, "tests": tests }))]),
    });
    format!("{value:#}\n")
}

fn result<'a>(mutant: &'a ScoredMutant, lines: &Lines<'_>) -> MutantResult<'a> {
    MutantResult {
        id: &mutant.id,
        mutator_name: mutant.mutation.applied().name(),
        description: mutant.description(),
        replacement: &mutant.replacement.text,
        location: lines.location(mutant.replacement.place),
        status: match mutant.accepted {
            Some(_) => MutantStatus::Ignored,
            None => mutant.status,
        },
        status_reason: mutant.accepted.as_ref().or(mutant.reason.as_ref()).map(String::as_str),
        killed_by: &mutant.killed_by,
        covered_by: mutant.covered_by.as_deref(),
    }
}

fn definition(test: &TestCase, suite: &Lines<'_>) -> Value {
    let name = format!("{} ({}, {} steps)", test.id, test.style.name(), test.n_steps());
    let mut value = json!({ "id": test.id, "name": name });
    // The text of the id as tamper's own writer puts it into the suite's file.
    let id = format!("\"id\": {}", json!(test.id));
    if let Some(at) = suite.text.find(&id) {
        value["location"] = json!({ "start": suite.position(Span::new(at, at).start) });
    }
    value
}
