//! Tests of untimed systems: every kill has one, which fails on the mutant and never on the original.

use tamper::base::Budget;
use tamper::features::Random;
use tamper::systems::actions::{ActionBench, ActionSystem, Alphabet, Killed, action_mutations, compare};
use tamper::systems::testing::{Candidate, Ends, Fate, SystemTest, Wanted, collect, execute, fate_of, is_killed};
use tamper::systems::{Kill, Pair, TransitionSystem, decide};

use super::actions::{car_alarm, length, random_system};
use super::random::{changed, table};

fn bench(original: &ActionSystem, mutants: &[ActionSystem]) -> ActionBench {
    let budget = Budget::unlimited();
    let mut alphabet = Alphabet::new(original);
    for system in mutants.iter().chain([original]) {
        alphabet.add_system(system, &budget).expect("small");
    }
    ActionBench::new(original, alphabet, &budget).expect("small")
}

fn ends(test: &SystemTest, system: &TransitionSystem) -> Ends {
    execute(test, system, |left, right| left == right).expect("the same inputs")
}

/// The test of a fate's own, on its own.
fn own(fate: &Fate) -> Option<SystemTest> {
    let Fate::Killable { own, relation, .. } = fate else {
        return None;
    };
    let (kill, nodes) = own.clone()?;
    let test = SystemTest {
        id: "t".to_owned(),
        kill,
        relation: relation.map(str::to_owned),
        targets: Vec::new(),
        nodes,
    };
    test.check().expect("a test");
    Some(test)
}

/// What a test of a kill has to do to the mutant.
fn does(test: &SystemTest, ends: Ends) -> bool {
    match test.kill {
        Kill::None => false,
        Kill::Potential => ends.fails,
        Kill::Definite => ends.must_fail(),
        Kill::Blind => ends.must_fail() && test.is_blind(),
    }
}

const ALL: [Wanted; 4] = [Wanted::Potential, Wanted::Definite, Wanted::Both, Wanted::Blind];

#[test]
fn every_kill_of_a_random_action_system_has_a_test_that_fails_on_the_mutant_and_not_on_the_original() {
    let budget = Budget::unlimited();
    let mut counts = [0_usize; 5];
    for seed in 0..1000 {
        let mut random = Random::new(seed);
        let original = random_system(&mut random);
        let mut mutant = original.clone();
        for _ in 0..1 + random.below(2) {
            let mutations = action_mutations(&mutant);
            if !mutations.is_empty() {
                mutant = mutations[random.below(mutations.len())].apply(&mutant);
            }
        }
        let bench = bench(&original, std::slice::from_ref(&mutant));
        let verdicts = compare(&mutant, &original, &budget).expect("comparable");
        // The tester's view says the same, and after as many steps.
        let by_states = bench.by_states(&mutant, &budget).expect("small");
        let lengths = by_states
            .clone()
            .map(|verdicts| verdicts.potential.found().map(|run| run.inputs.len()));
        assert_eq!(
            lengths,
            [length(&verdicts.event), length(&verdicts.ioco)],
            "seed {seed}"
        );
        let subject = bench.subject(&original, &budget).expect("small");
        for wanted in ALL {
            let (states, fate) = bench.judge(&mutant, Some(wanted), &budget).expect("comparable");
            let is_seen = verdicts.event.known() == Some(true) || verdicts.ioco.known() == Some(true);
            assert_eq!(fate.most() > Kill::None, is_seen, "seed {seed}");
            let test = own(&fate);
            assert_eq!(
                test.is_some(),
                wanted.of(fate.most()).is_some(),
                "seed {seed} {wanted:?}"
            );
            let Some(test) = test else {
                counts[3] += usize::from(fate == Fate::Untestable);
                continue;
            };
            let on_mutant = ends(&test, states.as_ref().expect("states"));
            assert!(does(&test, on_mutant), "seed {seed} {wanted:?}: {test:?} {on_mutant:?}");
            assert!(!ends(&test, &subject).fails, "seed {seed} {wanted:?}: {test:?}");
            // At least one step beyond the unsafe state, which the last event but one of the trace leads to.
            if let (Some(state), Some("event")) = (length(&verdicts.state), test.relation.as_deref()) {
                assert!(test.depth() >= state, "seed {seed}");
                counts[4] += usize::from(test.depth() > state);
            }
            counts[test.kill as usize - 1] += 1;
        }
    }
    println!("potential, definite, blind, untestable, further than the state: {counts:?}");
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}

#[test]
fn every_kill_of_a_random_system_has_a_test_that_fails_on_the_mutant_and_not_on_the_specification() {
    let budget = Budget::unlimited();
    let mut counts = [0_usize; 3];
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let (n_inputs, n_outputs) = (1 + random.below(2), 2 + random.below(2));
        let specification = table(&mut random, n_inputs, n_outputs);
        let mutant = changed(&mut random, &specification);
        let (mutant, specification) = (mutant.system(), specification.system());
        let pair = Pair::new(&mutant, &specification).expect("the same inputs");
        let verdicts = decide(&pair, &budget);
        for wanted in ALL {
            let fate = fate_of(&pair, (&verdicts, None), Some(wanted), &budget);
            let Some(test) = own(&fate) else {
                assert!(wanted.of(fate.most()).is_none(), "seed {seed} {wanted:?}");
                continue;
            };
            let (on_mutant, on_specification) = (ends(&test, pair.mutant()), ends(&test, pair.specification()));
            assert!(does(&test, on_mutant), "seed {seed} {wanted:?}: {test:?} {on_mutant:?}");
            assert!(!on_specification.fails, "seed {seed} {wanted:?}: {test:?}");
            // No test of that kind is shorter.
            let shortest = match test.kill {
                Kill::Blind => verdicts.blind.found().map(Vec::len),
                Kill::Definite => verdicts.definite.found().map(|plan| plan.depth),
                _ => verdicts.potential.found().map(|run| run.inputs.len()),
            };
            assert_eq!(Some(test.depth()), shortest, "seed {seed} {wanted:?}: {test:?}");
            counts[test.kill as usize - 1] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}

#[test]
fn every_kill_of_the_car_alarm_system_has_a_test_and_what_no_test_sees_is_labelled() {
    let budget = Budget::unlimited();
    let original = car_alarm(1);
    let mutations = action_mutations(&original);
    let mutants: Vec<ActionSystem> = mutations.iter().map(|mutation| mutation.apply(&original)).collect();
    let bench = bench(&original, &mutants);
    let subject = bench.subject(&original, &budget).expect("small");
    let (mut n_seen, mut n_untestable, mut n_equivalent) = (0, 0, 0);
    let mut candidates = Vec::new();
    for (number, mutant) in mutants.iter().enumerate() {
        let verdicts = compare(mutant, &original, &budget).expect("comparable");
        let (states, fate) = bench.judge(mutant, Some(Wanted::Both), &budget).expect("comparable");
        let state = verdicts.state.known() == Some(true);
        match [&verdicts.event, &verdicts.ioco].map(Killed::known) {
            [Some(false), Some(false)] if state => {
                assert_eq!(fate, Fate::Untestable);
                n_untestable += 1;
            }
            [Some(false), Some(false)] => {
                assert_eq!(fate, Fate::Equivalent);
                n_equivalent += 1;
            }
            _ => {
                let test = own(&fate).expect("a test for every kill");
                assert!(does(&test, ends(&test, states.as_ref().expect("states"))), "{number}");
                assert!(!ends(&test, &subject).fails, "{number}");
                n_seen += 1;
            }
        }
        candidates.push(Candidate {
            id: number.to_string(),
            operator: mutations[number].operator.name(),
            states,
            fate,
        });
    }
    println!("seen, untestable, equivalent: {n_seen} {n_untestable} {n_equivalent}");
    assert_eq!(n_seen + n_untestable + n_equivalent, 206);
    assert!(n_untestable > 0 && n_equivalent > 0);
    for pruned in [false, true] {
        let (tests, places) = collect(&candidates, Wanted::Both, pruned);
        for (candidate, place) in candidates.iter().zip(&places) {
            assert_eq!(place.is_some(), candidate.fate.most() > Kill::None);
            assert!(place.is_none_or(|place| is_killed(&tests[place], candidate, Wanted::Both)));
        }
        println!("pruned {pruned}: {} tests", tests.len());
        assert!(
            tests
                .iter()
                .all(|test| !ends(test, &subject).fails && !test.targets.is_empty())
        );
    }
}
