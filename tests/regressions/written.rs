//! Whatever a command writes, the commands that read such files read: suites, results, what was printed as JSON, runs, exports and
//! scores; of programs that fail, refuse, end, and do something else each time. `cargo test --test all regressions::written --
//! --nocapture` prints the matrix; `TAMPER_CASES` is how many programs each model gets.

use std::collections::BTreeMap;
use std::process::Command;

use super::Place;

/// Writer and reader, and how often one read what the other wrote.
#[derive(Default)]
struct Matrix(BTreeMap<(&'static str, &'static str), usize>);

impl Matrix {
    /// Calls tamper with `words`, which read what `writer` wrote: anything is answered but that the file is wrong.
    fn reads(&mut self, place: &Place, (writer, reader): (&'static str, &'static str), words: &[&str]) {
        let output = Command::new(env!("CARGO_BIN_EXE_tamper"))
            .current_dir(place.folder.path())
            .args(words)
            .output()
            .expect("tamper runs");
        let said = String::from_utf8_lossy(&output.stderr);
        let nothing_to_say = ["there is nothing to explain", "is inconsistent"];
        let is_read =
            matches!(output.status.code(), Some(0 | 1 | 3)) || nothing_to_say.iter().any(|why| said.contains(why));
        assert!(is_read, "{writer} -> {reader}: {words:?}: {said}");
        *self.0.entry((writer, reader)).or_default() += 1;
    }

    fn print(&self) {
        println!("| writer | reader | cases |\n|---|---|---|");
        for ((writer, reader), cases) in &self.0 {
            println!("| {writer} | {reader} | {cases} |");
        }
    }
}

/// A model, its mutants in the tests, and the outputs of its programs.
const MODELS: [(&str, &str, &str); 4] = [
    ("neg-after.xta", "paper", "stale"),
    ("lamp.xml", "paper", "dim bright off"),
    ("kettle.xml", "CXL,CXS,TMI", "hot"),
    ("overdue.xta", "paper", "expired"),
];

fn place() -> Place {
    let place = Place::with(&[
        "programs/neg-after.xta",
        "programs/wild.py",
        "kettle.xml",
        "overdue.xta",
    ]);
    let lamp = concat!(env!("CARGO_MANIFEST_DIR"), "/uppaal-models/lamp.xml");
    std::fs::copy(lamp, place.at("lamp.xml")).unwrap();
    place
}

fn suites(place: &Place, model: &str, operators: &str, matrix: &mut Matrix) {
    for way in [
        "--strategy minimal",
        "--strategy per-mutant --kill blind",
        "--strategy minimal --kill definite",
        "--style cooperative --delays latest",
    ] {
        place.text(
            &format!("testgen {model} --operators {operators} {way} --out s.json"),
            0,
        );
        let minimise = format!("minimise s.json {model} --operators {operators} --out small.json");
        matrix.reads(place, ("testgen", "minimise"), &minimise.split(' ').collect::<Vec<_>>());
        let coverage =
            format!("coverage {model} s.json --operators {operators} --complete --out whole.json --timeout 20");
        matrix.reads(place, ("testgen", "coverage"), &coverage.split(' ').collect::<Vec<_>>());
        for (writer, suite) in [
            ("testgen", "s.json"),
            ("minimise", "small.json"),
            ("coverage --complete", "whole.json"),
        ] {
            if !place.at(suite).exists() {
                continue;
            }
            for (reader, words) in [
                ("score", format!("score {suite} {model} --operators {operators}")),
                ("run --against", format!("run {suite} --against {model}")),
                ("view", format!("view {suite} {model} --out view")),
                ("harness", format!("harness {suite} --as pytest --out h")),
                ("harness", format!("harness {suite} --as node-test --out h")),
                ("harness", format!("harness {suite} --as tokio --out h")),
                ("harness", format!("harness {suite} --as c --out h")),
                (
                    "testgen --extend",
                    format!("testgen {model} --operators {operators} --extend {suite} --out more.json"),
                ),
            ] {
                matrix.reads(place, (writer, reader), &words.split(' ').collect::<Vec<_>>());
            }
        }
    }
}

/// What comes of that many programs, and who reads it.
fn programs(place: &Place, (model, operators, outputs): (&str, &str, &str), n_programs: usize, matrix: &mut Matrix) {
    for seed in 0..n_programs {
        let program = format!("python3 wild.py {seed} {outputs}");
        for (writer, words) in [
            ("run SUITE", "s.json".to_owned()),
            ("run SUITE --repeat", "s.json --repeat 3".to_owned()),
            ("run --random", format!("--model {model} --random 8 --seed {seed}")),
            (
                "run --strategy adaptive",
                format!("--model {model} --strategy adaptive --operators {operators} --repeat 2"),
            ),
        ] {
            let words =
                format!("run {words} --accelerated --tolerance 1/3 --results r.jsonl --format json --patience 2");
            let mut words: Vec<&str> = words.split(' ').collect();
            words.extend(["--sut", &program]);
            let _ = std::fs::remove_file(place.at("r.jsonl"));
            let output = Command::new(env!("CARGO_BIN_EXE_tamper"))
                .current_dir(place.folder.path())
                .args(&words)
                .output()
                .expect("tamper runs");
            std::fs::write(place.at("p.json"), &output.stdout).unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(place.at("r.jsonl").exists(), "{words:?}: {said}");
            for file in ["r.jsonl", "p.json"] {
                if std::fs::metadata(place.at(file)).unwrap().len() == 0 {
                    continue;
                }
                matrix.reads(place, (writer, "report"), &["report", file, "--out", "page.html"]);
            }
            matrix.reads(
                place,
                (writer, "diagnose"),
                &["diagnose", "r.jsonl", model, "--operators", operators],
            );
            matrix.reads(place, (writer, "diagnose"), &["diagnose", "r.jsonl"]);
            if writer != "run --random" {
                words.push("--resume");
                matrix.reads(place, (writer, "run --resume"), &words);
            }
        }
    }
}

/// Runs, exports and scores.
fn runs(place: &Place, model: &str, operators: &str, matrix: &mut Matrix) {
    let of = |words: &str| words.replace("MODEL", model).replace("OPS", operators);
    let mut all = |writer: &'static str, made: &str, readers: &[(&'static str, &str)]| {
        let _ = std::fs::remove_dir_all(place.at("x"));
        matrix.reads(place, (writer, "itself"), &of(made).split(' ').collect::<Vec<_>>());
        for (reader, words) in readers {
            matrix.reads(place, (writer, reader), &of(words).split(' ').collect::<Vec<_>>());
        }
    };
    for more in ["", " --witness"] {
        all(
            "classify",
            &format!("classify MODEL --operators OPS --out run{more}"),
            &[
                (
                    "classify --resume",
                    &format!("classify MODEL --operators OPS --out run --resume{more}"),
                ),
                ("report", "report run --out page.html"),
                ("testgen --mutants", "testgen MODEL --mutants run --out m.json"),
                ("score --mutants", "score m.json MODEL --mutants run"),
                (
                    "export --mutants",
                    "export MODEL --mutants run --keep non-subsumed --out x",
                ),
                ("run --against", "run m.json --against x"),
            ],
        );
    }
    all(
        "classify --shard",
        "classify MODEL --operators OPS --out one --shard 1/2",
        &[
            (
                "classify --shard",
                "classify MODEL --operators OPS --out two --shard 2/2",
            ),
            ("merge", "merge one two --out both"),
            ("report", "report both --out page.html"),
        ],
    );
    for (form, (reader, words)) in [
        ("uppaal", ("run --against", "run m.json --against x")),
        ("ecdar-json", ("run --against", "run m.json --against x")),
        ("fmm", ("run --against", "run m.json --against x")),
        ("tchecker", ("check", "check x/000000-TMI.tck")),
    ] {
        all(
            "export",
            &format!("export MODEL --operators TMI --as {form} --out x"),
            &[(reader, words)],
        );
    }
    all(
        "export --shard",
        "export MODEL --operators OPS --out one --shard 1/2",
        &[
            ("export --shard", "export MODEL --operators OPS --out two --shard 2/2"),
            ("merge", "merge one two --out both"),
            ("run --against", "run m.json --against both"),
        ],
    );
    all(
        "score --shard",
        "score m.json MODEL --operators OPS --out one-score --shard 1/2",
        &[
            (
                "score --shard",
                "score m.json MODEL --operators OPS --out two-score --shard 2/2",
            ),
            ("merge", "merge one-score two-score"),
        ],
    );
    all(
        "fmm",
        "fmm MODEL --operators TMI --out line",
        &[
            (
                "families",
                "families line/fmm.xml --features line/features.uvl --against MODEL",
            ),
            ("features", "features line/features.uvl"),
            ("check", "check line/fmm.xml --features line/features.uvl"),
        ],
    );
    for (writer, words) in [
        ("score", "score m.json MODEL --operators OPS --format json"),
        (
            "coverage",
            "coverage MODEL m.json --operators OPS --format json --timeout 20",
        ),
        ("run --against", "run m.json --against MODEL --format json"),
    ] {
        let output = place.tamper(&of(words));
        std::fs::write(place.at("p.json"), output.stdout).unwrap();
        matrix.reads(place, (writer, "report"), &["report", "p.json", "--out", "page.html"]);
    }
}

#[test]
fn what_is_written_is_read() {
    let (place, mut matrix) = (place(), Matrix::default());
    let n_programs = std::env::var("TAMPER_CASES").map_or(2, |cases| cases.parse().expect("a number"));
    for (model, operators, outputs) in MODELS {
        suites(&place, model, operators, &mut matrix);
        programs(&place, (model, operators, outputs), n_programs, &mut matrix);
        runs(&place, model, operators, &mut matrix);
    }
    matrix.print();
    let n: usize = matrix.0.values().sum();
    assert!(n >= 550 + 70 * n_programs, "{n} cases");
}
