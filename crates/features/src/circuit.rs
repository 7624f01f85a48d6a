//! All products of a feature model as a circuit: decisions, and products of independent parts.
//!
//! A node stands for a connected part (a component) of the clauses that are left after some decisions. It has up to two
//! branches, one per value of a variable; a branch fixes literals, leaves variables free, and has components as children,
//! which share no variables (decomposable) as branches share no solutions (deterministic). So counts, fixed features and
//! uniform samples are linear in the circuit. Its size does not depend on a single order of the features, unlike a
//! [`Diagram`](super::Diagram), which explodes with auxiliary variables or large models.

mod clauses;
mod compile;
mod nodes;
mod order;
#[cfg(test)]
mod tests;

use num_bigint::BigUint;

use self::clauses::Clauses;
use self::compile::compile;
use self::nodes::Nodes;
use super::{Cnf, EncodedModel, FeatureId, FeatureModel, Fixed, Product, Random};
use tamper_text::{Budget, Id, StopReason};

/// All products of a feature model.
#[derive(Clone, Debug)]
pub struct Circuit {
    nodes: Nodes,
    root: u32,
    n_features: usize,
    /// By node.
    counts: Vec<BigUint>,
}

impl Circuit {
    /// The products of `model`. Exponential in the worst case: `budget` limits the number of nodes (as states), their
    /// memory and the memory of remembered components. `progress` is called now and then with the number of nodes.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn of(model: &FeatureModel, budget: &Budget, progress: &mut dyn FnMut(usize)) -> Result<Self, StopReason> {
        let encoded = EncodedModel::within(model, budget)?;
        Self::of_clauses(encoded.cnf(), model.features().len(), budget, progress)
    }

    /// The solutions of `cnf`, whose first `n_features` variables are features; each is counted, whether or not it differs
    /// from another in features.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn of_clauses(
        cnf: &Cnf,
        n_features: usize,
        budget: &Budget,
        progress: &mut dyn FnMut(usize),
    ) -> Result<Self, StopReason> {
        let (nodes, root) = compile(Clauses::of(cnf, budget)?, budget, progress)?;
        let mut counts: Vec<BigUint> = Vec::with_capacity(nodes.len());
        // Counts exist twice when samples are drawn.
        let mut bytes = nodes.bytes();
        for node in 0..nodes.len() {
            let branches = nodes.branches(node as u32);
            let count: BigUint = branches.map(|branch| nodes.count(branch, &counts)).sum();
            bytes += 2 * (count.bits() / 8 + size_of::<BigUint>() as u64);
            counts.push(count);
            if let Some(reason) = budget.exceeded(0, bytes) {
                return Err(reason);
            }
        }
        Ok(Self {
            nodes,
            root,
            n_features,
            counts,
        })
    }

    /// Number of products.
    pub fn count(&self) -> &BigUint {
        &self.counts[self.root as usize]
    }
    /// Number of nodes in the circuit.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }
    /// The dead features (in no product) and the core features (in every product); `None` if there is no product.
    pub fn fixed(&self) -> Option<Fixed> {
        if self.root == Nodes::NONE {
            return None;
        }
        // By literal: whether it holds in some product. Parents come after their children.
        let mut seen = vec![false; 2 * self.n_features];
        let mut see = |lit: u32| {
            if let Some(seen) = seen.get_mut(lit as usize) {
                *seen = true;
            }
        };
        let mut is_reached = vec![false; self.nodes.len()];
        is_reached[self.root as usize] = true;
        for node in (0..=self.root).rev() {
            if !is_reached[node as usize] {
                continue;
            }
            for branch in self.nodes.branches(node) {
                self.nodes.literals(branch).iter().for_each(|lit| see(*lit));
                for var in self.nodes.free(branch) {
                    see(2 * var);
                    see(2 * var + 1);
                }
                let children = self.nodes.children(branch).iter();
                children.for_each(|child| is_reached[*child as usize] = true);
            }
        }
        let mut fixed = Fixed::default();
        for index in 0..self.n_features {
            match (seen[2 * index], seen[2 * index + 1]) {
                (true, false) => fixed.core.push(FeatureId::from_index(index)),
                (false, true) => fixed.dead.push(FeatureId::from_index(index)),
                _ => {}
            }
        }
        Some(fixed)
    }
    /// Draws products uniformly and independently, seeded by `seed`; draws nothing if there is no product.
    pub fn sampler(&self, seed: u64) -> Sampler<'_> {
        let first = |node: usize| {
            let mut branches = self.nodes.branches(node as u32);
            branches
                .next()
                .map(|branch| self.nodes.count(branch, &self.counts))
                .unwrap_or_default()
        };
        Sampler {
            circuit: self,
            first: (0..self.nodes.len()).map(first).collect(),
            random: Random::new(seed),
        }
    }
}

/// Products that are drawn uniformly and independently.
#[derive(Clone, Debug)]
pub struct Sampler<'c> {
    circuit: &'c Circuit,
    /// By node: number of products of its first branch.
    first: Vec<BigUint>,
    random: Random,
}

impl Iterator for Sampler<'_> {
    type Item = Product;
    fn next(&mut self) -> Option<Product> {
        let Circuit {
            nodes,
            root,
            n_features,
            counts,
        } = self.circuit;
        if *root == Nodes::NONE {
            return None;
        }
        let mut selected = Vec::new();
        let mut open = vec![*root];
        while let Some(node) = open.pop() {
            let mut branches = nodes.branches(node);
            let mut branch = branches.next();
            if let Some(second) = branches.next() {
                let drawn = self.random.below_big(&counts[node as usize]);
                if drawn >= self.first[node as usize] {
                    branch = Some(second);
                }
            }
            let branch = branch?;
            let literals = nodes.literals(branch).iter();
            selected.extend(literals.filter(|lit| *lit % 2 == 0).map(|lit| lit / 2));
            let free = nodes.free(branch).iter();
            selected.extend(free.filter(|_| self.random.bits() >> 63 == 1));
            open.extend(nodes.children(branch));
        }
        let features = selected
            .into_iter()
            .map(|var| var as usize)
            .filter(|var| var < n_features);
        Some(features.map(FeatureId::from_index).collect())
    }
}
