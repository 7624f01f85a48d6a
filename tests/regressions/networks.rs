//! Rows of the regressions page: networks.

use std::collections::BTreeMap;

use serde_json::Value;
use tamper::formats::read_network;
use tamper::game::analyse;
use tamper::model::EdgeId;
use tamper::network::{View, compose};
use tamper::text::Budget;

use super::Place;

/// A machine whose labels call functions, name constants and set variables; each label once, with its kind.
const LABELS: [(&str, &str); 9] = [
    ("invariant", "x <= WAIT && water <= 3"),
    ("select", "k : int[1,3]"),
    ("guard", "enough(water) && x >= HEAT"),
    ("guard", "!enough(water)"),
    ("synchronisation", "cup[0]!"),
    ("synchronisation", "fill[k - 1]?"),
    ("assignment", "drink(), x = 0"),
    ("assignment", "water = k"),
    ("assignment", "water = water > 0 ? water - 1 : 0"),
];
const DECLARATIONS: &str = "clock x; const int WAIT = 5; const int HEAT = WAIT - 3; int[0,3] water = 3; \
     broadcast chan cup[1], fill[3]; bool enough(int[0,3] w) { return w >= 1; } void drink() { water = water - 1; }";
const SYSTEM: &str = "system Machine;";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The labels of [`LABELS`] with these numbers, put together by `part`.
fn parts(numbers: &[usize], part: impl Fn(&str, &str) -> String) -> String {
    numbers.iter().map(|at| part(LABELS[*at].0, LABELS[*at].1)).collect()
}

/// The edges by the numbers of their labels.
const EDGES: [&[usize]; 3] = [&[2, 4, 6], &[1, 3, 5, 7], &[8]];

fn machine_xml() -> String {
    let label = |kind: &str, text: &str| format!("<label kind=\"{kind}\">{}</label>", escaped(text));
    let edge = |labels: &[usize]| {
        format!(
            "<transition><source ref=\"l\"/><target ref=\"l\"/>{}</transition>",
            parts(labels, label)
        )
    };
    format!(
        "<nta><declaration>{}</declaration><template><name>Machine</name><location id=\"l\"><name>Idle</name>{}</location>\
         <init ref=\"l\"/>{}</template><system>{SYSTEM}</system></nta>",
        escaped(DECLARATIONS),
        parts(&[0], label),
        EDGES.map(edge).concat()
    )
}

fn machine_xta() -> String {
    let word = |kind: &str| match kind {
        "synchronisation" => "sync",
        "assignment" => "assign",
        "select" => "select",
        _ => "guard",
    };
    let edge = |labels: &[usize]| {
        let labels = parts(labels, |kind, text| format!("{} {text}; ", word(kind)));
        format!("Idle -> Idle {{ {labels}}}")
    };
    format!(
        "{DECLARATIONS}\nprocess Machine() {{ state Idle {{ {} }}; init Idle; trans {}; }}\n{SYSTEM}\n",
        LABELS[0].1,
        EDGES.map(edge).join(", ")
    )
}

/// The page of a network draws what stands in its file, not what the functions and constants come to.
#[test]
fn the_page_of_a_network_draws_the_labels_of_its_file() {
    for (name, text) in [("machine.xml", machine_xml()), ("machine.xta", machine_xta())] {
        let place = Place::new();
        std::fs::write(place.at(name), text).unwrap();
        place.text(
            &format!("classify {name} --network --mutate all --operators TMI --out run"),
            0,
        );
        place.text(&format!("report run --model {name} --out page.html"), 0);
        let page = std::fs::read_to_string(place.at("page.html")).unwrap();
        let texts = page.split("<text ").skip(1).filter_map(|rest| {
            let (_, rest) = rest.split_once('>')?;
            rest.split_once("</text>").map(|(text, _)| text)
        });
        let plain = |text: &str| text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        // Labels of edges that are one arrow stand on one line.
        let drawn: Vec<String> = texts
            .flat_map(|text| plain(text).split("; ").map(str::to_owned).collect::<Vec<_>>())
            .collect();
        for (kind, label) in LABELS {
            let times = drawn.iter().filter(|text| *text == label).count();
            assert_eq!(times, 1, "{name}: {kind} {label}: {drawn:?}");
        }
        let other = |text: &&String| LABELS.iter().all(|(_, label)| label != text);
        let others: Vec<&String> = drawn.iter().filter(other).collect();
        let is_legend = |text: &str| text.starts_with("full heads") || text.starts_with("open heads");
        let is_known = |text: &&String| ["Idle", "Machine"].contains(&text.as_str()) || is_legend(text);
        assert!(
            others
                .iter()
                .all(|text| is_known(text) || text.starts_with("double circle")),
            "{name}: {others:?}"
        );
    }
}

/// A step without a label is seen under `--internal visible`, whatever the environment does by itself: a step that comes too
/// late is not answered by one of the environment that nobody sees.
#[test]
fn silent_beside_hidden() {
    let late = "<transition><source ref=\"a\"/><target ref=\"b\"/><label kind=\"guard\">x &lt;= 2</label></transition>";
    let idle = "<transition><source ref=\"e\"/><target ref=\"e\"/></transition>";
    let network = |system: &str| {
        format!(
            "<nta><declaration>clock x;</declaration><template><name>P</name><location id=\"a\"><name>A</name></location>\
             <location id=\"b\"><name>B</name></location><init ref=\"a\"/>{late}</template><template><name>E</name>\
             <location id=\"e\"><name>Idle</name></location><init ref=\"e\"/>{idle}</template><system>system {system};</system></nta>"
        )
    };
    for (system, options) in [("P", ""), ("P, E", "--environment E")] {
        let place = Place::new();
        std::fs::write(place.at("n.xml"), network(system)).unwrap();
        let words = "--network --mutate P --operators CXL --out run";
        place.text(&format!("classify n.xml {words} {options}"), 0);
        let found = verdicts(&place, "CXL:guard:A->B");
        assert_eq!(found, BTreeMap::from([("non-subsumed".to_owned(), 1)]), "{system}");
    }
}

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

/// What the environment does by itself is no action of the composition, but a step that is marked as hidden.
#[test]
fn hidden_steps_are_no_action() {
    let done = "<label kind=\"synchronisation\">done!</label>";
    for (sync, action) in [("", "tau"), (done, "done!")] {
        let place = Place::new();
        let template = |name: &str, edge: &str| {
            format!(
                "<template><name>{name}</name><location id=\"{name}a\"><name>A</name></location><init ref=\"{name}a\"/>\
                 <transition><source ref=\"{name}a\"/><target ref=\"{name}a\"/>{edge}</transition></template>"
            )
        };
        let own = template("P", &format!("<label kind=\"guard\">x &lt;= 2</label>{sync}"));
        let other = template("E", "<label kind=\"assignment\">x = 0</label>");
        let text = format!(
            "<nta><declaration>clock x; broadcast chan done;</declaration>{own}{other}<system>system P, E;</system></nta>"
        );
        std::fs::write(place.at("n.xml"), text).unwrap();
        let answer = place.json("compose n.xml --environment E --out one.xml", 0);
        assert_eq!(answer["actions"], serde_json::json!([action]));
        let one = std::fs::read_to_string(place.at("one.xml")).unwrap();
        let transitions: Vec<&str> = one.split("<transition>").skip(1).collect();
        for transition in &transitions {
            let is_marked = transition.contains(">hidden</label>");
            assert_eq!(is_marked, transition.contains("x = 0"), "{transition}");
        }
        assert_eq!(transitions.len(), 2, "{one}");
    }
}

/// Per mutant its verdict, as a run of `classify` with these words says.
fn judged(place: &Place, words: &str) -> BTreeMap<String, String> {
    place.text(&format!("classify {words} --out run"), 0);
    let records = std::fs::read_to_string(place.at("run/mutants.jsonl")).expect("records");
    std::fs::remove_dir_all(place.at("run")).expect("a run");
    let verdict = |line: &str| {
        let record: Value = serde_json::from_str(line).expect("a record");
        let word = |key: &str| record[key].as_str().expect("a text").to_owned();
        (word("id"), word("verdict"))
    };
    records.lines().map(verdict).collect()
}

/// The mutants that the suite of `testgen` with these words kills.
fn killed(place: &Place, words: &str) -> Vec<String> {
    place.text(&format!("testgen {words} --out suite.json"), 0);
    let suite = std::fs::read(place.at("suite.json")).expect("a suite");
    let suite: Value = serde_json::from_slice(&suite).expect("JSON");
    let mutants = suite["mutants"].as_array().expect("mutants").iter();
    let killed = mutants.filter(|mutant| mutant["killable"] != "none");
    killed.map(|mutant| mutant["id"].to_string()).collect()
}

/// Guidelines change no verdict, the mutants that are named are non-subsumed, and what is left out is not what a suite kills.
fn roles(file: &str, words: &str, non_subsumed: &[&str], has_suite: bool) {
    let place = Place::with(&[&format!("networks/{file}")]);
    let words = format!("{file} {words}");
    let with_guidelines = judged(&place, &words);
    assert_eq!(with_guidelines, judged(&place, &format!("{words} --static off")));
    for id in non_subsumed {
        assert_eq!(with_guidelines[*id], "non-subsumed", "{id}: {with_guidelines:?}");
    }
    if has_suite {
        let all = killed(&place, &format!("{words} --prune none"));
        assert!(!all.is_empty());
        for level in ["published", "exact"] {
            assert_eq!(
                killed(&place, &format!("{words} --prune {level}")),
                all,
                "--prune {level}"
            );
        }
    }
}

/// `T(1)` accepts `h[1]?` from outside, which the mutants refuse; `T(0)` hears `h[0]!` of `S`.
const OF_AN_INPUT: [&str; 3] = ["T/TMI:A->B#0", "T/SMI:B", "T/CXL:guard:A->B#0:x>=1=>x>=2"];

#[test]
fn mixed_roles() {
    roles("mixed-roles.xml", "--mutate all", &OF_AN_INPUT, true);
}

/// The channel is a parameter.
#[test]
fn chanpar() {
    roles("chanpar.xml", "--mutate all", &OF_AN_INPUT, true);
}

/// `h[1]!` is sent by the environment.
#[test]
fn env() {
    roles("env.xml", "--environment E --mutate T", &OF_AN_INPUT, true);
}

/// The index is a variable.
#[test]
fn var() {
    roles("var.xml", "--mutate all", &OF_AN_INPUT, true);
}

/// The index is a select variable.
#[test]
fn sel() {
    roles("sel.xml", "--mutate all", &OF_AN_INPUT, true);
}

/// It is not deterministic, so no tests are made for it.
#[test]
fn roles_random_1() {
    let larger = "T/CXL:guard:L2->L2#0:x<=2=>x<=3";
    roles("roles-random-1.xml", "--mutate all", &[larger], false);
}

#[test]
fn roles_random_2() {
    roles("roles-random-2.xml", "--mutate all", &["T/TMI:L0->L0#0"], true);
}

/// For `T(0)` the invariant ends at 1, so `x <= 2` lets nothing more happen; `T(1)` may then send `o[1]!` at 3.
#[test]
fn congruence() {
    let larger = "T/CXL:guard:A->A#0:x<=1=>x<=2";
    roles("congruence.xml", "--mutate all", &[larger], true);
}

/// The invariant is `x <= 2` for `T(0)` and `x <= 1` for `T(1)`, whichever comes first; no smaller constant is above 0 for both.
#[test]
fn first_instance_constants() {
    let place = Place::with(&["networks/first-instance-constants.xml"]);
    let file = std::fs::read_to_string(place.at("first-instance-constants.xml")).expect("a network");
    let other = file.replace("system T;", "A = T(1); B = T(0); system A, B;");
    assert_ne!(file, other);
    std::fs::write(place.at("other.xml"), other).expect("a file");
    for file in ["first-instance-constants.xml", "other.xml"] {
        let found = judged(&place, &format!("{file} --mutate all --operators CXS"));
        assert!(found.is_empty(), "{file}: {found:?}");
        // Each instance by itself: one of the two has a constant that stays above 0.
        let found = judged(&place, &format!("{file} --mutate all --scope instance --operators CXS"));
        assert_eq!(found.len(), 1, "{file}: {found:?}");
        // CXL: the invariant and the guard.
        let found = judged(&place, &format!("{file} --mutate all --operators CXL"));
        assert_eq!(found.len(), 2, "{file}: {found:?}");
    }
}

/// The mutants of one file by RRS, MAS and ARS: the edge sets `x`, its only clock, to 0 and `n` to 2, and something else with a part that
/// only a composition can say.
fn missing(file: &str, without_assignment: &str) {
    let place = Place::with(&[&format!("networks/{file}")]);
    let found = judged(&place, &format!("{file} --mutate all --operators RRS,MAS,ARS"));
    let found: Vec<(&str, &str)> = found.iter().map(|(id, verdict)| (&id[..5], verdict.as_str())).collect();
    // Without the reset `a!` comes again at once.
    assert_eq!(found, [("P/MAS", without_assignment), ("P/RRS", "non-subsumed")]);
}

/// `g()` sets `n` in any case.
#[test]
fn missing_call() {
    missing("missing-call.xml", "subsumed");
}

/// Without `n = 2` the index is -1.
#[test]
fn missing_index() {
    missing("missing-index.xml", "invalid");
}

/// Whether the query in `text`, a network of a model `System` and a tester `Test`, holds, by its composition: nothing there depends
/// on clocks but the deadline of the first output, so a location without an edge that is taken is a deadlock.
fn query_holds(text: &str) -> bool {
    let (file, _) = read_network("view.xml", text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let view = View::closed("System", &file.network);
    let composed = compose(&file.network, &view, &Budget::unlimited()).unwrap();
    let facts = analyse(&composed.automaton, &Budget::unlimited()).unwrap().unwrap();
    let excluded = text
        .split_once("!(")
        .map_or("", |(_, rest)| rest.split_once(')').unwrap().0);
    let excluded: Vec<&str> = excluded.split(" || ").filter(|name| !name.is_empty()).collect();
    composed.automaton.locations().ids().any(|at| {
        let state = &composed.state_in_words(&file.network, at);
        let leaves = |edge: EdgeId| composed.automaton.edges()[edge].source == at && !facts.dead_edges.contains(&edge);
        let is_deadlock = !composed.automaton.edges().ids().any(leaves);
        let is_refusal = state.contains("Test.G") && is_deadlock && excluded.iter().all(|name| !state.contains(name));
        !facts.unreachable.contains(&at) && (state.contains("Test.FAIL") || is_refusal)
    })
}

/// Of each test of the suite, whether it fails on the model, and whether its view says so.
fn run_and_view(place: &Place, model: &str) -> Vec<(bool, bool)> {
    let run = place.tamper(&format!("run v.json --against {model} --format json"));
    let run: serde_json::Value = serde_json::from_slice(&run.stdout).expect("JSON");
    place.text(&format!("view v.json {model} --out views-{model}"), 0);
    let runs = run["models"][0]["runs"].as_array().expect("runs");
    let both = runs.iter().map(|run| {
        let test = run["test"].as_str().expect("a name");
        let text = std::fs::read_to_string(place.at(&format!("views-{model}/{test}.xml"))).expect("a view");
        (run["verdict"] == "fail", query_holds(&text))
    });
    both.collect()
}

/// B of the model is committed, which is a step on the way in a network: what comes of an input there says nothing. Where it is not,
/// `i?` is refused there, which three tests show.
fn view_of_committed() -> [Vec<(bool, bool)>; 2] {
    let place = Place::with(&["networks/view-committed.xml", "networks/view-committed-net.xml"]);
    place.text("testgen view-committed-net.xml --out v.json", 0);
    let text = std::fs::read_to_string(place.at("view-committed.xml")).expect("a file");
    std::fs::write(place.at("ordinary.xml"), text.replace("<committed/>", "")).expect("a file");
    ["view-committed.xml", "ordinary.xml"].map(|model| run_and_view(&place, model))
}

#[test]
fn view_committed() {
    let [committed, _] = view_of_committed();
    assert!(
        committed.len() > 5 && committed.iter().all(|both| *both == (false, false)),
        "{committed:?}"
    );
}

#[test]
fn view_committed_net() {
    let [_, ordinary] = view_of_committed();
    assert!(ordinary.iter().all(|(run, query)| run == query), "{ordinary:?}");
    assert_eq!(ordinary.iter().filter(|(run, _)| *run).count(), 3, "{ordinary:?}");
}

/// In the file of the composition committed locations are steps on the way, too. `B -i?-> C` is an edge of runs, and no test gives an
/// input in the middle of an atomic step.
#[test]
fn compose_committed() {
    let place = Place::with(&["networks/compose-committed.xml"]);
    place.text("compose compose-committed.xml --out one.xml", 0);
    let records = |words: &str, folder: &str| {
        place.text(&format!("classify {words} --operators all --out {folder}"), 0);
        std::fs::read_to_string(place.at(&format!("{folder}/mutants.jsonl"))).expect("records")
    };
    let of_network = records("compose-committed.xml --network", "network");
    assert_eq!(records("one.xml", "one"), of_network);
    // Refusing `i?` in the middle of a step is no difference; nor is it in a mutant that is written into the file.
    assert!(of_network.contains(
        "\"id\":\"TMI:B_A->C_A#1\",\"order\":1,\"operators\":[\"TMI\"],\"violates\":[],\"verdict\":\"subsumed\""
    ));
    let covered = place.json("testgen compose-committed.xml --criterion edges --out e.json", 0);
    assert_eq!(covered["infeasible"], serde_json::json!([]), "{covered}");
    assert_eq!(covered["untested"], serde_json::json!(["B_A->C_A#1"]), "{covered}");
}
