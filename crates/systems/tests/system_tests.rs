//! Tests of untimed systems: every kill has one, which fails on the mutant and never on the original.

use tamper_features::Random;
use tamper_systems::actions::{ActionBench, ActionSystem, Alphabet, Killed, action_mutations, compare};
use tamper_systems::formats::actions::{read_actions, write_actions};
use tamper_systems::formats::smv::write_smv;
use tamper_systems::formats::suite::{SystemSuite, TestedSystem};
use tamper_systems::testing::{
    Candidate, Ends, SystemFate, SystemTest, WantedKill, collect, execute, fate_of, is_killed,
};
use tamper_systems::{
    Expr, ExprKind, KillStrength, Missing, Pair, Program, Role, TransitionSystem, conditional_mutant, decide, explore,
    featured_mutants, mutations,
};
use tamper_text::{Budget, Span};

use testing::systems::actions::{random_mutant, random_system};

use super::actions::{car_alarm, length};
use super::files::{program, study};
use testing::systems::random::{changed, table, with_first};

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
fn own(fate: &SystemFate) -> Option<SystemTest> {
    let SystemFate::Killable { own, relation, .. } = fate else {
        return None;
    };
    let (kill, course) = own.clone()?;
    let test = SystemTest {
        id: "t".to_owned(),
        kill,
        relation: relation.map(str::to_owned),
        targets: Vec::new(),
        course,
    };
    test.check().expect("a test");
    Some(test)
}

/// What a test of a kill has to do to the mutant.
fn does(test: &SystemTest, ends: Ends) -> bool {
    match test.kill {
        KillStrength::None => false,
        KillStrength::Potential => ends.fails,
        KillStrength::Definite => ends.must_fail(),
        KillStrength::Blind => ends.must_fail() && test.is_blind(),
    }
}

const ALL: [WantedKill; 4] = [
    WantedKill::Potential,
    WantedKill::Definite,
    WantedKill::Both,
    WantedKill::Blind,
];

#[test]
fn every_kill_of_a_random_action_system_has_a_test_that_fails_on_the_mutant_and_not_on_the_original() {
    let budget = Budget::unlimited();
    let mut counts = [0_usize; 5];
    for seed in 0..1000 {
        let mut random = Random::new(seed);
        let original = random_system(&mut random);
        let mutant = random_mutant(&mut random, &original);
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
            assert_eq!(fate.most() > KillStrength::None, is_seen, "seed {seed}");
            let test = own(&fate);
            assert_eq!(
                test.is_some(),
                wanted.of(fate.most()).is_some(),
                "seed {seed} {wanted:?}"
            );
            let Some(test) = test else {
                counts[3] += usize::from(fate == SystemFate::Untestable);
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
    let (mut counts, mut n_looking) = ([0_usize; 3], 0);
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let (n_inputs, n_outputs) = (1 + random.below(2), 2 + random.below(2));
        let specification = table(&mut random, n_inputs, n_outputs);
        let mutant = changed(&mut random, &specification);
        let (mut mutant, mut specification) = (mutant, specification);
        if seed % 2 == 1 {
            with_first(&mut random, &mut specification);
            with_first(&mut random, &mut mutant);
            if random.below(2) == 0 {
                mutant.initial.clone_from(&specification.initial);
                mutant.first.clone_from(&specification.first);
            }
        }
        let (mutant, specification) = (mutant.system(), specification.system());
        let pair = Pair::new(&mutant, &specification).expect("the same inputs");
        let verdicts = decide(&pair, &budget);
        for wanted in ALL {
            let fate = fate_of(&pair, &verdicts, None, Some(wanted), &budget);
            let Some(test) = own(&fate) else {
                assert!(wanted.of(fate.most()).is_none(), "seed {seed} {wanted:?}");
                continue;
            };
            let (on_mutant, on_specification) = (ends(&test, pair.mutant()), ends(&test, pair.specification()));
            assert!(does(&test, on_mutant), "seed {seed} {wanted:?}: {test:?} {on_mutant:?}");
            assert!(!on_specification.fails, "seed {seed} {wanted:?}: {test:?}");
            // No test of that kind is shorter.
            let shortest = match test.kill {
                KillStrength::Blind => verdicts.blind.found().map(Vec::len),
                KillStrength::Definite => verdicts.definite.found().map(|plan| plan.depth),
                _ => verdicts.potential.found().map(|run| run.inputs.len()),
            };
            assert_eq!(Some(test.depth()), shortest, "seed {seed} {wanted:?}: {test:?}");
            counts[test.kill as usize - 1] += 1;
            n_looking += usize::from(!test.course.starts.is_empty());
        }
    }
    println!("potential, definite, blind: {counts:?}; {n_looking} tests look at what is seen first");
    assert!(counts.iter().all(|count| *count > 0) && n_looking > 500, "{counts:?}");
}

/// [004] Example 2 with Figs 1c, 1d and 2: in each step of the test all that the machine may answer, and no more.
#[test]
fn the_test_of_the_papers_mutant_allows_what_its_second_figure_allows() {
    let budget = Budget::unlimited();
    let states = |name: &str| explore(&program(&study(name)), Missing::Refuse, &budget).expect("a total system");
    let (mutant, original) = (states("beverage/fills-one.smv"), states("beverage/model.smv"));
    let pair = Pair::new(&mutant, &original).expect("the same inputs");
    let fate = fate_of(&pair, &decide(&pair, &budget), None, Some(WantedKill::Blind), &budget);
    let test = own(&fate).expect("it is killed");
    let mut shown: Vec<String> = Vec::new();
    for node in &test.course.nodes {
        let mut seen: Vec<&str> = node.answers.iter().map(|answer| answer.seen.as_str()).collect();
        seen.sort_unstable();
        shown.push(format!("{} {{{}}}", node.give, seen.join(",")));
    }
    let drink = "req {coff,tea}";
    shown.dedup();
    assert_eq!(shown, [drink, "fill {none}", drink]);
    assert_eq!(test.depth(), 5);
    // Whatever the mutant chooses, it ends with no drink.
    assert!(ends(&test, pair.mutant()).must_fail() && !ends(&test, pair.specification()).fails);
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
        let (states, fate) = bench
            .judge(mutant, Some(WantedKill::Both), &budget)
            .expect("comparable");
        let state = verdicts.state.known() == Some(true);
        match [&verdicts.event, &verdicts.ioco].map(Killed::known) {
            [Some(false), Some(false)] if state => {
                assert_eq!(fate, SystemFate::Untestable);
                n_untestable += 1;
            }
            [Some(false), Some(false)] => {
                assert_eq!(fate, SystemFate::Equivalent);
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
        let (tests, places) = collect(&candidates, WantedKill::Both, pruned);
        for (candidate, place) in candidates.iter().zip(&places) {
            assert_eq!(place.is_some(), candidate.fate.most() > KillStrength::None);
            assert!(place.is_none_or(|place| is_killed(&tests[place], candidate, WantedKill::Both)));
        }
        println!("pruned {pruned}: {} tests", tests.len());
        assert!(
            tests
                .iter()
                .all(|test| !ends(test, &subject).fails && !test.targets.is_empty())
        );
    }
}

fn system(name: &str) -> ActionSystem {
    let text = study(&format!("{name}/model.pl"));
    match read_actions("model.pl", text.as_bytes()) {
        Ok(read) => read.system,
        Err(error) => panic!("{error}"),
    }
}

/// What a system says, whatever the places in its text.
fn without_places(system: &ActionSystem) -> String {
    let text = format!("{system:?}");
    let mut parts = text.split("Span {");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |said, part| {
        said + part.split_once('}').map_or(part, |(_, rest)| rest)
    })
}

#[test]
fn what_is_written_is_read_as_the_same_system() {
    let mut systems: Vec<ActionSystem> = (0..200).map(|seed| random_system(&mut Random::new(seed))).collect();
    systems.extend(["cas-actions", "lift", "buffer"].map(system));
    for system in systems {
        let mutants = action_mutations(&system)
            .into_iter()
            .map(|mutation| mutation.apply(&system))
            .collect::<Vec<_>>();
        for system in mutants.iter().step_by(7).chain([&system]) {
            let text = write_actions(system);
            let read = match read_actions("written.pl", text.as_bytes()) {
                Ok(read) => read.system,
                Err(error) => panic!("{error}\n{text}"),
            };
            assert_eq!(without_places(&read), without_places(system), "{text}");
            assert_eq!(write_actions(&read), text);
        }
    }
}

#[test]
fn values_that_flow_into_the_state_are_tested_exactly() {
    // The buffer gives out what was put in: tests tell the values apart.
    let budget = Budget::unlimited();
    let original = system("buffer");
    let mutations = action_mutations(&original);
    let mutants: Vec<ActionSystem> = mutations.iter().map(|mutation| mutation.apply(&original)).collect();
    let bench = bench(&original, &mutants);
    let subject = bench.subject(&original, &budget).expect("small");
    let mut n_killed = 0;
    for mutant in &mutants {
        let (states, fate) = bench
            .judge(mutant, Some(WantedKill::Both), &budget)
            .expect("comparable");
        if let Some(test) = own(&fate) {
            assert!(does(&test, ends(&test, states.as_ref().expect("states"))));
            assert!(!ends(&test, &subject).fails);
            n_killed += 1;
        }
    }
    assert_eq!(n_killed, 20);
}

#[test]
fn conditional_and_featured_mutants_are_the_mutants_they_choose_among() {
    let budget = Budget::unlimited();
    let states = |program: &Program| explore(program, Missing::Complete, &budget);
    for name in [
        "beverage/model.smv",
        "untimed/traffic-light.smv",
        "untimed/arbiter.smv",
        "untimed/car-alarm.smv",
    ] {
        let original = program(&study(name));
        let found = mutations(&original);
        let (featured, all) = featured_mutants(&original, &found);
        let chosen = |whole: &Program, variable: &str, value: ExprKind| {
            let mut program = whole.clone();
            let var = program
                .variables
                .ids()
                .find(|var| program.variables[*var].name == variable)
                .expect("it is there");
            if let Role::State { init, .. } = &mut program.variables[var].role {
                let span = Span::default();
                *init = Some(Expr { kind: value, span });
            }
            program
        };
        for (number, mutation) in found.iter().enumerate().step_by(3) {
            let Ok(mutant) = states(&mutation.apply(&original)) else {
                continue;
            };
            let (conditional, variable) = conditional_mutant(&original, mutation);
            let same = [
                states(&chosen(&conditional, &variable, ExprKind::Bool(true))),
                states(&chosen(&featured, &all, ExprKind::Value(number as i64 + 1))),
            ];
            for same in same {
                let same = same.expect("a system");
                for (left, right) in [(&same, &mutant), (&mutant, &same)] {
                    let pair = Pair::new(left, right).expect("the same inputs");
                    assert_eq!(decide(&pair, &budget).kill(), Ok(KillStrength::None), "{name} {number}");
                }
            }
            let original_again = states(&chosen(&conditional, &variable, ExprKind::Bool(false))).expect("a system");
            let pair = Pair::new(&original_again, &states(&original).expect("a system")).expect("the same inputs");
            assert_eq!(decide(&pair, &budget).kill(), Ok(KillStrength::None), "{name} {number}");
            // It is read back as it was written.
            let text = write_smv(&conditional);
            assert_eq!(write_smv(&program(&text)), text);
        }
    }
}

/// [004] section 6.2: a suite of the free arbiter, the suite of one that it allows, and both, on the mutants of the latter.
#[test]
fn suites_of_two_models_united_kill_what_either_kills() {
    let read = |name: &str| program(&study(&format!("untimed/smv/{name}.smv")));
    let states = |program: &Program| explore(program, Missing::Refuse, &Budget::unlimited());
    let suite = |program: &Program| {
        let total = states(program).expect("total");
        let mutants = mutations(program)
            .into_iter()
            .filter_map(|mutation| states(&mutation.apply(program)).ok());
        let tests = mutants.enumerate().filter_map(|(number, mutant)| {
            let (budget, pair) = (
                Budget::unlimited(),
                Pair::new(&mutant, &total).expect("the same inputs"),
            );
            let fate = fate_of(&pair, &decide(&pair, &budget), None, Some(WantedKill::Both), &budget);
            Some(SystemTest {
                id: number.to_string(),
                ..own(&fate)?
            })
        });
        let tests = tests.collect();
        let specification = TestedSystem {
            file: String::new(),
            hash: String::new(),
            complete: false,
        };
        SystemSuite {
            specification,
            tests,
            mutants: Vec::new(),
        }
    };
    let (free, turns) = (read("arbiter-any"), read("arbiter-round-robin"));
    let (of_free, of_turns) = (suite(&free), suite(&turns));
    let both = of_turns
        .clone()
        .with(&[("free".to_owned(), &of_free)])
        .expect("other ids");
    assert_eq!(both.tests.len(), of_free.tests.len() + of_turns.tests.len());
    let specification = states(&turns).expect("total");
    let passes = |suite: &SystemSuite| suite.tests.iter().all(|test| !ends(test, &specification).fails);
    assert!(passes(&both), "who takes turns does what the free one may do");
    let mutants = mutations(&turns)
        .into_iter()
        .filter_map(|mutation| states(&mutation.apply(&turns)).ok());
    let [mut by_free, mut by_turns] = [0, 0];
    for mutant in mutants {
        let kills = |suite: &SystemSuite| suite.tests.iter().any(|test| ends(test, &mutant).fails);
        assert_eq!(kills(&both), kills(&of_free) || kills(&of_turns));
        by_free += usize::from(kills(&of_free));
        by_turns += usize::from(kills(&of_turns));
    }
    assert!(0 < by_free && by_free < by_turns, "{by_free} {by_turns}");
    let again = both.with(&[("free".to_owned(), &of_free)]);
    assert!(again.is_err_and(|error| error.to_string().contains("free:")));
}
