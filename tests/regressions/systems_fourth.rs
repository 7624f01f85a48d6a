//! Rows of the regressions page, fourth round: untimed systems, charts, machines, feature models.

use super::Place;

/// `++v` changes the variable in C and ecmascript: no two signs here.
#[test]
fn increment() {
    let place = Place::with(&["systems/increment.scxml", "systems/increment.efsm"]);
    for file in ["increment.scxml", "increment.efsm"] {
        std::fs::write(place.at("suite.txt"), "e\n").unwrap();
        let message = place.refusal(&format!("coverage {file} suite.txt --count"));
        assert!(
            message.contains("an assignment is not part of these expressions") && message.contains(file),
            "{message}"
        );
    }
    let text = std::fs::read_to_string(place.at("increment.efsm")).unwrap();
    for wrong in ["v++ == 2", "--v == 0", "1 - --v == 0", "v-- == 1"] {
        std::fs::write(place.at("m.efsm"), text.replace("++v == 2 | v == 0", wrong)).unwrap();
        place.refusal("coverage m.efsm suite.txt --count");
    }
    // Signs with a blank between them are two.
    std::fs::write(place.at("m.efsm"), text.replace("++v", "- -v")).unwrap();
    let found = place.json("coverage m.efsm suite.txt --count", 0);
    assert_eq!(found["given_tests"], 1, "{found}");
}

/// Each of the two answers may be the other one: four machines, of which the suite without a test tells none from the chart.
#[test]
fn initial_send() {
    let place = Place::with(&["systems/initial_send.scxml"]);
    std::fs::write(place.at("suite.txt"), "").unwrap();
    let found = place.json("coverage initial_send.scxml suite.txt --faults outputs --count", 1);
    assert_eq!(found["machines"], "4", "{found}");
    let found = place.json("coverage initial_send.scxml --faults outputs --suite complete", 0);
    assert_eq!(found["tests"].as_array().map(Vec::len), Some(2), "{found}");
    // The answer of a history's transition is one, too.
    let text = std::fs::read_to_string(place.at("initial_send.scxml")).unwrap();
    let history = text.replace("target=\"p\"/>", "target=\"h\"/>").replace(
        "<initial><transition target=\"q\">",
        "<history id=\"h\"><transition target=\"q\">",
    );
    let history = history.replacen("</initial>", "</history>", 1);
    std::fs::write(place.at("history.scxml"), history).unwrap();
    let found = place.json("coverage history.scxml suite.txt --faults outputs --count", 1);
    assert_eq!(found["machines"], "4", "{found}");
}

/// What one method does not make may exist: the README of the regressions has one for this machine.
#[test]
fn no_cs() {
    let place = Place::with(&["systems/no_cs.fsm"]);
    let said = place.text("testgen no_cs.fsm --strategy checking-sequence --out suite.txt", 1);
    assert!(said.starts_with("no checking sequence by this method"), "{said}");
    std::fs::write(place.at("suite.txt"), "a b b b b b a a b b b a b a b a\n").unwrap();
    let found = place.json("coverage no_cs.fsm suite.txt --faults all", 0);
    assert_eq!(found["verdict"], "complete", "{found}");
}

/// As in NuSMV, each value that is assigned is one of the type, in sets, too.
#[test]
fn set_range() {
    let place = Place::with(&["systems/set_range.smv"]);
    assert_eq!(place.json("check set_range.smv", 0)["states"], 2);
    // The mutants with 2 or -1 in the set have no meaning; they are no smaller choices.
    let found = place.json("classify set_range.smv --witness", 0);
    let mutants = found["mutants"].as_array().unwrap();
    let outside = |id: &str| id.starts_with("CST:") && ["=>2", "=>-1"].iter().any(|end| id.ends_with(end));
    let outside: Vec<_> = mutants
        .iter()
        .filter(|one| outside(one["id"].as_str().unwrap()))
        .collect();
    assert_eq!(outside.len(), 4, "{found}");
    assert!(outside.iter().all(|one| one["kill"] == "refused"), "{found}");
    let text = std::fs::read_to_string(place.at("set_range.smv")).unwrap();
    for (wrong, value) in [
        ("{0, 2}", "2"),
        ("{0} union {5}", "5"),
        ("0..3", "2"),
        ("{1, o - 1}", "-1"),
    ] {
        std::fs::write(place.at("m.smv"), text.replace("{0, 1}", wrong)).unwrap();
        let message = place.refusal("check m.smv");
        assert!(
            message.contains(&format!("{value} is outside the variable's type")) && message.contains("m.smv:5:"),
            "{wrong}: {message}"
        );
    }
    // So is what a variable always is; `in` compares with any value.
    let always = text.replace("init(o) := 0; next(o) := i ? {0, 1} : 0;", "o := {0, 2};");
    std::fs::write(place.at("m.smv"), &always).unwrap();
    let message = place.refusal("check m.smv");
    assert!(message.contains("2 is outside the variable's type"), "{message}");
    std::fs::write(
        place.at("m.smv"),
        always.replace("o := {0, 2};", "init(o) := 0; INVAR o in {0, 2};"),
    )
    .unwrap();
    place.json("check m.smv", 0);
}

#[test]
fn init_range() {
    let place = Place::with(&["systems/init_range.smv"]);
    let message = place.refusal("check init_range.smv");
    assert!(
        message.contains("2 is outside the variable's type") && message.contains("init_range.smv:5:23"),
        "{message}"
    );
}

/// States by hand: x, z and o are free of each other; o and x are; the four levels are.
#[test]
fn case_in_argument_low_bound_define_next() {
    let names = [
        "systems/case_in_argument.smv",
        "systems/low_bound.smv",
        "systems/define-next.smv",
    ];
    let place = Place::with(&names);
    assert_eq!(place.json("check case_in_argument.smv", 0)["states"], 8);
    assert_eq!(place.json("check low_bound.smv", 0)["states"], 4);
    let own = place.json("check define-next.smv", 0);
    assert_eq!(own["states"], 4);
    // What a definition says of the next moment is said where it is used: written out it is the same, and so are its verdicts.
    let text = std::fs::read_to_string(place.at("define-next.smv")).unwrap();
    let body = "next(level) - level";
    let out = text
        .replace(&format!("rise := {body};"), "")
        .replace("rise", &format!("({body})"));
    std::fs::write(place.at("out.smv"), out).unwrap();
    assert_eq!(place.json("check out.smv", 0)["steps"], own["steps"]);
    assert_eq!(place.json("refine out.smv define-next.smv", 0)["verdict"], "subsumed");
    place.text("export define-next.smv --out mutants", 0);
    assert_eq!(place.json("check mutants/original.smv", 0)["steps"], own["steps"]);
    // Where the next moment is not known, the use is refused.
    for (old, new) in [("INIT level = 0", "INIT rise = 0"), ("outputs: full", "outputs: rise")] {
        std::fs::write(place.at("m.smv"), text.replace(old, new)).unwrap();
        let message = place.refusal("check m.smv");
        assert!(message.contains("next values"), "{message}");
    }
}

/// The transition of `<initial>` leaves nothing, whatever its type; another word is a mistake.
#[test]
fn initial_type() {
    let place = Place::with(&["systems/initial-type.scxml"]);
    let text = std::fs::read_to_string(place.at("initial-type.scxml")).unwrap();
    std::fs::write(place.at("suite.txt"), "go\n").unwrap();
    let own = place.json("coverage initial-type.scxml suite.txt --faults transfers --count", 1);
    for other in ["", " type=\"external\""] {
        std::fs::write(place.at("m.scxml"), text.replace(" type=\"internal\"", other)).unwrap();
        let found = place.json("coverage m.scxml suite.txt --faults transfers --count", 1);
        assert_eq!(found["machines"], own["machines"], "{other}");
    }
    std::fs::write(place.at("m.scxml"), text.replace("internal", "inner")).unwrap();
    let message = place.refusal("coverage m.scxml suite.txt");
    assert!(message.contains("neither internal nor external"), "{message}");
}

/// Since the fifth round the file is read.
#[test]
fn door() {
    let place = Place::with(&["systems/door.json"]);
    let found = place.json("check door.json", 0);
    assert_eq!(found[0]["deterministic"], true, "{found}");
    for (command, operator) in [
        ("classify door.json", "TRM"),
        ("classify door.json --operators paper", "TMI"),
    ] {
        let found = place.json(command, 0);
        assert!(
            found["operators"][operator]["non_subsumed"].as_u64() > Some(0),
            "{found}"
        );
    }
    let message = place.refusal("features door.json");
    assert!(
        message.contains("XState") && message.contains("check door.json"),
        "{message}"
    );
}

#[test]
fn group_3_5() {
    let place = Place::with(&["systems/group-3-5.uvl"]);
    let output = place.tamper("features group-3-5.uvl");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.code() == Some(1) && said.contains("3 to 5 of A, B"),
        "{said}"
    );
}

/// A second mutation that takes back the first is named, and counted apart; action systems have the row of pairs, too.
#[test]
fn pairs_that_restore_the_text() {
    let place = Place::with(&["systems/set_range.smv"]);
    let found = place.json("classify set_range.smv --order 2 --witness", 0);
    let mutants = found["mutants"].as_array().unwrap();
    // 1=>2 and 1=>0, each taken back, of each of the places that CST changes: `0` in three places, `1` in one, and each way.
    let restoring = mutants.iter().filter(|one| one["duplicate_of"] == "original").count();
    assert_eq!(restoring, 8, "{found}");
    assert_eq!(found["total"]["original"], 8, "{found}");
    let total = &found["total"];
    let columns = [
        "equivalent",
        "potential",
        "definite",
        "blind",
        "refused",
        "unknown",
        "original",
    ];
    let sum: u64 = columns.iter().filter_map(|column| total[*column].as_u64()).sum();
    assert_eq!(Some(sum), total["total"].as_u64(), "{found}");
    let beverage = concat!(env!("CARGO_MANIFEST_DIR"), "/case-studies/beverage/model.smv");
    let single = place.json(&format!("classify {beverage} --unspecified fill"), 0);
    assert!(single["total"]["original"].is_null(), "{single}");
    let lift = concat!(env!("CARGO_MANIFEST_DIR"), "/case-studies/lift/model.pl");
    let pairs = place.json(&format!("classify {lift} --order 2 --sample 20"), 0);
    assert_eq!(pairs["operators"]["several"]["total"], 20, "{pairs}");
}
