//! One member of a family.

use super::FeaturedAutomaton;
use crate::model::{
    ActionId, Automaton, AutomatonBuilder, Edge, EdgeId, Guard, LocId, Location, Propositions, Urgency,
};
use tamper_features::{FeatureExpr, Product};
use tamper_text::{Id, IndexVec};

/// The reason why a product is not an automaton. The conditions are at fault, not the product.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProjectionError {
    /// The conditions of no initial location hold, or of several, or the location does not exist in the product.
    #[error("the product has not exactly one initial location")]
    InitialLocation,
    /// The location exists and the conditions of no urgency hold, or of several.
    #[error("location {} has not exactly one urgency", .0.index())]
    Urgency(LocId),
    /// The edge exists and its action is not in the alphabet.
    #[error("the action of edge {} is not in the product's alphabet", .0.index())]
    Action(crate::model::EdgeId),
    /// The existing parts do not form an automaton.
    #[error("the product's parts are no automaton")]
    NotWellFormed,
}

impl FeaturedAutomaton {
    /// The automaton of `product`: the parts whose conditions hold, in the order of the superposition; edges only together
    /// with both ends. Clocks and integers are common to all products. Linear in the superposition.
    ///
    /// # Errors
    /// If the conditions that hold do not make an automaton; never for a product of a featured mutant model.
    pub fn project(&self, product: &Product) -> Result<Automaton, ProjectionError> {
        let whole = self.automaton();
        let mut builder = AutomatonBuilder::new(whole.name());
        for clock in whole.clocks() {
            builder.clock_like(clock, std::sync::Arc::clone(&clock.name));
        }
        for int in whole.ints() {
            builder.int(int.clone());
        }
        builder.input_enabled(whole.is_input_enabled());
        let actions = self.project_actions(product, &mut builder);
        let locations = self.project_locations(product, &mut builder)?;
        for (id, edge) in whole.edges().iter_enumerated() {
            let (Some(source), Some(target)) = (locations[edge.source], locations[edge.target]) else {
                continue;
            };
            if self.conditions().edges[id].holds(product) {
                builder.edge(Edge {
                    source,
                    target,
                    action: actions[edge.action].ok_or(ProjectionError::Action(id))?,
                    ..(**edge).clone()
                });
            }
        }
        let initial = one(&self.conditions().initial, product).and_then(|location| locations[location]);
        builder.initial(initial.ok_or(ProjectionError::InitialLocation)?);
        let game = builder.build().map_err(|_| ProjectionError::NotWellFormed)?;
        let held = game
            .locations()
            .iter()
            .filter_map(|location| whole.propositions().get_key_value(&location.name));
        let held: Propositions = held.map(|(name, held)| (name.clone(), held.clone())).collect();
        Ok(game.with_propositions(held))
    }

    /// The locations and edges of the superposition that the game of `product` has, by their ids in that game.
    pub fn kept(&self, product: &Product) -> (IndexVec<LocId, LocId>, IndexVec<EdgeId, EdgeId>) {
        let locations = self.automaton().locations().ids();
        let kept = locations.filter(|id| self.conditions().locations[*id].holds(product));
        let edges = self.automaton().edges().ids();
        let of_edges = edges.filter(|id| self.edge_condition(*id).holds(product));
        (kept.collect(), of_edges.collect())
    }

    fn project_actions(
        &self,
        product: &Product,
        builder: &mut AutomatonBuilder,
    ) -> IndexVec<ActionId, Option<ActionId>> {
        let actions = self.automaton().actions().iter().zip(&self.conditions().actions);
        actions
            .map(|(action, when)| {
                when.holds(product)
                    .then(|| builder.action(&action.name, action.role, action.urgent))
            })
            .collect()
    }

    fn project_locations(
        &self,
        product: &Product,
        builder: &mut AutomatonBuilder,
    ) -> Result<IndexVec<LocId, Option<LocId>>, ProjectionError> {
        let mut moved = IndexVec::new();
        for (id, location) in self.automaton().locations().iter_enumerated() {
            if !self.conditions().locations[id].holds(product) {
                moved.push(None);
                continue;
            }
            let conditions = &self.conditions().invariants[id];
            let invariant = Guard {
                clocks: present(&location.invariant.clocks, &conditions.clocks, product),
                data: present(&location.invariant.data, &conditions.data, product),
            };
            let urgency: Option<Urgency> = one(&self.conditions().urgency[id], product);
            moved.push(Some(builder.location(Location {
                name: std::sync::Arc::clone(&location.name),
                invariant,
                urgency: urgency.ok_or(ProjectionError::Urgency(id))?,
            })));
        }
        Ok(moved)
    }
}

fn present<T: Clone>(items: &[T], conditions: &[FeatureExpr], product: &Product) -> Vec<T> {
    let pairs = items.iter().zip(conditions);
    pairs
        .filter(|(_, when)| when.holds(product))
        .map(|(item, _)| item.clone())
        .collect()
}

/// The one value whose condition holds.
fn one<T: Copy>(values: &[(FeatureExpr, T)], product: &Product) -> Option<T> {
    let mut holding = values.iter().filter(|(when, _)| when.holds(product));
    let (_, value) = holding.next()?;
    holding.next().is_none().then_some(*value)
}
