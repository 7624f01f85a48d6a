//! A line of an exported table or index.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::super::Record;
use super::Kept;
use crate::error::{OrMalformed as _, Result};
use tamper_uppaal::input::read_text;

/// The data of an exported mutant: its record, its number, and the places of its mutations.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exported {
    /// File of the mutant; only in an index of files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Number of the mutant among all mutants of its order.
    pub number: u64,
    /// Record of the mutant.
    #[serde(flatten)]
    pub record: Record,
    /// The edges that its mutations remove, add or change.
    pub edges: Vec<String>,
    /// The locations of its mutations.
    pub locations: Vec<String>,
    /// The actions of the edges.
    pub actions: Vec<String>,
    /// The clocks whose constraints are changed.
    pub clocks: Vec<String>,
    /// Its features in an exported featured mutant model, besides the root.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<String>,
}

impl Exported {
    /// The line of `kept`, whose file is `file`.
    pub fn of(kept: &Kept, file: Option<String>) -> Self {
        let list = |set: &std::collections::BTreeSet<String>| set.iter().cloned().collect();
        Self {
            file,
            number: kept.mutant.number,
            record: kept.record.clone(),
            edges: list(&kept.mutant.places.edges),
            locations: list(&kept.mutant.places.locations),
            actions: list(&kept.mutant.places.actions),
            clocks: list(&kept.mutant.places.clocks),
            features: Vec::new(),
        }
    }

    /// Reads the index of `folder`, to which `tamper export` wrote files or a featured mutant model.
    ///
    /// # Errors
    /// If there is no index, or a line of it is no exported mutant.
    pub fn read_index(folder: &Path) -> Result<Vec<Self>> {
        let path = folder.join("index.jsonl");
        let name = path.display();
        let text = read_text(&path, "name a folder that `tamper export` wrote")?;
        let line = |(number, line): (usize, &str)| {
            serde_json::from_str(line).or_malformed(|| format!("{name}, line {}: no exported mutant", number + 1))
        };
        text.lines().enumerate().map(line).collect()
    }

    /// The columns of a table of exported mutants.
    pub const COLUMNS: [&'static str; 15] = [
        "number",
        "id",
        "order",
        "operators",
        "violates",
        "verdict",
        "why",
        "decided_by",
        "duplicate_of",
        "reason",
        "witness",
        "edges",
        "locations",
        "actions",
        "clocks",
    ];

    /// The cells of its row in a table; lists are joined by `; `, operators by `-`.
    pub fn cells(&self) -> [String; 15] {
        let record = &self.record;
        let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
        [
            self.number.to_string(),
            record.id.clone(),
            record.order.to_string(),
            record.operators.join("-"),
            record.violates.join("; "),
            record.verdict.name().to_owned(),
            text(record.why.as_deref()),
            record.decided_by.name().to_owned(),
            text(record.duplicate_of.as_deref()),
            text(record.reason.as_deref()),
            text(record.witness.as_deref()),
            self.edges.join("; "),
            self.locations.join("; "),
            self.actions.join("; "),
            self.clocks.join("; "),
        ]
    }
}
