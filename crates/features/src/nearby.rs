//! An order of features in which auxiliary features, which only count others, stand beside the features that they count.

use std::collections::BTreeMap;

use super::{FeatureId, FeatureModel, GroupKind};
use tamper_text::Id;

impl FeatureModel {
    /// The same model, with each hidden feature (which formats without cardinalities need for counting) right after the
    /// last feature that it depends on. Files list hidden features at the end, where their decision diagrams explode.
    #[must_use]
    pub fn with_hidden_nearby(self) -> Self {
        let is_hidden: Vec<bool> = self.features().ids().map(|id| self.is_helper(id)).collect();
        let n_hidden = is_hidden.iter().filter(|hidden| **hidden).count();
        if n_hidden == 0 || n_hidden + 1 == is_hidden.len() {
            return self;
        }
        // By the last hidden feature of a constraint: the features that it depends on.
        let mut depends: BTreeMap<FeatureId, Vec<FeatureId>> = BTreeMap::new();
        for constraint in self.constraints() {
            let features = constraint.expr.features();
            if let Some(last) = features.iter().rev().find(|id| is_hidden[id.index()]) {
                depends
                    .entry(*last)
                    .or_default()
                    .extend(features.iter().filter(|id| *id != last));
            }
        }
        let mut ranks: Vec<usize> = (0..is_hidden.len())
            .map(|index| if is_hidden[index] { 0 } else { index })
            .collect();
        for (hidden, others) in depends {
            let rank = others.iter().map(|id| ranks[id.index()]).max();
            ranks[hidden.index()] = rank.unwrap_or(0);
        }
        let mut order: Vec<FeatureId> = self.features().ids().collect();
        order.sort_by_key(|id| (ranks[id.index()], is_hidden[id.index()], *id));
        self.reordered(&order)
    }

    /// Whether the feature is hidden, has nothing below it and may stand anywhere after the root.
    fn is_helper(&self, id: FeatureId) -> bool {
        let feature = &self.features()[id];
        let group = feature.group().map(|group| &self.groups()[group]);
        let is_free = |group: &super::Group| group.kind() == GroupKind::Optional && group.parent() == self.root();
        feature.attribute("hidden") == Some("true") && feature.groups().is_empty() && group.is_some_and(is_free)
    }
}
