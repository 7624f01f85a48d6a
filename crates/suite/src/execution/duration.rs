//! Durations of a test: the longest one on a given game, and the one that the test itself hopes for.

use num_rational::BigRational;
use num_traits::Zero as _;

use crate::drive::DelayWindow;
use crate::error::SuiteFailure;
use crate::execution::compiled::CompiledTest;
use crate::execution::execute::execute_in;
use crate::execution::opponent::Opponent;
use crate::execution::single::{RunObserver, Single};
use crate::execution::subject::Subject;
use crate::test_case::{Act, Jump, Next, Node, Rule, TestCase, TestVerdict};

use tamper_game::symbolic::NodeId;
use tamper_text::{Budget, StopReason};
use tamper_zones::{Bound, Clock, Dbm, Federation, Variable};

/// Maximum number of states that are explored for a test with a loop, whose runs need not end.
const MOST_OF_A_LOOP: u64 = 20_000;

/// The longest duration of a run of `test` against the game until its verdict, in time units, if the tester acts as soon as the
/// test allows (behind an open bound: within the part of a time unit that divides the test's bounds): the least upper bound over
/// all runs. `None` if the test has a loop and its runs did not all end within 20,000 states.
///
/// # Errors
/// Bounds too fine to be compared exactly, and the budget.
pub fn longest_time(test: &TestCase, subject: &Subject, budget: &Budget) -> Result<Option<BigRational>, SuiteFailure> {
    let has_loop = test.has_loop();
    let mut budget = budget.clone();
    if has_loop {
        let most = budget.max_states.unwrap_or(MOST_OF_A_LOOP);
        budget.max_states = Some(most.min(MOST_OF_A_LOOP));
    }
    // A clock that restarts in every node, and a clock that is never reset.
    let (since, total) = (test.clocks.len(), test.clocks.len() + 1);
    let mut clocked = test.clone();
    clocked.clocks.resize(total + 1, String::new());
    for jump in clocked.nodes.iter_mut().flat_map(Node::jumps_mut) {
        jump.resets.push((since, 0));
    }
    let compiled = CompiledTest::in_own_unit(&clocked)?;
    let opponent = Opponent::new(subject, &compiled)?;
    let mut timed = Single {
        stage: &opponent,
        watch: Timed {
            total: Variable::new(total),
            latest: 0,
        },
    };
    match execute_in(&compiled, &mut timed, &budget, &mut |_, _| ()) {
        Err(SuiteFailure::Stopped(StopReason::States)) if has_loop => return Ok(None),
        ended => ended?,
    }
    Ok(Some(BigRational::new(timed.watch.latest.into(), compiled.scale.into())))
}

struct Timed {
    total: Variable,
    latest: i64,
}

impl RunObserver<NodeId> for Timed {
    fn waits(&mut self, reached: &Dbm, when: &Dbm) -> Option<Federation> {
        let mut parts = Federation::from(reached.clone());
        if let Some(late) = later(reached, when) {
            parts.subtract_dbm(&late);
        }
        for part in parts.zones() {
            let bound = part.bound_upper(self.total);
            assert!(!bound.is_infinite(), "each wait ends when the tester may act");
            self.latest = self.latest.max(bound.constant());
        }
        Some(parts)
    }
}

/// Points at which the tester has already acted: strictly later than the first point in both zones, or, behind an open bound, more
/// than one part of a time unit later. One clock was 0 on entry, so the first point belongs to the same visit.
fn later(reached: &Dbm, when: &Dbm) -> Option<Dbm> {
    let mut late = reached.clone();
    if !late.intersect(when) {
        return None;
    }
    late.up();
    let clocks = (1..late.dim()).map(Clock::from_index);
    let bounds: Vec<_> = clocks.map(|clock| (clock, late.bound(Clock::ZERO, clock))).collect();
    let is_some = bounds.into_iter().all(|(clock, bound)| {
        let open = i64::from(bound.is_strict());
        late.constrain(Clock::ZERO, clock, Bound::lt(bound.constant() - open))
    });
    is_some.then_some(late)
}

/// Maximum number of steps, after which a test with a loop is abandoned.
const MOST_STEPS: usize = 10_000;

/// The duration of `test`, in time units, if the system does what the test hopes for: in each step the reaction that leads to a
/// pass in the fewest steps, as late as the test allows (or as early as it allows, if its time is unbounded). The tester acts as
/// soon as it may.
///
/// # Panics
/// If the test refers to nodes or clocks that it does not have (see [`TestCase::check`]).
pub fn hoped_time(test: &TestCase) -> BigRational {
    let distances = distances(test);
    let mut walk = ShortestRun {
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

/// A distance greater than any number of steps, for ends that are not a pass.
const FAR: usize = usize::MAX / 4;

/// The least number of steps from each node to a pass, else to an inconclusive end.
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

/// A possible next step: its delay and its target.
struct StepCandidate<'t> {
    after: BigRational,
    next: Next,
    resets: &'t [(usize, i64)],
}

struct ShortestRun<'t> {
    distances: &'t [usize],
    clocks: Vec<BigRational>,
    now: BigRational,
}

impl ShortestRun<'_> {
    /// Takes the best step from a node.
    fn step(&mut self, node: &Node) -> Option<Next> {
        let chosen = node.rules.iter();
        let mut chosen = chosen.filter(|rule| rule.from.iter().all(|atom| atom.holds(&self.clocks)));
        let planned = chosen
            .next()
            .and_then(|rule| Some((rule, DelayWindow::of(&rule.when, &self.clocks)?.earliest())));
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

    /// The choice of an output, as late as it may come before the tester acts.
    fn output<'t>(&self, jump: &'t Jump, until: Option<&BigRational>) -> Option<StepCandidate<'t>> {
        let window = DelayWindow::of(&jump.when, &self.clocks)?;
        let latest = window.high.clone().unwrap_or_else(|| window.earliest());
        let after = until.map_or(latest.clone(), |until| latest.min(until.clone()));
        (window.low <= after).then_some(StepCandidate {
            after,
            next: jump.next,
            resets: &jump.resets,
        })
    }

    fn act<'t>(&self, rule: &'t Rule, after: BigRational) -> StepCandidate<'t> {
        let then: Vec<BigRational> = self.clocks.iter().map(|clock| clock + &after).collect();
        let jump = match &rule.act {
            Act::Stop(verdict) => {
                let next = Next::Verdict(*verdict);
                return StepCandidate {
                    after,
                    next,
                    resets: &[],
                };
            }
            Act::Input { then: jumps, .. } => jumps.iter().find(|jump| jump.when.iter().all(|atom| atom.holds(&then))),
        };
        StepCandidate {
            after,
            next: jump.map_or(Next::Verdict(TestVerdict::Pass), |jump| jump.next),
            resets: jump.map_or(&[], |jump| &jump.resets),
        }
    }
}
