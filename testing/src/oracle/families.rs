//! Random featured games over random feature models, small enough to look at every product.
//!
//! As with games, a sketch is plain data in which every index is taken modulo what there is: each sketch is a well-formed
//! family, all of whose products are well-formed games, and shrinking it shrinks the family. A feature model can be without
//! products. [`project`] is a second implementation of projection, from the definition (\[003\] Definition 5).

use proptest::collection::vec;
use proptest::prelude::*;
use tamper_features::{FeatureExpr, FeatureId, FeatureModel, GroupKind, Product};
use tamper_text::Id;
use tamper_timed::featured::{Conditions, FeaturedAutomaton};
use tamper_timed::model::{Automaton, AutomatonBuilder, Edge, EdgeId, Guard, LocId, Location, Role, Urgency};

use super::generate::{self, Shown};
use super::mutate;
use super::show::show;

/// A condition on features; numbers are taken modulo the number of features.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is the connective its name says")]
pub enum ExprSketch {
    Var(u8),
    Not(Box<ExprSketch>),
    And(Box<ExprSketch>, Box<ExprSketch>),
    Or(Box<ExprSketch>, Box<ExprSketch>),
}

impl ExprSketch {
    /// The condition on features of `model`.
    pub fn build(&self, model: &FeatureModel) -> FeatureExpr {
        match self {
            Self::Var(number) => {
                let index = usize::from(*number) % model.features().len();
                FeatureExpr::Var(FeatureId::from_index(index))
            }
            Self::Not(operand) => !operand.build(model),
            Self::And(left, right) => left.build(model).and(right.build(model)),
            Self::Or(left, right) => left.build(model).or(right.build(model)),
        }
    }
}

/// A feature model: groups below earlier features, and constraints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelSketch {
    /// Of each group: its parent, its kind, its least number (for cardinalities), how many members.
    pub groups: Vec<(u8, u8, u8, u8)>,
    /// Conditions across the tree.
    pub constraints: Vec<ExprSketch>,
}

impl ModelSketch {
    /// The model; its features are `f0` (the root), `f1`, ...
    pub fn build(&self) -> FeatureModel {
        let mut model = FeatureModel::new("f0").unwrap();
        for (parent, kind, min, n) in &self.groups {
            let parent = FeatureId::from_index(usize::from(*parent) % model.features().len());
            let n = u32::from(n % 3) + 1;
            let min = u32::from(*min) % (n + 1);
            let kind = [
                GroupKind::Optional,
                GroupKind::Or,
                GroupKind::Alternative,
                GroupKind::Mandatory,
                GroupKind::Cardinality { min, max: n.max(2) - 1 },
            ][usize::from(kind % 5)];
            let group = model.add_group(parent, kind);
            for _ in 0..n {
                let name = format!("f{}", model.features().len());
                model.add_feature(group, &name).unwrap();
            }
        }
        for constraint in &self.constraints {
            let expr = constraint.build(&model);
            model.add_constraint(expr, "");
        }
        model
    }
}

/// Every product of `model`, by trying all sets of features.
pub fn products(model: &FeatureModel) -> Vec<Product> {
    let n = model.features().len();
    assert!(n <= 12, "few features");
    let set = |bits: u32| {
        let selected = (0..n).filter(move |index| bits >> index & 1 == 1);
        selected.map(FeatureId::from_index).collect::<Product>()
    };
    (0..1u32 << n)
        .map(set)
        .filter(|product| model.allows(product))
        .collect()
}

/// Which parts of a game have which conditions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConditionSketch {
    /// Of edges: a number of an edge, its condition.
    pub edges: Vec<(u8, ExprSketch)>,
    /// Of conjuncts of invariants: a location, a conjunct.
    pub conjuncts: Vec<(u8, u8, ExprSketch)>,
    /// Of locations that are not initial.
    pub locations: Vec<(u8, ExprSketch)>,
    /// Of actions, as far as no edge needs them.
    pub actions: Vec<(u8, ExprSketch)>,
    /// An urgency that a location has under a condition.
    pub urgency: Vec<(u8, Urgency, ExprSketch)>,
    /// Another initial location, under a condition.
    pub initial: Option<(u8, ExprSketch)>,
}

impl ConditionSketch {
    /// `automaton` with these conditions.
    pub fn build(&self, automaton: &Automaton, model: &FeatureModel) -> FeaturedAutomaton {
        let mut conditions = Conditions::always(automaton);
        let location = |number: &u8| LocId::from_index(usize::from(*number) % automaton.locations().len());
        let expr = |sketch: &ExprSketch| sketch.build(model);
        for (number, when) in &self.edges {
            if !automaton.edges().is_empty() {
                let edge = EdgeId::from_index(usize::from(*number) % automaton.edges().len());
                conditions.edges[edge] = expr(when);
            }
        }
        for (number, conjunct, when) in &self.conjuncts {
            let of = &mut conditions.invariants[location(number)];
            let (n_clocks, n) = (of.clocks.len(), of.clocks.len() + of.data.len());
            match usize::from(*conjunct).checked_rem(n) {
                Some(at) if at < n_clocks => of.clocks[at] = expr(when),
                Some(at) => of.data[at - n_clocks] = expr(when),
                None => {}
            }
        }
        for (number, when) in &self.locations {
            conditions.locations[location(number)] = expr(when);
        }
        for (number, urgency, when) in &self.urgency {
            let (at, when) = (location(number), expr(when));
            let other = automaton.locations()[at].urgency;
            if *urgency != other {
                conditions.urgency[at] = vec![(when.clone(), *urgency), (!when, other)];
            }
        }
        if let Some((number, when)) = &self.initial {
            let (second, when) = (location(number), expr(when));
            if second != automaton.initial() {
                conditions.initial = vec![(when.clone(), second), (!when, automaton.initial())];
            }
        }
        for (when, initial) in conditions.initial.clone() {
            let there = conditions.locations[initial].clone();
            conditions.locations[initial] = there.or(when);
        }
        for (number, when) in &self.actions {
            let Some(index) = usize::from(*number).checked_rem(automaton.actions().len()) else {
                continue;
            };
            let action = automaton.actions().ids().nth(index).unwrap();
            let edges = automaton
                .edges()
                .iter_enumerated()
                .filter(|(_, edge)| edge.action == action);
            let needed = edges.map(|(id, _)| conditions.edges[id].clone());
            conditions.actions[action] = FeatureExpr::any(needed.chain([expr(when)]));
        }
        FeaturedAutomaton::new(automaton.clone(), model.clone(), conditions).unwrap()
    }
}

/// A family whose `Debug` is its file and its products.
#[derive(Clone)]
pub struct Family(pub FeaturedAutomaton);

impl Family {
    /// Each product and its game.
    pub fn members(&self) -> Vec<(Product, Automaton)> {
        let of = |product: Product| {
            let member = project(&self.0, &product);
            (product, member)
        };
        products(self.0.model()).into_iter().map(of).collect()
    }
}

impl std::fmt::Debug for Family {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let model = self.0.model();
        write!(f, "{}{:?}", show(self.0.automaton()), self.0.conditions())?;
        for product in products(model) {
            writeln!(f, "product {}", product.show(model))?;
        }
        Ok(())
    }
}

/// The member `product` of `family`: what is there, from the definition.
pub fn project(family: &FeaturedAutomaton, product: &Product) -> Automaton {
    let (whole, conditions) = (family.automaton(), family.conditions());
    let mut builder = AutomatonBuilder::new(whole.name());
    whole.clocks().iter().for_each(|clock| {
        builder.clock(clock.name.clone());
    });
    whole.ints().iter().for_each(|int| {
        builder.int(int.clone());
    });
    builder.input_enabled(whole.is_input_enabled());
    let mut actions = Vec::new();
    for (id, action) in whole.actions().iter_enumerated() {
        let there = conditions.actions[id].holds(product);
        actions.push(there.then(|| builder.action(&action.name, action.role, action.urgent)));
    }
    let mut locations = Vec::new();
    for (id, location) in whole.locations().iter_enumerated() {
        if !conditions.locations[id].holds(product) {
            locations.push(None);
            continue;
        }
        let mut invariant = Guard::always();
        for (at, atom) in location.invariant.clocks.iter().enumerate() {
            if conditions.invariants[id].clocks[at].holds(product) {
                invariant.clocks.push(atom.clone());
            }
        }
        for (at, condition) in location.invariant.data.iter().enumerate() {
            if conditions.invariants[id].data[at].holds(product) {
                invariant.data.push(condition.clone());
            }
        }
        let urgency = conditions.urgency[id].iter().find(|(when, _)| when.holds(product));
        locations.push(Some(builder.location(Location {
            name: location.name.clone(),
            invariant,
            urgency: urgency.unwrap().1,
        })));
    }
    for (id, edge) in whole.edges().iter_enumerated() {
        let ends = (locations[edge.source.index()], locations[edge.target.index()]);
        if let (true, (Some(source), Some(target))) = (conditions.edges[id].holds(product), ends) {
            builder.edge(Edge {
                source,
                target,
                action: actions[edge.action.index()].unwrap(),
                ..(**edge).clone()
            });
        }
    }
    let initial = conditions
        .initial
        .iter()
        .find(|(when, _)| when.holds(product))
        .unwrap()
        .1;
    builder.initial(locations[initial.index()].unwrap());
    builder.build().unwrap()
}

/// A condition on features.
pub fn expr() -> impl Strategy<Value = ExprSketch> {
    // The root is 0: conditions on it are always or never true, and rare.
    let var = prop_oneof![12 => (1u8..9).prop_map(ExprSketch::Var), 1 => Just(ExprSketch::Var(0))];
    var.prop_recursive(2, 4, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            inner.prop_map(|operand| ExprSketch::Not(operand.into())),
            pair.clone()
                .prop_map(|(left, right)| ExprSketch::And(left.into(), right.into())),
            pair.prop_map(|(left, right)| ExprSketch::Or(left.into(), right.into())),
        ]
    })
}

/// A feature model with up to seven features.
pub fn model() -> impl Strategy<Value = ModelSketch> {
    let groups = vec((0u8..3, 0u8..5, 0u8..3, 0u8..3), 1..=2);
    (groups, vec(expr(), 0..=1)).prop_map(|(groups, constraints)| ModelSketch { groups, constraints })
}

/// Conditions of parts.
pub fn conditions() -> impl Strategy<Value = ConditionSketch> {
    let urgency = prop::sample::select(vec![Urgency::Normal, Urgency::Urgent, Urgency::Committed]);
    (
        vec((0u8..8, expr()), 0..=4),
        vec((0u8..3, 0u8..3, expr()), 0..=2),
        vec((0u8..3, expr()), 0..=1),
        vec((0u8..5, expr()), 0..=1),
        vec((0u8..3, urgency, expr()), 0..=1),
        proptest::option::weighted(0.15, (0u8..3, expr())),
    )
        .prop_map(
            |(edges, conjuncts, locations, actions, urgency, initial)| ConditionSketch {
                edges,
                conjuncts,
                locations,
                actions,
                urgency,
                initial,
            },
        )
}

/// A family of games.
pub fn family() -> impl Strategy<Value = Family> {
    (generate::sketch(), model(), conditions()).prop_map(|(mut sketch, model, conditions)| {
        // No file can say that internal edges are urgent.
        let named = generate::ACTIONS.iter().map(|(_, role)| *role != Role::Internal);
        sketch
            .urgent
            .iter_mut()
            .zip(named)
            .for_each(|(urgent, named)| *urgent &= named);
        let model = model.build();
        Family(conditions.build(&sketch.build("G"), &model))
    })
}

/// Two families over the same feature model whose superpositions resemble each other: does each member of the first
/// refine the second's member of the same product? Often a member is a mutant of the other.
#[derive(Clone, Debug)]
pub struct FamilyPair {
    /// Its members should refine those of the other.
    pub mutants: Family,
    /// The specifications.
    pub specs: Family,
}

/// A pair of families.
pub fn pair() -> impl Strategy<Value = FamilyPair> {
    (mutate::pair(), model(), conditions(), conditions()).prop_map(|(pair, model, of_mutant, of_spec)| {
        let model = model.build();
        FamilyPair {
            mutants: Family(of_mutant.build(&pair.mutant, &model)),
            specs: Family(of_spec.build(&pair.spec, &model)),
        }
    })
}

/// A family and one game: does every member refine it? (Or it every member.)
pub fn family_and_game() -> impl Strategy<Value = (Family, Shown)> {
    (mutate::pair(), model(), conditions()).prop_map(|(pair, model, conditions)| {
        let model = model.build();
        (Family(conditions.build(&pair.mutant, &model)), Shown(pair.spec))
    })
}
