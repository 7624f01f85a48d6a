//! Checks whether all members of a family are automata, and finds the parts that no member has.

use super::{FeaturedAutomaton, ProjectionError};
use crate::model::{EdgeId, LocId};
use tamper_features::{Explainer, FeatureExpr, FeatureId, FeatureModel, GroupKind, Product, Solver, SolverFailure};
use tamper_text::Id;

/// Dead parts and faults of a family.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Audit {
    /// Locations that no member has.
    pub dead_locations: Vec<LocId>,
    /// Edges that no member has.
    pub dead_edges: Vec<EdgeId>,
    /// The reasons why some product is not an automaton, each once, with an example product.
    pub faults: Vec<(ProjectionError, Product)>,
}

impl FeaturedAutomaton {
    /// Examines all products at once, with one call of `solver` (which has no clauses yet) per condition. Without faults
    /// [`project`](Self::project) succeeds for every product; if there are no products, the audit is empty.
    ///
    /// # Errors
    /// If the solver does not answer.
    pub fn audit(&self, solver: impl Solver) -> Result<Audit, SolverFailure> {
        let mut questions = Questions::of(self.model());
        let presence: Vec<_> = self.presence().collect();
        let faults: Vec<_> = self.faults().collect();
        let asked: Vec<_> = presence
            .iter()
            .map(|(_, when)| when)
            .chain(faults.iter().map(|(_, when)| when))
            .collect();
        let asked: Vec<_> = asked.into_iter().map(|when| questions.ask(when)).collect();
        let mut answers = Answers {
            n_features: self.model().features().len(),
            explainer: Explainer::new(&questions.model, solver),
        };
        let mut audit = Audit::default();
        if answers.example(None)?.is_none() {
            return Ok(audit);
        }
        let (of_presence, of_faults) = asked.split_at(presence.len());
        for ((part, _), question) in presence.into_iter().zip(of_presence) {
            if answers.example(*question)?.is_none() {
                match part {
                    AutomatonPart::Location(id) => audit.dead_locations.push(id),
                    AutomatonPart::Edge(id) => audit.dead_edges.push(id),
                }
            }
        }
        for ((error, _), question) in faults.into_iter().zip(of_faults) {
            if let Some(product) = answers.example(*question)? {
                audit.faults.push((error, product));
            }
        }
        Ok(audit)
    }

    fn presence(&self) -> impl Iterator<Item = (AutomatonPart, FeatureExpr)> + '_ {
        let locations = self.conditions().locations.iter_enumerated();
        let locations = locations.map(|(id, when)| (AutomatonPart::Location(id), when.clone()));
        let edges = self.automaton().edges().ids();
        locations.chain(edges.map(|id| (AutomatonPart::Edge(id), self.edge_condition(id))))
    }

    /// The possible reasons why a product is not an automaton, each with the condition on products under which it occurs.
    pub fn faults(&self) -> impl Iterator<Item = (ProjectionError, FeatureExpr)> + '_ {
        let conditions = self.conditions();
        let begin = conditions.initial.iter();
        let outside = begin
            .clone()
            .map(|(when, at)| when.clone().and(!conditions.locations[*at].clone()));
        let begin = not_exactly_one(begin.map(|(when, _)| when));
        let initial = FeatureExpr::any(outside.chain([begin]));
        let urgency = conditions.urgency.iter_enumerated().map(|(id, list)| {
            let wrong = not_exactly_one(list.iter().map(|(when, _)| when));
            (
                ProjectionError::Urgency(id),
                wrong.and(conditions.locations[id].clone()),
            )
        });
        let actions = self.automaton().edges().iter_enumerated().map(|(id, edge)| {
            let missing = !conditions.actions[edge.action].clone();
            (ProjectionError::Action(id), self.edge_condition(id).and(missing))
        });
        let initial = (ProjectionError::InitialLocation, initial);
        let all = std::iter::once(initial).chain(urgency).chain(actions);
        all.filter(|(_, when)| *when != FeatureExpr::False)
    }
}

enum AutomatonPart {
    Location(LocId),
    Edge(EdgeId),
}

/// The condition that none of `conditions` holds, or at least two do.
fn not_exactly_one<'a>(conditions: impl Iterator<Item = &'a FeatureExpr>) -> FeatureExpr {
    let conditions: Vec<_> = conditions.cloned().collect();
    let pairs = conditions.iter().enumerate().flat_map(|(position, first)| {
        let later = conditions[position + 1..].iter();
        later.map(move |second| first.clone().and(second.clone()))
    });
    let none = !FeatureExpr::any(conditions.iter().cloned());
    FeatureExpr::any(pairs.collect::<Vec<_>>()).or(none)
}

/// A feature model with an additional feature for each question, otherwise equivalent.
struct Questions {
    model: FeatureModel,
    group: tamper_features::GroupId,
}

impl Questions {
    fn of(model: &FeatureModel) -> Self {
        let mut model = model.clone();
        let group = model.add_group(model.root(), GroupKind::Optional);
        Self { model, group }
    }

    /// The feature that represents the condition `when`; `None` if `when` is constantly true.
    fn ask(&mut self, when: &FeatureExpr) -> Option<FeatureId> {
        if *when == FeatureExpr::True {
            return None;
        }
        let mut name = format!("question {}", self.model.features().len());
        let feature = loop {
            match self.model.add_feature(self.group, &name) {
                Ok(feature) => break feature,
                Err(_) => name.push('_'),
            }
        };
        self.model
            .add_constraint(FeatureExpr::Var(feature).implies(when.clone()), "");
        Some(feature)
    }
}

struct Answers<S> {
    explainer: Explainer<S>,
    n_features: usize,
}

impl<S: Solver> Answers<S> {
    /// A product for which the question is answered with yes.
    fn example(&mut self, question: Option<FeatureId>) -> Result<Option<Product>, SolverFailure> {
        let choices: Vec<_> = question.into_iter().map(|feature| (feature, true)).collect();
        let found = self.explainer.find(&choices)?;
        Ok(found.map(|product| product.iter().filter(|id| id.index() < self.n_features).collect()))
    }
}
