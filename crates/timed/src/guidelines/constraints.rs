//! The guidelines as constraints of a featured mutant model (\[003\] section 4.4), so that no configurator offers a
//! mutant they name.
//!
//! At order 1 every mutation that a rule names is excluded. At order 2 a product is excluded exactly if the rules name
//! both mutations of one of the sequences it stands for, each relative to what it is applied to. To say this in
//! linear size there is one more feature, `effective`, which no rule but its own definition fixes: a named mutation
//! requires it, and it is there exactly if some mutation is not named. Whether a mutation is named depends little on
//! the other: the few pairs where it does are found by applying one and asking the rules about the other.

use std::collections::{BTreeMap, BTreeSet};

use super::{Rule, violated};
use crate::featured::FeaturedError;
use crate::model::{Automaton, LocId, Role};
use crate::mutation::{FeaturedMutants, Mutation, MutationKey, MutationOptions, Mutations, Operator, ProductBound};
use tamper_features::{FeatureExpr, FeatureId, FeatureModelError, GroupKind, Product};

/// The name of the feature that tells whether some mutation is not named.
const EFFECTIVE: &str = "effective";

/// A featured mutant model whose products are the mutants that no guideline names, and the original.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuidedMutants {
    mutants: FeaturedMutants,
    effective: Option<(FeatureId, FeatureExpr)>,
}

/// The reason why the guidelines cannot be constraints.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GuidanceError {
    /// For products of three or more mutations the constraints would not be exact.
    #[error("the guidelines are constraints at orders 1 and 2 only")]
    UnsupportedBound,
    /// The same for families of automata.
    #[error("the guidelines are constraints for single automata only, not for families")]
    Family,
    /// The feature `effective` cannot be added.
    #[error("{0}")]
    Model(FeatureModelError),
    /// The parts do not fit together.
    #[error("{0}")]
    Featured(FeaturedError),
}

impl GuidedMutants {
    /// `mutants` with a constraint for every mutation that a rule names; the constraint's reason names the lemma.
    ///
    /// # Errors
    /// If the bound is above order 2 or the mutants are mutants of a family.
    pub fn of(mutants: &FeaturedMutants) -> Result<Self, GuidanceError> {
        if mutants.n_base_features() > 1 {
            return Err(GuidanceError::Family);
        }
        let mut model = mutants.model().clone();
        let findings = match mutants.bound() {
            ProductBound::Sequences(1) | ProductBound::Sets(Some(0 | 1)) => Findings::first_order(mutants),
            ProductBound::Sequences(2) => Findings::second_order(mutants),
            ProductBound::Sequences(_) | ProductBound::Sets(_) => return Err(GuidanceError::UnsupportedBound),
        };
        let mut effective = None;
        if mutants.bound() == ProductBound::Sequences(2) {
            let mut name = EFFECTIVE.to_owned();
            while model.find(&name).is_some() {
                name.push('_');
            }
            let group = model.add_group(model.root(), GroupKind::Optional);
            let feature = model.add_feature(group, &name).map_err(GuidanceError::Model)?;
            model.feature_mut(feature).is_abstract = true;
            let meaning = findings.effective();
            let reason = "effective: some mutation is not named by the guidelines, relative to what it is applied to";
            let var = FeatureExpr::Var(feature);
            model.add_constraint(var.clone().implies(meaning.clone()), reason);
            model.add_constraint(meaning.clone().implies(var), reason);
            effective = Some((feature, meaning));
        }
        let required = effective
            .as_ref()
            .map_or(FeatureExpr::False, |(feature, _)| FeatureExpr::Var(*feature));
        for (feature, rule) in &findings.named {
            let id = mutants.mutations().get(feature).map_or("", |mutation| &mutation.id);
            let reason = format!("{id}: {rule}, {} ({})", rule.advice(), rule.source());
            model.add_constraint(FeatureExpr::Var(*feature).implies(required.clone()), reason);
        }
        let mutants = mutants.with_model(model).map_err(GuidanceError::Featured)?;
        Ok(Self { mutants, effective })
    }

    /// The mutants under the constrained model.
    pub fn mutants(&self) -> &FeaturedMutants {
        &self.mutants
    }
    /// The product of the constrained model that has the mutations of `product`, if the model allows them.
    pub fn complete(&self, product: &Product) -> Product {
        let mut product = product.clone();
        if let Some((feature, meaning)) = &self.effective
            && meaning.holds(&product)
        {
            product.insert(*feature);
        }
        product
    }
}

/// The verdicts of the rules about single mutations, and about some pairs.
#[derive(Debug, Default)]
struct Findings {
    /// The named features: relative to the base automaton, or to the mutant that the feature requires.
    named: BTreeMap<FeatureId, Rule>,
    unnamed: BTreeSet<FeatureId>,
    /// By unnamed feature: the named features after which it is named.
    named_after: BTreeMap<FeatureId, Vec<FeatureId>>,
    /// By named feature: the named features that can only be applied before it, and after which it is not named.
    spoiled_by: BTreeMap<FeatureId, Vec<FeatureId>>,
}

impl Findings {
    fn first_order(mutants: &FeaturedMutants) -> Self {
        let mut findings = Self::default();
        for mutation in Mutations::of(mutants.base(), mutants.options()).iter() {
            if let Some([feature]) = mutants.features_of(&[mutation]).as_deref() {
                findings.add(*feature, violated(mutants.base(), &mutation));
            }
        }
        findings
    }

    fn second_order(mutants: &FeaturedMutants) -> Self {
        let mut findings = Self::first_order(mutants);
        let pairs = NamedPairs::of(mutants, &mut findings);
        findings.add_added_edges(mutants);
        findings.add_pairs(mutants, &pairs);
        findings
    }

    fn add(&mut self, feature: FeatureId, rule: Option<Rule>) {
        match rule {
            Some(rule) => {
                self.named.insert(feature, rule);
            }
            None => {
                self.unnamed.insert(feature);
            }
        }
    }

    /// TAD is named by its role alone, whatever edge it clones.
    fn add_added_edges(&mut self, mutants: &FeaturedMutants) {
        for (feature, mutation) in mutants.mutations() {
            if let MutationKey::AddEdge(edge) = &mutation.key {
                let like = Mutation::AddEdge {
                    source: edge.source,
                    target: edge.target,
                    role: edge.role,
                    cloned: None,
                };
                self.add(*feature, violated(mutants.base(), &like));
            }
        }
    }

    /// Compares the verdicts about every pair with the verdicts for independent mutations.
    fn add_pairs(&mut self, mutants: &FeaturedMutants, pairs: &NamedPairs) {
        for ((first, second), named) in &pairs.after {
            if *named && self.named.contains_key(first) && self.unnamed.contains(second) {
                self.named_after.entry(*second).or_default().push(*first);
            }
            let both = self.named.contains_key(first) && self.named.contains_key(second);
            let other_way = pairs.after.get(&(*second, *first)).copied().unwrap_or(false);
            if both && !named && !other_way {
                self.spoiled_by.entry(*second).or_default().push(*first);
            }
        }
        for (feature, mutation) in mutants.mutations() {
            let MutationKey::AddEdge(edge) = &mutation.key else {
                continue;
            };
            if mutation.order > 1 {
                continue;
            }
            for (second, named) in pairs.after_added.get(&(edge.target, edge.role)).into_iter().flatten() {
                if *named && self.named.contains_key(feature) && self.unnamed.contains(second) {
                    self.named_after.entry(*second).or_default().push(*feature);
                }
                let both = self.named.contains_key(feature) && self.named.contains_key(second);
                if both && !named && removes_end(mutants, *second, [edge.source, edge.target]) {
                    self.spoiled_by.entry(*second).or_default().push(*feature);
                }
            }
        }
    }

    /// The condition that some mutation is not named.
    fn effective(&self) -> FeatureExpr {
        let any = |features: Option<&Vec<FeatureId>>| {
            FeatureExpr::any(features.into_iter().flatten().map(|feature| FeatureExpr::Var(*feature)))
        };
        let unnamed = self.unnamed.iter().map(|feature| {
            let helped = any(self.named_after.get(feature));
            FeatureExpr::Var(*feature).and(!helped)
        });
        let spoiled = self.spoiled_by.iter();
        let spoiled = spoiled.map(|(feature, by)| FeatureExpr::Var(*feature).and(any(Some(by))));
        FeatureExpr::any(unnamed.chain(spoiled))
    }
}

/// Whether the mutation removes a location that the added edge needs: then it cannot come first.
fn removes_end(mutants: &FeaturedMutants, feature: FeatureId, ends: [LocId; 2]) -> bool {
    let key = mutants.mutations().get(&feature).map(|mutation| &mutation.key);
    matches!(key, Some(MutationKey::RemoveLocation(location)) if ends.contains(location))
}

/// Whether the second of two mutations is named.
#[derive(Debug, Default)]
struct NamedPairs {
    /// For mutations of the automaton itself, none of them TAD.
    after: BTreeMap<(FeatureId, FeatureId), bool>,
    /// After TAD of an edge with that target and role: nothing else about the edge matters to the rules.
    after_added: BTreeMap<(LocId, Role), Vec<(FeatureId, bool)>>,
}

impl NamedPairs {
    /// Asks the rules about pairs; mutations of the result of the first one are added to `findings`.
    fn of(mutants: &FeaturedMutants, findings: &mut Findings) -> Self {
        let mut pairs = Self::default();
        let no_tad = MutationOptions {
            operators: mutants
                .options()
                .operators
                .iter()
                .copied()
                .filter(|op| *op != Operator::Tad)
                .collect(),
            ..mutants.options().clone()
        };
        for first in Mutations::of(mutants.base(), mutants.options()).iter() {
            let parent = first.apply(mutants.base());
            let representative = match first {
                Mutation::AddEdge { target, role, .. } => !pairs.after_added.contains_key(&(target, role)),
                _ => true,
            };
            for second in Mutations::of(&parent, &no_tad).iter() {
                if !representative && !is_about_last_edge(&parent, &second) {
                    continue;
                }
                let Some([a, b]) = mutants
                    .features_of(&[first, second])
                    .as_deref()
                    .and_then(|f| f.first_chunk().copied())
                else {
                    continue;
                };
                let rule = violated(&parent, &second);
                let is_first_order = mutants.mutations().get(&b).is_some_and(|mutation| mutation.order == 1);
                match first {
                    _ if !is_first_order => findings.add(b, rule),
                    Mutation::AddEdge { target, role, .. } => {
                        let known = pairs.after_added.entry((target, role)).or_default();
                        known.push((b, rule.is_some()));
                    }
                    _ => {
                        pairs.after.insert((a, b), rule.is_some());
                    }
                }
            }
        }
        pairs
    }
}

/// Whether the mutation changes the edge that was added last.
fn is_about_last_edge(automaton: &Automaton, mutation: &Mutation) -> bool {
    use crate::mutation::Site;
    let last = automaton.edges().ids().next_back();
    match *mutation {
        Mutation::RemoveEdge { edge } | Mutation::NegateGuard { edge, .. } => Some(edge) == last,
        Mutation::LargerConstant { site, .. } | Mutation::SmallerConstant { site, .. } => {
            matches!(site, Site::Guard(edge) if Some(edge) == last)
        }
        Mutation::AddEdge { .. } | Mutation::RemoveLocation { .. } | Mutation::Alter { .. } | Mutation::Again(_) => {
            false
        }
    }
}

#[cfg(test)]
mod tests;
