//! Random mutation machines with few mutants, and all mutants of one, from the definition.

use std::collections::BTreeSet;

use tamper_features::Random;
use tamper_machines::{InputId, Mutant, MutationMachine, Profile, StateId};

/// All mutants, the specification first.
pub fn mutants(machine: &MutationMachine) -> Vec<Mutant> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for set in machine.sets() {
        let n_choices = machine.n_choices(set) as u32;
        let longer = |choices: &Vec<u32>| -> Vec<Vec<u32>> {
            (0..n_choices)
                .map(|choice| [&choices[..], &[choice]].concat())
                .collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    let mutant = |choices| Mutant::new(machine, choices).unwrap();
    all.into_iter().map(mutant).collect()
}

/// The length of the shortest sequence that kills `mutant`: the pairs of states after 1, 2, … inputs, level by level.
pub fn shortest_kill(machine: &MutationMachine, mutant: &Mutant) -> Option<usize> {
    let mut known = BTreeSet::new();
    let mut level: Vec<(StateId, StateId)> = vec![(machine.initial(), machine.initial())];
    for length in 1.. {
        let mut next = Vec::new();
        for (right, own) in level {
            for input in machine.inputs().ids() {
                let (expected, mine) = (machine.unaltered(right, input), mutant.step(machine, own, input));
                if expected.output != mine.output {
                    return Some(length);
                }
                if known.insert((expected.target, mine.target)) {
                    next.push((expected.target, mine.target));
                }
            }
        }
        if next.is_empty() {
            return None;
        }
        level = next;
    }
    None
}

/// A machine of at most 4,096 mutants.
pub fn random_machine(random: &mut Random) -> MutationMachine {
    let (n_states, n_inputs, n_outputs) = (1 + random.below(6), 1 + random.below(3), 1 + random.below(3));
    let largest = (n_states * n_outputs).min(9);
    let mut sets = Vec::new();
    let mut n_machines = 1;
    while largest >= 2 && sets.len() < n_states * n_inputs {
        let size = 2 + random.below(largest - 1);
        n_machines *= size;
        if n_machines > 4096 || random.below(12) == 0 {
            break;
        }
        sets.push((1, size));
    }
    let profile = Profile {
        n_states,
        n_inputs,
        n_outputs,
        sets,
        reach: 1 + random.below(3),
        n_fault_inputs: n_inputs,
        seed: random.bits(),
    };
    profile.generate().expect("a possible profile")
}

/// Up to four words of up to eight inputs.
pub fn random_suite(machine: &MutationMachine, random: &mut Random) -> Vec<Vec<InputId>> {
    let inputs: Vec<InputId> = machine.inputs().ids().collect();
    let mut test = |_| {
        (0..random.below(9))
            .map(|_| inputs[random.below(inputs.len())])
            .collect()
    };
    let mut suite: Vec<Vec<InputId>> = (0..4).map(&mut test).collect();
    suite.truncate(random.below(5));
    suite
}
