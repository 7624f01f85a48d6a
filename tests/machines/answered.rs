//! Suites with the answers that they expect, and graphs with their outputs at the states, against plain code.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Output};

use tamper::features::Random;
use tamper::formats::machines::{
    MachineFormat, MachineOptions, read_answered_suite, read_machine, read_suite, write_suite,
};
use tamper::machines::{InputId, MachineBuilder, MutationMachine, Transition};

/// States by number: for each input the output and the next state.
type Table = Vec<Vec<(usize, usize)>>;

const INPUTS: [&str; 6] = ["a", "a/b", "a/b/c", "b", "put/", "/"];
const OUTPUTS: [&str; 9] = ["0", "b", "b/c", "two words", "\"q\"", "c\"d e\\", "#", "-", " "];

fn random_table(random: &mut Random) -> Table {
    let (n_states, n_inputs) = (1 + random.below(5), 1 + random.below(INPUTS.len()));
    let mut step = |_| (random.below(OUTPUTS.len()), random.below(n_states));
    (0..n_states).map(|_| (0..n_inputs).map(&mut step).collect()).collect()
}

fn machine(table: &Table) -> MutationMachine {
    let mut builder = MachineBuilder::default();
    for (state, steps) in table.iter().enumerate() {
        let from = builder.state(&state.to_string());
        for (input, (output, target)) in steps.iter().enumerate() {
            let input = builder.input(INPUTS[input]);
            let transition = Transition {
                output: builder.output(OUTPUTS[*output]),
                target: builder.state(&target.to_string()),
            };
            builder.add(from, input, transition, false);
        }
    }
    builder.finish().expect("complete")
}

fn answers(table: &Table, word: &[usize]) -> Vec<&'static str> {
    let mut state = 0;
    let step = |input: &usize| {
        let (output, target) = table[state][*input];
        state = target;
        OUTPUTS[output]
    };
    word.iter().map(step).collect()
}

#[test]
fn suites_with_answers_are_read_as_they_were_written_and_wrong_answers_are_all_found() {
    let mut random = Random::new(31);
    let (mut n_answers, mut n_bare, mut n_wrong) = (0, 0, 0);
    for _ in 0..1000 {
        let table = random_table(&mut random);
        let machine = machine(&table);
        let n_inputs = table[0].len();
        let words: Vec<Vec<usize>> = (0..1 + random.below(4))
            .map(|_| (0..1 + random.below(7)).map(|_| random.below(n_inputs)).collect())
            .collect();
        let id = |input: &usize| {
            let mut named = machine.inputs().iter_enumerated();
            named.find(|(_, name)| *name == INPUTS[*input]).expect("an input").0
        };
        let tests: Vec<Vec<InputId>> = words.iter().map(|word| word.iter().map(id).collect()).collect();
        let text = write_suite(&machine, &tests);
        let suite = read_suite("s", text.as_bytes(), &machine).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(suite.tests, tests, "{text}");
        let expected: BTreeMap<(usize, usize), &str> = suite
            .answers
            .iter()
            .map(|answer| ((answer.test, answer.step), answer.output.as_str()))
            .collect();
        for (number, word) in words.iter().enumerate() {
            for (step, answer) in answers(&table, word).into_iter().enumerate() {
                match expected.get(&(number, step)) {
                    Some(found) => assert_eq!(*found, answer, "{text}"),
                    None => n_bare += 1,
                }
            }
        }
        n_answers += expected.len();
        assert_eq!(suite.wrong_answers(&machine), Ok(Vec::new()));
        // The same suite of another machine with the same inputs: the answers that differ, and no others.
        let mut other = table.clone();
        for steps in &mut other {
            steps.iter_mut().for_each(|(output, _)| {
                if random.below(4) == 0 {
                    *output = random.below(OUTPUTS.len());
                }
            });
        }
        let wrong = suite.wrong_answers(&self::machine(&other)).expect("no limit");
        let found: Vec<(usize, usize, &str)> = wrong
            .iter()
            .map(|(answer, got)| (answer.test, answer.step, got.as_str()))
            .collect();
        let mut plain = Vec::new();
        for (number, word) in words.iter().enumerate() {
            let both = answers(&table, word).into_iter().zip(answers(&other, word)).enumerate();
            let differs = both.filter(|(step, (left, right))| left != right && expected.contains_key(&(number, *step)));
            plain.extend(differs.map(|(step, (_, right))| (number, step, right)));
        }
        assert_eq!(found, plain, "{text}");
        n_wrong += plain.len();
    }
    println!("{n_answers} answers, {n_bare} inputs without one, {n_wrong} wrong ones");
    assert!(n_answers > 5000 && n_bare == 0 && n_wrong > 500);
}

/// A Moore machine or an acceptor, in one of the ways in which tools write it, and what it answers.
#[test]
fn moore_machines_and_acceptors_answer_with_the_output_of_the_state_that_they_come_to() {
    let mut random = Random::new(7);
    let (mut n_acceptors, mut n_moore) = (0, 0);
    for _ in 0..500 {
        let table = random_table(&mut random);
        let is_acceptor = random.below(2) == 0;
        let n_outputs = if is_acceptor { 2 } else { 3 };
        let mut own: Vec<usize> = table.iter().map(|_| random.below(n_outputs)).collect();
        if is_acceptor {
            own[0] = 0;
        }
        let names = if is_acceptor {
            ["accept", "reject", ""]
        } else {
            ["on", "half on", "off"]
        };
        let mut text = "digraph g {\n".to_owned();
        let style = random.below(3);
        for (state, output) in own.iter().enumerate() {
            let name = names[*output];
            let _ = match (is_acceptor, style) {
                (true, 0) => writeln!(
                    text,
                    "s{state} [shape={}];",
                    if *output == 0 { "doublecircle" } else { "circle" }
                ),
                (true, 1) => writeln!(text, "s{state} [label=\"{state}\" peripheries={}]", 2 - *output),
                (true, _) => writeln!(
                    text,
                    "node [shape={}]; s{state};",
                    if *output == 0 { "doublecircle" } else { "circle" }
                ),
                (false, 0) => writeln!(text, "s{state} [label=\"q {state} / {name}\"];"),
                (false, 1) => writeln!(text, "s{state} [shape=record label=\"{{s{state}|{name}}}\"];"),
                (false, _) => writeln!(text, "s{state} [label=<<b>s{state}</b> / {name}>];"),
            };
        }
        for (state, steps) in table.iter().enumerate() {
            for (input, (_, target)) in steps.iter().enumerate() {
                let _ = writeln!(text, "s{state} -> s{target} [label=\"press  {input}\"];");
            }
        }
        text.push_str("}\n");
        let start = random.below(table.len());
        let options = MachineOptions {
            moore: true,
            start: Some(format!("s{start}")),
            ..MachineOptions::default()
        };
        let read = read_machine("m", text.as_bytes(), MachineFormat::Dot, &options);
        let machine = read.unwrap_or_else(|error| panic!("{error}\n{text}")).machine;
        let word: Vec<usize> = (0..8).map(|_| random.below(table[0].len())).collect();
        let mut state = start;
        let plain: Vec<String> = word
            .iter()
            .map(|input| {
                state = table[state][*input].1;
                names[own[state]].replace(' ', "_")
            })
            .collect();
        let written: Vec<String> = word.iter().map(|input| format!("press_{input}")).collect();
        let suite = read_suite("s", written.join(" ").as_bytes(), &machine).expect("its inputs");
        assert_eq!(machine.answers(&suite.tests[0]), plain, "{text}");
        n_acceptors += usize::from(is_acceptor);
        n_moore += usize::from(!is_acceptor);
    }
    println!("{n_acceptors} acceptors, {n_moore} Moore machines");
    assert!(n_acceptors > 200 && n_moore > 200);
}

#[test]
fn a_suite_for_a_program_has_an_answer_at_each_step() {
    let pairs = read_answered_suite("s", b"a/0 b/\"two words\" # ok\n").expect("answered");
    let pair = |input: &str, answer: &str| (input.to_owned(), answer.to_owned());
    assert_eq!(pairs, [[pair("a", "0"), pair("b", "two words")]]);
    for (text, message) in [
        ("a/0 b", "this step has no answer"),
        ("a/0/1", "which `/` of `a/0/1` separates input and answer?"),
    ] {
        let error = read_answered_suite("s", text.as_bytes()).unwrap_err();
        assert!(error.diagnostics[0].message.contains(message), "{error}");
        assert!(error.diagnostics[0].help.is_some());
    }
}

fn tamper(folder: &std::path::Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tamper"))
        .args(words)
        .current_dir(folder)
        .output()
        .expect("tamper runs")
}

#[test]
fn run_check_and_coverage_compare_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let write = |name: &str, text: &str| fs::write(at.join(name), text).expect("written");
    write("right.fsm", "p a / 0 -> q\np b / 1 -> p\nq a / 1 -> p\nq b / 0 -> q\n");
    write("wrong.fsm", "p a / 0 -> q\np b / 1 -> p\nq a / 1 -> p\nq b / 1 -> q\n");
    let text = |output: &Output| {
        let both = [output.stdout.clone(), output.stderr.clone()].concat();
        String::from_utf8(both).expect("text")
    };
    let made = tamper(
        at,
        &["testgen", "right.fsm", "--strategy", "w-method", "--out", "all.suite"],
    );
    assert_eq!(made.status.code(), Some(0), "{}", text(&made));
    let good = tamper(at, &["run", "all.suite", "--against", "right.fsm"]);
    assert_eq!(good.status.code(), Some(0), "{}", text(&good));
    let bad = tamper(at, &["run", "all.suite", "--against", "wrong.fsm"]);
    assert_eq!(bad.status.code(), Some(1));
    assert!(
        text(&bad).contains("  a: 0\n  b: 1\n  step 2: expected 0\n"),
        "{}",
        text(&bad)
    );
    let stale = tamper(at, &["coverage", "wrong.fsm", "all.suite"]);
    assert_eq!(stale.status.code(), Some(2));
    assert!(
        text(&stale).contains("expected `0`, the machine answers `1`"),
        "{}",
        text(&stale)
    );
    write("inputs.suite", "a b\n");
    let none = tamper(at, &["run", "inputs.suite", "--against", "right.fsm"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none).contains("has inputs only"), "{}", text(&none));
    let shown = tamper(at, &["check", "right.fsm", "--run", "a/0 b a"]);
    assert_eq!(shown.status.code(), Some(0));
    let rows: Vec<Vec<String>> = text(&shown)
        .lines()
        .skip(2)
        .map(|row| row.split('|').map(|cell| cell.trim().to_owned()).collect())
        .collect();
    assert_eq!(
        rows.iter().map(|row| row[1..4].join(" ")).collect::<Vec<_>>(),
        ["  p", "a 0 q", "b 0 q", "a 1 p"]
    );
    let unknown = tamper(at, &["check", "right.fsm", "--run", "a c"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown).contains("--run:1:3"), "{}", text(&unknown));
}
