//! Processes that synchronise, as one: the product of their locations, as TChecker forms it.
//!
//! A vector `sync:P@a:Q@b:R@c?` is a step in which `P` takes an edge with the event `a` and `Q` one with `b`, both; and `R` one with
//! `c`, if there is one that leaves its location, whatever that edge's guard says (the mark `?`, *weak*). An event of a process that no vector
//! has is a step of the process alone. Guards are conjoined, statements done in the order of the vector, invariants
//! conjoined. While a process is in a committed location, a step needs one that is.

use std::collections::{BTreeMap, BTreeSet};

use super::system::{Listed, Process, Sync, System};
use crate::text::{Diagnostic, Span};

/// The most locations of a product, and the most edges.
const MOST: usize = 100_000;

/// The product.
#[derive(Default, Debug)]
pub(super) struct Product<'a> {
    /// Per location, the position of each process's location; the initial one first.
    pub locations: Vec<Vec<usize>>,
    pub edges: Vec<Step<'a>>,
}

/// An edge of the product.
#[derive(Debug)]
pub(super) struct Step<'a> {
    pub ends: (usize, usize),
    /// The processes that take part, each with the position of its edge.
    pub parts: Vec<(usize, usize)>,
    /// What it is seen as.
    pub listed: Listed<'a>,
}

/// The product of the processes of `system`; none where something is wrong, which is put into `found`.
pub(super) fn product<'a>(system: &'a System<'a>, found: &mut Vec<Diagnostic>) -> Option<Product<'a>> {
    let initial: Vec<usize> = system
        .processes
        .iter()
        .map(|process| process.locations.iter().position(|location| location.initial.is_some()))
        .collect::<Option<_>>()?;
    let mut builder = Builder {
        system,
        alphabet: system
            .alphabet
            .iter()
            .map(|(event, listed)| (&**event, *listed))
            .collect(),
        synchronised: system
            .syncs
            .iter()
            .flat_map(|sync| &sync.parts)
            .map(|part| (part.process, part.event.text))
            .collect(),
        index: BTreeMap::from([(initial.clone(), 0)]),
        product: Product {
            locations: vec![initial],
            edges: Vec::new(),
        },
        unknown: BTreeSet::new(),
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

struct Builder<'a> {
    system: &'a System<'a>,
    alphabet: BTreeMap<&'a str, Listed<'a>>,
    /// The events of processes that some vector has.
    synchronised: BTreeSet<(usize, &'a str)>,
    index: BTreeMap<Vec<usize>, usize>,
    product: Product<'a>,
    /// Where something was said about an action already.
    unknown: BTreeSet<Span>,
}

impl<'a> Builder<'a> {
    fn expand(&mut self, at: usize, found: &mut Vec<Diagnostic>) {
        let system = self.system;
        let from = self.product.locations[at].clone();
        for (position, process) in system.processes.iter().enumerate() {
            for (edge, parts) in process.edges.iter().enumerate() {
                let alone = !self.synchronised.contains(&(position, parts.event.text));
                if parts.ends.0 == from[position] && alone {
                    let listed = self.alone(process, parts.event.text, parts.event.span, found);
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
            let listed = self.together(sync, found);
            for parts in combinations {
                self.add(at, parts, listed);
            }
        }
    }

    fn add(&mut self, at: usize, parts: Vec<(usize, usize)>, listed: Option<Listed<'a>>) {
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
        self.product.edges.push(Step {
            ends: (at, target),
            parts,
            listed,
        });
    }

    /// What an event of one process is.
    fn alone(
        &mut self,
        process: &Process<'_>,
        event: &str,
        span: Span,
        found: &mut Vec<Diagnostic>,
    ) -> Option<Listed<'a>> {
        let own = format!("{}@{event}", process.name.text);
        let listed = self
            .alphabet
            .get(own.as_str())
            .or_else(|| self.alphabet.get(event))
            .copied();
        if listed.is_none() && self.unknown.insert(span) {
            found.push(unlisted(event, span));
        }
        listed
    }

    /// What a vector is: what the list says of it, or of the events in it.
    fn together(&mut self, sync: &Sync<'_>, found: &mut Vec<Diagnostic>) -> Option<Listed<'a>> {
        if let Some(listed) = self.alphabet.get(sync.name.as_str()) {
            return Some(*listed);
        }
        let mut actions: Vec<Listed<'_>> = Vec::new();
        for part in &sync.parts {
            let own = format!("{}@{}", self.system.processes[part.process].name.text, part.event.text);
            let listed = self
                .alphabet
                .get(own.as_str())
                .or_else(|| self.alphabet.get(part.event.text));
            if let Some(listed) = listed {
                let is_same = |known: &Listed<'_>| known.channel == listed.channel && known.role == listed.role;
                if !actions.iter().any(is_same) {
                    actions.push(*listed);
                }
            }
        }
        if let [action] = actions[..] {
            return Some(action);
        }
        if self.unknown.insert(sync.span) {
            let said = match actions.is_empty() {
                true => "it is not said whether this vector is an input or an output".to_owned(),
                false => "the events of this vector are different actions".to_owned(),
            };
            let help = format!(
                "list one of its events, or the vector, in a comment line: `# tamper:alphabet {0}=press?` (input), \
                 `{0}=coffee!` (output) or `{0}=tau` (internal)",
                sync.name
            );
            found.push(Diagnostic::error(said, sync.span).with_help(help));
        }
        None
    }
}

/// Who takes part in a vector from these locations, each with each of its edges.
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
        // One more than a product may have, so that it is refused.
        list = longer.take(MOST + 1).collect();
    }
    list.retain(|parts| !parts.is_empty());
    list
}

/// That it is not said what an event is.
pub(super) fn unlisted(event: &str, span: Span) -> Diagnostic {
    let message = format!("it is not said whether the event `{event}` is an input or an output");
    let help = format!("add a comment line `# tamper:alphabet {event}?` (input), `{event}!` (output) or");
    let help = format!("{help} `{event}=tau` (internal); list all events in it");
    Diagnostic::error(message, span).with_help(help)
}
