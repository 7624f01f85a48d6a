//! Counts the mutations of a mutant without making the mutant.

use super::change::with_atom;
use super::list::{Mutations, n_constraint_mutations};
use super::{ConstraintChange, Mutation, MutationOptions, Operator, Site};
use crate::model::{Automaton, Edge, Guard, LocId};
use tamper_text::Id;

/// Counts the mutations of the mutants of one automaton.
pub(super) struct MutationCounter<'a> {
    automaton: &'a Automaton,
    options: &'a MutationOptions,
    /// The mutations of the automaton itself.
    total: u64,
    /// By location: number of mutations of the edges that are removed with it.
    incident: Vec<u64>,
}

impl<'a> MutationCounter<'a> {
    pub(super) fn new(automaton: &'a Automaton, options: &'a MutationOptions) -> Self {
        let mut counter = Self {
            automaton,
            options,
            total: Mutations::of(automaton, options).len(),
            incident: vec![0; automaton.locations().len()],
        };
        for edge in automaton.edges() {
            let n = counter.of_edge(edge);
            counter.incident[edge.source.index()] += n;
            if edge.target != edge.source {
                counter.incident[edge.target.index()] += n;
            }
        }
        counter
    }

    /// Number of mutations of the mutant, as `Mutations::of` would list them; in constant time for the six operators of
    /// \[003\], else by making the mutant.
    pub(super) fn after(&self, mutation: &Mutation) -> u64 {
        let edges = self.automaton.edges();
        if !self.options.is_paper() {
            return Mutations::of(&mutation.apply(self.automaton), self.options).len();
        }
        match *mutation {
            Mutation::RemoveEdge { edge } => self.total - self.of_edge(&edges[edge]),
            Mutation::AddEdge { cloned, .. } => {
                self.total + cloned.map_or(self.uses(Operator::Tmi), |first| self.of_edge(&edges[first]))
            }
            Mutation::RemoveLocation { location } => self.after_removal(location),
            Mutation::LargerConstant { .. }
            | Mutation::SmallerConstant { .. }
            | Mutation::NegateGuard { .. }
            | Mutation::Alter { .. }
            | Mutation::Again(_) => mutation
                .constraint()
                .map_or(self.total, |change| self.after_change(change)),
        }
    }

    fn after_removal(&self, location: LocId) -> u64 {
        let lost_edges = self.incident[location.index()];
        let invariant = &self.automaton.locations()[location].invariant;
        let n = self.automaton.locations().len() as u64;
        // 2 n² - 2 (n - 1)² edges to add, and one location to remove.
        let lost_pairs = self.uses(Operator::Tad) * (4 * n - 2);
        let lost =
            self.uses(Operator::Smi) + lost_pairs + lost_edges + self.of_guard(invariant, Site::Invariant(location));
        self.total - lost
    }

    fn after_change(&self, ConstraintChange { site, atom, new, .. }: ConstraintChange) -> u64 {
        let guard = match site {
            Site::Guard(edge) => &self.automaton.edges()[edge].guard,
            Site::Invariant(location) => &self.automaton.locations()[location].invariant,
        };
        self.total - self.of_guard(guard, site) + self.of_guard(&with_atom(guard, atom, new), site)
    }

    fn of_edge(&self, edge: &Edge) -> u64 {
        // Any edge serves as the site: only its kind counts.
        let site = Site::Guard(Id::from_index(0));
        self.uses(Operator::Tmi) + self.of_guard(&edge.guard, site)
    }

    fn of_guard(&self, guard: &Guard, site: Site) -> u64 {
        n_constraint_mutations(guard, site, self.options)
    }

    fn uses(&self, operator: Operator) -> u64 {
        u64::from(self.options.operators.contains(&operator))
    }
}
