//! Locally adaptive tests from runs that show a mutant (\[004\] Definition 2, lifted to time).
//!
//! The run is made concrete step by step; each delay is chosen among the delays after which the rest can still be done. The test
//! has one clock `t`, which restarts in every node. The concrete state of the specification determines what it allows meanwhile:
//! the test knows each allowed output with its window, and all others fail. The last node watches for the failure itself, so that a
//! late or a missing output is caught.

use num_rational::BigRational;
use num_traits::{One as _, Signed as _, Zero as _};

use super::failures::MutantFailure;
use super::pairing::{JointMove, Pair, Pairing};
use super::search::ShowingRun;
use super::{Act, Expected, Jump, Next, Node, TestVerdict};
use crate::execution::concrete_state::{ConcreteSpecification, at, between, no_delay, overdue, rule};
use tamper_game::symbolic::timing::{self, Delays};
use tamper_game::symbolic::{PairProduct as _, zone_ops};
use tamper_zones::Dbm;

/// Delay that the tester takes within an allowed window.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Pick {
    /// The least delay; just after an open end, half way to the next integer or end.
    #[default]
    Earliest,
    /// The middle of the window; one unit after the start of a window without an end.
    Middle,
    /// The greatest delay; just before an open end, half way from the last integer or start.
    Latest,
}

/// The choice of a delay within a window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picking {
    pub pick: Pick,
    /// Number of parts of a time unit: the delay is a multiple of one part if the window has one.
    pub grid: Option<u32>,
}

/// The nodes of the test that follows `run`.
pub(super) fn nodes(pairing: &Pairing<'_>, run: &ShowingRun<'_>, picking: Picking) -> Vec<Node> {
    let mut follower = Follower {
        pairing,
        point: vec![BigRational::zero(); pairing.dim() - 1],
        parts: 1,
        picking,
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
    /// Number of parts of a time unit that are one unit of both games.
    pub parts: i64,
    pub picking: Picking,
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
    /// The delay that is taken into `points`.
    pub fn delay_into(&self, pair: Pair, points: &Dbm) -> BigRational {
        self.chosen(&self.delays_into(pair, points))
    }

    /// The delay that is taken from the window.
    pub fn chosen(&self, window: &Delays) -> BigRational {
        let delay = chosen(window, self.picking.pick);
        on_grid(window, delay, self.picking.grid, self.parts)
    }

    /// Advances both games by the step after `delay`.
    pub fn advance(&mut self, joint: JointMove<'_>, delay: &BigRational) {
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

/// The last node of the test, in which the mutant fails.
fn last(follower: &Follower<'_, '_>, run: &ShowingRun<'_>) -> Node {
    let (spec_node, pairing) = (run.pair.0, follower.pairing);
    let concrete = follower.concrete();
    match run.failure {
        MutantFailure::Refused(step) => {
            let delay = follower.delay_into(run.pair, &run.points);
            let act = Act::Input {
                action: pairing.spec_labels[step.action].clone(),
                then: Vec::new(),
            };
            concrete.node(spec_node, &delay, vec![rule(vec![at(&delay)], act)], Vec::new())
        }
        MutantFailure::Overdue => {
            let silence = concrete.stays(spec_node);
            let end = silence.high.clone().expect("what is overdue has an end");
            concrete.node(spec_node, &end, vec![overdue(&silence)], Vec::new())
        }
        MutantFailure::Output(step) => {
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
            // An output that the specification never makes fails anyway, under any name.
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

/// The delay in the window nearest to `delay` that is a multiple of `1 / grid` time units; `delay` itself if the window has none.
/// Delays are numbers of parts, `parts` to a time unit.
pub(super) fn on_grid(window: &Delays, delay: BigRational, grid: Option<u32>, parts: i64) -> BigRational {
    let Some(grid) = grid else { return delay };
    let step = BigRational::new(parts.into(), grid.into());
    let below = (&delay / &step).floor() * &step;
    let above = &below + &step;
    let fit = [below, above].into_iter().filter(|moment| window.holds(moment));
    let nearest = fit.min_by_key(|moment| (moment - &delay).abs());
    nearest.unwrap_or(delay)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(top: i64, bottom: i64) -> BigRational {
        BigRational::new(top.into(), bottom.into())
    }

    #[test]
    fn a_delay_on_the_grid_is_the_nearest_multiple_in_the_window() {
        let mut n_found = 0;
        for (low, length, pick, grid) in (0..12).flat_map(|low| {
            (1..5).flat_map(move |length| {
                (0..=8).flat_map(move |pick| [1, 2, 3, 5].map(|grid| (low, length, pick, grid)))
            })
        }) {
            for (low_in, high_in) in [(true, true), (true, false), (false, true), (false, false)] {
                let window = Delays {
                    low: number(low, 7),
                    low_in,
                    high: Some(number(low + length, 7)),
                    high_in,
                };
                let delay = number(8 * low + pick * length, 56);
                if !window.holds(&delay) {
                    continue;
                }
                let multiples = (0..=20).map(|n| number(n, i64::from(grid)));
                let inside = multiples.filter(|moment| {
                    let after = if low_in {
                        *moment >= window.low
                    } else {
                        *moment > window.low
                    };
                    let end = number(low + length, 7);
                    after && if high_in { *moment <= end } else { *moment < end }
                });
                let nearest = inside.map(|moment| (&moment - &delay).abs()).min();
                let found = on_grid(&window, delay.clone(), Some(grid), 1);
                match nearest {
                    None => assert_eq!(found, delay),
                    Some(nearest) => {
                        n_found += 1;
                        assert!(window.holds(&found) && (&found * number(grid.into(), 1)).is_integer());
                        assert_eq!((found - &delay).abs(), nearest);
                    }
                }
                let in_halves = Delays {
                    low: number(2 * low, 7),
                    high: Some(number(2 * (low + length), 7)),
                    ..window.clone()
                };
                let twice = on_grid(&in_halves, &delay * number(2, 1), Some(grid), 2);
                assert_eq!(twice, on_grid(&window, delay, Some(grid), 1) * number(2, 1));
            }
        }
        assert!(n_found > 100, "{n_found}");
    }
}
