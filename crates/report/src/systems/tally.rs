//! Mutants counted by operator.

use serde_json::{Map, Value, json};

use crate::table::{Cell, Head, TOTAL, Table};

/// The number of mutants of each operator, in all and in each column.
pub(super) struct OperatorTally {
    columns: Vec<&'static str>,
    /// By operator; the last row is the sum.
    rows: Vec<(&'static str, usize, Vec<usize>)>,
}

impl OperatorTally {
    /// Counts `mutants` by `operator`, in the order of `operators`; `counted` tells the columns that a mutant is in.
    pub fn new<'m, M: 'm, const N: usize>(
        columns: [&'static str; N],
        operators: impl Iterator<Item = &'static str>,
        mutants: &'m [M],
        operator: impl for<'o> Fn(&'o M) -> &'o str,
        counted: impl Fn(&M) -> [bool; N],
    ) -> Self {
        let row = |name, own: Vec<&M>| {
            let mut sums = vec![0; N];
            for mutant in &own {
                for (sum, counted) in sums.iter_mut().zip(counted(mutant)) {
                    *sum += usize::from(counted);
                }
            }
            (name, own.len(), sums)
        };
        let own = |name| mutants.iter().filter(|mutant| operator(mutant) == name).collect();
        let rows = operators.map(|name| row(name, own(name)));
        Self {
            columns: columns.to_vec(),
            rows: rows.chain([row("total", mutants.iter().collect())]).collect(),
        }
    }
    /// The same without the last column, if no mutant is in it.
    pub fn without_last_if_empty(mut self) -> Self {
        if self.rows.iter().all(|(_, _, counts)| counts.last() == Some(&0)) {
            self.columns.pop();
            for (_, _, counts) in &mut self.rows {
                counts.pop();
            }
        }
        self
    }
    pub fn text(&self) -> String {
        self.table().text()
    }
    /// The table as CSV.
    pub fn csv(&self) -> Result<String, csv::Error> {
        self.table().csv()
    }
    fn table(&self) -> Table {
        let heads = ["operator", TOTAL].into_iter().chain(self.columns.iter().copied());
        let mut table = Table::new(heads.map(Head::plain));
        for (name, total, counts) in &self.rows {
            table.row(name, [total].into_iter().chain(counts).map(Cell::plain));
        }
        table
    }
    /// `{"operators": {…}, "total": {…}}`.
    pub fn json(&self) -> Map<String, Value> {
        let mut operators = Map::new();
        for (name, total, counts) in &self.rows {
            let mut row = Map::new();
            row.insert("total".to_owned(), json!(total));
            for (column, count) in self.columns.iter().zip(counts) {
                row.insert((*column).to_owned(), json!(count));
            }
            operators.insert((*name).to_owned(), Value::Object(row));
        }
        let total = operators.remove("total");
        let mut object = Map::new();
        object.insert("operators".to_owned(), Value::Object(operators));
        object.insert("total".to_owned(), json!(total));
        object
    }
}
