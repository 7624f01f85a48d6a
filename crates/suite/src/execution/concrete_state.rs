//! Nodes of tests for a specification in a concrete state, with one clock `t` that restarts in every node.

use num_rational::BigRational;
use num_traits::Zero as _;

use crate::execution::subject::is_output;
use crate::{Act, Condition, Constraint, Expected, Jump, Next, Node, Resets, Rule, TestVerdict};
use tamper_game::symbolic::timing::{self, Delays};
use tamper_game::symbolic::{Arena, Move, NodeId};
use tamper_text::IndexVec;
use tamper_timed::model::{ActionId, Cmp};

/// The clock of the test.
const T: usize = 0;

/// The name of the test's only clock.
pub(crate) fn clock_names() -> Vec<String> {
    vec!["t".to_owned()]
}

/// The specification in a concrete state.
pub(crate) struct ConcreteSpecification<'a> {
    pub arena: &'a Arena,
    pub labels: &'a IndexVec<ActionId, String>,
    /// The values of its clocks, and maybe of others behind them.
    pub point: &'a [BigRational],
}

impl<'a> ConcreteSpecification<'a> {
    /// Stops with `verdict` after `delay`, or earlier with a fail if the specification cannot be silent that long.
    pub fn stop(&self, node: NodeId, delay: &BigRational, verdict: TestVerdict) -> Rule {
        let silence = self.stays(node);
        let allowed = silence
            .high
            .as_ref()
            .is_none_or(|high| delay < high || (delay == high && silence.high_in));
        // At the last instant of silence, only a longer silence shows anything.
        let is_last = silence.high.as_ref() == Some(delay);
        if allowed && !is_last {
            rule(vec![at(delay)], Act::Stop(verdict))
        } else {
            overdue(&silence)
        }
    }

    /// A node with these rules and outputs, and with the other outputs that the specification allows up to `horizon`.
    pub fn node(&self, node: NodeId, horizon: &BigRational, rules: Vec<Rule>, mut outputs: Vec<Expected>) -> Node {
        for (label, window) in self.allowed(node, horizon) {
            let allowed = Expected {
                action: label.to_owned(),
                jump: Jump {
                    when: between(&window),
                    resets: Vec::new(),
                    next: Next::Verdict(TestVerdict::Inconclusive),
                },
            };
            if !outputs.contains(&allowed) {
                outputs.push(allowed);
            }
        }
        Node {
            rules,
            outputs,
            otherwise: TestVerdict::Fail,
        }
    }

    /// The outputs that the specification can make up to `horizon`, with their windows.
    pub fn allowed(&self, node: NodeId, horizon: &BigRational) -> Vec<(&str, Delays)> {
        let arena = self.arena;
        let silence = self.stays(node);
        let soon = Delays {
            low: BigRational::zero(),
            low_in: true,
            high: Some(horizon.clone()),
            high_in: true,
        };
        let window = |step: &Move| {
            arena
                .cases(step.enabled)
                .filter_map(|enabled| {
                    let delays = timing::delays_into(self.point, enabled)?;
                    delays.within(&silence)?.within(&soon)
                })
                .collect::<Vec<_>>()
        };
        let outputs = arena.moves_of(node).iter().filter(|step| is_output(step));
        let labelled = outputs.flat_map(|step| {
            let label = self.labels[step.action].as_str();
            window(step).into_iter().map(move |window| (label, window))
        });
        labelled.collect()
    }

    /// The delays for which the specification can be silent.
    pub fn stays(&self, node: NodeId) -> Delays {
        let arena = self.arena;
        let place = arena.node(node);
        if place.urgent {
            return no_delay();
        }
        let stays = timing::delays_into(self.point, arena.atoms_of(place.invariant));
        stays.expect("the specification is in a state that exists")
    }

    /// The node in which `step` is made after `delay`, on the way to node `next`. A wait for an output is inconclusive after
    /// `delay`; a `patient` wait lasts until silence is overdue, if the specification bounds silence.
    pub fn step(&self, node: NodeId, step: &Move, delay: &BigRational, next: Next, patient: bool) -> Node {
        let jump = |when| Jump {
            when,
            resets: restart(),
            next,
        };
        let label = &self.labels[step.action];
        if !is_output(step) {
            let act = Act::Input {
                action: label.clone(),
                then: vec![jump(Vec::new())],
            };
            return self.node(node, delay, vec![rule(vec![at(delay)], act)], Vec::new());
        }
        let nominal = Expected {
            action: label.clone(),
            jump: jump(vec![at(delay)]),
        };
        let silence = self.stays(node);
        let (stop, horizon) = match &silence.high {
            Some(end) if patient => (overdue(&silence), end),
            _ => (self.stop(node, delay, TestVerdict::Inconclusive), delay),
        };
        self.node(node, horizon, vec![stop], vec![nominal])
    }
}

pub(crate) fn no_delay() -> Delays {
    Delays {
        low: BigRational::zero(),
        low_in: true,
        high: Some(BigRational::zero()),
        high_in: true,
    }
}

pub(crate) fn rule(when: Condition, act: Act) -> Rule {
    Rule {
        from: Vec::new(),
        when,
        act,
    }
}

/// The rule that fails as soon as silence is longer than the specification's.
pub(crate) fn overdue(silence: &Delays) -> Rule {
    let bound = silence.high.clone().expect("silence that is overdue has an end");
    let cmp = if silence.high_in { Cmp::Gt } else { Cmp::Ge };
    rule(vec![t(cmp, &bound)], Act::Stop(TestVerdict::Fail))
}

pub(crate) fn restart() -> Resets {
    vec![(T, 0)]
}

fn t(cmp: Cmp, bound: &BigRational) -> Constraint {
    Constraint::on(T, cmp, bound.clone())
}

pub(crate) fn at(delay: &BigRational) -> Constraint {
    t(Cmp::Eq, delay)
}

/// The condition that `t` is within the window.
pub(crate) fn between(window: &Delays) -> Condition {
    if window.high.as_ref() == Some(&window.low) {
        return vec![at(&window.low)];
    }
    let low = t(if window.low_in { Cmp::Ge } else { Cmp::Gt }, &window.low);
    let high = window
        .high
        .as_ref()
        .map(|high| t(if window.high_in { Cmp::Le } else { Cmp::Lt }, high));
    let is_needed = |low: &Constraint| !(low.cmp == Cmp::Ge && low.bound.is_zero());
    Some(low).filter(is_needed).into_iter().chain(high).collect()
}
