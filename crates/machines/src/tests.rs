//! The running example of \[000\], and the parts against each other.

use std::collections::BTreeSet;

use num_bigint::BigUint;

use super::executions::revealing_choices;
use super::*;
use tamper_features::{Batsat, Varisat};
use tamper_text::{Budget, Id};

/// The machine of those transitions: from, input, output, to; a star stands before mutated ones.
fn machine_of(lines: &[&str]) -> MutationMachine {
    let mut builder = MachineBuilder::new();
    for line in lines {
        let mutated = line.starts_with('*');
        let words: Vec<&str> = line.trim_start_matches('*').split(' ').collect();
        let [from, input, output, to] = words[..] else {
            panic!("{line}")
        };
        let cell = (builder.state(from), builder.input(input));
        let (output, target) = (builder.output(output), builder.state(to));
        builder.add(cell.0, cell.1, Transition { output, target }, mutated);
    }
    builder.finish().unwrap()
}

/// Figure 1 of \[000\]. Three trusted transitions are not in its text. `(1, a)` must not leave state 1 for any of its
/// counts to come out; `(2, b)` and `(4, b)` are never used there: here they lead to 1 and to 3, so that everything is
/// complete and connected.
pub(super) fn running_example() -> MutationMachine {
    machine_of(&[
        "1 a 0 1", "1 b 0 2", "2 a 0 3", "2 b 0 1", "3 a 0 3", "3 b 0 4", "4 a 1 1", "4 b 0 3", "*3 a 1 3", "*3 b 0 3",
        "*4 a 1 2",
    ])
}

fn word(machine: &MutationMachine, text: &str) -> Vec<InputId> {
    let input = |name: char| {
        machine
            .inputs()
            .ids()
            .find(|id| machine.inputs()[*id] == name.to_string())
    };
    text.chars().map(|name| input(name).unwrap()).collect()
}

/// Steps of the mutation machine, the last answer of which, and no other, is wrong: by state, input and branch.
type Execution = Vec<(StateId, InputId, usize)>;

/// All executions to the sink, by plain recursion over all branches.
fn sink_executions(machine: &MutationMachine, inputs: &[InputId]) -> Vec<Execution> {
    let mut found = Vec::new();
    let start = machine.initial();
    continue_execution(machine, inputs, (start, start), &mut Vec::new(), &mut found);
    found
}

fn continue_execution(
    machine: &MutationMachine,
    inputs: &[InputId],
    (state, right): (StateId, StateId),
    steps: &mut Execution,
    found: &mut Vec<Execution>,
) {
    let [input, rest @ ..] = inputs else { return };
    let expected = machine.unaltered(right, *input);
    for (at, branch) in machine.branches(state, *input).iter().enumerate() {
        steps.push((state, *input, at));
        match branch.transition.output == expected.output {
            true => continue_execution(machine, rest, (branch.transition.target, expected.target), steps, found),
            false => found.push(steps.clone()),
        }
        steps.pop();
    }
}

/// The choices that an execution makes, in the order in which it makes them first.
fn choices(machine: &MutationMachine, execution: &Execution) -> Vec<(SetId, usize)> {
    let mut choices = Vec::new();
    for (state, input, at) in execution {
        for (set, choice) in machine.branches(*state, *input)[*at].choices() {
            if !choices.contains(&(*set, *choice as usize)) {
                choices.push((*set, *choice as usize));
            }
        }
    }
    choices
}

/// Whether an execution makes at most one choice in each suspicious set.
fn is_deterministic(machine: &MutationMachine, execution: &Execution) -> bool {
    let choices = choices(machine, execution);
    let sets: BTreeSet<SetId> = choices.iter().map(|(set, _)| *set).collect();
    sets.len() == choices.len()
}

/// What encodings are made from.
fn revealing(machine: &MutationMachine, inputs: &[InputId]) -> Vec<Vec<(SetId, usize)>> {
    revealing_choices(&AlphaAutomaton::new(machine, inputs), usize::MAX).expect("no limit")
}

fn show(machine: &MutationMachine, execution: &Execution) -> String {
    let step = |(state, input, at): &(StateId, InputId, usize)| {
        let transition = machine.branches(*state, *input)[*at].transition;
        machine.show(*state, *input, transition).replace(", ", "")
    };
    execution.iter().map(step).collect()
}

fn mutants(machine: &MutationMachine) -> Vec<Mutant> {
    let mut all = vec![Vec::new()];
    for set in machine.sets() {
        let n_choices = machine.n_choices(set) as u32;
        all = all
            .iter()
            .flat_map(|choices: &Vec<u32>| (0..n_choices).map(move |choice| [&choices[..], &[choice]].concat()))
            .collect();
    }
    all.into_iter()
        .map(|choices| Mutant::new(machine, choices).unwrap())
        .collect()
}

fn answer(machine: &MutationMachine, tests: &[&str]) -> Answer {
    let mut analysis = Analysis::new(machine, Varisat::default());
    for test in tests {
        analysis.add_test(&word(machine, test));
    }
    analysis.escape(&Budget::unlimited(), &mut |_| ()).unwrap()
}

#[test]
fn the_running_example_has_eight_machines_and_three_mutated_transitions() {
    let machine = running_example();
    assert_eq!(machine.n_machines(), BigUint::from(8_u32));
    assert_eq!(machine.n_mutated(), 3);
    assert_eq!(machine.n_transitions(), 6 + 5, "six suspicious, five trusted");
    let places: Vec<_> = machine
        .sets()
        .filter_map(|set| machine.place(set))
        .map(|(state, input)| (state.index(), input.index()))
        .collect();
    assert_eq!(
        places,
        [(2, 0), (2, 1), (3, 0)],
        "z1 = (3, a), z2 = (3, b), z3 = (4, a)"
    );
    assert!(machine.unreachable().is_empty());
}

#[test]
fn baaba_triggers_two_executions_to_the_sink_both_revealing() {
    let machine = running_example();
    let baaba = word(&machine, "baaba");
    let all = sink_executions(&machine, &baaba);
    let shown: Vec<_> = all.iter().map(|execution| show(&machine, execution)).collect();
    assert_eq!(shown, ["(1b02)(2a03)(3a03)(3b03)(3a03)", "(1b02)(2a03)(3a13)"]);
    let made: Vec<_> = all.iter().map(|execution| choices(&machine, execution)).collect();
    assert_eq!(revealing(&machine, &baaba), made);
    // Only (4, a, 1, 2) alone escapes it.
    let survivors: Vec<_> = mutants(&machine)
        .into_iter()
        .filter(|mutant| !mutant.is_killed_by(&machine, &baaba))
        .collect();
    let choices: Vec<_> = survivors.iter().map(|mutant| mutant.choices().to_vec()).collect();
    assert_eq!(choices, [vec![0, 0, 0], vec![0, 0, 1]]);
}

/// The paper prints eight and calls four of them deterministic. Its items 6 and 7 lack a `(3, b, 0, 3)` step, which the
/// sixth input triggers; with it, item 7 takes both transitions for `(3, b)`.
#[test]
fn babaaba_triggers_eight_executions_to_the_sink_three_of_them_revealing() {
    let machine = running_example();
    let babaaba = word(&machine, "babaaba");
    let all = sink_executions(&machine, &babaaba);
    assert_eq!(all.len(), 8);
    let deterministic: Vec<_> = all
        .iter()
        .filter(|execution| is_deterministic(&machine, execution))
        .collect();
    let shown: Vec<_> = deterministic
        .iter()
        .map(|execution| show(&machine, execution))
        .collect();
    assert_eq!(
        shown,
        [
            "(1b02)(2a03)(3b04)(4a12)(2a03)(3b04)(4a12)",
            "(1b02)(2a03)(3b03)(3a03)",
            "(1b02)(2a03)(3b03)(3a13)(3a13)",
        ]
    );
    let made: Vec<_> = deterministic
        .iter()
        .map(|execution| choices(&machine, execution))
        .collect();
    assert_eq!(revealing(&machine, &babaaba), made);
}

#[test]
fn what_escapes_babaaba_is_the_output_fault_alone() {
    let machine = running_example();
    let babaaba = word(&machine, "babaaba");
    // The formula of the paper: one clause for each of the eight executions, some choice of which is not made.
    let all = sink_executions(&machine, &babaaba);
    let clauses: Vec<_> = all.iter().map(|execution| choices(&machine, execution)).collect();
    let holds = |mutant: &&Mutant| {
        let clause = |choices: &Vec<(SetId, usize)>| choices.iter().any(|(set, choice)| mutant.choice(*set) != *choice);
        clauses.iter().all(clause)
    };
    let all_mutants = mutants(&machine);
    let solutions: Vec<_> = all_mutants
        .iter()
        .filter(holds)
        .map(|mutant| mutant.choices().to_vec())
        .collect();
    assert_eq!(solutions, [vec![0, 0, 0], vec![1, 0, 0]], "z1=1 or 2, z2=1, z3=1");
    let Answer::Escape(escape) = answer(&machine, &["babaaba"]) else {
        panic!("something escapes")
    };
    assert_eq!(escape.mutant.choices(), [1, 0, 0]);
    assert_eq!(escape.mutant.show(&machine), ["(3, a, 1, 3)"]);
    assert_eq!(escape.killed_by, word(&machine, "baa"));
    assert_eq!(machine.states()[machine.specification_after(&babaaba)], "3");
}

#[test]
fn both_suites_of_the_paper_are_complete_and_both_ways_to_complete_find_them() {
    let machine = running_example();
    assert_eq!(answer(&machine, &["babaaba", "baa"]), Answer::Complete);
    assert_eq!(answer(&machine, &["babaabaa"]), Answer::Complete);
    for (strategy, suite) in [
        (Strategy::NewTests, vec!["babaaba", "baa"]),
        (Strategy::ExtendLast, vec!["babaabaa"]),
    ] {
        let mut analysis = Analysis::new(&machine, Batsat::default());
        analysis.add_test(&word(&machine, "babaaba"));
        let end = analysis
            .complete(strategy, &Budget::unlimited(), &mut |_, _| ())
            .unwrap();
        assert_eq!(end, Completion::Complete);
        let expected: Vec<_> = suite.iter().map(|test| word(&machine, test)).collect();
        assert_eq!(analysis.tests(), expected);
    }
}

#[test]
fn the_distinguishing_automaton_accepts_what_kills_and_more() {
    let machine = running_example();
    let automaton = DistinguishingAutomaton::of(&machine);
    // No suspicious transition is possible before state 3, which takes two inputs.
    assert_eq!(automaton.to_sink(), Some(word(&machine, "baa").as_slice()));
    for text in ["ba", "aab", "bbb"] {
        assert!(!automaton.accepts(&machine, &word(&machine, text)), "{text}");
    }
    assert!(automaton.accepts(&machine, &word(&machine, "babaaba")));
}

/// Theorems 1 and 2 of \[000\], word by word: what kills some mutant is accepted. A revealing execution has a mutated
/// transition, and a word kills exactly the mutants that have one of its revealing executions. Within n² inputs all is
/// killed that can be.
fn check_theorems(machine: &MutationMachine, longest: usize) -> usize {
    let automaton = DistinguishingAutomaton::of(machine);
    let mut alive = mutants(machine);
    let (mut n_revealing, mut level) = (0, vec![Vec::new()]);
    for length in 1..=longest {
        let inputs = || machine.inputs().ids();
        let longer = |word: &Vec<InputId>| inputs().map(|input| [&word[..], &[input]].concat()).collect::<Vec<_>>();
        level = level.iter().flat_map(longer).collect();
        for word in &level {
            let executions = sink_executions(machine, word);
            let revealing = executions.iter().filter(|one| is_deterministic(machine, one));
            let made: Vec<_> = revealing.map(|one| choices(machine, one)).collect();
            assert!(made.iter().all(|made| made.iter().any(|(_, choice)| *choice > 0)));
            n_revealing += made.len();
            for mutant in mutants(machine) {
                let is_killed = mutant.is_killed_by(machine, word);
                assert!(!is_killed || automaton.accepts(machine, word));
                let has = |made: &Vec<(SetId, usize)>| made.iter().all(|(set, choice)| mutant.choice(*set) == *choice);
                assert_eq!(is_killed, made.iter().any(has));
            }
            alive.retain(|mutant| !mutant.is_killed_by(machine, word));
        }
        if length == machine.states().len().pow(2) {
            let conforms = |mutant: &Mutant| conformance::killing_sequence(machine, mutant).is_none();
            assert!(alive.iter().all(conforms));
        }
    }
    n_revealing
}

#[test]
fn theorems_one_and_two_hold_for_every_word_and_mutant() {
    let mut n_revealing = check_theorems(&running_example(), 7);
    for seed in 0..30 {
        let profile = Profile {
            n_states: 3,
            n_inputs: 2,
            n_outputs: 2,
            sets: vec![(2, 2), (1, 3)],
            reach: 2,
            n_fault_inputs: 2,
            seed,
        };
        n_revealing += check_theorems(&profile.generate().unwrap(), if seed < 3 { 9 } else { 5 });
    }
    assert!(n_revealing > 1000, "{n_revealing}");
}

/// \[000\] section 3.3: tests that come to no suspicious transition make no clauses, and the score is 0.
#[test]
fn tests_that_detect_nothing_make_no_clauses_and_have_the_score_zero() {
    let machine = running_example();
    let mut analysis = Analysis::new(&machine, Varisat::default());
    let mut counter = Counter::new(&machine, Budget::unlimited());
    for test in ["ba", "aab", "bbb"] {
        assert!(!AlphaAutomaton::new(&machine, &word(&machine, test)).reaches_sink());
        analysis.add_test(&word(&machine, test));
        counter.add_test(&word(&machine, test));
    }
    assert_eq!(analysis.n_test_clauses(), 0);
    let counts = counter.counts(analysis.conforming(), false, true);
    assert_eq!(counts.killed.exact(), Some(&BigUint::from(0_u32)));
}

/// \[000\] section 3.2: the specification need not be reduced. States 1 and 2 answer alike, so that it does not matter
/// which one a leads to; the wrong answer matters.
#[test]
fn a_specification_that_is_not_reduced_has_conforming_mutants() {
    let machine = machine_of(&["1 a 0 2", "*1 a 0 1", "*1 a 1 2", "2 a 0 2"]);
    assert_eq!(answer(&machine, &["a"]), Answer::Complete);
    let conforms = |mutant: &Mutant| conformance::killing_sequence(&machine, mutant).is_none();
    let conforming: Vec<_> = mutants(&machine).into_iter().map(|mutant| conforms(&mutant)).collect();
    assert_eq!(conforming, [true, true, false]);
}

/// \[000\] section 3.2 says that the constraints of one execution are at most as many as there are states. Here are two, of one
/// state: an execution has at most one for each suspicious set.
#[test]
fn an_execution_may_have_more_constraints_than_there_are_states() {
    let machine = machine_of(&["1 a 0 1", "*1 a 1 1", "1 b 0 1", "*1 b 1 1"]);
    let made = revealing(&machine, &word(&machine, "ab"));
    assert_eq!(made.iter().map(Vec::len).max(), Some(2));
    assert_eq!(machine.states().len(), 1);
}

#[test]
fn a_chaos_machine_has_states_times_outputs_to_the_power_of_states_times_inputs() {
    let mut builder = MachineBuilder::new();
    let (one, two, a) = (builder.state("1"), builder.state("2"), builder.input("a"));
    let [x, _, _] = ["x", "y", "z"].map(|name| builder.output(name));
    builder.add(one, a, Transition { output: x, target: two }, false);
    builder.loop_where_unspecified("x");
    builder.add_faults(Faults::All);
    let machine = builder.finish().unwrap();
    assert_eq!(machine.n_machines(), BigUint::from((2_u32 * 3).pow(2)));
}

#[test]
fn the_air_quality_profile_has_the_published_number_of_machines() {
    let machine = Profile::air_quality(1).generate().unwrap();
    assert_eq!(machine.n_machines(), BigUint::from(69_657_034_752_u64));
    assert_eq!((machine.states().len(), machine.inputs().len()), (14, 24));
    assert_eq!(machine.sets().len(), 29);
    assert_eq!(machine.n_mutated(), 12 * 2 + 17);
    assert!(machine.unreachable().is_empty());
}

#[test]
fn wrong_transitions_are_refused_with_their_numbers() {
    let mut builder = MachineBuilder::new();
    let (one, two, a) = (builder.state("1"), builder.state("2"), builder.input("a"));
    let x = builder.output("x");
    builder.add(one, a, Transition { output: x, target: two }, false);
    builder.add(one, a, Transition { output: x, target: one }, false);
    builder.add(one, a, Transition { output: x, target: two }, true);
    let errors = builder.finish().unwrap_err();
    assert_eq!(
        errors,
        [
            MachineError::Nondeterministic { first: 0, second: 1 },
            MachineError::Repeated { first: 0, second: 2 },
            MachineError::Incomplete {
                state: two,
                state_name: "2".to_owned(),
                input_name: "a".to_owned()
            },
        ]
    );
}

/// A random word.
fn random_word(machine: &MutationMachine, length: usize, random: &mut tamper_features::Random) -> Vec<InputId> {
    let inputs: Vec<_> = machine.inputs().ids().collect();
    (0..length).map(|_| inputs[random.below(inputs.len())]).collect()
}

/// Words that begin alike.
fn random_words(machine: &MutationMachine, random: &mut tamper_features::Random) -> [Vec<InputId>; 3] {
    let long = random_word(machine, 9, random);
    let other = [&long[..4], &random_word(machine, 3, random)].concat();
    [long[..6].to_vec(), long, other]
}

/// For every mutant: the clauses of the words hold under its choices iff none kills it, the literal that is defined by a word holds iff
/// it does; by executions and by positions. How often a word kills.
fn check_descriptions(machine: &MutationMachine, words: &[Vec<InputId>; 3]) -> usize {
    use tamper_features::{Lit, Solver};
    let mut n_killed = 0;
    for only_positions in [false, true] {
        let mut solvers = [Varisat::default(), Varisat::default()];
        let [described, defining] = &mut solvers;
        let (mut encoding, _) = encoding::Encoding::new(machine, described);
        encoding.only_positions = only_positions;
        let alphas = words.each_ref().map(|word| AlphaAutomaton::new(machine, word));
        for alpha in &alphas {
            encoding.describe(alpha, described);
        }
        let (mut encoding, _) = encoding::Encoding::new(machine, defining);
        encoding.only_positions = only_positions;
        let defined: Vec<Lit> = alphas.iter().map(|alpha| encoding.define(alpha, defining)).collect();
        for mutant in mutants(machine) {
            let choices: Vec<Lit> = machine
                .sets()
                .map(|set| encoding.lit(set, mutant.choice(set)))
                .collect();
            let killed: Vec<bool> = words.iter().map(|word| mutant.is_killed_by(machine, word)).collect();
            assert_eq!(described.solve(&choices).unwrap(), !killed.contains(&true));
            for (lit, killed) in defined.iter().zip(killed) {
                let mut can_be = |lit: Lit| defining.solve(&[&choices[..], &[lit]].concat()).unwrap();
                assert_eq!((can_be(!*lit), can_be(*lit)), (!killed, killed));
                n_killed += usize::from(killed);
            }
        }
    }
    n_killed
}

#[test]
fn both_descriptions_of_words_say_of_every_mutant_whether_it_is_killed() {
    let mut random = tamper_features::Random::new(5);
    let mut n_killed = 0;
    for seed in 0..30 {
        let profile = Profile {
            n_states: 4,
            n_inputs: 2,
            n_outputs: 2,
            sets: vec![(1, 8), (2, 3), (1, 2)],
            reach: 2,
            n_fault_inputs: 2,
            seed,
        };
        let machine = profile.generate().unwrap();
        n_killed += check_descriptions(&machine, &random_words(&machine, &mut random));
    }
    assert!(n_killed > 1000, "{n_killed}");
}

/// A counter to three: its three sets show in every configuration, up to all three in one step.
fn counter() -> MutationMachine {
    let n = || Box::new(Expr::Var(0));
    let number = |value: i64| Box::new(Expr::Const(value));
    let set = |index: usize| SetId::from_index(index);
    let assign = |value: Expr| RuleAction::Assign {
        variable: 0,
        value,
        span: tamper_text::Span::default(),
    };
    let slot = |event: usize, guard: Expr, actions: Vec<RuleAction>| Slot {
        trigger: Trigger::Event(event),
        rule: Options::one(Some(Rule {
            guard,
            actions,
            target: Options::one(0),
            span: tamper_text::Span::default(),
        })),
    };
    let said = |names: &[&str], own: Option<SetId>| {
        RuleAction::Answer(Options {
            set: own,
            all: names
                .iter()
                .map(|name| RuleAnswer {
                    name: (*name).to_owned(),
                    arguments: Vec::new(),
                })
                .collect(),
        })
    };
    let less = Expr::Binary(Op::Lt, n(), number(3));
    let guard = Expr::Choice(set(0), vec![less.clone(), Expr::Binary(Op::Le, n(), number(3))]);
    let plus = |value: i64| Expr::Binary(Op::Add, n(), number(value));
    let up = Expr::Choice(set(1), vec![plus(1), plus(2), plus(0)]);
    let label = |names: [&str; 2]| names.map(str::to_owned).to_vec();
    let event = |name: &str| Event {
        name: name.to_owned(),
        parameters: Vec::new(),
        is_input: true,
    };
    let source = ExtendedMachine {
        states: vec!["q".to_owned()],
        initial: 0,
        start: Vec::new(),
        variables: vec![Variable {
            name: "n".to_owned(),
            domain: Domain {
                low: 0,
                high: 3,
                names: None,
            },
            initial: 0,
        }],
        events: vec![event("up"), event("down")],
        slots: vec![vec![
            slot(0, guard, vec![said(&["ok", "no"], Some(set(2))), assign(up)]),
            slot(0, Expr::Not(Box::new(less)), vec![said(&["full"], None)]),
            slot(1, Expr::yes(), vec![said(&["low"], None), assign(Expr::Const(0))]),
        ]],
        sets: [
            label(["<", "<="]),
            ["1", "2", "0"].map(str::to_owned).to_vec(),
            label(["ok", "no"]),
        ]
        .into_iter()
        .collect(),
        fingerprint: String::new(),
    };
    let leniency = Leniency {
        first_of_several: false,
        stays: false,
    };
    let checked = source.check(leniency, 100).expect("one rule at a time");
    assert_eq!(checked, Checked::Locally);
    MutationMachine::unfolding(source, checked, 100)
}

#[test]
fn choices_that_many_configurations_share_are_described_in_both_ways() {
    let machine = counter();
    let mut random = tamper_features::Random::new(6);
    let mut n_killed = 0;
    for _ in 0..40 {
        n_killed += check_descriptions(&machine, &random_words(&machine, &mut random));
    }
    assert!(n_killed > 300, "{n_killed}");
    assert_eq!(
        machine
            .extended()
            .map(|unfolding| unfolding.unfolded().n_configurations),
        Some(4)
    );
}
