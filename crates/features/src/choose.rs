//! The way from a list of a few features to the product that it denotes.

use std::collections::BTreeSet;

use super::{
    EncodedModel, Explainer, Explanation, FeatureExpr, FeatureId, FeatureModel, Product, Rule, Solver, SolverFailure,
};

/// The product that a list of features denotes, if there is exactly one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The choices leave exactly this product.
    Product(Product),
    /// Several products that differ in these abstract features.
    Ambiguous(Vec<FeatureId>),
    /// The choices leave no product.
    Excluded(Exclusion),
}

/// The reason why a list of features denotes no product.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exclusion {
    /// The rules that cannot all hold where the features are selected.
    pub rules: Vec<Rule>,
    /// The listed features that take part in the conflict.
    pub choices: Vec<FeatureId>,
    /// Whether the conflict also needs that nothing else is selected.
    pub nothing_else: bool,
    /// A product with all listed features and others, if there is one.
    pub larger: Option<Product>,
}

/// The product that has the features of `listed`, the features that these require by the tree alone (the root, parents,
/// mandatory children), abstract and hidden features as the rules demand, and no other feature. `solver` makes a solver
/// without clauses.
///
/// # Errors
/// If the solver does not answer.
pub fn choose<S: Solver>(
    model: &FeatureModel,
    listed: &[FeatureId],
    solver: impl Fn() -> S,
) -> Result<Choice, SolverFailure> {
    let required = required(model, listed);
    let is_free = |id: FeatureId| {
        let feature = &model.features()[id];
        feature.is_abstract || feature.attribute("hidden") == Some("true")
    };
    let others = model
        .features()
        .ids()
        .filter(|id| !required.contains(id) && !is_free(*id));
    let mut exact = model.clone();
    let nothing_else = FeatureExpr::all(others.map(|id| !FeatureExpr::Var(id)));
    let nothing_else = Rule::Constraint(exact.add_constraint(nothing_else, "nothing else is selected"));
    let choices: Vec<_> = listed.iter().map(|id| (*id, true)).collect();
    let mut explainer = Explainer::new(&exact, solver());
    let Some(Explanation { rules, choices: chosen }) = explainer.why_not(&choices)? else {
        return decided(&exact, listed, solver());
    };
    let with_more = Explainer::new(model, solver()).find(&choices)?;
    Ok(Choice::Excluded(Exclusion {
        nothing_else: rules.contains(&nothing_else),
        rules: rules.into_iter().filter(|rule| *rule != nothing_else).collect(),
        choices: chosen.into_iter().map(|(id, _)| id).collect(),
        larger: with_more,
    }))
}

/// `listed` and the features that the tree alone requires.
fn required(model: &FeatureModel, listed: &[FeatureId]) -> BTreeSet<FeatureId> {
    let mut required = BTreeSet::new();
    let mut open: Vec<FeatureId> = listed.iter().copied().chain([model.root()]).collect();
    while let Some(id) = open.pop() {
        if !required.insert(id) {
            continue;
        }
        open.extend(model.parent(id));
        for group in model.features()[id].groups() {
            let group = &model.groups()[*group];
            let n = group.members().len();
            if group.kind().bounds(n).0 == n {
                open.extend(group.members());
            }
        }
    }
    required
}

/// The single product of `model` that has `listed`, or the features that are left open.
fn decided<S: Solver>(model: &FeatureModel, listed: &[FeatureId], mut solver: S) -> Result<Choice, SolverFailure> {
    let encoded = EncodedModel::of(model);
    solver.load(encoded.cnf());
    for id in listed {
        solver.add_clause(&[EncodedModel::lit(*id, true)]);
    }
    let mut found = super::products(&mut solver, &model.features().ids().collect::<Vec<_>>(), 2)?.into_iter();
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(Choice::Product(only)),
        (Some(one), Some(other)) => {
            let differ = |id: &FeatureId| one.contains(*id) != other.contains(*id);
            Ok(Choice::Ambiguous(model.features().ids().filter(differ).collect()))
        }
        // Unreachable: the explainer has found a product.
        (None, _) => Ok(Choice::Ambiguous(Vec::new())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::arbitrary::{model, products};
    use super::super::{Random, Varisat};
    use super::*;
    use tamper_text::Id;

    #[test]
    fn a_list_stands_for_the_product_without_other_features() {
        let mut random = Random::new(11);
        let mut outcomes = [0; 3];
        for _ in 0..400 {
            let mut model = model(&mut random, 7);
            let n = model.features().len();
            for _ in 0..random.below(3) {
                model.feature_mut(FeatureId::from_index(random.below(n))).is_abstract = true;
            }
            let listed: Vec<_> = (0..random.below(3))
                .map(|_| FeatureId::from_index(random.below(n)))
                .collect();
            let required = required(&model, &listed);
            let all = products(&model);
            let has_listed = |product: &&Product| listed.iter().all(|id| product.contains(*id));
            let has_no_other = |product: &&Product| {
                let mut features = product.iter();
                features.all(|id| required.contains(&id) || model.features()[id].is_abstract)
            };
            let meant: Vec<_> = all.iter().filter(has_listed).filter(has_no_other).collect();
            match choose(&model, &listed, Varisat::default).unwrap() {
                Choice::Product(product) => {
                    assert_eq!(meant, [&product]);
                    outcomes[0] += 1;
                }
                Choice::Ambiguous(open) => {
                    assert!(meant.len() > 1 && !open.is_empty());
                    outcomes[1] += 1;
                }
                Choice::Excluded(exclusion) => {
                    assert!(meant.is_empty());
                    let larger = exclusion.larger;
                    assert_eq!(larger.is_some(), all.iter().any(|product| has_listed(&product)));
                    assert!(larger.is_none_or(|product| model.allows(&product) && has_listed(&&product)));
                    assert!(exclusion.choices.iter().all(|id| listed.contains(id)));
                    outcomes[2] += 1;
                }
            }
        }
        assert!(outcomes.iter().all(|n| *n > 10), "{outcomes:?}");
    }
}
