//! Single games: verdicts and suites.

use super::Place;

/// The verdict of the mutant `id` in the records of the run in `run`.
fn verdict(place: &Place, id: &str) -> String {
    let records = std::fs::read_to_string(place.at("run/mutants.jsonl")).unwrap();
    let record = records
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .find(|record| record["id"] == id)
        .unwrap_or_else(|| panic!("{id} is classified"));
    record["verdict"].as_str().unwrap().to_owned()
}

#[test]
fn bug_a() {
    for options in ["", "--guidelines extended", "--engine enumerate"] {
        let place = Place::with(&["bugA.xml"]);
        place.text(&format!("classify bugA.xml --semantics tiga --out run {options}"), 0);
        assert_eq!(verdict(&place, "TAD:output:L1->L0"), "non-subsumed", "{options}");
    }
}

#[test]
fn bug_b() {
    let place = Place::with(&["bugB.xml"]);
    place.text(
        "classify bugB.xml --order 3 --operators TMI,TAD,CXS --semantics strict --guidelines extended --out run",
        0,
    );
    let id = "TMI:L0->L0#1;TAD:input:L0->L1;CXS:guard:L0->L1#0:x<=2=>x<=1";
    assert_eq!(verdict(&place, id), "non-subsumed");
}

#[test]
fn bug_c() {
    let place = Place::with(&["bugC.xml"]);
    place.text("classify bugC.xml --order 2 --semantics tiga --out run", 0);
    assert_eq!(verdict(&place, "TAD:output:L0->L1;TAD:output:L1->L2"), "non-subsumed");
}

#[test]
fn bug_d() {
    for strategy in ["on-the-fly", "minimal"] {
        let place = Place::with(&["bugD.xml"]);
        let made = place.json(&format!("testgen bugD.xml --strategy {strategy} --out suite.json"), 0);
        assert_eq!(made["definite"], 12, "{strategy}: {made}");
        let scored = place.json("score suite.json bugD.xml --kill definite", 0);
        assert_eq!(scored["killed"], 12, "{strategy}: {scored}");
    }
}

/// The published grammar is left associative: `(a => b) => c` has 5 products.
#[test]
fn implications_in_a_row() {
    let place = Place::new();
    let model = "features\n\tR\n\t\toptional\n\t\t\ta\n\t\t\tb\n\t\t\tc\nconstraints\n\ta => b => c\n";
    std::fs::write(place.at("m.uvl"), model).unwrap();
    let answer = place.json("features m.uvl", 0);
    assert_eq!(answer["products"].to_string().trim_matches('"'), "5", "{answer}");
}
