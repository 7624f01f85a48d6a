//! Rows of the regressions page.

use serde_json::Value;

use crate::Place;

/// What `testgen` says of the weak kills of `file`.
fn only_weakly(file: &str, kill: &str) -> Value {
    let place = Place::with(&[&format!("layers/{file}")]);
    let words = format!("testgen {file} --strategy on-the-fly --operators ARS,TMI --kill {kill} --out s.json");
    place.json(&words, 0)["killed_only_weakly"].clone()
}

/// The test gives `a?` twice, at time 0, where x is 0 whether it is set or not. (A test that leaves the times open, as those for
/// definite kills do, can give `a?` later, where x differs.)
#[test]
fn wk1() {
    assert_eq!(only_weakly("wk1.xml", "potential"), 0);
}

/// The test ends with `a?` at 1. Behind it x is 1, and 0 in the mutant that sets it.
#[test]
fn wk2() {
    for kill in ["potential", "both"] {
        assert_eq!(only_weakly("wk2.xml", kill), 1, "{kill}");
    }
}

/// The verdict on each mutant of LOR.
fn connectives(file: &str) -> Vec<(String, String)> {
    let place = Place::with(&[&format!("layers/{file}")]);
    place.text(&format!("classify {file} --operators LOR --out run"), 0);
    let records = std::fs::read_to_string(place.at("run/mutants.jsonl")).expect("records");
    let verdict = |line: &str| {
        let record: Value = serde_json::from_str(line).expect("a record");
        let word = |key: &str| record[key].as_str().expect("a text").to_owned();
        (word("id"), word("verdict"))
    };
    let mut all: Vec<_> = records.lines().map(verdict).collect();
    all.sort();
    all
}

/// n and m stay 0, where `!(n == 1 || m == 2)` is true: the specification always accepts `a?`. `0 == 1 imply 0 == 2` is true, and
/// its negation refuses it; `!(n == 1 && m == 2)` is true.
#[test]
fn lor() {
    let id = |new: &str| format!("LOR:guard:A->A#0:(!((n==1)||(m==2)))=>(!((n==1){new}(m==2)))");
    let expected = [(id("&&"), "subsumed".to_owned()), (id("->"), "non-subsumed".to_owned())];
    assert_eq!(connectives("lor.xml"), expected);
}

/// As of `lor`.
#[test]
fn lor_and() {
    let id = |new: &str| format!("LOR:guard:A->A#0:(!((n==1)&&(m==2)))=>(!((n==1){new}(m==2)))");
    let expected = [(id("->"), "non-subsumed".to_owned()), (id("||"), "subsumed".to_owned())];
    assert_eq!(connectives("lor_and.xml"), expected);
}

/// `u!` can come again and again, but not at time 0, where `a?` is refused by the mutant without its edge.
#[test]
fn bl1() {
    let place = Place::with(&["layers/bl1.xml"]);
    place.text("testgen bl1.xml --operators TMI --kill blind --out s.json", 0);
    let suite: Value = serde_json::from_slice(&std::fs::read(place.at("s.json")).expect("a suite")).expect("JSON");
    let mutants = suite["mutants"].as_array().expect("mutants");
    let of_a = mutants
        .iter()
        .find(|mutant| mutant["id"] == "TMI:A->B#0")
        .expect("the mutant");
    assert_eq!(of_a["killable"], "blind", "{of_a}");
}

/// `f = k` and the guard `f` have no comparison, and no number; `k` and `f` occur once.
#[test]
fn bool_coerced() {
    let place = Place::with(&["layers/bool-coerced.xml"]);
    place.text("classify bool-coerced.xml --operators ROR,OBO --out run", 0);
    let records = std::fs::read_to_string(place.at("run/mutants.jsonl")).expect("records");
    let operators = |name: &str| {
        records
            .lines()
            .filter(|line| line.contains(&format!("[\"{name}\"]")))
            .count()
    };
    assert_eq!((operators("ROR"), operators("OBO")), (0, 4), "{records}");
}
