//! The mutants of some components of a network, numbered through the components.

use std::sync::Arc;

use super::Component;
use crate::model::Automaton;
use crate::mutation::{Mutation, MutationOptions, Mutations};
use crate::network::{Network, View};

/// All mutants of order 1 of some components.
#[derive(Clone, Debug)]
pub struct NetworkMutants<'c> {
    /// What is mutated.
    pub components: &'c [Component],
    /// The mutations of each, which are numbered, not listed.
    own: Vec<Mutations>,
    /// Each component, as the operators see it.
    pub(super) skeletons: Vec<Arc<Automaton>>,
    pub(super) network: &'c Network,
    pub(super) view: &'c View,
}

/// One of them.
#[derive(Clone, Copy, Debug)]
pub struct NetworkMutant<'c> {
    /// The position of its component.
    pub at: usize,
    /// Its component.
    pub component: &'c Component,
    /// What is changed there.
    pub mutation: Mutation,
}

impl<'c> NetworkMutants<'c> {
    /// The mutants that the operators make of `components` of `network`.
    pub fn of(network: &'c Network, view: &'c View, components: &'c [Component], options: &MutationOptions) -> Self {
        let own = |component: &Component| component.mutations(options);
        let skeleton = |component: &Component| Arc::new(component.skeleton().clone());
        Self {
            components,
            own: components.iter().map(own).collect(),
            skeletons: components.iter().map(skeleton).collect(),
            network,
            view,
        }
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        self.own.iter().map(Mutations::len).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The one of that number, if there is one.
    pub fn get(&self, number: u64) -> Option<NetworkMutant<'c>> {
        let mut rest = number;
        for (at, own) in self.own.iter().enumerate() {
            if let Some(mutation) = own.get(rest) {
                let component = &self.components[at];
                return Some(NetworkMutant {
                    at,
                    component,
                    mutation,
                });
            }
            rest -= own.len();
        }
        None
    }
}

impl NetworkMutant<'_> {
    /// Its id.
    pub fn id(&self) -> String {
        self.component.id(&self.mutation)
    }
}
