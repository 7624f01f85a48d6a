//! Rows of the regressions page.

/// Ignored outputs and an invariant of six bounds: the default engine cut all of a location's points by each bound again and
/// again. The verdicts are those of the engine that plays each mutant on its own.
#[test]
fn family_slow6() {
    let place = super::Place::with(&["layers/family_slow6.xml"]);
    for engine in ["family", "enumerate"] {
        let words = "classify family_slow6.xml --semantics tiga --operators TAD --total-timeout 30";
        place.text(&format!("{words} --engine {engine} --out {engine}"), 0);
    }
    let records = |engine: &str| std::fs::read_to_string(place.at(engine).join("mutants.jsonl")).unwrap();
    assert_eq!(records("family").lines().count(), 8);
    assert_eq!(records("family"), records("enumerate"));
}
