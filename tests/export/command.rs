//! `tamper export` through the binary: what it writes reads back as the mutants that were asked for.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use snapbox::cmd::Command;
use tamper::experiment::Exported;
use tamper::features::{EncodedModel, FeatureModel, Solver as _, Varisat, products};
use tamper::formats::feature_model::{FeatureModelFormat, read_feature_model};
use tamper::formats::{ReadOptions, read_file, read_model};
use tamper::model::Automaton;
use tamper::mutation::{MutantSpace, MutationOptions, Order};

use crate::export::study;
use crate::show::show;

fn tamper(words: &[&str]) -> Command {
    Command::new(snapbox::cmd::cargo_bin!("tamper")).args(words)
}

/// What a command says; its exit code must be `code`.
fn says(words: &[&str], code: i32) -> String {
    let output = tamper(words).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{words:?}\n{text}");
    text
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A study, its mutants, and the records that `classify` gives them.
struct Studied {
    folder: tempfile::TempDir,
    model: PathBuf,
    space: MutantSpace,
    records: Vec<Value>,
}

impl Studied {
    fn new(name: &str, order: Order) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (document, _) = read_file(&study(name), &ReadOptions::default()).unwrap();
        let space = MutantSpace::new(&document.automata()[0], &MutationOptions::default(), order).unwrap();
        let run = folder.path().join("run");
        let order = order.number().to_string();
        let model = study(name);
        says(
            &[
                "classify",
                &model.to_string_lossy(),
                "--order",
                &order,
                "--out",
                &run.to_string_lossy(),
            ],
            0,
        );
        Self {
            records: lines(&run.join("mutants.jsonl")),
            model,
            folder,
            space,
        }
    }

    /// Exports from the finished run; gives the folder.
    fn export(&self, keep: &str, format: &str) -> PathBuf {
        let out = self.folder.path().join(format);
        let (run, model) = (self.folder.path().join("run"), self.model.to_string_lossy());
        let words = [
            "export",
            &model,
            "--mutants",
            &run.to_string_lossy(),
            "--keep",
            keep,
            "--as",
            format,
        ];
        says(&[&words[..], &["--out", &out.to_string_lossy()]].concat(), 0);
        out
    }

    /// The mutant with that id, enumerated.
    fn mutant(&self, id: &str) -> Automaton {
        let number = self.space.number_of(id).unwrap();
        let (family, position) = self.space.locate(number).unwrap();
        let siblings = self.space.siblings(family).unwrap();
        siblings.mutant(siblings.last().get(position).unwrap())
    }

    /// The ids of the records that satisfy `keep`, which knows no filter language.
    fn ids(&self, keep: impl Fn(&Value) -> bool) -> Vec<String> {
        let kept = self.records.iter().filter(|record| keep(record));
        kept.map(|record| record["id"].as_str().unwrap().to_owned()).collect()
    }
}

fn read_game(path: &Path, name: Option<&str>) -> Automaton {
    let read = read_model(path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let games = read.document.automata();
    match name {
        Some(name) => games[read.document.find(name).unwrap()].clone(),
        None => games[games.len() - 1].clone(),
    }
}

/// Every file of the index is the mutant it says it is, and the index has `expected`.
fn check_files(studied: &Studied, folder: &Path, expected: &[String]) {
    let index: Vec<Exported> = lines(&folder.join("index.jsonl"))
        .into_iter()
        .map(|line| serde_json::from_value(line).unwrap())
        .collect();
    let ids: Vec<&String> = index.iter().map(|line| &line.record.id).collect();
    assert_eq!(ids, expected.iter().collect::<Vec<_>>());
    for line in &index {
        let file = line.file.as_ref().unwrap();
        let game = read_game(&folder.join(file), None);
        assert_eq!(
            show(&game),
            show(&studied.mutant(&line.record.id)),
            "{}",
            line.record.id
        );
        assert_eq!(studied.space.number_of(&line.record.id), Some(line.number));
    }
}

#[test]
fn a_mutant_is_drawn_by_its_id_and_a_feature_model_by_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let model = study("wfas");
    let model = model.to_string_lossy();
    let out = folder.path().join("mutant.svg");
    let id = "TMI:cont_1->timeout#0;CXL:invariant:cont_3:x<=2=>x<=3";
    says(&["draw", &model, "--mutant", id, "--out", &out.to_string_lossy()], 0);
    let svg = fs::read_to_string(&out).unwrap();
    assert!(
        svg.contains("TMI: removes the edge cont_1 -&gt; timeout (timeout!)"),
        "{svg}"
    );
    assert!(
        svg.contains("dotted and crossed, with a line beside its texts: removed") && svg.contains("\u{2192} x &lt;= 3"),
        "{svg}"
    );
    assert!(says(&["draw", &model, "--as", "dot"], 0).starts_with("digraph \"Spec\""));
    assert!(says(&["draw", &model, "--mutant", "TMI:nowhere"], 2).contains("Spec has no mutant `TMI:nowhere`"));
    let features = crate::export::root().join("tests/data/feature-models");
    let uvl = fs::read_dir(&features).unwrap().map(|entry| entry.unwrap().path());
    let uvl = uvl
        .into_iter()
        .find(|path| path.extension().is_some_and(|end| end == "uvl"))
        .unwrap();
    assert!(says(&["draw", &uvl.to_string_lossy()], 0).starts_with("<svg "));
}

const KEEP: &str = "verdict == non-subsumed && operator in (CXL, CXS, TAD) && !violates";

fn is_kept(record: &Value) -> bool {
    let operators = record["operators"].as_array().unwrap();
    record["verdict"] == "non-subsumed"
        && operators
            .iter()
            .all(|operator| ["CXL", "CXS", "TAD"].iter().any(|name| operator == name))
        && record["violates"].as_array().unwrap().is_empty()
}

#[test]
fn every_format_holds_exactly_the_kept_mutants_of_wfas() {
    let studied = Studied::new("wfas", Order::FIRST);
    let expected = studied.ids(is_kept);
    assert!(expected.len() > 40 && expected.len() < 60, "{}", expected.len());
    for format in ["uppaal", "tchecker"] {
        check_files(&studied, &studied.export(KEEP, format), &expected);
    }
    let project = studied.export(KEEP, "ecdar-json");
    check_files(&studied, &project, &expected);
    // The project as a whole is one model: the original and every mutant.
    let whole = read_model(&project, &ReadOptions::default()).unwrap().document;
    assert_eq!(whole.automata().len(), expected.len() + 1);
    assert_eq!(show(&whole.automata()[0]), show(studied.space.base()));
    let queries: Value = serde_json::from_str(&fs::read_to_string(project.join("Queries.json")).unwrap()).unwrap();
    let queries = queries.as_array().unwrap();
    assert_eq!(queries.len(), expected.len());
    assert_eq!(queries[0]["comment"], expected[0].as_str());
    let original = read_game(&studied.folder.path().join("tchecker/original.tck"), None);
    assert_eq!(show(&original), show(studied.space.base()));
}

#[test]
fn tables_hold_the_records_of_the_kept_mutants() {
    let studied = Studied::new("mutex", Order::SECOND);
    let expected = studied.ids(is_kept);
    assert!(!expected.is_empty());
    let kept = lines(&studied.export(KEEP, "jsonl").join("kept.jsonl"));
    let by_id: BTreeMap<&str, &Value> = studied
        .records
        .iter()
        .map(|record| (record["id"].as_str().unwrap(), record))
        .collect();
    let mut ids = Vec::new();
    for line in kept {
        let exported: Exported = serde_json::from_value(line).unwrap();
        assert_eq!(
            serde_json::to_value(&exported.record).unwrap(),
            *by_id[exported.record.id.as_str()]
        );
        assert_eq!(studied.space.number_of(&exported.record.id), Some(exported.number));
        ids.push(exported.record.id);
    }
    assert_eq!(ids, expected);
    let mut table = csv::Reader::from_path(studied.export(KEEP, "csv").join("kept.csv")).unwrap();
    assert_eq!(
        table.headers().unwrap(),
        &csv::StringRecord::from(Exported::COLUMNS.to_vec())
    );
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    let column = |at: usize| rows.iter().map(|row| row[at].to_owned()).collect::<Vec<_>>();
    assert_eq!(column(1), expected);
    let operators = |id: &String| {
        by_id[id.as_str()]["operators"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap())
    };
    assert_eq!(
        column(3),
        expected
            .iter()
            .map(|id| operators(id).collect::<Vec<_>>().join("-"))
            .collect::<Vec<_>>()
    );
}

#[test]
fn mutants_are_found_by_where_they_are() {
    let studied = Studied::new("wfas", Order::FIRST);
    let ids = |keep: &str| {
        let lines = lines(&studied.export(keep, "jsonl").join("kept.jsonl"));
        lines
            .iter()
            .map(|line| line["id"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let naming = |part: &str| studied.ids(|record| record["id"].as_str().unwrap().contains(part));
    // Everything about one edge: its removal, and what its guard `x>=2` allows.
    let edge = ids("edge has 'cont_1->timeout#0' && !(operator has TAD)");
    assert_eq!(edge, naming("cont_1->timeout#0"));
    assert_eq!(edge.len(), 4, "TMI, CXL, CXS, CCN: {edge:?}");
    // A location: its removal, its invariant, and all edges from and to it, added ones too.
    let at_fail = ids("location has fail");
    assert_eq!(at_fail, naming("fail"));
    assert_eq!(ids("site == invariant && clock == x && location == cont_3").len(), 2);
    // One edge each for wakeup1 and wakeup2.
    assert_eq!(ids("action ~ 'wakeup*' && operator == TMI").len(), 2);
}

#[test]
fn a_fresh_export_and_one_from_a_run_are_the_same() {
    let studied = Studied::new("mutex", Order::SECOND);
    let from_run = studied.export("subsumed && operator has TMI", "tchecker");
    let fresh = studied.folder.path().join("fresh");
    let model = studied.model.to_string_lossy();
    let words = [
        "export",
        &model,
        "--order",
        "2",
        "--keep",
        "subsumed && operator has TMI",
        "--as",
        "tchecker",
    ];
    says(&[&words[..], &["--out", &fresh.to_string_lossy()]].concat(), 0);
    let files = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let files =
            entries.filter(|path| path.extension().is_some_and(|end| end == "tck") || path.ends_with("index.jsonl"));
        files
            .map(|path| (path.file_name().unwrap().to_owned(), fs::read(path).unwrap()))
            .collect::<BTreeMap<_, _>>()
    };
    assert!(files(&fresh).len() > 20);
    assert!(files(&fresh) == files(&from_run));
}

#[test]
fn runs_and_conditions_that_do_not_fit_are_refused_before_anything_is_written() {
    let studied = Studied::new("mutex", Order::FIRST);
    let run = studied.folder.path().join("run");
    let (run_text, model) = (run.to_string_lossy(), studied.model.to_string_lossy());
    let out = studied.folder.path().join("out");
    let refused = |words: &[&str]| {
        let text = says(&[words, &["--out", &out.to_string_lossy()]].concat(), 2);
        assert!(!out.exists(), "{text}");
        text
    };
    let text = refused(&["export", &model, "--keep", "verdict == killed && operator has TMX"]);
    assert!(
        text.contains("`verdict` is never `killed`") && text.contains("`operator` is never `TMX`"),
        "{text}"
    );
    assert!(text.contains("--keep:1:12") && text.contains("^^^^^^"), "{text}");
    let text = refused(&["export", &model, "--keep", "location has idle"]);
    assert!(text.contains("Spec has no location `idle`"), "{text}");
    let text = refused(&["export", &model, "--mutants", &run_text, "--keep", "identified"]);
    assert!(text.contains("--guidelines extended"), "{text}");
    let text = refused(&["export", &study("wfas").to_string_lossy(), "--mutants", &run_text]);
    assert!(text.contains("about another model"), "{text}");
    let text = refused(&["export", &model, "--mutants", &run_text, "--order", "2"]);
    assert!(text.contains("cannot be used with"), "{text}");
    let text = says(&["export", &model, "--mutants", &run_text, "--out", &run_text], 2);
    assert!(
        text.contains("is the input") && run.join("mutants.jsonl").exists(),
        "{text}"
    );
    // Without its last line the run is not finished.
    let records = fs::read_to_string(run.join("mutants.jsonl")).unwrap();
    let cut = records.trim_end().rfind('\n').unwrap();
    fs::write(run.join("mutants.jsonl"), &records[..=cut]).unwrap();
    let text = says(
        &[
            "export",
            &model,
            "--mutants",
            &run_text,
            "--out",
            &out.to_string_lossy(),
        ],
        2,
    );
    assert!(text.contains("not finished: it has 46 of 47 mutants"), "{text}");
    assert!(!out.join("index.jsonl").exists());
}

#[test]
fn a_format_that_cannot_hold_the_original_is_refused_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let model = crate::export::root().join("uppaal-models/ecdar-io-lines.xml");
    let (model, out_text) = (model.to_string_lossy(), out.to_string_lossy());
    let games = read_file(Path::new(&*model), &ReadOptions::default()).unwrap().0;
    let name = games
        .automata()
        .iter()
        .find(|game| game.is_input_enabled())
        .unwrap()
        .name()
        .to_owned();
    let words = [
        "export",
        &model,
        "--template",
        &name,
        "--as",
        "tchecker",
        "--out",
        &out_text,
    ];
    let text = says(&words, 2);
    assert!(
        text.contains("TChecker does not ignore inputs") && !out.exists(),
        "{text}"
    );
    // Ecdar has IO lines: the exported project reads back with them.
    let words = [
        "export",
        &model,
        "--template",
        &name,
        "--as",
        "ecdar-json",
        "--out",
        &out_text,
    ];
    says(&words, 0);
    let project = read_model(&out, &ReadOptions::default()).unwrap().document;
    assert!(project.automata().iter().all(Automaton::is_input_enabled));
    assert_eq!(
        show(&project.automata()[0]),
        show(&games.automata()[games.find(&name).unwrap()])
    );
}

#[test]
fn all_commands_read_what_was_exported() {
    let studied = Studied::new("wfas", Order::FIRST);
    let project = studied.export("operator == CXS", "ecdar-json");
    let component = project.join("Components/M000104_CXS.json");
    assert!(component.exists());
    let text = says(&["refine", &project.to_string_lossy(), "M000104_CXS", "Spec"], 1);
    assert!(
        text.starts_with("inconsistent") || text.starts_with("non-subsumed"),
        "{text}"
    );
    // Read from TChecker's file, the game has the same verdicts as read from UPPAAL's.
    let tck = studied.export("false", "tchecker").join("original.tck");
    let out = studied.folder.path().join("again");
    says(
        &["classify", &tck.to_string_lossy(), "--out", &out.to_string_lossy()],
        0,
    );
    assert_eq!(lines(&out.join("mutants.jsonl")), studied.records);
}

/// What two mutants have in common when they differ only in the names of added actions and the order of edges.
fn essence(automaton: &Automaton) -> Vec<String> {
    let dummies = automaton
        .actions()
        .iter()
        .filter(|action| action.name.starts_with("dummy_"));
    let mut text = show(automaton);
    // Longer names first: dummy_12 is not dummy_1.
    let mut names: Vec<_> = dummies.map(|action| action.name.to_string()).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for name in names {
        text = text.replace(&name, "dummy");
    }
    let mut lines: Vec<String> = text.lines().skip(1).map(str::to_owned).collect();
    // The first line is the alphabet, in the order of the names.
    let plain = |name: &str| {
        if name.starts_with("dummy_") {
            "dummy".to_owned()
        } else {
            name.to_owned()
        }
    };
    lines.extend(
        automaton
            .actions()
            .iter()
            .map(|action| format!("{} {:?}", plain(&action.name), action.role)),
    );
    lines.sort();
    lines
}

/// The products of an exported featured mutant model: the names of their features, and their automata.
fn products_of(folder: &Path, format: FeatureModelFormat) -> BTreeMap<Vec<String>, Vec<String>> {
    let read_features = |format: FeatureModelFormat| -> FeatureModel {
        let bytes = fs::read(folder.join(format!("features.{}", format.extension()))).unwrap();
        read_feature_model("features", &bytes, format)
            .unwrap_or_else(|error| panic!("{error}"))
            .0
    };
    let model = read_features(format);
    let (document, _) = read_file(&folder.join("fmm.xml"), &ReadOptions::default()).unwrap();
    let featured = document.featured(0, &model).unwrap_or_else(|error| panic!("{error}"));
    // The features of the UVL file: other formats have helpers besides.
    let names: Vec<String> = read_features(FeatureModelFormat::Uvl)
        .features()
        .iter()
        .skip(1)
        .map(|f| f.name().to_owned())
        .collect();
    let shown: Vec<_> = names.iter().map(|name| model.find(name).unwrap()).collect();
    let mut solver = Varisat::default();
    solver.load(EncodedModel::of(&model).cnf());
    let mut found = BTreeMap::new();
    for mut product in products(&mut solver, &shown, usize::MAX).unwrap() {
        let mut names: Vec<String> = product
            .iter()
            .map(|id| model.features()[id].name().to_owned())
            .collect();
        names.sort();
        product.insert(model.root());
        let automaton = featured.project(&product).unwrap_or_else(|error| panic!("{error}"));
        assert!(found.insert(names, essence(&automaton)).is_none());
    }
    found
}

/// The products of the exported model are the kept mutants, no more and no fewer, each the automaton it should be.
fn check_fmm(studied: &Studied, keep: &str, expected: &[String], formats: &[FeatureModelFormat]) {
    let folder = studied.export(keep, "fmm");
    let mut wanted = BTreeMap::new();
    for line in lines(&folder.join("index.jsonl")) {
        let exported: Exported = serde_json::from_value(line).unwrap();
        let mut features = exported.features.clone();
        features.sort();
        // Two sequences that reach the same product reach the same automaton.
        let mutant = essence(&studied.mutant(&exported.record.id));
        let earlier = wanted.insert(features, mutant.clone());
        assert!(
            earlier.is_none_or(|earlier| earlier == mutant),
            "{}",
            exported.record.id
        );
    }
    let ids: Vec<String> = lines(&folder.join("index.jsonl"))
        .iter()
        .map(|line| line["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ids, expected);
    for format in formats {
        assert!(products_of(&folder, *format) == wanted, "{keep} {format:?}");
    }
}

#[test]
fn the_products_of_an_exported_featured_mutant_model_are_the_kept_mutants() {
    let wfas = Studied::new("wfas", Order::FIRST);
    check_fmm(&wfas, KEEP, &wfas.ids(is_kept), &FeatureModelFormat::ALL);
    check_fmm(&wfas, "all", &wfas.ids(|_| true), &[FeatureModelFormat::Uvl]);
    check_fmm(&wfas, "order == 2", &[], &[FeatureModelFormat::Uvl]);
}

#[test]
fn the_products_of_a_second_order_model_are_the_kept_mutants() {
    let mutex = Studied::new("mutex", Order::SECOND);
    check_fmm(&mutex, KEEP, &mutex.ids(is_kept), &FeatureModelFormat::ALL);
    // Most mutants: features exclude their other partners instead of listing these.
    check_fmm(
        &mutex,
        "!(sequence == 'TMI-CXL')",
        &mutex.ids(|record| record["operators"] != serde_json::json!(["TMI", "CXL"])),
        &[FeatureModelFormat::Uvl],
    );
    check_fmm(
        &mutex,
        "inconsistent && edge ~ 'start_1->*'",
        &mutex.ids(|record| {
            let id = record["id"].as_str().unwrap();
            record["verdict"] == "inconsistent" && id.contains("start_1->")
        }),
        &[FeatureModelFormat::Dimacs],
    );
}

#[test]
fn a_line_with_a_field_that_is_none_of_its_own_is_refused() {
    let studied = Studied::new("mutex", Order::FIRST);
    let line = lines(&studied.export(KEEP, "jsonl").join("kept.jsonl")).remove(0);
    assert!(serde_json::from_value::<Exported>(line.clone()).is_ok());
    let mut more = line;
    more["reasons"] = Value::from("");
    let error = serde_json::from_value::<Exported>(more).unwrap_err().to_string();
    assert!(error.contains("unknown field `reasons`"), "{error}");
}
