//! `tamper score --stryker`: the report against the model, its mutants and the score; `--as github` and `--as sarif` against the report.
//! (`scripts/check-report-formats.sh` asks the published schema.)

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tamper::formats::{guard_text, read_bytes, read_model, updates_text};
use tamper::model::Automaton;
use tamper::mutation::{MutantSpace, MutationOptions, Order};

use crate::suites::commands::{json, study, tamper};

/// The parts of an automaton by their names, for comparisons whatever the alphabet is.
fn parts(automaton: &Automaton) -> (Vec<String>, Vec<String>) {
    let location = |location: &tamper::model::Location| {
        let invariant = guard_text(automaton, &location.invariant, &[]);
        format!("{} {invariant} {:?}", location.name, location.urgency)
    };
    let edge = |edge: &tamper::model::Edge| {
        let name = |id| &automaton.locations()[id].name;
        let guard = guard_text(automaton, &edge.guard, &edge.selects);
        let updates = updates_text(automaton, &edge.updates, &edge.selects);
        let (source, target) = (name(edge.source), name(edge.target));
        format!(
            "{source} {target} {} {guard} {updates}",
            automaton.actions()[edge.action]
        )
    };
    (
        automaton.locations().iter().map(|part| location(part)).collect(),
        automaton.edges().iter().map(|part| edge(part)).collect(),
    )
}

/// The byte at a line and column, both from 1; the columns of ASCII lines are bytes.
fn offset(text: &str, position: &Value) -> usize {
    let line = usize::try_from(position["line"].as_u64().unwrap()).unwrap();
    let column = usize::try_from(position["column"].as_u64().unwrap()).unwrap();
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    assert!(text[start..].lines().next().unwrap_or_default().is_ascii());
    start + column - 1
}

fn strings(value: &Value) -> BTreeSet<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one.as_str().unwrap())
        .collect()
}

#[test]
fn every_replacement_makes_its_mutant_and_the_statuses_make_the_score() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for name in ["wfas", "accel"] {
        let model = study(name);
        let shown = model.display().to_string();
        // A suite that leaves survivors, at places it comes to and at others.
        json(at, &format!("testgen {shown} --operators CXS --out suite.json"), 0);
        let scored = tamper(
            at,
            &format!("score suite.json {shown} --stryker report.json --format json"),
        );
        let scored: Value = serde_json::from_slice(&scored.stdout).unwrap();
        let report: Value = serde_json::from_str(&std::fs::read_to_string(at.join("report.json")).unwrap()).unwrap();
        let file = &report["files"][&shown];
        let text = file["source"].as_str().unwrap();
        assert_eq!(text, std::fs::read_to_string(&model).unwrap());
        assert_eq!(
            (&report["schemaVersion"], &file["language"]),
            (&"2.0".into(), &"xml".into())
        );
        let tests = strings_of(&report["testFiles"]["suite.json"]["tests"], "id");
        let suite_text = report["testFiles"]["suite.json"]["source"].as_str().unwrap();
        for test in report["testFiles"]["suite.json"]["tests"].as_array().unwrap() {
            let line = test["location"]["start"]["line"].as_u64().unwrap();
            let line = suite_text.lines().nth(usize::try_from(line).unwrap() - 1).unwrap();
            assert!(line.contains(test["id"].as_str().unwrap()), "{line}");
        }

        let base = read_model(&model, &Default::default()).unwrap().document.automata()[0].clone();
        let space = MutantSpace::new(&base, &MutationOptions::default(), Order::FIRST).unwrap();
        let siblings = space.siblings(0).unwrap();
        let mutants = file["mutants"].as_array().unwrap();
        assert_eq!(mutants.len() as u64, space.len());
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (mutant, last) in mutants.iter().zip(siblings.last().iter()) {
            let id = mutant["id"].as_str().unwrap();
            assert_eq!(id, siblings.id(last));
            let location = &mutant["location"];
            let (start, end) = (offset(text, &location["start"]), offset(text, &location["end"]));
            let replacement = mutant["replacement"].as_str().unwrap();
            if mutant["mutatorName"] == "SMI" {
                // The location alone; its edges stand elsewhere.
                assert!(
                    text[start..end].starts_with("<location ") && replacement.is_empty(),
                    "{id}"
                );
                assert!(
                    text[start..end].ends_with("</location>") || text[start..end].ends_with("/>"),
                    "{id}"
                );
            } else {
                let mut changed = format!("{}{replacement}{}", &text[..start], &text[end..]);
                if mutant["mutatorName"] == "TAD" {
                    changed = changed.replacen("<declaration>", "<declaration>chan dummy_1; ", 1);
                }
                let (document, _) = read_bytes("changed", changed.as_bytes(), &Default::default())
                    .unwrap_or_else(|error| panic!("{id}: {error}"));
                assert_eq!(parts(&document.automata()[0]), parts(&siblings.mutant(last)), "{id}");
            }
            let (killed, covered) = (strings(&mutant["killedBy"]), strings(&mutant["coveredBy"]));
            assert!(killed.is_subset(&covered) && covered.is_subset(&tests), "{id}");
            let status = mutant["status"].as_str().unwrap();
            assert_eq!(status == "Killed", !killed.is_empty(), "{id}");
            assert_eq!(
                status == "NoCoverage",
                covered.is_empty() && status != "Ignored",
                "{id}"
            );
            assert_eq!(status != "Killed", mutant["statusReason"].is_string(), "{id}");
            *counts.entry(status).or_default() += 1;
        }
        let count = |status: &str| counts.get(status).copied().unwrap_or(0);
        let (killed, survived) = (count("Killed"), count("Survived") + count("NoCoverage"));
        assert_eq!(scored["killed"], killed);
        assert_eq!(scored["killable"], killed + survived);
        assert_eq!(scored["mutants"], killed + survived + count("Ignored"));
        assert!(killed > 0 && survived > 0 && count("Ignored") > 0, "{counts:?}");
    }
}

fn strings_of<'v>(list: &'v Value, name: &str) -> BTreeSet<&'v str> {
    let list = list.as_array().unwrap();
    list.iter().map(|one| one[name].as_str().unwrap()).collect()
}

/// Survivors by id, with the line and column where each begins and ends.
type Places = BTreeMap<String, [u64; 4]>;

fn survivors_of_report(report: &Value, model: &str) -> Places {
    let mutants = report["files"][model]["mutants"].as_array().unwrap();
    let survives = |mutant: &&Value| mutant["status"] == "Survived" || mutant["status"] == "NoCoverage";
    let place = |mutant: &Value| {
        let at = |end: &str, unit: &str| mutant["location"][end][unit].as_u64().unwrap();
        [
            at("start", "line"),
            at("start", "column"),
            at("end", "line"),
            at("end", "column"),
        ]
    };
    let survivors = mutants.iter().filter(survives);
    survivors
        .map(|mutant| (mutant["id"].as_str().unwrap().to_owned(), place(mutant)))
        .collect()
}

fn survivors_of_sarif(sarif: &Value, model: &str) -> Places {
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let rules = strings_of(&sarif["runs"][0]["tool"]["driver"]["rules"], "id");
    let place = |result: &Value| {
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], format!("file://{model}"));
        assert!(rules.contains(result["ruleId"].as_str().unwrap()));
        ["startLine", "startColumn", "endLine", "endColumn"].map(|name| place["region"][name].as_u64().unwrap())
    };
    let id = |result: &Value| {
        result["partialFingerprints"]["tamperMutant/v1"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    results.iter().map(|result| (id(result), place(result))).collect()
}

#[test]
fn survivors_are_marked_where_the_report_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let model = study("wfas").display().to_string();
    json(at, &format!("testgen {model} --operators CXS --out suite.json"), 0);
    let sarif = tamper(
        at,
        &format!("score suite.json {model} --stryker report.json --as sarif"),
    );
    assert_eq!(sarif.status.code(), Some(1));
    let sarif: Value = serde_json::from_slice(&sarif.stdout).unwrap();
    let report: Value = serde_json::from_str(&std::fs::read_to_string(at.join("report.json")).unwrap()).unwrap();
    let survivors = survivors_of_report(&report, &model);
    assert!(survivors.len() > 10, "{}", survivors.len());
    assert_eq!(survivors_of_sarif(&sarif, &model), survivors);

    let summary = at.join("summary.md");
    std::fs::write(&summary, "before\n").unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_tamper"))
        .args(["score", "suite.json", &model, "--as", "github"])
        .env("GITHUB_STEP_SUMMARY", &summary)
        .current_dir(at)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let printed = String::from_utf8(output.stdout).unwrap();
    let (marks, table): (Vec<&str>, Vec<&str>) = printed.lines().partition(|line| line.starts_with("::"));
    assert_eq!(marks.len(), survivors.len());
    for (id, [line, column, end_line, end_column]) in &survivors {
        let columns = match line == end_line {
            true => format!(",col={column},endColumn={end_column}"),
            false => String::new(),
        };
        let start =
            format!("::warning file={model},line={line},endLine={end_line}{columns},title=a mutant survives::{id}: ");
        assert!(marks.iter().any(|mark| mark.starts_with(&start)), "{start}");
    }
    let summary = std::fs::read_to_string(&summary).unwrap();
    let expected = format!("before\n### tamper score\n\n{}\n", table.join("\n"));
    assert_eq!(summary.trim_end(), expected.trim_end());
}

#[test]
fn what_a_report_cannot_show_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (at, wfas) = (folder.path(), study("wfas"));
    let wfas = wfas.display();
    json(at, &format!("testgen {wfas} --operators TMI --out suite.json"), 0);
    for (words, named) in [
        (format!("{wfas} --order 2 --sample 5"), "order 1"),
        (format!("{wfas} --format json"), "leave out `--format json`"),
    ] {
        let output = tamper(
            at,
            &format!("score suite.json {words} --as sarif --stryker report.json"),
        );
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {stderr}");
        assert!(stderr.contains(named), "{words}: {stderr}");
        assert!(!at.join("report.json").exists());
    }
}
