//! A page of tables for the JSON that `run --against`, `score` and `coverage` print.
//!
//! The facts and tables of texts on the page are made here, so that one small script shows all of them.

use serde_json::{Value, json};

use super::counted::{RUN_TOTALS, Total, has, kind_of, runs, text, totals};
use super::shell::{self, PageParts};

/// The page of tables for a JSON file that a command printed.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct TablesPage {
    title: String,
    /// The numbers at the top of the page.
    totals: Vec<Total>,
    facts: Vec<(String, String)>,
    tables: Vec<Value>,
}

impl TablesPage {
    /// The page for a printed answer; `None` if its command has no page.
    pub fn of(object: &Value) -> Option<Self> {
        let has = |names: &[&str]| has(object, names);
        // The answer about all products of a timed game; a refinement has a word, too.
        let is_domain = has(&["verdict", "kill"]) && !has(&["word"]);
        if has(&["models", "tests", "fail"]) {
            Some(of_models(object))
        } else if has(&["runs", "fail", "definite"]) {
            Some(of_systems(object))
        } else if has(&["survivors", "killable", "kills"]) {
            Some(of_score(object))
        } else if has(&["verdict", "given_tests"]) || has(&["verdict", "lower_bound"]) || is_domain {
            Some(of_coverage(object))
        } else if has(&["proved", "conforming"]) {
            Some(of_proof(object))
        } else {
            None
        }
    }

    /// The page; `source` is the file that was read.
    pub fn html(&self, source: &str) -> String {
        let data = json!({
            "tool": format!("tamper {}", env!("CARGO_PKG_VERSION")),
            "source": source,
            "title": self.title,
            "totals": self.totals,
            "facts": self.facts,
            "tables": self.tables,
        });
        let parts = PageParts {
            title: &self.title,
            styles: &[],
            body: include_str!("results.html"),
            scripts: &[include_str!("kinds.js"), include_str!("results.js")],
            asks: false,
        };
        shell::html(parts, &data)
    }
}

/// A table: rows with their kinds, cells, and details to show when a row is opened.
fn table(title: &str, hint: &str, columns: &[&str], rows: Vec<Value>) -> Value {
    json!({ "title": title, "hint": hint, "columns": columns, "rows": rows })
}

fn row(kind: &str, cells: &[String], details: &[(&str, String)], log: &Value) -> Value {
    json!({ "kind": kind, "cells": cells, "details": details, "log": log })
}

fn run_row(model: Option<&str>, run: &Value) -> Value {
    let kind = kind_of(run);
    let why = ["reason", "why", "differs", "late", "broken", "unknown"]
        .iter()
        .map(|name| text(&run[*name]));
    let why = why.filter(|why| !why.is_empty()).collect::<Vec<_>>().join("; ");
    let mut cells = vec![text(&run["test"])];
    cells.extend(model.map(str::to_owned));
    cells.push(match run["kill"].as_str() {
        Some(kill) => format!("{kill} kill"),
        None => why.clone(),
    });
    let plays = run["plays"].as_object().map_or_else(String::new, |plays| {
        let parts = plays.iter().map(|(name, n)| format!("{n} {name}"));
        parts.collect::<Vec<_>>().join(", ")
    });
    let said = runs(&run["remarks"]).map(|remark| text(&remark["text"]));
    let said = said.collect::<Vec<_>>().join("; ");
    let details = [
        ("purpose", text(&run["purpose"])),
        ("why", why),
        ("can end in", text(&run["ends"])),
        ("plays", plays),
        ("said", said),
    ];
    let details: Vec<(&str, String)> = details.into_iter().filter(|(_, text)| !text.is_empty()).collect();
    row(kind, &cells, &details, &run["log"])
}

/// Runs of untimed tests: steps instead of times.
fn of_systems(object: &Value) -> TablesPage {
    let one = |run: &Value| {
        let kind = match (run["verdict"].as_str(), run["purpose_not_reached"].as_bool()) {
            (Some("pass"), Some(true)) => "pass, purpose not reached",
            (Some("pass"), _) => "pass",
            (Some("fail"), _) => "fail",
            _ => "broken",
        };
        let steps = runs(&run["log"]).map(|step| format!("{} → {}", text(&step["give"]), text(&step["seen"])));
        let details = [
            ("purpose", text(&run["purpose"])),
            ("problem", text(&run["problem"])),
            ("given and seen", steps.collect::<Vec<_>>().join("; ")),
        ];
        let details: Vec<(&str, String)> = details.into_iter().filter(|(_, text)| !text.is_empty()).collect();
        let always = if run["always"] == true { "always" } else { "" };
        let cells = [text(&run["test"]), text(&run["subject"]), always.to_owned()];
        row(kind, &cells, &details, &Value::Null)
    };
    let rows = runs(&object["runs"]).map(one).collect();
    TablesPage {
        title: "Untimed tests".to_owned(),
        totals: totals(object, &RUN_TOTALS),
        facts: Vec::new(),
        tables: vec![table(
            "Tests",
            "Open a row for more about it.",
            &["test", "run on", "fails"],
            rows,
        )],
    }
}

fn of_models(object: &Value) -> TablesPage {
    let models = || runs(&object["models"]);
    let rows = models().flat_map(|model| {
        let name = text(&model["model"]);
        let rows = runs(&model["runs"]).map(|run| run_row(Some(&name), run));
        rows.collect::<Vec<_>>()
    });
    let of_model = |model: &Value| {
        let kind = match (
            model["fail"].as_u64(),
            model["unknown"].as_u64(),
            model["broken"].as_u64(),
        ) {
            (Some(1..), _, _) => "fail",
            (_, _, Some(1..)) => "broken",
            (_, Some(1..), _) => "unknown",
            _ => "pass",
        };
        let cells = ["model", "pass", "fail", "definite", "unknown", "broken"].map(|name| text(&model[name]));
        row(kind, &cells, &[], &Value::Null)
    };
    let columns = ["model", "pass", "fail", "of these always", "unknown", "broken"];
    TablesPage {
        title: "Tests run against models".to_owned(),
        totals: totals(object, &RUN_TOTALS),
        facts: vec![("models".to_owned(), models().count().to_string())],
        tables: vec![
            table(
                "Models",
                "How many tests end how on each.",
                &columns,
                models().map(of_model).collect(),
            ),
            table(
                "Tests",
                "Open a row for more about it.",
                &["test", "model", "kill"],
                rows.collect(),
            ),
        ],
    }
}

fn of_score(object: &Value) -> TablesPage {
    let percent = object.get("score").and_then(Value::as_f64).unwrap_or_default() * 100.0;
    let mut all = totals(
        object,
        &[
            ("tests", "tests", ""),
            ("mutants", "mutants", ""),
            ("killable", "killable", ""),
            ("killed", "killed", "pass"),
        ],
    );
    all.push((format!("{percent:.1} %"), "score".to_owned(), ""));
    let operator = |(name, part): (&String, &Value)| {
        let [killable, killed] = ["killable", "killed"].map(|name| text(&part[name]));
        let mutants = text(part.get("mutants").unwrap_or(&part["total"]));
        let kind = if killable == killed { "all killed" } else { "survives" };
        row(kind, &[name.clone(), mutants, killable, killed], &[], &Value::Null)
    };
    let operators = object["operators"].as_object().into_iter().flatten().map(operator);
    let test = |(name, kills): (&String, &Value)| {
        let n = kills
            .as_array()
            .map_or_else(|| text(kills), |kills| kills.len().to_string());
        row("", &[name.clone(), n], &[], &Value::Null)
    };
    let tests = object["kills"].as_object().into_iter().flatten().map(test);
    TablesPage {
        title: "The score of a suite".to_owned(),
        totals: all,
        facts: Vec::new(),
        tables: vec![
            table(
                "Operators",
                "",
                &["operator", "mutants", "killable", "killed"],
                operators.collect(),
            ),
            table(
                "Mutants that are not killed, or need a look",
                "",
                &["mutant", "why"],
                not_killed(object),
            ),
            table("Tests", "", &["test", "mutants that it kills"], tests.collect()),
        ],
    }
}

fn not_killed(object: &Value) -> Vec<Value> {
    let listed = |name: &str, kind: &'static str| {
        // Entries of untimed systems only have an id.
        let id = |entry: &Value| {
            if entry.is_string() {
                text(entry)
            } else {
                text(&entry["id"])
            }
        };
        let one = move |entry: &Value| row(kind, &[id(entry), text(&entry["why"])], &[], &Value::Null);
        runs(&object[name]).map(one).collect::<Vec<_>>()
    };
    [
        listed("survivors", "survives"),
        listed("unknown", "unknown"),
        listed("invalid", "invalid"),
        listed("killed_though_subsumed", "killed though subsumed"),
    ]
    .concat()
}

fn of_coverage(object: &Value) -> TablesPage {
    let verdict = text(&object["verdict"]);
    let kind = match verdict.as_str() {
        "complete" => "pass",
        "incomplete" => "fail",
        _ => "unknown",
    };
    let mut facts: Vec<(String, String)> = Vec::new();
    let mut fact = |name: &str, value: &Value| {
        let text = text(value);
        if !text.is_empty() {
            facts.push((name.replace('_', " "), text));
        }
    };
    let escape = &object["escape"];
    fact("what escapes", &escape["mutated"]);
    fact("what escapes", &escape["mutations"]);
    fact("with the features", &escape["features"]);
    let scalars = object
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, value)| *name != "verdict" && !value.is_object() && !value.is_array());
    scalars.for_each(|(name, value)| fact(name, value));
    TablesPage {
        title: "Coverage of every combination of faults".to_owned(),
        totals: vec![(verdict, "suite".to_owned(), kind)],
        facts,
        tables: coverage_tables(object),
    }
}

fn coverage_tables(object: &Value) -> Vec<Value> {
    let counts = object.get("counts").and_then(Value::as_object);
    let count = |(name, value): (&String, &Value)| {
        let value = match (&value["killed"], &value["killable"]) {
            (Value::Null, _) | (_, Value::Null) => text(value),
            (killed, killable) => format!("{} of {}", text(killed), text(killable)),
        };
        row("", &[name.replace('_', " "), value], &[], &Value::Null)
    };
    let counts: Vec<Value> = counts.into_iter().flatten().map(count).collect();
    let mut tables = Vec::new();
    let steps = killing_steps(&object["escape"]["killed_by"]);
    if !steps.is_empty() {
        tables.push(table(
            "A test that finds what escapes",
            "",
            &["step", "what is done and awaited"],
            steps,
        ));
    }
    if !counts.is_empty() {
        let hint = "Exact numbers of all combinations of faults, however many.";
        tables.push(table("Counts", hint, &["combinations", "how many"], counts));
    }
    let tests = object.get("tests").and_then(Value::as_array).into_iter().flatten();
    let test = |(at, test): (usize, &Value)| row("", &[format!("{}", at + 1), text(test)], &[], &Value::Null);
    let tests: Vec<Value> = tests.enumerate().map(test).collect();
    if !tests.is_empty() {
        tables.push(table(
            "Tests",
            "Those of the suite, and those that were added.",
            &["test", "inputs"],
            tests,
        ));
    }
    let needed = |mutant: &Value| row("", &[text(mutant)], &[], &Value::Null);
    let needed: Vec<Value> = runs(&object["needed_by"]).map(needed).collect();
    if !needed.is_empty() {
        tables.push(table("Mutants that need as many tests", "", &["mutated"], needed));
    }
    tables
}

/// The page of a check whether a proof shows that a suite is complete.
fn of_proof(object: &Value) -> TablesPage {
    let (verdict, kind) = match object["proved"] == true {
        true => ("proved", "pass"),
        false => ("not proved", "fail"),
    };
    let facts = [
        ("because", "because"),
        ("conforming", "conforming mutants that are excluded"),
    ];
    let facts = facts.map(|(name, label)| (label.to_owned(), text(&object[name])));
    TablesPage {
        title: "A proof that a suite is complete".to_owned(),
        totals: vec![(verdict.to_owned(), "suite".to_owned(), kind)],
        facts: facts.into_iter().filter(|(_, text)| !text.is_empty()).collect(),
        tables: Vec::new(),
    }
}

/// A test of a machine (its inputs), or of a timed game (its nodes), a row for each step.
fn killing_steps(test: &Value) -> Vec<Value> {
    let line = |at: usize, what: String| row("", &[format!("{at}"), what], &[], &Value::Null);
    if let Value::Array(inputs) = test {
        let inputs = inputs.iter().enumerate();
        return inputs.map(|(at, input)| line(at + 1, text(input))).collect();
    }
    let when = |part: &Value| match text(&part["when"]) {
        when if when.is_empty() => String::new(),
        when => format!(" when {when}"),
    };
    let leads = |part: &Value| match (part["next"].as_u64(), part["verdict"].as_str()) {
        (Some(next), _) => format!(", then {next}"),
        (_, Some(verdict)) => format!(": {verdict}"),
        _ => ": pass".to_owned(),
    };
    let mut rows = Vec::new();
    for (at, node) in runs(&test["nodes"]).enumerate() {
        for rule in runs(&node["rules"]) {
            let then = rule["then"].as_array().and_then(|then| then.first());
            rows.push(line(
                at,
                match rule["input"].as_str() {
                    Some(input) => format!(
                        "gives {input}{}{}",
                        when(rule),
                        then.map_or_else(|| ": pass".to_owned(), leads)
                    ),
                    None => format!("nothing{}{}", when(rule), leads(rule)),
                },
            ));
        }
        for output in runs(&node["outputs"]) {
            rows.push(line(
                at,
                format!("sees {}{}{}", text(&output["output"]), when(output), leads(output)),
            ));
        }
        rows.push(line(at, format!("sees anything else: {}", text(&node["otherwise"]))));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_command_printed_has_no_page() {
        for value in [
            json!({}),
            json!([]),
            json!({ "verdict": "complete" }),
            json!({ "tests": 3 }),
        ] {
            assert_eq!(TablesPage::of(&value), None, "{value}");
        }
    }
}
