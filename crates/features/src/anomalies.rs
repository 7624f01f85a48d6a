//! What a feature model says in vain: features that are optional in the tree and always there, and constraints that follow
//! from the rest.

use super::{Batsat, ConstraintId, Explainer, FeatureId, FeatureModel, SolverFailure};
use tamper_text::Budget;

/// What a feature model says in vain.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Anomalies {
    /// The features that a group lets out, but that are in every product with their parents. Their parents are in a product.
    pub false_optional: Vec<FeatureId>,
    /// The constraints that follow from all other rules: any one of them can be left out.
    pub redundant: Vec<ConstraintId>,
}

impl Anomalies {
    /// The anomalies of `model`; `None` if it has no product. A solver is asked once for each feature and constraint.
    ///
    /// # Errors
    /// If the solver does not answer.
    pub fn of(model: &FeatureModel, budget: &Budget) -> Result<Option<Self>, SolverFailure> {
        let mut explainer = Explainer::new(model, Batsat::within(budget));
        if !explainer.is_possible(&[])? {
            return Ok(None);
        }
        let mut found = Self::default();
        for group in model.groups().iter() {
            let members = group.members();
            let is_optional = group.kind().bounds(members.len()).0 < members.len();
            if !is_optional || !explainer.is_possible(&[(group.parent(), true)])? {
                continue;
            }
            for member in members {
                if !explainer.is_possible(&[(group.parent(), true), (*member, false)])? {
                    found.false_optional.push(*member);
                }
            }
        }
        found.false_optional.sort_unstable();
        for constraint in model.constraints().ids() {
            let other = model.with_negated(constraint);
            if !Explainer::new(&other, Batsat::within(budget)).is_possible(&[])? {
                found.redundant.push(constraint);
            }
        }
        Ok(Some(found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary::{model, products};
    use crate::{Random, Rule};

    #[test]
    fn anomalies_of_random_models_are_those_of_all_products() {
        let (mut n_optional, mut n_redundant) = (0, 0);
        for seed in 0..300 {
            let model = model(&mut Random::new(seed), 7);
            let all = products(&model);
            let found = Anomalies::of(&model, &Budget::unlimited()).expect("an answer");
            assert_eq!(found.is_none(), all.is_empty(), "seed {seed}");
            let Some(found) = found else { continue };
            for (feature, own) in model.features().iter_enumerated().skip(1) {
                let group = &model.groups()[own.group().expect("a group")];
                let n = group.members().len();
                let with_parent = || all.iter().filter(|product| product.contains(group.parent()));
                let always = with_parent().count() > 0 && with_parent().all(|product| product.contains(feature));
                let expected = always && group.kind().bounds(n).0 < n;
                assert_eq!(
                    found.false_optional.contains(&feature),
                    expected,
                    "seed {seed}: {}",
                    own.name()
                );
                n_optional += usize::from(expected);
            }
            for constraint in model.constraints().ids() {
                // All sets of features that break no rule but this one.
                let n_features = model.features().len() as u32;
                let broken = (0..1_u64 << n_features).filter(|bits| {
                    let product = model
                        .features()
                        .ids()
                        .filter(|id| bits >> tamper_text::Id::index(*id) & 1 == 1)
                        .collect();
                    let broken: Vec<Rule> = model.violated(&product).collect();
                    broken == [Rule::Constraint(constraint)]
                });
                let expected = broken.count() == 0;
                assert_eq!(
                    found.redundant.contains(&constraint),
                    expected,
                    "seed {seed}: {constraint:?}"
                );
                n_redundant += usize::from(expected);
            }
        }
        println!("{n_optional} false-optional features, {n_redundant} redundant constraints");
        assert!(
            n_optional > 30 && n_redundant > 30,
            "{n_optional} false-optional features, {n_redundant} redundant constraints"
        );
    }
}
