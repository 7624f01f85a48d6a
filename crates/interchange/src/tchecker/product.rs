//! Synchronising processes as one: the product of their locations, as TChecker forms it.
//!
//! A vector `sync:P@a:Q@b:R@c?` is a step in which `P` takes an edge with the event `a` and `Q` an edge with `b`; and
//! `R` takes an edge with `c`, if one leaves its location, whatever the guard of that edge (the mark `?`, *weak*). An
//! event of a process that is in no vector is a step of the process alone. Guards are conjoined, statements executed in
//! the order of the vector, invariants conjoined. While a process is in a committed location, a step must involve a
//! process in a committed location.

use std::collections::{BTreeMap, BTreeSet};

use super::actions::Actions;
use super::system::{AlphabetEntry, Process, Sync, System};
use tamper_text::Diagnostic;

/// The largest number of locations of a product, and of its edges.
const MOST: usize = 100_000;

/// The product.
#[derive(Default, Debug)]
pub(super) struct SystemProduct<'a> {
    /// Per location, the position of each process's location; the initial one first.
    pub locations: Vec<Vec<usize>>,
    pub edges: Vec<ProductEdge<'a>>,
}

/// An edge of the product.
#[derive(Debug)]
pub(super) struct ProductEdge<'a> {
    pub ends: (usize, usize),
    /// The processes that take part, each with the position of its edge.
    pub parts: Vec<(usize, usize)>,
    /// The action that is seen.
    pub listed: AlphabetEntry<'a>,
}

/// The product of the processes of `system`; `None` if something is wrong, which is put into `found`.
pub(super) fn product<'a>(system: &'a System<'a>, found: &mut Vec<Diagnostic>) -> Option<SystemProduct<'a>> {
    let initial: Vec<usize> = system
        .processes
        .iter()
        .map(|process| process.locations.iter().position(|location| location.initial.is_some()))
        .collect::<Option<_>>()?;
    let mut builder = ProductBuilder {
        system,
        actions: Actions::new(system),
        synchronised: system.synchronised(),
        index: BTreeMap::from([(initial.clone(), 0)]),
        product: SystemProduct {
            locations: vec![initial],
            edges: Vec::new(),
        },
    };
    let mut at = 0;
    while at < builder.product.locations.len() {
        builder.expand(at, found);
        let (locations, edges) = (builder.product.locations.len(), builder.product.edges.len());
        let too_many = [(locations, "locations"), (edges, "edges")]
            .into_iter()
            .find(|(n, _)| *n > MOST);
        if let Some((_, what)) = too_many {
            let message = format!("the processes have more than {MOST} {what} together");
            let error = Diagnostic::error(message, system.syncs[0].span);
            found.push(error.with_help("leave processes out, or make them smaller"));
            return None;
        }
        at += 1;
    }
    Some(builder.product)
}

struct ProductBuilder<'a> {
    system: &'a System<'a>,
    actions: Actions<'a>,
    /// The events of processes that are in some vector.
    synchronised: BTreeSet<(usize, &'a str)>,
    index: BTreeMap<Vec<usize>, usize>,
    product: SystemProduct<'a>,
}

impl<'a> ProductBuilder<'a> {
    fn expand(&mut self, at: usize, found: &mut Vec<Diagnostic>) {
        let system = self.system;
        let from = self.product.locations[at].clone();
        for (position, process) in system.processes.iter().enumerate() {
            for (edge, parts) in process.edges.iter().enumerate() {
                let alone = !self.synchronised.contains(&(position, parts.event.text));
                if parts.ends.0 == from[position] && alone {
                    let listed = self.actions.alone(process, parts.event, found);
                    self.add(at, vec![(position, edge)], listed);
                }
            }
        }
        for sync in &system.syncs {
            if self.product.edges.len() > MOST {
                return;
            }
            let combinations = combinations(&system.processes, sync, &from);
            if combinations.is_empty() {
                continue;
            }
            let listed = self.actions.together(sync, found);
            for parts in combinations {
                self.add(at, parts, listed);
            }
        }
    }

    fn add(&mut self, at: usize, parts: Vec<(usize, usize)>, listed: Option<AlphabetEntry<'a>>) {
        let Some(listed) = listed else { return };
        let processes = &self.system.processes;
        let from = &self.product.locations[at];
        let is_committed = |process: usize| processes[process].locations[from[process]].committed;
        let waits = (0..from.len()).any(is_committed) && !parts.iter().any(|(process, _)| is_committed(*process));
        if waits {
            return;
        }
        let mut to = from.clone();
        for (process, edge) in &parts {
            to[*process] = processes[*process].edges[*edge].ends.1;
        }
        let next = self.product.locations.len();
        let target = *self.index.entry(to.clone()).or_insert(next);
        if target == next {
            self.product.locations.push(to);
        }
        self.product.edges.push(ProductEdge {
            ends: (at, target),
            parts,
            listed,
        });
    }
}

/// The combinations of edges, one for each process that takes part in a vector from these locations.
fn combinations(processes: &[Process<'_>], sync: &Sync<'_>, from: &[usize]) -> Vec<Vec<(usize, usize)>> {
    let mut list: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
    for part in &sync.parts {
        let edges = processes[part.process].edges.iter().enumerate();
        let own = edges.filter(|(_, edge)| edge.ends.0 == from[part.process] && edge.event.text == part.event.text);
        let own: Vec<usize> = own.map(|(position, _)| position).collect();
        if own.is_empty() {
            if part.is_weak {
                continue;
            }
            return Vec::new();
        }
        let longer = list.iter().flat_map(|parts| {
            let with = |edge: &usize| parts.iter().copied().chain([(part.process, *edge)]).collect();
            own.iter().map(with)
        });
        // One more than a product may have, so that it is refused later.
        list = longer.take(MOST + 1).collect();
    }
    list.retain(|parts| !parts.is_empty());
    list
}
