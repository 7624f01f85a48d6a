//! The table per operator, as in \[003\] section 5.4.

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use super::masking::{hidden_text, masking_text};
use super::table::{Cell, Head, TOTAL, Table};
use tamper_runs::{ProcessCounts, Summary, Tally, Verdict, Verified};
use tamper_timed::mutation::AppliedOperator;

/// The table for a terminal. Columns that are only filled when something is missing are left out when they are empty. From order 3 on,
/// which has hundreds of rows, all rows with the same first operator are merged into one.
pub fn classification_text(summary: &Summary) -> String {
    let rows = text_rows(summary).into_iter();
    let table = table(rows, summary.total(), |column| column.is_shown(summary.total())).text();
    match summary.processes() {
        [] => table,
        processes => format!("{table}\n{}{}", masking_text(processes), hidden_text(summary.hidden())),
    }
}

/// The same with all columns, comma-separated; `ratio` is a fraction, or empty without a meaning.
pub fn classification_csv(summary: &Summary) -> Result<String, csv::Error> {
    let rows = summary.rows().iter();
    let rows = rows.map(|(operators, tally)| (row_name(operators), *tally));
    table(rows, summary.total(), |_| true).csv()
}

/// The rows and the total, in the columns that `is_shown` chooses.
fn table(rows: impl Iterator<Item = (String, Tally)>, total: &Tally, is_shown: impl Fn(&Column) -> bool) -> Table {
    let columns: Vec<&Column> = COLUMNS.iter().filter(|column| is_shown(column)).collect();
    let heads = columns.iter().map(|column| Head::new(column.title, column.field));
    let operator = std::iter::once(Head::plain("operator"));
    let mut table = Table::new(operator.chain(heads).chain([Head::plain("ratio")]));
    for (name, tally) in rows.chain([(TOTAL.to_owned(), *total)]) {
        let counts = columns.iter().map(|column| Cell::plain((column.count)(&tally)));
        table.row(name, counts.chain([Cell::ratio(tally.ratio())]));
    }
    table
}

/// A mutant that is not known to be useless, and that the user accepts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AcceptedVerdict {
    /// The id of the mutant.
    pub id: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// The reason why it is accepted.
    pub why: String,
}

/// The lines about accepted mutants below a table.
pub fn accepted_text(accepted: &[AcceptedVerdict]) -> String {
    let line = |one: &AcceptedVerdict| format!("accepted: {} ({}): {}\n", one.id, one.verdict.name(), one.why);
    accepted.iter().map(line).collect()
}

/// `{"operators": {…}, "total": {…}, "unsound": n, "unsound_mutants": […]}`. Also `"accepted"` if there are accepted ones, `"verified"` if mutants were decided again, `"processes"`
/// and `"hidden"` for a network, and `"undecided"` if the run ended early: the number of undecided mutants, or null if they were not
/// counted.
pub fn classification_json(
    summary: &Summary,
    verified: Option<&Verified>,
    n_undecided: Option<u64>,
    accepted: &[AcceptedVerdict],
) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct ClassificationJson<'a> {
        operators: Rows<'a>,
        total: TallyJson<'a>,
        unsound: u64,
        unsound_mutants: &'a [String],
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        accepted: &'a [AcceptedVerdict],
        #[serde(skip_serializing_if = "Option::is_none")]
        verified: Option<&'a Verified>,
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        processes: &'a [ProcessCounts],
        #[serde(skip_serializing_if = "Option::is_none")]
        hidden: Option<u64>,
        #[serde(skip_serializing_if = "is_whole")]
        undecided: Option<u64>,
    }
    fn is_whole(n_undecided: &Option<u64>) -> bool {
        *n_undecided == Some(0)
    }
    serde_json::to_string_pretty(&ClassificationJson {
        operators: Rows(summary.rows()),
        total: TallyJson(summary.total()),
        unsound: summary.total().unsound,
        unsound_mutants: summary.unsound(),
        accepted,
        verified,
        processes: summary.processes(),
        hidden: (!summary.processes().is_empty()).then_some(summary.hidden()),
        undecided: n_undecided,
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

/// `TMI`, or `TMI;TAD` for a pair.
fn row_name(operators: &[AppliedOperator]) -> String {
    let names: Vec<_> = operators.iter().map(|operator| operator.name()).collect();
    names.join(";")
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

/// The head of a column as readers see it.
#[cfg(feature = "drawing")]
pub(super) struct Heading {
    /// The text.
    pub title: String,
    /// Whether the column is only shown if it counts something.
    pub is_optional: bool,
}

/// The head of the column that is named `field` in CSV and JSON, in this table or another one.
#[cfg(feature = "drawing")]
pub(super) fn heading(field: &str) -> Heading {
    let own = COLUMNS.iter().find(|column| column.field == field);
    Heading {
        title: own.map_or_else(|| field.replace('_', "-"), |column| column.title.to_owned()),
        is_optional: own.is_some_and(|column| column.optional || field == "unknown"),
    }
}

struct TallyJson<'a>(&'a Tally);

impl Serialize for TallyJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for column in &COLUMNS {
            map.serialize_entry(column.field, &(column.count)(self.0))?;
        }
        // Four digits, so that the text is the same everywhere.
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

struct Rows<'a>(&'a [(Vec<AppliedOperator>, Tally)]);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (operators, tally) in self.0 {
            map.serialize_entry(&row_name(operators), &TallyJson(tally))?;
        }
        map.end()
    }
}
