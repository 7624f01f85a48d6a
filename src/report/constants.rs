//! The table of constants and their verdicts.

use super::table::text_table;
use crate::experiment::{ConstantInterval, ConstantSite};

/// A row per constraint: what it is, and which constants in its place give which verdict.
pub fn constants_text(sites: &[ConstantSite], last: i64) -> String {
    let mut table = text_table(["place", "constraint", "constants and what they give"]);
    for site in sites {
        let intervals: Vec<String> = site.intervals.iter().map(interval_text).collect();
        table.add_row([&site.site, &site.constraint, &intervals.join(", ")]);
    }
    format!("{table}\nConstants from 0 to {last} were decided; the game's own counts as subsumed.\n")
}

fn interval_text(interval: &ConstantInterval) -> String {
    let ConstantInterval { from, to, verdict } = *interval;
    match from == to {
        true => format!("{from} {}", verdict.name()),
        false => format!("{from}..{to} {}", verdict.name()),
    }
}
