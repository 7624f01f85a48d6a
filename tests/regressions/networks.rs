//! Rows of the regressions page: networks.

use std::collections::BTreeMap;

use super::Place;

/// How many mutants there are of each verdict in the records of the run in `run` whose ids have `part`.
fn verdicts(place: &Place, part: &str) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    let records = std::fs::read_to_string(place.at("run/mutants.jsonl")).unwrap();
    for line in records.lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        if record["id"].as_str().unwrap().contains(part) {
            let verdict = record["verdict"].as_str().unwrap().to_owned();
            *counts.entry(verdict).or_default() += 1;
        }
    }
    counts
}

/// A process of the network sends on `c`: nobody outside does.
fn has_no_input(file: &str) {
    let place = Place::with(&[&format!("networks/{file}")]);
    place.text(&format!("compose {file} --out composed.xml"), 0);
    let composed = std::fs::read_to_string(place.at("composed.xml")).unwrap();
    assert!(!composed.contains("c?"), "{composed}");
    assert!(!composed.contains("B_A"), "{composed}");
}

#[test]
fn self_broadcast() {
    has_no_input("self-broadcast.xml");
}

#[test]
fn self_handshake() {
    has_no_input("self-handshake.xml");
}

fn hidden(file: &str, internal: &str) -> BTreeMap<String, u64> {
    let place = Place::with(&[&format!("networks/{file}")]);
    let options = "--network --mutate P --operators TMI --out run";
    place.text(&format!("classify {file} {options} --internal {internal}"), 0);
    verdicts(&place, "")
}

/// An unlabelled step is unseen, whether or not other processes synchronise.
#[test]
fn hidden_tau() {
    for internal in ["hidden", "visible"] {
        let alone = hidden("hidden-tau.xml", internal);
        assert_eq!(alone, hidden("hidden-tau-sync.xml", internal), "{internal}");
        assert_eq!(alone.values().sum::<u64>(), 2, "{internal}");
    }
}

#[test]
fn direction_clash() {
    let place = Place::with(&["networks/direction-clash.xml"]);
    let answer = place.json("refine direction-clash.xml Z6 Z7 --semantics tiga", 1);
    assert_eq!(answer["verdict"], "non-subsumed", "{answer}");
}

#[test]
fn conj_right_inconsistent() {
    let place = Place::with(&["networks/conj-right-inconsistent.xml"]);
    for right in ["A&&B", "B&&A"] {
        let answer = place.json(&format!("refine conj-right-inconsistent.xml C {right}"), 2);
        assert_eq!(answer["verdict"], "spec-inconsistent", "{answer}");
    }
}

#[test]
fn prio_added_input() {
    let place = Place::with(&["networks/prio-added-input.xml"]);
    place.text(
        "classify prio-added-input.xml --network --mutate all --operators TAD --out run",
        0,
    );
    let inputs = verdicts(&place, "TAD:input");
    assert_eq!(inputs.values().sum::<u64>(), 18, "{inputs:?}");
    assert_eq!(inputs.get("subsumed"), Some(&18), "{inputs:?}");
}

fn is_read(file: &str) {
    let place = Place::with(&[&format!("networks/{file}")]);
    place.text(&format!("check {file} --network"), 0);
}

#[test]
fn const_ref_guard() {
    is_read("const-ref-guard.xml");
}

#[test]
fn const_ref_array_guard() {
    is_read("const-ref-array-guard.xml");
}

#[test]
fn int8() {
    is_read("int8.xml");
    let place = Place::with(&["networks/int8.xml"]);
    place.text("check int8.xml", 0);
}

#[test]
fn for_comma() {
    is_read("for-comma.xml");
}

#[test]
fn index_in_dead_function() {
    is_read("index-in-dead-function.xml");
}
