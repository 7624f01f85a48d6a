//! `timing.md`: the only page that differs from run to run.

use std::fmt::Write as _;

use super::page::{Page, semantics_name};
use crate::reproduction::StudyRun;

const HEAD: &str = "\
# Wall time

How long does the reproduction take?

The first order less than a second for each study, the second up to some tens of seconds.

";

/// The time of each run on `threads` threads, without the part that was taken over from an earlier run.
pub fn timing_page(runs: &[StudyRun], threads: usize) -> Page {
    let mut text = String::from(HEAD);
    let _ = writeln!(
        text,
        "Measured by the last run of `scripts/reproduce.sh` that wrote this page, with {threads} threads; not compared by any check. A run \
         that was resumed only counts what was left.\n"
    );
    text.push_str(
        "| study | order | semantics | mutants | decided by a game | seconds |\n|---|---|---|---:|---:|---:|\n",
    );
    for run in runs {
        let total = run.summary.total();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {:.1} |",
            run.study.title,
            run.setting.order.number(),
            semantics_name(run.setting.semantics),
            total.total,
            total.total - total.duplicates,
            run.took.as_secs_f64()
        );
    }
    Page::text("timing.md", text)
}
