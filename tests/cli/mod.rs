//! The command as its users meet it: through the binary.

mod expressions;
mod invalid;
mod learners;
mod matrix;
mod networks;
mod next;
#[cfg(feature = "workbench")]
mod open;
mod packaging;
mod placed;
mod propositions;
mod report;
mod shards;
mod text_format;
mod verify;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use snapbox::cmd::Command;

fn tamper() -> Command {
    Command::new(snapbox::cmd::cargo_bin!("tamper"))
}

fn study(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("case-studies")
        .join(name)
        .join("model.xml")
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("uppaal-models").join(name)
}

/// A run of `classify` on a study, in its own folder.
struct Classify {
    folder: tempfile::TempDir,
}

impl Classify {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }
    fn out(&self) -> PathBuf {
        self.folder.path().join("run")
    }
    fn command(&self, name: &str, words: &str) -> Command {
        let out = self.out();
        let command = tamper().arg("classify").arg(study(name)).arg("--out").arg(out);
        command.args(words.split_whitespace())
    }
    fn json(&self, name: &str, words: &str) -> Value {
        json_of(self.command(name, words).args(["--format", "json"]), 0)
    }
    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.out().join(file)).unwrap()
    }
    /// The content of every file that a finished run leaves, except the lock.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let entries = fs::read_dir(self.out()).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = entries
            .map(|path| {
                (
                    path.file_name().unwrap().to_string_lossy().into_owned(),
                    fs::read(path).unwrap(),
                )
            })
            .collect();
        files.sort();
        files
    }
}

fn json_of(command: Command, code: i32) -> Value {
    let output = command.output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(code),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

fn message_of(command: Command, code: i32) -> String {
    let output = command.output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{message}");
    message
}

#[test]
fn help_teaches_with_examples_and_exit_codes() {
    let output = tamper().arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    for word in [
        "check",
        "refine",
        "classify",
        "export",
        "fmm",
        "features",
        "project",
        "Examples:",
        "Exit codes:",
    ] {
        assert!(help.contains(word), "{word} is missing in {help}");
    }
    for command in [
        "check", "refine", "classify", "export", "fmm", "features", "project", "families",
    ] {
        tamper().args([command, "--help"]).assert().success();
    }
}

#[test]
fn files_of_other_kinds_are_named_as_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let ide = folder.path().join("features.xml");
    fs::write(&ide, "<featureModel><struct><and name=\"A\"/></struct></featureModel>").unwrap();
    let line = example("vending-machine-line.uvl");
    let machine = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/machines/running-example.fsm");
    for words in [
        "check",
        "classify",
        "classify --mutate all",
        "compose --out x.xml",
        "testgen --out x.json",
    ] {
        for (file, said) in [
            (&ide, "is a feature model (FeatureIDE), which `tamper"),
            (&line, "is a feature model (UVL), which `tamper"),
            (&machine, "is a state machine, which `tamper"),
        ] {
            let said = match (words, file == &machine) {
                // It can be checked, and has mutants of its own.
                ("check" | "classify" | "testgen --out x.json", true) => continue,
                ("classify --mutate all", true) => "--mutate has no meaning for a state machine",
                _ => said,
            };
            let command = tamper().args(words.split(' ')).arg(file).current_dir(folder.path());
            let message = message_of(command, 2);
            assert!(message.contains(said), "{words}: {message}");
        }
    }
    let message = message_of(tamper().arg("features").arg(study("wfas")), 2);
    assert!(
        message.contains("is a UPPAAL file, which `tamper features` does not take"),
        "{message}"
    );
}

#[test]
fn wrong_usage_and_unusable_files_exit_with_two() {
    assert!(message_of(tamper().arg("clasify"), 2).contains("classify"));
    assert!(message_of(tamper().args(["check", "no-such-file.xml"]), 2).contains("no-such-file.xml"));
    let message = message_of(
        tamper().arg("check").arg(study("wfas")).args(["--template", "Nobody"]),
        2,
    );
    assert!(message.contains("Nobody") && message.contains("Spec"), "{message}");
    let message = message_of(tamper().arg("classify").arg(example("vending-machine-product.xml")), 2);
    assert!(message.contains("--template"), "{message}");
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.xml");
    fs::write(&empty, "").unwrap();
    message_of(tamper().arg("check").arg(&empty), 2);
}

/// [003] section 5.4.1: 14 of 121 WFAS mutants remove an edge, four of them inconsistent and violating.
#[test]
fn classify_prints_the_published_numbers_of_wfas_as_json() {
    let run = Classify::new();
    let value = run.json("wfas", "--semantics tiga");
    let tmi = &value["operators"]["TMI"];
    let count = |field: &str| tmi[field].as_u64().unwrap();
    assert_eq!([count("total"), count("non_subsumed"), count("subsumed")], [14, 10, 0]);
    assert_eq!([count("inconsistent"), count("unknown"), count("violating")], [4, 0, 4]);
    assert_eq!(value["total"]["total"], 121);
    assert_eq!(value["total"]["ratio"], 0.7424);
    assert_eq!(value["unsound"], 0);
    assert_eq!(serde_json::from_str::<Value>(&run.read("summary.json")).unwrap(), value);
    assert!(run.read("summary.csv").starts_with("operator,total,"));
    let records = run.read("mutants.jsonl");
    let lines: Vec<Value> = records
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 121);
    let first = &lines[0];
    assert_eq!(first["id"], "TMI:cont_1->timeout#0");
    assert_eq!(first["order"], 1);
    assert_eq!(first["operators"], serde_json::json!(["TMI"]));
    assert_eq!(first["violates"], serde_json::json!(["L1"]));
    assert_eq!(first["verdict"], "inconsistent");
    assert_eq!(run.read("violating.txt").lines().count(), 49);
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let (one, two) = (Classify::new(), Classify::new());
    one.json("mutex", "--order 2 --threads 1");
    two.json("mutex", "--order 2 --threads 2");
    assert!(one.files() == two.files(), "one and two threads wrote different files");
}

#[test]
fn static_rules_change_no_verdict() {
    let verdicts = |words: &str| {
        let run = Classify::new();
        run.json("coffee", words);
        let verdict = |line: &str| {
            let line: Value = serde_json::from_str(line).unwrap();
            [line["id"].clone(), line["violates"].clone(), line["verdict"].clone()]
        };
        run.read("mutants.jsonl").lines().map(verdict).collect::<Vec<_>>()
    };
    for semantics in ["strict", "definition", "tiga"] {
        let with = verdicts(&format!("--semantics {semantics}"));
        assert_eq!(with, verdicts(&format!("--semantics {semantics} --static off")));
    }
}

#[test]
fn without_games_what_no_rule_names_is_unknown_and_that_is_no_failure() {
    let value = Classify::new().json("wfas", "--static only");
    assert_eq!(value["total"]["violating"], 49);
    assert_eq!(value["total"]["subsumed_or_inconsistent"], 49);
    assert_eq!(value["total"]["unknown"], 72);
}

#[test]
fn an_interrupted_run_is_resumed_to_the_same_bytes() {
    let run = Classify::new();
    run.json("mutex", "--order 2 --witness");
    let finished = run.files();
    let records = run.read("mutants.jsonl");
    for cut in [0, 1, 333, records.len() / 2, records.len() - 1, records.len()] {
        fs::write(run.out().join("mutants.jsonl"), &records[..cut]).unwrap();
        fs::write(run.out().join("summary.json"), "{").unwrap();
        fs::remove_file(run.out().join("violating.txt")).unwrap();
        run.json("mutex", "--order 2 --witness --resume --threads 1");
        assert!(run.files() == finished, "cut at {cut}");
    }
}

/// All that decides about order 2 of WFAS gives as many of the 60 mutants; none is decided otherwise by the plain game, and a
/// run that goes on after an interruption draws the same ones.
#[test]
fn verdicts_are_verified_by_the_plain_game_evenly_over_what_decided_them() {
    let run = Classify::new();
    let value = run.json("wfas", "--order 2 --semantics tiga --verify 60");
    let ways = value["verified"]["ways"].as_object().unwrap();
    let counts: Vec<u64> = ways.values().map(|n| n.as_u64().unwrap()).collect();
    assert_eq!(counts.iter().sum::<u64>(), 60, "{value}");
    let deciders: Vec<&str> = ways.keys().map(String::as_str).collect();
    assert_eq!(deciders, ["duplicate", "game", "rule"]);
    assert_eq!(counts, [20, 20, 20], "not even: {value}");
    assert_eq!(value["verified"]["differences"], serde_json::json!([]));
    let (records, summary) = (run.read("mutants.jsonl"), run.read("summary.json"));
    for cut in [0, records.len() / 3, records.len()] {
        fs::write(run.out().join("mutants.jsonl"), &records[..cut]).unwrap();
        run.json("wfas", "--order 2 --semantics tiga --verify 60 --resume");
        assert_eq!(run.read("summary.json"), summary, "cut at {cut}");
    }
    let message = message_of(run.command("wfas", "--static only --verify 1"), 2);
    assert!(message.contains("--verify"), "{message}");
}

/// A record that says "subsumed" of a mutant that is non-subsumed, as an error of tamper would: the records of an interrupted run
/// are kept as they are.
#[test]
fn a_wrong_verdict_is_named_with_the_right_one_by_verify() {
    let run = Classify::new();
    run.json("wfas", "--semantics tiga");
    let records = run.read("mutants.jsonl");
    let (wrong, rest) = ("\"verdict\":\"subsumed\"", "\"verdict\":\"non-subsumed\"");
    let line = records.lines().find(|line| line.contains(rest)).unwrap();
    let record: Value = serde_json::from_str(line).unwrap();
    let id = record["id"].as_str().unwrap();
    fs::write(
        run.out().join("mutants.jsonl"),
        records.replacen(line, &line.replace(rest, wrong), 1),
    )
    .unwrap();
    let message = message_of(run.command("wfas", "--semantics tiga --resume --verify 1000"), 1);
    let said = format!("error: {id}: subsumed, decided by game, but non-subsumed by the plain game");
    assert!(message.contains(&said), "{message}");
}

#[test]
fn another_run_is_neither_resumed_nor_overwritten() {
    let run = Classify::new();
    let message = message_of(run.command("mutex", "--resume"), 2);
    assert!(message.contains("no run to resume"), "{message}");
    run.json("mutex", "");
    let message = message_of(run.command("mutex", "--resume --semantics tiga"), 2);
    assert!(message.contains("unmatched"), "{message}");
    let message = message_of(run.command("coffee", "--resume"), 2);
    assert!(message.contains("model"), "{message}");
    run.json("mutex", "--operators ccn");
    assert_eq!(run.read("mutants.jsonl").lines().count(), 1);
    let old = run.folder.path().join("run.old");
    assert_eq!(
        fs::read_to_string(old.join("mutants.jsonl")).unwrap().lines().count(),
        47
    );
}

#[test]
fn a_sample_is_drawn_by_its_seed() {
    let ids = |words: &str| {
        let run = Classify::new();
        run.json("coffee", words);
        run.read("mutants.jsonl")
    };
    assert_eq!(ids("--sample 10 --seed 1").lines().count(), 10);
    assert_eq!(ids("--sample 20%").lines().count(), 11);
    assert_eq!(ids("--sample 10 --seed 1"), ids("--sample 10 --seed 1 --threads 1"));
    assert_ne!(ids("--sample 10 --seed 1"), ids("--sample 10 --seed 2"));
}

#[test]
fn a_limit_that_is_hit_is_unknown_and_exits_with_three() {
    let refine = |left: &str| {
        let command = tamper().arg("refine").arg(example("vending-machine-product.xml"));
        command.args([left, "SodaTea", "--max-states", "1", "--format", "json"])
    };
    assert_eq!(json_of(refine("Soda"), 3)["verdict"], "unknown");
    // No limit keeps a game from refining itself.
    assert_eq!(json_of(refine("SodaTea"), 0)["verdict"], "subsumed");
    let run = Classify::new();
    json_of(run.command("cas", "--max-states 3 --format json"), 3);
    assert!(run.read("mutants.jsonl").contains("state budget (--max-states) hit"));
}

/// The machine without tea refines the one with both: it gives soda up to x = 2 and must be pruned only after
/// that. The other way round, tea is an output, and waiting past 2 a delay, that it cannot match.
#[test]
fn refine_answers_with_its_exit_code() {
    let refine = |left: &str, right: &str, semantics: &str| {
        let command = tamper().arg("refine").arg(example("vending-machine-product.xml"));
        command.args([left, right, "--semantics", semantics, "--format", "json"])
    };
    assert_eq!(
        json_of(refine("Soda", "SodaTea", "definition"), 0)["verdict"],
        "subsumed"
    );
    assert_eq!(json_of(refine("Soda", "SodaTea", "strict"), 0)["verdict"], "subsumed");
    let value = json_of(refine("SodaTea", "Tea", "strict").arg("--witness"), 1);
    assert_eq!(value["verdict"], "non-subsumed");
    assert_eq!(value["witness"]["end"]["kind"], "no-answer");
    assert_eq!(value["witness"]["end"]["demand"]["action"], "soda!");
    assert_eq!(json_of(refine("Tea", "Soda", "strict"), 1)["verdict"], "non-subsumed");
}

/// `Stuck` must leave `l` by x = 1 and cannot; `Free` may stay for ever.
#[test]
fn refine_tells_inconsistent_sides_apart() {
    let template = |name: &str, invariant: &str| {
        format!(
            "<template><name>{name}</name><declaration>clock x;</declaration><location id=\"l\"><name>l</name>\
             <label kind=\"invariant\">{invariant}</label></location><init ref=\"l\"/></template>"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.xml");
    let (stuck, free) = (template("Stuck", "x &lt;= 1"), template("Free", "x &gt;= 0"));
    fs::write(
        &file,
        format!("<nta>{stuck}{free}<system>system Stuck, Free;</system></nta>"),
    )
    .unwrap();
    let refine = |words: [&str; 2]| tamper().arg("refine").arg(&file).args(words).args(["--format", "json"]);
    assert_eq!(json_of(refine(["Stuck", "Free"]), 1)["verdict"], "inconsistent");
    assert_eq!(json_of(refine(["Free", "Stuck"]), 2)["verdict"], "spec-inconsistent");
    let message = message_of(tamper().arg("classify").arg(&file).args(["--template", "Stuck"]), 2);
    assert!(message.contains("`Stuck` is inconsistent"), "{message}");
}

#[test]
fn the_right_side_may_be_in_another_file() {
    let command = tamper()
        .arg("refine")
        .arg(example("vending-machine-tea.xml"))
        .args(["Tea", "SodaTea"]);
    let command = command.arg("--against").arg(example("vending-machine-product.xml"));
    command.assert().code(0).stdout_eq("subsumed\n...");
}

#[test]
fn check_prints_one_object_per_template() {
    let command = tamper().arg("check").arg(study("cas")).args(["--format", "json"]);
    let value = json_of(command, 0);
    let facts = &value[0];
    assert_eq!(value.as_array().unwrap().len(), 1);
    assert_eq!(facts["template"], "Spec");
    assert_eq!([&facts["locations"], &facts["edges"], &facts["clocks"]], [17, 88, 5]);
    assert_eq!([&facts["deterministic"], &facts["consistent"]], [true, true]);
    assert_eq!(
        [&facts["unreachable_locations"], &facts["dead_edges"]],
        [&serde_json::json!([]); 2]
    );
    let soda = tamper()
        .arg("check")
        .arg(example("vending-machine-product.xml"))
        .args(["--template", "Soda"]);
    let value = json_of(soda.args(["--format", "json"]), 0);
    assert_eq!(value[0]["time_locks"], serde_json::json!(["s1"]));
}

/// The lines of `index.jsonl` of an `export` of a study.
fn export(folder: &Path, name: &str, words: &str) -> Vec<Value> {
    let command = tamper().arg("export").arg(study(name)).arg("--out").arg(folder);
    command.args(words.split_whitespace()).assert().success();
    let index = fs::read_to_string(folder.join("index.jsonl")).unwrap();
    index.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// 27 of the 47 mutants of MUTEX violate a guideline.
#[test]
fn export_writes_the_mutants_that_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("mutants");
    let n_files = || {
        let names = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().ends_with(".xml")).count()
    };
    assert_eq!(export(&out, "mutex", "").len(), 47);
    assert_eq!(n_files(), 47);
    let kept = export(&out, "mutex", "--keep !violates");
    assert_eq!(kept.len(), 20);
    assert_eq!(n_files(), 20);
    assert!(kept.iter().all(|line| line["violates"] == serde_json::json!([])));
    // Ten are non-subsumed when unmatched outputs are ignored ([003] section 5.4.1: 6 TAD, 3 CXL, 1 CCN).
    assert_eq!(export(&out, "mutex", "--keep non-subsumed --semantics tiga").len(), 10);
}

#[test]
fn a_written_mutant_has_the_verdict_that_classify_gives_it() {
    let folder = tempfile::tempdir().unwrap();
    let run = Classify::new();
    for (words, mutant) in [
        ("", "Spec_mutant"),
        ("--order 2 --sample 25 --seed 3", "Spec_mutant_mutant"),
    ] {
        run.json("mutex", words);
        let records = run.read("mutants.jsonl");
        let out = folder.path().join("mutants");
        let index = export(&out, "mutex", words);
        assert_eq!(index.len(), records.lines().count());
        for (entry, record) in index.iter().zip(records.lines()) {
            let record: Value = serde_json::from_str(record).unwrap();
            assert_eq!(entry["id"], record["id"]);
            let file = out.join(entry["file"].as_str().unwrap());
            let refine = tamper()
                .arg("refine")
                .arg(&file)
                .args([mutant, "Spec", "--format", "json"]);
            let output = refine.output().unwrap();
            let value: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(value["verdict"], record["verdict"], "{entry}");
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    use std::process::{Command, Stdio};
    let mut command = Command::new(snapbox::cmd::cargo_bin!("tamper"));
    let mut child = command
        .arg("check")
        .arg(study("accel"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Two exported mutants of the lamp: its suite kills both, so that no score is missed; a suite without tests for them kills fewer.
#[test]
fn a_pipeline_may_ask_for_a_share_of_mutants_that_fail_a_suite() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let lamp = example("lamp.xml");
    let testgen = tamper().arg("testgen").arg(&lamp).args(["--operators", "TMI", "--out"]);
    testgen.arg(at("suite.json")).assert().code(0);
    let export =
        tamper()
            .arg("export")
            .arg(&lamp)
            .args(["--keep", "operator in (TMI, CXL)", "--semantics", "definition"]);
    export.arg("--out").arg(at("mutants")).assert().code(0);
    let run = |least: &str| {
        let command = tamper()
            .arg("run")
            .arg(at("suite.json"))
            .arg("--against")
            .arg(at("mutants"));
        command.args(["--fail-under", least, "--format", "json"])
    };
    let value = json_of(run("0"), 0);
    let models = value["models"].as_array().unwrap();
    let killed = models.iter().filter(|model| model["fail"] != 0).count();
    assert!(0 < killed && killed < models.len(), "{killed} of {}", models.len());
    // One percent below the score, and one above it.
    let percent = 100 * killed / models.len();
    json_of(run(&percent.to_string()), 0);
    let message = message_of(run(&(percent + 1).to_string()), 1);
    assert!(
        message.contains(&format!("{killed} of {} models fail some test", models.len())),
        "{message}"
    );
}
