//! Random small feature models and products, for the tests of every room that reads or writes them.

use super::{FeatureExpr, FeatureId, FeatureModel, GroupKind, Product, Random};
use tamper_text::Id;

/// A model of 2 to `most` features and up to 3 constraints.
pub fn model(random: &mut Random, most: usize) -> FeatureModel {
    let mut model = FeatureModel::new("root").unwrap();
    let n = 2 + random.below(most - 1);
    while model.features().len() < n {
        let parent = FeatureId::from_index(random.below(model.features().len()));
        let size = 1 + random.below(4.min(n - model.features().len()));
        let kind = match random.below(5) {
            0 => GroupKind::Mandatory,
            1 => GroupKind::Optional,
            2 => GroupKind::Or,
            3 => GroupKind::Alternative,
            _ => {
                let min = random.below(size + 1);
                let max = min + random.below(size - min + 1);
                GroupKind::Cardinality {
                    min: u32::try_from(min).unwrap(),
                    max: u32::try_from(max.max(1)).unwrap(),
                }
            }
        };
        let group = model.add_group(parent, kind);
        for _ in 0..size {
            let number = model.features().len();
            // Names that need quotes somewhere, and names that do not.
            let name = match random.below(3) {
                0 => format!("f {number}<&'"),
                1 => format!("or{number}"),
                _ => format!("f_{number}"),
            };
            model.add_feature(group, &name).unwrap();
        }
    }
    for number in 0..random.below(4) {
        let condition = expr(random, n, 3);
        model.add_constraint(condition, format!("reason {number}"));
    }
    model
}

/// A condition over the first `n` features, of that depth at most.
pub fn expr(random: &mut Random, n: usize, depth: usize) -> FeatureExpr {
    let var = |random: &mut Random| FeatureExpr::Var(FeatureId::from_index(random.below(n)));
    if depth == 0 {
        return var(random);
    }
    match random.below(6) {
        0 => var(random),
        1 => !expr(random, n, depth - 1),
        2 => expr(random, n, depth - 1).implies(expr(random, n, depth - 1)),
        3 => expr(random, n, depth - 1).iff(expr(random, n, depth - 1)),
        4 => FeatureExpr::all((0..2 + random.below(2)).map(|_| expr(random, n, depth - 1))),
        _ => FeatureExpr::any((0..2 + random.below(2)).map(|_| expr(random, n, depth - 1))),
    }
}

/// Every set of the model's features.
pub fn subsets(model: &FeatureModel) -> impl Iterator<Item = Product> + use<> {
    let n = model.features().len();
    (0_u32..1 << n).map(move |bits| {
        let selected = (0..n).filter(|index| bits >> index & 1 == 1);
        selected.map(FeatureId::from_index).collect()
    })
}

/// The products of `model`, by the definition.
pub fn products(model: &FeatureModel) -> Vec<Product> {
    subsets(model).filter(|product| model.allows(product)).collect()
}
