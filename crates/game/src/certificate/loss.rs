//! The inconsistent states of a game, in an order in which each follows from those before it.

use std::fmt::{self, Write as _};

use super::normal_form::ClockNames;
use crate::symbolic::consistency::{invariant, kept, predecessors};
use crate::symbolic::{Arena, Halt, NodeId, zone_ops};
use tamper_text::{Budget, Id as _, IndexVec};
use tamper_timed::model::Role;
use tamper_zones::Federation;

/// The lines of the states that `arena`, which was pruned, has lost; `None` if some of them do not follow.
pub(super) fn inconsistent(
    arena: &Arena,
    names: &ClockNames,
    numbers: &[usize],
    budget: &Budget,
) -> Result<Option<String>, Halt> {
    let mut search = LossSearch::of(arena);
    let mut out = String::new();
    while search.grow(&mut out, (names, numbers), budget)? {}
    let is_whole = search.rest.iter().all(Federation::is_empty);
    Ok(is_whole.then_some(out))
}

struct LossSearch<'a> {
    arena: &'a Arena,
    /// Per node: all states, the inconsistent states that are written, and the other inconsistent ones.
    existing: IndexVec<NodeId, Federation>,
    known: IndexVec<NodeId, Federation>,
    rest: IndexVec<NodeId, Federation>,
    n_zones: u64,
}

impl<'a> LossSearch<'a> {
    fn of(arena: &'a Arena) -> Self {
        let dim = arena.dim();
        let existing: IndexVec<NodeId, Federation> = arena.nodes.ids().map(|node| invariant(arena, node)).collect();
        let lost = existing.iter_enumerated().map(|(node, existing)| {
            let mut lost = existing.clone();
            lost.subtract(&zone_ops::federation(dim, arena.alive(node)));
            lost
        });
        Self {
            arena,
            rest: lost.collect(),
            known: IndexVec::filled(Federation::empty(dim), arena.nodes.len()),
            existing,
            n_zones: 0,
        }
    }

    /// Writes what follows now; whether anything did.
    fn grow(&mut self, out: &mut String, names: (&ClockNames, &[usize]), budget: &Budget) -> Result<bool, Halt> {
        let mut has_grown = false;
        for node in self.arena.nodes.ids() {
            if self.rest[node].is_empty() {
                continue;
            }
            for (word, found) in [("input", self.by_input(node)), ("stuck", self.stuck(node))] {
                for zone in found.into_zones() {
                    // States of `stuck` must not be known, and states of `input` may have become known.
                    let mut new = Federation::from(zone);
                    new.subtract(&self.known[node]);
                    for zone in new.into_zones() {
                        self.add(out, (node, word, zone), names)
                            .expect("a string takes all text");
                        has_grown = true;
                        if let Some(reason) =
                            budget.exceeded(self.n_zones, self.n_zones * zone_ops::zone_bytes(self.arena.dim()))
                        {
                            return Err(reason.into());
                        }
                    }
                }
            }
        }
        Ok(has_grown)
    }

    fn add(
        &mut self,
        out: &mut String,
        (node, word, zone): (NodeId, &str, tamper_zones::Dbm),
        (names, numbers): (&ClockNames, &[usize]),
    ) -> fmt::Result {
        writeln!(out, "{} {word} {}", numbers[node.index()], names.zone(&zone))?;
        self.rest[node].subtract_dbm(&zone);
        self.known[node].add(zone);
        self.n_zones += 1;
        Ok(())
    }

    fn by_input(&self, node: NodeId) -> Federation {
        let mut found = Federation::empty(self.arena.dim());
        for step in self.arena.moves_of(node).iter().filter(|step| step.role == Role::Input) {
            found.union_with(&predecessors(self.arena, step, &self.known[step.target]));
        }
        found.intersect(&self.rest[node]);
        found
    }

    fn stuck(&self, node: NodeId) -> Federation {
        let mut open = self.existing[node].clone();
        open.subtract(&self.known[node]);
        let mut with_output = Federation::empty(self.arena.dim());
        for step in self.arena.moves_of(node).iter().filter(|step| step.role != Role::Input) {
            let mut target = self.existing[step.target].clone();
            target.subtract(&self.known[step.target]);
            with_output.union_with(&predecessors(self.arena, step, &target));
        }
        let going_on = kept(self.arena.node(node).urgent, &open, with_output);
        open.subtract(&going_on);
        open.intersect(&self.rest[node]);
        open
    }
}
