//! Messages about a suite that was made for a structural criterion.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::cli::terminal::counted;
use tamper::experiment::Timer;
use tamper::experiment::killing::{Candidate, Generated};
use tamper::game::takes_any;
use tamper::model::{Automaton, EdgeId};
use tamper::suite::{Criterion, TestCase};

/// The reason why no test goes through an item of a composition although a run does.
const UNTESTED: &str = "runs take an input in the middle of an atomic step, and no test gives one there";

/// Explains for each uncovered item why no test covers it, in the words of coverage.
pub fn explain(generated: &mut Generated, candidates: &[Candidate], timer: &Timer) {
    for item in generated.mutants.iter_mut().filter(|item| item.killable == "none") {
        let shown = candidates.iter().find(|candidate| candidate.id == item.id);
        let shown = shown.and_then(|candidate| candidate.automaton.as_ref());
        let is_in_run = shown
            .filter(|shown| shown.is_atomic())
            .map(|shown| covers(shown, timer));
        (item.killable, item.reason) = match is_in_run {
            None | Some(Some(false)) => ("none".to_owned(), Some("no run goes through it".to_owned())),
            Some(Some(true)) => ("none".to_owned(), Some(UNTESTED.to_owned())),
            Some(None) => ("unknown".to_owned(), None),
        };
    }
}

/// Whether some run of the game takes an edge that shows the item; `None` if that is open.
fn covers(shown: &Automaton, timer: &Timer) -> Option<bool> {
    let action = shown.actions().ids().last();
    let is_shown = |id: &EdgeId| Some(shown.edges()[*id].action) == action;
    let edges: Vec<EdgeId> = shown.edges().ids().filter(is_shown).collect();
    takes_any(shown, &edges, &timer.budget()).ok()?.ok()
}

/// The answer as JSON and as text: the numbers of items and of covered items, and the items that no run goes through.
pub fn told(criterion: Criterion, generated: &Generated, out: &Path) -> (Value, String) {
    let items = &generated.mutants;
    let named = |fate: &str| -> Vec<&str> {
        let of_fate = items.iter().filter(|item| item.killable == fate);
        of_fate.map(|item| item.id.as_str()).collect()
    };
    let of_no_test = items.iter().filter(|item| item.reason.as_deref() == Some(UNTESTED));
    let untested: Vec<&str> = of_no_test.map(|item| item.id.as_str()).collect();
    let (mut infeasible, unknown) = (named("none"), named("unknown"));
    infeasible.retain(|id| !untested.contains(id));
    let covered = items.iter().filter(|item| item.test.is_some()).count();
    let steps: usize = generated.tests.iter().map(TestCase::n_steps).sum();
    let tests = generated.tests.len();
    let mut json = json!({
        "criterion": criterion.name(), "items": items.len(), "feasible": items.len() - infeasible.len() - unknown.len(),
        "covered": covered, "infeasible": infeasible, "untested": untested, "unknown": unknown, "tests": tests, "steps": steps,
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
    if !untested.is_empty() {
        let _ = write!(text, ", {} in no test: {UNTESTED}", untested.len());
    }
    for (what, names) in [
        ("in no run", infeasible),
        ("in no test", untested),
        ("unknown", unknown),
    ] {
        for name in names {
            let _ = write!(text, "\n  {what}: {name}");
        }
    }
    (json, text)
}
