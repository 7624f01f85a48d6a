//! A test with every kind of step, against systems that do what a script says.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::window::DelayWindow;
use super::{Driven, What, drive};
use crate::{
    Act, Condition, Constraint, Expected, Jump, Kill, Next, Node, Observed, Rule, Style, Sut, TestCase, TestVerdict,
};
use tamper_timed::model::Cmp;

mod late;

fn ratio(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(BigInt::from(numerator), BigInt::from(denominator))
}

fn atom(cmp: Cmp, bound: BigRational) -> Constraint {
    Constraint {
        left: 0,
        right: None,
        cmp,
        bound,
    }
}

/// Makes the outputs of its script at their times (halves of a unit) after the input, whenever it is waited for.
struct Scripted {
    script: Vec<(&'static str, i64)>,
    now: BigRational,
    inputs: Vec<(String, BigRational)>,
}

impl Sut for Scripted {
    type Error = std::convert::Infallible;

    fn reset(&mut self) -> Result<(), Self::Error> {
        self.now = ratio(0, 1);
        Ok(())
    }

    fn input(&mut self, action: &str) -> Result<bool, Self::Error> {
        self.inputs.push((action.to_owned(), self.now.clone()));
        self.now = ratio(0, 1);
        Ok(self.script.first().is_none_or(|(first, _)| *first != "refuse"))
    }

    fn wait(&mut self, at_most: &BigRational) -> Result<Observed, Self::Error> {
        let until = &self.now + at_most;
        if let Some((action, halves)) = self.script.first().copied()
            && !self.inputs.is_empty()
            && ratio(halves, 2) <= until
        {
            self.script.remove(0);
            let after = ratio(halves, 2) - &self.now;
            self.now = ratio(halves, 2);
            return Ok(Observed::Output {
                action: action.to_owned(),
                after,
            });
        }
        self.now = until;
        Ok(Observed::Silence)
    }
}

/// Gives `press?` at 3/2, then wants `on!` within [1, 2] (pass), allows `on!` within (2, 3] (inconclusive) and `off!` at any
/// time (inconclusive); all else fails, as does silence until after 3.
fn press_then_on() -> TestCase {
    let press = Rule {
        from: Vec::new(),
        when: vec![atom(Cmp::Eq, ratio(3, 2))],
        act: Act::Input {
            action: "press?".to_owned(),
            then: vec![Jump {
                when: Vec::new(),
                resets: vec![(0, 0)],
                next: Next::Node(1),
            }],
        },
    };
    let output = |action: &str, when: Condition, verdict| Expected {
        action: action.to_owned(),
        jump: Jump {
            when,
            resets: Vec::new(),
            next: Next::Verdict(verdict),
        },
    };
    let within = vec![atom(Cmp::Ge, ratio(1, 1)), atom(Cmp::Le, ratio(2, 1))];
    let later = vec![atom(Cmp::Gt, ratio(2, 1)), atom(Cmp::Le, ratio(3, 1))];
    TestCase {
        id: "t1".to_owned(),
        style: Style::Adaptive,
        kill: Kill::Definite,
        targets: Vec::new(),
        clocks: vec!["t".to_owned()],
        nodes: vec![
            Node {
                rules: vec![press],
                outputs: Vec::new(),
                otherwise: TestVerdict::Fail,
            },
            Node {
                rules: vec![Rule {
                    from: Vec::new(),
                    when: vec![atom(Cmp::Gt, ratio(3, 1))],
                    act: Act::Stop(TestVerdict::Fail),
                }],
                outputs: vec![
                    output("on!", within, TestVerdict::Pass),
                    output("on!", later, TestVerdict::Inconclusive),
                    output("off!", Vec::new(), TestVerdict::Inconclusive),
                ],
                otherwise: TestVerdict::Fail,
            },
        ],
    }
}

fn driven(script: &[(&'static str, i64)], tolerance: BigRational) -> Driven {
    let mut sut = Scripted {
        script: script.to_vec(),
        now: ratio(0, 1),
        inputs: Vec::new(),
    };
    let test = press_then_on();
    assert_eq!(test.check(), Ok(()));
    let driven = drive(&test, &mut sut, &tolerance).expect("nothing breaks");
    assert_eq!(sut.inputs, [("press".to_owned(), ratio(3, 2))]);
    driven
}

#[test]
fn outputs_and_silence_end_in_the_verdict_that_the_test_gives_them() {
    use TestVerdict::{Fail, Inconclusive, Pass};
    let verdict = |script: &[(&'static str, i64)]| driven(script, ratio(0, 1)).verdict;
    assert_eq!(verdict(&[("on", 2)]), Pass);
    assert_eq!(verdict(&[("on", 4)]), Pass);
    assert_eq!(verdict(&[("on", 5)]), Inconclusive);
    assert_eq!(verdict(&[("on", 6)]), Inconclusive);
    assert_eq!(verdict(&[("on", 1)]), Fail);
    assert_eq!(verdict(&[("on", 7)]), Fail);
    assert_eq!(verdict(&[("off", 1)]), Inconclusive);
    assert_eq!(verdict(&[("bang", 3)]), Fail);
    assert_eq!(verdict(&[]), Fail);
}

#[test]
fn within_the_tolerance_the_nearest_moment_that_is_allowed_counts() {
    use TestVerdict::{Fail, Inconclusive, Pass};
    let verdict = |script: &[(&'static str, i64)], halves| driven(script, ratio(halves, 2)).verdict;
    // 1/2 is 1/2 too early: forgiven from that tolerance on.
    assert_eq!(driven(&[("on", 1)], ratio(2, 5)).verdict, Fail);
    assert_eq!(verdict(&[("on", 1)], 1), Pass);
    // 7/2 is 1/2 too late; silence is waited for as long.
    assert_eq!(verdict(&[("on", 7)], 1), Inconclusive);
    assert_eq!(verdict(&[("on", 9)], 1), Fail);
    // No tolerance makes a wrong output right; within it, the test stays on its path.
    assert_eq!(verdict(&[("bang", 3)], 4), Fail);
    assert_eq!(driven(&[("on", 5)], ratio(2, 5)).verdict, Inconclusive);
    assert_eq!(verdict(&[("on", 5)], 1), Pass);
    assert_eq!(verdict(&[("off", 5)], 4), Inconclusive);
}

#[test]
fn a_refused_input_is_a_fail() {
    let driven = driven(&[("refuse", 0)], ratio(0, 1));
    assert_eq!(driven.verdict, TestVerdict::Fail);
    let last = driven.log.last().map(|event| event.what.clone());
    assert_eq!(last, Some(What::Refused("press?".to_owned())));
}

#[test]
fn the_log_says_what_happened_when() {
    let log: Vec<(BigRational, What)> = driven(&[("on", 3)], ratio(0, 1))
        .log
        .into_iter()
        .map(|event| (event.at, event.what))
        .collect();
    let press = (ratio(3, 2), What::Input("press?".to_owned()));
    assert_eq!(log, [press, (ratio(3, 1), What::Output("on!".to_owned()))]);
    let silent = driven(&[], ratio(0, 1));
    assert_eq!(silent.log.last().map(|event| event.what.clone()), Some(What::Silence));
    assert_eq!((silent.until, silent.lateness), (ratio(15, 1), None));
    // What came too late stands behind the silence.
    let late = driven(&[("bang", 9), ("off", 10)], ratio(0, 1));
    let end: Vec<(BigRational, What)> = late.log[1..]
        .iter()
        .map(|event| (event.at.clone(), event.what.clone()))
        .collect();
    let output = |name: &str| What::Output(format!("{name}!"));
    let silence = (ratio(5, 1), What::Silence);
    assert_eq!(
        end,
        [silence, (ratio(6, 1), output("bang")), (ratio(13, 2), output("off"))]
    );
    assert_eq!(late.until, ratio(13, 2));
}

#[test]
fn a_window_is_the_delays_after_which_a_condition_holds() {
    let point = [ratio(1, 1), ratio(4, 1)];
    let window = |condition: &[Constraint]| DelayWindow::of(condition, &point);
    let one = |cmp, bound| atom(cmp, ratio(bound, 1));
    assert_eq!(
        window(&[one(Cmp::Ge, 3)]).map(|window| window.earliest()),
        Some(ratio(2, 1))
    );
    // After 2 strictly, without end: half a unit later; before 5/2: in the middle.
    assert_eq!(
        window(&[one(Cmp::Gt, 3)]).map(|window| window.earliest()),
        Some(ratio(5, 2))
    );
    let narrow = [one(Cmp::Gt, 3), atom(Cmp::Lt, ratio(7, 2))];
    assert_eq!(window(&narrow).map(|window| window.earliest()), Some(ratio(9, 4)));
    assert_eq!(window(&[one(Cmp::Lt, 1)]), None);
    assert_eq!(
        window(&[one(Cmp::Le, 1)]).map(|window| window.earliest()),
        Some(ratio(0, 1))
    );
    assert_eq!(window(&[one(Cmp::Ge, 3), one(Cmp::Lt, 3)]), None);
    let difference = |bound| Constraint {
        left: 1,
        right: Some(0),
        cmp: Cmp::Eq,
        bound: ratio(bound, 1),
    };
    assert!(window(&[difference(3)]).is_some() && window(&[difference(2)]).is_none());
}

#[test]
fn a_fail_says_what_was_allowed_and_what_came() {
    let why = |script: &[(&'static str, i64)]| driven(script, ratio(0, 1)).failure.map(|failure| failure.to_string());
    // press? is given at 3/2; both windows of on! are one, from 1 to 3 after that.
    let expected = "expected off! or on! from 2.5 by 4.5";
    // After 5 the tester stops waiting; what it hears when it listens on is not the test's.
    assert_eq!(why(&[]), Some(format!("{expected}; nothing came by 5")));
    assert_eq!(why(&[("on", 7)]), Some(format!("{expected}; on! came at 5")));
    assert_eq!(why(&[("on", 26)]), Some(format!("{expected}; nothing came by 5")));
    assert_eq!(why(&[("on", 1)]), Some(format!("{expected}; on! came at 2")));
    assert_eq!(why(&[("bang", 3)]), Some(format!("{expected}; bang! came at 3")));
    let refused = "expected press? to be accepted; it was refused at 1.5";
    assert_eq!(why(&[("refuse", 0)]), Some(refused.to_owned()));
    assert_eq!(why(&[("on", 2)]), None);
}
