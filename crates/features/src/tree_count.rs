//! Models without cross-tree constraints: the number of products, and the dead and core features, from the tree alone.

use num_bigint::BigUint;

use super::{FeatureId, FeatureModel, Fixed, Group, GroupKind};
use tamper_text::{Budget, Id, StopReason};

/// The number of products; `None` if the model has cross-tree constraints (see [`Circuit`](super::Circuit)). Linear in the
/// size of the model, but quadratic in groups with a cardinality; `budget` limits memory and time.
///
/// # Errors
/// The limit that was hit.
pub fn tree_count(model: &FeatureModel, budget: &Budget) -> Result<Option<BigUint>, StopReason> {
    if !model.constraints().is_empty() {
        return Ok(None);
    }
    // By feature: the number of valid selections below it when it is selected.
    let mut ways = vec![BigUint::from(1_u8); model.features().len()];
    for (id, feature) in model.features().iter_enumerated().rev() {
        let mut total = BigUint::from(1_u8);
        for group in feature.groups() {
            total *= group_count(&model.groups()[*group], &ways, budget)?;
        }
        ways[id.index()] = total;
    }
    Ok(ways.into_iter().next())
}

/// Number of valid selections below a group whose parent is selected.
fn group_count(group: &Group, ways: &[BigUint], budget: &Budget) -> Result<BigUint, StopReason> {
    let one = || BigUint::from(1_u8);
    let members = || group.members().iter().map(|member| &ways[member.index()]);
    let (min, max) = group.kind().bounds(group.members().len());
    match group.kind() {
        _ if min > max => Ok(BigUint::ZERO),
        GroupKind::Mandatory => Ok(members().product()),
        GroupKind::Optional => Ok(members().map(|ways| ways + one()).product()),
        GroupKind::Or => Ok(members().map(|ways| ways + one()).product::<BigUint>() - one()),
        GroupKind::Alternative => Ok(members().sum()),
        GroupKind::Cardinality { .. } if members().all(|ways| *ways == one()) => {
            choices(group.members().len(), min, max, budget)
        }
        GroupKind::Cardinality { .. } => {
            // By number of selected members: the number of valid selections.
            let mut selected = vec![one()];
            for ways in members() {
                selected.push(BigUint::ZERO);
                for count in (1..selected.len()).rev() {
                    let one_more = &selected[count - 1] * ways;
                    selected[count] += one_more;
                }
                selected.truncate(max + 1);
                let largest = selected.iter().map(BigUint::bits).max().unwrap_or(0);
                if let Some(reason) = budget.exceeded(0, selected.len() as u64 * (largest / 8 + 32)) {
                    return Err(reason);
                }
            }
            Ok(selected.iter().skip(min).sum())
        }
    }
}

/// Number of subsets of `min` to `max` of `n` elements.
fn choices(n: usize, min: usize, max: usize, budget: &Budget) -> Result<BigUint, StopReason> {
    let mut of_size = BigUint::from(1_u8);
    let mut all = BigUint::ZERO;
    for size in 0..=max {
        if size > 0 {
            of_size = of_size * (n - size + 1) / size;
        }
        if size >= min {
            all += &of_size;
        }
        if let Some(reason) = budget.exceeded(0, 0) {
            return Err(reason);
        }
    }
    Ok(all)
}

/// The dead and core features of a model without cross-tree constraints; `None` if there is no product.
pub(super) fn tree_fixed(model: &FeatureModel) -> Option<Fixed> {
    let n = model.features().len();
    // Whether a feature can be selected, as far as the tree below it goes.
    let mut is_possible = vec![true; n];
    let bounds = |group: &Group, is_possible: &[bool]| {
        let n_possible = group
            .members()
            .iter()
            .filter(|member| is_possible[member.index()])
            .count();
        let (min, max) = group.kind().bounds(group.members().len());
        (n_possible, min, max)
    };
    for (id, feature) in model.features().iter_enumerated().rev() {
        is_possible[id.index()] = feature.groups().iter().all(|group| {
            let (n_possible, min, max) = bounds(&model.groups()[*group], &is_possible);
            min <= max && min <= n_possible
        });
    }
    let [mut can_be, mut must_be] = [vec![false; n], vec![false; n]];
    [can_be[0], must_be[0]] = [is_possible[0]; 2];
    for (id, feature) in model.features().iter_enumerated() {
        for group in feature.groups().iter().map(|group| &model.groups()[*group]) {
            let (n_possible, min, max) = bounds(group, &is_possible);
            for member in group.members().iter().map(|member| member.index()) {
                can_be[member] = can_be[id.index()] && is_possible[member] && max > 0;
                must_be[member] = must_be[id.index()] && is_possible[member] && min == n_possible && max > 0;
            }
        }
    }
    let those = |keep: &dyn Fn(usize) -> bool| (0..n).filter(|index| keep(*index)).map(FeatureId::from_index).collect();
    is_possible[0].then(|| Fixed {
        dead: those(&|index| !can_be[index]),
        core: those(&|index| must_be[index]),
    })
}
