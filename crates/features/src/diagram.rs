//! All products of a feature model at once: an ordered, reduced binary decision diagram over its features.
//!
//! Rules that span few features are conjoined first, from the last features to the first, so each step touches little; a flat cardinality
//! group of `n` features with `[0..k]` and local rules stays of size `O(n k)`. Counts are exact. Where features that depend on each other
//! are far apart (the auxiliary variables of clauses, say) it can grow exponentially: then enumerate with a solver. There is no library
//! behind it: about two hundred lines instead of forty crates.

use super::forest::{FALSE, Forest, ForestNode, TRUE, clip};
use super::{FeatureId, FeatureModel, Fixed, Product, Random};
use num_bigint::BigUint;
use tamper_text::{Budget, Id, StopReason};

/// The products of a feature model, or some of them. Equal sets of products of one model are equal diagrams.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// Children before parents; the root last (unless it is a leaf).
    nodes: Vec<ForestNode>,
    root: u32,
    n_vars: u32,
    /// By node: the number of products over the features from its own on.
    counts: Vec<BigUint>,
}

impl Diagram {
    /// The products of `model`. Exponential in the worst case: `budget` limits the number of nodes (as states).
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn of(model: &FeatureModel, budget: &Budget) -> Result<Self, StopReason> {
        let mut forest = Forest::new(model.features().len(), budget);
        let root = forest.model(model)?;
        let (nodes, moved) = forest.moved(&[root]);
        // The forest is no longer needed, and counts may take more room than nodes.
        let n_vars = forest.n_vars;
        drop(forest);
        let mut counts: Vec<BigUint> = vec![FALSE.into(), TRUE.into()];
        let mut bytes = (nodes.len() * size_of::<ForestNode>()) as u64;
        for node in nodes.iter().skip(2) {
            let count = count_of(node, &nodes, &counts);
            bytes += count.bits() / 8 + size_of::<BigUint>() as u64;
            counts.push(count);
            if let Some(reason) = budget.exceeded(0, bytes) {
                return Err(reason);
            }
        }
        Ok(Self {
            root: moved[&root],
            nodes,
            n_vars,
            counts,
        })
    }

    /// Number of products.
    pub fn count(&self) -> BigUint {
        self.counts[self.root as usize].clone() << self.nodes[self.root as usize].var
    }
    /// The dead features (in no product) and the core features (in every product); `None` if there is no product. Linear in
    /// the diagram.
    pub fn fixed(&self) -> Option<Fixed> {
        if self.root == FALSE {
            return None;
        }
        let n = self.n_vars as usize;
        let [mut on, mut off] = [vec![false; n], vec![false; n]];
        // Runs of features that an edge skips, which can be either: +1 where a run begins, -1 where it ends.
        let mut skipped = vec![0i64; n + 1];
        let mut skip = |from: u32, to: u32| {
            skipped[from as usize] += 1;
            skipped[to as usize] -= 1;
        };
        skip(0, self.nodes[self.root as usize].var);
        for node in self.nodes.iter().filter(|node| node.var < self.n_vars) {
            for (child, seen) in [(node.low, &mut off), (node.high, &mut on)] {
                if child != FALSE {
                    seen[node.var as usize] = true;
                    skip(node.var + 1, self.nodes[child as usize].var);
                }
            }
        }
        let mut fixed = Fixed::default();
        let mut open = 0;
        for index in 0..n {
            open += skipped[index];
            let feature = FeatureId::from_index(index);
            if open == 0 && !on[index] {
                fixed.dead.push(feature);
            } else if open == 0 && !off[index] {
                fixed.core.push(feature);
            }
        }
        Some(fixed)
    }
    /// The nodes as numbers, children before parents and the root last: the feature that the node tests, and the numbers of
    /// its children (from 2 on; 0 is no product and 1 is all) for products without and with the feature. A diagram without
    /// nodes is one of these two constants: all products if the second component is true.
    pub fn numbers(&self) -> (Vec<[u32; 3]>, bool) {
        let inner = self.nodes.iter().skip(2);
        let numbers = inner.map(|node| [node.var, node.low, node.high]).collect();
        (numbers, self.root == TRUE)
    }
    /// Inverse of [`numbers`](Self::numbers) over `n_features` features; `None` if the numbers are not those of a reduced,
    /// ordered diagram.
    pub fn from_numbers(n_features: usize, numbers: &[[u32; 3]], is_all: bool) -> Option<Self> {
        let mut forest = Forest::new(n_features, &Budget::unlimited());
        for (id, [var, low, high]) in (2..).zip(numbers) {
            let is_child = |child: &u32| *child < id && forest.var(*child) > *var;
            let is_node = *var < forest.n_vars && is_child(low) && is_child(high);
            if !is_node || forest.node(*var, *low, *high).ok()? != id {
                return None;
            }
        }
        let root = match numbers.len() {
            0 => u32::from(is_all),
            n => clip(n + 1),
        };
        let diagram = Self::without_the_rest(&forest, root);
        (diagram.nodes.len() == forest.nodes.len()).then_some(diagram)
    }
    /// Number of nodes in the diagram.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }
    /// Whether `product` is one of them. At most one step per feature.
    pub fn contains(&self, product: &Product) -> bool {
        let mut at = self.root;
        while at > TRUE {
            let node = self.nodes[at as usize];
            let selected = product.contains(FeatureId::from_index(node.var as usize));
            at = if selected { node.high } else { node.low };
        }
        at == TRUE
    }
    /// All products, in order. Linear in what is returned, times the depth of choices, not in the features.
    pub fn products(&self) -> Vec<Product> {
        // By node: the first node from it on that is not forced to deselect its feature, along consecutive features.
        let mut past: Vec<u32> = Vec::with_capacity(self.nodes.len());
        for (id, node) in self.nodes.iter().enumerate() {
            let low = self.nodes[node.low as usize];
            let is_forced = id > TRUE as usize && node.high == FALSE && low.var == node.var + 1;
            past.push(if is_forced { past[node.low as usize] } else { clip(id) });
        }
        let mut products = Vec::new();
        self.push_products(self.root, 0, &past, &mut Vec::new(), &mut products);
        products.sort_unstable();
        products
    }
    fn push_products(
        &self,
        mut at: u32,
        mut var: u32,
        past: &[u32],
        selected: &mut Vec<u32>,
        products: &mut Vec<Product>,
    ) {
        while at != FALSE {
            let node = self.nodes[at as usize];
            if node.var == var {
                at = past[at as usize];
                var = self.nodes[at as usize].var;
            }
            let node = self.nodes[at as usize];
            if var == self.n_vars {
                let features = selected.iter().map(|var| FeatureId::from_index(*var as usize));
                products.extend((at == TRUE).then(|| features.collect()));
                return;
            }
            let (low, high) = if node.var == var {
                (node.low, node.high)
            } else {
                (at, at)
            };
            selected.push(var);
            self.push_products(high, var + 1, past, selected, products);
            selected.pop();
            (at, var) = (low, var + 1);
        }
    }
    /// The product of that number, counted from 0; `None` past the end. The numbering is fixed by the model.
    pub fn get(&self, index: &BigUint) -> Option<Product> {
        if *index >= self.count() {
            return None;
        }
        let mut rest = index.clone();
        let mut product = Product::new();
        let mut at = self.root;
        for var in 0..self.n_vars {
            let node = self.nodes[at as usize];
            let (low, high) = if node.var == var {
                (node.low, node.high)
            } else {
                (at, at)
            };
            let without = self.counts[low as usize].clone() << (self.nodes[low as usize].var - var - 1);
            if rest < without {
                at = low;
            } else {
                rest -= without;
                product.insert(FeatureId::from_index(var as usize));
                at = high;
            }
        }
        Some(product)
    }
    /// Draws a product uniformly; `None` if there is no product.
    pub fn sample(&self, random: &mut Random) -> Option<Product> {
        let count = self.count();
        if count == BigUint::ZERO {
            return None;
        }
        self.get(&random.below_big(&count))
    }

    /// The diagram of `root`, with only the nodes below it.
    pub(super) fn without_the_rest(forest: &Forest, root: u32) -> Self {
        let (nodes, moved) = forest.moved(&[root]);
        let mut counts: Vec<BigUint> = vec![FALSE.into(), TRUE.into()];
        for node in nodes.iter().skip(2) {
            counts.push(count_of(node, &nodes, &counts));
        }
        Self {
            root: moved[&root],
            nodes,
            n_vars: forest.n_vars,
            counts,
        }
    }
}

/// Number of products over the features from the node's own feature on, from the counts of its children.
fn count_of(node: &ForestNode, nodes: &[ForestNode], counts: &[BigUint]) -> BigUint {
    let count = |child: u32| counts[child as usize].clone() << (nodes[child as usize].var - node.var - 1);
    count(node.low) + count(node.high)
}
