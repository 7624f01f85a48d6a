//! Extended machines against their plain execution, mutant by mutant.

mod chart;
mod chart_random;
mod chart_show;
mod damper;
mod direct;
mod files;
mod plain;
mod random;

use num_bigint::BigUint;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::cell::RefCell;
use tamper::features::{Batsat, Random, Solver, Varisat};
use tamper::formats::machines::{MachineFormat, MachineOptions, Unspecified, read_machine};
use tamper::machines::{
    Analysis, Answer, Certificate, Checked, Completion, Counter, InputId, Listed, Mutant, MutationMachine, Number,
    Strategy, conforming_mutants, minimise, smallest,
};
use tamper::text::Budget;

use chart::{Chart, Seen};
use direct::Direct;
use random::Tape;

use crate::machines::smallest::{fewest, killed_together};

fn read(text: &str, fill: bool) -> Result<MutationMachine, String> {
    let options = MachineOptions {
        unspecified: if fill { Unspecified::Fill } else { Unspecified::Refuse },
        ..MachineOptions::default()
    };
    let read = read_machine("m.efsm", text.as_bytes(), MachineFormat::Extended, &options);
    read.map(|read| read.machine).map_err(|error| error.to_string())
}

type Test = Vec<(usize, i128)>;

/// A machine, as it is executed plainly and as it was read.
struct Case<'a, D> {
    plain: &'a D,
    machine: &'a MutationMachine,
    /// The same, of which nothing was asked.
    again: &'a MutationMachine,
}

/// What enumeration says about a suite.
struct Truth {
    killed: usize,
    conforming: Vec<Vec<u32>>,
    undetected: Vec<Vec<u32>>,
}

impl<D: Direct> Case<'_, D> {
    fn ids(&self, test: &Test) -> Vec<InputId> {
        let words = self.plain.words();
        let at = |word| words.iter().position(|other| other == word).expect("an input");
        let inputs: Vec<InputId> = self.machine.inputs().ids().collect();
        test.iter().map(|word| inputs[at(word)]).collect()
    }
    fn words(&self, inputs: &[InputId]) -> Test {
        let words = self.plain.words();
        let ids: Vec<InputId> = self.machine.inputs().ids().collect();
        let at = |input| ids.iter().position(|other| other == input).expect("an input");
        inputs.iter().map(|input| words[at(input)]).collect()
    }
    fn enumerate(&self, suite: &[Test]) -> Truth {
        let mut truth = Truth {
            killed: 0,
            conforming: Vec::new(),
            undetected: Vec::new(),
        };
        for mutant in self.plain.machines().into_iter().skip(1) {
            if suite.iter().any(|test| self.plain.is_killed(&mutant, test)) {
                truth.killed += 1;
            } else if self.plain.shortest_kill(&mutant).is_none() {
                truth.conforming.push(mutant);
            } else {
                truth.undetected.push(mutant);
            }
        }
        truth
    }
    fn analysed<S: Solver + Default>(&self, suite: &[Test]) -> Analysis<'_, S> {
        let mut analysis = Analysis::new(self.machine, S::default());
        suite.iter().for_each(|test| analysis.add_test(&self.ids(test)));
        analysis
    }

    /// The fewest tests: complete by enumeration, and where few mutants can be killed as few as plain search finds.
    fn check_smallest<S: Solver + Default>(&self) {
        let found = smallest(self.machine, &S::default, &Budget::unlimited(), &mut |_, _| ()).unwrap();
        assert_eq!(found.stopped, None);
        let tests: Vec<Test> = found.tests.iter().map(|test| self.words(test)).collect();
        assert!(
            self.enumerate(&tests).undetected.is_empty(),
            "a suite that is not complete"
        );
        let machines = self.plain.machines().into_iter().skip(1);
        let killable: Vec<Vec<u32>> = machines
            .filter(|mutant| self.plain.shortest_kill(mutant).is_some())
            .collect();
        if killable.len() > 12 {
            return;
        }
        let mutant = |choices: &Vec<u32>| Mutant::new(self.machine, choices.clone()).expect("these choices");
        let killable: Vec<Mutant> = killable.iter().map(mutant).collect();
        if let Some(sets) = killed_together(self.machine, &killable) {
            let least = fewest(&sets, (1 << killable.len()) - 1);
            assert_eq!((found.tests.len(), found.lower_bound), (least, least), "{found:?}");
        }
    }

    /// Every answer about `suite` against enumeration.
    fn check<S: Solver + Default>(&self, suite: &[Test]) -> Truth {
        let unlimited = Budget::unlimited();
        let truth = self.enumerate(suite);
        let mut analysis = self.analysed::<S>(suite);
        match analysis.escape(&unlimited, &mut |_| ()).unwrap() {
            Answer::Complete => assert!(truth.undetected.is_empty(), "not complete: {:?}", truth.undetected),
            Answer::Escape(escape) => {
                let choices = escape.mutant.choices().to_vec();
                assert!(truth.undetected.contains(&choices), "{choices:?} does not escape");
                let killed_by = self.words(&escape.killed_by);
                assert_eq!(Some(killed_by.len()), self.plain.shortest_kill(&choices));
                assert!(self.plain.is_killed(&choices, &killed_by));
            }
            Answer::Unknown(reason) => panic!("{reason}"),
        }
        let survivors = self
            .analysed::<S>(suite)
            .survivors(u64::MAX, &unlimited, &mut |_| ())
            .unwrap();
        let found: Vec<Vec<u32>> = survivors
            .escapes
            .iter()
            .map(|escape| escape.mutant.choices().to_vec())
            .collect();
        assert_eq!((found, survivors.listed), (truth.undetected.clone(), Listed::All));
        for strategy in [Strategy::NewTests, Strategy::ExtendLast] {
            let mut analysis = self.analysed::<S>(suite);
            let end = analysis.complete(strategy, &unlimited, &mut |_, _| ()).unwrap();
            assert_eq!(end, Completion::Complete);
            let tests: Vec<Test> = analysis.tests().iter().map(|test| self.words(test)).collect();
            let complete = self.enumerate(&tests);
            assert!(complete.undetected.is_empty(), "a suite that is not complete");
            let needed = minimise(
                self.machine,
                analysis.tests(),
                &mut Varisat::default(),
                &unlimited,
                &mut |_| (),
            )
            .unwrap();
            let kept: Vec<Test> = needed.tests.iter().map(|test| tests[*test].clone()).collect();
            assert_eq!(self.enumerate(&kept).killed, complete.killed);
            self.check_counts(suite, &truth, &analysis);
            let proof = Certificate::of(self.machine, analysis.tests(), analysis.centres())
                .unwrap()
                .expect("it is complete");
            assert_eq!(proof.check(self.machine, analysis.tests()), Ok(()));
            assert_eq!(proof.check(self.again, analysis.tests()), Ok(()));
            if analysis.tests().len() > suite.len() && strategy == Strategy::NewTests {
                let (_, fewer) = analysis.tests().split_last().expect("one was added");
                assert!(
                    proof.check(self.machine, fewer).is_err(),
                    "a proof of a suite that is not complete"
                );
            }
        }
        truth
    }
    fn check_counts<S: Solver>(&self, suite: &[Test], truth: &Truth, analysis: &Analysis<'_, S>) {
        let mut counter = Counter::new(self.machine, Budget::unlimited());
        suite.iter().for_each(|test| counter.add_test(&self.ids(test)));
        let counts = counter.counts(analysis.conforming(), true, !truth.undetected.is_empty());
        let exactly = |number: usize| Number::Exactly(BigUint::from(number));
        assert_eq!(counts.killed, exactly(truth.killed));
        assert_eq!(counts.conforming, exactly(truth.conforming.len()));
        assert_eq!(counts.undetected, exactly(truth.undetected.len()));
        let (conforming, listed) =
            conforming_mutants(self.machine, analysis.conforming(), u64::MAX, &Budget::unlimited());
        let conforming: Vec<Vec<u32>> = conforming
            .iter()
            .map(|mutant: &Mutant| mutant.choices().to_vec())
            .collect();
        assert_eq!((conforming, listed), (truth.conforming.clone(), Listed::All));
    }

    /// What machines answer to a test.
    fn check_answers(&self, test: &Test, machines: &[Vec<u32>]) {
        for choices in machines {
            let mutant = Mutant::new(self.machine, choices.clone()).expect("a choice for every set");
            let outputs = mutant.outputs(self.machine, &self.ids(test));
            let mut at = self.plain.start();
            for (word, output) in test.iter().zip(outputs) {
                let (expected, next) = self.plain.step(choices, &at, *word);
                assert_eq!(self.machine.outputs()[output], expected, "{choices:?} on {test:?}");
                at = next;
            }
        }
    }
}

#[derive(Default, Debug)]
struct Tally {
    sound: usize,
    refused: usize,
    complete: usize,
    incomplete: usize,
    with_conforming: usize,
    locally: usize,
    partly: usize,
    left_out: usize,
    errors: usize,
    conflicts: usize,
    together: usize,
    remembered: usize,
    ended: usize,
}

/// Some words over the inputs.
fn suite(words: &[(usize, i128)], tape: &mut Tape<'_>) -> Vec<Test> {
    let mut suite: Vec<Test> = Vec::new();
    for _ in 0..tape.below(4) {
        let length = tape.below(7);
        suite.push((0..length).map(|_| words[tape.below(words.len())]).collect());
    }
    suite
}

fn check_case<D: Direct>(
    plain: &D,
    (machine, again): (&MutationMachine, &MutationMachine),
    tape: &mut Tape<'_>,
    tally: &mut Tally,
) {
    assert_eq!(machine.n_machines(), BigUint::from(plain.n_machines()));
    let case = Case { plain, machine, again };
    let suite = suite(&plain.words(), tape);
    let truth = match tape.below(3) {
        0 => case.check::<Batsat>(&suite),
        _ => case.check::<Varisat>(&suite),
    };
    suite
        .iter()
        .for_each(|test| case.check_answers(test, &plain.machines()));
    let unfolding = machine.extended().expect("it has variables");
    tally.sound += 1;
    tally.complete += usize::from(truth.undetected.is_empty() && plain.n_machines() > 1);
    tally.incomplete += usize::from(!truth.undetected.is_empty());
    tally.with_conforming += usize::from(!truth.conforming.is_empty());
    tally.locally += usize::from(unfolding.checked() == Checked::Locally);
    tally.partly += usize::from(!unfolding.unfolded().is_all);
    // It unfolds more.
    case.check_smallest::<Varisat>();
    tally.left_out += usize::from(unfolding.idle_variables().next().is_some());
    tally.errors += usize::from(machine.outputs().iter().any(|output| output == "error"));
}

fn check_text(numbers: &[u16], tally: &mut Tally) {
    let mut tape = Tape::new(numbers);
    let fill = tape.below(2) == 1;
    let plain = random::machine(&mut tape, fill);
    let text = plain.show();
    match (plain.is_sound(fill), read(&text, fill)) {
        (false, read) => {
            assert!(read.is_err(), "read although it is not sound:\n{text}");
            tally.refused += 1;
        }
        (true, Ok(machine)) => {
            let again = read(&text, fill).expect("the same");
            check_case(&plain, (&machine, &again), &mut tape, tally);
        }
        (true, Err(error)) => panic!("{error}\n{text}"),
    }
}

fn check_chart(numbers: &[u16], wide: bool, tally: &mut Tally) {
    let mut tape = Tape::new(numbers);
    let chart: Chart = chart_random::chart(&mut tape, wide);
    let text = chart.show();
    let read = || {
        read_machine(
            "m.scxml",
            text.as_bytes(),
            MachineFormat::Scxml,
            &MachineOptions::default(),
        )
    };
    match (chart.is_sound(), read()) {
        (false, read) => {
            assert!(read.is_err(), "read although it is not sound:\n{text}");
            tally.refused += 1;
        }
        (true, Ok(first)) => {
            let again = read().expect("the same").machine;
            // What is executed from here on is a comparison.
            chart.seen.set(Seen::default());
            match wide {
                false => check_case(&chart, (&first.machine, &again), &mut tape, tally),
                true => {
                    check_words(&chart, &first.machine);
                    tally.sound += 1;
                }
            }
            let seen = chart.seen.get();
            tally.conflicts += usize::from(seen.conflict);
            tally.together += usize::from(seen.together);
            tally.remembered += usize::from(seen.remembered);
            tally.ended += usize::from(seen.ended);
        }
        (true, Err(error)) if error.to_string().contains("no event of the machine is meant") => tally.refused += 1,
        (true, Err(error)) => panic!("{error}\n{text}"),
    }
}

/// What the specification and some mutants answer to random words, and where the specification is then, by its simple states.
fn check_words(chart: &Chart, machine: &MutationMachine) {
    assert_eq!(machine.n_machines(), BigUint::from(chart.n_machines()));
    let case = Case {
        plain: chart,
        machine,
        again: machine,
    };
    let (words, all, mut random) = (chart.words(), chart.machines(), Random::new(1));
    for _ in 0..8 {
        let test: Test = (0..8).map(|_| words[random.below(words.len())]).collect();
        let some: Vec<Vec<u32>> = (0..8).map(|_| all[random.below(all.len())].clone()).collect();
        case.check_answers(&test, &some);
        let step = |at, word: &(usize, i128)| chart.step(&all[0], &at, *word).1;
        let at = test.iter().fold(chart.start(), step);
        let name = &machine.states()[machine.specification_after(&case.ids(&test))];
        assert_eq!(name.split(['@', '{']).next(), Some(chart.name(&at).as_str()));
    }
}

fn run((cases, seed, most): (u32, u8, usize), check: fn(&[u16], &mut Tally), show: fn(&[u16]) -> String) -> Tally {
    let asked = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let (cases, seed) = (
        asked("TAMPER_CASES").unwrap_or(cases),
        asked("TAMPER_SEED").map_or(seed, |seed| seed as u8),
    );
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 4000,
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]));
    let tally = RefCell::new(Tally::default());
    let numbers = proptest::collection::vec(0_u16..840, 0..most);
    let outcome = runner.run(&numbers, |numbers| {
        let checked = std::panic::catch_unwind(|| {
            let mut own = Tally::default();
            check(&numbers, &mut own);
            own
        });
        match checked {
            Ok(own) => {
                tally.borrow_mut().add(&own);
                Ok(())
            }
            Err(_) => Err(TestCaseError::fail(show(&numbers))),
        }
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
    tally.into_inner()
}

#[test]
fn answers_about_500_random_extended_machines_equal_enumeration() {
    let tally = run((1200, 20, 300), check_text, |numbers| {
        let mut tape = Tape::new(numbers);
        let fill = tape.below(2) == 1;
        random::machine(&mut tape, fill).show()
    });
    // The sample is worth its name: all cases occur.
    assert!(tally.sound >= 500, "{tally:?}");
    let rare = [
        tally.refused,
        tally.complete,
        tally.with_conforming,
        tally.locally,
        tally.partly,
        tally.left_out,
        tally.errors,
    ];
    assert!(
        tally.incomplete > 200 && rare.iter().all(|number| *number > 30),
        "{tally:?}"
    );
}

#[test]
fn charts_do_what_the_standards_algorithm_does_and_answers_about_them_equal_enumeration() {
    let check = |numbers: &[u16], tally: &mut Tally| check_chart(numbers, false, tally);
    let tally = run((1000, 21, 300), check, |numbers| {
        chart_random::chart(&mut Tape::new(numbers), false).show()
    });
    assert!(tally.sound >= 300, "{tally:?}");
    let rare = [
        tally.refused,
        tally.complete,
        tally.with_conforming,
        tally.partly,
        tally.left_out,
        tally.errors,
    ];
    assert!(
        tally.incomplete > 100 && rare.iter().all(|number| *number > 10),
        "{tally:?}"
    );
}

#[test]
fn charts_with_regions_and_histories_do_what_the_standards_algorithm_does() {
    let check = |numbers: &[u16], tally: &mut Tally| check_chart(numbers, true, tally);
    let tally = run((1500, 22, 900), check, |numbers| {
        chart_random::chart(&mut Tape::new(numbers), true).show()
    });
    let seen = [tally.conflicts, tally.together, tally.remembered];
    assert!(
        tally.sound >= 500 && tally.ended > 0 && seen.iter().all(|number| *number > 40),
        "{tally:?}"
    );
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.sound += other.sound;
        self.refused += other.refused;
        self.complete += other.complete;
        self.incomplete += other.incomplete;
        self.with_conforming += other.with_conforming;
        self.locally += other.locally;
        self.partly += other.partly;
        self.left_out += other.left_out;
        self.errors += other.errors;
        self.conflicts += other.conflicts;
        self.together += other.together;
        self.remembered += other.remembered;
        self.ended += other.ended;
    }
}
