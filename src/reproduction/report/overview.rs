//! The output of the command: one line per run.

use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value, json};

use super::page::{ratio_text, semantics_name};
use crate::reproduction::StudyRun;

/// The counts of each run for a terminal.
pub fn overview_text(runs: &[StudyRun]) -> String {
    let mut table = Table::new();
    table.force_no_tty().load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header([
        "study",
        "order",
        "semantics",
        "mutants",
        "non-subsumed",
        "subsumed",
        "inconsistent",
        "violating",
        "unsound",
        "ratio",
    ]);
    for run in runs {
        let total = run.summary.total();
        let counts = [
            total.total,
            total.non_subsumed,
            total.subsumed,
            total.inconsistent,
            total.violating,
            total.unsound,
        ];
        let head = [
            run.study.title.to_owned(),
            run.setting.order.number().to_string(),
            semantics_name(run.setting.semantics),
        ];
        let counts = counts.iter().map(u64::to_string);
        table.add_row(head.into_iter().chain(counts).chain([ratio_text(total)]));
    }
    for column in table.column_iter_mut().skip(3) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    format!("{table}\n")
}

/// The same as JSON: a list of objects.
pub fn overview_json(runs: &[StudyRun]) -> Value {
    let object = |run: &StudyRun| {
        let total = run.summary.total();
        json!({
            "study": run.study.folder,
            "order": run.setting.order.number(),
            "semantics": semantics_name(run.setting.semantics),
            "total": total.total,
            "non_subsumed": total.non_subsumed,
            "subsumed": total.subsumed,
            "inconsistent": total.inconsistent,
            "violating": total.violating,
            "unsound": total.unsound,
        })
    };
    runs.iter().map(object).collect()
}
