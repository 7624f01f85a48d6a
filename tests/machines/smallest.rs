//! The fewest tests of all against plain search: every mutant is followed at once, nothing is left out.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

use tamper::features::{Random, Varisat};
use tamper::formats::machines::{MachineFormat, MachineOptions, read_machine};
use tamper::machines::{Mutant, MutationMachine, Profile, StateId, smallest};
use tamper::text::Budget;

use super::{mutants, shortest_kill};

/// A machine that drifts: most transitions lead to later states, from which there is no way back, so that one test does not do.
fn drifting_machine(random: &mut Random) -> MutationMachine {
    let (n_states, n_inputs) = (2 + random.below(5), 1 + random.below(3));
    let mut text = "initial s0\n".to_owned();
    let target = |state: usize, random: &mut Random| match random.below(6) {
        0 => random.below(n_states),
        _ => (state + random.below(3)).min(n_states - 1),
    };
    for state in 0..n_states {
        for input in 0..n_inputs {
            let line = |output, target| format!("s{state} i{input} / {output} -> s{target}\n");
            let (output, to) = (random.below(2), target(state, random));
            text.push_str(&line(output, to));
            if random.below(2) == 0 {
                let mutated = line(random.below(2), target(state, random));
                if !text.ends_with(&mutated) {
                    let _ = write!(text, "mutated {mutated}");
                }
            }
        }
    }
    read(&text)
}

fn read(text: &str) -> MutationMachine {
    let (name, options) = ("machine.fsm", MachineOptions::default());
    read_machine(name, text.as_bytes(), MachineFormat::Text, &options)
        .expect(text)
        .machine
}

/// Where every mutant is: its state, or none once it was killed.
type Places = Vec<Option<StateId>>;

/// The sets of mutants that some test kills, as bits, each with the shortest length of one.
fn killed_by_length(machine: &MutationMachine, mutants: &[Mutant]) -> Option<Vec<(u64, usize)>> {
    let start: (StateId, Places) = (machine.initial(), vec![Some(machine.initial()); mutants.len()]);
    let mut known = HashSet::from([start.clone()]);
    let (mut level, mut length) = (vec![start], 0);
    let mut sets: std::collections::BTreeMap<u64, usize> = std::collections::BTreeMap::new();
    while !level.is_empty() {
        let mut longer = Vec::new();
        for (right, own) in level {
            let killed = (0..own.len()).filter(|at| own[*at].is_none()).map(|at| 1 << at).sum();
            sets.entry(killed).or_insert(length);
            for input in machine.inputs().ids() {
                let expected = machine.unaltered(right, input);
                let step = |(mutant, own): (&Mutant, &Option<StateId>)| {
                    let mine = mutant.step(machine, (*own)?, input);
                    (mine.output == expected.output).then_some(mine.target)
                };
                let next = (expected.target, mutants.iter().zip(&own).map(step).collect());
                if known.insert(next.clone()) {
                    longer.push(next);
                }
            }
        }
        if known.len() > 50_000 {
            return None;
        }
        (level, length) = (longer, length + 1);
    }
    Some(sets.into_iter().collect())
}

/// The fewest inputs of that many sets that hold all: by what was reached, round by round, nothing left out.
fn fewest_inputs(sets: &[(u64, usize)], all: u64, n_tests: usize) -> Option<usize> {
    let mut reached = std::collections::BTreeMap::from([(0_u64, 0_usize)]);
    for _ in 0..n_tests {
        let mut next = reached.clone();
        for (have, cost) in &reached {
            for (set, length) in sets {
                let least = next.entry(have | set).or_insert(usize::MAX);
                *least = (*least).min(cost + length);
            }
        }
        reached = next;
    }
    reached.get(&all).copied()
}

/// The sets of mutants that some test kills, as bits; none if there is too much to look at.
pub fn killed_together(machine: &MutationMachine, mutants: &[Mutant]) -> Option<BTreeSet<u64>> {
    let sets = killed_by_length(machine, mutants)?;
    Some(sets.into_iter().map(|(killed, _)| killed).collect())
}

/// The fewest of the sets that hold all.
pub fn fewest(sets: &BTreeSet<u64>, all: u64) -> usize {
    let mut reached = HashSet::from([0_u64]);
    let mut n = 0;
    while !reached.contains(&all) {
        reached = reached
            .iter()
            .flat_map(|have| sets.iter().map(move |set| have | set))
            .collect();
        n += 1;
    }
    n
}

#[test]
fn the_fewest_tests_of_300_small_machines_are_those_of_plain_search() {
    let mut random = Random::new(31);
    let (mut n_compared, mut n_several, mut most) = (0, 0, 0);
    while n_compared < 300 {
        let machine = drifting_machine(&mut random);
        let killable = |mutant: &Mutant| shortest_kill(&machine, mutant).is_some();
        let all: Vec<Mutant> = mutants(&machine).into_iter().skip(1).filter(killable).collect();
        if all.len() > 20 || all.is_empty() {
            continue;
        }
        let Some(sets) = killed_together(&machine, &all) else {
            continue;
        };
        let least = fewest(&sets, (1 << all.len()) - 1);
        let found = smallest(&machine, &Varisat::default, &Budget::unlimited(), &mut |_, _| ()).unwrap();
        assert!(found.is_proved(), "{found:?}");
        assert_eq!(found.tests.len(), least, "{found:?}");
        assert!(
            all.iter()
                .all(|mutant| found.tests.iter().any(|test| mutant.is_killed_by(&machine, test)))
        );
        // The mutants that are named need as many.
        let named: Vec<Mutant> = found.witnesses.clone();
        let sets = killed_together(&machine, &named).expect("they are some of all");
        assert_eq!(fewest(&sets, (1 << named.len()) - 1), least, "{found:?}");
        // None of them is named in vain.
        for left_out in 0..named.len() {
            let mut fewer = named.clone();
            fewer.remove(left_out);
            let sets = killed_together(&machine, &fewer).expect("they are some of all");
            assert!(fewest(&sets, (1 << fewer.len()) - 1) < least, "{found:?}");
        }
        // No suite of so few tests is shorter.
        let sets = killed_by_length(&machine, &all).expect("it was little enough before");
        let n_inputs: usize = found.tests.iter().map(Vec::len).sum();
        assert_eq!(
            Some(n_inputs),
            fewest_inputs(&sets, (1 << all.len()) - 1, least),
            "{found:?}"
        );
        assert!(found.is_shortest, "{found:?}");
        n_compared += 1;
        n_several += usize::from(least > 1);
        most = most.max(least);
    }
    println!("{n_compared} compared, {n_several} need several tests, at most {most}");
    assert!(
        n_several >= 30 && most >= 3,
        "{n_several} need several tests, at most {most}"
    );
}

/// Faults in states that a test cannot come back to: each needs a test of its own.
#[test]
fn a_machine_that_ends_needs_a_test_for_each_way_to_its_end() {
    let text: Vec<String> = (0..5)
        .flat_map(|way| {
            [
                format!("start i{way} / go -> w{way}"),
                format!("mutated w{way} i0 / bad -> end"),
            ]
        })
        .chain((0..5).flat_map(|way| (0..5).map(move |input| format!("w{way} i{input} / ok -> end"))))
        .chain((0..5).map(|input| format!("end i{input} / ok -> end")))
        .collect();
    let text = format!("initial start\n{}\n", text.join("\n"));
    let machine = read(&text);
    let found = smallest(&machine, &Varisat::default, &Budget::unlimited(), &mut |_, _| ()).unwrap();
    assert!(found.is_proved());
    assert_eq!((found.tests.len(), found.lower_bound), (5, 5), "{found:?}");
    // A limit leaves a bound that is not above.
    let budget = Budget {
        max_states: Some(3),
        ..Budget::unlimited()
    };
    let stopped = smallest(&machine, &Varisat::default, &budget, &mut |_, _| ()).unwrap();
    assert!(
        stopped.stopped.is_some() && !stopped.is_proved() && stopped.lower_bound <= 5,
        "{stopped:?}"
    );
}

/// Machines too large to enumerate: the suite is complete, and has no fewer tests than the bound.
#[test]
fn the_fewest_tests_of_controllers_are_complete() {
    for seed in 0..4 {
        let machine = Profile::air_quality(seed).generate().unwrap();
        let found = smallest(&machine, &Varisat::default, &Budget::unlimited(), &mut |_, _| ()).unwrap();
        assert!(found.stopped.is_none() && found.lower_bound <= found.tests.len());
        let mut again = tamper::machines::Analysis::new(&machine, tamper::features::Batsat::default());
        found.tests.iter().for_each(|test| again.add_test(test));
        assert_eq!(
            again.escape(&Budget::unlimited(), &mut |_| ()),
            Ok(tamper::machines::Answer::Complete)
        );
        println!("seed {seed}: {} tests, {} needed", found.tests.len(), found.lower_bound);
    }
}
