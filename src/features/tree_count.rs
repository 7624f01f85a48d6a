//! How many products a model without cross-tree constraints has: one pass over the tree.

use num_bigint::BigUint;

use super::FeatureModel;
use crate::base::Id;

/// The number of products; none if the model has cross-tree constraints (see [`Diagram`](super::Diagram)).
/// Quadratic in the size of the largest group.
pub fn tree_count(model: &FeatureModel) -> Option<BigUint> {
    if !model.constraints().is_empty() {
        return None;
    }
    // By feature: how many ways there are below it where it is selected.
    let mut ways = vec![BigUint::ZERO; model.features().len()];
    for (id, feature) in model.features().iter_enumerated().rev() {
        let mut total = BigUint::from(1_u8);
        for group in feature.groups() {
            let group = &model.groups()[*group];
            let (min, max) = group.kind().bounds(group.members().len());
            // By number of selected members: how many ways.
            let mut selected = vec![BigUint::from(1_u8)];
            for member in group.members() {
                selected.push(BigUint::ZERO);
                for count in (1..selected.len()).rev() {
                    let one_more = &selected[count - 1] * &ways[member.index()];
                    selected[count] += one_more;
                }
                selected.truncate(max + 1);
            }
            let within: BigUint = selected.iter().skip(min).sum();
            total *= within;
        }
        ways[id.index()] = total;
    }
    ways.into_iter().next()
}
