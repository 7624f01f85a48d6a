//! Groups as constraints, for formats that lack a kind of group.

use super::{FeatureExpr, FeatureId, FeatureModel, FeatureModelError, Group, GroupKind};
use tamper_text::Id;

/// Up to this many clauses, bounds are spelled out; above it they are counted with additional features.
const MAX_CLAUSES: usize = 64;

impl FeatureModel {
    /// The same products with only the groups for which `keep` holds; the others become optional groups and
    /// constraints. Features keep their ids. Bounds of large groups need counting features at the end, abstract, with
    /// the attribute `hidden`, and fixed by the others: about `max + 1` for each member.
    ///
    /// # Errors
    /// Never, unless the names of counting features run out.
    pub fn without_groups(&self, keep: impl Fn(&Group) -> bool) -> Result<Self, FeatureModelError> {
        let mut model = Self::new(self.features()[self.root()].name())?;
        let mut groups = std::collections::BTreeMap::new();
        for (id, feature) in self.features().iter_enumerated() {
            if let Some(group) = feature.group() {
                let old = &self.groups()[group];
                let kind = if keep(old) { old.kind() } else { GroupKind::Optional };
                let group = *groups
                    .entry(group)
                    .or_insert_with(|| model.add_group(old.parent(), kind));
                model.add_feature(group, feature.name())?;
            }
            let copy = model.feature_mut(id);
            copy.is_abstract = feature.is_abstract;
            copy.attributes.clone_from(&feature.attributes);
        }
        for constraint in self.constraints() {
            model.add_constraint(constraint.expr.clone(), constraint.reason.clone());
        }
        for (id, group) in self.groups().iter_enumerated() {
            if !keep(group) || group.members().is_empty() {
                SpellOut {
                    model: &mut model,
                    name: format!("g{}", id.index()),
                }
                .group(group)?;
            }
        }
        Ok(model)
    }
}

struct SpellOut<'a> {
    model: &'a mut FeatureModel,
    /// Prefix of the names of counting features.
    name: String,
}

impl SpellOut<'_> {
    fn group(&mut self, group: &Group) -> Result<(), FeatureModelError> {
        let parent = FeatureExpr::Var(group.parent());
        let members: Vec<FeatureExpr> = group.members().iter().map(|member| FeatureExpr::Var(*member)).collect();
        let (min, max) = group.kind().bounds(members.len());
        let n = members.len();
        let name = self.model.features()[group.parent()].name().to_owned();
        let reason = format!("{min} to {max} features below {name}");
        if min > max {
            self.model.add_constraint(!parent, reason);
            return Ok(());
        }
        let least = if min == 0 {
            Some(Vec::new())
        } else {
            subsets(n, n - min + 1)
        };
        let most = if max == n {
            Some(Vec::new())
        } else {
            subsets(n, max + 1)
        };
        let pick = |subset: &Vec<usize>| subset.iter().map(|index| members[*index].clone()).collect::<Vec<_>>();
        if let (Some(least), Some(most)) = (least, most) {
            for subset in &least {
                let some = parent.clone().implies(FeatureExpr::any(pick(subset)));
                self.model.add_constraint(some, reason.clone());
            }
            for subset in &most {
                let not_all = !FeatureExpr::all(pick(subset));
                self.model.add_constraint(not_all, reason.clone());
            }
            return Ok(());
        }
        let counts = self.counter(&members, if max < n { max + 1 } else { min })?;
        if max < n {
            self.model.add_constraint(!counts[max].clone(), reason.clone());
        }
        if min > 0 {
            let enough = parent.implies(counts[min - 1].clone());
            self.model.add_constraint(enough, reason);
        }
        Ok(())
    }

    /// Features that say "at least 1, 2, .. `columns` of `members` are selected".
    fn counter(&mut self, members: &[FeatureExpr], columns: usize) -> Result<Vec<FeatureExpr>, FeatureModelError> {
        let counting = self.model.add_group(self.model.root(), GroupKind::Optional);
        let mut before: Vec<FeatureExpr> = Vec::new();
        for (row, member) in members.iter().enumerate() {
            let mut after = Vec::new();
            for column in 0..columns.min(row + 1) {
                let nearly = column
                    .checked_sub(1)
                    .map_or(FeatureExpr::True, |less| before[less].clone());
                let already = before.get(column).cloned().unwrap_or(FeatureExpr::False);
                let meaning = already.or(nearly.and(member.clone()));
                let name = format!("{}_at_least_{}_of_{}", self.name, column + 1, row + 1);
                let feature = FeatureExpr::Var(self.counting_feature(counting, &name)?);
                let reason = format!("{name} counts");
                let defined = feature.clone().implies(meaning.clone());
                self.model.add_constraint(defined, reason.clone());
                self.model.add_constraint(meaning.implies(feature.clone()), reason);
                after.push(feature);
            }
            before = after;
        }
        Ok(before)
    }

    fn counting_feature(&mut self, group: super::GroupId, name: &str) -> Result<FeatureId, FeatureModelError> {
        let mut name = name.to_owned();
        while self.model.find(&name).is_some() {
            name.push('_');
        }
        let feature = self.model.add_feature(group, &name)?;
        let details = self.model.feature_mut(feature);
        details.is_abstract = true;
        details.attributes.push(("hidden".to_owned(), "true".to_owned()));
        Ok(feature)
    }
}

/// Every subset of `size` of the first `n` numbers; `None` if there are more than `MAX_CLAUSES`.
fn subsets(n: usize, size: usize) -> Option<Vec<Vec<usize>>> {
    // The subsets are counted before they are made: subsets of size n - 1 of many features are few, but long.
    let mut count = 1_usize;
    for step in 0..size.min(n.saturating_sub(size)) {
        count = count.saturating_mul(n - step) / (step + 1);
        if count > MAX_CLAUSES {
            return None;
        }
    }
    let mut found = vec![Vec::new()];
    for at in 0..size {
        // Extends only the subsets that can still reach `size`, so that there are never more than in the end.
        let longer = |subset: &Vec<usize>| {
            let subset = subset.clone();
            let from = subset.last().map_or(0, |last| last + 1);
            (from..=n - (size - at)).map(move |next| subset.iter().copied().chain([next]).collect())
        };
        found = found.iter().flat_map(longer).collect();
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The subset that lacks the first number was lost where the prefixes of the others were many.
    #[test]
    fn all_subsets_are_there_also_large_ones() {
        for n in 0..70 {
            let all_but_one = subsets(n, n.max(1) - 1).map(|found| found.len());
            assert_eq!(all_but_one, (n <= MAX_CLAUSES).then_some(n.max(1)), "{n}");
            assert_eq!(subsets(n, n), Some(vec![(0..n).collect()]));
        }
        assert_eq!(subsets(5, 3).unwrap().len(), 10);
        assert_eq!(subsets(200, 100), None);
    }
}
