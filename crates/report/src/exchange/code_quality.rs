//! The survivors of a scored suite as a code quality report of GitLab.

use serde_json::{Value, json};

use crate::exchange::scored_report::{ScoredReport, Survivor};

/// Writes an issue per surviving mutant (a test could kill it, and none does), at its lines of the model's file, ended by a new line; an
/// accepted mutant is for information, with the reason.
pub fn write_code_quality(report: &ScoredReport<'_>) -> String {
    let path = report.source.name();
    let survivors = report.survivors();
    let issues: Vec<Value> = survivors.iter().map(|survivor| issue(survivor, path)).collect();
    format!("{:#}\n", Value::Array(issues))
}

fn issue(survivor: &Survivor<'_>, path: &str) -> Value {
    let Survivor { mutant, location } = survivor;
    // GitLab finds only files that are named without `./`.
    let path = path.strip_prefix("./").unwrap_or(path);
    let (severity, why) = match &mutant.accepted {
        Some(reason) => ("info", Some(reason)),
        None => ("major", mutant.reason.as_ref()),
    };
    let why = why.map_or("", String::as_str);
    json!({
        "description": format!("{}; {why}", mutant.description()),
        "check_name": mutant.mutation.applied().name(),
        // Tells whether a survivor is new, also when lines move.
        "fingerprint": format!("{path}: {}", mutant.id),
        "severity": severity,
        "location": { "path": path, "lines": { "begin": location.start.line, "end": location.end.line } },
    })
}
