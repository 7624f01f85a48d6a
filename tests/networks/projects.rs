//! Ecdar projects as the editor writes them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tamper::formats::{ReadOptions, read_ecdar, read_ecdar_only};
use tamper::model::Automaton;

/// A location as the editor writes it, with a kind.
fn location(id: &str, kind: &str, invariant: &str) -> Value {
    json!({ "id": id, "nickname": "", "invariant": invariant, "type": kind, "urgency": "NORMAL", "x": 10.5, "y": 20.0,
        "color": "5", "nicknameX": 30.0, "nicknameY": -10.0, "invariantX": 30.0, "invariantY": 10.0 })
}

/// An edge as the editor writes it.
fn edge(source: &str, target: &str, sync: &str, is_input: bool) -> Value {
    let status = if is_input { "INPUT" } else { "OUTPUT" };
    json!({ "id": "E0", "group": "", "isLocked": false, "sourceLocation": source, "targetLocation": target, "status": status,
        "select": "", "guard": "", "update": "", "sync": sync,
        "nails": [{ "x": 1.5, "y": 2.0, "propertyType": "SYNCHRONIZATION", "propertyX": 10.0, "propertyY": -10.0 }] })
}

fn component(name: &str, locations: &[Value], edges: &[Value]) -> (String, Vec<u8>) {
    let value = json!({ "name": name, "declarations": "clock x;", "locations": locations, "edges": edges, "description": "",
        "x": 5.0, "y": 5.0, "width": 450.0, "height": 600.0, "color": "6", "includeInPeriodicCheck": false });
    (format!("Components/{name}.json"), value.to_string().into_bytes())
}

fn declarations(text: &str) -> (String, Vec<u8>) {
    let value = json!({ "name": "System Declarations", "declarations": text });
    ("SystemDeclarations.json".to_owned(), value.to_string().into_bytes())
}

/// `in?` leads to the universal location, `out!` to the inconsistent one; both have the editor's edges for all channels.
fn drawn(name: &str) -> (String, Vec<u8>) {
    component(
        name,
        &[
            location("L0", "INITIAL", ""),
            location("U0", "UNIVERSAL", ""),
            location("I0", "INCONSISTENT", ""),
        ],
        &[
            edge("L0", "U0", "in", true),
            edge("L0", "I0", "out", false),
            edge("U0", "U0", "*", true),
            edge("U0", "U0", "*", false),
            edge("I0", "I0", "*", true),
            edge("I0", "I0", "*", false),
        ],
    )
}

/// A component that always does `out!`, and one with an edge that has no channel.
fn plain(name: &str) -> (String, Vec<u8>) {
    component(
        name,
        &[location("L0", "INITIAL", "")],
        &[edge("L0", "L0", "out", false)],
    )
}

fn faulty(name: &str) -> (String, Vec<u8>) {
    component(name, &[location("L0", "INITIAL", "")], &[edge("L0", "L0", "", false)])
}

fn names(automata: &[Automaton]) -> Vec<&str> {
    automata.iter().map(Automaton::name).collect()
}

/// The universal location has a loop for each of `in?` and `out!`, made from the alphabet; the editor's four edges add nothing.
#[test]
fn edges_for_all_channels_say_what_the_kinds_of_their_locations_say() {
    let (document, warnings) = read_ecdar(&[drawn("A")], &ReadOptions::default()).unwrap();
    let game = &document.automata()[0];
    let edges: Vec<String> = game
        .edges()
        .iter()
        .map(|edge| {
            let [from, to] = [edge.source, edge.target].map(|at| &*game.locations()[at].name);
            format!("{from}->{to} {}", game.actions()[edge.action].name)
        })
        .collect();
    assert_eq!(edges, ["L0->U0 in", "L0->I0 out", "U0->U0 in", "U0->U0 out"]);
    assert!(warnings.iter().all(|(_, found)| found.is_empty()));
    // From an ordinary location they are refused, by name.
    let other = component("A", &[location("L0", "INITIAL", "")], &[edge("L0", "L0", "*", true)]);
    let error = read_ecdar(&[other], &ReadOptions::default()).unwrap_err();
    assert_eq!(error.diagnostics[0].message, "this edge has no channel");
}

#[test]
fn components_are_read_as_far_as_somebody_asks_for_them() {
    let read = |files: &[(String, Vec<u8>)], only: Option<&[&str]>| {
        let (document, warnings) =
            read_ecdar_only(files, &ReadOptions::default(), only).map_err(|error| error.to_string())?;
        let warnings = warnings
            .into_iter()
            .flat_map(|(_, found)| found)
            .map(|found| found.message);
        let found: Vec<String> = warnings.collect();
        let names: Vec<String> = names(document.automata()).into_iter().map(str::to_owned).collect();
        Ok::<_, String>((names, found))
    };
    let system = declarations("system A, Gone;\nIO A { out! }\nIO B { out! }\nIO Gone { in? }");
    let files = [system, plain("A"), plain("B"), faulty("F")];
    // What the system runs, as far as it is there; the fault of `F` is nobody's concern.
    let (found, warnings) = read(&files, None).unwrap();
    assert_eq!(found, ["A"]);
    assert_eq!(warnings, ["the project has no component `Gone`"]);
    // A component that the system does not run can be asked for.
    assert_eq!(read(&files, Some(&["B"])).unwrap().0, ["B"]);
    assert_eq!(read(&files, Some(&["A", "B"])).unwrap().0, ["A", "B"]);
    // Who asks for the faulty one is told.
    assert!(
        read(&files, Some(&["F"]))
            .unwrap_err()
            .contains("this edge has no channel")
    );
    // The name in a file counts, however it is written.
    let spelt = String::from_utf8(plain("B").1)
        .unwrap()
        .replace("\"B\"", "\"\\u0042 \"");
    let other = ("Components/other.json".to_owned(), spelt.into_bytes());
    assert_eq!(read(&[other, faulty("F")], Some(&["B"])).unwrap().0, ["B"]);
    // Without a system line all components are read.
    assert_eq!(read(&files[1..3], None).unwrap().0, ["A", "B"]);
    assert!(read(&files[1..], None).is_err());
}

fn tamper(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamper"));
    command.args(args).current_dir(folder).output().expect("it runs")
}

/// `A` does `out!` at any time, `B` from 2 on: B refines A, and A does not refine B. Both are consistent and deterministic.
#[test]
fn the_queries_of_a_project_are_answered_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("Components")).unwrap();
    let mut late = edge("L0", "L0", "out", false);
    late["guard"] = json!("x >= 2");
    let late = component("B", &[location("L0", "INITIAL", "")], &[late]);
    for (name, bytes) in [plain("A"), late, faulty("F")] {
        fs::write(at(&name), bytes).unwrap();
    }
    let write = |queries: &[&str]| {
        let all: Vec<Value> = queries
            .iter()
            .map(|query| json!({ "query": query, "comment": "", "isPeriodic": false, "backend": 1, "ignoredInputs": {}, "ignoredOutputs": {} }))
            .collect();
        fs::write(at("Queries.json"), json!(all).to_string()).unwrap();
    };
    write(&["refinement: B <= A", "consistency: A", "determinism: B"]);
    let done = tamper(folder.path(), &["refine", "."]);
    let text = String::from_utf8(done.stdout).unwrap();
    assert_eq!(
        text,
        "yes       refinement: B <= A\nyes       consistency: A\nyes       determinism: B\n\
         3 queries: 3 yes, 0 no, 0 unknown, 0 not asked\n"
    );
    assert_eq!(done.status.code(), Some(0));
    write(&[
        "refinement: A <= B",
        "refinement: A <= F",
        "specification: A",
        "E<> A.L0",
    ]);
    let done = tamper(folder.path(), &["refine", ".", "--format", "json"]);
    let value: Value = serde_json::from_slice(&done.stdout).unwrap();
    let answers: Vec<&str> = value["queries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["answer"].as_str().unwrap())
        .collect();
    assert_eq!(answers, ["no", "not asked", "not asked", "not asked"]);
    assert_eq!(
        [&value["yes"], &value["no"], &value["not_asked"]],
        [&json!(0), &json!(1), &json!(3)]
    );
    assert_eq!(done.status.code(), Some(1));
    assert!(value["queries"][0].get("witness").is_none());
    // A does at 0 what B does from 2 on.
    write(&["refinement: A <= B"]);
    let args = ["refine", ".", "--witness", "--format", "json"];
    let value: Value = serde_json::from_slice(&tamper(folder.path(), &args).stdout).unwrap();
    let alone = ["refine", ".", "A", "B", "--witness", "--format", "json"];
    let alone: Value = serde_json::from_slice(&tamper(folder.path(), &alone).stdout).unwrap();
    assert!(alone["witness"].is_object());
    assert_eq!(value["queries"][0]["witness"], alone["witness"]);
    let text = String::from_utf8(tamper(folder.path(), &args[..3]).stdout).unwrap();
    assert!(
        text.contains("the left side does out!") && !text.contains("a run that shows it"),
        "{text}"
    );
    write(&["specification: A"]);
    assert_eq!(tamper(folder.path(), &["refine", "."]).status.code(), Some(2));
}

/// Two silent steps lead to locations that only observations tell apart; without them there is no specification to test against.
#[test]
fn a_refusal_for_want_of_determinism_names_what_to_observe() {
    let folder = tempfile::tempdir().unwrap();
    let text = "int i;\nclock x;\nprocess P() { state A { x <= 3 }, B, C; init A; trans A -> B { assign i = 1; }, A -> C { assign i = 2; }; }\nsystem P;";
    fs::write(folder.path().join("m.xta"), text).unwrap();
    let args = ["testgen", "m.xta", "--network", "--out", "s.json"];
    let done = tamper(folder.path(), &args);
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(2));
    // `i` shows i_1 or i_2; one location is seen or not: one observation will do, and variables come first.
    assert!(said.contains("give --observe i: no observation less will do"), "{said}");
    let done = tamper(folder.path(), &[&args[..], &["--observe", "i"]].concat());
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let typed = fs::read(folder.path().join("s.json")).unwrap();
    let done = tamper(folder.path(), &[&args[..], &["--observe", "auto"]].concat());
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(said.contains("--observe auto is i\n"), "{said}");
    assert_eq!(fs::read(folder.path().join("s.json")).unwrap(), typed);
    let score = ["score", "s.json", "m.xta", "--network"];
    let run = ["run", "s.json", "--against", "m.xta", "--network"];
    for args in [&score[..], &run] {
        let typed = tamper(folder.path(), &[args, &["--observe", "i"]].concat());
        let done = tamper(folder.path(), &[args, &["--observe", "auto"]].concat());
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(said.contains("--observe auto is i\n"), "{said}");
        assert_eq!(
            (done.status.code(), done.stdout),
            (typed.status.code(), typed.stdout),
            "{said}"
        );
    }
    // With a channel on both edges nothing else is shown.
    let seen = text
        .replace("assign", "sync c!; assign")
        .replace("int i;", "int i; broadcast chan c;");
    fs::write(folder.path().join("m.xta"), seen).unwrap();
    let done = tamper(folder.path(), &[&args[..], &["--observe", "auto"]].concat());
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert!(
        said.contains("one channel shows both; a channel for each process"),
        "{said}"
    );
}

/// The engines take a component's actions from its edges, too; without a line for it, it has those of its edges, and ignores its
/// inputs. What comments say is not said.
#[test]
fn what_an_io_line_lacks_is_taken_from_the_edges() {
    let games = |system: &str| {
        let files = [declarations(system), drawn("A")];
        let (document, warnings) = read_ecdar(&files, &ReadOptions::default()).unwrap();
        let game = document.automata()[0].clone();
        let mut actions: Vec<String> = game.actions().iter().map(ToString::to_string).collect();
        actions.sort();
        let found = warnings.iter().map(|(_, found)| found.len()).sum::<usize>();
        (actions, game.is_input_enabled(), game.edges().len(), found)
    };
    let both = || vec!["in?".to_owned(), "out!".to_owned()];
    for (system, n_warnings) in [
        ("system A;\nIO A { in?, out! }", 0),
        ("system A;", 0),
        ("system A;\nIO A { out! }", 1),
        ("system A;\nIO A { }", 1),
        (
            "// the system runs one; it\nsystem A;\n// IO A { other? }\n/* IO A { more? } */",
            0,
        ),
    ] {
        assert_eq!(games(system), (both(), true, 4, n_warnings), "{system}");
    }
    // A game that refuses inputs is written with a directive, which says that no more is known: it is read back as it was.
    let folder = tempfile::tempdir().unwrap();
    let model = "<nta><declaration>broadcast chan a, b;</declaration><template><name>T</name><location id='x'/><init ref='x'/>\
        <transition><source ref='x'/><target ref='x'/><label kind='synchronisation'>a?</label></transition>\
        <transition><source ref='x'/><target ref='x'/><label kind='synchronisation'>b!</label></transition></template>\
        <system>system T;</system></nta>";
    fs::write(folder.path().join("model.xml"), model).unwrap();
    let said = tamper(
        folder.path(),
        &["export", "model.xml", "--as", "ecdar-json", "--out", "out"],
    );
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let said = tamper(folder.path(), &["check", "out", "--format", "json"]);
    let games: Value = serde_json::from_slice(&said.stdout).unwrap();
    let games = games.as_array().unwrap();
    assert!(
        games.len() > 1 && games.iter().all(|game| game["input_enabled"] == false),
        "{games:?}"
    );
}

/// Every law of quotients is used as often as they are nested; the engines' reading ignores what the whole does not know.
#[test]
fn quotients_of_quotients_are_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let write = |(name, bytes): (String, Vec<u8>)| {
        let path = folder.path().join("P").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    let one = |name: &str, edges: &[Value]| component(name, &[location("L0", "INITIAL", "")], edges);
    write(one("S", &[edge("L0", "L0", "b", false)]));
    write(one("P", &[edge("L0", "L0", "a", false)]));
    write(one("Q", &[edge("L0", "L0", "c", false), edge("L0", "L0", "a", true)]));
    write(one("X", &[edge("L0", "L0", "b", false)]));
    write(declarations("system S, P, Q, X;"));
    let asked = |left: &str, right: &str, reading: &str| {
        let said = tamper(folder.path(), &["refine", "P", left, right, "--semantics", reading]);
        (said.status.code(), String::from_utf8_lossy(&said.stderr).into_owned())
    };
    // P || Q || X does `a`, `b` and `c` at any time; S, which knows `b` alone, refuses the others, or ignores them.
    for (left, right, tiga, strict) in [
        ("X", "(S \\\\ P) \\\\ Q", 0, 1),
        ("S \\\\ P", "S \\\\ P", 0, 2),
        ("(S \\\\ P) \\\\ Q", "S \\\\ (P || Q)", 0, 2),
    ] {
        assert_eq!(
            asked(left, right, "tiga").0,
            Some(tiga),
            "{left} {right}: {}",
            asked(left, right, "tiga").1
        );
        let (code, message) = asked(left, right, "strict");
        assert_eq!(code, Some(strict), "{left} {right}: {message}");
        assert!(strict != 2 || message.contains("--semantics tiga"), "{message}");
    }
}
