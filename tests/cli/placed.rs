//! `tamper score --as sarif` and `--stryker` for networks, and for files that are not UPPAAL's XML: each mutant at its place.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{example, json_of, message_of, tamper};

/// Two bells of one template, each with a sound and a time of its own.
const BELLS: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<nta>
  <declaration>chan ring, toll;</declaration>
  <template>
    <name>Bell</name>
    <parameter>chan &amp;sound, const int late</parameter>
    <declaration>clock x;</declaration>
    <location id="a"><name>Quiet</name><label kind="invariant">x &lt;= late + 2</label></location>
    <location id="b"><name>Rung</name></location>
    <init ref="a"/>
    <transition>
      <source ref="a"/><target ref="b"/>
      <label kind="guard">x &gt;= late</label><label kind="synchronisation">sound!</label>
    </transition>
  </template>
  <system>First = Bell(ring, 1); Second = Bell(toll, 3); system First, Second;</system>
</nta>
"#;

/// A game with a branchpoint of one branch, so that it is deterministic: the branch is the edge.
const BRANCH: &str = r#"<nta>
  <declaration>chan go, left;</declaration>
  <template>
    <name>Coin</name>
    <declaration>clock x;</declaration>
    <location id="a"><name>Ready</name></location>
    <location id="l"><name>Left</name><label kind="invariant">x &lt;= 4</label></location>
    <branchpoint id="b"/>
    <init ref="a"/>
    <transition><source ref="a"/><target ref="b"/><label kind="synchronisation">go?</label></transition>
    <transition><source ref="b"/><target ref="l"/><label kind="assignment">x = 0</label></transition>
    <transition><source ref="l"/><target ref="a"/><label kind="synchronisation">left!</label></transition>
  </template>
  <system>system Coin;</system>
</nta>
"#;

fn copied(at: &Path, name: &str) {
    fs::copy(example("networks").join(name), at.join(name)).unwrap();
}

/// What tamper prints as JSON; it is to exit with `code`.
fn json(at: &Path, words: &str, code: i32) -> Value {
    let command = tamper().current_dir(at).args(words.split_whitespace());
    json_of(command.args(["--format", "json"]), code)
}

/// The part of the text between two places, which have a line and a column each; the lines are ASCII.
fn part(text: &str, [line, column, end_line, end_column]: [&Value; 4]) -> std::ops::Range<usize> {
    let offset = |line: &Value, column: &Value| {
        let [line, column] = [line, column].map(|number| usize::try_from(number.as_u64().unwrap()).unwrap());
        text.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>() + column - 1
    };
    offset(line, column)..offset(end_line, end_column)
}

/// The text of the model at the place of each survivor, by the survivor's id.
fn survivors(at: &Path, words: &str, model: &str) -> BTreeMap<String, String> {
    let words = format!("score suite.json {model} {words} --as sarif");
    let sarif = json_of(tamper().current_dir(at).args(words.split_whitespace()), 1);
    let text = fs::read_to_string(at.join(model)).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap().iter();
    let placed = results.map(|result| {
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], model);
        let region = ["startLine", "startColumn", "endLine", "endColumn"].map(|name| &place["region"][name]);
        let id = result["partialFingerprints"]["tamperMutant/v1"].as_str().unwrap();
        assert!(
            result["message"]["text"]
                .as_str()
                .unwrap()
                .starts_with(&format!("{id}: "))
        );
        (id.to_owned(), text[part(&text, region)].to_owned())
    });
    placed.collect()
}

#[test]
fn mutants_of_instances_are_results_of_their_own_at_the_place_of_their_template() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("bells.xml"), BELLS).unwrap();
    // No location is missed by a test of two steps: the suite is empty, and all that is killable survives.
    json(
        at,
        "testgen bells.xml --operators SMI --mutate all --scope instance --out suite.json",
        0,
    );
    let found = survivors(at, "--operators CXL,CXS", "bells.xml");
    let (late, early) = ("x &lt;= late + 2", "x &gt;= late");
    // A bell that rings later, or earlier, than its template says; CXS makes no constant 0, so the first is never earlier.
    let expected = [
        ("First/CXL:invariant:Quiet:x<=3=>x<=4", late),
        ("Second/CXL:invariant:Quiet:x<=5=>x<=6", late),
        ("Second/CXS:guard:Quiet->Rung#0:x>=3=>x>=2", early),
    ];
    let expected = expected.map(|(id, text)| (id.to_owned(), text.to_owned()));
    assert_eq!(found, BTreeMap::from(expected));
}

#[test]
fn survivors_are_placed_in_files_that_are_not_written_anew() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    copied(at, "lamp-and-user.xta");
    fs::write(at.join("branch.xml"), BRANCH).unwrap();
    json(at, "testgen lamp-and-user.xta --operators SMI --out suite.json", 0);
    let found = survivors(at, "--operators CXL,CXS,TAD", "lamp-and-user.xta");
    assert_eq!(found["Lamp/CXL:invariant:Dim:x<=20=>x<=21"], "x <= 20");
    assert_eq!(found["Lamp/CXS:guard:Dim->Off#1:x==20=>x==19"], "x == 20");
    // A new edge at the location that it leaves.
    assert_eq!(found["User/TAD:output:Busy->Idle"], "Busy");

    json(at, "testgen branch.xml --operators TAD --out suite.json", 0);
    let found = survivors(at, "--operators RRS,CTG", "branch.xml");
    let branch = r#"<transition><source ref="b"/><target ref="l"/><label kind="assignment">x = 0</label></transition>"#;
    let left =
        r#"<transition><source ref="l"/><target ref="a"/><label kind="synchronisation">left!</label></transition>"#;
    assert_eq!(found["RRS:Ready->Left#0:0:x=0"], branch);
    assert_eq!(found["CTG:Left->Ready#0:=>Left"], left);

    let lamp = example("lamp.xml");
    let lamp = lamp.display();
    json(at, &format!("testgen {lamp} --operators SMI --out suite.json"), 0);
    json(
        at,
        &format!("export {lamp} --operators TMI --as tchecker --out mutants"),
        0,
    );
    let found = survivors(at, "--operators CXL,TMI", "mutants/original.tck");
    assert_eq!(found["CXL:invariant:Bright:x<=20=>x<=21"], "x<=20");
    assert_eq!(
        found["TMI:Bright->Stopping#0"],
        "edge:Lamp:Bright:Stopping:press{do:x=0}"
    );
}

#[test]
fn the_report_of_a_network_has_the_texts_that_export_writes() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let model = "lamp-and-user.xml";
    copied(at, model);
    json(at, &format!("testgen {model} --operators SMI --out suite.json"), 0);
    let operators = "TMI,TAD,SMI,CXL,CXS,CCN,URG";
    json(
        at,
        &format!("score suite.json {model} --operators {operators} --stryker report.json"),
        1,
    );
    json(
        at,
        &format!("export {model} --operators TMI,TAD,SMI,CXL,CXS,CCN --as uppaal --out mutants"),
        0,
    );
    let exported = fs::read_to_string(at.join("mutants/index.jsonl")).unwrap();
    let exported = exported.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        let file = at.join("mutants").join(line["file"].as_str().unwrap());
        (
            line["id"].as_str().unwrap().to_owned(),
            fs::read_to_string(file).unwrap(),
        )
    });
    let exported: BTreeMap<String, String> = exported.collect();

    let report: Value = serde_json::from_slice(&fs::read(at.join("report.json")).unwrap()).unwrap();
    let file = &report["files"][model];
    let text = fs::read_to_string(at.join(model)).unwrap();
    assert_eq!(file["source"], *text);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for mutant in file["mutants"].as_array().unwrap() {
        let (id, operator) = (mutant["id"].as_str().unwrap(), mutant["mutatorName"].as_str().unwrap());
        let place = ["start", "end"].map(|end| &mutant["location"][end]);
        let place = part(
            &text,
            [
                &place[0]["line"],
                &place[0]["column"],
                &place[1]["line"],
                &place[1]["column"],
            ],
        );
        let replacement = mutant["replacement"].as_str().unwrap();
        let old = &text[place.clone()];
        let changed = format!("{}{replacement}{}", &text[..place.start], &text[place.end..]);
        assert!(
            mutant.get("coveredBy").is_none(),
            "{id}: which tests come there is not known"
        );
        match operator {
            "CXL" | "CXS" | "CCN" => assert_eq!(changed, exported[id]),
            // An exported network keeps what is removed, without effect.
            "TMI" => assert!(replacement.is_empty() && old.starts_with("<transition"), "{id}"),
            "SMI" => assert!(replacement.is_empty() && old.starts_with("<location"), "{id}"),
            "TAD" => {
                let changed = changed.replacen("<declaration>", "<declaration>chan dummy_1; ", 1);
                let last = |text: &str| {
                    let (file, _) = tamper::formats::read_network("changed", text.as_bytes()).unwrap();
                    let process = usize::from(id.starts_with("User/"));
                    let edge = file.network.processes[process].edges.last().unwrap().clone();
                    (edge.source, edge.target, edge.sync.is_some())
                };
                assert_eq!(last(&changed), last(&exported[id]), "{id}");
            }
            // Not written into the file of a network: a comment describes it, and the model is the original.
            _ => {
                assert!(
                    replacement.starts_with(old) && replacement.contains("<!-- "),
                    "{id}: {replacement}"
                );
                tamper::formats::read_network("changed", changed.as_bytes()).unwrap();
            }
        }
        *counts.entry(operator).or_default() += 1;
    }
    // Nine edges; a new edge, input or output, between each two locations of a process; three locations that are not
    // initial. Operators change no guard of which they see a part only (`y >= 5 && level > 0`): four guards and two
    // invariants are left, of which two have a negation that is one bound.
    assert_eq!(
        counts,
        BTreeMap::from([
            ("TMI", 9),
            ("SMI", 3),
            ("TAD", 26),
            ("CXL", 6),
            ("CXS", 6),
            ("CCN", 2),
            ("URG", 5)
        ])
    );
}

#[test]
fn a_project_of_several_files_is_refused_and_its_component_is_placed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let lamp = example("lamp.xml");
    let lamp = lamp.display();
    json(at, &format!("testgen {lamp} --operators SMI --out suite.json"), 0);
    json(
        at,
        &format!("export {lamp} --operators TMI --as ecdar-json --out project"),
        0,
    );
    let words = "score suite.json project --template Lamp --operators CXL --as sarif";
    let stderr = message_of(tamper().current_dir(at).args(words.split_whitespace()), 2);
    assert!(
        stderr.contains("name the file of the component (in its folder Components)"),
        "{stderr}"
    );
    let found = survivors(at, "--operators CXL", "project/Components/Lamp.json");
    // A location of a component has one place, its name.
    assert_eq!(found["CXL:invariant:Bright:x<=20=>x<=21"], "\"Bright\"");
}
