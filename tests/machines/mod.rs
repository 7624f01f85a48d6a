//! Mutation machines against plain enumeration of their mutants.

mod answered;
mod dot;
mod extended;
mod learned;
mod lists;
mod prioritised;
mod runs;
mod smallest;

use num_bigint::BigUint;
use tamper::features::{Batsat, Random, Solver, Varisat};
use tamper::machines::{
    Analysis, Answer, Completion, Counter, InputId, Mutant, MutationMachine, Number, Profile, Strategy, minimise,
};
use tamper::text::Budget;
use testing::machines::{mutants, random_machine, random_suite, shortest_kill};

/// What enumeration says about a suite.
struct Enumerated {
    killed: usize,
    conforming: usize,
    undetected: Vec<Mutant>,
}

fn enumerate(machine: &MutationMachine, tests: &[Vec<InputId>]) -> Enumerated {
    let mut found = Enumerated {
        killed: 0,
        conforming: 0,
        undetected: Vec::new(),
    };
    for mutant in mutants(machine).into_iter().skip(1) {
        let outputs_differ = |test: &Vec<InputId>| {
            let specification = Mutant::specification(machine);
            mutant.outputs(machine, test) != specification.outputs(machine, test)
        };
        if tests.iter().any(outputs_differ) {
            found.killed += 1;
        } else if shortest_kill(machine, &mutant).is_none() {
            found.conforming += 1;
        } else {
            found.undetected.push(mutant);
        }
    }
    found
}

fn exactly(number: &Number) -> BigUint {
    number.exact().expect("no limit was set").clone()
}

/// Verdict, counts and score of one suite against enumeration; both ways to complete; minimisation.
fn check<S: Solver + Default>(machine: &MutationMachine, suite: &[Vec<InputId>]) -> Enumerated {
    let unlimited = Budget::unlimited();
    let truth = enumerate(machine, suite);
    let mut analysis = Analysis::new(machine, S::default());
    suite.iter().for_each(|test| analysis.add_test(test));
    let answer = analysis.escape(&unlimited, &mut |_| ()).unwrap();
    match &answer {
        Answer::Complete => assert!(truth.undetected.is_empty()),
        Answer::Escape(escape) => {
            assert!(truth.undetected.contains(&escape.mutant));
            assert_eq!(Some(escape.killed_by.len()), shortest_kill(machine, &escape.mutant));
            assert!(escape.mutant.is_killed_by(machine, &escape.killed_by));
        }
        Answer::Unknown(reason) => panic!("{reason}"),
    }
    for strategy in [Strategy::NewTests, Strategy::ExtendLast] {
        let mut analysis = Analysis::new(machine, S::default());
        suite.iter().for_each(|test| analysis.add_test(test));
        let end = analysis.complete(strategy, &unlimited, &mut |_, _| ()).unwrap();
        assert_eq!(end, Completion::Complete);
        let complete = enumerate(machine, analysis.tests());
        assert!(complete.undetected.is_empty());
        check_minimised(machine, analysis.tests(), complete.killed);
        // Counts of the suite that was given, with the conforming mutants that completing it has found.
        let mut counter = Counter::new(machine, Budget::unlimited());
        suite.iter().for_each(|test| counter.add_test(test));
        let counts = counter.counts(analysis.conforming(), true, !truth.undetected.is_empty());
        let [killed, conforming, undetected] =
            [truth.killed, truth.conforming, truth.undetected.len()].map(BigUint::from);
        assert_eq!(exactly(&counts.killed), killed);
        assert_eq!(exactly(&counts.conforming), conforming);
        assert_eq!(exactly(&counts.undetected), undetected);
        assert_eq!(counts.mutants, &killed + &conforming + &undetected);
        let killable = &killed + undetected;
        let score = (killable > BigUint::ZERO).then_some((killed, killable));
        assert_eq!(counts.score(), score);
    }
    truth
}

fn check_minimised(machine: &MutationMachine, suite: &[Vec<InputId>], n_killed: usize) {
    let budget = Budget::unlimited();
    let needed = minimise(machine, suite, &mut Varisat::default(), &budget, &mut |_| ()).unwrap();
    assert_eq!(needed.stopped, None);
    let kept = needed.tests;
    let tests: Vec<_> = kept.iter().map(|test| suite[*test].clone()).collect();
    assert_eq!(enumerate(machine, &tests).killed, n_killed);
    if mutants(machine).len() > 200 {
        return;
    }
    for without in 0..tests.len() {
        let mut fewer = tests.clone();
        fewer.remove(without);
        assert!(enumerate(machine, &fewer).killed < n_killed, "every test is needed");
    }
}

#[test]
fn verdicts_counts_and_scores_of_500_random_machines_equal_enumeration() {
    let mut random = Random::new(7);
    let (mut complete, mut incomplete, mut with_conforming) = (0, 0, 0);
    for round in 0..500 {
        let machine = random_machine(&mut random);
        let suite = random_suite(&machine, &mut random);
        let truth = match round % 4 {
            0 => check::<Batsat>(&machine, &suite),
            _ => check::<Varisat>(&machine, &suite),
        };
        complete += usize::from(truth.undetected.is_empty());
        incomplete += usize::from(!truth.undetected.is_empty());
        with_conforming += usize::from(truth.conforming > 0);
    }
    // The sample is worth its name: all cases occur.
    assert!(
        complete > 50 && incomplete > 100 && with_conforming > 100,
        "{complete} {incomplete} {with_conforming}"
    );
}

#[test]
fn bounds_hold_where_a_limit_is_hit() {
    let mut random = Random::new(11);
    let mut n_bounded = 0;
    for _ in 0..100 {
        let machine = random_machine(&mut random);
        let suite = random_suite(&machine, &mut random);
        let truth = enumerate(&machine, &suite);
        let budget = Budget {
            max_states: Some(random.below(40) as u64),
            ..Budget::unlimited()
        };
        let mut counter = Counter::new(&machine, budget);
        suite.iter().for_each(|test| counter.add_test(test));
        let mut analysis = Analysis::new(&machine, Varisat::default());
        suite.iter().for_each(|test| analysis.add_test(test));
        let answer = analysis.escape(&Budget::unlimited(), &mut |_| ()).unwrap();
        let is_complete = answer == Answer::Complete;
        let counts = counter.counts(analysis.conforming(), is_complete, !is_complete);
        let undetected = truth.undetected.len();
        for (number, truth) in [
            (&counts.killed, truth.killed),
            (&counts.conforming, truth.conforming),
            (&counts.undetected, undetected),
        ] {
            let truth = BigUint::from(truth);
            assert!(
                *number.least() <= truth && truth <= *number.most(),
                "{truth} is in {number}"
            );
            n_bounded += usize::from(number.exact().is_none());
        }
        assert!(counts.stopped.is_some() || counts.killed.exact().is_some());
    }
    assert!(n_bounded > 50, "{n_bounded}");
}

/// The family of the air-quality controller, small enough to enumerate: after each test of a complete suite, what is
/// left alive is what enumeration leaves alive.
#[test]
fn counts_of_growing_suites_equal_enumeration_on_small_controllers() {
    for seed in 0..6 {
        let profile = Profile {
            n_states: 7,
            n_inputs: 6,
            n_outputs: 2,
            sets: vec![(4, 3), (5, 2)],
            reach: 1,
            n_fault_inputs: 3,
            seed,
        };
        let machine = profile.generate().unwrap();
        assert_eq!(machine.n_machines(), BigUint::from(3_u32.pow(4) * 2_u32.pow(5)));
        let mut analysis = Analysis::new(&machine, Varisat::default());
        let end = analysis.complete(Strategy::NewTests, &Budget::unlimited(), &mut |_, _| ());
        assert_eq!(end, Ok(Completion::Complete));
        let mut alive = mutants(&machine);
        let mut counter = Counter::new(&machine, Budget::unlimited());
        for test in analysis.tests() {
            counter.add_test(test);
            alive.retain(|mutant| !mutant.is_killed_by(&machine, test));
            assert_eq!(counter.survivors(), BigUint::from(alive.len()));
        }
        let conforming = |mutant: &Mutant| shortest_kill(&machine, mutant).is_none();
        assert!(alive.iter().all(conforming));
    }
}

/// \[000\] section 4: 3^12 * 2^17 machines, by a generated machine of the published profile.
#[test]
fn a_machine_of_the_air_quality_profile_gets_a_complete_suite() {
    let machine = Profile::air_quality(1).generate().unwrap();
    assert_eq!(machine.n_machines(), BigUint::from(69_657_034_752_u64));
    let mut analysis = Analysis::new(&machine, Varisat::default());
    let end = analysis.complete(Strategy::NewTests, &Budget::unlimited(), &mut |_, _| ());
    assert_eq!(end, Ok(Completion::Complete));
    // A second solver, which has seen nothing of how the suite came about, agrees; only conforming mutants are alive.
    let mut again = Analysis::new(&machine, Batsat::default());
    let mut counter = Counter::new(&machine, Budget::unlimited());
    for test in analysis.tests() {
        again.add_test(test);
        counter.add_test(test);
    }
    assert_eq!(again.escape(&Budget::unlimited(), &mut |_| ()), Ok(Answer::Complete));
    let counts = counter.counts(again.conforming(), true, false);
    assert_eq!(exactly(&counts.undetected), BigUint::ZERO);
    assert_eq!(exactly(&counts.killed) + exactly(&counts.conforming), counts.mutants);
    let budget = Budget::unlimited();
    let needed = minimise(
        &machine,
        analysis.tests(),
        &mut Varisat::default(),
        &budget,
        &mut |_| (),
    );
    let kept = needed.unwrap().tests;
    let mut last = Analysis::new(&machine, Varisat::default());
    kept.iter().for_each(|test| last.add_test(&analysis.tests()[*test]));
    assert_eq!(last.escape(&Budget::unlimited(), &mut |_| ()), Ok(Answer::Complete));
}

mod command {
    //! The command as its users meet it.

    use std::fs;
    use std::path::PathBuf;
    use std::process::Output;

    use serde_json::Value;

    fn example(name: &str) -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("examples/machines")
            .join(name)
    }

    fn coverage(words: &[&str]) -> Output {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tamper"));
        command.arg("coverage").args(words).output().unwrap()
    }
    fn on_example(words: &[&str]) -> Output {
        let (machine, suite) = (example("running-example.fsm"), example("running-example.suite"));
        coverage(&[&[machine.to_str().unwrap(), suite.to_str().unwrap()], words].concat())
    }
    fn stdout(output: &Output) -> String {
        String::from_utf8(output.stdout.clone()).unwrap()
    }

    #[test]
    fn the_running_example_is_incomplete_counted_and_completed_in_both_ways() {
        let output = on_example(&["--show=count", "--format", "json"]);
        assert_eq!(output.status.code(), Some(1));
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["verdict"], "incomplete");
        assert_eq!(json["escape"]["mutated"], serde_json::json!(["(3, a, 1, 3)"]));
        assert_eq!(json["escape"]["killed_by"], serde_json::json!(["b", "a", "a"]));
        assert_eq!(json["machines"], "8");
        // Seven mutants, of which babaaba misses one; none conforms.
        let counts = serde_json::json!({
            "mutants": "7", "killed": "6", "conforming": "0", "undetected": "1",
            "score": { "killed": "6", "killable": "7" },
        });
        assert_eq!(json["counts"], counts);
        for (how, suite) in [
            ("--suite=complete", "b/0 a/0 b/0 a/1 a/0 b/0 a/0\nb/0 a/0 a/0\n"),
            ("--suite=extended", "b/0 a/0 b/0 a/1 a/0 b/0 a/0 a/0\n"),
        ] {
            let output = on_example(&[how]);
            assert_eq!(output.status.code(), Some(0));
            assert!(stdout(&output).starts_with("complete\n") && stdout(&output).ends_with(&format!("\n\n{suite}")));
        }
    }

    /// Example 3 of \[000\]: of its seven mutants the test misses one.
    #[test]
    fn the_survivor_of_the_running_example_is_listed_and_its_formula_written() {
        let folder = tempfile::tempdir().unwrap();
        let formula = folder.path().join("left.smt2");
        let words = [
            "--show=survivors=20%,conforming=9",
            "--formula",
            formula.to_str().unwrap(),
        ];
        let output = on_example(&words);
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        for line in [
            "survivors   1, all there are\n  (3, a, 1, 3)  killed by  b a a\n",
            "score       85.7142 %\n",
            "conforming  none\n",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert!(
            std::fs::read_to_string(&formula)
                .unwrap()
                .contains("(set-info :status sat)")
        );
        let none = stdout(&on_example(&["--show=survivors=0"]));
        assert!(none.contains("survivors   0, and there are more\n"), "{none}");
        assert!(
            none.contains("score       at most 85.7143 % (optimistic bound)\n"),
            "{none}"
        );
        for share in ["101%", "1.23456%", "-1", "x"] {
            assert_eq!(
                on_example(&[&format!("--show=survivors={share}")]).status.code(),
                Some(2),
                "{share}"
            );
        }
    }

    #[test]
    fn a_proof_of_completeness_is_written_and_checked_and_a_changed_one_refused() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (suite, proof) = (at("suite"), at("complete.proof"));
        let machine = example("running-example.fsm").to_str().unwrap().to_owned();
        let made = coverage(&[
            &machine,
            "--faults",
            "all",
            "--suite=complete",
            "--out",
            &suite,
            "--proof",
            &proof,
        ]);
        assert_eq!(made.status.code(), Some(0));
        let checked = coverage(&[&machine, &suite, "--faults", "all", "--check-proof", &proof]);
        assert_eq!(checked.status.code(), Some(0), "{}", stdout(&checked));
        assert!(stdout(&checked).starts_with("proved: "));
        // The example's own test misses a mutant.
        let other = on_example(&["--faults", "all", "--check-proof", &proof]);
        assert_eq!(other.status.code(), Some(1));
        assert!(stdout(&other).starts_with("not proved: the refutation does not hold"));
        let text = fs::read_to_string(&proof).unwrap();
        let (head, _) = text.split_once("refutation ").unwrap();
        fs::write(&proof, head).unwrap();
        let cut = coverage(&[
            &machine,
            &suite,
            "--faults",
            "all",
            "--check-proof",
            &proof,
            "--format",
            "json",
        ]);
        assert_eq!(cut.status.code(), Some(1));
        assert_eq!(serde_json::from_slice::<Value>(&cut.stdout).unwrap()["proved"], false);
        fs::write(&proof, text.replace("machine ", "machine 0")).unwrap();
        let refused = coverage(&[&machine, &suite, "--faults", "all", "--check-proof", &proof]);
        assert_eq!(refused.status.code(), Some(2));
        let message = String::from_utf8(refused.stderr).unwrap();
        assert!(
            message.contains("complete.proof:2:1") && message.contains("another machine"),
            "{message}"
        );
        fs::write(&proof, "").unwrap();
        let empty = coverage(&[&machine, &suite, "--faults", "all", "--check-proof", &proof]);
        assert_eq!(empty.status.code(), Some(2));
        let limited = coverage(&[&machine, &suite, "--check-proof", &proof, "--timeout", "1"]);
        assert_eq!(limited.status.code(), Some(2));
        // Nothing is proved of a suite that is not complete.
        let none = on_example(&["--proof", &at("none.proof")]);
        assert_eq!(
            (none.status.code(), folder.path().join("none.proof").exists()),
            (Some(1), false)
        );
    }

    #[test]
    fn an_interrupted_run_goes_on_from_its_journal_and_another_one_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (journal, out) = (at("journal"), at("suite.txt"));
        // One question to the solver: the run stops after its first test.
        let words = ["--suite=complete", "--journal", &journal, "--out", &out];
        let stopped = on_example(&[&words[..], &["--max-states", "1"]].concat());
        assert_eq!(
            stopped.status.code(),
            Some(3),
            "{}",
            String::from_utf8_lossy(&stopped.stderr)
        );
        assert!(stdout(&stopped).starts_with("unknown\nbecause "));
        assert_eq!(fs::read_to_string(&journal).unwrap().lines().count(), 2);
        // Going on, one more question shows that nothing is missing.
        let resumed = on_example(&[&words[..], &["--resume", "--max-states", "1"]].concat());
        assert_eq!(resumed.status.code(), Some(0));
        assert_eq!(
            fs::read_to_string(&out).unwrap(),
            "b/0 a/0 b/0 a/1 a/0 b/0 a/0\nb/0 a/0 a/0\n"
        );
        let other = on_example(&["--suite=extended", "--journal", &journal, "--resume"]);
        assert_eq!(other.status.code(), Some(2));
        let text = String::from_utf8(other.stderr).unwrap();
        assert!(text.contains("belongs to another run (options: complete)"), "{text}");
    }

    #[test]
    fn a_bad_machine_or_suite_is_refused_with_its_place_and_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("m.fsm"), "p a / 0 -> q\nq a -> p\n").unwrap();
        fs::write(at("s.txt"), "b\nb x a\n").unwrap();
        let out = at("out.txt");
        let refused = coverage(&[
            at("m.fsm").to_str().unwrap(),
            "--suite=complete",
            "--out",
            out.to_str().unwrap(),
        ]);
        assert_eq!(refused.status.code(), Some(2));
        let text = String::from_utf8(refused.stderr).unwrap();
        assert!(
            text.contains("m.fsm:2:1") && text.contains("this line is no transition"),
            "{text}"
        );
        let machine = example("running-example.fsm");
        let refused = coverage(&[machine.to_str().unwrap(), at("s.txt").to_str().unwrap()]);
        assert_eq!(refused.status.code(), Some(2));
        let text = String::from_utf8(refused.stderr).unwrap();
        assert!(text.contains("s.txt:2:3") && text.contains("no input `x`"), "{text}");
        assert!(!out.exists());
    }

    #[test]
    fn kiss2_with_chaos_faults_is_counted_exactly() {
        let folder = tempfile::tempdir().unwrap();
        let machine = folder.path().join("toggle.kiss2");
        // Two states, two inputs, one output bit that tells the state: the chaos machine has (2 * 2)^(2 * 2) machines.
        fs::write(&machine, ".i 1\n.o 1\n.r a\n0 a a 0\n1 a b 0\n0 b b 1\n1 b a 1\n.e\n").unwrap();
        let words = [
            machine.to_str().unwrap(),
            "--faults",
            "all",
            "--suite=complete",
            "--show=count",
            "--format",
            "json",
        ];
        let output = coverage(&words);
        assert_eq!(output.status.code(), Some(0));
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["machines"], "256");
        // The specification is reduced, so a conforming mutant is the same machine with its states renamed; the initial
        // state stays, so there is none. Given was no test: all 255 are undetected.
        assert_eq!(json["counts"]["conforming"], "0");
        assert_eq!(json["counts"]["undetected"], "255");
        assert_eq!(json["verdict"], "complete");
    }
}
