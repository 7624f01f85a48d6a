//! The circuit of a program runs as the program does: every sequence of inputs and choices, one bit at a time.

use std::collections::BTreeSet;

use tamper_features::Random;
use tamper_systems::formats::hyper::write_program;
use tamper_systems::{InputId, Program, StateId, TransitionSystem, VarId, conditional_mutant, mutations};
use tamper_text::Id;

use super::files::{program, study};
use super::written::{states, text};

/// ASCII AIGER, read plainly.
struct Circuit {
    inputs: Vec<(usize, String)>,
    latches: Vec<[usize; 2]>,
    outputs: Vec<(usize, String)>,
    ands: Vec<[usize; 3]>,
    n_variables: usize,
}

impl Circuit {
    fn of(text: &str) -> Self {
        let mut lines = text.lines();
        let numbers = |line: &str| -> Vec<usize> { line.split(' ').filter_map(|word| word.parse().ok()).collect() };
        let sizes = numbers(lines.next().expect("a head"));
        let mut take = |n: usize| -> Vec<Vec<usize>> { lines.by_ref().take(n).map(numbers).collect() };
        let [inputs, latches, outputs, ands] = [take(sizes[1]), take(sizes[2]), take(sizes[3]), take(sizes[4])];
        let mut names = lines.map(|line| line.split_once(' ').expect("a symbol").1.to_owned());
        let mut named = |lines: Vec<Vec<usize>>| {
            lines
                .iter()
                .map(|line| (line[0], names.next().expect("a name")))
                .collect()
        };
        Self {
            inputs: named(inputs),
            outputs: named(outputs),
            latches: latches.iter().map(|line| [line[0], line[1]]).collect(),
            ands: ands.iter().map(|line| [line[0], line[1], line[2]]).collect(),
            n_variables: sizes[0],
        }
    }
    /// The outputs, and the latches after them.
    fn step(&self, latches: &[bool], code: usize) -> (Vec<bool>, Vec<bool>) {
        let mut bits = vec![false; self.n_variables + 1];
        let value = |bits: &[bool], literal: usize| bits[literal / 2] ^ (literal % 2 == 1);
        for (at, (input, _)) in self.inputs.iter().enumerate() {
            bits[input / 2] = code >> at & 1 == 1;
        }
        for ([latch, _], held) in self.latches.iter().zip(latches) {
            bits[latch / 2] = *held;
        }
        for [and, left, right] in &self.ands {
            bits[and / 2] = value(&bits, *left) && value(&bits, *right);
        }
        let outputs = self.outputs.iter().map(|(output, _)| value(&bits, *output)).collect();
        (
            outputs,
            self.latches.iter().map(|[_, next]| value(&bits, *next)).collect(),
        )
    }
}

/// `n=1 b=TRUE` from bits, as runs of the program show it.
fn shown(program: &Program, circuit: &Circuit, bits: &[bool]) -> String {
    let shown = program.outputs.iter().map(|seen| {
        let name = program.name_of(*seen);
        let var = program
            .variables
            .ids()
            .find(|var| program.variables[*var].name == name)
            .expect("a variable");
        let domain = &program.variables[var].domain;
        let own = circuit
            .outputs
            .iter()
            .zip(bits)
            .filter(|((_, other), _)| other == name || other.starts_with(&format!("{name}<")));
        let place = own.enumerate().map(|(at, (_, bit))| u64::from(*bit) << at).sum();
        let is_boolean = *domain == tamper_systems::Domain::Boolean;
        format!("{name}={}", program.show(domain.value(place), is_boolean))
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// What can be seen in `depth` moments after the first, with the bit of the input before each.
fn of_circuit(program: &Program, circuit: &Circuit, depth: usize) -> BTreeSet<Vec<String>> {
    let at = circuit
        .inputs
        .iter()
        .position(|(_, name)| name == "i")
        .expect("the input");
    let mut runs = BTreeSet::from([(Vec::new(), vec![false; circuit.latches.len()])]);
    for moment in 0..=depth {
        let mut longer = BTreeSet::new();
        for (seen, latches) in &runs {
            for code in 0..1 << circuit.inputs.len() {
                let (bits, after) = circuit.step(latches, code);
                let mut seen: Vec<String> = seen.clone();
                seen.push(shown(program, circuit, &bits));
                // The last input leads to what is not looked at.
                if moment < depth {
                    seen.push(if code >> at & 1 == 1 { "TRUE" } else { "FALSE" }.to_owned());
                }
                longer.insert((seen, after));
            }
        }
        runs = longer;
    }
    runs.into_iter().map(|(seen, _)| seen).collect()
}

fn of_system(system: &TransitionSystem, depth: usize) -> BTreeSet<Vec<String>> {
    let starts = system.starts().iter();
    let mut runs: BTreeSet<(Vec<String>, StateId)> = starts
        .flat_map(|(seen, states)| states.iter().map(|state| (vec![seen.clone()], *state)))
        .collect();
    for _ in 0..depth {
        let longer = runs.iter().flat_map(|(seen, state)| {
            (0..system.inputs().len()).flat_map(move |input| {
                let steps = system.steps(*state, InputId::from_index(input)).iter();
                steps.map(move |step| {
                    let more = [
                        system.inputs()[InputId::from_index(input)].clone(),
                        system.outputs()[step.output].clone(),
                    ];
                    ([&seen[..], &more].concat(), step.target)
                })
            })
        });
        runs = longer.collect();
    }
    runs.into_iter().map(|(seen, _)| seen).collect()
}

#[test]
fn random_programs_and_their_circuits_show_the_same() {
    let mut n_total = 0;
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let text = text(&mut random);
        let program = program(&text);
        let Some(system) = states(&program) else { continue };
        let circuit = Circuit::of(&write_program(&program).expect("few values").text);
        n_total += 1;
        assert_eq!(
            of_circuit(&program, &circuit, 2),
            of_system(&system, 2),
            "seed {seed}\n{text}"
        );
    }
    assert!(n_total > 30, "{n_total}");
}

#[test]
fn a_conditional_mutant_is_a_circuit_in_which_the_choice_of_the_mutant_lasts() {
    let original = program(&study("untimed/smv/counter-gray.smv").replace("go", "i"));
    for mutation in mutations(&original) {
        let (mut both, name) = conditional_mutant(&original, &mutation);
        let chosen: VarId = both
            .variables
            .ids()
            .find(|var| both.variables[*var].name == name)
            .expect("the variable");
        both.outputs.push(tamper_systems::Observed::Variable(chosen));
        let Some(system) = states(&both) else { continue };
        let circuit = Circuit::of(&write_program(&both).expect("few values").text);
        let runs = of_circuit(&both, &circuit, 2);
        assert_eq!(runs, of_system(&system, 2), "{mutation:?}");
        let lasts = |run: &Vec<String>| {
            run.iter()
                .step_by(2)
                .all(|seen| seen.ends_with("mut=TRUE") == run[0].ends_with("mut=TRUE"))
        };
        assert!(runs.iter().all(lasts));
    }
}
