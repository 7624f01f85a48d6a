//! The walk along the common runs, by zones up to simulation: breadth first.

use super::super::atoms::Atoms;
use super::super::moves::State;
use super::answer::{Along, Known, Stop};
use super::closed::{self, Kept};
use super::deadlines::Deadlines;
use super::future::{Endless, Stuck, to_calm};
use super::nodes::Nodes;
use super::reached::{Entry, Reached, RunStep};
use super::run::Departure;
use tamper_text::Budget;
use tamper_zones::Dbm;

/// Most runs that are asked about, most of them that leave by the same action, and most searches that take too long.
const MOST_RUNS: usize = 16;
const MOST_ALIKE: usize = 4;
const MOST_UNCLEAR: usize = 8;

struct SharedWalk<'w, 't> {
    nodes: Nodes<'w>,
    stuck: Stuck<'w>,
    known_before: Known,
    prune: bool,
    /// Whether no state that runs reach, by inputs too, gets stuck: pruning changes nothing.
    goes_on: bool,
    budget: &'t Budget,
    tells: &'t mut dyn FnMut(&Departure<'_>) -> bool,
    /// The states that common runs reach, with the values after waiting.
    reached: Reached,
    /// The channels of the steps by which the runs left that were asked about.
    played: Vec<Option<Option<u32>>>,
    n_unclear: usize,
    /// Whether some run that leaves the original tells nothing.
    is_open: bool,
}

/// A departure from the original: the entry, the step unless the mutant waits, and the values that are then reached in a node.
struct Leaving {
    entry: usize,
    step: Option<usize>,
    node: usize,
    zone: Dbm,
}

/// Walks from the start.
pub(super) fn walk<'w>(
    nodes: Nodes<'w>,
    deadlines: Deadlines<'w>,
    known_before: Known,
    prune: bool,
    budget: &Budget,
    tells: &mut dyn FnMut(&Departure<'_>) -> bool,
) -> Along {
    let mut walk = SharedWalk {
        nodes,
        stuck: Stuck::told_by(deadlines),
        known_before,
        prune,
        goes_on: !prune,
        budget,
        tells,
        reached: Reached::default(),
        played: Vec::new(),
        n_unclear: 0,
        is_open: false,
    };
    loop {
        match walk.pass() {
            Ok(along) => return along,
            Err(Stop::Again) => walk.clear(),
            Err(Stop::Open | Stop::Unclear | Stop::Limit) => return Along::Open,
        }
    }
}

impl SharedWalk<'_, '_> {
    fn clear(&mut self) {
        self.nodes.clear();
        self.stuck.clear();
        self.reached = Reached::default();
        self.played.clear();
        (self.n_unclear, self.is_open, self.goes_on) = (0, false, !self.prune);
    }

    fn pass(&mut self) -> Result<Along, Stop> {
        if matches!(self.known_before, Known::Refines | Known::NothingWithInputs) {
            let closed = self.closed()?;
            if closed != Along::Closed || self.known_before == Known::Refines {
                return Ok(closed);
            }
            self.goes_on = true;
        }
        let (node, start) = self.start()?;
        let is_consistent = match self.goes_on {
            true => Some(true),
            false => self.is_consistent(node, &start)?,
        };
        if is_consistent == Some(false) {
            let by_deadlines = self.stuck.is_by_deadlines();
            return Ok(self.without_faults(Along::Stuck { by_deadlines }));
        }
        if self.known_before == Known::RefinesSafely && is_consistent.is_none() {
            return self.closed();
        }
        if self.known_before != Known::RefinesSafely {
            self.enter(node, start, None)?;
            let mut next = 0;
            while next < self.reached.entries.len() {
                if !self.reached.entries[next].is_covered && self.examine(next)? {
                    return Ok(Along::Told);
                }
                next += 1;
            }
        }
        Ok(match is_consistent == Some(true) && !self.is_open {
            true => self.without_faults(Along::Stays {
                by_deadlines: self.stuck.is_by_deadlines(),
            }),
            false => Along::Open,
        })
    }

    /// Follows all runs of the mutant, also those by inputs.
    fn closed(&mut self) -> Result<Along, Stop> {
        for kept in [Kept::Hulls, Kept::Zones] {
            // States that only hulls reach may have faults that no run has.
            self.nodes.clear();
            let (node, start) = self.start()?;
            let waited = self.nodes.settled(node, start);
            let goes_on = closed::all_go_on(&mut self.nodes, (node, waited), kept, self.prune, self.budget);
            match (kept, self.nodes.has_fault, goes_on) {
                (_, false, Ok(true)) => return Ok(Along::Closed),
                (_, _, Err(stop @ (Stop::Again | Stop::Limit))) | (Kept::Zones, _, Err(stop)) => return Err(stop),
                (Kept::Hulls, ..) => {}
                (Kept::Zones, true, _) => return Ok(Along::Fails),
                (Kept::Zones, false, Ok(_)) => return Ok(Along::Open),
            }
        }
        Ok(Along::Open)
    }

    /// The answer about a mutant all of whose runs were followed.
    fn without_faults(&self, along: Along) -> Along {
        match self.nodes.has_fault {
            true => Along::Fails,
            false => along,
        }
    }

    /// Whether the mutant is consistent at the start; `None` if that is not known.
    fn is_consistent(&mut self, node: usize, start: &Dbm) -> Result<Option<bool>, Stop> {
        let Some(goes_on) = self.goes_on(node, start.clone())? else {
            return Ok(None);
        };
        if !goes_on || self.known_before == Known::Nothing {
            return Ok(Some(goes_on));
        }
        let inputs: Vec<usize> = self.nodes.list[node].inputs().collect();
        for at in inputs {
            if let Some((target, entered)) = self.nodes.after(node, at, start)?
                && self.goes_on(target, entered)? == Some(false)
            {
                return Ok(Some(false));
            }
        }
        let waited = self.nodes.settled(node, start.clone());
        match Stuck::avoiding_inputs().endless(&mut self.nodes, (node, waited), self.budget) {
            Ok(found) => Ok(found.map(|_| true)),
            Err(Stop::Unclear) => Ok(None),
            Err(stop) => Err(stop),
        }
    }

    /// Whether a run of outputs, internal steps and delays from some of these values, on entering the node, goes on for ever;
    /// `None` if that is not known.
    fn goes_on(&mut self, node: usize, entered: Dbm) -> Result<Option<bool>, Stop> {
        let waited = self.nodes.settled(node, entered);
        match self.stuck.endless(&mut self.nodes, (node, waited), self.budget) {
            Ok(found) => Ok(Some(found.is_some())),
            Err(Stop::Unclear) => Ok(None),
            Err(stop) => Err(stop),
        }
    }

    /// The initial node, and the values there before time passes.
    fn start(&mut self) -> Result<(usize, Dbm), Stop> {
        let network = self.nodes.mutant.network;
        let processes = network.processes.iter();
        let state = State {
            locations: processes
                .map(|process| u32::try_from(process.initial).expect("a location"))
                .collect(),
            store: network.variables.iter().map(|variable| variable.initial).collect(),
            part: 0,
        };
        let (state, invariant) = self.nodes.mutant.target(state).map_err(|_| Stop::Open)?;
        let invariant = invariant.ok_or(Stop::Open)?;
        let mut zone = Dbm::zero(network.clocks.len() + 1);
        if !invariant.restrict(&mut zone) {
            return Err(Stop::Open);
        }
        Ok((self.nodes.node(&state, &invariant)?, zone))
    }

    /// Adds the values that waiting reaches in both from `entered`, which satisfy the invariants of both.
    fn enter(&mut self, node: usize, entered: Dbm, by: Option<(usize, usize)>) -> Result<(), Stop> {
        let shared = self.nodes.shared(node)?;
        let mut zone = entered;
        if !shared.urgent {
            zone = self.nodes.list[node].delayed(zone);
        }
        if !shared.invariant.restrict(&mut zone) {
            // Only at the start: the original begins where its invariant holds.
            return Err(Stop::Open);
        }
        let idle = self.nodes.bounds.inactive(&self.nodes.list[node].state);
        idle.for_each(|clock| zone.free(clock));
        let constants = &self.nodes.list[node].constants;
        let bytes = zone.bytes();
        if !self.reached.add(node, zone, by, (&constants.lower, &constants.upper)) {
            return Ok(());
        }
        let n_entries = self.reached.entries.len();
        self.budget
            .exceeded(n_entries as u64, (n_entries * bytes) as u64)
            .map_or(Ok(()), |_| Err(Stop::Limit))
    }

    /// Takes the steps from an entry; returns whether a run that leaves there tells the mutant from the original.
    fn examine(&mut self, entry: usize) -> Result<bool, Stop> {
        let Entry { node, zone, .. } = &self.reached.entries[entry];
        let (node, zone) = (*node, zone.clone());
        let shared = self.nodes.shared(node)?;
        let mut later = Vec::new();
        if shared.urgent {
            let own = &self.nodes.list[node];
            // Its values before time passes are left in: a run that only these can follow tells nothing. The zone need not get
            // larger when time passes.
            later.extend(own.waiting(zone.clone()).map(|zone| own.delayed(zone)));
        } else if !shared.late.is_empty() {
            let waited = self.nodes.list[node].delayed(zone.clone());
            later.extend(shared.late.iter().filter_map(|late| restricted(&waited, late)));
        }
        for zone in later {
            let step = None;
            if self.leave(Leaving {
                entry,
                step,
                node,
                zone,
            })? {
                return Ok(true);
            }
        }
        for (at, condition) in &shared.leaving {
            let Some(part) = restricted(&zone, condition) else {
                continue;
            };
            let Some((target, entered)) = self.nodes.after(node, *at, &part)? else {
                continue;
            };
            let leaving = Leaving {
                entry,
                step: Some(*at),
                node: target,
                zone: self.nodes.settled(target, entered),
            };
            if self.leave(leaving)? {
                return Ok(true);
            }
        }
        for (at, condition) in &shared.common {
            let Some(part) = restricted(&zone, condition) else {
                continue;
            };
            if let Some((target, entered)) = self.nodes.after(node, *at, &part)? {
                self.enter(target, entered, Some((entry, *at)))?;
            }
        }
        Ok(false)
    }

    /// Returns whether a run that leaves the original tells the two apart.
    fn leave(&mut self, leaving: Leaving) -> Result<bool, Stop> {
        let channel = leaving
            .step
            .map(|at| self.nodes.list[self.reached.entries[leaving.entry].node].moves[at].channel);
        if self.played.iter().filter(|known| **known == channel).count() >= MOST_ALIKE {
            return Ok(false);
        }
        let (from, by) = ((leaving.node, leaving.zone), (leaving.entry, leaving.step));
        let found = match self.stuck.endless(&mut self.nodes, from.clone(), self.budget) {
            // It is pruned.
            Ok(None) if !self.goes_on => return Ok(false),
            Ok(found) => found,
            Err(Stop::Unclear) => None,
            Err(stop) => return Err(stop),
        };
        // Without pruning a run counts wherever it ends, but a longer one tells more.
        let counts = found.is_some() || self.goes_on;
        if counts && self.shows(by, found.unwrap_or_default()) {
            return Ok(true);
        }
        // A run that is repeated for ever may take no time, and never come to the step that shows the difference.
        let near = to_calm(&mut self.nodes, from, self.budget)?;
        if near.is_none() && !counts {
            self.n_unclear += 1;
            self.is_open = true;
            return if self.n_unclear > MOST_UNCLEAR {
                Err(Stop::Unclear)
            } else {
                Ok(false)
            };
        }
        let rest = near.filter(|steps| !steps.is_empty());
        let rest = rest.map(|steps| Endless { steps, repeats: None });
        if rest.is_some_and(|rest| self.shows(by, rest)) {
            return Ok(true);
        }
        self.is_open = true;
        self.played.push(channel);
        match self.played.len() < MOST_RUNS {
            true => Ok(false),
            false => Err(Stop::Open),
        }
    }

    /// Whether the run that leaves there and continues with `rest` tells the two apart.
    fn shows(&mut self, (entry, step): (usize, Option<usize>), rest: Endless) -> bool {
        let mut steps = self.reached.steps_to(entry);
        let node = self.reached.entries[entry].node;
        steps.extend(step.map(|at| RunStep { node, at }));
        let n_steps = steps.len();
        steps.extend(rest.steps);
        (self.tells)(&Departure {
            nodes: &self.nodes,
            steps,
            leaving: step.map(|_| n_steps - 1),
            repeats: rest.repeats.map(|first| n_steps + first),
        })
    }
}

fn restricted(zone: &Dbm, condition: &Atoms) -> Option<Dbm> {
    let mut part = zone.clone();
    condition.restrict(&mut part).then_some(part)
}
