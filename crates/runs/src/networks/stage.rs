//! A network after some mutations, and its possible next mutations.

use std::sync::Arc;

use super::Component;
use super::hypotheses::rule;
use tamper_timed::guidelines::Rule;
use tamper_timed::model::Automaton;
use tamper_timed::mutation::{AppliedOperator, Mutation, MutationOptions, Mutations};
use tamper_timed::network::{Network, View};

/// A mutation of a component.
#[derive(Clone, Debug)]
pub struct NetworkStep {
    /// The position of the component.
    pub component: usize,
    /// The component that the mutation is applied to, as the operators see it.
    pub parent: Arc<Automaton>,
    /// The mutation.
    pub mutation: Mutation,
}

/// A component with its mutations.
#[derive(Debug)]
struct Mutable {
    component: Component,
    /// The component as the operators see it.
    skeleton: Arc<Automaton>,
    /// Its mutations, which are numbered, not listed.
    mutations: Mutations,
}

impl Mutable {
    fn new(component: Component, options: &MutationOptions) -> Arc<Self> {
        Arc::new(Self {
            mutations: component.mutations(options),
            skeleton: Arc::new(component.skeleton().clone()),
            component,
        })
    }
}

/// A network after some mutations.
#[derive(Clone, Debug)]
pub(super) struct NetworkStage {
    network: Arc<Network>,
    /// The mutations so far.
    steps: Vec<NetworkStep>,
    /// Common prefix of the ids of all mutants made from here.
    prefix: String,
    /// The guidelines that name the mutations so far, each relative to the network to which it was applied; `None` if
    /// some mutation is not named.
    rules: Option<Vec<Rule>>,
    components: Vec<Arc<Mutable>>,
}

impl NetworkStage {
    /// The stage before the first mutation.
    pub fn original(network: &Network, components: &[Component], options: &MutationOptions) -> Self {
        let mutable = |component: &Component| Mutable::new(component.clone(), options);
        Self {
            network: Arc::new(network.clone()),
            steps: Vec::new(),
            prefix: String::new(),
            rules: Some(Vec::new()),
            components: components.iter().map(mutable).collect(),
        }
    }

    /// Number of mutations that can follow.
    pub fn len(&self) -> u64 {
        self.components.iter().map(|one| one.mutations.len()).sum()
    }

    /// The step with this number.
    pub fn step(&self, number: u64) -> Option<NetworkStep> {
        let mut rest = number;
        for (component, of) in self.components.iter().enumerate() {
            if let Some(mutation) = of.mutations.get(rest) {
                let parent = Arc::clone(&of.skeleton);
                return Some(NetworkStep {
                    component,
                    parent,
                    mutation,
                });
            }
            rest -= of.mutations.len();
        }
        None
    }

    /// The operator of the first mutation so far.
    pub fn first_operator(&self) -> Option<AppliedOperator> {
        self.steps.first().map(|step| step.mutation.applied())
    }

    /// The operators of the mutations that can follow, in order.
    pub fn operators(&self) -> Vec<AppliedOperator> {
        let mutations = self.components.iter().flat_map(|one| one.mutations.iter());
        mutations.map(|mutation| mutation.applied()).collect()
    }

    /// The mutations so far, and `last`.
    pub fn steps(&self, last: &NetworkStep) -> Vec<NetworkStep> {
        self.steps.iter().chain([last]).cloned().collect()
    }

    /// The id of the mutant that `last` makes.
    pub fn id(&self, last: &NetworkStep) -> String {
        let component = &self.components[last.component].component;
        format!("{}{}", self.prefix, component.id(&last.mutation))
    }

    /// The network of the mutant that `last` makes.
    pub fn mutant(&self, last: &NetworkStep) -> Network {
        let component = &self.components[last.component].component;
        component.mutant(&self.network, &last.mutation)
    }

    /// The guidelines that name all mutations of the mutant that `last` makes, each relative to the network to which it
    /// is applied; `None` if some mutation is not named.
    pub fn rules(&self, view: &View, last: &NetworkStep) -> Option<Vec<Rule>> {
        let mut rules = self.rules.clone()?;
        let component = &self.components[last.component].component;
        rules.push(rule(&self.network, view, component, &last.mutation)?);
        Some(rules)
    }

    /// The stage after `last`, at which the mutant can be mutated again.
    pub fn after(&self, last: &NetworkStep, view: &View, options: &MutationOptions) -> Self {
        let network = self.mutant(last);
        let mut components = self.components.clone();
        let component = &self.components[last.component].component;
        components[last.component] = Mutable::new(component.after(&last.mutation), options);
        Self {
            steps: self.steps(last),
            prefix: format!("{};", self.id(last)),
            rules: self.rules(view, last),
            network: Arc::new(network),
            components,
        }
    }
}
