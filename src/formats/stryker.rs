//! A scored suite as a mutation testing report of Stryker (`mutation-testing-report-schema`, version 2): mutants at
//! their place in the model's XML, and which tests kill them.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::uppaal::{Document, Replacement, WriteError, replacements};
use crate::mutation::{Mutation, Operator};
use crate::suite::TestCase;
use crate::text::Span;

/// What a report is about.
#[derive(Clone, Copy, Debug)]
pub struct StrykerReport<'a> {
    /// The file of the model, which is XML.
    pub document: &'a Document,
    /// The game in it.
    pub index: usize,
    /// The name and the text of the suite's file.
    pub suite: (&'a str, &'a str),
    /// The suite.
    pub tests: &'a [TestCase],
    /// The mutants.
    pub mutants: &'a [StrykerMutant],
}

/// A mutant of one mutation, and what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrykerMutant {
    /// Its id.
    pub id: String,
    /// What it changes.
    pub mutation: Mutation,
    /// What became of it.
    pub status: StrykerStatus,
    /// Why.
    pub reason: Option<String>,
    /// The ids of the tests that kill it.
    pub killed_by: Vec<String>,
    /// The ids of the tests that come to its place.
    pub covered_by: Vec<String>,
}

/// The words that the schema has for that, as far as they fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum StrykerStatus {
    /// A test kills it.
    Killed,
    /// Tests come to its place and none kills it.
    Survived,
    /// No test comes to its place.
    NoCoverage,
    /// It is no game.
    CompileError,
    /// No test can kill it.
    Ignored,
    /// Not known.
    Pending,
}

#[derive(Serialize)]
struct Position {
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Location {
    start: Position,
    end: Position,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MutantResult<'a> {
    id: &'a str,
    mutator_name: &'static str,
    description: String,
    replacement: &'a str,
    location: Location,
    status: StrykerStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_reason: Option<&'a str>,
    killed_by: &'a [String],
    covered_by: &'a [String],
}

/// The report as JSON, ended by a new line.
///
/// # Errors
/// The model's file has something whose place is not known.
///
/// # Panics
/// If there is no such game, or a mutation was made for another one.
pub fn write_stryker(report: &StrykerReport<'_>) -> Result<String, WriteError> {
    let source = report.document.source();
    let mutations: Vec<Mutation> = report.mutants.iter().map(|mutant| mutant.mutation).collect();
    let replacements = replacements(report.document, report.index, &mutations)?;
    let lines = Lines::of(source.text());
    let mutants: Vec<Value> = report
        .mutants
        .iter()
        .zip(&replacements)
        .map(|(mutant, replacement)| json!(result(mutant, replacement, &lines)))
        .collect();
    let (suite_name, suite_text) = report.suite;
    let suite_lines = Lines::of(suite_text);
    let tests: Vec<Value> = report.tests.iter().map(|test| definition(test, &suite_lines)).collect();
    let file = json!({ "language": "xml", "source": source.text(), "mutants": mutants });
    let value = json!({
        "schemaVersion": "2.0",
        // A suite that misses a mutant it could kill deserves a look.
        "thresholds": { "high": 100, "low": 80 },
        "framework": { "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") },
        "files": BTreeMap::from([(source.name(), file)]),
        "testFiles": BTreeMap::from([(suite_name, json!({ "source": suite_text, "tests": tests }))]),
    });
    Ok(format!("{value:#}\n"))
}

fn result<'a>(mutant: &'a StrykerMutant, replacement: &'a Replacement, lines: &Lines<'_>) -> MutantResult<'a> {
    let operator = mutant.mutation.operator();
    let beside = match operator {
        Operator::Smi => "; its edges go with it",
        Operator::Tad => "; its action is a new channel",
        _ => "",
    };
    let Span { start, end } = replacement.place;
    MutantResult {
        id: &mutant.id,
        mutator_name: operator.name(),
        description: format!("{}: {}{beside}", mutant.id, operator.summary()),
        replacement: &replacement.text,
        location: Location {
            start: lines.position(start),
            end: lines.position(end),
        },
        status: mutant.status,
        status_reason: mutant.reason.as_deref(),
        killed_by: &mutant.killed_by,
        covered_by: &mutant.covered_by,
    }
}

fn definition(test: &TestCase, suite: &Lines<'_>) -> Value {
    let name = format!("{} ({}, {} steps)", test.id, test.style.name(), test.n_steps());
    let mut value = json!({ "id": test.id, "name": name });
    // Where tamper's own writer put it.
    let id = format!("\"id\": {}", json!(test.id));
    if let Some(at) = suite.text.find(&id) {
        value["location"] = json!({ "start": suite.position(Span::new(at, at).start) });
    }
    value
}

/// Lines of a text. Viewers of the report are programs in JavaScript, so columns count UTF-16 units.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            text,
            starts: std::iter::once(0).chain(breaks).collect(),
        }
    }

    fn position(&self, offset: u32) -> Position {
        let offset = offset as usize;
        let line = self.starts.partition_point(|start| *start <= offset);
        let before = &self.text[self.starts[line - 1]..offset];
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Position {
            line: count(line),
            column: count(before.encode_utf16().count() + 1),
        }
    }
}
