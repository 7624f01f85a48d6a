//! A page of the tests that were run against a program: tests with the same findings stand together, each with a timeline.
//!
//! The page is made from the JSON that `tamper run` prints, or from the file of results. A timeline is drawn in the browser when its test
//! is opened.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{One as _, Zero as _};
use serde_json::{Map, Value, json};

use super::counted::{RUN_TOTALS, Total, kind_of, runs, text, totals};
use super::shell::{self, PageParts};
use crate::test_runs::test_runs_json;
use tamper_programs::{ReadResults, RunSetting, TestRun, parse_time};
use tamper_suite::{TimeUnit, Words};

/// The scripts that show one test that was run.
pub(super) const RUN_SCRIPTS: [&str; 5] = [
    include_str!("kinds.js"),
    include_str!("timescale.js"),
    include_str!("moments.js"),
    include_str!("timeline.js"),
    include_str!("test_run.js"),
];

const TITLE: &str = "Tests run against a program";

/// The kinds of tests in the order of the page, with the text for one and for several.
const KINDS: [(&str, &str, &str); 7] = [
    ("differs", "is without a verdict", "are without a verdict"),
    ("fail", "fails", "fail"),
    ("unsteady", "is unsteady", "are unsteady"),
    ("broken", "is without a verdict", "are without a verdict"),
    ("late", "is without a verdict", "are without a verdict"),
    ("inconclusive", "is inconclusive", "are inconclusive"),
    ("pass", "passes", "pass"),
];

/// The page of tests that were run against a program.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct RunsPage {
    totals: Vec<Total>,
    facts: Vec<(&'static str, String)>,
    /// The number of microseconds in a time unit; null in accelerated time.
    unit_us: Value,
    /// The tolerance, in time units.
    tolerance: Value,
    /// The tests, each with its kind and the reason for that.
    runs: Vec<Value>,
    groups: Vec<Value>,
}

impl RunsPage {
    /// The page of the JSON that `tamper run` printed.
    pub fn of(printed: &Value) -> Self {
        let runs: Vec<Value> = runs(&printed["runs"]).map(run).collect();
        Self {
            totals: totals(printed, &RUN_TOTALS)
                .into_iter()
                .filter(|(n, name, _)| n != "0" || ["tests", "pass", "fail"].contains(&name.as_str()))
                .collect(),
            facts: time_facts(&words_of(&printed["unit_us"], text(&printed["tolerance"]).as_str())),
            unit_us: printed["unit_us"].clone(),
            tolerance: printed["tolerance"].clone(),
            groups: groups(&runs),
            runs,
        }
    }

    /// The page of the results that `tamper run --results` wrote.
    pub fn of_results(results: &ReadResults) -> Self {
        let setting = &results.setting;
        let runs = last_of_each(&results.runs);
        let words = words_of(&json!(setting.unit_us), &setting.tolerance);
        let mut page = Self::of(&test_runs_json(&runs, runs.len(), &words, None));
        page.facts = [setting_facts(setting), page.facts].concat();
        page
    }

    /// The page; `source` is the file that was read.
    pub fn html(&self, source: &str) -> String {
        let data = json!({
            "tool": format!("tamper {}", env!("CARGO_PKG_VERSION")),
            "source": source,
            "title": TITLE,
            "totals": self.totals,
            "facts": self.facts,
            "unit_us": self.unit_us,
            "tolerance": self.tolerance,
            "groups": self.groups,
            "runs": self.runs,
        });
        let parts = PageParts {
            title: TITLE,
            styles: &[include_str!("runs.css")],
            body: include_str!("runs.html"),
            scripts: &[&RUN_SCRIPTS[..], &[include_str!("runs.js")]].concat(),
            asks: false,
        };
        shell::html(parts, &data)
    }
}

/// The last run of each test, in the place of the first: a continued run has some tests twice.
fn last_of_each(runs: &[TestRun]) -> Vec<TestRun> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut last: Vec<TestRun> = Vec::new();
    for run in runs {
        match places.get(run.test.as_str()) {
            Some(place) => last[*place] = run.clone(),
            None => {
                places.insert(&run.test, last.len());
                last.push(run.clone());
            }
        }
    }
    last
}

/// The wording of times, by the unit and the tolerance as files spell them.
fn words_of(unit_us: &Value, tolerance: &str) -> Words {
    Words {
        unit: match unit_us.as_u64() {
            Some(micros @ 1..) => TimeUnit::Wall(micros.saturating_mul(1000)),
            _ => TimeUnit::Model,
        },
        name: None,
        tolerance: parse_time(tolerance).unwrap_or_else(BigRational::zero),
    }
}

fn time_facts(words: &Words) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if words.unit != TimeUnit::Model {
        facts.push(("a time unit", words.time(&BigRational::one())));
    }
    if !words.tolerance.is_zero() {
        let units = match words.unit {
            TimeUnit::Model => " time units",
            TimeUnit::Wall(_) => "",
        };
        facts.push(("tolerance", format!("{}{units}", words.time(&words.tolerance))));
    }
    facts
}

fn setting_facts(setting: &RunSetting) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("program", setting.sut.clone()),
        ("model", format!("{} of {}", setting.template, setting.model)),
    ];
    facts.extend(setting.file.clone().map(|file| ("tests", file)));
    facts.extend(setting.seed.map(|seed| ("tests", format!("random, seed {seed}"))));
    if setting.repeat > 1 {
        facts.push(("each test", format!("{} times", setting.repeat)));
    }
    if setting.retry > 0 {
        facts.push(("after a failure", format!("{} times more", setting.retry)));
    }
    facts
}

/// A test with its kind and the reason for that.
fn run(printed: &Value) -> Value {
    let names = ["reason", "why", "differs", "late", "broken"];
    let why = names.iter().find_map(|name| printed[*name].as_str());
    let mut run: Map<String, Value> = printed.as_object().cloned().unwrap_or_default();
    names.iter().for_each(|name| {
        run.remove(*name);
    });
    run.insert("kind".to_owned(), json!(kind_of(printed)));
    run.insert("why".to_owned(), json!(why));
    Value::Object(run)
}

/// Groups of tests with the same findings: the text, and the positions of the tests. Failures come first.
fn groups(runs: &[Value]) -> Vec<Value> {
    let mut groups: Vec<(usize, &str, Vec<usize>)> = Vec::new();
    let mut places: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for (at, run) in runs.iter().enumerate() {
        let rank = KINDS.iter().position(|(kind, ..)| run["kind"] == **kind);
        let rank = rank.unwrap_or(KINDS.len() - 1);
        let shows = run["shows"].as_str().unwrap_or_default();
        let place = *places.entry((rank, shows)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((.., tests)) => tests.push(at),
            None => groups.push((rank, shows, vec![at])),
        }
    }
    groups.sort_by_key(|(rank, ..)| *rank);
    let group = |(rank, shows, tests): (usize, &str, Vec<usize>)| {
        let (kind, one, several) = KINDS[rank];
        let says = match tests.len() {
            1 => format!("1 test {one}"),
            n => format!("{n} tests {several}"),
        };
        json!({ "kind": kind, "says": says, "shows": shows, "runs": tests })
    };
    groups.into_iter().map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed() -> Value {
        let test = |name: &str, verdict: &str, sentence: &str, shows: &str| {
            let (named, shown) = if verdict == "inconclusive" {
                ("why", shows)
            } else {
                ("reason", shows)
            };
            json!({ "test": name, "purpose": ["m"], "verdict": verdict, named: sentence, "shows": shown, "times": 1, "fails": 1, "log": [] })
        };
        json!({ "unit_us": 10000, "tolerance": "1/2", "tests": 5, "pass": 1, "inconclusive": 1, "fail": 3, "unsteady": 0, "runs": [
            test("t1", "inconclusive", "elsewhere at 3", "elsewhere"),
            test("t2", "fail", "expected </script>; b came at 1", "b came"),
            json!({ "test": "t3", "purpose": [], "verdict": "pass", "times": 1, "fails": 0, "log": [] }),
            test("t4", "fail", "c came at 2", "c came"),
            test("t5", "fail", "expected </script>; b came at 7", "b came"),
        ] })
    }

    #[test]
    fn tests_that_show_the_same_are_a_group_and_failures_come_first() {
        let page = RunsPage::of(&printed());
        let group = |kind: &str, says: &str, shows: &str, runs: &[usize]| json!({ "kind": kind, "says": says, "shows": shows, "runs": runs });
        assert_eq!(
            page.groups,
            [
                group("fail", "2 tests fail", "b came", &[1, 4]),
                group("fail", "1 test fails", "c came", &[3]),
                group("inconclusive", "1 test is inconclusive", "elsewhere", &[0]),
                group("pass", "1 test passes", "", &[2]),
            ]
        );
        assert_eq!(page.runs[0]["why"], "elsewhere at 3");
        assert_eq!(
            (&page.runs[1]["kind"], &page.runs[2]["why"]),
            (&json!("fail"), &Value::Null)
        );
    }

    #[test]
    fn the_page_says_what_a_time_unit_lasts_and_holds_no_markup_of_a_program() {
        let page = RunsPage::of(&printed());
        assert_eq!(
            page.facts,
            [("a time unit", "10 ms".to_owned()), ("tolerance", "5 ms".to_owned())]
        );
        assert!(!page.html("{{data}}.json").contains("expected </script>"));
    }
}
