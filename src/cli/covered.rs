//! What is said about a suite that was made for a structural criterion.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use super::terminal::counted;
use tamper::experiment::killing::Generated;
use tamper::suite::{Criterion, TestCase};

/// Says of items that no test covers why, in the words of coverage.
pub fn explain(generated: &mut Generated) {
    for item in generated.mutants.iter_mut().filter(|item| item.killable == "none") {
        item.reason = Some("no run goes through it".to_owned());
    }
}

/// As JSON and as text: how many items there are and are covered, and which ones no run goes through.
pub fn told(criterion: Criterion, generated: &Generated, out: &Path) -> (Value, String) {
    let items = &generated.mutants;
    let named = |fate: &str| -> Vec<&str> {
        let of_fate = items.iter().filter(|item| item.killable == fate);
        of_fate.map(|item| item.id.as_str()).collect()
    };
    let (infeasible, unknown) = (named("none"), named("unknown"));
    let covered = items.iter().filter(|item| item.test.is_some()).count();
    let steps: usize = generated.tests.iter().map(TestCase::n_steps).sum();
    let tests = generated.tests.len();
    let mut json = json!({
        "criterion": criterion.name(), "items": items.len(), "feasible": items.len() - infeasible.len() - unknown.len(),
        "covered": covered, "infeasible": infeasible, "unknown": unknown, "tests": tests, "steps": steps,
        "out": out.display().to_string(),
    });
    if let Some((bound, proved)) = generated.bound {
        json["lower_bound"] = json!(bound);
        json["proved"] = json!(proved);
    }
    let mut text = format!(
        "{} of {} in all, in {}\n{} ({criterion}): {covered} are covered, {} are in no run, {} unknown",
        counted(tests, "test"),
        counted(steps, "step"),
        out.display(),
        counted(items.len(), "item"),
        infeasible.len(),
        unknown.len()
    );
    for (what, names) in [("in no run", infeasible), ("unknown", unknown)] {
        for name in names {
            let _ = write!(text, "\n  {what}: {name}");
        }
    }
    (json, text)
}
