//! Mutants of machines that are decided one by one, against plain enumeration.

use tamper::experiment::{Limits, Log, Selection, Timer, Verdict, classify};
use tamper::features::Random;
use tamper::formats::machines::{MachineFormat, MachineOptions, ReadMachine, read_machine, write_machine};
use tamper::machines::{Mutant, MutationMachine};
use tamper::text::Budget;
use tamper::untimed::{Untimed, UntimedMutants, UntimedRun, UntimedSettings};

use super::{mutants, random_machine, shortest_kill};

/// As it is read, whose states may have another order.
fn read(machine: &MutationMachine) -> ReadMachine {
    let text = write_machine(machine);
    let options = MachineOptions::default();
    read_machine("m.fsm", text.as_bytes(), MachineFormat::Text, &options).expect(&text)
}

#[test]
fn mutants_of_200_random_machines_are_decided_as_by_enumeration() {
    let mut random = Random::new(29);
    let (mut n_killed, mut n_conforming) = (0, 0);
    for _ in 0..200 {
        let read = read(&random_machine(&mut random));
        let machine = read.machine.clone();
        let all = mutants(&machine);
        let settings = UntimedSettings {
            timer: Timer::new(Limits::default()),
            witness: true,
        };
        let numbered = UntimedMutants::of_machine(read).expect("few mutants");
        assert_eq!(numbered.len() + 1, all.len() as u64);
        let selection = Selection::of_each(numbered.len(), None, 0);
        let run = UntimedRun {
            untimed: &Untimed::new(numbered, None, settings),
            selection: &selection,
        };
        let records = classify(run, &mut Log::nowhere(), &mut |_| ()).expect("nothing is written");
        assert_eq!(records.len() + 1, all.len());
        for (record, mutant) in records.iter().zip(&all[1..]) {
            assert_eq!(record.id, mutant.show(&machine).join("; "));
            assert_eq!(usize::from(record.order), mutant.mutated().count());
            let word = record
                .kill
                .as_ref()
                .and_then(|kill| kill.word.as_ref())
                .expect("a witness");
            let expected = shortest_kill(&machine, mutant);
            assert_eq!(expected.unwrap_or(0), word.len(), "{}", record.id);
            assert_eq!(
                record.verdict == Verdict::NonSubsumed,
                expected.is_some(),
                "{}",
                record.id
            );
            let ids: Vec<_> = word
                .iter()
                .map(|name| {
                    let is_own = |(_, own): &(_, &String)| *own == name;
                    machine.inputs().iter_enumerated().find(is_own).expect("an input").0
                })
                .collect();
            assert_eq!(mutant.is_killed_by(&machine, &ids), expected.is_some());
            match expected {
                Some(_) => n_killed += 1,
                None => n_conforming += 1,
            }
        }
    }
    assert!(n_killed > 1000 && n_conforming > 100, "{n_killed} {n_conforming}");
}

#[test]
fn machines_are_numbered_in_the_order_of_their_choices_and_written_without_faults() {
    let mut random = Random::new(30);
    for _ in 0..50 {
        let machine = random_machine(&mut random);
        let all = mutants(&machine);
        for (number, mutant) in (0..).zip(&all) {
            assert_eq!(Mutant::numbered(&machine, number).as_ref(), Some(mutant));
        }
        assert_eq!(Mutant::numbered(&machine, all.len() as u64), None);
        let last = all.last().expect("the specification");
        let chosen = last.as_machine(&machine).expect("it has no variables");
        assert_eq!(chosen.n_mutated(), 0);
        for state in machine.states().ids() {
            for input in machine.inputs().ids() {
                assert_eq!(chosen.unaltered(state, input), last.step(&machine, state, input));
            }
        }
    }
}

#[test]
fn a_limit_that_is_hit_leaves_a_mutant_open() {
    let mut random = Random::new(31);
    let machine = random_machine(&mut random);
    let budget = Budget {
        max_states: Some(0),
        ..Budget::unlimited()
    };
    for mutant in mutants(&machine) {
        assert!(mutant.killing_sequence(&machine, &budget).is_err());
    }
}

/// The judge: `coverage` of all faults within the specification's states, and of a machine with one state more that only two inputs
/// show. The running example has no checking sequence ([000] section 3.2).
#[test]
fn suites_of_machines_are_made_by_the_strategies_of_their_theory() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |words: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tamper"));
        let output = command
            .current_dir(folder.path())
            .args(words.split(' '))
            .output()
            .expect("it runs");
        (output.status.code(), String::from_utf8(output.stdout).expect("text"))
    };
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/machines/running-example.fsm");
    let text = std::fs::read_to_string(example).expect("it is there");
    let own: String = text
        .lines()
        .filter(|line| !line.starts_with("mutated"))
        .map(|line| format!("{line}\n"))
        .collect();
    for (name, text) in [
        ("example.fsm", own.as_str()),
        ("two.fsm", "p a / 0 -> q\np b / 0 -> p\nq a / 1 -> p\nq b / 0 -> p\n"),
        ("more.fsm", "s a / 0 -> s\nmutated s a / 0 -> r\nr a / 1 -> r\n"),
    ] {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    for (strategy, machine, more, made, complete) in [
        ("w-method", "example.fsm", "", 0, Some("--faults all")),
        ("hsi-method", "example.fsm", "", 0, Some("--faults all")),
        ("checking-sequence", "example.fsm", "", 1, None),
        ("checking-sequence", "two.fsm", "", 0, Some("--faults all")),
        ("per-mutant", "more.fsm", "", 0, Some("--show=count")),
        ("w-method", "more.fsm", " --extra-states 1", 0, Some("--show=count")),
        ("hsi-method", "more.fsm", " --extra-states 1", 0, Some("--show=count")),
        ("w-method", "example.fsm", " --max-states 9", 3, None),
        ("w-method", "example.fsm", " --max-memory 100", 3, None),
        ("w-method", "example.fsm", " --extra-states 40", 2, None),
        (
            "hsi-method",
            "example.fsm",
            " --extra-states 18446744073709551615",
            2,
            None,
        ),
        ("minimal", "example.fsm", "", 2, None),
        ("per-mutant", "example.fsm", "", 2, None),
        ("checking-sequence", "two.fsm", " --extra-states 1", 2, None),
    ] {
        let words = format!("testgen {machine} --strategy {strategy}{more} --out {strategy}.txt");
        let (code, out) = run(&words);
        assert_eq!(code, Some(made), "{words}");
        assert!(
            made != 1 || out.starts_with("no checking sequence by this method"),
            "{out}"
        );
        if let Some(faults) = complete {
            let (code, out) = run(&format!("coverage {machine} {strategy}.txt {faults}"));
            assert_eq!(code, Some(0), "{words}\n{out}");
        }
    }
    // Two of its four states are the same: machines of four have one in excess.
    let detector = "a 0 / 0 -> a\na 1 / 0 -> b\nb 0 / 0 -> c\nb 1 / 0 -> b\nc 0 / 0 -> a\nc 1 / 1 -> d\nd 0 / 0 -> c\nd 1 / 0 -> b\n";
    std::fs::write(folder.path().join("detector.fsm"), detector).expect("written");
    for (more, states, complete) in [("", 3, 1), (" --extra-states 1", 4, 0)] {
        let (code, out) = run(&format!(
            "testgen detector.fsm --strategy w-method{more} --out detector.txt"
        ));
        assert_eq!(code, Some(0));
        let said = format!("up to {states} states; of the specification's 4 states 3 are reachable and differ");
        assert!(out.contains(&said), "{out}");
        assert_eq!(run("coverage detector.fsm detector.txt --faults all").0, Some(complete));
    }
    // A suite for as many states cannot know of the other one.
    assert_eq!(run("testgen more.fsm --strategy w-method --out short.txt").0, Some(0));
    assert_eq!(run("coverage more.fsm short.txt").0, Some(1));
}
