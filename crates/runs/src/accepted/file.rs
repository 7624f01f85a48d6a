//! The file of accepted mutants, beside the model: TOML, a table a row, made to be reviewed.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;
use toml::value::Date;

use super::content::Content;
use crate::Filter;
use tamper_text::{Diagnostic, ReadError, SourceFile, Span};
use tamper_timed::model::Automaton;
use tamper_timed::mutation::edge_name;
use tamper_uppaal::input::read_text;
use tamper_uppaal::{AcceptComment, CommentPlace};

/// Rows of accepted mutants and conditions, with the reasons.
#[derive(Clone, Default, Debug)]
pub struct AcceptedFile {
    /// Single mutants.
    pub mutants: Vec<AcceptedMutant>,
    /// Conditions on mutants.
    pub conditions: Vec<AcceptedCondition>,
}

/// A single accepted mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AcceptedMutant {
    /// The id that it had when it was accepted.
    pub id: String,
    /// Its operators.
    pub operators: Vec<String>,
    /// What it changes.
    pub content: Content,
    /// Why it may survive.
    pub reason: String,
    /// The last day on which the row counts.
    pub until: Option<Date>,
}

/// Accepted mutants that satisfy a condition.
#[derive(Clone, Debug)]
pub struct AcceptedCondition {
    /// The condition.
    pub keep: Filter,
    /// The comment of the model that it stands for, with its line; `None` for a row of the file.
    pub comment: Option<String>,
    /// Why these mutants may survive.
    pub reason: String,
    /// The last day on which the row counts.
    pub until: Option<Date>,
}

impl AcceptedCondition {
    /// The condition that `comment` in `file` stands for: mutants of one fault at its place in `automaton`, whose ids
    /// begin with the name of the process in a network.
    ///
    /// # Errors
    /// There are none: conditions of this form are in the language.
    pub fn of_comment(
        comment: &AcceptComment,
        file: &SourceFile,
        automaton: &Automaton,
        process: Option<&str>,
    ) -> Result<Self, ReadError> {
        let names: Vec<String> = comment
            .operators
            .iter()
            .map(|operator| format!("'{operator}'"))
            .collect();
        let place = match comment.place {
            CommentPlace::Template => String::new(),
            CommentPlace::Location(location) => {
                let name = &automaton.locations()[location].name;
                format!(" && site in (location, invariant) && location has '{name}'")
            }
            CommentPlace::Edge(edge) => format!(" && edge has '{}'", edge_name(automaton, edge)),
        };
        let of = process.map_or(String::new(), |process| format!(" && id ~ '{process}/*'"));
        let condition = format!("order == 1 && operator in ({}){place}{of}", names.join(", "));
        let name = format!("{}, line {}", file.name(), comment.line);
        Ok(Self {
            keep: Filter::parse(&name, &condition)?,
            comment: Some(format!("{name}: the comment on {}", names.join(", ").replace('\'', ""))),
            reason: comment.reason.clone(),
            until: None,
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileTables {
    #[serde(default)]
    mutant: Vec<MutantTable>,
    #[serde(default)]
    condition: Vec<ConditionTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MutantTable {
    id: Spanned<String>,
    operators: Vec<String>,
    #[serde(default)]
    game: String,
    of: String,
    reason: Spanned<String>,
    until: Option<Date>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConditionTable {
    keep: Spanned<String>,
    reason: Spanned<String>,
    until: Option<Date>,
}

/// The file of accepted mutants of the model at `path`: `lamp.accepted.toml` beside `lamp.xml`.
pub fn accepted_path(path: &Path) -> PathBuf {
    path.with_extension("accepted.toml")
}

impl AcceptedFile {
    /// Reads the file at `path`, with conditions on mutants that `operators` make.
    ///
    /// # Errors
    /// All that is wrong with it, at its places.
    pub fn read(path: &Path, operators: &[&'static str]) -> Result<Self, ReadError> {
        let text = read_text(path, "name a file that `tamper accept` writes")?;
        Self::parse(&path.display().to_string(), &text, operators)
    }

    /// Reads `text`, which messages call `name`.
    ///
    /// # Errors
    /// All that is wrong with it, at its places.
    pub fn parse(name: &str, text: &str, operators: &[&'static str]) -> Result<Self, ReadError> {
        let source = SourceFile::new(name, text);
        let tables: FileTables = toml::from_str(text).map_err(|error| {
            let span = error.span().map(|range| Span::new(range.start, range.end));
            let help = "a row is [[mutant]] with id, operators, of and reason, or [[condition]] with keep and reason";
            ReadError::of(source.clone(), Diagnostic::error(error.message(), span).with_help(help))
        })?;
        let mut reader = RowReader {
            source: &source,
            found: Vec::new(),
        };
        let file = Self {
            mutants: tables.mutant.into_iter().map(|row| reader.mutant(row)).collect(),
            conditions: tables
                .condition
                .into_iter()
                .filter_map(|row| reader.condition(row, operators))
                .collect(),
        };
        match reader.found.is_empty() {
            true => Ok(file),
            false => Err(ReadError {
                diagnostics: reader.found,
                file: source,
            }),
        }
    }
}

/// What is wrong with the rows so far.
struct RowReader<'f> {
    source: &'f SourceFile,
    found: Vec<Diagnostic>,
}

fn place<T>(value: &Spanned<T>) -> Span {
    Span::new(value.span().start, value.span().end)
}

impl RowReader<'_> {
    fn mutant(&mut self, row: MutantTable) -> AcceptedMutant {
        if row.id.get_ref().trim().is_empty() {
            let error = Diagnostic::error("the row names no mutant", place(&row.id));
            self.found
                .push(error.with_help("write the id that `tamper score` prints"));
        }
        AcceptedMutant {
            content: Content::new(row.id.get_ref(), &row.game, &row.of),
            reason: self.reason(row.reason),
            until: row.until,
            operators: row.operators,
            id: row.id.into_inner(),
        }
    }

    fn condition(&mut self, row: ConditionTable, operators: &[&'static str]) -> Option<AcceptedCondition> {
        let (reason, until) = (self.reason(row.reason), row.until);
        let at = place(&row.keep);
        let line = self.source.line_col(at.start).line;
        let name = format!("{}, line {line}", self.source.name());
        let read = Filter::parse_for(operators, &name, row.keep.get_ref());
        match read.and_then(|keep| keep.check_before_run().map(|()| keep)) {
            Ok(keep) => Some(AcceptedCondition {
                keep,
                comment: None,
                reason,
                until,
            }),
            Err(error) => {
                let moved = error.diagnostics.into_iter().map(|found| Diagnostic {
                    span: Some(at),
                    secondary: None,
                    ..found
                });
                self.found.extend(moved);
                None
            }
        }
    }

    fn reason(&mut self, reason: Spanned<String>) -> String {
        if reason.get_ref().trim().is_empty() {
            let error = Diagnostic::error("the reason is empty", place(&reason));
            self.found.push(error.with_help("say why the mutant may survive"));
        }
        reason.into_inner()
    }
}
