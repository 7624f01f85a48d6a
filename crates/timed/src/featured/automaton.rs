//! The superposition of a family, and the condition of each of its parts.

use crate::model::{ActionId, Automaton, EdgeId, Guard, LocId, Urgency};
use tamper_features::{FeatureExpr, FeatureModel};
use tamper_text::IndexVec;

/// The conditions of the conjuncts of an invariant, in their order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GuardConditions {
    /// The conditions of the clock atoms, in order.
    pub clocks: Vec<FeatureExpr>,
    /// The conditions of the integer conditions, in order.
    pub data: Vec<FeatureExpr>,
}

impl GuardConditions {
    fn always(guard: &Guard) -> Self {
        Self {
            clocks: vec![FeatureExpr::True; guard.clocks.len()],
            data: vec![FeatureExpr::True; guard.data.len()],
        }
    }
    fn fits(&self, guard: &Guard) -> bool {
        self.clocks.len() == guard.clocks.len() && self.data.len() == guard.data.len()
    }
}

/// The conditions under which the parts of a superposition exist: the function of \[003\] Definition 4.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conditions {
    /// The condition under which each location exists.
    pub locations: IndexVec<LocId, FeatureExpr>,
    /// The condition of each conjunct of each location's invariant.
    pub invariants: IndexVec<LocId, GuardConditions>,
    /// The condition of each edge. An edge exists only together with its source and its target.
    pub edges: IndexVec<EdgeId, FeatureExpr>,
    /// The condition under which each action is in the alphabet.
    pub actions: IndexVec<ActionId, FeatureExpr>,
    /// The initial locations; in each product the condition of exactly one holds.
    pub initial: Vec<(FeatureExpr, LocId)>,
    /// The urgency of each location, by condition; in each product that has the location, exactly one of its conditions
    /// holds.
    pub urgency: IndexVec<LocId, Vec<(FeatureExpr, Urgency)>>,
}

/// Each value once, in order, with the disjunction of its conditions.
fn joined<T: Copy + Ord>(values: &[(FeatureExpr, T)]) -> Vec<(FeatureExpr, T)> {
    let mut by_value = std::collections::BTreeMap::<T, Vec<FeatureExpr>>::new();
    for (when, value) in values {
        by_value.entry(*value).or_default().push(when.clone());
    }
    let join = |(value, conditions): (T, Vec<FeatureExpr>)| (FeatureExpr::any(conditions), value);
    by_value.into_iter().map(join).collect()
}

impl Conditions {
    /// Conditions under which every part of `automaton` exists in every product.
    pub fn always(automaton: &Automaton) -> Self {
        let locations = automaton.locations().iter();
        Self {
            locations: locations.clone().map(|_| FeatureExpr::True).collect(),
            invariants: locations
                .clone()
                .map(|location| GuardConditions::always(&location.invariant))
                .collect(),
            edges: automaton.edges().iter().map(|_| FeatureExpr::True).collect(),
            actions: automaton.actions().iter().map(|_| FeatureExpr::True).collect(),
            initial: vec![(FeatureExpr::True, automaton.initial())],
            urgency: locations
                .map(|location| vec![(FeatureExpr::True, location.urgency)])
                .collect(),
        }
    }
    fn all(&self) -> impl Iterator<Item = &FeatureExpr> {
        let invariants = self.invariants.iter();
        self.locations
            .iter()
            .chain(&self.edges)
            .chain(&self.actions)
            .chain(invariants.flat_map(|invariant| invariant.clocks.iter().chain(&invariant.data)))
            .chain(self.initial.iter().map(|(when, _)| when))
            .chain(self.urgency.iter().flatten().map(|(when, _)| when))
    }
}

/// The reason why conditions do not fit an automaton or a feature model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FeaturedError {
    /// There are more or fewer conditions than parts.
    #[error("there are more or fewer conditions than parts of the automaton")]
    WrongShape,
    /// A condition names a feature that the model does not have.
    #[error("a condition names a feature that the feature model does not have")]
    UnknownFeature,
    /// An initial location that the automaton does not have.
    #[error("an initial location is not one of the automaton's")]
    UnknownInitialLocation,
}

/// A featured timed game: a superposition, a feature model, and the conditions of the parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FeaturedAutomaton {
    automaton: Automaton,
    model: FeatureModel,
    conditions: Conditions,
}

impl FeaturedAutomaton {
    /// The featured game of these parts.
    ///
    /// # Errors
    /// If the conditions do not fit.
    pub fn new(automaton: Automaton, model: FeatureModel, mut conditions: Conditions) -> Result<Self, FeaturedError> {
        let n_locations = automaton.locations().len();
        let shapes = [
            (conditions.locations.len(), n_locations),
            (conditions.invariants.len(), n_locations),
            (conditions.urgency.len(), n_locations),
            (conditions.edges.len(), automaton.edges().len()),
            (conditions.actions.len(), automaton.actions().len()),
        ];
        let invariants = automaton.locations().iter().zip(&conditions.invariants);
        if shapes.iter().any(|(given, needed)| given != needed)
            || invariants
                .into_iter()
                .any(|(location, given)| !given.fits(&location.invariant))
        {
            return Err(FeaturedError::WrongShape);
        }
        let known = |location: &LocId| automaton.locations().get(*location).is_some();
        if !conditions.initial.iter().all(|(_, location)| known(location)) {
            return Err(FeaturedError::UnknownInitialLocation);
        }
        let has_feature = |feature| model.features().get(feature).is_some();
        if !conditions
            .all()
            .all(|when| when.features().into_iter().all(has_feature))
        {
            return Err(FeaturedError::UnknownFeature);
        }
        // Order and repetition have no meaning; after this normalisation equal families are equal.
        let urgencies = conditions.urgency.iter().map(|list| joined(list)).collect();
        conditions.urgency = urgencies;
        conditions.initial = joined(&conditions.initial);
        Ok(Self {
            automaton,
            model,
            conditions,
        })
    }

    /// The superposition: all parts of all members of the family.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }
    /// The feature model that the conditions refer to.
    pub fn model(&self) -> &FeatureModel {
        &self.model
    }
    /// The conditions under which the parts exist.
    pub fn conditions(&self) -> &Conditions {
        &self.conditions
    }
    /// The condition under which `edge` exists: its own condition and the conditions of its ends.
    pub fn edge_condition(&self, edge: EdgeId) -> FeatureExpr {
        let ends = &self.automaton.edges()[edge];
        FeatureExpr::all([
            self.conditions.edges[edge].clone(),
            self.conditions.locations[ends.source].clone(),
            self.conditions.locations[ends.target].clone(),
        ])
    }
    /// The same family, whose games ignore (`true`) or refuse (`false`) inputs that no edge accepts.
    #[must_use]
    pub fn with_input_enabling(self, input_enabled: bool) -> Self {
        Self {
            automaton: self.automaton.with_input_enabling(input_enabled),
            ..self
        }
    }
    /// The same family under another feature model, for instance with more constraints.
    ///
    /// # Errors
    /// If a condition names a feature that `model` does not have.
    pub fn with_model(&self, model: FeatureModel) -> Result<Self, FeaturedError> {
        Self::new(self.automaton.clone(), model, self.conditions.clone())
    }
}
