//! Circles of steps that a game takes for ever while no time passes.
//!
//! From the zones that runs reach, steps are followed without delay, by a search in depth. Such a step cuts a zone by a guard
//! or sets clocks to constants, so the zones are finitely many. A zone that leads back to itself can do so any number of
//! times; and who has gone around once has the clocks that the circle sets at these constants, and all others as they were, so
//! that the next round ends where it began: the circle is a run.

use std::collections::HashMap;

use super::{ReachedArena, ask};
use crate::symbolic::{NodeId, zone_ops};
use tamper_text::{Budget, StopReason};
use tamper_timed::model::{EdgeId, Role};
use tamper_zones::Dbm;

/// Most zones that are looked at: what is named is a help, and its absence proves nothing.
const MOST: usize = 20_000;

/// A zone on the way, with the steps that are still to be followed from it.
struct Visit {
    state: usize,
    /// The step that led to it.
    edge: Option<EdgeId>,
    next: Vec<(EdgeId, NodeId, Dbm)>,
}

impl ReachedArena<'_> {
    /// The edges of a circle of outputs and internal steps that a run takes for ever while no time passes. Empty if none was
    /// found.
    pub(super) fn zeno_circle(&self, budget: &Budget) -> Result<Vec<EdgeId>, StopReason> {
        let mut known = HashMap::new();
        // Per state, whether it is on the current path.
        let mut is_open: Vec<bool> = Vec::new();
        for (node, zones) in self.nodes() {
            for zone in zones {
                let mut path = Vec::new();
                let mut coming = Some((None, node, zone.clone()));
                while coming.is_some() || !path.is_empty() {
                    ask(budget)?;
                    if let Some((edge, node, zone)) = coming.take() {
                        let n_known = known.len();
                        let state = *known.entry((node, zone.clone())).or_insert(n_known);
                        if state < n_known {
                            if is_open[state] {
                                return Ok(around(&path, state, edge));
                            }
                        } else if n_known == MOST {
                            return Ok(Vec::new());
                        } else {
                            is_open.push(true);
                            let next = self.at_once(node, &zone);
                            path.push(Visit { state, edge, next });
                        }
                    }
                    let Some(last) = path.last_mut() else { break };
                    match last.next.pop() {
                        Some((edge, node, zone)) => coming = Some((Some(edge), node, zone)),
                        None => {
                            is_open[last.state] = false;
                            path.pop();
                        }
                    }
                }
            }
        }
        Ok(Vec::new())
    }

    /// The outputs and internal steps from `zone` without delay, the last one first.
    fn at_once(&self, node: NodeId, zone: &Dbm) -> Vec<(EdgeId, NodeId, Dbm)> {
        let mut next = Vec::new();
        for step in self.arena.moves_of(node).iter().rev() {
            let Some(edge) = step.edge.filter(|_| step.role != Role::Input) else {
                continue;
            };
            for atoms in self.arena.cases(step.enabled) {
                if let Some(mut after) = zone_ops::restricted(zone, atoms) {
                    zone_ops::reset_all(&mut after, self.arena.resets_of(step));
                    next.push((edge, step.target, after));
                }
            }
        }
        next
    }
}

/// The edges from the visit of `state` on the path to its end, and back by `last`.
fn around(path: &[Visit], state: usize, last: Option<EdgeId>) -> Vec<EdgeId> {
    let since = path.iter().skip_while(|visit| visit.state != state).skip(1);
    since.filter_map(|visit| visit.edge).chain(last).collect()
}

#[cfg(test)]
mod tests {
    use crate::analyse;
    use tamper_text::{Budget, Id as _};
    use tamper_timed::model::{Cmp, Guard};
    use testing::sketch::{Sketch, atom};

    const NONE: [usize; 0] = [];

    /// The circle of a game with the clocks x and y and the edges `from to label guard resets`; its first location is `l`.
    fn circle(edges: &[(&str, &str, &str, Guard, &[usize])]) -> Vec<usize> {
        let mut sketch = Sketch::new("A", &["x", "y"]);
        sketch.location("l", Guard::always());
        sketch.location("m", Guard::always());
        for (from, to, label, guard, resets) in edges {
            sketch.edge(from, to, label, guard.clone(), resets);
        }
        let found = analyse(&sketch.build(), &Budget::unlimited());
        let found = found.expect("a meaning").expect("no limit").zeno_circle;
        found.into_iter().map(|edge| edge.index()).collect()
    }

    #[test]
    fn a_circle_is_found_where_no_time_need_pass_and_only_there() {
        let any = Guard::always;
        assert_eq!(
            circle(&[("l", "m", "a!", any(), &[]), ("m", "l", "b!", any(), &[])]),
            [0, 1]
        );
        // Whoever goes around when x is 3 or more, may go on; and at once after x was set to 0.
        assert_eq!(circle(&[("l", "l", "a!", atom(0, Cmp::Ge, 3), &[])]), [0]);
        assert_eq!(circle(&[("l", "l", "a!", atom(0, Cmp::Le, 0), &[0])]), [0]);
        // A unit of time passes in each round, or some time.
        assert_eq!(circle(&[("l", "l", "a!", atom(0, Cmp::Ge, 1), &[0])]), NONE);
        assert_eq!(circle(&[("l", "l", "a!", atom(0, Cmp::Gt, 0), &[0])]), NONE);
        // In the first round only, x is 3 or more and then 0.
        let once = [
            ("l", "m", "a!", atom(0, Cmp::Ge, 3), &[0][..]),
            ("m", "l", "b!", any(), &[]),
        ];
        assert_eq!(circle(&once), NONE);
        // The environment, not the game, gives the input.
        assert_eq!(
            circle(&[("l", "m", "a!", any(), &[]), ("m", "l", "b?", any(), &[])]),
            NONE
        );
        // The circle is behind an edge that is none of it.
        assert_eq!(
            circle(&[("l", "m", "a!", any(), &[1]), ("m", "m", "", atom(1, Cmp::Le, 2), &[])]),
            [1]
        );
    }
}
