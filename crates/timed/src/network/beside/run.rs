//! The game along one run of a mutant that leaves the original.

use super::super::emit::{channel_names, emit, shown_as};
use super::super::explore::{ExploredState, Graph};
use std::sync::Arc;

use super::super::moves::CombinedMove;
use super::nodes::Nodes;
use super::reached::RunStep;
use crate::model::{Automaton, Role};

/// A run of a mutant that leaves the original. If runs that get stuck do not count, it goes on for ever.
pub struct Departure<'d> {
    pub(super) nodes: &'d Nodes<'d>,
    /// The steps, from the start.
    pub(super) steps: Vec<RunStep>,
    /// The step that leaves the original, by position; `None` if waiting does.
    pub(super) leaving: Option<usize>,
    /// The step from which on they are repeated for ever; `None` if the mutant stays where they lead.
    pub(super) repeats: Option<usize>,
}

impl std::fmt::Debug for Departure<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { steps, leaving, .. } = self;
        write!(f, "{} steps, of which {leaving:?} leaves", steps.len())
    }
}

impl Departure<'_> {
    /// The action of the step that leaves the original, and its role; `None` if the mutant waits longer.
    pub fn action(&self) -> Option<(String, Role)> {
        let leaving = self.steps[self.leaving?];
        let list = &self.nodes.list;
        let ends = (&*list[leaving.node].state, &*list[self.target(leaving)].state);
        let of = &self.nodes.mutant;
        let names = channel_names(of.network);
        let (name, role) = shown_as(of.network, of.view, &names, self.step(leaving), ends);
        Some((name.into_owned(), role))
    }

    /// The game along the run: its steps one after the other, at any values at which the mutant makes them. If it does not refine the
    /// original, the mutant does not, either.
    pub fn game(&self) -> Automaton {
        let n_steps = self.steps.len();
        let last = self.steps.last().map_or(0, |last| self.target(*last));
        let visited = self.steps.iter().map(|step| step.node);
        let mut nodes: Vec<ExploredState> = visited
            .chain(self.repeats.is_none().then_some(last))
            .map(|at| self.state(at))
            .collect();
        for (at, step) in self.steps.iter().enumerate() {
            let next = match self.repeats {
                Some(first) if at + 1 == n_steps => first,
                _ => at + 1,
            };
            nodes[at].moves = [self.step(*step).clone()].into();
            nodes[at].targets = vec![Some(next)];
        }
        let graph = Graph {
            nodes,
            n_explored: 0,
            n_kept: 0,
            reach: Vec::new(),
        };
        let of = &self.nodes.mutant;
        emit(of.network, of.view, of.channels, graph).automaton
    }

    fn step(&self, step: RunStep) -> &CombinedMove {
        &self.nodes.list[step.node].moves[step.at]
    }

    fn target(&self, step: RunStep) -> usize {
        self.nodes.list[step.node].targets[step.at].expect("a step of a run was taken")
    }

    fn state(&self, node: usize) -> ExploredState {
        let own = &self.nodes.list[node];
        ExploredState {
            state: Arc::clone(&own.state),
            invariant: Some(Arc::clone(&own.invariant)),
            urgent: own.urgent,
            committed: self.nodes.mutant.is_committed(&own.state),
            moves: [].into(),
            targets: Vec::new(),
            expanded: true,
            zones: Vec::new(),
        }
    }
}
