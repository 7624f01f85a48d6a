//! Positions of mutants after the prefixes of tests: a tree of inputs, each node with its literals.
//!
//! A literal at a node stands for a state: if the mutant is in the state, the literal must hold. The converse is not
//! required: a literal that holds needlessly only excludes more, so there is always a solution without it.

use rustc_hash::FxHashMap;

use super::clauses::{Body, ClauseSink};
use super::entering::Entering;
use super::{AlphaAutomaton, InputId, MutationMachine, SetId, StateId};
use tamper_features::Lit;

#[derive(Clone, Debug, Default)]
pub(super) struct Positions {
    nodes: Vec<PositionState>,
    next: FxHashMap<(usize, InputId), usize>,
}

/// The possible states of mutants after some inputs.
#[derive(Clone, Debug)]
enum PositionState {
    /// The conditions for entering each state; they become literals when a test continues from here.
    Entering(Vec<(StateId, Vec<Body>)>),
    /// The condition for being in each state: at most one literal.
    Here(Vec<(StateId, Body)>),
}

impl Positions {
    /// The empty prefix, shared by all tests.
    pub fn new(machine: &MutationMachine) -> Self {
        Self {
            nodes: vec![PositionState::Here(vec![(machine.initial(), Body::new())])],
            next: FxHashMap::default(),
        }
    }

    /// Excludes the mutants that the test kills, `lit` being the literal of a choice.
    pub fn exclude(&mut self, alpha: &AlphaAutomaton<'_>, lit: &dyn Fn(SetId, usize) -> Lit, out: &mut ClauseSink<'_>) {
        let mut node = 0;
        for (position, input) in alpha.inputs().iter().enumerate() {
            node = match self.next.get(&(node, *input)) {
                Some(next) => *next,
                None => {
                    let entering = self.step(node, alpha, position, lit, out);
                    self.nodes.push(PositionState::Entering(entering));
                    self.next.insert((node, *input), self.nodes.len() - 1);
                    self.nodes.len() - 1
                }
            };
        }
    }

    /// Excludes wrong answers to the input at that position. Returns the conditions for entering each state by right
    /// answers.
    fn step(
        &mut self,
        node: usize,
        alpha: &AlphaAutomaton<'_>,
        position: usize,
        lit: &dyn Fn(SetId, usize) -> Lit,
        out: &mut ClauseSink<'_>,
    ) -> Vec<(StateId, Vec<Body>)> {
        let machine = alpha.machine();
        let input = alpha.inputs()[position];
        let mut entering = Entering::new(machine);
        for (state, at) in self.here(node, out) {
            for branch in machine.branches(*state, input) {
                let transition = branch.transition;
                let mut body = at.clone();
                body.extend(branch.choices().iter().map(|(set, choice)| lit(*set, *choice as usize)));
                if alpha.is_wrong(position, transition) {
                    out.implies(&body, None);
                } else {
                    entering.add(transition.target, body);
                }
            }
        }
        entering.all()
    }
    fn here(&mut self, node: usize, out: &mut ClauseSink<'_>) -> &[(StateId, Body)] {
        if let PositionState::Entering(entering) = &self.nodes[node] {
            let entered = entering.iter();
            let here = entered
                .map(|(state, bodies)| (*state, out.entered(bodies, false)))
                .collect();
            self.nodes[node] = PositionState::Here(here);
        }
        match &self.nodes[node] {
            PositionState::Here(here) => here,
            PositionState::Entering(_) => &[],
        }
    }
}
