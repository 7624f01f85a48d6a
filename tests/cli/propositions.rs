//! Atomic propositions of locations ([003] Definition 2): read, kept, and seen where that is asked.

use std::fs;
use std::path::PathBuf;

use super::{example, json_of, message_of, tamper};
use tamper::formats::uppaal::{ReadOptions, read_bytes};
use tamper::formats::{Inexpressible, write_automaton, write_tchecker};
use tamper::model::{Automaton, LocId};
use tamper::text::Id as _;

const MODEL: &str = r#"<nta>
<declaration>chan i, go;</declaration>
<template><name>G</name>
<location id="a"><name>A</name></location>
<location id="b"><name>B</name><label kind="comments">where the light is on
 propositions: lit, warm</label></location>
<init ref="a"/>
<transition><source ref="a"/><target ref="b"/><label kind="synchronisation">go!</label></transition>
<transition><source ref="a"/><target ref="a"/><label kind="synchronisation">i?</label></transition>
<transition><source ref="b"/><target ref="b"/><label kind="synchronisation">i?</label></transition>
</template>
<system>system G;</system>
</nta>
"#;

fn game(text: &str) -> Automaton {
    let (document, _) = read_bytes("G", text.as_bytes(), &ReadOptions::default()).expect("a model");
    document.automata()[0].clone()
}

fn held(game: &Automaton, location: usize) -> Vec<&str> {
    let name = &game.locations()[LocId::from_index(location)].name;
    let held = game.propositions().get(name);
    held.into_iter().flatten().map(|name| &**name).collect()
}

#[test]
fn what_holds_in_locations_is_read_and_kept() {
    let original = game(MODEL);
    assert_eq!(held(&original, 0), Vec::<&str>::new());
    assert_eq!(held(&original, 1), ["lit", "warm"]);
    assert_eq!(game(&write_automaton(&original)), original);
    let smaller = original.without_location(LocId::from_index(1));
    assert_eq!(game(&write_automaton(&smaller)), smaller);
    let refused: Result<String, Inexpressible> = write_tchecker(&original);
    assert!(refused.is_err_and(|error| error.to_string().contains("no atomic propositions")));
    let wrong = MODEL.replace("lit, warm", "lit, , warm");
    assert!(read_bytes("G", wrong.as_bytes(), &ReadOptions::default()).is_err());
}

fn written(folder: &tempfile::TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path
}

/// By hand: with ignored outputs an added output from A to B is subsumed, as B does less than A; but something else holds
/// there. An added output from B to A is not subsumed anyway, loops are, and so are added inputs.
#[test]
fn an_added_output_into_a_location_in_which_something_else_holds_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let model = written(&folder, "model.xml", MODEL);
    let classify = |words: &str| {
        let command = tamper().arg("classify").arg(&model).current_dir(folder.path());
        command.args(
            "--operators TAD --semantics tiga --out run"
                .split(' ')
                .chain(words.split_whitespace()),
        )
    };
    let n_non_subsumed = |words: &str| {
        let total = &json_of(classify(words).args(["--format", "json"]), 0)["total"];
        assert_eq!(total["total"], 8);
        total["non_subsumed"].as_u64().unwrap()
    };
    assert_eq!(n_non_subsumed(""), 1);
    assert_eq!(n_non_subsumed("--propositions unseen --static off"), 1);
    assert_eq!(n_non_subsumed("--propositions seen --guidelines extended"), 2);
    assert_eq!(n_non_subsumed("--propositions seen --static off --verify 8"), 2);
    let said = message_of(classify("--resume"), 2);
    assert!(said.contains("sees_propositions"), "{said}");
    // Mutants keep the comment of the file.
    let export = tamper()
        .arg("export")
        .arg(&model)
        .args(["--out", "mutants", "--keep", "operator == TMI"]);
    export.current_dir(folder.path()).assert().success();
    let files = fs::read_dir(folder.path().join("mutants"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let models: Vec<String> = files
        .filter(|file| file.extension().is_some_and(|end| end == "xml"))
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    assert_eq!(
        models
            .iter()
            .filter(|text| held(&game(text), 1) == ["lit", "warm"])
            .count(),
        3
    );
}

#[test]
fn refine_says_what_holds_on_one_side_only() {
    let folder = tempfile::tempdir().unwrap();
    let left = written(&folder, "left.xml", MODEL);
    let right = written(&folder, "right.xml", &MODEL.replace("lit, warm", "lit"));
    let refine = |words: &str| {
        let command = tamper()
            .arg("refine")
            .arg(&left)
            .args(["G", "G", "--against"])
            .arg(&right);
        command.args(words.split_whitespace())
    };
    refine("").assert().success();
    for (words, code, seen) in [("", 0, false), (" --propositions seen", 1, true)] {
        let answer = json_of(refine(&format!("--format json{words}")), code);
        assert_eq!(answer["sees_propositions"], seen, "{answer}");
    }
    let output = refine("--propositions seen --witness").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("the right side is where {lit} holds; the left side has no answer"),
        "{said}"
    );
    let network = example("networks/lamp-and-user.xml");
    let said = message_of(
        tamper().arg("classify").arg(network).args(["--propositions", "seen"]),
        2,
    );
    assert!(said.contains("a composition has no atomic propositions"), "{said}");
}
