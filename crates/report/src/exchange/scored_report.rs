//! A scored suite with the places of its mutants in the model's file: the source of reports for other tools.

use serde::Serialize;

use tamper_suite::TestCase;
use tamper_text::{SourceFile, Span};
use tamper_timed::mutation::{Mutation, Operator};
use tamper_uppaal::Replacement;

/// A suite, its mutants and their model: the subject of a report.
#[derive(Clone, Copy, Debug)]
pub struct ScoredReport<'a> {
    /// The file of the model.
    pub source: &'a SourceFile,
    /// The name and the text of the suite's file.
    pub suite: (&'a str, &'a str),
    /// The suite.
    pub tests: &'a [TestCase],
    /// The mutants.
    pub mutants: &'a [ScoredMutant],
}

/// A mutant of one mutation, and its status.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoredMutant {
    /// The id of the mutant.
    pub id: String,
    /// The mutation.
    pub mutation: Mutation,
    /// The part of the file that it changes, and the new text.
    pub replacement: Replacement,
    /// The status that the suite gives the mutant.
    pub status: MutantStatus,
    /// The reason for the status.
    pub reason: Option<String>,
    /// Why the mutant may survive, if the user accepts that.
    pub accepted: Option<String>,
    /// The ids of the tests that kill it.
    pub killed_by: Vec<String>,
    /// The ids of the tests that reach its place, if that is known.
    pub covered_by: Option<Vec<String>>,
}

/// The status of a mutant, in the words of `mutation-testing-report-schema`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum MutantStatus {
    /// A test kills it.
    Killed,
    /// Tests reach its place, and none kills it.
    Survived,
    /// No test reaches its place.
    NoCoverage,
    /// It is no game.
    CompileError,
    /// No test can kill it.
    Ignored,
    /// The verdict is not known.
    Pending,
}

impl ScoredReport<'_> {
    /// The surviving mutants, which a test could kill and none kills, each at its place.
    pub(crate) fn survivors(&self) -> Vec<Survivor<'_>> {
        let lines = Lines::of(self.source.text());
        let survivors = self.mutants.iter().filter(|mutant| mutant.status.survives());
        survivors
            .map(|mutant| Survivor {
                mutant,
                location: lines.location(mutant.replacement.place),
            })
            .collect()
    }
}

/// A surviving mutant at its place in the file.
#[derive(Debug)]
pub(crate) struct Survivor<'a> {
    pub mutant: &'a ScoredMutant,
    pub location: SourceRange,
}

impl ScoredMutant {
    /// The change that the mutant makes, in a sentence.
    pub(crate) fn description(&self) -> String {
        let operator = self.mutation.operator();
        let beside = match operator {
            Operator::Smi => "; its edges go with it",
            Operator::Tad => "; its action is a new channel",
            _ if self.mutation.applied().again => "; only once the place was passed",
            _ => "",
        };
        format!("{}: {}{beside}", self.id, operator.summary())
    }
}

impl MutantStatus {
    /// Whether a test could kill the mutant and none kills it.
    pub(crate) const fn survives(self) -> bool {
        matches!(self, Self::Survived | Self::NoCoverage)
    }
}

/// A line and a column, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
pub(crate) struct Position {
    pub line: u32,
    pub column: u32,
}

/// A part of a file; its end is exclusive.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
pub(crate) struct SourceRange {
    pub start: Position,
    pub end: Position,
}

/// Lines of a text. Viewers of the report are programs in JavaScript, so columns count UTF-16 units.
pub(crate) struct Lines<'a> {
    pub text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub fn of(text: &'a str) -> Self {
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            text,
            starts: std::iter::once(0).chain(breaks).collect(),
        }
    }

    pub fn position(&self, offset: u32) -> Position {
        let offset = offset as usize;
        let line = self.starts.partition_point(|start| *start <= offset);
        let before = &self.text[self.starts[line - 1]..offset];
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Position {
            line: count(line),
            column: count(before.encode_utf16().count() + 1),
        }
    }

    pub fn location(&self, place: Span) -> SourceRange {
        SourceRange {
            start: self.position(place.start),
            end: self.position(place.end),
        }
    }
}
