//! The check of the guidelines: violating mutants that are non-subsumed.

use std::fmt::Write as _;

use super::page::{Page, semantics_name};
use crate::reproduction::StudyRun;

/// `soundness.csv` with the counts, and `false-negatives.txt` with the mutants (the first hundred of each run); the
/// latter is empty when every guideline is sound.
pub fn soundness_pages(runs: &[StudyRun]) -> Vec<Page> {
    let mut counts = String::from("study,order,semantics,violating,unsound\n");
    let mut mutants = String::new();
    for run in runs {
        let total = run.summary.total();
        let name = format!(
            "{},{},{}",
            run.study.folder,
            run.setting.order.number(),
            semantics_name(run.setting.semantics)
        );
        let _ = writeln!(counts, "{name},{},{}", total.violating, total.unsound);
        for id in run.summary.unsound() {
            let _ = writeln!(mutants, "{name}: {id}");
        }
    }
    vec![
        Page::text("soundness.csv", counts),
        Page::text("false-negatives.txt", mutants),
    ]
}
