//! The table per operator, as in \[003\] section 5.4.

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use super::masking::{hidden_text, masking_text};
use super::table::{numbers_text, text_table};
use crate::experiment::{ProcessCounts, Summary, Tally, Verified};
use crate::formats::CsvTable;
use crate::mutation::Operator;

/// The table for a terminal. Columns that are only filled when something is missing are left out when they are empty. From
/// order 3 on, where there are hundreds of rows, those with the same first operator are one.
pub fn classification_text(summary: &Summary) -> String {
    let total = summary.total();
    let columns: Vec<&Column> = COLUMNS.iter().filter(|column| column.is_shown(total)).collect();
    let titles = columns.iter().map(|column| column.title);
    let mut table = text_table(std::iter::once("operator").chain(titles).chain(["ratio"]));
    for (name, tally) in text_rows(summary).into_iter().chain([("total".to_owned(), *total)]) {
        let counts = columns.iter().map(|column| (column.count)(&tally).to_string());
        table.add_row(std::iter::once(name).chain(counts).chain([percent(&tally)]));
    }
    let table = numbers_text(table);
    match summary.processes() {
        [] => table,
        processes => format!("{table}\n{}{}", masking_text(processes), hidden_text(summary.hidden())),
    }
}

/// The same with all columns, comma-separated; `ratio` is a fraction, empty where it has no meaning.
pub fn classification_csv(summary: &Summary) -> Result<String, csv::Error> {
    let mut table = CsvTable::new(Vec::new());
    let names = COLUMNS.iter().map(|column| column.field);
    table.row(std::iter::once("operator").chain(names).chain(["ratio"]))?;
    let rows = summary
        .rows()
        .iter()
        .map(|(operators, tally)| (row_name(operators), tally));
    for (name, tally) in rows.chain([("total".to_owned(), summary.total())]) {
        let counts = COLUMNS.iter().map(|column| (column.count)(tally).to_string());
        let ratio = tally.ratio().map(|ratio| format!("{ratio:.4}")).unwrap_or_default();
        table.row(std::iter::once(name).chain(counts).chain([ratio]))?;
    }
    Ok(String::from_utf8_lossy(&table.finish()?).into_owned())
}

/// `{"operators": {…}, "total": {…}, "unsound": n, "unsound_mutants": […]}`, `"verified"` where mutants were decided again, and of a
/// network `"processes"` and `"hidden"`; `"undecided"`, where the run ended before that many mutants were decided.
pub fn classification_json(
    summary: &Summary,
    verified: Option<&Verified>,
    n_undecided: u64,
) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Document<'a> {
        operators: Rows<'a>,
        total: Counts<'a>,
        unsound: u64,
        unsound_mutants: &'a [String],
        #[serde(skip_serializing_if = "Option::is_none")]
        verified: Option<&'a Verified>,
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        processes: &'a [ProcessCounts],
        #[serde(skip_serializing_if = "Option::is_none")]
        hidden: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        undecided: Option<u64>,
    }
    serde_json::to_string_pretty(&Document {
        operators: Rows(summary.rows()),
        total: Counts(summary.total()),
        unsound: summary.total().unsound,
        unsound_mutants: summary.unsound(),
        verified,
        processes: summary.processes(),
        hidden: (!summary.processes().is_empty()).then_some(summary.hidden()),
        undecided: (n_undecided > 0).then_some(n_undecided),
    })
}

fn text_rows(summary: &Summary) -> Vec<(String, Tally)> {
    let mut rows: Vec<(String, Tally)> = Vec::new();
    for (operators, tally) in summary.rows() {
        let name = match &operators[..] {
            [first, _, _, ..] => format!("{first};…"),
            few => row_name(few),
        };
        match rows.last_mut() {
            Some((last, sum)) if *last == name => *sum = sum.plus(*tally),
            _ => rows.push((name, *tally)),
        }
    }
    rows
}

/// `TMI`, or `TMI;TAD` for the pair.
fn row_name(operators: &[Operator]) -> String {
    let names: Vec<_> = operators.iter().map(|operator| operator.name()).collect();
    names.join(";")
}

fn percent(tally: &Tally) -> String {
    match tally.ratio() {
        Some(ratio) => format!("{:.1} %", ratio * 100.0),
        None => "-".to_owned(),
    }
}

struct Column {
    title: &'static str,
    field: &'static str,
    count: fn(&Tally) -> u64,
    optional: bool,
}

impl Column {
    const fn new(title: &'static str, field: &'static str, count: fn(&Tally) -> u64) -> Self {
        Self {
            title,
            field,
            count,
            optional: false,
        }
    }
    const fn optional(self) -> Self {
        Self { optional: true, ..self }
    }
    fn is_shown(&self, total: &Tally) -> bool {
        !self.optional || (self.count)(total) > 0
    }
}

const COLUMNS: [Column; 10] = [
    Column::new("total", "total", |tally| tally.total),
    Column::new("non-subsumed", "non_subsumed", |tally| tally.non_subsumed),
    Column::new("subsumed", "subsumed", |tally| tally.subsumed),
    Column::new("inconsistent", "inconsistent", |tally| tally.inconsistent),
    Column::new("subs. or incons.", "subsumed_or_inconsistent", |tally| {
        tally.subsumed_or_inconsistent
    })
    .optional(),
    Column::new("unknown", "unknown", |tally| tally.unknown),
    Column::new("invalid", "invalid", |tally| tally.invalid).optional(),
    Column::new("violating", "violating", |tally| tally.violating),
    Column::new("extended", "identified", |tally| tally.identified).optional(),
    Column::new("duplicates", "duplicates", |tally| tally.duplicates).optional(),
];

struct Counts<'a>(&'a Tally);

impl Serialize for Counts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for column in &COLUMNS {
            map.serialize_entry(column.field, &(column.count)(self.0))?;
        }
        // Four digits: the same text everywhere.
        let ratio = self.0.ratio().map(|ratio| (ratio * 10_000.0).round() / 10_000.0);
        map.serialize_entry("ratio", &ratio)?;
        let extended = self
            .0
            .extended_ratio()
            .map(|ratio| (ratio * 10_000.0).round() / 10_000.0);
        map.serialize_entry("extended_ratio", &extended)?;
        map.end()
    }
}

struct Rows<'a>(&'a [(Vec<Operator>, Tally)]);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (operators, tally) in self.0 {
            map.serialize_entry(&row_name(operators), &Counts(tally))?;
        }
        map.end()
    }
}
