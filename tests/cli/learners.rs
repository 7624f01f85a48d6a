//! What learners of state machines use: machines compared, drawn for other tools, and questions answered.

use std::fs;

use snapbox::cmd::Command;

use super::{json_of, tamper};

const MACHINE: &str = "s a / 0 -> t\ns b / 0 -> s\nt a / 0 -> s\nt b / 1 -> t\n";
/// As a learner writes it that missed that `a` leads back.
const LEARNED: &str = "digraph g {\n__start0 [label=\"\" shape=\"none\"];\n  s0 [shape=\"circle\" label=\"0\"];\n  s1;\n  s0 -> s1 [label=\"a/0\"]\n  \
    s0 -> s0 [label=\"b / 0\"];\n  s1 -> s1 [label=\" a/0\"];\n  s1 -> s1 [label=\"b/1\"];\n__start0 -> s0;\n}\n";

/// A folder with `machine.fsm`, `learned.dot` and a mutation machine, `mutants.fsm`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("machine.fsm", MACHINE);
    write("learned.dot", LEARNED);
    write(
        "mutants.fsm",
        &format!("{MACHINE}mutated t a / 0 -> t\nmutated s b / 1 -> s\n"),
    );
    folder
}

fn at(folder: &tempfile::TempDir, words: &str) -> Command {
    tamper().current_dir(folder.path()).args(words.split_whitespace())
}

fn fails(command: Command, what: &str) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(what), "{said}");
}

#[test]
fn refine_of_machines_finds_the_shortest_word_whatever_they_are_written_in() {
    let folder = folder();
    // After `a a` the one is in s, the other in s1: `b` tells. No word of two inputs does: a, b and ab are answered alike.
    let found = json_of(at(&folder, "refine learned.dot machine.fsm --format json"), 1);
    assert_eq!(found["verdict"], "non-subsumed");
    let expected = serde_json::json!({"word": ["a", "a", "b"], "left": ["0", "0", "1"], "right": ["0", "0", "0"]});
    assert_eq!(found["difference"], expected);
    let text = at(&folder, "refine machine.fsm learned.dot").assert().code(1);
    let text = String::from_utf8_lossy(&text.get_output().stdout).into_owned();
    assert!(
        text.contains("word         a a b\nmachine.fsm  0 0 0\nlearned.dot  0 0 1\n"),
        "{text}"
    );
    at(&folder, "draw machine.fsm --as dot --out machine.dot")
        .assert()
        .code(0);
    let found = json_of(at(&folder, "refine machine.dot machine.fsm --format json"), 0);
    assert_eq!(found["verdict"], "subsumed");
    json_of(
        at(&folder, "refine machine.dot learned.dot --max-states 1 --format json"),
        3,
    );
}

#[test]
fn machines_that_are_not_comparable_are_refused_by_name() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("other.fsm", "s a / 0 -> s\ns c / 0 -> s\n");
    fails(
        at(&folder, "refine machine.fsm other.fsm"),
        "only the left one has `b`, only the right one has `c`",
    );
    fails(
        at(&folder, "refine mutants.fsm machine.fsm"),
        "has 2 mutated transitions",
    );
    write("model.xml", "<nta/>");
    fails(
        at(&folder, "refine machine.fsm model.xml"),
        "is a UPPAAL file, not a state machine",
    );
    fails(
        at(&folder, "refine machine.fsm learned.dot --witness"),
        "--witness has no meaning for a state machine",
    );
    fails(at(&folder, "draw machine.fsm"), "--as dot");
    fails(
        at(&folder, "testgen learned.dot --out suite.json"),
        "the machine has no mutated transition",
    );
    fails(
        at(&folder, "families mutants.fsm --against model.xml"),
        "is a UPPAAL file, not a state machine",
    );
    write(
        "partial.dot",
        "digraph {\n__start0 -> s; s -> t [label=\"a/0\"]; t -> t [label=\"b/0\"]\n}\n",
    );
    fails(
        at(&folder, "refine partial.dot partial.dot"),
        "no transition from state `s` on `b`",
    );
    at(&folder, "refine partial.dot partial.dot --unspecified fill")
        .assert()
        .code(0);
}

#[test]
fn families_counts_the_machines_that_answer_as_a_learned_one() {
    let folder = folder();
    // Of the four machines only the one where `a` stays in t, and nothing else is changed, is the learned one.
    let found = json_of(
        at(&folder, "families mutants.fsm --against learned.dot --format json"),
        1,
    );
    assert_eq!((&found["machines"], &found["subsumed"]), (&"4".into(), &"1".into()));
    let found = json_of(
        at(&folder, "families machine.fsm --against machine.fsm --format json"),
        0,
    );
    assert_eq!((&found["machines"], &found["subsumed"]), (&"1".into(), &"1".into()));
}

#[test]
fn the_oracle_answers_every_line_and_goes_on_after_malformed_ones() {
    let folder = folder();
    let inline: String = LEARNED.replace("s1 -> s1 [label=\" a/0\"]", "s1 -> s0 [label=\" a/0\"]");
    let asked_and_answered: &[(&str, &str)] = &[
        ("inputs", "inputs a b"),
        ("word", "outputs"),
        ("word a b a b", "outputs 0 1 0 0"),
        ("word a x", "error there is no input `x`; the inputs are a b"),
        ("equivalent", "error there is no hypothesis yet"),
        ("hypothesis file learned.dot", "read 2 states"),
        ("equivalent", "counterexample a a b / 0 0 0 / 0 0 1"),
        // It saw `a b a b`, whose answers are not the hypothesis's.
        ("suite one", "counterexample a b a b / 0 1 0 0 / 0 1 0 1"),
        ("seen a b / 0 0", "error the answer is 0 1"),
        (
            "seen a b / 0",
            "error write `seen INPUTS / OUTPUTS`, as many of the one as of the other",
        ),
        ("seen b / 0", "ok"),
        (
            "hypothesis file none.dot",
            "error cannot be read: No such file or directory (os error 2) (name the file of a machine)",
        ),
        (
            "hypothesis dot\ndigraph {\ns -> t\n}\nend",
            "error line 2, column 1: this edge has no label (a transition is an edge with `label=\"INPUT/OUTPUT\"`; if outputs are at the states, or these accept: --moore)",
        ),
        // The last hypothesis that could be read is still there.
        ("equivalent", "counterexample a a b / 0 0 0 / 0 0 1"),
        ("", "error this line asks nothing"),
        (
            "frobnicate",
            "error `frobnicate` is none of inputs, word, seen, hypothesis, equivalent, suite, quit",
        ),
        ("equivalent now", "error nothing goes behind `equivalent`, not `now`"),
        ("suite two", "error a suite is one, split or all: `suite one`"),
        ("suite one 0", "error `0` is no number from 1 on"),
        ("hypothesis text\ns a / 0 -> s\ns b / 0 -> s\nend", "read 1 states"),
        ("equivalent", "counterexample a b / 0 1 / 0 0"),
    ];
    let mut questions: String = asked_and_answered
        .iter()
        .map(|(asked, _)| format!("{asked}\n"))
        .collect();
    questions.push_str(&format!(
        "hypothesis dot\n{inline}end\nequivalent\nhypothesis dot\ndigraph {{"
    ));
    let mut answers: String = asked_and_answered
        .iter()
        .map(|(_, answered)| format!("{answered}\n"))
        .collect();
    answers.push_str("read 2 states\nequivalent\nerror the hypothesis has no line `end`\n");
    for _ in 0..2 {
        let output = at(&folder, "oracle machine.fsm")
            .stdin(questions.clone())
            .assert()
            .code(0);
        assert_eq!(String::from_utf8_lossy(&output.get_output().stdout), answers);
    }
    let output = at(&folder, "oracle machine.fsm")
        .stdin([&b"\xff\xfe\n"[..], b"quit\nword a\n"].concat())
        .assert()
        .code(0);
    assert_eq!(
        String::from_utf8_lossy(&output.get_output().stdout),
        "error this line is no text in UTF-8\n"
    );
    fails(at(&folder, "oracle mutants.fsm"), "has 2 mutated transitions");
    fails(at(&folder, "oracle -"), "name the file of the machine");
}

#[test]
fn a_session_without_a_machine_makes_tests_for_what_was_not_seen() {
    let folder = folder();
    // One state, so the only faults are wrong outputs: a test that takes every transition is enough, and after `a` that of b.
    let questions = "word a\nequivalent\nhypothesis text\ns a / 0 -> s\ns b / 0 -> s\nend\nequivalent\nsuite one\n\
        seen a / 0\nsuite one\nseen a b / 0 0\nsuite one\nsuite all\n";
    let output = at(&folder, "oracle").stdin(questions).assert().code(0);
    let expected = "error there is no machine: tamper oracle MACHINE has one\n\
        error there is no machine: tamper oracle MACHINE has one\nread 1 states\n\
        error there is no machine: tamper oracle MACHINE has one\nsuite 1 left 0\ntest a b\nok\nsuite 1 left 0\ntest b\n\
        ok\nsuite 0 left 0\nsuite 2 left 0\ntest a\ntest b\n";
    assert_eq!(String::from_utf8_lossy(&output.get_output().stdout), expected);
    let questions = "hypothesis file machine.fsm\nsuite split 8 2\n";
    let output = at(&folder, "oracle").stdin(questions).assert().code(0);
    let said = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        (lines.len(), lines[0], &lines[1][..13]),
        (4, "read 2 states", "suite 2 left "),
        "{said}"
    );
    assert!(
        lines[2..]
            .iter()
            .all(|line| line.starts_with("test ") && line.split(' ').count() >= 9),
        "{said}"
    );
}
