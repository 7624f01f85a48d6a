//! Tables of constants and their verdicts.

use super::table::text_table;
use tamper_runs::{ConstantBox, ConstantInterval, ConstantSite, JointConstants};

/// A row per constraint, with the constants in its place that give each verdict.
pub fn constants_text(sites: &[ConstantSite], last: i64) -> String {
    let mut table = text_table(["place", "constraint", "constants and what they give"]);
    for site in sites {
        let intervals: Vec<String> = site.intervals.iter().map(interval_text).collect();
        table.add_row([&site.site, &site.constraint, &intervals.join(", ")]);
    }
    format!("{table}\nConstants from 0 to {last} were decided; the game's own counts as subsumed.\n")
}

/// A row per box of constraints whose constants change together.
pub fn joint_constants_text(joint: &[JointConstants], last: i64) -> String {
    let mut table = text_table(["places", "constraints", "constants", "verdict"]);
    for JointConstants {
        sites,
        constraints,
        boxes,
        ..
    } in joint
    {
        for ConstantBox { from, to, verdict } in boxes {
            let bounds = from.iter().zip(to).map(|(from, to)| match from == to {
                true => from.to_string(),
                false => format!("{from}..{to}"),
            });
            let bounds = bounds.collect::<Vec<_>>().join(", ");
            table.add_row([&sites.join(", "), &constraints.join(", "), &bounds, verdict.name()]);
        }
    }
    format!("{table}\nConstants from 0 to {last} were decided, all together in each row.\n")
}

fn interval_text(interval: &ConstantInterval) -> String {
    let ConstantInterval { from, to, verdict } = *interval;
    match from == to {
        true => format!("{from} {}", verdict.name()),
        false => format!("{from}..{to} {}", verdict.name()),
    }
}
