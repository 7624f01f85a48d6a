//! The rows of a file of accepted mutants, and what becomes of them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use crate::cli::exit::ExitCode;
use crate::cli::terminal::{Terminal, counted};
use tamper::experiment::{AcceptedCondition, AcceptedFile, AcceptedFound, LostRow};

/// A file of accepted mutants beside a model.
pub struct Listed {
    path: String,
    n_rows: usize,
    n_comments: usize,
    found: AcceptedFound,
}

impl Listed {
    /// The rows in the file at `path`, and what they and the `comments` of the model accept.
    pub fn of(path: &Path, rows: &AcceptedFile, comments: &[AcceptedCondition], found: &AcceptedFound) -> Self {
        // In a network a comment stands for a condition per process of its template.
        let comments: BTreeSet<_> = comments.iter().map(|condition| &condition.comment).collect();
        Self {
            path: path.display().to_string(),
            n_rows: rows.mutants.len() + rows.conditions.len(),
            n_comments: comments.len(),
            found: found.clone(),
        }
    }

    fn json(&self) -> Value {
        let accepted = self
            .found
            .reasons
            .iter()
            .map(|(id, why)| json!({ "id": id, "why": why }));
        let lost = |row: &LostRow| json!({ "row": row.row, "reason": row.reason, "why": row.why.to_string() });
        json!({
            "file": self.path,
            "rows": self.n_rows,
            "comments": self.n_comments,
            "accepted": accepted.collect::<Vec<_>>(),
            "lost": self.found.lost.iter().map(lost).collect::<Vec<_>>(),
        })
    }

    fn head(&self) -> String {
        let mut text = format!("{} in {}", counted(self.n_rows, "row"), self.path);
        if self.n_comments > 0 {
            let _ = write!(text, ", {} in the model", counted(self.n_comments, "comment"));
        }
        let _ = write!(text, ": {} accepted", counted(self.found.reasons.len(), "mutant"));
        if !self.found.lost.is_empty() {
            let _ = write!(text, "; {} for no mutant", counted(self.found.lost.len(), "row"));
        }
        text.push('\n');
        for lost in &self.found.lost {
            let _ = writeln!(text, "{lost}");
        }
        text
    }

    /// Prints all rows. The answer is yes if each accepts a mutant.
    pub fn shown(&self, terminal: &Terminal) -> Result<ExitCode> {
        terminal.answer(
            || self.json(),
            || {
                let mut text = self.head();
                for (id, why) in &self.found.reasons {
                    let _ = writeln!(text, "accepted: {id}: {why}");
                }
                text
            },
        )?;
        Ok(ExitCode::yes_if(self.found.lost.is_empty()))
    }

    /// Prints what the file holds after it was written.
    pub fn written(&self, terminal: &Terminal) -> Result<()> {
        Ok(terminal.answer(|| self.json(), || self.head())?)
    }
}
