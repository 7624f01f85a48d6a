//! The controllers of case-studies/damper: the figures of [000] section 4.2, complete suites, proofs.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use num_bigint::BigUint;
use tamper::features::Batsat;
use tamper::formats::machines::{MachineFormat, MachineOptions, read_certificate, read_machine, read_suite};
use tamper::machines::{Analysis, Answer, Counter, InputId, MutationMachine};
use tamper::text::Budget;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("case-studies/damper")
        .join(name)
}

fn study(name: &str) -> (MutationMachine, Vec<Vec<InputId>>) {
    let bytes = |ending: &str| fs::read(file(&format!("{name}.{ending}"))).unwrap();
    let options = MachineOptions::default();
    let read = read_machine(name, &bytes("scxml"), MachineFormat::Scxml, &options);
    let machine = read.unwrap_or_else(|error| panic!("{error}")).machine;
    let suite = read_suite("suite", &bytes("suite"), &machine).unwrap().tests;
    (machine, suite)
}

/// Every mutant but those that conform is killed: by a solver that has seen nothing of how the suite was found, by counting, and by the
/// proof; without its last test the suite is incomplete. How many conform.
fn check_complete(name: &str, (machine, suite): &(MutationMachine, Vec<Vec<InputId>>)) -> BigUint {
    let mut analysis = Analysis::new(machine, Batsat::default());
    let mut counter = Counter::new(machine, Budget::unlimited());
    for test in suite {
        analysis.add_test(test);
        counter.add_test(test);
    }
    assert_eq!(analysis.escape(&Budget::unlimited(), &mut |_| ()), Ok(Answer::Complete));
    let counts = counter.counts(analysis.conforming(), true, false);
    assert_eq!(counts.undetected.exact(), Some(&BigUint::ZERO));
    let (killed, conforming) = (counts.killed.exact().unwrap(), counts.conforming.exact().unwrap());
    assert_eq!(killed + conforming, counts.mutants);
    let text = fs::read(file(&format!("{name}.proof"))).unwrap();
    let proof = read_certificate("proof", &text, machine).unwrap();
    assert_eq!(proof.check(machine, suite), Ok(()));
    let (_, fewer) = suite.split_last().unwrap();
    assert!(proof.check(machine, fewer).is_err());
    let mut analysis = Analysis::new(machine, Batsat::default());
    fewer.iter().for_each(|test| analysis.add_test(test));
    let answer = analysis.escape(&Budget::unlimited(), &mut |_| ()).unwrap();
    assert!(matches!(answer, Answer::Escape(_)), "{answer:?}");
    conforming.clone()
}

#[test]
fn the_hierarchical_controller_has_the_published_figures_and_a_proved_suite() {
    let study = study("model");
    let machine = &study.0;
    assert_eq!(machine.n_machines(), BigUint::from(69_657_034_752_u64));
    assert_eq!(
        (machine.sets().len(), machine.n_mutated(), machine.inputs().len()),
        (26, 46, 24)
    );
    assert_eq!(check_complete("model", &study), BigUint::ZERO);
    let unfolded = machine.extended().expect("a chart").unfolded();
    assert!(
        unfolded.n_configurations <= 14,
        "a state for every simple state that mutants reach"
    );
    // All states, on all inputs: two outputs.
    let mut states = vec![machine.initial()];
    let mut at = 0;
    while at < states.len() {
        for input in machine.inputs().ids() {
            for branch in machine.branches(states[at], input) {
                if !states.contains(&branch.transition.target) {
                    states.push(branch.transition.target);
                }
            }
        }
        at += 1;
    }
    assert_eq!(states.len(), 14);
    let outputs: BTreeSet<&str> = machine.outputs().iter().map(String::as_str).collect();
    assert_eq!(outputs, BTreeSet::from(["fresh", "recirculate"]));
    let names: BTreeSet<&str> = states.iter().map(|state| machine.states()[*state].as_str()).collect();
    assert!(names.contains("s2.s23.s231") && names.contains("s1.s11"), "{names:?}");
}

/// By hand: it does not matter whether the state that a gas keeps closed is named `held` or `closed`, which begins with it (2), nor what
/// `service` is (2), nor whether the button leads to `held` or to `watching` (2), since no gas opens what the button has closed. In `held` four
/// ticks pass: from 4 down to 1, from 3 down to 0 with `hold > 0`, or from 5 down to 2 with `hold > 2` (3). 24 machines conform, the
/// specification among them.
#[test]
fn the_controller_with_values_has_a_proved_suite() {
    let study = study("with-values");
    assert_eq!(check_complete("with-values", &study), BigUint::from(23_u32));
    let unfolding = study.0.extended().expect("a chart");
    assert_eq!(unfolding.idle_variables().collect::<Vec<_>>(), ["service"]);
}
