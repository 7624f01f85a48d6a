//! The examples of [004]: the beverage machine (Fig. 1, Examples 1 to 3) and the car alarm (Figs 5 and 6).

use std::path::PathBuf;

use num_rational::BigRational;
use tamper::formats::uppaal::{self, ReadOptions};
use tamper::model::{Automaton, Cmp, EdgeId, Expr, Guard, LocId};
use tamper::suite::{
    Act, CompiledTest, Constraint, Definite, Expected, Jump, Kill, Next, Node, Pick, Potential, Rule, Style, Subject,
    TestCase, TestVerdict, Tester, ends, kills_weakly,
};
use tamper::text::Budget;

use crate::suites::studies::spec;

pub fn beverage(name: &str) -> Automaton {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "uppaal-models", "beverage-machine.xml"]
        .iter()
        .collect();
    let (document, warnings) = uppaal::read_file(&path, &ReadOptions::default()).expect("the example is read");
    assert_eq!(warnings, []);
    document.automata()[document.find(name).expect("the template is there")].clone()
}

fn kills(spec: &Automaton, mutant: &Automaton) -> (Potential, Definite) {
    let budget = Budget::unlimited();
    let tester = Tester::new(spec, &budget).expect("it is deterministic");
    let subject = Subject::new(mutant, &budget).expect("it has a state");
    let potential = tester.potential(&subject, Style::Adaptive, Pick::Earliest, &budget);
    (
        potential.expect("no limit"),
        tester.definite(&subject, &budget).expect("no limit"),
    )
}

/// The inputs that a test gives to a system which makes `output` whenever the test waits for one.
fn inputs(test: &TestCase, output: &str) -> Vec<String> {
    let (mut given, mut at) = (Vec::new(), 0);
    loop {
        let node = &test.nodes[at];
        let rule = node.rules.first().expect("the test knows what to do");
        let next = match &rule.act {
            Act::Input { action, then } => {
                given.push(action.clone());
                then.first().expect("it goes on").next
            }
            // It waits: for the output, if that leads on.
            Act::Stop(_) => match node.outputs.iter().find(|expected| expected.action == output) {
                Some(expected) => expected.jump.next,
                None => return given,
            },
        };
        match next {
            Next::Node(next) => at = next,
            Next::Verdict(_) => return given,
        }
    }
}

#[test]
fn the_machine_refilled_by_one_is_killed_by_the_papers_definite_test() {
    let (potential, definite) = kills(&beverage("Machine"), &beverage("RefillOne"));
    assert!(matches!(potential, Potential::Killed(_)));
    let Definite::Killed(test) = definite else {
        panic!("{definite:?}")
    };
    // [004] Fig. 1c: req, req, fill, req, req, whatever the drinks are.
    for drink in ["coff!", "tea!"] {
        assert_eq!(inputs(&test, drink), ["req?", "req?", "fill?", "req?", "req?"]);
    }
}

#[test]
fn the_machine_refilled_by_one_or_two_is_killed_potentially_only() {
    let (spec, mutant) = (beverage("Machine"), beverage("RefillOneOrTwo"));
    let (potential, definite) = kills(&spec, &mutant);
    assert_eq!(definite, Definite::Avoidable);
    let Potential::Killed(test) = potential else {
        panic!("{potential:?}")
    };
    let subject = Subject::new(&mutant, &Budget::unlimited()).unwrap();
    let ends = ends(&test, &subject, &Budget::unlimited()).unwrap();
    assert!(ends.can_fail() && !ends.must_fail(), "{ends:?}");
}

#[test]
fn the_machine_that_always_makes_coffee_is_equivalent() {
    let found = kills(&beverage("Machine"), &beverage("AlwaysCoffee"));
    assert_eq!(found, (Potential::NotKillable, Definite::Avoidable));
}

/// `guard` with `new` for every constant `old`.
fn replaced(guard: &Guard, old: i64, new: i64) -> Guard {
    let mut guard = guard.clone();
    for atom in &mut guard.clocks {
        if atom.bound.as_const() == Some(old) {
            atom.bound = Expr::Const(new);
        }
    }
    guard
}

/// The edge by which the alarm arms itself after 20 time units.
fn arming(alarm: &Automaton) -> (EdgeId, LocId) {
    let after_20 = |location: LocId| {
        let mut atoms = alarm.locations()[location].invariant.clocks.iter();
        atoms.any(|atom| atom.bound.as_const() == Some(20))
    };
    let arms = |action| alarm.actions()[action].to_string() == "armedOn!";
    let mut edges = alarm.edges().iter_enumerated();
    let found = edges.find(|(_, edge)| arms(edge.action) && after_20(edge.source));
    found.map(|(id, edge)| (id, edge.source)).expect("it arms")
}

/// The alarm system that arms after `time` instead of 20 time units.
fn arming_after(time: i64) -> Automaton {
    let alarm = spec("cas");
    let (_, closed_and_locked) = arming(&alarm);
    let invariant = &alarm.locations()[closed_and_locked].invariant;
    let mut mutant = alarm.with_invariant(closed_and_locked, replaced(invariant, 20, time));
    let leaving = alarm.edges().iter_enumerated();
    for (id, edge) in leaving.filter(|(_, edge)| edge.source == closed_and_locked) {
        mutant = mutant.with_guard(id, replaced(&edge.guard, 20, time));
    }
    mutant
}

/// [004] Figs 5 and 6: with its time under control the mutant is killed, since its silence is overdue after 20.
#[test]
fn an_alarm_that_takes_twice_as_long_to_arm_is_killed_definitely() {
    let alarm = spec("cas");
    assert_eq!(arming_after(20), alarm);
    let (potential, definite) = kills(&alarm, &arming_after(40));
    assert!(matches!(potential, Potential::Killed(_)));
    let Definite::Killed(test) = definite else {
        panic!("{definite:?}")
    };
    let mut given = inputs(&test, "none");
    given.sort();
    assert_eq!(given, ["close?", "lock?"], "then it waits");
    // Arming too late by any amount is noticed; arming in time is not.
    for (time, fails) in [(20, false), (21, true), (39, true)] {
        let subject = Subject::new(&arming_after(time), &Budget::unlimited()).unwrap();
        let ends = ends(&test, &subject, &Budget::unlimited()).unwrap();
        assert_eq!((ends.must_fail(), ends.can_fail()), (fails, fails), "{time}: {ends:?}");
    }
}

#[test]
fn an_alarm_that_never_arms_is_killed_definitely() {
    let alarm = spec("cas");
    let (edge, closed_and_locked) = arming(&alarm);
    let mutant = alarm
        .with_invariant(closed_and_locked, Guard::always())
        .without_edge(edge);
    let found = kills(&alarm, &mutant);
    assert!(
        matches!(found, (Potential::Killed(_), Definite::Killed(_))),
        "{found:?}"
    );
}

/// Two drinks, then fill?: from then on the machines are in different states, which only two more requests show.
fn until_filled() -> TestCase {
    let zero = || BigRational::from_integer(0.into());
    let t = |cmp| Constraint {
        left: 0,
        right: None,
        cmp,
        bound: zero(),
    };
    let jump = |next| Jump {
        when: Vec::new(),
        resets: vec![(0, 0)],
        next: Next::Node(next),
    };
    let node = |when, act, outputs| Node {
        rules: vec![Rule {
            from: Vec::new(),
            when: vec![when],
            act,
        }],
        outputs,
        otherwise: TestVerdict::Fail,
    };
    let input = |action: &str, next| {
        let act = Act::Input {
            action: action.to_owned(),
            then: vec![jump(next)],
        };
        node(t(Cmp::Eq), act, Vec::new())
    };
    let drink = |next| {
        let expected = |action: &str| Expected {
            action: action.to_owned(),
            jump: jump(next),
        };
        let outputs = vec![expected("coff!"), expected("tea!")];
        node(t(Cmp::Gt), Act::Stop(TestVerdict::Fail), outputs)
    };
    TestCase {
        id: "until filled".to_owned(),
        style: Style::Adaptive,
        kill: Kill::Potential,
        targets: Vec::new(),
        clocks: vec!["t".to_owned()],
        nodes: vec![
            input("req?", 1),
            drink(2),
            input("req?", 3),
            drink(4),
            input("fill?", 5),
            node(t(Cmp::Eq), Act::Stop(TestVerdict::Pass), Vec::new()),
        ],
    }
}

/// [002]: a mutant is killed weakly when its state differs, strongly when that is seen.
#[test]
fn a_difference_that_is_not_seen_yet_kills_weakly() {
    let (test, budget) = (until_filled(), Budget::unlimited());
    let compiled = CompiledTest::in_own_unit(&test).unwrap();
    let spec = Subject::new(&beverage("Machine"), &budget).unwrap();
    for (name, weakly) in [
        ("RefillOne", true),
        ("RefillOneOrTwo", true),
        ("AlwaysCoffee", false),
        ("Machine", false),
    ] {
        let mutant = Subject::new(&beverage(name), &budget).unwrap();
        assert!(!ends(&test, &mutant, &budget).unwrap().can_fail(), "{name}");
        assert_eq!(kills_weakly(&compiled, &spec, &mutant, &budget), Ok(weakly), "{name}");
    }
}
