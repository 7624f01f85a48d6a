//! Rows of the regressions page.

use serde_json::Value;

use crate::regressions::Place;

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
    verdicts(&place, file, "LOR")
}

/// The verdict on each mutant of these operators, in the order of the ids.
fn verdicts(place: &Place, file: &str, operators: &str) -> Vec<(String, String)> {
    place.text(&format!("classify {file} --operators {operators} --out run"), 0);
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

/// Which mutants of CCK, RIV and GFL the file has, with their verdicts; each is as exported, and `check` reads it.
fn left_out(file: &str, expected: &[(&str, &str)]) {
    let place = Place::with(&[&format!("layers/{file}")]);
    let found = verdicts(&place, file, "CCK,RIV,GFL");
    let found: Vec<(&str, &str)> = found.iter().map(|(id, verdict)| (&**id, &**verdict)).collect();
    assert_eq!(found, expected);
    place.text(&format!("testgen {file} --operators CCK,RIV,GFL --out s.json"), 0);
    let is_of_network = expected[0].0.contains('/');
    // What RIV and GFL change is not written into the file of a network.
    if !is_of_network {
        place.text(&format!("export {file} --operators CCK,RIV,GFL --out files"), 0);
        for (at, (id, verdict)) in expected_in_order(&place).iter().enumerate() {
            let operator = id.split(':').next().expect("an operator");
            let name = format!("files/{at:06}-{operator}.xml");
            let code = i32::from(verdict == "inconsistent");
            place.text(&format!("check {name}"), code);
        }
    }
}

/// The ids and verdicts of the run of an export, in its order.
fn expected_in_order(place: &Place) -> Vec<(String, String)> {
    let records = std::fs::read_to_string(place.at("run/mutants.jsonl")).expect("records");
    let records = records
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a record"));
    let word = |record: &Value, key: &str| record[key].as_str().expect("a text").to_owned();
    records
        .map(|record| (word(&record, "id"), word(&record, "verdict")))
        .collect()
}

/// Nothing is compared with `free`, which starts at 3. So CCK does not ask for it either: of `free >= 2` and `free <= 2` no game
/// here could tell what they are (`a!` at 0, and no state).
#[test]
fn cck_start() {
    left_out(
        "cck-start.xml",
        &[("GFL:A->B#0", "inconsistent"), ("RIV:A", "non-subsumed")],
    );
}

/// `y` stands still in A.
#[test]
fn cck_rate() {
    left_out("cck-rate.xml", &[("GFL:A->B#0", "subsumed")]);
}

/// As of `cck_rate`, and `a!` has to come before 5: without the guard it never does, without the invariant it may come later.
#[test]
fn cck_rate0_one() {
    left_out(
        "cck-rate0-one.xta",
        &[("GFL:A->B#0", "inconsistent"), ("RIV:A", "non-subsumed")],
    );
}

/// As of `cck_rate0_one`, beside a process that need not do anything.
#[test]
fn cck_rate0() {
    let expected = [
        ("P/GFL:A->B#0", "inconsistent"),
        ("P/RIV:A", "non-subsumed"),
        ("Q/GFL:C->C#0", "subsumed"),
    ];
    left_out("cck-rate0.xta", &expected);
}

/// As of `cck_rate0`: `y` starts at 5.
#[test]
fn cck_start5() {
    let expected = [
        ("P/GFL:A->B#0", "inconsistent"),
        ("P/RIV:A", "non-subsumed"),
        ("Q/GFL:C->C#0", "subsumed"),
    ];
    left_out("cck-start5.xta", &expected);
}

/// `A` compares `x`, which starts at 3: no game by itself does, whichever is named. The network goes at once where `A` may.
#[test]
fn refine_start() {
    let place = Place::with(&["layers/refine-start.xml"]);
    let file = "refine-start.xml";
    place.text(&format!("check {file}"), 0);
    let text = std::fs::read_to_string(place.at(file)).expect("a file");
    // What can no longer be on time is never taken.
    std::fs::write(place.at("late.xml"), text.replacen("x &gt;= 2", "x &lt; 3", 1)).expect("a file");
    let late = place.json("check late.xml --network", 0);
    assert_eq!(
        (&late[0]["locations"], &late[0]["edges"]),
        (&2.into(), &1.into()),
        "{late}"
    );
    for words in [
        format!("check {file} --template A"),
        format!("refine {file} A B"),
        format!("refine {file} B A"),
        format!("classify {file} --template A"),
        format!("testgen {file} --template A --out s.json"),
    ] {
        let message = place.refusal(&words);
        let is_said = ["the clock `x`, with which something is compared", "it runs System"];
        assert!(is_said.iter().any(|said| message.contains(said)), "{words}: {message}");
    }
    // What `B` compares starts at 0.
    place.text(&format!("check {file} --template B"), 0);
}

/// The same where another thing that is not read is compared.
#[test]
fn refine_start_double() {
    let place = Place::with(&["layers/refine-start-double.xml"]);
    let file = "refine-start-double.xml";
    for words in [
        format!("check {file}"),
        format!("check {file} --template A"),
        format!("refine {file} A B"),
        format!("classify {file} --template A"),
        format!("testgen {file} --template A --out s.json"),
    ] {
        let message = place.refusal(&words);
        assert!(
            message.contains("error: `d` is a floating-point variable"),
            "{words}: {message}"
        );
    }
    place.text(&format!("check {file} --template B"), 0);
}

/// A game that is named may have rates of clocks with which nothing is compared.
#[test]
fn refine_with_a_rate_that_nothing_asks_for() {
    let place = Place::with(&["layers/cck-rate.xml"]);
    let text = std::fs::read_to_string(place.at("cck-rate.xml")).expect("a file");
    let (template, end) = text.split_once("</template>").expect("a template");
    let copy = template.split_once("<template>").expect("a template").1;
    let copy = copy
        .replace("<name>P</name>", "<name>Q</name>")
        .replace("\"p0\"", "\"q0\"")
        .replace("\"p1\"", "\"q1\"");
    let two = format!("{template}</template><template>{copy}</template>{end}").replace("system P;", "system P, Q;");
    std::fs::write(place.at("two.xml"), &two).expect("a file");
    assert!(place.text("refine two.xml P Q", 0).starts_with("subsumed"));
    let compared = two.replacen("x &lt;= 2", "y &lt;= 2", 1);
    std::fs::write(place.at("compared.xml"), compared).expect("a file");
    let message = place.refusal("refine compared.xml P Q");
    assert!(message.contains("rate"), "{message}");
}

/// `P` compares a clock that another template stops: neither is a game by itself, whichever is named.
#[test]
fn a_clock_that_another_game_stops_is_refused() {
    let place = Place::new();
    let template = |name: &str, invariant: &str, guard: &str| {
        format!(
            "<template><name>{name}</name><location id='{name}a'><name>A</name><label kind='invariant'>{invariant}</label>\
             </location><init ref='{name}a'/><transition><source ref='{name}a'/><target ref='{name}a'/>\
             <label kind='guard'>{guard}</label><label kind='synchronisation'>{name}_c!</label></transition></template>"
        )
    };
    let text = format!(
        "<nta><declaration>clock y; chan P_c, Q_c;</declaration>{}{}<system>system P, Q;</system></nta>",
        template("P", "true", "y &gt;= 3"),
        template("Q", "y' == 0", "true")
    );
    std::fs::write(place.at("two.xml"), text).expect("a file");
    for words in [
        "check two.xml",
        "check two.xml --template P",
        "refine two.xml P P",
        "classify two.xml --template P",
    ] {
        place.refusal(words);
    }
}

/// `x > 0` holds before 1, although `a?` would set x to 1, which the invariant forbids: no run takes the edge.
#[test]
fn mcdc_holds() {
    let place = Place::with(&["layers/mcdc-holds.xml"]);
    let found = place.json("testgen mcdc-holds.xml --criterion mcdc --out s.json", 0);
    assert_eq!((&found["items"], &found["covered"]), (&2.into(), &2.into()), "{found}");
    let edges = place.json("testgen mcdc-holds.xml --criterion edges --out s.json", 0);
    assert_eq!(edges["infeasible"], serde_json::json!(["L0->L0#0"]), "{edges}");
}

/// Time ends at 2 in A, where no output can come: `classify` says where, and what reads the game as it is.
#[test]
fn an_inconsistent_specification_is_named_with_its_place_and_the_way_out() {
    let place = Place::with(&["layers/cck-start.xml"]);
    let text = std::fs::read_to_string(place.at("cck-start.xml")).expect("a file");
    let stuck = text.replace("x &gt;= 2", "x &gt;= 3").replace("clock free = 3;", "");
    std::fs::write(place.at("stuck.xml"), stuck).expect("a file");
    let message = place.refusal("classify stuck.xml");
    assert!(message.contains("the specification `P` is inconsistent"), "{message}");
    assert!(message.contains("in A (give it an output"), "{message}");
    assert!(message.contains("--semantics definition takes"), "{message}");
    place.text("classify stuck.xml --semantics definition", 0);
    let facts = place.text("check stuck.xml", 1);
    assert!(facts.starts_with("P: inconsistent"), "{facts}");
    let output = place.tamper("testgen stuck.xml --out s.json");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{message}");
    assert!(message.contains("without pruning"), "{message}");
}
