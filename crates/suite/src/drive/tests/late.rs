//! Testers that are late, in a time that is measured.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero as _;

use crate::drive::{Driven, Event, Lateness, UnexpectedOutput, What, drive};
use crate::{
    Act, Condition, Constraint, Expected, Jump, Kill, Measured, Next, Node, Observed, Rule, Style, Sut, TestCase,
    TestVerdict,
};
use tamper_timed::model::Cmp;

/// Tenths of a time unit.
fn tenths(n: i64) -> BigRational {
    BigRational::new(BigInt::from(n), BigInt::from(10))
}

/// A system in real time: it answers each input with the next output of its script, that long after it was really given.
/// The tester is late by what its own script says for each time it acts or looks up. All in tenths of a unit.
struct Late {
    script: Vec<(&'static str, i64)>,
    lateness: Vec<i64>,
    /// The schedule of the tester, and what time it is.
    now: BigRational,
    real: BigRational,
    /// The output to come, and when.
    due: Option<(&'static str, BigRational)>,
    measured: BigRational,
}

impl Late {
    fn new(script: &[(&'static str, i64)], lateness: &[i64]) -> Self {
        Self {
            script: script.to_vec(),
            lateness: lateness.to_vec(),
            now: tenths(0),
            real: tenths(0),
            due: None,
            measured: tenths(0),
        }
    }

    fn is_held_up(&mut self) {
        let by = if self.lateness.is_empty() {
            0
        } else {
            self.lateness.remove(0)
        };
        self.real = self.real.clone().max(&self.now + tenths(by));
    }

    /// The next output of the script, so long after now.
    fn will_answer(&mut self) {
        if !self.script.is_empty() {
            let (action, after) = self.script.remove(0);
            self.due = Some((action, &self.real + tenths(after)));
        }
    }
}

impl Sut for Late {
    type Error = std::convert::Infallible;

    fn reset(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    fn input(&mut self, _: &str) -> Result<bool, Self::Error> {
        self.is_held_up();
        self.measured = self.real.clone();
        self.will_answer();
        Ok(true)
    }

    fn wait(&mut self, at_most: &BigRational) -> Result<Observed, Self::Error> {
        let (start, deadline) = (self.now.clone(), &self.now + at_most);
        let looks_up = match self.due.take() {
            Some((action, at)) if at <= deadline.clone().max(self.real.clone()) => {
                self.now = at.clone().clamp(start.clone(), deadline);
                self.real = self.real.clone().max(at.clone());
                self.measured = at.clone();
                let after = (at - start).max(tenths(0));
                return Ok(Observed::Output {
                    action: action.to_owned(),
                    after,
                });
            }
            due => due,
        };
        self.due = looks_up;
        self.now = deadline;
        self.is_held_up();
        self.measured = self.real.clone();
        Ok(Observed::Silence)
    }

    fn measured(&mut self) -> Option<Measured> {
        let at = self.measured.clone();
        Some(Measured { at, doubt: tenths(0) })
    }

    fn most_overtime(&self) -> Option<BigRational> {
        Some(tenths(40))
    }
}

fn atom(left: usize, cmp: Cmp, tenth: i64) -> Constraint {
    Constraint {
        left,
        right: None,
        cmp,
        bound: tenths(tenth),
    }
}

fn press(when: Condition, resets: Vec<(usize, i64)>, next: Next) -> Node {
    let jump = Jump {
        when: Vec::new(),
        resets,
        next,
    };
    let act = Act::Input {
        action: "press?".to_owned(),
        then: vec![jump],
    };
    Node {
        rules: vec![Rule {
            from: Vec::new(),
            when,
            act,
        }],
        outputs: Vec::new(),
        otherwise: TestVerdict::Fail,
    }
}

/// From when to when, and what then.
type Awaited = (i64, i64, Vec<(usize, i64)>, Next);

/// Awaits `on!` in each of these windows of the clock `t`, else fails.
fn await_on(windows: &[Awaited], end: i64) -> Node {
    let outputs = windows.iter().map(|(low, high, resets, next)| Expected {
        action: "on!".to_owned(),
        jump: Jump {
            when: vec![atom(0, Cmp::Ge, *low), atom(0, Cmp::Le, *high)],
            resets: resets.clone(),
            next: *next,
        },
    });
    let stop = Rule {
        from: Vec::new(),
        when: vec![atom(0, Cmp::Gt, end)],
        act: Act::Stop(TestVerdict::Fail),
    };
    Node {
        rules: vec![stop],
        outputs: outputs.collect(),
        otherwise: TestVerdict::Fail,
    }
}

fn test(clocks: &[&str], nodes: Vec<Node>) -> TestCase {
    let test = TestCase {
        id: "t1".to_owned(),
        style: Style::Adaptive,
        kill: Kill::Definite,
        targets: Vec::new(),
        clocks: clocks.iter().map(|clock| (*clock).to_owned()).collect(),
        nodes,
    };
    assert_eq!(test.check(), Ok(()));
    test
}

const PASS: Next = Next::Verdict(TestVerdict::Pass);
const MAYBE: Next = Next::Verdict(TestVerdict::Inconclusive);

/// `press?` at 3, then `on!` from 1 to 2 after it.
fn once() -> TestCase {
    let first = press(vec![atom(0, Cmp::Eq, 30)], vec![(0, 0)], Next::Node(1));
    test(&["t"], vec![first, await_on(&[(10, 20, Vec::new(), PASS)], 20)])
}

fn run(test: &TestCase, sut: &mut Late, tolerance: i64) -> Driven {
    drive(test, sut, &tenths(tolerance)).expect("nothing breaks")
}

fn log(driven: &Driven) -> Vec<(BigRational, &str)> {
    let text = |event: &'_ Event| match &event.what {
        What::Input(_) => "press?",
        What::Output(action) if action == "on!" => "on!",
        What::Output(_) => "other!",
        What::Refused(_) => "refused",
        What::Silence => "silence",
    };
    driven.log.iter().map(|event| (event.at.clone(), text(event))).collect()
}

#[test]
fn the_log_has_measured_times_and_the_largest_lateness() {
    // The wait before the input ends 0.2 late, the input is given 0.3 late; the answer comes 1.5 after it.
    let driven = run(&once(), &mut Late::new(&[("on", 15)], &[2, 3]), 0);
    assert_eq!(driven.verdict, TestVerdict::Pass);
    assert_eq!(log(&driven), [(tenths(33), "press?"), (tenths(48), "on!")]);
    assert_eq!(driven.lateness, Some(Lateness { step: 1, by: tenths(3) }));
    assert_eq!(driven.until, tenths(48));
    assert!(!driven.is_doubtful(&tenths(0)));
}

#[test]
fn a_fail_of_a_tester_that_was_too_late_is_doubtful() {
    // The input is given 0.4 late, the answer comes 1.9 after it: 2.3 by the schedule.
    let driven = run(&once(), &mut Late::new(&[("on", 19)], &[4, 4]), 0);
    assert_eq!(driven.verdict, TestVerdict::Fail);
    let doubtful = [0, 3, 4].map(|tolerance| driven.is_doubtful(&tenths(tolerance)));
    assert_eq!(doubtful, [true, true, false]);
    // A tester in time has no doubt about an answer after 2.3.
    let driven = run(&once(), &mut Late::new(&[("on", 23)], &[]), 0);
    assert_eq!(
        (driven.verdict, driven.is_doubtful(&tenths(0))),
        (TestVerdict::Fail, false)
    );
    // Without a tolerance, a tenth of a unit is no lateness.
    let driven = run(&once(), &mut Late::new(&[("on", 23)], &[1, 1]), 0);
    assert_eq!(
        (driven.verdict, driven.is_doubtful(&tenths(0))),
        (TestVerdict::Fail, false)
    );
}

#[test]
fn what_arrives_while_the_tester_looks_up_late_is_late_all_the_same() {
    // Nothing is awaited after the middle between 2 and 3 past the input, which is 5.5; the tester looks up 0.5 later, with `on!` there.
    let driven = run(&once(), &mut Late::new(&[("on", 28)], &[0, 0, 5]), 0);
    let silence = (tenths(55), "silence");
    assert_eq!(log(&driven), [(tenths(30), "press?"), silence, (tenths(58), "on!")]);
    assert_eq!(driven.lateness, Some(Lateness { step: 2, by: tenths(5) }));
    assert!(driven.is_doubtful(&tenths(0)));
    let late = UnexpectedOutput::Late {
        action: "on!".to_owned(),
        at: tenths(58),
    };
    assert_eq!(driven.failure.and_then(|failure| failure.unexpected), Some(late));
    // In real time it is listened for 4 at most, after 5.5.
    let driven = run(&once(), &mut Late::new(&[], &[]), 0);
    let never = UnexpectedOutput::Never { until: tenths(95) };
    assert_eq!(driven.failure.and_then(|failure| failure.unexpected), Some(never));
    assert_eq!(driven.until, tenths(95));
}

/// `press?` at once, `on!` from 1 to 2 after it, and again, as soon as it came: the tests of `--strategy fewest`.
fn at_once(clocks: &[&str]) -> TestCase {
    let resets: Vec<(usize, i64)> = vec![(0, 0)];
    let again = press(vec![atom(0, Cmp::Eq, 0)], resets.clone(), Next::Node(3));
    let windows = [(10, 20, resets.clone(), Next::Node(2)), (20, 40, Vec::new(), MAYBE)];
    let nodes = vec![
        press(vec![atom(0, Cmp::Eq, 0)], resets, Next::Node(1)),
        await_on(&windows, 40),
        again,
        await_on(&[(10, 20, Vec::new(), PASS)], 20),
    ];
    test(clocks, nodes)
}

#[test]
fn an_input_that_was_due_within_the_tolerance_is_given_now() {
    // The first answer is 0.3 too late for the path: the second input, due with it, was due 0.3 ago.
    for clocks in [["t"].as_slice(), &["t", "x"]] {
        let driven = run(&at_once(clocks), &mut Late::new(&[("on", 23), ("on", 15)], &[]), 3);
        assert_eq!(driven.verdict, TestVerdict::Pass, "{clocks:?}");
        let events = [(0, "press?"), (23, "on!"), (23, "press?"), (38, "on!")];
        assert_eq!(log(&driven), events.map(|(at, what)| (tenths(at), what)), "{clocks:?}");
    }
    // The next answer is awaited from when the input was given, so being late does not add up.
    let driven = run(&at_once(&["t"]), &mut Late::new(&[("on", 23), ("on", 23)], &[]), 3);
    assert_eq!(driven.verdict, TestVerdict::Pass);
    // Without a tolerance the first answer leaves the path.
    let driven = run(&at_once(&["t"]), &mut Late::new(&[("on", 23), ("on", 15)], &[]), 0);
    assert_eq!((driven.verdict, driven.log.len()), (TestVerdict::Inconclusive, 2));
}

#[test]
fn a_fail_after_another_moment_was_allowed_is_none() {
    // 2.3 is allowed but not on the path; what then follows, the test only knows for 2.
    let driven = run(&at_once(&["t"]), &mut Late::new(&[("on", 23), ("bang", 15)], &[]), 3);
    assert_eq!((driven.verdict, driven.failure), (TestVerdict::Inconclusive, None));
    let driven = run(&at_once(&["t"]), &mut Late::new(&[("on", 20), ("bang", 15)], &[]), 3);
    assert_eq!(driven.verdict, TestVerdict::Fail);
}

#[test]
fn an_output_that_crosses_an_input_stands_before_it() {
    // Silence is allowed until 1, then an input; the output of 0.9 is handed over only after that was given.
    struct Crossing(u32);
    impl Sut for Crossing {
        type Error = std::convert::Infallible;
        fn reset(&mut self) -> Result<(), Self::Error> {
            Ok(())
        }
        fn input(&mut self, _: &str) -> Result<bool, Self::Error> {
            self.0 = 2;
            Ok(true)
        }
        fn wait(&mut self, _: &BigRational) -> Result<Observed, Self::Error> {
            self.0 += 1;
            Ok(match self.0 {
                1 => Observed::Silence,
                _ => Observed::Output {
                    action: "on".to_owned(),
                    after: BigRational::zero(),
                },
            })
        }
        fn measured(&mut self) -> Option<Measured> {
            let at = tenths([0, 10, 11, 9][self.0 as usize]);
            Some(Measured { at, doubt: tenths(0) })
        }
    }
    let first = press(vec![atom(0, Cmp::Eq, 10)], vec![(0, 0)], Next::Node(1));
    let test = test(&["t"], vec![first, await_on(&[(10, 20, Vec::new(), PASS)], 20)]);
    let driven = drive(&test, &mut Crossing(0), &tenths(0)).expect("nothing breaks");
    assert_eq!(driven.verdict, TestVerdict::Fail);
    assert_eq!(log(&driven), [(tenths(9), "on!"), (tenths(11), "press?")]);
    // The input was 0.1 late, as was the output's arrival; the input is the second event.
    assert_eq!(driven.lateness, Some(Lateness { step: 2, by: tenths(1) }));
}
