//! Endless runs of a mutant, and the states from which every run gets stuck.

use super::answer::Stop;
use super::deadlines::Deadlines;
use super::nodes::Nodes;
use super::reached::{Entry, Reached, RunStep};
use crate::model::Role;
use rustc_hash::FxHashMap;
use tamper_text::Budget;
use tamper_zones::Dbm;

/// An endless run.
#[derive(Default, Debug)]
pub(super) struct Endless {
    /// Its steps.
    pub steps: Vec<RunStep>,
    /// The step from which on they are repeated for ever; `None` if time passes for ever at their end.
    pub repeats: Option<usize>,
}

/// The states from which every run is known to get stuck.
#[derive(Default)]
pub(super) struct Stuck<'w> {
    /// By node.
    zones: FxHashMap<usize, Vec<Dbm>>,
    /// Tells of states that all their runs get stuck.
    deadlines: Option<Deadlines<'w>>,
    /// Per node, whether they tell it.
    ended: FxHashMap<usize, bool>,
    /// Whether runs that come to a node with an input that changes something do not count.
    avoids_inputs: bool,
}

/// States on the run that is followed.
struct Visited {
    node: usize,
    zone: Dbm,
    /// The steps that are still to be taken, in reverse order.
    open: Vec<usize>,
    /// The step that is followed.
    taken: usize,
}

/// Most states of one search, and of one for the nearest end.
const MOST_STATES: u64 = 5_000;
const MOST_NEAR: usize = 20_000;

impl<'w> Stuck<'w> {
    /// Nothing is known yet; deadlines tell it of some states.
    pub fn told_by(deadlines: Deadlines<'w>) -> Self {
        Self {
            deadlines: Some(deadlines),
            ..Self::default()
        }
    }

    /// About runs that come to no node with an input that changes something.
    pub fn avoiding_inputs() -> Self {
        Self {
            avoids_inputs: true,
            ..Self::default()
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.zones.clear();
        self.ended.clear();
    }

    /// Whether deadlines told that runs get stuck.
    pub fn is_by_deadlines(&self) -> bool {
        self.ended.values().any(|ends| *ends)
    }

    /// A run from some values of `zone`, after waiting, that goes on for ever; `None` if every run gets stuck.
    pub fn endless(
        &mut self,
        nodes: &mut Nodes<'_>,
        (node, zone): (usize, Dbm),
        budget: &Budget,
    ) -> Result<Option<Endless>, Stop> {
        let mut path: Vec<Visited> = Vec::new();
        let mut entered = Some((node, zone));
        let mut n_states = 0;
        loop {
            if let Some((node, zone)) = entered.take() {
                n_states += 1;
                if n_states > MOST_STATES {
                    return Err(Stop::Unclear);
                }
                budget.exceeded(n_states, 0).map_or(Ok(()), |_| Err(Stop::Limit))?;
                let is_out = self.avoids_inputs && nodes.list[node].inputs().next().is_some();
                if !is_out && nodes.list[node].is_calm() {
                    return Ok(Some(endless(&path, None)));
                }
                let largest = &nodes.list[node].constants.largest;
                let repeated =
                    |earlier: &Visited| earlier.node == node && earlier.zone.is_simulated_in(&zone, largest, largest);
                if let Some(first) = path.iter().position(repeated) {
                    return Ok(Some(endless(&path, Some(first))));
                }
                if !is_out && !self.knows(nodes, node, &zone) && !self.ends(nodes, node) {
                    let open = nodes.in_reverse(node);
                    path.push(Visited {
                        node,
                        zone,
                        open,
                        taken: 0,
                    });
                }
            }
            let Some(last) = path.last_mut() else { return Ok(None) };
            match last.open.pop() {
                Some(at) => {
                    last.taken = at;
                    let next = nodes.after(last.node, at, &last.zone)?;
                    entered = next.map(|(node, zone)| (node, nodes.settled(node, zone)));
                }
                None => {
                    let Visited { node, zone, .. } = path.pop().expect("it was the last");
                    self.zones.entry(node).or_default().push(zone);
                }
            }
        }
    }

    /// Whether deadlines tell that every run from the node gets stuck.
    fn ends(&mut self, nodes: &Nodes<'_>, node: usize) -> bool {
        let Some(deadlines) = &mut self.deadlines else {
            return false;
        };
        let ended = self.ended.entry(node);
        *ended.or_insert_with(|| deadlines.end_all(&nodes.list[node].state))
    }

    /// Whether every run from the values of `zone` is known to get stuck.
    fn knows(&self, nodes: &Nodes<'_>, node: usize, zone: &Dbm) -> bool {
        let constants = &nodes.list[node].constants;
        let simulates = |known: &Dbm| zone.is_simulated_in(known, &constants.lower, &constants.upper);
        self.zones.get(&node).is_some_and(|zones| zones.iter().any(simulates))
    }
}

/// The steps from some values of `zone`, after waiting, to a node in which time can pass for ever, as few as can be; `None` if no such
/// node is near.
pub(super) fn to_calm(
    nodes: &mut Nodes<'_>,
    (node, zone): (usize, Dbm),
    budget: &Budget,
) -> Result<Option<Vec<RunStep>>, Stop> {
    let mut reached = Reached::default();
    let add = |nodes: &Nodes<'_>, reached: &mut Reached, (node, zone): (usize, Dbm), by| {
        let constants = &nodes.list[node].constants;
        reached.add(node, zone, by, (&constants.lower, &constants.upper))
    };
    add(nodes, &mut reached, (node, zone), None);
    let mut next = 0;
    while next < reached.entries.len() && next < MOST_NEAR {
        let at = next;
        next += 1;
        let Entry { node, is_covered, .. } = reached.entries[at];
        if is_covered {
            continue;
        }
        if nodes.list[node].is_calm() {
            return Ok(Some(reached.steps_to(at)));
        }
        budget.exceeded(next as u64, 0).map_or(Ok(()), |_| Err(Stop::Limit))?;
        let zone = reached.entries[at].zone.clone();
        for step in nodes.in_reverse(node).into_iter().rev() {
            if let Some((target, entered)) = nodes.after(node, step, &zone)? {
                let zone = nodes.settled(target, entered);
                add(nodes, &mut reached, (target, zone), Some((at, step)));
            }
        }
    }
    Ok(None)
}

fn endless(path: &[Visited], repeats: Option<usize>) -> Endless {
    let steps = path.iter().map(|visited| RunStep {
        node: visited.node,
        at: visited.taken,
    });
    Endless {
        steps: steps.collect(),
        repeats,
    }
}

impl Nodes<'_> {
    /// The steps of a node but inputs, last to first: those that the original has come first.
    fn in_reverse(&self, node: usize) -> Vec<usize> {
        let moves = &self.list[node].moves;
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.retain(|at| moves[*at].class != Some(Role::Input));
        order.sort_by_key(|at| self.is_changed(&moves[*at]));
        order.reverse();
        order
    }

    /// The values that waiting reaches from `entered`, without those of clocks that do not matter.
    pub fn settled(&self, node: usize, entered: Dbm) -> Dbm {
        let mut zone = self.list[node].delayed(entered);
        let idle = self.bounds.inactive(&self.list[node].state);
        idle.for_each(|clock| zone.free(clock));
        zone
    }
}
