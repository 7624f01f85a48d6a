//! What learners ask for, against plain enumeration: graphs, shortest differences, suites, families beside a specification.

use std::collections::{BTreeMap, BTreeSet};

use tamper::features::{Random, Varisat};
use tamper::formats::machines::{MachineFormat, MachineOptions, read_machine, write_dot, write_machine};
use tamper::machines::{
    Analysis, Answer, Faults, FirstOrderPlan, InputId, JointMachine, MachineBuilder, Mutant, MutationMachine, OneFault,
    Profile, StateId, Transition, difference, first_order_suite, identifying_suite,
};
use tamper::text::{Budget, Id as _};

use super::{mutants, shortest_kill};

fn profile(random: &mut Random, seed: u64, most_states: usize) -> Profile {
    let (n_states, n_inputs, n_outputs) = (1 + random.below(most_states), 1 + random.below(3), 1 + random.below(3));
    let n_sets = random.below(n_states.min(3) + 1);
    Profile {
        n_states,
        n_inputs,
        n_outputs,
        sets: if n_states * n_outputs > 1 {
            vec![(n_sets, 2)]
        } else {
            Vec::new()
        },
        reach: 1 + random.below(3),
        n_fault_inputs: n_inputs,
        seed,
    }
}

#[test]
fn a_graph_that_is_written_is_read_as_the_same_machine() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let machine = profile(&mut random, seed, 7).generate().unwrap();
        let graph = write_dot(&machine);
        let read = read_machine(
            "m.dot",
            graph.as_bytes(),
            MachineFormat::Dot,
            &MachineOptions::default(),
        )
        .unwrap();
        assert_eq!(
            write_machine(&read.machine),
            write_machine(&machine),
            "seed {seed}\n{graph}"
        );
        assert_eq!(write_dot(&read.machine), graph, "seed {seed}");
    }
}

/// All words up to that length, short ones first, by name.
fn words(names: &[&String], longest: usize) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..longest {
        let mut longer = Vec::new();
        for word in &last {
            longer.extend(names.iter().map(|name| [&word[..], &[(*name).clone()]].concat()));
        }
        all.extend(longer.iter().cloned());
        last = longer;
    }
    all
}

fn ids(machine: &MutationMachine, word: &[String]) -> Vec<InputId> {
    let find = |name: &String| {
        machine
            .inputs()
            .iter_enumerated()
            .find(|(_, own)| *own == name)
            .unwrap()
            .0
    };
    word.iter().map(find).collect()
}

/// The specification with one transition changed, and inputs in another order.
fn changed(machine: &MutationMachine, random: &mut Random) -> MutationMachine {
    let mut builder = MachineBuilder::new();
    machine.inputs().iter().rev().for_each(|name| {
        builder.input(name);
    });
    let wrong = random.below(machine.states().len() * machine.inputs().len() + 1);
    for (number, (state, input)) in cells(machine).into_iter().enumerate() {
        let own = machine.unaltered(state, input);
        let target = match number == wrong {
            true => StateId::from_index(random.below(machine.states().len())),
            false => own.target,
        };
        let state = builder.state(&machine.states()[state]);
        let input = builder.input(&machine.inputs()[input]);
        let transition = Transition {
            output: builder.output(&machine.outputs()[own.output]),
            target: builder.state(&machine.states()[target]),
        };
        builder.add(state, input, transition, false);
    }
    let initial = builder.state(&machine.states()[machine.initial()]);
    builder.set_initial(initial);
    builder.finish().unwrap()
}

fn cells(machine: &MutationMachine) -> Vec<(StateId, InputId)> {
    let states = machine.states().ids();
    states
        .flat_map(|state| machine.inputs().ids().map(move |input| (state, input)))
        .collect()
}

#[test]
fn the_difference_is_the_first_of_all_words_that_is_one() {
    let mut n_different = 0;
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let machine = profile(&mut random, seed, 4).generate().unwrap();
        let other = changed(&machine, &mut random);
        let found = difference(&machine, &other, &Budget::unlimited()).unwrap();
        let mut names: Vec<&String> = machine.inputs().iter().collect();
        names.sort();
        let longest = match machine.inputs().len() {
            1 => 12,
            2 => 9,
            _ => 6,
        };
        let differs = |word: &&Vec<String>| machine.answers(&ids(&machine, word)) != other.answers(&ids(&other, word));
        let all = words(&names, longest);
        let first = all.iter().find(differs);
        match (&found, first) {
            (Some(found), Some(first)) => {
                assert_eq!(found.inputs, *first, "seed {seed}");
                assert_eq!(found.left, machine.answers(&ids(&machine, first)), "seed {seed}");
                assert_eq!(found.right, other.answers(&ids(&other, first)), "seed {seed}");
                n_different += 1;
            }
            // Two machines of n states that differ do so within 2n - 1 inputs.
            (None, None) => {}
            (Some(found), None) => assert!(found.inputs.len() > longest, "seed {seed}: {found:?}"),
            (None, Some(first)) => panic!("seed {seed}: {first:?} was not found"),
        }
    }
    assert!(n_different > 50, "only {n_different} of the machines differ");
}

/// A machine as rows of (output, target), for plain simulation; a cell is `state * n_inputs + input`.
#[derive(Clone)]
struct Rows {
    n_inputs: usize,
    rows: Vec<(usize, usize)>,
}

impl Rows {
    fn of(machine: &MutationMachine) -> Self {
        assert_eq!(machine.initial().index(), 0);
        let row = |(state, input)| {
            let transition = machine.unaltered(state, input);
            (transition.output.index(), transition.target.index())
        };
        Self {
            n_inputs: machine.inputs().len(),
            rows: cells(machine).into_iter().map(row).collect(),
        }
    }
    fn answers(&self, word: &[InputId]) -> Vec<usize> {
        let mut state = 0;
        let step = |input: &InputId| {
            let (output, target) = self.rows[state * self.n_inputs + input.index()];
            state = target;
            output
        };
        word.iter().map(step).collect()
    }
    fn n_states(&self) -> usize {
        self.rows.len() / self.n_inputs
    }
    /// By the partition of the states of both into those that answer alike.
    fn is_like(&self, other: &Self) -> bool {
        let offset = self.n_states();
        let moved = other.rows.iter().map(|(output, target)| (*output, target + offset));
        let rows: Vec<(usize, usize)> = self.rows.iter().copied().chain(moved).collect();
        let n_states = offset + other.n_states();
        let mut class = vec![0; n_states];
        for _ in 0..n_states {
            let mut known = BTreeMap::new();
            let next: Vec<usize> = (0..n_states)
                .map(|state| {
                    let own = &rows[state * self.n_inputs..(state + 1) * self.n_inputs];
                    let steps: Vec<_> = own.iter().map(|(output, target)| (*output, class[*target])).collect();
                    let fresh = known.len();
                    *known.entry(steps).or_insert(fresh)
                })
                .collect();
            class = next;
        }
        class[0] == class[offset]
    }
    /// Whether all states are reached and answer differently.
    fn is_minimal(&self) -> bool {
        let from = |state: usize| {
            // The state as the initial one: swapped with 0 in names.
            let name = |at: usize| match at {
                0 => state,
                at if at == state => 0,
                at => at,
            };
            let rows = (0..self.rows.len()).map(|cell| {
                let (output, target) = self.rows[name(cell / self.n_inputs) * self.n_inputs + cell % self.n_inputs];
                (output, name(target))
            });
            Self {
                n_inputs: self.n_inputs,
                rows: rows.collect(),
            }
        };
        let all = || 0..self.n_states();
        let mut reached = vec![0];
        let mut at = 0;
        while at < reached.len() {
            for input in 0..self.n_inputs {
                let target = self.rows[reached[at] * self.n_inputs + input].1;
                if !reached.contains(&target) {
                    reached.push(target);
                }
            }
            at += 1;
        }
        reached.len() == self.n_states() && all().all(|p| all().all(|q| p == q || !from(p).is_like(&from(q))))
    }
    /// All machines with one wrong transition.
    fn one_fault(&self, n_outputs: usize) -> Vec<Self> {
        let mut found = Vec::new();
        for cell in 0..self.rows.len() {
            for output in 0..n_outputs {
                for target in 0..self.n_states() {
                    let mut mutant = self.clone();
                    mutant.rows[cell] = (output, target);
                    found.push(mutant);
                }
            }
        }
        found
    }
    /// All machines in which one transition leads to a copy of its target, one of whose transitions is wrong.
    fn split(&self, n_outputs: usize) -> Vec<Self> {
        let mut found = Vec::new();
        for cell in 0..self.rows.len() {
            let (own, copied) = (self.n_states(), self.rows[cell].1);
            let mut whole = self.clone();
            whole.rows[cell].1 = own;
            // The copy does what its original does, which may be to take the transition that leads to the copy.
            let copy: Vec<_> = whole.rows[copied * self.n_inputs..(copied + 1) * self.n_inputs].to_vec();
            whole.rows.extend(copy);
            for input in 0..self.n_inputs {
                for output in 0..n_outputs {
                    for target in 0..self.n_states() {
                        let mut mutant = whole.clone();
                        mutant.rows[own * self.n_inputs + input] = (output, target);
                        found.push(mutant);
                    }
                }
            }
        }
        found
    }
}

/// Random machines whose states are all reached and all differ, with at least two outputs.
fn minimal_machines(n: u64, most_states: usize) -> Vec<(u64, MutationMachine)> {
    let draw = |seed| {
        let mut random = Random::new(seed);
        let profile = Profile {
            n_outputs: 2 + random.below(2),
            sets: Vec::new(),
            ..profile(&mut random, seed, most_states)
        };
        (seed, profile.generate().unwrap())
    };
    let drawn = (0..n).map(draw);
    drawn.filter(|(_, machine)| Rows::of(machine).is_minimal()).collect()
}

#[test]
fn suites_for_one_fault_kill_all_that_can_be_killed() {
    let machines = minimal_machines(400, 5);
    assert!(machines.len() > 60, "{} machines", machines.len());
    for (seed, machine) in machines {
        let own = Rows::of(&machine);
        let mut random = Random::new(seed);
        let length = 1 + random.below(12);
        let n_seen = random.below(4);
        let word = |random: &mut Random| -> Vec<InputId> {
            let length = random.below(10);
            (0..length)
                .map(|_| InputId::from_index(random.below(machine.inputs().len())))
                .collect()
        };
        let seen: Vec<Vec<InputId>> = (0..n_seen).map(|_| word(&mut random)).collect();
        for faults in [OneFault::Transition, OneFault::Split] {
            let most = usize::MAX;
            let plan = FirstOrderPlan { faults, length, most };
            let found = first_order_suite(&machine, &seen, &plan, &Budget::unlimited()).unwrap();
            assert_eq!(found.n_left, 0, "seed {seed}");
            let mut mutants = own.one_fault(machine.outputs().len());
            if faults == OneFault::Split {
                mutants.extend(own.split(machine.outputs().len()));
            }
            for mutant in mutants {
                let kills = |test: &Vec<InputId>| mutant.answers(test) != own.answers(test);
                let is_killed = found.tests.iter().chain(&seen).any(kills);
                assert_eq!(
                    is_killed,
                    !mutant.is_like(&own),
                    "seed {seed} {faults:?}\n{}",
                    write_machine(&machine)
                );
            }
            let few = FirstOrderPlan {
                faults,
                length,
                most: 2,
            };
            let first = first_order_suite(&machine, &seen, &few, &Budget::unlimited()).unwrap();
            assert_eq!(first.tests, found.tests[..found.tests.len().min(2)], "seed {seed}");
        }
    }
}

/// The specification with states that nothing reaches, and all of these faults.
fn faulty(machine: &MutationMachine, extra: usize, faults: Faults) -> MutationMachine {
    let mut builder = MachineBuilder::new();
    machine.inputs().iter().for_each(|name| {
        builder.input(name);
    });
    for (state, input) in cells(machine) {
        let own = machine.unaltered(state, input);
        let state = builder.state(&machine.states()[state]);
        let transition = Transition {
            output: builder.output(&machine.outputs()[own.output]),
            target: builder.state(&machine.states()[own.target]),
        };
        builder.add(state, input, transition, false);
    }
    let output =
        builder.output(&machine.outputs()[machine.unaltered(machine.initial(), InputId::from_index(0)).output]);
    for at in 0..extra {
        let state = builder.state(&format!("extra {at}"));
        for input in machine.inputs().ids() {
            builder.add(state, input, Transition { output, target: state }, false);
        }
    }
    builder.add_faults(faults);
    builder.finish().unwrap()
}

#[test]
fn suites_for_all_faults_are_complete_by_the_solver() {
    let machines = minimal_machines(150, 3);
    assert!(machines.len() > 20, "{} machines", machines.len());
    let mut n_decided = [0, 0];
    for (seed, machine) in machines {
        for (extra, decided) in n_decided.iter_mut().enumerate() {
            let suite = identifying_suite(&machine, extra, &Budget::unlimited()).unwrap();
            // All machines of that many states.
            let all = faulty(&machine, extra, Faults::All);
            if all.n_mutated() > 120 {
                continue;
            }
            let mut analysis = Analysis::new(&all, Varisat::default());
            suite.iter().for_each(|test| analysis.add_test(test));
            let answer = analysis.escape(&Budget::unlimited(), &mut |_| ()).unwrap();
            assert_eq!(
                answer,
                Answer::Complete,
                "seed {seed}, {extra} more states\n{}",
                write_machine(&machine)
            );
            *decided += 1;
        }
    }
    assert!(n_decided[0] > 20 && n_decided[1] > 10, "{n_decided:?}");
}

/// \[000\] section 1: of output faults, however many at once, a word that takes every transition is complete; of transfer
/// faults it need not be.
#[test]
fn a_transition_tour_is_complete_for_output_faults() {
    let mut n_complete = [0, 0];
    for (seed, machine) in minimal_machines(200, 4) {
        let mut random = Random::new(seed);
        let (mut tour, mut state, mut left) = (Vec::new(), machine.initial(), BTreeSet::from_iter(cells(&machine)));
        while !left.is_empty() && tour.len() < 1000 {
            let input = InputId::from_index(random.below(machine.inputs().len()));
            left.remove(&(state, input));
            state = machine.unaltered(state, input).target;
            tour.push(input);
        }
        for (faults, n_complete) in [Faults::Outputs, Faults::Transfers].into_iter().zip(&mut n_complete) {
            let all = faulty(&machine, 0, faults);
            let mut analysis = Analysis::new(&all, Varisat::default());
            analysis.add_test(&tour);
            let answer = analysis.escape(&Budget::unlimited(), &mut |_| ()).unwrap();
            *n_complete += usize::from(left.is_empty() && answer == Answer::Complete);
            let is_sure = left.is_empty() && faults == Faults::Outputs;
            assert!(!is_sure || answer == Answer::Complete, "seed {seed}");
        }
    }
    assert!(n_complete[0] > 20 && n_complete[1] < n_complete[0], "{n_complete:?}");
}

#[test]
fn a_family_beside_a_specification_conforms_where_its_machines_answer_alike() {
    let (mut n_alike, mut n_other) = (0, 0);
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let family = profile(&mut random, seed, 4).generate().unwrap();
        let specification = changed(&family, &mut random);
        let beside = JointMachine::of(&specification, &family).unwrap();
        assert_eq!(beside.whole.n_machines(), family.n_machines() * 2_u32);
        for mutant in mutants(&beside.whole) {
            let conforms = shortest_kill(&beside.whole, &mutant).is_none();
            let Some(machine) = beside.machine(&family, &mutant) else {
                assert!(conforms, "seed {seed}: the specification itself");
                continue;
            };
            let expected = enumerated(&family, &machine, &specification);
            assert_eq!(conforms, expected, "seed {seed}");
            *(if conforms { &mut n_alike } else { &mut n_other }) += 1;
        }
    }
    assert!(n_alike > 50 && n_other > 50, "{n_alike} alike, {n_other} not");
}

/// Whether a machine of `family` answers all pairs of states that are reached together as the specification does.
fn enumerated(family: &MutationMachine, machine: &Mutant, specification: &MutationMachine) -> bool {
    let names: Vec<String> = family.inputs().iter().cloned().collect();
    let theirs = ids(specification, &names);
    let mut pairs = vec![(family.initial(), specification.initial())];
    let mut at = 0;
    while at < pairs.len() {
        for (input, same) in family.inputs().ids().zip(&theirs) {
            let (mine, right) = (
                machine.step(family, pairs[at].0, input),
                specification.unaltered(pairs[at].1, *same),
            );
            if family.outputs()[mine.output] != specification.outputs()[right.output] {
                return false;
            }
            if !pairs.contains(&(mine.target, right.target)) {
                pairs.push((mine.target, right.target));
            }
        }
        at += 1;
    }
    true
}
