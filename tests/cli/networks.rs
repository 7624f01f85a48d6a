//! What commands say of single games, of networks as well.

use std::fs;
use std::path::Path;

use serde_json::Value;
use snapbox::cmd::Command;

use super::{example, json_of, message_of, tamper};

const MODEL: &str = "networks/car-alarm.xml";

fn command(folder: &Path, name: &str, words: &str) -> Command {
    let command = tamper().arg(name).arg(example(MODEL)).current_dir(folder);
    command.args(words.split_whitespace())
}

#[test]
fn verdicts_are_verified_and_a_wrong_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let all = "--mutate all --out run --verify 1000";
    let value = json_of(command(folder.path(), "classify", all).args(["--format", "json"]), 0);
    let verified = &value["verified"];
    assert_eq!(verified["differences"], serde_json::json!([]), "{value}");
    let ways = verified["ways"].as_object().unwrap().values();
    assert_eq!(ways.map(|n| n.as_u64().unwrap()).sum::<u64>(), 569, "{value}");
    // A record that says "subsumed" of a mutant that is non-subsumed, as an error of tamper would.
    let path = folder.path().join("run/mutants.jsonl");
    let records = fs::read_to_string(&path).unwrap();
    let (wrong, right) = ("\"verdict\":\"subsumed\"", "\"verdict\":\"non-subsumed\"");
    let line = records.lines().find(|line| line.contains(right)).unwrap();
    let record: Value = serde_json::from_str(line).unwrap();
    fs::write(&path, records.replacen(line, &line.replace(right, wrong), 1)).unwrap();
    let again = command(folder.path(), "classify", &format!("{all} --resume"));
    let said = format!("error: {}: subsumed, decided by", record["id"].as_str().unwrap());
    let message = message_of(again, 1);
    assert!(message.contains(&said), "{message}");
}

/// Shares of an export put together are the export of all, byte for byte.
#[test]
fn mutants_are_exported_in_shares() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, words: &str| command(folder.path(), name, words).assert().code(0);
    run("classify", "--mutate all --out run");
    let keep = "--run run --keep verdict==non-subsumed --out";
    for share in ["1", "2", "3"] {
        run("export", &format!("{keep} part{share} --shard {share}/3"));
    }
    run("export", &format!("{keep} whole"));
    let merge = tamper().arg("merge").current_dir(folder.path());
    merge
        .args(["part2", "part3", "part1", "--out", "merged"])
        .assert()
        .code(0);
    let index = |of: &str| fs::read_to_string(folder.path().join(of).join("index.jsonl")).unwrap();
    assert_eq!(index("merged"), index("whole"));
    assert_eq!(index("whole").lines().count(), 254);
    for line in index("whole").lines() {
        let file = serde_json::from_str::<Value>(line).unwrap()["file"].clone();
        let text = |of: &str| fs::read(folder.path().join(of).join(file.as_str().unwrap())).unwrap();
        assert!(text("merged") == text("whole"), "{line}");
    }
}

/// The composition is a game: it is drawn, and its mutants are one featured model; what it has no file for is refused as such.
#[test]
fn a_composition_is_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, words: &str| command(folder.path(), name, words).assert().code(0);
    run("draw", "--network --out one.svg");
    let picture = fs::read_to_string(folder.path().join("one.svg")).unwrap();
    assert!(picture.contains("OpenUnlocked"), "{picture}");
    run("fmm", "--network --out family");
    run("export", "--network --as tchecker --out mutants");
    assert!(folder.path().join("mutants/original.tck").is_file());
    for (name, words, said) in [
        (
            "export",
            "--network --as uppaal --out no",
            "`tamper compose` writes it as a file of its own",
        ),
        (
            "classify",
            "--mutate all --template Alarm --out no",
            "--template chooses a game of the file, and --mutate processes of its network",
        ),
        (
            "classify",
            "--mutate all --summary-only --out no",
            "each mutant of a network has to be composed",
        ),
        (
            "classify",
            "--mutate all --guidelines extended --out no",
            "proved for single games",
        ),
        (
            "classify",
            "--mutate all --all-constants",
            "is for the clocks of one game",
        ),
    ] {
        let message = message_of(command(folder.path(), name, words), 2);
        assert!(message.contains(said), "{words}: {message}");
        assert!(!folder.path().join("no").exists(), "{words}");
    }
}

/// A file of several processes asks for no option: the line says what is mutated, and how to ask otherwise.
#[test]
fn several_processes_are_mutated_one_by_one_unless_something_else_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &str| message_of(command(folder.path(), "classify", words), 0);
    let said = run("--out guessed");
    assert!(
        said.contains("processes, composed; each mutation changes one of them, as --mutate Alarm,Door")
            && said.contains("--network"),
        "{said}"
    );
    run("--mutate all --out asked");
    let records = |of: &str| fs::read_to_string(folder.path().join(of).join("mutants.jsonl")).unwrap();
    assert_eq!(records("guessed"), records("asked"));
    let said = run("--network --operators TMI --out composition");
    assert!(!said.contains("each mutation changes"), "{said}");
    assert!(!records("composition").contains("\"id\":\"Alarm/"));
}

/// A set of operators means its members that a process has; all of them are meant for a process without others, which is one
/// game, whatever its actions are written as.
#[test]
fn all_operators_are_those_that_have_a_meaning() {
    let folder = tempfile::tempdir().unwrap();
    let output = json_of(
        command(folder.path(), "classify", "--operators all").args(["--format", "json"]),
        0,
    );
    let of_processes = output["operators"].as_object().unwrap();
    assert!(
        of_processes.contains_key("CTG") && !of_processes.contains_key("CAC"),
        "{output}"
    );
    let own = "--operators all --mutant Alarm/TMI:OpenUnlocked->ClosedUnlocked#0 --out mutant.svg";
    message_of(command(folder.path(), "draw", own), 0);

    let text = r#"<nta><declaration>chan ask[2], answer[2];</declaration><template><name>P</name>
        <declaration>clock x; int[0,1] k;</declaration>
        <location id="a"/><location id="b"><label kind="invariant">x&lt;=2</label></location><init ref="a"/>
        <transition><source ref="a"/><target ref="b"/><label kind="select">i : int[0,1]</label>
          <label kind="synchronisation">ask[i]?</label><label kind="assignment">x = 0, k = i</label></transition>
        <transition><source ref="b"/><target ref="a"/><label kind="synchronisation">answer[k]!</label></transition>
        </template><system>system P;</system></nta>"#;
    fs::write(folder.path().join("lone.xml"), text).unwrap();
    let lone = tamper().current_dir(folder.path());
    let message = message_of(lone.args(["classify", "lone.xml", "--operators", "all"]), 0);
    assert!(message.contains("1 process composed into one game"), "{message}");
}

/// Two mutations, of one process or of two: verified by the plain game, gone on with, exported, and grouped by what tests see.
#[test]
fn pairs_of_mutations_of_a_network_are_decided() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, words: &str| json_of(command(folder.path(), name, words).args(["--format", "json"]), 0);
    let pairs = "--order 2 --sample 120 --seed 3 --verify 60 --out pairs";
    let value = run("classify", pairs);
    assert_eq!(value["verified"]["differences"], serde_json::json!([]), "{value}");
    let path = folder.path().join("pairs/mutants.jsonl");
    let records = fs::read_to_string(&path).unwrap();
    let lines: Vec<Value> = records
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 120);
    let processes = |line: &Value| {
        let id = line["id"].as_str().unwrap();
        id.split(';')
            .map(|id| id.split_once('/').unwrap().0.to_owned())
            .collect::<Vec<_>>()
    };
    assert!(
        lines
            .iter()
            .all(|line| line["order"] == 2 && processes(line).len() == 2),
        "{records}"
    );
    let is_of_one = |line: &&Value| processes(line)[0] == processes(line)[1];
    let n_of_one = lines.iter().filter(is_of_one).count();
    assert!(n_of_one > 10 && n_of_one < 110, "{n_of_one}");
    let half: String = records.lines().take(50).map(|line| format!("{line}\n")).collect();
    fs::write(&path, half).unwrap();
    run("classify", &format!("{pairs} --resume"));
    assert_eq!(fs::read_to_string(&path).unwrap(), records);
    // What is written is read again (`tests/networks/written.rs` compares it with what was judged).
    run("export", "--run pairs --keep verdict==subsumed --out kept");
    let index = fs::read_to_string(folder.path().join("kept/index.jsonl")).unwrap();
    for line in index.lines().take(4) {
        let line: Value = serde_json::from_str(line).unwrap();
        let file = folder.path().join("kept").join(line["file"].as_str().unwrap());
        let checked = tamper().arg("check").arg(&file).args(["--network", "--format", "json"]);
        assert!(json_of(checked, 0)[0]["edges"].as_u64() > Some(0), "{line}");
    }
    let lamp = tamper()
        .arg("classify")
        .arg(example("networks/lamp-and-user.xml"))
        .current_dir(folder.path());
    lamp.args(["--duplicates", "--out", "same"]).assert().code(0);
    let classes = fs::read_to_string(folder.path().join("same/classes.csv")).unwrap();
    let n_classes = classes
        .lines()
        .skip(1)
        .map(|line| line.rsplit(',').next().unwrap())
        .collect::<std::collections::BTreeSet<_>>();
    assert!(
        classes.lines().count() > n_classes.len() + 1 && n_classes.len() > 2,
        "{classes}"
    );
}

/// A suite knows how the network was looked at: no later command has to be told again.
#[test]
fn a_suite_of_a_network_remembers_how_it_was_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let few = "--mutate Alarm --system Alarm --operators TMI,SMI,CXL";
    command(folder.path(), "testgen", &format!("{few} --out suite.json"))
        .assert()
        .code(0);
    let score = |words: &str| {
        let command = tamper()
            .args(["score", "suite.json"])
            .arg(example(MODEL))
            .current_dir(folder.path());
        command.args(words.split_whitespace()).args(["--format", "json"])
    };
    let told = json_of(score(few), 0);
    assert_eq!(json_of(score("--operators TMI,SMI,CXL"), 0), told);
    let against = |words: &str| {
        let command = tamper()
            .args(["run", "suite.json", "--against"])
            .arg(example(MODEL))
            .current_dir(folder.path());
        command.args(words.split_whitespace()).args(["--format", "json"])
    };
    assert_eq!(json_of(against(""), 0), json_of(against("--system Alarm"), 0));
    let other = score("--mutate Alarm --system Alarm,Car --operators TMI");
    let said = String::from_utf8(other.output().unwrap().stderr).unwrap();
    assert!(
        said.contains("--system") || said.contains("there is no process"),
        "{said}"
    );
}

/// A lone process is a game without its suite; with it, what the suite observes is seen.
#[test]
fn a_suite_that_observes_a_lone_process_is_run_against_it() {
    let folder = tempfile::tempdir().unwrap();
    let text = "int n;\nclock x;\nprocess P() { state A { x <= 3 }, B; init A; trans A -> B { guard x >= 1; assign n = 1; }, \
                A -> B { guard x >= 2; assign n = 2; }; }\nsystem P;";
    fs::write(folder.path().join("m.xta"), text).unwrap();
    let run = |words: &str| tamper().args(words.split(' ')).current_dir(folder.path()).assert();
    run("testgen m.xta --observe n --out s.json").code(0);
    run("score s.json m.xta").code(0);
    let said = run("run s.json --against m.xta --format json").code(0);
    let told = run("run s.json --against m.xta --observe n --format json").code(0);
    assert_eq!(said.get_output().stdout, told.get_output().stdout);
}

/// One file with all mutants is run against as the files of each are.
#[test]
fn a_featured_mutant_model_of_a_network_is_run_against_as_its_mutants_are() {
    let folder = tempfile::tempdir().unwrap();
    let lamp = example("networks/lamp-and-user.xml");
    let of_lamp = |name: &str, words: &str| {
        let command = tamper().arg(name).arg(&lamp).current_dir(folder.path());
        command.args(words.split_whitespace())
    };
    for format in ["fmm", "uppaal"] {
        let kept = format!("--keep verdict==non-subsumed --as {format} --out {format}");
        of_lamp("export", &kept).assert().code(0);
    }
    of_lamp("testgen", "--out suite.json").assert().code(0);
    let against = |folder_name: &str| {
        let command = tamper().args(["run", "suite.json", "--against", folder_name]);
        json_of(command.current_dir(folder.path()).args(["--format", "json"]), 1)
    };
    assert_eq!(against("fmm"), against("uppaal"));
    let model = fs::read_to_string(folder.path().join("fmm/features.uvl")).unwrap();
    let index = fs::read_to_string(folder.path().join("fmm/index.jsonl")).unwrap();
    assert_eq!(model.matches("number ").count(), index.lines().count(), "{model}");
    for (words, message) in [("--order 2", "at order 1"), ("--scope instance", "is of templates")] {
        let refused = of_lamp("export", &format!("--as fmm --out other --mutate all {words}"));
        assert!(message_of(refused, 2).contains(message));
    }
}

/// Three users that never leave by n == 7; of the two gates only the second is without its edge to `Lost`, since n is 3 from
/// the start for the first.
const GATES: &str = "int n = 3; chan a;
process Gate(const int k) { state Idle { true }, Busy, Lost; init Idle;
  trans Idle -> Busy { sync a!; }, Busy -> Lost { guard n == k; }; }
process User(const int[1,3] i) { state Here, There; init Here; trans Here -> Here { sync a?; }, Here -> There { guard n == 7; }; }
First = Gate(3); Second = Gate(4); system First, Second, User;";

#[test]
fn check_names_what_no_process_of_a_template_does_once_and_a_circle_without_time() {
    let folder = tempfile::tempdir().unwrap();
    let check = |text: &str| {
        fs::write(folder.path().join("gates.xta"), text).unwrap();
        let check = tamper().args(["check", "gates.xta", "--network", "--format", "json"]);
        json_of(check.current_dir(folder.path()), 0)[0].clone()
    };
    let facts = check(GATES);
    let dead = serde_json::json!([
        "Second: Busy -> Lost (line 3)",
        "each of the 3 User: Here -> There (line 4)"
    ]);
    assert_eq!(facts["dead_edges"], dead, "{facts}");
    let unreached = serde_json::json!(["Second.Lost", "each of the 3 User.There"]);
    assert_eq!(facts["unreachable_locations"], unreached, "{facts}");
    assert_eq!(facts["zeno_circle"], Value::Null, "{facts}");
    // The way back makes a circle of two steps.
    let facts = check(&GATES.replace("Busy -> Lost", "Busy -> Idle"));
    assert_eq!(facts["zeno_circle"].as_array().map(Vec::len), Some(2), "{facts}");
}

/// In `Busy` time ends at 5, and the way on is never open: the message names process and location, and what helps.
#[test]
fn an_inconsistent_network_is_refused_with_process_and_location() {
    let folder = tempfile::tempdir().unwrap();
    let text = "clock x; chan a, b; int n;
process Gate() { state Idle { x <= 2 }, Busy { x <= 5 }; init Idle; trans Idle -> Busy { sync a!; assign x = 0; }, Busy -> Idle { guard n == 1; sync b!; }; }
process User() { state Here; init Here; trans Here -> Here { sync a?; }, Here -> Here { sync b?; }; }
system Gate, User;";
    fs::write(folder.path().join("gate.xta"), text).unwrap();
    let message = message_of(tamper().args(["classify", "gate.xta"]).current_dir(folder.path()), 2);
    for part in [
        "in Gate.Busy User.Here n=0, where time is bounded by Gate.Busy",
        "(give it an output that is possible there before time ends, or a later end; --semantics definition takes games as they are)",
    ] {
        assert!(message.contains(part), "{message}");
    }
    let done = tamper()
        .args(["check", "gate.xta", "--network"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let facts = String::from_utf8(done.stdout).unwrap();
    assert_eq!(done.status.code(), Some(1), "{facts}");
    for (line, at) in [
        ("time-locks in           ", "Busy"),
        ("inconsistent states in  ", "Idle"),
    ] {
        let place = format!("{line}Gate.{at} User.Here n=0, where time is bounded by Gate.{at}");
        assert!(facts.contains(&place), "{facts}");
    }
    // Guidelines are proved for clocks that start at 0.
    let ahead = text.replace("clock x;", "clock x = 1;").replace("n == 1", "n == 0");
    fs::write(folder.path().join("ahead.xta"), ahead).unwrap();
    let done = tamper()
        .args(["classify", "ahead.xta"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(
        said.contains("clocks start at other values than 0, so that no guideline is used"),
        "{said}"
    );
}
