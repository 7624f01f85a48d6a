//! The run of a test.

use num_rational::BigRational;
use num_traits::Zero as _;

use super::event::{Event, What};
use super::failure::{Failure, allowed};
use super::reaction::reaction;
use super::window::Window;
use crate::suite::sut::{Observed, Sut};
use crate::suite::test_case::{Act, Jump, Next, Rule, TestCase, TestVerdict};

/// Steps after which a test that goes round in circles is left undecided.
const MAX_STEPS: usize = 100_000;

/// A test that was run to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Driven {
    /// The verdict with which the test ended.
    pub verdict: TestVerdict,
    /// The reason for a fail, if it is one.
    pub failure: Option<Failure>,
    /// The events of the run, in order.
    pub log: Vec<Event>,
}

/// A test that ended because the system cannot be tested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken<E> {
    /// The failure of the program under test.
    pub error: E,
    /// The events before the program failed, in order.
    pub log: Vec<Event>,
}

/// Runs `test` against `sut` from its initial state. An output counts as made at any moment within `tolerance` time
/// units of the observed one, and the tester stops waiting only `tolerance` later than the test says: so a test fails only
/// if no such moment is allowed. Tests with one clock (adaptive ones) stay on their path if one of these
/// moments does; they keep to their schedule, so being off does not add up.
///
/// # Errors
/// The system cannot be tested.
///
/// # Panics
/// If the test refers to nodes or clocks that it does not have (see [`TestCase::check`]).
pub fn drive<S: Sut>(test: &TestCase, sut: &mut S, tolerance: &BigRational) -> Result<Driven, Broken<S::Error>> {
    let mut run = Run {
        test,
        tolerance,
        node: 0,
        clocks: vec![BigRational::zero(); test.clocks.len()],
        now: BigRational::zero(),
        log: Vec::new(),
    };
    match run.finish(sut) {
        Ok((verdict, failure)) => Ok(Driven {
            verdict,
            failure,
            log: run.log,
        }),
        Err(error) => Err(Broken { error, log: run.log }),
    }
}

struct Run<'t> {
    test: &'t TestCase,
    tolerance: &'t BigRational,
    node: usize,
    clocks: Vec<BigRational>,
    now: BigRational,
    log: Vec<Event>,
}

impl<'t> Run<'t> {
    fn finish<S: Sut>(&mut self, sut: &mut S) -> Result<(TestVerdict, Option<Failure>), S::Error> {
        sut.reset()?;
        for _ in 0..MAX_STEPS {
            let (node, clocks, now) = (self.node, self.clocks.clone(), self.now.clone());
            match self.step(sut)? {
                Next::Node(_) => {}
                Next::Verdict(TestVerdict::Fail) => {
                    let expected = allowed(&self.test.nodes[node], &clocks, &now);
                    let came = self.log.last().cloned();
                    return Ok((TestVerdict::Fail, came.map(|came| Failure { expected, came })));
                }
                Next::Verdict(verdict) => return Ok((verdict, None)),
            }
        }
        Ok((TestVerdict::Inconclusive, None))
    }

    /// Waits and acts in the node once; what comes next.
    fn step<S: Sut>(&mut self, sut: &mut S) -> Result<Next, S::Error> {
        let node = &self.test.nodes[self.node];
        let chosen = node
            .rules
            .iter()
            .find(|rule| rule.from.iter().all(|atom| atom.holds(&self.clocks)));
        let planned = chosen.and_then(|rule| Some((rule, Window::of(&rule.when, &self.clocks)?)));
        let Some((rule, window)) = planned else {
            return Ok(Next::Verdict(TestVerdict::Inconclusive));
        };
        let delay = self.patience(rule, &window);
        match sut.wait(&delay)? {
            Observed::Silence => {
                self.pass_time(&delay);
                self.act(&rule.act, sut)
            }
            Observed::Refused { action } => Ok(self.refused(format!("{action}?"))),
            Observed::Output { action, after } => {
                let action = format!("{action}!");
                let reaction = reaction(node, &self.clocks, &action, &after, self.tolerance);
                self.pass_time(&reaction.after);
                let next = match reaction.jump {
                    Some(jump) => self.jump(jump),
                    None => Next::Verdict(node.otherwise),
                };
                // From the moment it counts for to the one that it is now (which may be the earlier one).
                self.pass_time(&(after - reaction.after));
                self.note(What::Output(action));
                Ok(next)
            }
        }
    }

    /// How long to wait before the rule acts: as short as possible, but outputs that are awaited are given the tolerance.
    fn patience(&self, rule: &Rule, window: &Window) -> BigRational {
        match rule.act {
            Act::Stop(_) => window.earliest() + self.tolerance,
            _ => window.earliest(),
        }
    }

    fn act<S: Sut>(&mut self, act: &'t Act, sut: &mut S) -> Result<Next, S::Error> {
        match act {
            Act::Stop(verdict) => {
                self.note(What::Silence);
                Ok(Next::Verdict(*verdict))
            }
            Act::Input { action, then } => {
                self.note(What::Input(action.clone()));
                if !sut.input(action.strip_suffix('?').unwrap_or(action))? {
                    return Ok(self.refused(action.clone()));
                }
                let fits = |jump: &&Jump| jump.when.iter().all(|atom| atom.holds(&self.clocks));
                let next = match then.iter().find(fits) {
                    Some(jump) => self.jump(jump),
                    None => Next::Verdict(TestVerdict::Pass),
                };
                match next {
                    Next::Verdict(_) => self.last_word(next, sut),
                    Next::Node(_) => Ok(next),
                }
            }
        }
    }

    /// After the last input: within the tolerance the system may still say that it refused it.
    fn last_word<S: Sut>(&mut self, next: Next, sut: &mut S) -> Result<Next, S::Error> {
        if self.tolerance.is_zero() {
            return Ok(next);
        }
        match sut.wait(self.tolerance)? {
            Observed::Refused { action } => Ok(self.refused(format!("{action}?"))),
            Observed::Output { .. } | Observed::Silence => Ok(next),
        }
    }

    /// The specification takes every input that a test gives.
    fn refused(&mut self, action: String) -> Next {
        self.note(What::Refused(action));
        Next::Verdict(TestVerdict::Fail)
    }

    fn jump(&mut self, jump: &Jump) -> Next {
        for (clock, value) in &jump.resets {
            self.clocks[*clock] = BigRational::from_integer((*value).into());
        }
        if let Next::Node(node) = jump.next {
            self.node = node;
        }
        jump.next
    }

    fn pass_time(&mut self, delay: &BigRational) {
        self.now += delay;
        for clock in &mut self.clocks {
            *clock += delay;
        }
    }

    fn note(&mut self, what: What) {
        let at = self.now.clone();
        self.log.push(Event { at, what });
    }
}
