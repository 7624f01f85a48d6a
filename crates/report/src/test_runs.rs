//! The results of a suite that was run against a program.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use tamper_programs::{Judged, Outcome, Place, Remark, Source, TestRun};
use tamper_runs::killing::Chance;
use tamper_suite::{Event, TimeUnit, What, Words};
use tamper_text::visible;

/// The number of tests by result.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RunCounts {
    /// The number of tests that were to be run.
    pub tests: usize,
    /// The number of tests that passed.
    pub pass: usize,
    /// The number of tests in which all was allowed, and the purpose was not reached.
    pub inconclusive: usize,
    /// The number of tests that failed.
    pub fail: usize,
    /// The number of tests that failed in some runs and not in others.
    pub unsteady: usize,
    /// The number of tests without a verdict because the tester was late.
    pub late: usize,
    /// The number of tests without a verdict because the program cannot be tested.
    pub broken: usize,
    /// The number of tests without a verdict because test and judge differ.
    pub differ: usize,
    /// The number of tests that were not run, because the run ended before.
    pub not_run: usize,
}

impl RunCounts {
    /// Counts the runs of `tests` tests by their outcomes.
    pub fn of(runs: &[TestRun], tests: usize) -> Self {
        let mut counts = Self {
            tests,
            not_run: tests.saturating_sub(runs.len()),
            ..Self::default()
        };
        for run in runs {
            *match run.outcome {
                Outcome::Pass => &mut counts.pass,
                Outcome::Inconclusive(_) => &mut counts.inconclusive,
                Outcome::Fail(_) => &mut counts.fail,
                Outcome::Unsteady(_) => &mut counts.unsteady,
                Outcome::Late(_) => &mut counts.late,
                Outcome::Broken(_) => &mut counts.broken,
                Outcome::Differs(_) => &mut counts.differ,
            } += 1;
        }
        counts
    }

    fn text(&self) -> String {
        let always = [
            (self.pass, "pass"),
            (self.inconclusive, "inconclusive"),
            (self.fail, "fail"),
        ];
        let at_times = [
            (self.unsteady, "unsteady"),
            (self.late + self.broken + self.differ, "without a verdict"),
            (self.not_run, "not run"),
        ];
        let shown = always.into_iter().chain(at_times.into_iter().filter(|(n, _)| *n > 0));
        let shown: Vec<String> = shown.map(|(n, name)| format!("{n} {name}")).collect();
        format!("{}: {}", tests_text(self.tests), shown.join(", "))
    }
}

/// The number of tests with its noun: `1 test`, `2 tests`.
pub(super) fn tests_text(n: usize) -> String {
    match n {
        1 => "1 test".to_owned(),
        n => format!("{n} tests"),
    }
}

/// Tests with the same findings together: the first of them in full, and the ids of the others; then the counts of all `tests` that were to
/// be run, and the chance beside them.
pub fn test_runs_text(runs: &[TestRun], tests: usize, words: &Words, chance: Option<&Chance>) -> String {
    let mut text = String::new();
    for group in groups(runs) {
        let Some((first, others)) = group.split_first() else {
            continue;
        };
        let Some(finding) = first.outcome.finding() else {
            continue;
        };
        if !others.is_empty() {
            let how = tests_are(&first.outcome);
            let _ = writeln!(text, "{} {how}: {}", tests_text(group.len()), finding.group);
        }
        let _ = writeln!(text, "{}: {}", first.test, ending(first));
        if !first.purpose.is_empty() {
            let _ = writeln!(text, "  purpose: {}", purpose_text(&first.purpose));
        }
        text.push_str(&log_text(&first.log, words, "  "));
        text.push_str(&remarks_text(&first.remarks, "  "));
        if !others.is_empty() {
            let ids: Vec<&str> = others.iter().map(|run| run.test.as_str()).collect();
            let _ = writeln!(text, "  the same: {}", ids.join(", "));
        }
    }
    text.push_str(&RunCounts::of(runs, tests).text());
    if let Some(chance) = chance {
        text.push('\n');
        text.push_str(&chance_text(chance));
    }
    text
}

/// What random tests would have shown.
fn chance_text(chance: &Chance) -> String {
    let Chance {
        events, mutants, drawn, ..
    } = chance;
    let (low, high) = chance.interval();
    let share = percent_of(chance.shown, *drawn);
    format!(
        "beside chance: random tests with as many inputs and outputs ({events}) fail on {share} % of the {mutants} mutants that these tests are made for \
         ({drawn} drawn; 95 % interval: {:.0} to {:.0} %)",
        low * 100.0,
        high * 100.0
    )
}

/// A share in whole percent, rounded to the nearest.
fn percent_of(part: usize, whole: usize) -> usize {
    (200 * part + whole) / (2 * whole)
}

/// The chance as JSON.
fn chance_json(chance: &Chance) -> Value {
    let (low, high) = chance.interval();
    let thousandths = |share: f64| (share * 1000.0).round() / 1000.0;
    json!({
        "events": chance.events,
        "mutants": chance.mutants,
        "drawn": chance.drawn,
        "shown": chance.shown,
        "low": thousandths(low),
        "high": thousandths(high),
    })
}

/// The tests that did not pass, grouped by their findings; failures first, else in the order of the suite.
fn groups(runs: &[TestRun]) -> Vec<Vec<&TestRun>> {
    let mut groups: Vec<Vec<&TestRun>> = Vec::new();
    let key = |run: &TestRun| {
        (
            rank(&run.outcome),
            run.outcome.finding().map(|finding| finding.group.clone()),
        )
    };
    for run in runs.iter().filter(|run| run.outcome != Outcome::Pass) {
        match groups.iter_mut().find(|group| key(group[0]) == key(run)) {
            Some(group) => group.push(run),
            None => groups.push(vec![run]),
        }
    }
    groups.sort_by_key(|group| rank(&group[0].outcome));
    groups
}

fn rank(outcome: &Outcome) -> usize {
    match outcome {
        Outcome::Differs(_) => 0,
        Outcome::Fail(_) => 1,
        Outcome::Unsteady(_) => 2,
        Outcome::Broken(_) => 3,
        Outcome::Late(_) => 4,
        Outcome::Inconclusive(_) => 5,
        Outcome::Pass => 6,
    }
}

/// The predicate of a sentence about several tests with that outcome.
fn tests_are(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "pass",
        Outcome::Inconclusive(_) => "are inconclusive",
        Outcome::Fail(_) => "fail",
        Outcome::Unsteady(_) => "are unsteady",
        Outcome::Late(_) | Outcome::Broken(_) | Outcome::Differs(_) => "are without a verdict",
    }
}

/// The outcome of a test, and the reason.
fn ending(run: &TestRun) -> String {
    let name = match run.outcome {
        Outcome::Late(_) | Outcome::Broken(_) | Outcome::Differs(_) => "no verdict",
        ref outcome => outcome.name(),
    };
    format!("{name}: {}", why(run))
}

/// The finding of a test, and the number of runs that fail if there were several.
pub(super) fn why(run: &TestRun) -> String {
    let what = run.outcome.finding().map_or("", |finding| &finding.what);
    match (run.tally.runs, run.tally.fails) {
        (2.., 1) => format!("1 of {} runs fails: {what}", run.tally.runs),
        (2.., fails @ 2..) => format!("{fails} of {} runs fail: {what}", run.tally.runs),
        _ => what.to_owned(),
    }
}

/// The remark on a test that conforms but does not reach the place where its mutants would be seen.
pub(super) const UNREACHED: &str = "its purpose not reached";

/// The mutants that a test is to kill.
pub(super) fn purpose_text(purpose: &[String]) -> String {
    match purpose {
        [] => "none is named".to_owned(),
        [one] => format!("to show {one}"),
        [one, others @ ..] => format!("to show {one} and {} more", others.len()),
    }
}

pub(super) fn passes_text(pass: usize, unreached: usize) -> String {
    match unreached {
        0 => format!("{pass} pass"),
        unreached => format!("{pass} pass ({unreached} without reaching their purpose)"),
    }
}

/// The log, a line per event, each after `indent`.
pub(super) fn log_text(log: &[Event], words: &Words, indent: &str) -> String {
    let mut text = String::new();
    for (event, at) in log.iter().zip(words.times(log)) {
        let _ = writeln!(text, "{indent}at {at:<8} {}", what_text(&event.what));
    }
    text
}

/// The output of the program besides the protocol, a line per remark, each after `indent`.
pub(super) fn remarks_text(remarks: &[Remark], indent: &str) -> String {
    let mut text = String::new();
    for remark in remarks {
        let from = source_name(remark.source);
        let _ = writeln!(text, "{indent}{from}: {}", visible(&remark.text));
    }
    text
}

fn source_name(source: Source) -> &'static str {
    match source {
        Source::Log => "log",
        Source::Stderr => "stderr",
    }
}

/// The log of a run on a model, in one line.
pub fn log_line(log: &[Event]) -> String {
    let times = Words::of_model().times(log);
    let each = log.iter().zip(times);
    let all = each.map(|(event, at)| format!("{} at {at}", what_text(&event.what)));
    all.collect::<Vec<_>>().join(", ")
}

fn what_text(what: &What) -> Cow<'_, str> {
    match what {
        What::Input(action) | What::Output(action) => visible(action),
        What::Refused(action) => format!("{} refused", visible(action)).into(),
        What::Silence => "(nothing came)".into(),
    }
}

/// The same as JSON, every test with its log. Times are exact, in time units; `unit_us` is the number of microseconds in a time unit.
pub fn test_runs_json(runs: &[TestRun], tests: usize, words: &Words, chance: Option<&Chance>) -> Value {
    let counts = RunCounts::of(runs, tests);
    json!({
        "unit_us": match words.unit {
            TimeUnit::Model => None,
            TimeUnit::Wall(nanos) => Some(nanos / 1000),
        },
        "tolerance": words.tolerance.to_string(),
        "tests": counts.tests,
        "pass": counts.pass,
        "inconclusive": counts.inconclusive,
        "fail": counts.fail,
        "unsteady": counts.unsteady,
        "late": counts.late,
        "broken": counts.broken,
        "differ": counts.differ,
        "not_run": counts.not_run,
        "chance": chance.map(chance_json),
        "runs": runs.iter().map(|run| run_json(run, words)).collect::<Vec<_>>(),
    })
}

fn run_json(run: &TestRun, words: &Words) -> Value {
    let mut object = Map::new();
    object.insert("test".to_owned(), json!(run.test));
    object.insert("purpose".to_owned(), json!(run.purpose));
    let (verdict, name) = match &run.outcome {
        Outcome::Late(_) | Outcome::Broken(_) | Outcome::Differs(_) => (Value::Null, run.outcome.name()),
        Outcome::Inconclusive(_) => (json!(run.outcome.name()), "why"),
        _ => (json!(run.outcome.name()), "reason"),
    };
    object.insert("verdict".to_owned(), verdict);
    if let Some(finding) = run.outcome.finding() {
        object.insert(name.to_owned(), json!(finding.what));
        if let Some(exactly) = &finding.exactly {
            object.insert("exactly".to_owned(), json!(exactly));
        }
        object.insert("shows".to_owned(), json!(finding.group));
        if let Some(place) = &finding.place {
            object.insert("place".to_owned(), place_json(place, words));
        }
    }
    object.insert("times".to_owned(), json!(run.tally.runs));
    object.insert("fails".to_owned(), json!(run.tally.fails));
    if run.tally.late > 0 {
        object.insert("late_runs".to_owned(), json!(run.tally.late));
    }
    if let Some(lateness) = &run.lateness {
        let (step, by) = (lateness.step, lateness.by.to_string());
        object.insert("lateness".to_owned(), json!({ "step": step, "by": by }));
    }
    object.insert("log".to_owned(), run.log.iter().map(event_json).collect());
    object.insert("until".to_owned(), json!(run.until.to_string()));
    if !run.awaited.is_empty() {
        object.insert("awaited".to_owned(), json!(run.awaited));
    }
    if run.judged != Judged::Not {
        object.insert("judged".to_owned(), json!(run.judged.name()));
    }
    if !run.remarks.is_empty() {
        object.insert("remarks".to_owned(), run.remarks.iter().map(remark_json).collect());
    }
    Value::Object(object)
}

/// The place at which something went wrong; `when` is the moment in the user's unit, as in sentences.
fn place_json(place: &Place, words: &Words) -> Value {
    let mut value = json!(place);
    value["when"] = json!(words.time(&place.at));
    value
}

fn remark_json(remark: &Remark) -> Value {
    json!({ "at": remark.at.to_string(), "from": source_name(remark.source), "text": remark.text })
}

pub(super) fn event_json(event: &Event) -> Value {
    let at = event.at.to_string();
    match &event.what {
        What::Input(action) => json!({ "at": at, "input": action }),
        What::Output(action) => json!({ "at": at, "output": action }),
        What::Refused(action) => json!({ "at": at, "refused": action }),
        What::Silence => json!({ "at": at, "silence": true }),
    }
}
