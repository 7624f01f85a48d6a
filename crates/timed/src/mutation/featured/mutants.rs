//! The featured mutant model as one object.

use std::collections::BTreeMap;

use super::automaton::Merge;
use super::contents::Removals;
use super::key::{MutationFeature, MutationKey};
use super::model::{FeatureIds, constrain, plan};
use super::names::Names;
use super::track::Tracker;
use crate::featured::{Conditions, FeaturedAutomaton, FeaturedError, ProjectionError};
use crate::model::Automaton;
use crate::mutation::{AppliedOperator, Mutation, MutationOptions, Operator};
use tamper_features::{FeatureExpr, FeatureId, FeatureModel, FeatureModelError, GroupKind, Product};
use tamper_text::Id;

/// The combinations of mutations that are products.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProductBound {
    /// Every sequence of up to this many mutations, 1 to 3; each may be applied to the result of an earlier one.
    Sequences(u8),
    /// Every set of up to this many mutations of the automaton itself (of any size, if `None`), at most one of each
    /// constraint. The mutations of a set are applied in this order: TAD, changes of constraints, TMI, SMI.
    Sets(Option<u32>),
}

impl ProductBound {
    /// The longest sequences that are supported.
    pub const LONGEST: u8 = 3;

    fn reach(self) -> Result<usize, FeaturedMutantsError> {
        match self {
            Self::Sequences(order) if order == 0 || order > Self::LONGEST => {
                Err(FeaturedMutantsError::UnsupportedOrder(order))
            }
            Self::Sequences(order) => Ok(usize::from(order)),
            Self::Sets(_) => Ok(1),
        }
    }
    fn group(self) -> GroupKind {
        let up_to = |max| GroupKind::Cardinality { min: 0, max };
        match self {
            Self::Sequences(order) => up_to(u32::from(order)),
            Self::Sets(Some(most)) => up_to(most),
            Self::Sets(None) => GroupKind::Optional,
        }
    }
    /// Whether no product has two mutations.
    fn is_first_order(self) -> bool {
        matches!(self, Self::Sequences(1) | Self::Sets(Some(0 | 1)))
    }
}

/// The reason why there is no featured mutant model.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FeaturedMutantsError {
    /// Sequences of that length are not supported.
    #[error(
        "a featured mutant model of order {0} is not supported: orders are 1 to {longest}, or sets of first-order \
         mutations of any size",
        longest = ProductBound::LONGEST
    )]
    UnsupportedOrder(u8),
    /// That operator has no features.
    #[error(
        "{0} has no features: a featured mutant model has the operators {operators}",
        operators = Operator::PAPER.map(Operator::name).join(", ")
    )]
    UnsupportedOperator(AppliedOperator),
    /// A feature cannot be added to the model.
    #[error(transparent)]
    Model(#[from] FeatureModelError),
    /// The parts do not fit together.
    #[error(transparent)]
    Featured(#[from] FeaturedError),
}

/// All mutants of an automaton, or of a family of automata, as one featured automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FeaturedMutants {
    base: Automaton,
    automaton: FeaturedAutomaton,
    mutations: BTreeMap<FeatureId, MutationFeature>,
    ids: FeatureIds,
    bound: ProductBound,
    options: MutationOptions,
}

impl FeaturedMutants {
    /// The mutants of `base`.
    ///
    /// # Errors
    /// If the order or an operator is not supported.
    pub fn of(base: &Automaton, options: &MutationOptions, bound: ProductBound) -> Result<Self, FeaturedMutantsError> {
        let root = Names::default().name(base.name());
        let family = FeaturedAutomaton::new(base.clone(), FeatureModel::new(&root)?, Conditions::always(base))?;
        Self::of_family(&family, options, bound)
    }

    /// The mutants of a family: its superposition is mutated, and its own features and conditions stay. So an edge that TAD
    /// adds is a clone of the superposition's first edge, also in members that lack it; a mutation of a part that a member
    /// lacks leaves the member unchanged. A location is not removed from members that begin there, and the initial location
    /// of the superposition is removed from no member.
    ///
    /// # Errors
    /// If the order or an operator is not supported.
    pub fn of_family(
        family: &FeaturedAutomaton,
        options: &MutationOptions,
        bound: ProductBound,
    ) -> Result<Self, FeaturedMutantsError> {
        let has_feature = |applied: &AppliedOperator| !applied.again && applied.operator.is_paper();
        if let Some(applied) = options.applied().into_iter().find(|applied| !has_feature(applied)) {
            return Err(FeaturedMutantsError::UnsupportedOperator(applied));
        }
        let reach = bound.reach()?;
        let base = family.automaton();
        let plan = plan(base, options, reach);
        let mut model = family.model().clone();
        let group = model.add_group(model.root(), bound.group());
        let mut names = Names::avoiding(family.model().features().iter().map(|feature| feature.name()));
        let mut ids = FeatureIds::new();
        let mut mutations = BTreeMap::new();
        for mutation in &plan.features {
            let feature = model.add_feature(group, &names.name(&mutation.id))?;
            let attributes = [("id", &mutation.id), ("operator", &mutation.operator().to_string())];
            model.feature_mut(feature).attributes = attributes
                .into_iter()
                .map(|(name, value)| (name.to_owned(), format!("'{}'", value.replace('\'', "_"))))
                .collect();
            ids.insert(mutation.key.clone(), feature);
            mutations.insert(feature, mutation.clone());
        }
        for (when, location) in &family.conditions().initial {
            if let Some(removed) = ids.get(&MutationKey::RemoveLocation(*location)) {
                let stays = FeatureExpr::Var(*removed).implies(!when.clone());
                model.add_constraint(stays, "where a run begins is not removed");
            }
        }
        if !bound.is_first_order() {
            constrain(&mut model, &plan, &ids, Removals { base, options });
        }
        let merge = Merge {
            base: family,
            options,
            plan: &plan,
            ids: &ids,
            reach,
        };
        Ok(Self {
            base: base.clone(),
            automaton: merge.build(model)?,
            mutations,
            ids,
            bound,
            options: options.clone(),
        })
    }

    /// The mutated automaton (for a family: its superposition).
    pub fn base(&self) -> &Automaton {
        &self.base
    }
    /// The options that determine the mutations.
    pub fn options(&self) -> &MutationOptions {
        &self.options
    }
    /// The bound on combinations of mutations.
    pub fn bound(&self) -> ProductBound {
        self.bound
    }
    /// The featured automaton with its feature model.
    pub fn automaton(&self) -> &FeaturedAutomaton {
        &self.automaton
    }
    /// The feature model, one feature per mutation.
    pub fn model(&self) -> &FeatureModel {
        self.automaton.model()
    }
    /// The features that are mutations, in order.
    pub fn mutations(&self) -> &BTreeMap<FeatureId, MutationFeature> {
        &self.mutations
    }
    /// The feature of that key.
    pub fn feature(&self, key: &MutationKey) -> Option<FeatureId> {
        self.ids.get(key).copied()
    }

    /// The mutations of `sequence` as features, without the root. Each mutation is made for the mutant before it; `None` if
    /// the model lacks a feature for one of them (more mutations than its bound, or other options).
    pub fn features_of(&self, sequence: &[Mutation]) -> Option<Vec<FeatureId>> {
        let mut tracker = Tracker::new(&self.base);
        let keys = sequence.iter().map(|mutation| tracker.apply(mutation));
        keys.map(|key| self.feature(&key?)).collect()
    }
    /// The product that `sequence` stands for: the root and the sequence's mutations. For a family, the features of a
    /// member are to be added.
    pub fn product_of(&self, sequence: &[Mutation]) -> Option<Product> {
        let features = self.features_of(sequence)?;
        let root = self.model().root();
        Some(features.into_iter().chain([root]).collect())
    }
    /// The mutant that is `product`.
    ///
    /// # Errors
    /// Never for a product of a single automaton's mutants; for a family's, if its own conditions are at fault.
    pub fn project(&self, product: &Product) -> Result<Automaton, ProjectionError> {
        self.automaton.project(product)
    }
    /// The same mutants under another feature model over the same features, for instance with the guidelines as
    /// constraints.
    ///
    /// # Errors
    /// If `model` lacks a feature that a condition names.
    pub fn with_model(&self, model: FeatureModel) -> Result<Self, FeaturedError> {
        Ok(Self {
            automaton: self.automaton.with_model(model)?,
            ..self.clone()
        })
    }
    /// Number of features of the model before the first mutation.
    pub fn n_base_features(&self) -> usize {
        self.mutations
            .keys()
            .next()
            .map_or(self.model().features().len(), |first| first.index())
    }
}
