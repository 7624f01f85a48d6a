//! The walk along the common runs, by zones up to simulation: breadth first.

use rustc_hash::FxHashMap;

use super::super::atoms::Atoms;
use super::super::moves::State;
use super::answer::{Along, Known, Stop};
use super::closed;
use super::future::{Endless, RunStep, Stuck};
use super::nodes::Nodes;
use super::run::Departure;
use tamper_text::Budget;
use tamper_zones::Dbm;

/// Most runs that are asked about, most of them that leave by the same action, and most searches that take too long.
const MOST_RUNS: usize = 16;
const MOST_ALIKE: usize = 4;
const MOST_UNCLEAR: usize = 8;

/// A state that common runs reach, with the values after waiting.
struct Entry {
    node: usize,
    zone: Dbm,
    /// The entry and the step that led here.
    by: Option<(usize, usize)>,
    /// Whether a later one simulates it.
    is_covered: bool,
}

struct SharedWalk<'w, 't> {
    nodes: Nodes<'w>,
    stuck: Stuck,
    known_before: Known,
    prune: bool,
    budget: &'t Budget,
    tells: &'t mut dyn FnMut(&Departure<'_>) -> bool,
    entries: Vec<Entry>,
    /// Per node, its entries, none of which simulates another.
    known: FxHashMap<usize, Vec<usize>>,
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
pub(super) fn walk(
    nodes: Nodes<'_>,
    known_before: Known,
    prune: bool,
    budget: &Budget,
    tells: &mut dyn FnMut(&Departure<'_>) -> bool,
) -> Along {
    let mut walk = SharedWalk {
        nodes,
        stuck: Stuck::default(),
        known_before,
        prune,
        budget,
        tells,
        entries: Vec::new(),
        known: FxHashMap::default(),
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
        self.entries.clear();
        self.known.clear();
        self.played.clear();
        (self.n_unclear, self.is_open) = (0, false);
    }

    fn pass(&mut self) -> Result<Along, Stop> {
        let (node, start) = self.start()?;
        if self.known_before == Known::Refines {
            return self.closed(node, start);
        }
        let is_consistent = match self.prune {
            true => self.is_consistent(node, &start)?,
            false => Some(true),
        };
        if is_consistent == Some(false) {
            return Ok(self.without_faults(Along::Stuck));
        }
        if self.known_before == Known::RefinesSafely && is_consistent.is_none() {
            return self.closed(node, start);
        }
        if self.known_before == Known::Nothing {
            self.enter(node, start, None)?;
            let mut next = 0;
            while next < self.entries.len() {
                if !self.entries[next].is_covered && self.examine(next)? {
                    return Ok(Along::Told);
                }
                next += 1;
            }
        }
        Ok(match is_consistent == Some(true) && !self.is_open {
            true => self.without_faults(Along::Stays),
            false => Along::Open,
        })
    }

    /// Follows all runs of the mutant, also those by inputs.
    fn closed(&mut self, node: usize, start: Dbm) -> Result<Along, Stop> {
        let waited = self.nodes.settled(node, start);
        let goes_on = closed::all_go_on(&mut self.nodes, node, waited, self.prune, self.budget)?;
        Ok(match (self.nodes.has_fault, goes_on) {
            (true, _) => Along::Fails,
            (false, true) => Along::Closed,
            (false, false) => Along::Open,
        })
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
        let invariant = self
            .nodes
            .mutant
            .invariant(&state)
            .map_err(|_| Stop::Open)?
            .ok_or(Stop::Open)?;
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
        let (entries, constants) = (&mut self.entries, &self.nodes.list[node].constants);
        let known = self.known.entry(node).or_default();
        let (lower, upper) = (&constants.lower, &constants.upper);
        if known
            .iter()
            .any(|at| zone.is_simulated_in(&entries[*at].zone, lower, upper))
        {
            return Ok(());
        }
        known.retain(|at| {
            entries[*at].is_covered = entries[*at].zone.is_simulated_in(&zone, lower, upper);
            !entries[*at].is_covered
        });
        known.push(entries.len());
        let bytes = (entries.len() * zone.bytes()) as u64;
        entries.push(Entry {
            node,
            zone,
            by,
            is_covered: false,
        });
        let n_entries = entries.len() as u64;
        self.budget
            .exceeded(n_entries, bytes)
            .map_or(Ok(()), |_| Err(Stop::Limit))
    }

    /// Takes the steps from an entry; returns whether a run that leaves there tells the mutant from the original.
    fn examine(&mut self, entry: usize) -> Result<bool, Stop> {
        let Entry { node, zone, .. } = &self.entries[entry];
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
            .map(|at| self.nodes.list[self.entries[leaving.entry].node].moves[at].channel);
        if self.played.iter().filter(|known| **known == channel).count() >= MOST_ALIKE {
            return Ok(false);
        }
        let mut rest = Endless {
            steps: Vec::new(),
            repeats: None,
        };
        if self.prune {
            let state = (leaving.node, leaving.zone);
            match self.stuck.endless(&mut self.nodes, state, self.budget) {
                Ok(Some(found)) => rest = found,
                // It is pruned.
                Ok(None) => return Ok(false),
                Err(Stop::Unclear) if self.n_unclear < MOST_UNCLEAR => {
                    self.n_unclear += 1;
                    self.is_open = true;
                    return Ok(false);
                }
                Err(stop) => return Err(stop),
            }
        }
        let mut steps = self.run_to(leaving.entry);
        steps.extend(leaving.step.map(|at| RunStep {
            node: self.entries[leaving.entry].node,
            at,
        }));
        let n_steps = steps.len();
        steps.extend(rest.steps);
        let departure = Departure {
            nodes: &self.nodes,
            steps,
            leaving: leaving.step.map(|_| n_steps - 1),
            repeats: rest.repeats.map(|first| n_steps + first),
        };
        if (self.tells)(&departure) {
            return Ok(true);
        }
        self.is_open = true;
        self.played.push(channel);
        match self.played.len() < MOST_RUNS {
            true => Ok(false),
            false => Err(Stop::Open),
        }
    }

    /// The steps of a common run to an entry.
    fn run_to(&self, mut entry: usize) -> Vec<RunStep> {
        let mut steps = Vec::new();
        while let Some((before, at)) = self.entries[entry].by {
            entry = before;
            let node = self.entries[entry].node;
            steps.push(RunStep { node, at });
        }
        steps.reverse();
        steps
    }
}

fn restricted(zone: &Dbm, condition: &Atoms) -> Option<Dbm> {
    let mut part = zone.clone();
    condition.restrict(&mut part).then_some(part)
}
