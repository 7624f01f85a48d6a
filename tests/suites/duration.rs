//! How long tests take on the lamp (`uppaal-models/lamp.xml`): touched in `Off`, it says `dim!` 1 to 2 time units later.

use num_rational::BigRational;
use tamper::formats::uppaal::{self, ReadOptions};
use tamper::model::Cmp;
use tamper::suite::{
    Act, Condition, Constraint, Expected, Jump, Kill, Next, Node, Rule, Style, Subject, TestCase, TestVerdict,
    longest_time,
};
use tamper::text::Budget;

fn ratio(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

fn when(cmp: Cmp, bound: BigRational) -> Condition {
    vec![Constraint {
        left: 0,
        right: None,
        cmp,
        bound,
    }]
}

fn rule(when: Condition, act: Act) -> Rule {
    Rule {
        from: Vec::new(),
        when,
        act,
    }
}

fn stop(when: Condition) -> Rule {
    rule(when, Act::Stop(TestVerdict::Inconclusive))
}

fn node(rule: Rule, outputs: Vec<Expected>) -> Node {
    Node {
        rules: vec![rule],
        outputs,
        otherwise: TestVerdict::Fail,
    }
}

fn longest(nodes: Vec<Node>) -> Option<BigRational> {
    let path: std::path::PathBuf = [env!("CARGO_MANIFEST_DIR"), "uppaal-models", "lamp.xml"]
        .iter()
        .collect();
    let (document, _) = uppaal::read_file(&path, &ReadOptions::default()).unwrap_or_else(|_| panic!("it is read"));
    let lamp = Subject::new(&document.automata()[0], &Budget::unlimited()).unwrap();
    let test = TestCase {
        id: "by hand".to_owned(),
        style: Style::Adaptive,
        kill: Kill::Potential,
        targets: Vec::new(),
        clocks: vec!["t".to_owned()],
        nodes,
    };
    longest_time(&test, &lamp, &Budget::unlimited()).unwrap()
}

#[test]
fn a_test_takes_as_long_as_its_slowest_run() {
    // A touch after 3, an answer after 2 at the latest, before the test gives up.
    let touch = rule(
        when(Cmp::Eq, ratio(3, 1)),
        Act::Input {
            action: "press?".to_owned(),
            then: vec![Jump {
                when: Vec::new(),
                resets: vec![(0, 0)],
                next: Next::Node(1),
            }],
        },
    );
    let answer = Expected {
        action: "dim!".to_owned(),
        jump: Jump {
            when: Vec::new(),
            resets: Vec::new(),
            next: Next::Verdict(TestVerdict::Pass),
        },
    };
    let patient = node(stop(when(Cmp::Eq, ratio(5, 1))), vec![answer.clone()]);
    let first = node(touch, Vec::new());
    assert_eq!(longest(vec![first.clone(), patient]), Some(ratio(5, 1)));
    // It gives up half a time unit before that.
    let hasty = node(stop(when(Cmp::Eq, ratio(3, 2))), vec![answer]);
    assert_eq!(longest(vec![first, hasty]), Some(ratio(9, 2)));
}

#[test]
fn the_tester_acts_as_soon_as_it_may() {
    let stopping = |when| longest(vec![node(stop(when), Vec::new())]);
    assert_eq!(stopping(when(Cmp::Ge, ratio(7, 2))), Some(ratio(7, 2)));
    assert_eq!(stopping(Vec::new()), Some(ratio(0, 1)));
    // In halves of a time unit: within one of them behind the bound.
    assert_eq!(stopping(when(Cmp::Gt, ratio(7, 2))), Some(ratio(4, 1)));
}

#[test]
fn a_loop_may_end_all_the_same() {
    let on = Jump {
        when: Vec::new(),
        resets: vec![(0, 0)],
        next: Next::Node(0),
    };
    let touch = rule(
        when(Cmp::Eq, ratio(3, 1)),
        Act::Input {
            action: "press?".to_owned(),
            then: vec![on.clone()],
        },
    );
    // The second touch would come 3 after the first; the answer, which this test does not expect, comes before it.
    assert_eq!(longest(vec![node(touch.clone(), Vec::new())]), Some(ratio(5, 1)));
    // With answers that lead on, the lamp is touched for ever.
    let answer = |action: &str| Expected {
        action: action.to_owned(),
        jump: on.clone(),
    };
    let answers = ["dim!", "bright!", "off!"].map(answer);
    assert_eq!(longest(vec![node(touch, answers.to_vec())]), None);
}

#[test]
fn a_rule_whose_time_never_comes_is_not_waited_for() {
    let never = Condition::from([when(Cmp::Ge, ratio(3, 1)), when(Cmp::Le, ratio(2, 1))].concat());
    assert_eq!(longest(vec![node(stop(never), Vec::new())]), Some(ratio(0, 1)));
}
