//! How long a test takes, as far as the test itself tells.

use num_rational::BigRational;
use num_traits::Zero as _;

use super::drive::Window;
use super::test_case::{Act, Jump, Next, Node, Rule, TestCase, TestVerdict};

/// Steps after which a test that goes round in circles is left.
const MOST_STEPS: usize = 10_000;

/// How long `test` takes, in time units, if the system does what the test hopes for: at each step what leads to a pass
/// in the fewest steps, and that as late as the test allows (where it allows any time, as early as it does). The tester
/// acts as soon as it may.
///
/// # Panics
/// If the test refers to nodes or clocks that it does not have (see [`TestCase::check`]).
pub fn hoped_time(test: &TestCase) -> BigRational {
    let distances = distances(test);
    let mut walk = Walk {
        distances: &distances,
        clocks: vec![BigRational::zero(); test.clocks.len()],
        now: BigRational::zero(),
    };
    let mut node = 0;
    for _ in 0..MOST_STEPS {
        match walk.step(&test.nodes[node]) {
            Some(Next::Node(next)) => node = next,
            _ => break,
        }
    }
    walk.now
}

/// More than any number of steps: ends that are no pass.
const FAR: usize = usize::MAX / 4;

/// The fewest steps from each node to a pass, else to another end but a fail.
fn distances(test: &TestCase) -> Vec<usize> {
    let mut distances = vec![2 * FAR; test.nodes.len()];
    loop {
        let before = distances.clone();
        for (at, node) in test.nodes.iter().enumerate() {
            let nexts = nexts(node).map(|next| 1 + distance(next, &before));
            distances[at] = nexts.chain([before[at]]).min().unwrap_or(2 * FAR);
        }
        if distances == before {
            return distances;
        }
    }
}

fn distance(next: Next, distances: &[usize]) -> usize {
    match next {
        Next::Node(node) => distances[node],
        Next::Verdict(TestVerdict::Pass) => 0,
        Next::Verdict(TestVerdict::Inconclusive) => FAR,
        Next::Verdict(TestVerdict::Fail) => 2 * FAR,
    }
}

fn nexts(node: &Node) -> impl Iterator<Item = Next> {
    let acts = node.rules.iter().flat_map(|rule| match &rule.act {
        Act::Stop(verdict) => vec![Next::Verdict(*verdict)],
        Act::Input { then, .. } if then.is_empty() => vec![Next::Verdict(TestVerdict::Pass)],
        Act::Input { then, .. } => then.iter().map(|jump| jump.next).collect(),
    });
    acts.chain(node.outputs.iter().map(|expected| expected.jump.next))
}

/// What may happen next: after how long, and where it leads.
struct Choice<'t> {
    after: BigRational,
    next: Next,
    resets: &'t [(usize, i64)],
}

struct Walk<'t> {
    distances: &'t [usize],
    clocks: Vec<BigRational>,
    now: BigRational,
}

impl Walk<'_> {
    /// Takes the best step from a node.
    fn step(&mut self, node: &Node) -> Option<Next> {
        let chosen = node.rules.iter();
        let mut chosen = chosen.filter(|rule| rule.from.iter().all(|atom| atom.holds(&self.clocks)));
        let planned = chosen
            .next()
            .and_then(|rule| Some((rule, Window::of(&rule.when, &self.clocks)?.earliest())));
        let until = planned.as_ref().map(|(_, delay)| delay.clone());
        let outputs = node.outputs.iter();
        let outputs = outputs.filter_map(|expected| self.output(&expected.jump, until.as_ref()));
        let act = planned.map(|(rule, delay)| self.act(rule, delay));
        let best = outputs
            .chain(act)
            .min_by_key(|choice| distance(choice.next, self.distances))?;
        self.now += &best.after;
        for clock in &mut self.clocks {
            *clock += &best.after;
        }
        for (clock, value) in best.resets {
            self.clocks[*clock] = BigRational::from_integer((*value).into());
        }
        Some(best.next)
    }

    /// An output, as late as it may come before the tester acts.
    fn output<'t>(&self, jump: &'t Jump, until: Option<&BigRational>) -> Option<Choice<'t>> {
        let window = Window::of(&jump.when, &self.clocks)?;
        let latest = window.high.clone().unwrap_or_else(|| window.earliest());
        let after = until.map_or(latest.clone(), |until| latest.min(until.clone()));
        (window.low <= after).then_some(Choice {
            after,
            next: jump.next,
            resets: &jump.resets,
        })
    }

    fn act<'t>(&self, rule: &'t Rule, after: BigRational) -> Choice<'t> {
        let then: Vec<BigRational> = self.clocks.iter().map(|clock| clock + &after).collect();
        let jump = match &rule.act {
            Act::Stop(verdict) => {
                let next = Next::Verdict(*verdict);
                return Choice {
                    after,
                    next,
                    resets: &[],
                };
            }
            Act::Input { then: jumps, .. } => jumps.iter().find(|jump| jump.when.iter().all(|atom| atom.holds(&then))),
        };
        Choice {
            after,
            next: jump.map_or(Next::Verdict(TestVerdict::Pass), |jump| jump.next),
            resets: jump.map_or(&[], |jump| &jump.resets),
        }
    }
}
