//! One-clock timed automata as JSON, from the file to the answers of commands.

use std::fs;
use std::path::Path;

use snapbox::cmd::Command;

use super::{json_of, tamper};

const DOOR: &str = include_str!("../../examples/one-clock/door.json");

/// A call in a folder with the two examples.
fn examples(words: &str) -> Command {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/one-clock");
    tamper().current_dir(folder).args(words.split_whitespace())
}

/// What `check` says about a file of that content, and its exit code.
fn checked(content: &[u8]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("my.door.json"), content).unwrap();
    let output = tamper()
        .current_dir(folder.path())
        .args(["check", "my.door.json"])
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn an_automaton_is_a_deterministic_game_that_accepts_all_inputs() {
    let found = json_of(examples("check door.json --format json"), 0);
    let game = &found[0];
    assert_eq!(game["template"], "Door", "{found}");
    // A transition with a union is two edges; one more says where words are accepted. Ten gaps lead to the sink (locked:
    // push, shut; unlocked: badge and twice push, shut; open: badge; alarm: badge, push, shut), which has three loops.
    assert_eq!((&game["locations"], &game["clocks"]), (&5.into(), &1.into()), "{found}");
    assert_eq!(game["edges"], 8 + 1 + 10 + 3, "{found}");
    assert_eq!(game["inputs"], serde_json::json!(["badge", "push", "shut"]), "{found}");
    assert_eq!(game["outputs"], serde_json::json!(["accept"]), "{found}");
    assert_eq!(game["deterministic"], true, "{found}");
    assert_eq!(game["consistent"], true, "{found}");
}

#[test]
fn refine_compares_the_languages_and_shows_a_word() {
    // The learner missed that the door opens up to 5, not only up to 4.
    examples("refine door-learned.json Learned Door --right-file door.json")
        .assert()
        .code(0);
    let output = examples("refine door.json Door Learned --right-file door-learned.json --witness")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    for part in ["badge?", "push?", "accept!"] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn mutants_tests_and_exports_are_made_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name).display().to_string();
    let found = json_of(
        examples(&format!("classify door.json --out {} --format json", out("run"))),
        0,
    );
    // One without each edge.
    assert_eq!(found["operators"]["TMI"]["total"], 22, "{found}");
    let suite = out("suite.json");
    examples(&format!("testgen door.json --out {suite}")).assert().code(0);
    // What refines a specification passes its tests: the learned automaton accepts less.
    for against in ["door.json", "door-learned.json --template Learned"] {
        examples(&format!("run {suite} --against {against}")).assert().code(0);
    }
    let export = |format: &str| {
        let to = out(format);
        examples(&format!(
            "export door.json --keep operator==TMI --as {format} --out {to}"
        ))
        .assert()
        .code(0);
        to
    };
    let again = format!("{}/original.tck", export("tchecker"));
    for files in [
        format!("refine door.json Door Door --right-file {again}"),
        format!("refine {again} Door Door --right-file door.json"),
    ] {
        examples(&files).assert().code(0);
    }
    // The mutant without the first transition refuses what the automaton takes.
    let first = format!("{}/000000-TMI.xml", export("uppaal"));
    examples(&format!("refine {first} Spec_mutant Door --right-file door.json"))
        .assert()
        .code(1);
}

#[test]
fn a_file_without_a_name_is_called_as_it_is_and_old_keys_are_read() {
    let text = DOOR.replace("\"name\": \"Door\",", "").replace("\"l\":", "\"s\":");
    let (code, said) = checked(text.as_bytes());
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("my"), "{said}");
    let mut marked = b"\xef\xbb\xbf".to_vec();
    marked.extend_from_slice(text.replace("\"tran\"", "\"trans\"").as_bytes());
    assert_eq!(checked(&marked).0, Some(0));
    let text = DOOR.replace("\"Door\"", "\"3_2-10\"");
    let (code, said) = checked(text.as_bytes());
    assert!(code == Some(0) && said.contains("_3_2_10"), "{said}");
}

#[test]
fn what_is_odd_is_a_warning() {
    let text = DOOR.replace("\"push\"", "\"push!\"");
    let (code, said) = checked(text.as_bytes());
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("the marks `?` and `!` of actions are not read"), "{said}");
    assert!(said.contains(":4:22"), "{said}");
    let text = DOOR.replace("[20,+)", "(20,20]");
    let (code, said) = checked(text.as_bytes());
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("`(20,20]` has no point") && said.contains(":11:27"),
        "{said}"
    );
}

#[test]
fn what_is_wrong_is_said_with_line_and_column() {
    let cases = [
        // One text of the example, what takes its place, where the error is, and what it says.
        (
            "\"(0,5]\"",
            "\"(0,4.5]\"",
            "8:31",
            "`4.5` in `(0,4.5]` is no natural number",
        ),
        (
            "\"(0,5]\"",
            "\"(-1,5]\"",
            "8:31",
            "`-1` in `(-1,5]` is no natural number",
        ),
        ("\"(0,5]\"", "\"0..5\"", "8:31", "`0..5` is no interval"),
        ("\"(0,5]\"", "5", "8:31", "a guard is a text"),
        ("[20,+)", "[20,+]", "11:27", "ends with infinity"),
        ("[20,+)", "[3000000000,+)", "11:27", "is too large"),
        (
            "[20,+)",
            "[19,+)",
            "11:27",
            "from `open` two transitions take `shut` at 19",
        ),
        (
            "[0,20)",
            "(20,21)",
            "11:27",
            "two transitions take `shut` between 20 and 21",
        ),
        (
            "\"n\", \"open\"",
            "\"x\", \"open\"",
            "9:36",
            "`x` does not say whether the clock is reset",
        ),
        (
            "\"n\", \"open\"",
            "\"n\"",
            "9:10",
            "a transition is a list of five texts",
        ),
        (
            "\"r\", \"alarm\"",
            "\"r\", \"alert\"",
            "11:42",
            "there is no location `alert`",
        ),
        (
            "[\"alarm\", \"badge\"",
            "[\"alarm\", \"ring\"",
            "12:20",
            "there is no action `ring`",
        ),
        (
            "\"init\": \"locked\"",
            "\"init\": \"home\"",
            "14:11",
            "there is no location `home`",
        ),
        ("\"init\": \"locked\",", "", "1:1", "the automaton has no `init`"),
        (
            "\"accept\": [\"open\"]",
            "\"accept\": [\"ajar\"]",
            "15:14",
            "there is no location `ajar`",
        ),
        (
            "\"accept\": [\"open\"]",
            "\"accept\": \"open\"",
            "15:13",
            "the accepting locations are a list",
        ),
        ("\"shut\"]", "\"badge\"]", "4:30", "the action `badge` is listed twice"),
        (
            "\"shut\"]",
            "\"shut\", \"push!\"]",
            "4:38",
            "two actions are called `push`",
        ),
        (
            "\"shut\"]",
            "\"shut\", \"accept\"]",
            "4:38",
            "an action is called `accept`",
        ),
        (
            "\"shut\"]",
            "\"shut\", \"a b\"]",
            "4:38",
            "`a b` is no name of an action",
        ),
        (
            "\"shut\"]",
            "\"shut\", \"int\"]",
            "4:38",
            "`int` is no name of an action",
        ),
        (
            "\"alarm\"]",
            "\"alarm\", \"open\"]",
            "3:48",
            "the location `open` is listed twice",
        ),
        ("\"1\":", "\"0\":", "7:5", "the transition `0` is given twice"),
        (
            "\"init\":",
            "\"color\": \"red\", \"init\":",
            "14:3",
            "the key `color` is not understood",
        ),
        (
            "\"init\":",
            "\"outputs\": [], \"init\":",
            "14:14",
            "a Mealy machine with a clock",
        ),
        (
            "\"init\":",
            "\"initState\": \"open\", \"init\":",
            "14:16",
            "`init` is given twice",
        ),
        ("\"init\"", "init", "14:3", "this is not JSON"),
        ("\"Door\"", "\"\\u001b[31m\"", "2:11", "a control character in a text"),
    ];
    for (from, to, place, message) in cases {
        assert!(DOOR.contains(from), "{from}");
        let (code, said) = checked(DOOR.replacen(from, to, 1).as_bytes());
        assert_eq!(code, Some(2), "{to}: {said}");
        assert!(said.contains(&format!("my.door.json:{place}\n")), "{to}: {said}");
        assert!(said.contains(message), "{to}: {said}");
    }
}

#[test]
fn an_automaton_whose_game_would_be_huge_is_refused_at_once() {
    let names = |mark: &str, n: usize| {
        let names: Vec<String> = (0..n).map(|at| format!("\"{mark}{at}\"")).collect();
        names.join(",")
    };
    let (locations, actions) = (names("l", 100_000), names("a", 100_000));
    let text =
        format!("{{\"l\": [{locations}], \"sigma\": [{actions}], \"tran\": {{}}, \"init\": \"l0\", \"accept\": []}}");
    let (code, said) = checked(text.as_bytes());
    assert_eq!(code, Some(2));
    assert!(said.contains("100000 locations with 100000 actions, and 0 intervals of guards, are more than 100000"));
}
