//! Counts of mutants by operator, read from the summary of a run or the answer of `score`.

use serde_json::Value;

use crate::classification::heading;
use crate::drawing::{Group, Series};
use crate::table::{Cell, Head, TOTAL, Table};
use tamper_runs::percent;
use tamper_systems::SystemOperator;
use tamper_systems::actions::ActionOperator;
use tamper_timed::mutation::AppliedOperator;

/// Minimal number of operators in sequence from which rows with the same first operator are merged.
const MANY: usize = 3;

/// The number of mutants in each column, by operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OperatorCounts {
    columns: Vec<String>,
    rows: Vec<Row>,
    total: Row,
}

/// The counts of an operator, or of a sequence of operators: `TMI;TAD`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    name: String,
    counts: Vec<u64>,
}

/// A share: a part of a row's mutants, in per cent of another part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Share {
    /// The name of the share.
    pub name: &'static str,
    part: &'static [&'static str],
    whole: &'static [&'static str],
    /// Columns that leave the share open as soon as one mutant is in them.
    open: &'static [&'static str],
}

/// The share of the mutants that no test can kill which violates the guidelines (\[003\] section 5.4).
pub(super) const RATIO: Share = Share {
    name: "ratio",
    part: &["violating"],
    whole: &["subsumed", "inconsistent"],
    open: &["unknown", "invalid", "subsumed_or_inconsistent"],
};

/// The share of the killable mutants that a suite kills.
pub(super) const SCORE: Share = Share {
    name: "score",
    part: &["killed"],
    whole: &["killable"],
    open: &[],
};

impl OperatorCounts {
    /// Reads the counts in `summary.csv` of a run's folder; `None` if the text has another form.
    pub fn of_summary(text: &str) -> Option<Self> {
        let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let heads = lines.next()?;
        // The ratio is computed from the counts again.
        let is_count = |head: &&str| *head != "ratio";
        let columns: Vec<String> = heads[1..].iter().copied().filter(is_count).map(str::to_owned).collect();
        let row = |cells: Vec<&str>| {
            let (name, counts) = cells.split_first()?;
            let counts = counts.iter().take(columns.len()).map(|count| count.parse().ok());
            let counts: Vec<u64> = counts.collect::<Option<_>>()?;
            (counts.len() == columns.len()).then(|| Row {
                name: (*name).to_owned(),
                counts,
            })
        };
        let mut rows = lines.map(row).collect::<Option<Vec<Row>>>()?;
        let total = rows.pop().filter(|row| row.name == TOTAL)?;
        Some(Self { columns, rows, total })
    }

    /// Reads the counts in the JSON that `score` prints; `None` if it is something else.
    pub fn of_score(printed: &Value) -> Option<Self> {
        let row = |name: &str, part: &Value| {
            let mutants = part.get("mutants").or_else(|| part.get("total"))?;
            let counts = [mutants, &part["killable"], &part["killed"]].map(Value::as_u64);
            let counts = counts.into_iter().collect::<Option<_>>()?;
            let name = name.to_owned();
            Some(Row { name, counts })
        };
        let operators = printed.get("operators")?.as_object()?;
        let mut rows: Vec<Row> = operators
            .iter()
            .map(|(name, part)| row(name, part))
            .collect::<Option<_>>()?;
        rows.sort_by_key(|row| rank(&row.name));
        Some(Self {
            columns: ["mutants", "killable", "killed"].map(str::to_owned).to_vec(),
            rows,
            total: row(TOTAL, printed)?,
        })
    }

    /// Whether all columns of the share are there.
    pub fn has(&self, share: Share) -> bool {
        let is_there = |column: &&str| self.columns.iter().any(|name| name == column);
        share.part.iter().chain(share.whole).all(is_there)
    }

    fn sum(&self, row: &Row, columns: &[&str]) -> u64 {
        let counted = self.columns.iter().zip(&row.counts);
        let counted = counted.filter(|(name, _)| columns.contains(&name.as_str()));
        counted.map(|(_, count)| count).sum()
    }

    fn digits(&self, row: &Row, share: Share) -> Option<String> {
        match self.sum(row, share.open) {
            0 => percent(self.sum(row, share.part), self.sum(row, share.whole), 1),
            _ => None,
        }
    }

    /// The rows. Operators in sequence, `many` or more of them, make one row per first operator.
    fn merged(&self, many: usize) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for row in &self.rows {
            let mut row = row.clone();
            if let (Some((first, _)), true) = (row.name.split_once(';'), row.name.split(';').count() >= many) {
                row.name = format!("{first};\u{2026}");
            }
            match rows.last_mut().filter(|last| last.name == row.name) {
                Some(last) => last
                    .counts
                    .iter_mut()
                    .zip(row.counts)
                    .for_each(|(sum, count)| *sum += count),
                None => rows.push(row),
            }
        }
        rows
    }

    /// A table of all columns that count something, with a share at the end if the counts give it.
    pub fn table(&self, share: Share) -> Table {
        let is_shown = |at: &usize| !heading(&self.columns[*at]).is_optional || self.total.counts[*at] > 0;
        let shown: Vec<usize> = (0..self.columns.len()).filter(is_shown).collect();
        let heads = shown
            .iter()
            .map(|at| Head::new(heading(&self.columns[*at]).title, &*self.columns[*at]));
        let share = self.has(share).then_some(share);
        let last = share.map(|share| Head::new(share.name, format!("{}_percent", share.name)));
        let mut table = Table::new(std::iter::once(Head::plain("operator")).chain(heads).chain(last));
        for row in self.merged(MANY).iter().chain([&self.total]) {
            let counts = shown.iter().map(|at| Cell::plain(row.counts[*at]));
            let last = share.map(|share| Cell::percent(self.digits(row, share)));
            table.row(&row.name, counts.chain(last));
        }
        table
    }

    /// For each operator with mutants, the per cent of them in each of these columns.
    pub fn parts(&self, columns: &[&Series]) -> Vec<Group> {
        let columns: Vec<String> = columns.iter().map(|series| series.name.replace('-', "_")).collect();
        let value = |row: &Row, column: &str| 100.0 * as_f64(self.sum(row, &[column])) / as_f64(row.counts[0]);
        let rows = self.merged(2).into_iter().filter(|row| row.counts[0] > 0);
        rows.map(|row| Group {
            values: columns.iter().map(|column| value(&row, column)).collect(),
            name: row.name,
        })
        .collect()
    }

    /// The share in per cent for each operator and for all together, left out if there is none.
    pub fn shares(&self, share: Share) -> Vec<Group> {
        let mut rows = self.merged(2);
        rows.push(self.total.clone());
        let value = |row: &Row| {
            let whole = self.sum(row, share.whole);
            (whole > 0 && self.sum(row, share.open) == 0)
                .then(|| 100.0 * as_f64(self.sum(row, share.part)) / as_f64(whole))
        };
        let group = |row: Row| {
            Some(Group {
                values: vec![value(&row)?],
                name: row.name,
            })
        };
        rows.into_iter().filter_map(group).collect()
    }

    /// The series that count at least one mutant.
    pub fn used<'s>(&self, series: &[&'s Series]) -> Vec<&'s Series> {
        let counts = |series: &&&Series| self.sum(&self.total, &[&*series.name.replace('-', "_")]) > 0;
        series.iter().filter(counts).copied().collect()
    }

    /// The names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }
}

/// The position of an operator in tables: tamper's operators in their order, then all others.
pub(super) fn rank(name: &str) -> usize {
    let timed = AppliedOperator::all().map(AppliedOperator::name);
    let untimed = SystemOperator::ALL.into_iter().map(SystemOperator::name);
    let actions = ActionOperator::ALL.into_iter().map(ActionOperator::name);
    let mut all = timed.chain(untimed).chain(actions);
    all.position(|other| other == name).unwrap_or(usize::MAX)
}

/// A count as a number for drawing.
#[allow(clippy::cast_precision_loss, reason = "far fewer mutants than 2^52")]
pub(super) fn as_f64(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// By hand: two operators; one mutant is unknown, so that the ratio of its row and of all is open.
    const SUMMARY: &str = "operator,total,non_subsumed,subsumed,inconsistent,unknown,violating,duplicates,ratio\n\
        TMI;TMI,4,1,2,1,0,1,0,0.3333\nTMI;CXL,3,1,1,0,1,1,0,\ntotal,7,2,3,1,1,2,0,\n";

    #[test]
    fn a_summary_is_a_table_without_columns_that_count_nothing() {
        let counts = OperatorCounts::of_summary(SUMMARY).unwrap();
        assert_eq!(
            counts.table(RATIO).csv().unwrap(),
            "operator,total,non_subsumed,subsumed,inconsistent,unknown,violating,ratio_percent\n\
             TMI;TMI,4,1,2,1,0,1,33.3\nTMI;CXL,3,1,1,0,1,1,\ntotal,7,2,3,1,1,2,\n"
        );
        // In a chart both are one group: of 7 mutants 3 are subsumed, and no ratio is known.
        let subsumed = Series::new("subsumed", "black", "");
        let groups = counts.parts(&[&subsumed]);
        assert_eq!((groups.len(), &*groups[0].name), (1, "TMI;\u{2026}"));
        assert!((groups[0].values[0] - 300.0 / 7.0).abs() < 1e-9);
        assert!(counts.shares(RATIO).is_empty());
    }

    #[test]
    fn other_texts_are_no_summary() {
        for text in [
            "",
            "operator,total\nTMI,x\ntotal,0\n",
            "operator,total\nTMI,3\n",
            "operator,total\nTMI\ntotal,1\n",
        ] {
            assert_eq!(OperatorCounts::of_summary(text), None, "{text}");
        }
    }

    #[test]
    fn operators_of_a_score_stand_in_their_order() {
        let part = json!({ "mutants": 2, "killable": 2, "killed": 1 });
        let printed = json!({ "mutants": 4, "killable": 4, "killed": 2, "operators": { "CXL": part, "TMI": part } });
        let counts = OperatorCounts::of_score(&printed).unwrap();
        assert_eq!(
            counts.table(SCORE).csv().unwrap(),
            "operator,mutants,killable,killed,score_percent\nTMI,2,2,1,50.0\nCXL,2,2,1,50.0\ntotal,4,4,2,50.0\n"
        );
        assert_eq!(OperatorCounts::of_score(&json!({ "verdict": "subsumed" })), None);
    }
}
