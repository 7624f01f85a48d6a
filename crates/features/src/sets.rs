//! Sets of products of one feature model, with the operations that an analysis of all products at once needs.
//!
//! [`Diagrams`] are shared decision diagrams: equal sets are equal nodes, so that comparing is free and operations on sets
//! that few features tell apart cost little however many products there are. [`Bitmaps`](super::Bitmaps) have a bit per
//! product, compressed. `docs/notes/0007-families.md` says which one is used where, and why.

use num_bigint::BigUint;

use super::forest::{FALSE, Forest, SetOperation, TRUE, clip};
use super::{Diagram, FeatureExpr, FeatureId, FeatureModel, Product};
use tamper_text::{Budget, Id, StopReason};

/// Sets of products of one feature model. All operations are exact; an error is the limit that was hit.
pub trait ProductSets {
    /// A set of products; sets with the same products are equal.
    type Set: Clone + PartialEq + std::fmt::Debug;
    /// The set without any product.
    fn none(&self) -> Self::Set;
    /// The set of all products of the model.
    fn all(&self) -> Self::Set;
    /// The products for which `when` holds; perhaps with sets of features that are no products, which
    /// [`and`](Self::and) with a set of products removes.
    ///
    /// # Errors
    /// The limit that was hit.
    fn holding(&mut self, when: &FeatureExpr) -> Result<Self::Set, StopReason>;
    /// The products in both.
    ///
    /// # Errors
    /// The limit that was hit.
    fn and(&mut self, first: &Self::Set, second: &Self::Set) -> Result<Self::Set, StopReason>;
    /// The products in either.
    ///
    /// # Errors
    /// The limit that was hit.
    fn or(&mut self, first: &Self::Set, second: &Self::Set) -> Result<Self::Set, StopReason>;
    /// The products in the first and not in the second.
    ///
    /// # Errors
    /// The limit that was hit.
    fn minus(&mut self, first: &Self::Set, second: &Self::Set) -> Result<Self::Set, StopReason>;
    /// Whether the set is empty.
    fn is_empty(&self, set: &Self::Set) -> bool;
    /// Whether `product` is in the set.
    fn contains(&self, set: &Self::Set, product: &Product) -> bool;
    /// A product of the set: the same one every time.
    fn some(&self, set: &Self::Set) -> Option<Product>;
    /// Number of products in the set.
    fn count(&self, set: &Self::Set) -> BigUint;
}

/// A set of products as a node of its [`Diagrams`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DiagramSet(pub(super) u32);

/// Sets of products as decision diagrams that share their nodes.
#[derive(Clone, Debug)]
pub struct Diagrams {
    pub(super) forest: Forest,
    pub(super) all: u32,
    n_operations: u64,
}

impl Diagrams {
    /// For the products of `model`; `budget` limits the number of nodes (as states), over all operations.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn of(model: &FeatureModel, budget: &Budget) -> Result<Self, StopReason> {
        let mut forest = Forest::new(model.features().len(), budget);
        let all = forest.model(model)?;
        Ok(Self {
            forest,
            all,
            n_operations: 0,
        })
    }
    /// The set as a separate diagram: to count, number and sample its products.
    pub fn diagram(&self, set: DiagramSet) -> Diagram {
        Diagram::without_the_rest(&self.forest, set.0)
    }
    /// The set of `products`, which are sorted and all different.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn of_products(&mut self, products: &[Product]) -> Result<DiagramSet, StopReason> {
        let selected = |product: &Product| product.iter().map(|feature| clip(feature.index())).collect();
        let products: Vec<Vec<u32>> = products.iter().map(selected).collect();
        let n_vars = self.forest.n_vars;
        let mut none_from = vec![TRUE; n_vars as usize + 1];
        for var in (0..n_vars).rev() {
            none_from[var as usize] = self.forest.node(var, none_from[var as usize + 1], FALSE)?;
        }
        self.listed(&products, 0, 0, &none_from).map(DiagramSet)
    }
    /// Of products that are the same before `depth` and select no other feature before `var`.
    fn listed(&mut self, products: &[Vec<u32>], depth: usize, var: u32, none_from: &[u32]) -> Result<u32, StopReason> {
        let n_ended = products.partition_point(|product| product.len() == depth);
        let mut groups: Vec<&[Vec<u32>]> = products[n_ended..].chunk_by(|a, b| a[depth] == b[depth]).collect();
        let mut from = self.forest.n_vars;
        let mut set = if n_ended > 0 { TRUE } else { FALSE };
        while let Some(group) = groups.pop() {
            let next = group[0][depth];
            let high = self.listed(group, depth + 1, next + 1, none_from)?;
            set = self.unselected(set, next + 1, from, none_from)?;
            set = self.forest.node(next, set, high)?;
            from = next;
        }
        self.unselected(set, var, from, none_from)
    }
    /// The set, without a feature from the first up to the second one.
    fn unselected(&mut self, set: u32, first: u32, end: u32, none_from: &[u32]) -> Result<u32, StopReason> {
        if set == TRUE && end == self.forest.n_vars {
            return Ok(none_from[first as usize]);
        }
        (first..end)
            .rev()
            .try_fold(set, |set, var| self.forest.node(var, set, FALSE))
    }
    /// The set of the products of `diagram`, which has the same feature model.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn import(&mut self, diagram: &Diagram) -> Result<DiagramSet, StopReason> {
        let (numbers, is_all) = diagram.numbers();
        let mut moved = vec![FALSE, TRUE];
        for [var, low, high] in numbers {
            let node = self.forest.node(var, moved[low as usize], moved[high as usize])?;
            moved.push(node);
        }
        Ok(DiagramSet(match moved.len() {
            2 => u32::from(is_all),
            n => moved[n - 1],
        }))
    }
    /// Drops all sets except these, the full and the empty set; these get new nodes.
    pub fn keep(&mut self, sets: &mut [&mut DiagramSet]) {
        let mut roots: Vec<&mut u32> = sets.iter_mut().map(|set| &mut set.0).collect();
        roots.push(&mut self.all);
        self.forest.keep(&mut roots);
    }
    /// Number of nodes of all sets together.
    pub fn n_nodes(&self) -> usize {
        self.forest.nodes.len()
    }
    /// Number of operations on sets so far.
    pub fn n_operations(&self) -> u64 {
        self.n_operations
    }
    fn apply(&mut self, first: DiagramSet, second: DiagramSet, op: SetOperation) -> Result<DiagramSet, StopReason> {
        self.n_operations += 1;
        self.forest.apply(first.0, second.0, op).map(DiagramSet)
    }
}

impl ProductSets for Diagrams {
    type Set = DiagramSet;
    fn none(&self) -> DiagramSet {
        DiagramSet(FALSE)
    }
    fn all(&self) -> DiagramSet {
        DiagramSet(self.all)
    }
    fn holding(&mut self, when: &FeatureExpr) -> Result<DiagramSet, StopReason> {
        self.forest.expr(when, false).map(DiagramSet)
    }
    fn and(&mut self, first: &DiagramSet, second: &DiagramSet) -> Result<DiagramSet, StopReason> {
        self.apply(*first, *second, SetOperation::And)
    }
    fn or(&mut self, first: &DiagramSet, second: &DiagramSet) -> Result<DiagramSet, StopReason> {
        self.apply(*first, *second, SetOperation::Or)
    }
    fn minus(&mut self, first: &DiagramSet, second: &DiagramSet) -> Result<DiagramSet, StopReason> {
        self.apply(*first, *second, SetOperation::Minus)
    }
    fn is_empty(&self, set: &DiagramSet) -> bool {
        set.0 == FALSE
    }
    fn contains(&self, set: &DiagramSet, product: &Product) -> bool {
        let mut at = set.0;
        while at > TRUE {
            let node = self.forest.nodes[at as usize];
            let selected = product.contains(FeatureId::from_index(node.var as usize));
            at = if selected { node.high } else { node.low };
        }
        at == TRUE
    }
    fn some(&self, set: &DiagramSet) -> Option<Product> {
        // Few selected features: every node except a constant leads to both leaves.
        let mut at = set.0;
        let mut product = Product::new();
        while at > TRUE {
            let node = self.forest.nodes[at as usize];
            at = node.low;
            if at == FALSE {
                product.insert(FeatureId::from_index(node.var as usize));
                at = node.high;
            }
        }
        (at == TRUE).then_some(product)
    }
    fn count(&self, set: &DiagramSet) -> BigUint {
        self.diagram(*set).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use crate::arbitrary::{expr, model, products};

    /// Random sets of products, each also as a list.
    fn random_sets(seed: u64) -> (Diagrams, FeatureModel, Vec<(DiagramSet, Vec<Product>)>) {
        let mut random = Random::new(seed);
        let model = model(&mut random, 10);
        let mut sets = Diagrams::of(&model, &Budget::unlimited()).unwrap();
        let all = products(&model);
        let mut known = vec![(sets.all(), all.clone()), (sets.none(), Vec::new())];
        for _ in 0..6 {
            let condition = expr(&mut random, model.features().len(), 3);
            let holding = sets.holding(&condition).unwrap();
            let set = sets.and(&sets.all(), &holding).unwrap();
            let listed = all.iter().filter(|product| condition.holds(product)).cloned();
            known.push((set, listed.collect()));
        }
        (sets, model, known)
    }

    fn is(sets: &Diagrams, set: DiagramSet, listed: &[Product], all: &[Product]) -> bool {
        let has = |product: &Product| sets.contains(&set, product) == listed.contains(product);
        sets.count(&set) == BigUint::from(listed.len()) && all.iter().all(has)
    }

    #[test]
    fn what_is_kept_means_the_same_and_can_be_computed_with() {
        let mut n_forgotten = 0;
        for seed in 0..60 {
            let (mut sets, _, mut known) = random_sets(seed);
            let all = known[0].1.clone();
            let before = sets.n_nodes();
            // Not all of them; one twice.
            let mut kept: Vec<(DiagramSet, Vec<Product>)> = known.drain(..).step_by(2).collect();
            kept.push(kept[1].clone());
            sets.keep(&mut kept.iter_mut().map(|(set, _)| set).collect::<Vec<_>>());
            n_forgotten += before - sets.n_nodes();
            assert!(is(&sets, sets.all(), &all, &all), "seed {seed}");
            for (set, listed) in &kept {
                assert!(is(&sets, *set, listed, &all), "seed {seed}");
                for (other, others) in &kept {
                    assert_eq!(
                        set == other,
                        listed == others,
                        "seed {seed}: equal sets are equal nodes"
                    );
                    let minus: Vec<Product> = listed.iter().filter(|one| !others.contains(one)).cloned().collect();
                    let both: Vec<Product> = listed.iter().filter(|one| others.contains(one)).cloned().collect();
                    let found = sets.minus(set, other).unwrap();
                    assert!(is(&sets, found, &minus, &all), "seed {seed}");
                    let found = sets.and(set, other).unwrap();
                    assert!(is(&sets, found, &both, &all), "seed {seed}");
                }
            }
        }
        assert!(n_forgotten > 100, "{n_forgotten}");
    }

    #[test]
    fn a_set_that_is_written_down_is_read_as_the_same() {
        for seed in 0..60 {
            let (sets, model, known) = random_sets(seed);
            let n_features = model.features().len();
            // Another analysis of the same model, which has made other sets before.
            let mut others = Diagrams::of(&model, &Budget::unlimited()).unwrap();
            others
                .holding(&expr(&mut Random::new(seed + 1_000), n_features, 3))
                .unwrap();
            for (set, listed) in &known {
                let diagram = sets.diagram(*set);
                let (numbers, is_all) = diagram.numbers();
                let read = Diagram::from_numbers(n_features, &numbers, is_all).unwrap();
                assert_eq!(read, diagram, "seed {seed}");
                let imported = others.import(&read).unwrap();
                assert!(is(&others, imported, listed, &known[0].1), "seed {seed}");
                assert_eq!(others.diagram(imported), diagram, "seed {seed}: in one order of nodes");
            }
        }
    }

    #[test]
    fn numbers_that_are_no_diagram_are_refused() {
        let node = [2, 0, 1];
        assert!(Diagram::from_numbers(3, &[node], false).is_some());
        for numbers in [
            vec![[3, 0, 1]],       // no such feature
            vec![[2, 0, 2]],       // itself
            vec![[2, 0, 5]],       // nothing
            vec![[2, 1, 1]],       // asks in vain
            vec![node, [2, 0, 2]], // asks again
            vec![node, node],      // twice
            vec![node, [1, 0, 1]], // one that nothing needs
        ] {
            assert_eq!(Diagram::from_numbers(3, &numbers, false), None, "{numbers:?}");
        }
    }
}
