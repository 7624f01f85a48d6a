//! The example games: what refines what, row by row of `uppaal-models/expected.toml`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::Deserialize;
use tamper::formats::uppaal::{self, ReadOptions};
use tamper::game::{GameError, Scratch, Semantics, Specification, Verdict};
use tamper::model::Automaton;
use tamper::text::Budget;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    refinement: Vec<Row>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Row {
    file: String,
    left: String,
    right: String,
    semantics: Vec<String>,
    verdict: String,
    source: String,
    sentence: String,
    paper: Option<String>,
    note: Option<String>,
}

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "uppaal-models"].iter().collect()
}

fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(folder().join("expected.toml")).expect("the rows are there");
    toml::from_str::<Expected>(&text)
        .expect("the rows have the right form")
        .refinement
}

/// The names of the model files.
fn files() -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder()).expect("the folder is there");
    let names = entries.map(|entry| {
        entry
            .expect("a readable entry")
            .file_name()
            .into_string()
            .expect("a plain name")
    });
    names.filter(|name| name.ends_with(".xml")).collect()
}

/// The games of a file.
fn read(file: &str) -> Vec<Automaton> {
    let (document, warnings) = match uppaal::read_file(&folder().join(file), &ReadOptions::default()) {
        Ok(read) => read,
        Err(error) => panic!("{}", tamper::formats::render(&error.file, &error.diagnostics, false)),
    };
    assert_eq!(warnings, [], "{file}");
    document.automata().to_vec()
}

fn semantics(preset: &str) -> Semantics {
    match preset {
        "strict" => Semantics::STRICT,
        "definition" => Semantics::DEFINITION,
        "tiga" => Semantics::TIGA,
        other => panic!("no preset is called {other}"),
    }
}

fn decide(left: &Automaton, right: &Automaton, semantics: Semantics) -> &'static str {
    let budget = Budget::unlimited();
    let specification = match Specification::prepare(right, semantics, &budget) {
        Ok(specification) => specification,
        Err(GameError::SpecInconsistent { .. }) => return "spec-inconsistent",
        Err(error) => panic!("{error}"),
    };
    let decision = specification
        .decide(left, &budget, &mut Scratch::default())
        .expect("the example has a meaning");
    match decision.verdict {
        Verdict::Inconsistent => "inconsistent",
        Verdict::Subsumed => "subsumed",
        Verdict::NonSubsumed => "non-subsumed",
        Verdict::Unknown(_) => "unknown",
    }
}

#[test]
fn every_row_has_its_verdict() {
    let mut wrong = Vec::new();
    for row in rows() {
        let games = read(&row.file);
        let game = |name: &str| {
            games
                .iter()
                .find(|game| game.name() == name)
                .expect("the file has the template")
        };
        for preset in &row.semantics {
            let verdict = decide(game(&row.left), game(&row.right), semantics(preset));
            if verdict != row.verdict {
                wrong.push(format!("{preset}: {verdict} instead of {row:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_is_read_and_listed_in_the_readme() {
    let readme = std::fs::read_to_string(folder().join("README.md")).expect("the folder has a README");
    for file in files() {
        assert!(!read(&file).is_empty(), "{file}");
        assert!(readme.contains(&format!("`{file}`")), "{file}");
    }
}

#[test]
fn every_row_names_its_source_and_why_it_differs_from_it() {
    for row in rows() {
        assert!(!row.source.is_empty() && !row.sentence.is_empty(), "{row:?}");
        assert_eq!(row.paper.is_some(), row.note.is_some(), "{row:?}");
        assert_ne!(row.paper.as_ref(), Some(&row.verdict), "{row:?}");
    }
}

#[test]
fn every_pair_is_decided_under_every_preset() {
    let mut presets = std::collections::BTreeMap::<_, BTreeSet<String>>::new();
    for row in rows() {
        let of_pair = presets.entry((row.file, row.left, row.right)).or_default();
        for preset in row.semantics {
            assert!(of_pair.insert(preset), "a pair has one verdict under a preset");
        }
    }
    let all = BTreeSet::from(["definition", "strict", "tiga"].map(str::to_owned));
    for (pair, of_pair) in presets {
        assert_eq!(of_pair, all, "{pair:?}");
    }
}
