//! What a network does in one state, from UPPAAL's rules, with every combination of edges tried in turn.
//!
//! A state is the location of each process, the values of the variables, and a region of the clocks (Alur and Dill): all
//! conditions are evaluated there, nothing is split or negated.

use std::collections::BTreeSet;

use super::nets::{Atom, Edge, Net, Update, Urgency};
use super::priorities::{Rank, Wait, wait};
use super::shown::HIDDEN;
use crate::oracle::clocks::{ClockRegion, ClockSpace, Regions};
use tamper_timed::model::Cmp;

pub type Region = Vec<ClockRegion>;

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Discrete {
    pub locs: Vec<usize>,
    pub vars: Vec<i64>,
}

/// A step: its action (`c0!`, `c0?`, `tau`, or [`HIDDEN`]), and where it leads.
#[derive(Clone, Debug)]
pub struct Step {
    pub action: String,
    pub target: Discrete,
    pub region: Region,
    /// The clocks that were set, in order.
    pub resets: Vec<(usize, i64)>,
}

/// Why there are no steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfRange;

pub struct Flat<'a> {
    pub net: &'a Net,
    /// Whose channels may be used by whom there may be here: `net` was made from it.
    pub original: &'a Net,
    pub space: &'a Regions,
    /// The position of the first clock.
    pub offset: usize,
}

/// Edges that fire together: process and edge, the sender first.
type Combination = (Vec<(usize, usize)>, Option<usize>);

/// Where a step leads, and the clocks it sets.
type Fired = (Discrete, Region, Vec<(usize, i64)>);

impl Flat<'_> {
    pub fn initial(&self) -> Discrete {
        Discrete {
            locs: vec![0; self.net.procs.len()],
            vars: self.net.vars.iter().map(|(_, _, initial)| *initial).collect(),
        }
    }

    /// `region` with the clocks of the network at their start.
    pub fn started(&self, region: Region) -> Region {
        let starts = self.net.starts.iter().enumerate();
        starts.fold(region, |region, (clock, value)| {
            self.space.reset(&region, self.offset + clock, *value)
        })
    }

    /// Whether the state satisfies all invariants.
    pub fn exists(&self, state: &Discrete, region: &Region) -> bool {
        self.net.procs.iter().zip(&state.locs).all(|(process, at)| {
            let loc = &process.locs[*at];
            loc.invariant.iter().all(|atom| self.holds(atom, region))
                && loc.data.is_none_or(|(var, most)| state.vars[var] <= most)
        })
    }

    fn holds(&self, atom: &Atom, region: &Region) -> bool {
        let cmp = match atom.sign {
            "<" => Cmp::Lt,
            "<=" => Cmp::Le,
            "==" => Cmp::Eq,
            ">=" => Cmp::Ge,
            _ => Cmp::Gt,
        };
        self.space
            .holds(region, self.offset + atom.clock, None, cmp, atom.number)
    }

    fn enabled(&self, state: &Discrete, region: &Region, process: usize, edge: &Edge) -> bool {
        let data = edge.data.is_none_or(|(var, sign, number)| {
            let value = state.vars[var];
            match sign {
                "<" => value < number,
                "<=" => value <= number,
                "==" => value == number,
                "!=" => value != number,
                ">=" => value >= number,
                _ => value > number,
            }
        });
        edge.source == state.locs[process] && data && edge.clocks.iter().all(|atom| self.holds(atom, region))
    }

    pub fn of(&self, (process, edge): (usize, usize)) -> &Edge {
        &self.net.procs[process].edges[edge]
    }

    /// The enabled edges with that synchronisation.
    fn ends(&self, state: &Discrete, region: &Region, sync: Option<(usize, bool)>) -> Vec<(usize, usize)> {
        let mut list = Vec::new();
        for (at, process) in self.net.procs.iter().enumerate() {
            for (index, edge) in process.edges.iter().enumerate() {
                if edge.sync == sync && self.enabled(state, region, at, edge) {
                    list.push((at, index));
                }
            }
        }
        list
    }

    /// The processes that have an edge with that synchronisation at all.
    pub fn users(&self, sync: (usize, bool)) -> Vec<usize> {
        let uses = |net: &Net, at: usize| net.procs[at].edges.iter().any(|edge| edge.sync == Some(sync));
        let either = |at: &usize| uses(self.net, *at) || uses(self.original, *at);
        (0..self.net.procs.len()).filter(either).collect()
    }

    /// Whether the senders of the channel are outside.
    pub fn is_open(&self, chan: usize) -> bool {
        self.users((chan, true)).is_empty()
    }

    /// Everything that may fire together, before committed locations and priorities.
    fn combinations(&self, state: &Discrete, region: &Region) -> Vec<Combination> {
        let mut list: Vec<Combination> = self
            .ends(state, region, None)
            .into_iter()
            .map(|end| (vec![end], None))
            .collect();
        for (chan, what) in self.net.chans.iter().enumerate() {
            let senders = self.ends(state, region, Some((chan, true)));
            let receivers = self.ends(state, region, Some((chan, false)));
            let nobody_else = |process: usize| self.users((chan, false)).iter().all(|user| *user == process);
            // Who sends what it receives itself is not outside.
            let is_open = self.is_open(chan);
            if what.broadcast {
                for sender in senders {
                    let others: Vec<_> = receivers
                        .iter()
                        .copied()
                        .filter(|(process, _)| *process != sender.0)
                        .collect();
                    for audience in self.audiences(&others) {
                        list.push(([vec![sender], audience].concat(), Some(chan)));
                    }
                }
                let open: Vec<_> = receivers.iter().copied().filter(|_| is_open).collect();
                // Nobody is blocked who broadcasts, heard or not.
                let is_heard = self.action(&[], Some(chan)) != HIDDEN;
                for audience in self.audiences(&open) {
                    if !audience.is_empty() || is_heard {
                        list.push((audience, Some(chan)));
                    }
                }
                continue;
            }
            for sender in senders {
                if nobody_else(sender.0) {
                    list.push((vec![sender], Some(chan)));
                }
                for receiver in receivers.iter().filter(|(process, _)| *process != sender.0) {
                    list.push((vec![sender, *receiver], Some(chan)));
                }
            }
            for receiver in receivers {
                if is_open {
                    list.push((vec![receiver], Some(chan)));
                }
            }
        }
        list
    }

    /// One enabled edge of every process that has any, in process order.
    fn audiences(&self, ends: &[(usize, usize)]) -> Vec<Vec<(usize, usize)>> {
        let mut list = vec![Vec::new()];
        for process in 0..self.net.procs.len() {
            let own: Vec<_> = ends.iter().copied().filter(|(at, _)| *at == process).collect();
            if !own.is_empty() {
                list = list
                    .iter()
                    .flat_map(|before: &Vec<_>| own.iter().map(|end| [before.clone(), vec![*end]].concat()))
                    .collect();
            }
        }
        list
    }

    /// Whether some process is in a committed location.
    pub fn is_atomic(&self, state: &Discrete) -> bool {
        (0..self.net.procs.len()).any(|process| self.committed(state, process))
    }

    fn committed(&self, state: &Discrete, process: usize) -> bool {
        self.net.procs[process].locs[state.locs[process]].urgency == Urgency::Committed
    }

    /// Whether time may not pass.
    pub fn urgent(&self, state: &Discrete, region: &Region) -> bool {
        let in_location = self
            .net
            .procs
            .iter()
            .zip(&state.locs)
            .any(|(process, at)| process.locs[*at].urgency != Urgency::Normal);
        in_location
            || self
                .combinations(state, region)
                .iter()
                .any(|(parts, chan)| !parts.is_empty() && chan.is_some_and(|chan| self.net.chans[chan].urgent))
    }

    /// Whether time passes until the next region: it does not where it stands at once, nor where it would have stood since.
    pub fn passes(&self, state: &Discrete, region: &Region, later: &Region) -> bool {
        let stood = self.space.lasts(later) && self.urgent(state, later);
        !self.urgent(state, region) && !stood && self.exists(state, later)
    }

    /// What may fire together and has a target that exists, before priorities: rank, action, and what comes of it.
    fn enabled_steps(&self, state: &Discrete, region: &Region) -> Vec<(Rank, String, Result<Fired, OutOfRange>)> {
        let mut candidates = self.combinations(state, region);
        if self.is_atomic(state) {
            candidates.retain(|(parts, _)| parts.iter().any(|(process, _)| self.committed(state, *process)));
        }
        let mut done = Vec::new();
        for (parts, chan) in candidates {
            let after = self.fire(state, region, &parts);
            if matches!(&after, Ok((target, region, _)) if !self.exists(target, region)) {
                continue;
            }
            done.push((self.rank(&parts, chan), self.action(&parts, chan), after));
        }
        done
    }

    /// The steps of a state that leave no range, and whether others do.
    pub fn possible(&self, state: &Discrete, region: &Region) -> (Vec<Step>, bool) {
        let done = self.enabled_steps(state, region);
        let ranks: Vec<Rank> = done.iter().map(|(rank, ..)| *rank).collect();
        let (mut steps, mut fails) = (Vec::new(), false);
        for (rank, action, after) in done {
            if ranks.iter().any(|other| wait(rank, *other).is_some()) {
                continue;
            }
            match after {
                Ok((target, region, resets)) => steps.push(Step {
                    action,
                    target,
                    region,
                    resets,
                }),
                Err(OutOfRange) => fails = true,
            }
        }
        (steps, fails)
    }

    /// The steps of a state.
    pub fn steps(&self, state: &Discrete, region: &Region) -> Result<Vec<Step>, OutOfRange> {
        match self.possible(state, region) {
            (_, true) => Err(OutOfRange),
            (steps, false) => Ok(steps),
        }
    }

    /// Why steps of the state have to wait for others.
    pub fn waits(&self, state: &Discrete, region: &Region) -> BTreeSet<Wait> {
        let done = self.enabled_steps(state, region);
        let pairs = done
            .iter()
            .flat_map(|one| done.iter().map(move |other| (one.0, other.0)));
        pairs.filter_map(|(one, other)| wait(one, other)).collect()
    }

    fn fire(&self, state: &Discrete, region: &Region, parts: &[(usize, usize)]) -> Result<Fired, OutOfRange> {
        let (mut next, mut region) = (state.clone(), region.clone());
        let mut resets = Vec::new();
        for part in parts {
            let edge = self.of(*part);
            next.locs[part.0] = edge.target;
            for update in &edge.updates {
                let (var, value) = match *update {
                    Update::Reset(clock, value) => {
                        region = self.space.reset(&region, self.offset + clock, value);
                        resets.push((self.offset + clock, value));
                        continue;
                    }
                    Update::Set(var, value) => (var, value),
                    Update::Add(var, by) => (var, next.vars[var] + by),
                    Update::Copy(to, from, plus) => (to, next.vars[from] + plus),
                };
                let (low, high, _) = self.net.vars[var];
                if value < low || value > high {
                    return Err(OutOfRange);
                }
                next.vars[var] = value;
            }
        }
        Ok((next, region, resets))
    }

    /// The state in the words of the composed file.
    pub fn words(&self, state: &Discrete) -> String {
        let mut parts: Vec<String> = state
            .locs
            .iter()
            .enumerate()
            .map(|(at, loc)| format!("P{at}.L{loc}"))
            .collect();
        parts.extend(
            state
                .vars
                .iter()
                .enumerate()
                .map(|(at, value)| format!("v{at}={value}")),
        );
        parts.join(" ")
    }
}
