//! From a run that shows a mutant to a locally adaptive test (\[004\] Definition 2, lifted to time).
//!
//! The run is made concrete step by step, each delay chosen among those after which the rest can still be done. The
//! test has one clock `t`, restarted in every node; what the specification allows meanwhile follows from its concrete
//! state: the test knows each output with its window. All others fail. The last node watches for the failure itself, so that a late or a missing output is caught.

use num_rational::BigRational;
use num_traits::{One as _, Zero as _};

use super::concrete_state::{ConcreteSpecification, at, between, no_delay, overdue, rule};
use super::failures::Failure;
use super::pairing::{Joint, Pair, Pairing};
use super::search::ShowingRun;
use super::{Act, Expected, Jump, Next, Node, TestVerdict};
use crate::symbolic::timing::{self, Delays};
use crate::symbolic::{Together as _, zone_ops};
use crate::zones::Dbm;

/// Which delay of a window the tester takes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Pick {
    /// The least; just after an open end, half way to the next integer or end.
    #[default]
    Earliest,
    /// The middle; one unit after the start of a window without end.
    Middle,
    /// The greatest; just before an open end, half way from the last integer or start.
    Latest,
}

/// The nodes of the test that follows `run`.
pub(super) fn nodes(pairing: &Pairing<'_>, run: &ShowingRun<'_>, pick: Pick) -> Vec<Node> {
    let mut follower = Follower {
        pairing,
        point: vec![BigRational::zero(); pairing.dim() - 1],
        pick,
    };
    let mut nodes = Vec::new();
    for step in &run.steps {
        let delay = follower.delay_into(step.pair, &step.points);
        let next = Next::Node(nodes.len() + 1);
        let concrete = follower.concrete();
        nodes.push(concrete.step(step.pair.0, step.joint.spec, &delay, next, false));
        follower.advance(step.joint, &delay);
    }
    nodes.push(last(&follower, run));
    nodes
}

/// A run of both games made concrete.
pub(super) struct Follower<'p, 'a> {
    pub pairing: &'p Pairing<'a>,
    /// The clocks of both games on entering the next pair.
    pub point: Vec<BigRational>,
    pub pick: Pick,
}

impl Follower<'_, '_> {
    /// The delays that lead from the present point of `pair` into `points`.
    pub fn delays_into(&self, pair: Pair, points: &Dbm) -> Delays {
        let delays = timing::delays_into(&self.point, &zone_ops::atoms_of_zone(points));
        let delays = if self.pairing.may_delay(pair) == (true, true) {
            delays
        } else {
            delays.and_then(|delays| delays.within(&no_delay()))
        };
        delays.expect("every step leads to points from which the rest can be done")
    }
    /// The one of them that is taken.
    pub fn delay_into(&self, pair: Pair, points: &Dbm) -> BigRational {
        chosen(&self.delays_into(pair, points), self.pick)
    }

    /// Both make the step after `delay`.
    pub fn advance(&mut self, joint: Joint<'_>, delay: &BigRational) {
        self.point = timing::delayed(&self.point, delay);
        for (arena, step) in [(self.pairing.spec, joint.spec), (&self.pairing.mutant, joint.mutant)] {
            timing::set(&mut self.point, arena.resets_of(step));
        }
    }

    fn concrete(&self) -> ConcreteSpecification<'_> {
        ConcreteSpecification {
            arena: self.pairing.spec,
            labels: self.pairing.spec_labels,
            point: &self.point,
        }
    }
}

/// The node in which the mutant fails.
fn last(follower: &Follower<'_, '_>, run: &ShowingRun<'_>) -> Node {
    let (spec_node, pairing) = (run.pair.0, follower.pairing);
    let concrete = follower.concrete();
    match run.failure {
        Failure::Refused(step) => {
            let delay = follower.delay_into(run.pair, &run.points);
            let act = Act::Input {
                action: pairing.spec_labels[step.action].clone(),
                then: Vec::new(),
            };
            concrete.node(spec_node, &delay, vec![rule(vec![at(&delay)], act)], Vec::new())
        }
        Failure::Overdue => {
            let silence = concrete.stays(spec_node);
            let end = silence.high.clone().expect("what is overdue has an end");
            concrete.node(spec_node, &end, vec![overdue(&silence)], Vec::new())
        }
        Failure::Output(step) => {
            let window = follower.delays_into(run.pair, &run.points);
            let horizon = match &window.high {
                Some(high) => high.clone(),
                None => window.low.floor() + BigRational::one(),
            };
            let stop = concrete.stop(spec_node, &horizon, TestVerdict::Pass);
            let label = pairing.mutant_labels[step.action].clone();
            let wrong = Expected {
                action: label,
                jump: Jump {
                    when: between(&window),
                    resets: Vec::new(),
                    next: Next::Verdict(TestVerdict::Fail),
                },
            };
            // What the specification never does fails anyway, under whatever name.
            let known = pairing.spec_labels.as_slice().contains(&wrong.action);
            let wrong = Some(wrong).filter(|_| known).into_iter().collect();
            concrete.node(spec_node, &horizon, vec![stop], wrong)
        }
    }
}

/// A delay of the window.
fn chosen(window: &Delays, pick: Pick) -> BigRational {
    let two = BigRational::from_integer(2.into());
    match (pick, &window.high) {
        (Pick::Earliest, _) | (Pick::Latest, None) => window.earliest(),
        (Pick::Middle, Some(high)) => (&window.low + high) / two,
        (Pick::Middle, None) => &window.low + BigRational::one(),
        (Pick::Latest, Some(high)) if window.high_in => high.clone(),
        (Pick::Latest, Some(high)) => {
            let last = high.ceil() - BigRational::one();
            let start = if last < window.low { window.low.clone() } else { last };
            (start + high) / two
        }
    }
}
