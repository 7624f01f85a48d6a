//! Restricts a featured mutant model to the products that are given mutants.
//!
//! Products of size k are the mutants of order k, so the group of mutations is made to select exactly k. At order 1 the
//! features that no kept mutant has are forbidden. At order 2 each feature either implies one of its partners in kept
//! mutants, or excludes its partners in dropped ones, whichever is shorter. The two are equivalent if kept and dropped
//! partners together are all partners that the feature has in the unrestricted model. Memory is one bit per pair of
//! features, whatever the number of mutants.

use tamper_features::{FeatureExpr, FeatureId, FeatureModel, GroupKind};
use tamper_text::Id;

/// Sets of one or two features.
#[derive(Clone, Debug)]
pub(super) struct FeatureSets {
    n_features: usize,
    /// Bit matrix: `(f, f)` for a single feature, both `(f, g)` and `(g, f)` for a pair.
    bits: Vec<u64>,
}

impl FeatureSets {
    pub(super) fn new(n_features: usize) -> Self {
        let words = n_features.div_ceil(64);
        Self {
            n_features,
            bits: vec![0; words * n_features],
        }
    }

    fn set(&mut self, row: usize, column: usize) {
        let words = self.n_features.div_ceil(64);
        self.bits[row * words + column / 64] |= 1 << (column % 64);
    }

    fn has(&self, row: usize, column: usize) -> bool {
        let words = self.n_features.div_ceil(64);
        self.bits[row * words + column / 64] >> (column % 64) & 1 == 1
    }

    /// Adds a set; returns false if it has neither one nor two features.
    pub(super) fn insert(&mut self, set: &[FeatureId]) -> bool {
        match set {
            [only] => self.set(only.index(), only.index()),
            [first, second] => {
                self.set(first.index(), second.index());
                self.set(second.index(), first.index());
            }
            _ => return false,
        }
        true
    }
}

/// The products that a restricted model has.
pub(super) struct Restriction<'a> {
    /// The sets of mutations that become products, all of `order` features.
    pub kept: &'a FeatureSets,
    /// The other sets; `None` unless `kept` and `dropped` together are all products of the unrestricted model.
    pub dropped: Option<&'a FeatureSets>,
    /// The features that are mutations.
    pub mutations: &'a [FeatureId],
    /// Number of mutations in a product, 1 or 2.
    pub order: u32,
}

impl Restriction<'_> {
    /// Restricts `model`, in which the mutations form one group.
    pub(super) fn apply(&self, model: &mut FeatureModel) {
        let group = self
            .mutations
            .first()
            .and_then(|first| model.features()[*first].group());
        if let Some(group) = group {
            let kind = match self.order {
                1 => GroupKind::Alternative,
                order => GroupKind::Cardinality { min: order, max: order },
            };
            model.set_kind(group, kind);
        }
        for feature in self.mutations {
            let (expr, reason) = self.rule(*feature);
            if expr != FeatureExpr::True {
                model.add_constraint(expr, reason);
            }
        }
    }

    fn rule(&self, feature: FeatureId) -> (FeatureExpr, &'static str) {
        let row = feature.index();
        let own = FeatureExpr::Var(feature);
        let is_kept = |other: &&FeatureId| self.kept.has(row, other.index());
        let kept: Vec<&FeatureId> = self.mutations.iter().filter(is_kept).collect();
        if kept.is_empty() {
            return (!own, "no kept mutant has this mutation");
        }
        if self.order == 1 {
            return (FeatureExpr::True, "");
        }
        let var = |feature: &&FeatureId| FeatureExpr::Var(**feature);
        if let Some(dropped) = self.dropped {
            let is_dropped = |other: &&FeatureId| dropped.has(row, other.index()) && !is_kept(other);
            let excluded: Vec<&FeatureId> = self.mutations.iter().filter(is_dropped).collect();
            if excluded.len() < kept.len() {
                let none = FeatureExpr::all(excluded.iter().map(|other| !var(other)));
                return (own.implies(none), "these together are no kept mutant");
            }
        }
        let any = FeatureExpr::any(kept.iter().map(var));
        (own.implies(any), "only these together are a kept mutant")
    }
}
