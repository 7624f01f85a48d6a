//! From a run that shows a mutant to a linear or a locally adaptive test (\[004\] Definitions 1 and 2, lifted to time).
//!
//! The run is made concrete step by step, each delay chosen among those after which the rest can still be done. The
//! test has one clock `t`, restarted in every node; what the specification allows meanwhile follows from its concrete
//! state: the locally adaptive test knows each output with its window, the linear one only which outputs can come. All
//! others fail. The last node watches for the failure itself, so that a late or a missing output is caught.

use num_rational::BigRational;
use num_traits::{One as _, Zero as _};

use super::failures::Failure;
use super::pairing::{Joint, Pair, Pairing};
use super::search::ShowingRun;
use super::subject::is_output;
use super::{Act, Condition, Constraint, Expected, Jump, Next, Node, Resets, Rule, Style, TestVerdict};
use crate::model::Cmp;
use crate::symbolic::timing::{self, Delays};
use crate::symbolic::{Arena, Move, Together as _, zone_ops};
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

/// The clock of the test.
const T: usize = 0;

/// The name of the test's only clock.
pub(super) fn clock_names() -> Vec<String> {
    vec!["t".to_owned()]
}

/// The nodes of the test that follows `run`.
pub(super) fn nodes(pairing: &Pairing<'_>, run: &ShowingRun<'_>, style: Style, pick: Pick) -> Vec<Node> {
    let mut maker = Maker {
        pairing,
        adaptive: style != Style::Linear,
        point: vec![BigRational::zero(); pairing.dim() - 1],
        nodes: Vec::new(),
    };
    for step in &run.steps {
        let delay = maker.delay_into(step.pair, &step.points, pick);
        maker.step(step.pair.0, step.joint, &delay);
        maker.advance(step.joint, &delay);
    }
    maker.last(run, pick);
    maker.nodes
}

struct Maker<'p, 'a> {
    pairing: &'p Pairing<'a>,
    adaptive: bool,
    /// The clocks of both games on entering the node that is made next.
    point: Vec<BigRational>,
    nodes: Vec<Node>,
}

impl Maker<'_, '_> {
    /// The delays that lead from the present point of `pair` into `points`.
    fn delays_into(&self, pair: Pair, points: &Dbm) -> Delays {
        let delays = timing::delays_into(&self.point, &zone_ops::atoms_of_zone(points));
        let delays = if self.pairing.may_delay(pair) == (true, true) {
            delays
        } else {
            delays.and_then(|delays| delays.within(&no_delay()))
        };
        delays.expect("every step leads to points from which the rest can be done")
    }
    fn delay_into(&self, pair: Pair, points: &Dbm, pick: Pick) -> BigRational {
        chosen(&self.delays_into(pair, points), pick)
    }

    fn advance(&mut self, joint: Joint<'_>, delay: &BigRational) {
        self.point = timing::delayed(&self.point, delay);
        for (arena, step) in [(self.pairing.spec, joint.spec), (&self.pairing.mutant, joint.mutant)] {
            for (clock, value) in arena.resets_of(step) {
                self.point[clock.index() - 1] = BigRational::from_integer((*value).into());
            }
        }
    }

    /// The node in which `joint` is done after `delay`.
    fn step(&mut self, spec_node: u32, joint: Joint<'_>, delay: &BigRational) {
        let next = Next::Node(self.nodes.len() + 1);
        let jump = |when| Jump {
            when,
            resets: restart(),
            next,
        };
        let label = &self.pairing.spec_labels[joint.spec.action as usize];
        if is_output(joint.spec) {
            let nominal = Expected {
                action: label.clone(),
                jump: jump(vec![at(delay)]),
            };
            let stop = self.stop(spec_node, delay, TestVerdict::Inconclusive);
            let node = self.node(spec_node, delay, vec![stop], vec![nominal]);
            self.nodes.push(node);
        } else {
            let act = Act::Input {
                action: label.clone(),
                then: vec![jump(Vec::new())],
            };
            let give = rule(vec![at(delay)], act);
            let node = self.node(spec_node, delay, vec![give], Vec::new());
            self.nodes.push(node);
        }
    }

    /// The node in which the mutant fails.
    fn last(&mut self, run: &ShowingRun<'_>, pick: Pick) {
        let spec_node = run.pair.0;
        let node = match run.failure {
            Failure::Refused(step) => {
                let delay = self.delay_into(run.pair, &run.points, pick);
                let act = Act::Input {
                    action: self.pairing.spec_labels[step.action as usize].clone(),
                    then: Vec::new(),
                };
                self.node(spec_node, &delay, vec![rule(vec![at(&delay)], act)], Vec::new())
            }
            Failure::Overdue => {
                let silence = self.spec_stays(spec_node);
                let end = silence.high.clone().expect("what is overdue has an end");
                self.node(spec_node, &end, vec![overdue(&silence)], Vec::new())
            }
            Failure::Output(step) => {
                let window = self.delays_into(run.pair, &run.points);
                let horizon = match &window.high {
                    Some(high) => high.clone(),
                    None => window.low.floor() + BigRational::one(),
                };
                let stop = self.stop(spec_node, &horizon, TestVerdict::Pass);
                let label = self.pairing.mutant_labels[step.action as usize].clone();
                let wrong = Expected {
                    action: label,
                    jump: Jump {
                        when: between(&window),
                        resets: Vec::new(),
                        next: Next::Verdict(TestVerdict::Fail),
                    },
                };
                // What the specification never does fails anyway, under whatever name.
                let known = self.pairing.spec_labels.contains(&wrong.action);
                let wrong = Some(wrong).filter(|_| known).into_iter().collect();
                self.node(spec_node, &horizon, vec![stop], wrong)
            }
        };
        self.nodes.push(node);
    }

    /// Stops with `verdict` after `delay`, or earlier with a fail if the specification cannot be silent that long.
    fn stop(&self, spec_node: u32, delay: &BigRational, verdict: TestVerdict) -> Rule {
        let silence = self.spec_stays(spec_node);
        let allowed = silence
            .high
            .as_ref()
            .is_none_or(|high| delay < high || (delay == high && silence.high_in));
        // At the last instant of silence only more of it shows anything.
        let is_last = silence.high.as_ref() == Some(delay);
        if allowed && !is_last {
            rule(vec![at(delay)], Act::Stop(verdict))
        } else {
            overdue(&silence)
        }
    }

    /// A node with these rules and outputs, and what else the specification allows up to `horizon`.
    fn node(&self, spec_node: u32, horizon: &BigRational, rules: Vec<Rule>, mut outputs: Vec<Expected>) -> Node {
        let nominal = outputs.clone();
        for (label, window) in self.allowed(spec_node, horizon) {
            if !self.adaptive && is_nominal(&nominal, label, &window) {
                continue;
            }
            let allowed = Expected {
                action: label.to_owned(),
                jump: Jump {
                    when: if self.adaptive { between(&window) } else { Vec::new() },
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

    /// The outputs the specification can make up to `horizon`, with their windows.
    fn allowed(&self, spec_node: u32, horizon: &BigRational) -> Vec<(&str, Delays)> {
        let arena: &Arena = self.pairing.spec;
        let silence = self.spec_stays(spec_node);
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
                    let delays = timing::delays_into(&self.point, enabled)?;
                    delays.within(&silence)?.within(&soon)
                })
                .collect::<Vec<_>>()
        };
        let outputs = arena.moves_of(spec_node).iter().filter(|step| is_output(step));
        let labelled = outputs.flat_map(|step| {
            let label = self.pairing.spec_labels[step.action as usize].as_str();
            window(step).into_iter().map(move |window| (label, window))
        });
        labelled.collect()
    }

    /// How long the specification can be silent.
    fn spec_stays(&self, spec_node: u32) -> Delays {
        let arena = self.pairing.spec;
        let node = arena.node(spec_node);
        if node.urgent {
            return no_delay();
        }
        let stays = timing::delays_into(&self.point, arena.atoms_of(node.invariant));
        stays.expect("the specification is in a state that exists")
    }
}

fn no_delay() -> Delays {
    Delays {
        low: BigRational::zero(),
        low_in: true,
        high: Some(BigRational::zero()),
        high_in: true,
    }
}

fn rule(when: Condition, act: Act) -> Rule {
    Rule {
        from: Vec::new(),
        when,
        act,
    }
}

/// Fails as soon as silence is longer than the specification's.
fn overdue(silence: &Delays) -> Rule {
    let bound = silence.high.clone().expect("silence that is overdue has an end");
    let cmp = if silence.high_in { Cmp::Gt } else { Cmp::Ge };
    rule(vec![t(cmp, &bound)], Act::Stop(TestVerdict::Fail))
}

fn restart() -> Resets {
    vec![(T, 0)]
}

fn t(cmp: Cmp, bound: &BigRational) -> Constraint {
    Constraint {
        left: T,
        right: None,
        cmp,
        bound: bound.clone(),
    }
}

fn at(delay: &BigRational) -> Constraint {
    t(Cmp::Eq, delay)
}

/// `t` within the window.
fn between(window: &Delays) -> Condition {
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

/// Whether the window holds only what the test expects anyway.
fn is_nominal(nominal: &[Expected], label: &str, window: &Delays) -> bool {
    let condition = between(window);
    nominal
        .iter()
        .any(|expected| expected.action == label && expected.jump.when == condition)
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
