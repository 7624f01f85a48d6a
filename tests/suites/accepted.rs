//! Accepted mutants, and mutants of places that changed: known by what they change, in every kind of model.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn run(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamper"));
    command.args(words).current_dir(folder).output().expect("tamper runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs tamper, which is to exit with `code`: what it prints, and what it says besides.
fn said(folder: &Path, words: &[&str], code: i32) -> (String, String) {
    let output = run(folder, words);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{words:?}: {out}{err}");
    (out, err)
}

fn json(folder: &Path, words: &[&str], code: i32) -> Value {
    let words = [words, &["--format", "json"]].concat();
    serde_json::from_str(&said(folder, &words, code).0).expect("JSON")
}

fn copy(folder: &Path, name: &str, to: &str) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    fs::copy(from, folder.join(to)).expect("copied");
}

fn edit(folder: &Path, name: &str, old: &str, new: &str) {
    let path = folder.join(name);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(old), "{old}");
    fs::write(path, text.replacen(old, new, 1)).unwrap();
}

fn ids(value: &Value) -> Vec<&str> {
    let listed = value.as_array().unwrap().iter();
    listed.map(|one| one["id"].as_str().unwrap()).collect()
}

const LATE: &str = "CXL:invariant:Bright:x<=20=>x<=21";
const EARLY: &str = "CXS:guard:Bright->Off#0:x==20=>x==19";

/// A lamp with a suite that makes nothing of how long bright light lasts, which both mutants change.
fn lamp(at: &Path) {
    copy(at, "uppaal-models/lamp.xml", "lamp.xml");
    said(
        at,
        &["testgen", "lamp.xml", "--operators", "SMI", "--out", "suite.json"],
        0,
    );
}

const SCORE: [&str; 5] = ["score", "suite.json", "lamp.xml", "--operators", "CXL,CXS"];

/// A new edge before all others, from Bright to Off: the edge of the second mutant gets another number. A test can see when the edge
/// is possible, and none does, so that CXL of its guard is a new survivor.
const RESET: &str = "<transition controllable=\"true\"><source ref=\"id4\"/><target ref=\"id0\"/><label kind=\"guard\">x&gt;=5</label>\
    <label kind=\"synchronisation\">reset?</label></transition>\n    <transition";

#[test]
fn what_is_accepted_stays_so_while_others_change_and_no_longer() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    lamp(at);
    let before = json(at, &SCORE, 1);
    assert_eq!(ids(&before["survivors"]), [LATE, EARLY]);
    said(at, &["accept", "lamp.xml", EARLY, "--reason", "no user has a watch"], 0);
    said(at, &["accept", "lamp.xml", LATE, "--reason", "the driver is coarse"], 0);
    let after = json(at, &SCORE, 0);
    assert_eq!(ids(&after["survivors"]), [""; 0]);
    assert_eq!(ids(&after["accepted"]), [LATE, EARLY]);
    assert_eq!(after["accepted"][0]["why"], "the driver is coarse");
    // Both can be killed, and count no more; what is killed stays.
    let count = |value: &Value, name: &str| value[name].as_u64().unwrap();
    assert_eq!(count(&after, "killable"), count(&before, "killable") - 2);
    assert_eq!(count(&after, "killed"), count(&before, "killed"));
    assert_eq!(count(&after, "mutants"), count(&before, "mutants"));
    assert_eq!(said(at, &[&SCORE[..], &["--fail-under", "100"]].concat(), 0).1, "");
    assert_eq!(json(at, &[&SCORE[..], &["--fail-on", "any"]].concat(), 1), {
        let mut any = before.clone();
        any["accepted"] = Value::Array(Vec::new());
        any
    });

    edit(at, "lamp.xml", ">Starting<", ">Waking<");
    edit(at, "lamp.xml", "bright, off;", "bright, off, reset;");
    edit(at, "lamp.xml", "<transition", RESET);
    let renumbered = json(at, &SCORE, 1);
    assert_eq!(ids(&renumbered["survivors"]), ["CXL:guard:Bright->Off#0:x>=5=>x>=6"]);
    assert_eq!(
        ids(&renumbered["accepted"]),
        [LATE, "CXS:guard:Bright->Off#1:x==20=>x==19"]
    );

    // The edge of the second mutant does more now: what was accepted is another mutant.
    edit(
        at,
        "lamp.xml",
        "x==20</label>",
        "x==20</label><label kind=\"assignment\">x=0</label>",
    );
    let (out, err) = said(at, &SCORE, 1);
    assert!(out.contains("survives: CXS:guard:Bright->Off#1:x==20=>x==19"), "{out}");
    let why = "the mutant has changed: it was accepted of `Bright -> Off: off!; x==20`, and is now of `Bright -> Off: off!; x==20; x=0`";
    assert!(
        err.contains(&format!("{EARLY}: {why} (reason: no user has a watch)")),
        "{err}"
    );
    let listed = json(at, &["accept", "lamp.xml"], 1);
    assert_eq!(
        (ids(&listed["accepted"]), listed["lost"][0]["why"].as_str()),
        (vec![LATE], Some(why))
    );
    said(at, &["accept", "lamp.xml", "--remove"], 0);
    assert_eq!(json(at, &["accept", "lamp.xml"], 0)["rows"], 1);
    // Of a mutant that a constant made, nothing is left.
    edit(at, "lamp.xml", "x&lt;=20", "x&lt;=25");
    let (_, err) = said(at, &["classify", "lamp.xml", "--operators", "CXL"], 0);
    assert!(
        err.contains(&format!("{LATE}: the model has no such mutant any more")),
        "{err}"
    );
}

#[test]
fn reports_show_accepted_mutants_and_do_not_warn_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    lamp(at);
    said(at, &["accept", "lamp.xml", LATE, "--reason", "100 % sure"], 0);
    let stryker = [&SCORE[..], &["--as", "sarif", "--stryker", "stryker.json"]].concat();
    let sarif: Value = serde_json::from_str(&said(at, &stryker, 1).0).unwrap();
    let suppressions = |at: usize| sarif["runs"][0]["results"][at]["suppressions"].clone();
    assert_eq!(
        suppressions(0),
        serde_json::json!([{ "kind": "external", "justification": "100 % sure" }])
    );
    assert_eq!(suppressions(1), Value::Null);
    let report: Value = serde_json::from_slice(&fs::read(at.join("stryker.json")).unwrap()).unwrap();
    let mutants = report["files"]["lamp.xml"]["mutants"].as_array().unwrap();
    let late = mutants.iter().find(|mutant| mutant["id"] == LATE).unwrap();
    assert_eq!(
        (&late["status"], &late["statusReason"]),
        (&"Ignored".into(), &"100 % sure".into())
    );
    let (out, _) = said(at, &[&SCORE[..], &["--as", "github"]].concat(), 1);
    let lines: Vec<&str> = out.lines().take_while(|line| line.starts_with("::")).collect();
    assert!(
        lines[0].starts_with("::notice ") && lines[0].ends_with("; 100 %25 sure"),
        "{out}"
    );
    assert!(lines[1].starts_with("::warning ") && lines[1].contains(EARLY), "{out}");
    assert_eq!(lines.len(), 2);
    let gitlab: Value = serde_json::from_str(&said(at, &[&SCORE[..], &["--as", "gitlab"]].concat(), 1).0).unwrap();
    let places = sarif["runs"][0]["results"].as_array().unwrap().iter();
    let places = places.map(|result| &result["locations"][0]["physicalLocation"]["region"]);
    for ((issue, place), (id, severity)) in gitlab
        .as_array()
        .unwrap()
        .iter()
        .zip(places)
        .zip([(LATE, "info"), (EARLY, "major")])
    {
        assert_eq!(
            (&issue["severity"], &issue["check_name"]),
            (&severity.into(), &id[..3].into())
        );
        assert_eq!(issue["fingerprint"], format!("lamp.xml: {id}"));
        assert_eq!(issue["location"]["path"], "lamp.xml");
        assert_eq!(issue["location"]["lines"]["begin"], place["startLine"]);
    }
    assert_eq!(gitlab.as_array().unwrap().len(), 2);
}

/// Of a run the shares hold verdicts only, of a score also what was accepted.
#[test]
fn another_file_of_accepted_mutants_is_named_where_it_is_read_and_refused_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    lamp(at);
    let named = ["--accepted", "other.toml"];
    said(
        at,
        &[&["accept", "lamp.xml", EARLY, "--reason", "r"], &named[..]].concat(),
        0,
    );
    for share in ["1/2", "2/2"] {
        let classify = ["classify", "lamp.xml", "--operators", "CXL,CXS", "--shard", share];
        said(at, &[&classify[..], &["--out", &share[..1]]].concat(), 0);
        let out = format!("score-{}", &share[..1]);
        let scored = run(at, &[&SCORE[..], &named, &["--shard", share, "--out", &out]].concat());
        assert!(scored.status.code() < Some(2), "{}", text(&scored.stderr));
    }
    let merge = ["merge", "1", "2", "--out", "both"];
    let merged = json(at, &[&merge[..], &named].concat(), 0);
    assert_eq!(ids(&merged["accepted"]), [EARLY]);
    assert_eq!(json(at, &merge, 0)["accepted"], Value::Null);

    let merge = ["merge", "score-1", "score-2"];
    assert_eq!(ids(&json(at, &merge, 1)["accepted"]), [EARLY]);
    let (_, err) = said(at, &[&merge[..], &named].concat(), 2);
    assert!(err.contains("give it to each `tamper score --shard`"), "{err}");
    let (_, err) = said(at, &[&SCORE[..], &named, &["--fail-on", "any"]].concat(), 2);
    assert!(
        err.contains("does not read other.toml: leave out --accepted, or --fail-on any"),
        "{err}"
    );
}

/// The edge does more now, and has the same number: the old row and the new one have the same id.
#[test]
fn an_old_row_is_removed_without_a_new_one_of_the_same_id() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    lamp(at);
    said(at, &["accept", "lamp.xml", EARLY, "--reason", "old"], 0);
    let reset = "x==20</label><label kind=\"assignment\">x=0</label>";
    edit(at, "lamp.xml", "x==20</label>", reset);
    said(at, &["accept", "lamp.xml", EARLY, "--reason", "new"], 0);
    let both = json(at, &["accept", "lamp.xml"], 1);
    assert_eq!((&both["rows"], &both["lost"][0]["reason"]), (&2.into(), &"old".into()));
    said(at, &["accept", "lamp.xml", "--remove"], 0);
    let left = json(at, &["accept", "lamp.xml"], 0);
    assert_eq!((&left["rows"], &left["accepted"][0]["why"]), (&1.into(), &"new".into()));
}

/// Two edges that are the same in everything make the same mutants: a row is about one of them.
#[test]
fn of_equal_mutants_a_row_accepts_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    lamp(at);
    said(at, &["accept", "lamp.xml", EARLY, "--reason", "one"], 0);
    let model = fs::read_to_string(at.join("lamp.xml")).unwrap();
    let edge = model.split("<transition").find(|edge| edge.contains("x==20")).unwrap();
    let edge = format!("<transition{}", edge.split("</nta>").next().unwrap());
    let edge = &edge[..edge.find("</transition>").unwrap() + "</transition>".len()];
    fs::write(at.join("lamp.xml"), model.replacen(edge, &format!("{edge}{edge}"), 1)).unwrap();
    let twice = json(at, &["accept", "lamp.xml"], 0);
    assert_eq!(ids(&twice["accepted"]), [EARLY]);
    let second = EARLY.replace("#0", "#1");
    said(at, &["accept", "lamp.xml", &second, "--reason", "two"], 0);
    let both = json(at, &["accept", "lamp.xml"], 0);
    assert_eq!(ids(&both["accepted"]), [EARLY, &second]);
}

#[test]
fn rows_end_and_conditions_hold_for_mutants_to_come() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    lamp(at);
    let keep = ["--keep", "location has Bright && operator == CXL"];
    fn accept<'w>(more: &[&'w str]) -> Vec<&'w str> {
        [&["accept", "lamp.xml"], more].concat()
    }
    said(
        at,
        &accept(&[&keep[..], &["--reason", "as bright as you like"]].concat()),
        0,
    );
    said(
        at,
        &accept(&[EARLY, "--reason", "until May", "--until", "2001-05-31"]),
        0,
    );
    let (out, err) = said(at, &SCORE, 1);
    assert!(
        out.contains(&format!("accepted: {LATE}: as bright as you like")),
        "{out}"
    );
    assert!(out.contains(&format!("survives: {EARLY}")), "{out}");
    assert!(
        err.contains(&format!(
            "{EARLY}: it was accepted until 2001-05-31 (reason: until May)"
        )),
        "{err}"
    );
    said(
        at,
        &accept(&[EARLY, "--reason", "for ever", "--until", "9999-12-31"]),
        0,
    );
    assert_eq!(json(at, &accept(&[]), 0)["rows"], 2);
    said(at, &SCORE, 0);
    // Rows about other operators are left alone.
    assert_eq!(
        said(at, &["score", "suite.json", "lamp.xml", "--operators", "SMI"], 0).1,
        ""
    );
    edit(at, "lamp.accepted.toml", "has Bright", "has Dark");
    assert_eq!(said(at, &SCORE, 1).1, "");
    let lost = json(at, &accept(&[]), 1);
    assert_eq!(lost["lost"][0]["row"], "location has Dark && operator == CXL");
    said(
        at,
        &accept(&["--keep", "location has Dark && operator == CXL", "--remove"]),
        0,
    );
    said(at, &accept(&[EARLY, "--remove"]), 0);
    assert_eq!(json(at, &accept(&[]), 0)["rows"], 0);
}

#[test]
fn what_cannot_be_accepted_is_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    lamp(at);
    let near = LATE.replace("21", "22");
    for (words, why) in [
        (vec![near.as_str(), "--reason", "r"], format!("do you mean `{LATE}`?")),
        (vec![LATE], "give a --reason".to_owned()),
        (vec![LATE, "--reason", " "], "say why the mutant may survive".to_owned()),
        (
            vec![LATE, "--reason", "r", "--until", "2027-02-30"],
            "2027-06-30".to_owned(),
        ),
        (vec!["--reason", "r"], "name the mutants".to_owned()),
        (vec![LATE, "--remove"], "has no row with the id".to_owned()),
        (
            vec!["--keep", "verdict == subsumed", "--reason", "r"],
            "is not known before a run".to_owned(),
        ),
    ] {
        let (_, err) = said(at, &[&["accept", "lamp.xml"], &words[..]].concat(), 2);
        assert!(err.contains(&why), "{words:?}: {err}");
        assert!(!at.join("lamp.accepted.toml").exists(), "{words:?}");
    }
    fs::write(at.join("lamp.accepted.toml"), "[[mutant]]\nid = \"a\"\nwhy = \"b\"\n").unwrap();
    let (_, err) = said(at, &SCORE, 2);
    assert!(
        err.contains("lamp.accepted.toml:3:1") && err.contains("unknown field `why`"),
        "{err}"
    );
    let (_, err) = said(at, &["accept", "lamp.xml", LATE, "--reason", "r"], 2);
    assert!(err.contains("lamp.accepted.toml:3:1"), "{err}");
}

/// The constant of the invariant of Bright has two mutants, CXL and CXS; the suite kills neither of the lamp that it was made for.
#[test]
fn only_what_changed_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    lamp(at);
    copy(at, "uppaal-models/lamp.xml", "before.xml");
    let since = ["--changed-since", "before.xml"];
    let none = json(at, &[&SCORE[..], &since].concat(), 0);
    assert_eq!((&none["mutants"], &none["not_asked"]), (&0.into(), &15.into()));
    edit(at, "lamp.xml", "x&lt;=20", "x&lt;=25");
    let invariant = ["CXL:invariant:Bright:x<=25=>x<=26", "CXS:invariant:Bright:x<=25=>x<=24"];
    let out = ["--out", "run"];
    let classify = [&["classify", "lamp.xml", "--operators", "CXL,CXS"], &since[..]].concat();
    let (_, err) = said(at, &[&classify[..], &out].concat(), 0);
    assert!(err.contains("not asked: 13 mutants"), "{err}");
    let records = fs::read_to_string(at.join("run/mutants.jsonl")).unwrap();
    let found: Vec<Value> = records
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(ids(&Value::Array(found)), invariant);
    // Shares of the same mutants, and a run that goes on.
    for share in ["1/2", "2/2"] {
        said(
            at,
            &[&classify[..], &["--shard", share, "--out", &share[..1]]].concat(),
            0,
        );
    }
    said(at, &["merge", "1", "2", "--out", "both"], 0);
    assert_eq!(fs::read_to_string(at.join("both/mutants.jsonl")).unwrap(), records);
    said(at, &[&classify[..], &["--resume", "--out", "run"]].concat(), 0);
    let made = json(
        at,
        &[
            &["testgen", "lamp.xml", "--operators", "CXL,CXS", "--out", "new.json"],
            &since[..],
        ]
        .concat(),
        0,
    );
    assert_eq!((&made["mutants"], &made["not_asked"]), (&2.into(), &13.into()));
    let (_, err) = said(at, &[&SCORE[..], &["--changed-since", "nowhere"]].concat(), 2);
    assert!(err.contains("--changed-since nowhere: there is no such file"), "{err}");
}

#[test]
fn accepted_mutants_are_no_targets_and_count_apart_in_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    lamp(at);
    said(at, &["accept", "lamp.xml", LATE, EARLY, "--reason", "both"], 0);
    let made = json(
        at,
        &["testgen", "lamp.xml", "--operators", "CXL,CXS", "--out", "new.json"],
        0,
    );
    assert_eq!((&made["mutants"], &made["accepted"]), (&13.into(), &2.into()));
    assert!(!fs::read_to_string(at.join("new.json")).unwrap().contains(LATE));
    // LATE is subsumed: nothing has to be accepted of it.
    let run = json(at, &["classify", "lamp.xml", "--operators", "CXL,CXS"], 0);
    assert_eq!(run["total"]["total"], 15);
    assert_eq!(
        run["accepted"],
        serde_json::json!([{ "id": EARLY, "verdict": "non-subsumed", "why": "both" }])
    );
    // Others are unknown, too.
    let few = ["classify", "lamp.xml", "--operators", "CXL,CXS", "--max-states", "1"];
    said(at, &[&few[..], &["--static", "off"]].concat(), 3);
}

#[test]
fn every_kind_of_model_has_accepted_mutants() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // A network: a location of the other process gets another name.
    copy(at, "uppaal-models/networks/lamp-and-user.xml", "both.xml");
    let late = "Lamp/CCN:Dim->Bright#0:x<3=>x>=3";
    said(at, &["accept", "both.xml", late, "--reason", "r"], 0);
    edit(at, "both.xml", "<name>Busy</name>", "<name>Pressing</name>");
    edit(at, "both.xml", "<name>Off</name>", "<name>Dark</name>");
    assert_eq!(ids(&json(at, &["accept", "both.xml"], 0)["accepted"]), [late]);
    // What the operators do not see of a label counts: `press?` becomes `press!`.
    edit(
        at,
        "both.xml",
        "x &lt; 3</label><label kind=\"synchronisation\">press?",
        "x &lt; 3</label><label kind=\"synchronisation\">press!",
    );
    let lost = json(at, &["accept", "both.xml"], 1);
    assert!(
        lost["lost"][0]["why"].as_str().unwrap().contains("; receives`"),
        "{lost}"
    );

    // A transition system: lines move, and one of two equal lines of other variables stays apart from the other.
    copy(at, "case-studies/beverage/model.smv", "model.smv");
    let id = "ROR:18:18:wtr = 0=>wtr != 0";
    said(at, &["accept", "model.smv", id, "--reason", "r"], 0);
    edit(at, "model.smv", "VAR", "-- one more line\nVAR");
    assert_eq!(
        ids(&json(at, &["accept", "model.smv"], 0)["accepted"]),
        [id.replace("18:18", "19:18")]
    );
    fs::copy(at.join("model.smv"), at.join("old.smv")).unwrap();
    edit(at, "model.smv", "VAR", "\n\nVAR");
    let since = ["classify", "model.smv", "--changed-since", "old.smv"];
    let none = said(at, &since, 0);
    assert!(none.1.contains("not asked: 61 mutants"), "{none:?}");

    // An action system, and a state machine, whose ids have no numbers.
    copy(at, "case-studies/buffer/model.pl", "buffer.pl");
    let id = "guard-true:19:13:(asked #= 0)";
    said(at, &["accept", "buffer.pl", id, "--reason", "r"], 0);
    let text = fs::read_to_string(at.join("buffer.pl")).unwrap();
    fs::write(at.join("buffer.pl"), format!("% a line\n{text}")).unwrap();
    assert_eq!(
        ids(&json(at, &["accept", "buffer.pl"], 0)["accepted"]),
        [id.replace("19:13", "20:13")]
    );
    copy(at, "examples/machines/running-example.fsm", "machine.fsm");
    said(
        at,
        &[
            "accept",
            "machine.fsm",
            "--keep",
            "operator has output",
            "--reason",
            "r",
        ],
        0,
    );
    let machine = json(at, &["classify", "machine.fsm"], 0);
    let accepted = machine["accepted"].as_array().unwrap().len();
    assert!(accepted > 0 && ids(&json(at, &["accept", "machine.fsm"], 0)["accepted"]).len() >= accepted);
}

/// Adds a label of comments behind the label that ends with `behind`.
fn comment(at: &Path, behind: &str, text: &str) {
    let label = format!("{behind}</label>\n      <label kind=\"comments\">{text}</label>");
    edit(at, "lamp.xml", &format!("{behind}</label>"), &label);
}

const OF_THE_EDGE: &str = "x==20";
const OF_THE_LOCATION: &str = "x&lt;=20";

#[test]
fn a_comment_in_the_model_accepts_mutants_at_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    lamp(at);
    comment(
        at,
        OF_THE_EDGE,
        "A note.\n  tamper: accept TMI, CXS, because no user has a watch &amp; looks",
    );
    comment(at, OF_THE_LOCATION, "tamper: accept CXL because the driver is coarse");
    let scored = json(at, &SCORE, 0);
    assert_eq!(ids(&scored["accepted"]), [LATE, EARLY]);
    assert_eq!(scored["accepted"][0]["why"], "the driver is coarse");
    assert_eq!(scored["accepted"][1]["why"], "no user has a watch & looks");
    assert_eq!(
        ids(&json(at, &[&SCORE[..], &["--fail-on", "any"]].concat(), 1)["survivors"]),
        [LATE, EARLY]
    );
    // Listed are all mutants that they speak of, killed or not.
    let listed = json(at, &["accept", "lamp.xml"], 0);
    assert_eq!(ids(&listed["accepted"]), [LATE, EARLY, "TMI:Bright->Off#0"]);
    // Nothing else at the place, and nothing elsewhere.
    edit(
        at,
        "lamp.xml",
        "tamper: accept CXL because",
        "tamper: accept CXS because",
    );
    assert_eq!(ids(&json(at, &SCORE, 1)["survivors"]), [LATE]);
    // No mutant of that kind is there.
    edit(
        at,
        "lamp.xml",
        "tamper: accept CXS because",
        "tamper: accept CCN because",
    );
    let (listed, _) = said(at, &["accept", "lamp.xml"], 1);
    assert!(
        listed.contains("accepts nothing: lamp.xml, line 27: the comment on CCN: "),
        "{listed}"
    );
}

#[test]
fn a_comment_in_the_declarations_of_a_template_is_about_all_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    lamp(at);
    edit(
        at,
        "lamp.xml",
        "clock x;",
        "clock x; // tamper: accept CXL because of the weather",
    );
    let scored = json(at, &SCORE, 1);
    assert_eq!(
        (ids(&scored["accepted"]), ids(&scored["survivors"])),
        (vec![LATE], vec![EARLY])
    );
}

#[test]
fn a_comment_that_is_not_understood_is_refused_at_its_line() {
    for (text, why) in [
        ("tamper: accept CXX because it is so", "no operator `CXX`"),
        ("tamper: accept CXL", "the comment does not say why"),
        ("tamper: accept CXL because ", "the comment does not say why"),
        ("tamper: accept because it is so", "the comment names no operator"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        lamp(folder.path());
        comment(folder.path(), OF_THE_LOCATION, text);
        let (_, message) = said(folder.path(), &SCORE, 2);
        assert!(
            message.contains(why) && message.contains("lamp.xml:27:"),
            "{text}: {message}"
        );
    }
    let folder = tempfile::tempdir().unwrap();
    lamp(folder.path());
    let all = "bright, off; // tamper: accept CXL because it is so";
    edit(folder.path(), "lamp.xml", "bright, off;", all);
    let (_, message) = said(folder.path(), &SCORE, 2);
    assert!(
        message.contains("beside no part of a process") && message.contains("lamp.xml:6:"),
        "{message}"
    );
}

/// In a text, inside an edge, behind it, and in the declarations.
#[test]
fn a_comment_in_a_network_accepts_mutants_of_its_process() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let reason = "tamper: accept CXL because nobody waits";
    copy(at, "uppaal-models/networks/lamp-and-user.xta", "both.xta");
    let edge = "Bright -> Off { guard x == 20; assign level = 0; };";
    edit(at, "both.xta", edge, &format!("{edge} // {reason}"));
    edit(
        at,
        "both.xta",
        "Dim -> Bright { guard",
        &format!("Dim -> Bright {{ /* {reason} */ guard"),
    );
    edit(at, "both.xta", "clock y;", &format!("clock y; // {reason}"));
    let listed = json(at, &["accept", "both.xta", "--mutate", "all"], 0);
    let right = [
        "Lamp/CXL:guard:Bright->Off#1:x==20=>x==21",
        "Lamp/CXL:guard:Dim->Bright#0:x<3=>x<4",
        "User/CXL:guard:Busy->Busy#0@0:y>=5=>y>=6",
    ];
    assert_eq!(ids(&listed["accepted"]), right);
    assert_eq!((&listed["rows"], &listed["comments"]), (&0.into(), &3.into()));
}
