//! All products of a feature model at once: an ordered, reduced binary decision diagram over its features.
//!
//! Variable order is feature order. Groups are built directly, row by row, as counters; conditions by conjunction and
//! disjunction. Rules that span few features are conjoined first, from the last features to the first, so each step
//! touches little; a flat cardinality group of `n` features with `[0..k]` and local rules stays of size `O(n k)`.
//! Counts are exact. Where features that depend on each other are far apart (the auxiliary variables of clauses, say) it
//! can grow exponentially: then enumerate with a solver. An own diagram instead of a library: about two hundred lines against forty crates.

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use super::{FeatureExpr, FeatureId, FeatureModel, Fixed, Group, Product, Random};
use crate::base::{Budget, Id, StopReason};

/// Rules over features at most this far apart are conjoined first.
const LOCAL: u32 = 32;

const FALSE: u32 = 0;
const TRUE: u32 = 1;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Node {
    /// The feature it asks for; past the last one in the two leaves.
    var: u32,
    /// Where to go if it is not selected.
    low: u32,
    /// Where to go if it is.
    high: u32,
}

/// The products of a feature model.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// Children before parents; the root last (unless it is a leaf).
    nodes: Vec<Node>,
    root: u32,
    n_vars: u32,
    /// By node: the number of products of the features from its own on.
    counts: Vec<BigUint>,
}

impl Diagram {
    /// The products of `model`. Exponential in the worst case: `budget` limits the number of nodes (as states).
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn of(model: &FeatureModel, budget: &Budget) -> Result<Self, StopReason> {
        let n_vars = clip(model.features().len());
        let mut builder = Builder::new(n_vars, budget);
        let mut near = vec![builder.node(0, FALSE, TRUE)?];
        let mut far = Vec::new();
        for group in model.groups() {
            let built = builder.group(group)?;
            let members = group.members().iter().map(|member| clip(member.index()));
            let span = members.max().unwrap_or(0).saturating_sub(clip(group.parent().index()));
            if span <= LOCAL {
                near.push(built)
            } else {
                far.push(built)
            }
        }
        let mut across = Vec::new();
        for constraint in model.constraints() {
            let features = constraint.expr.features();
            let ends = features.first().zip(features.last());
            let span = ends.map_or(0, |(first, last)| clip(last.index() - first.index()));
            let built = builder.expr(&constraint.expr, false)?;
            if span <= LOCAL {
                near.push(built);
            } else {
                across.push(built);
            }
        }
        let [near, far] = [near, far].map(|part| builder.fold(part, true));
        // What reaches far is added one by one: the groups, cardinalities above all, keep each step small.
        let mut root = builder.apply(near?, far?, true)?;
        for part in across {
            root = builder.apply(root, part, true)?;
        }
        Ok(builder.finish(root))
    }

    /// How many products there are.
    pub fn count(&self) -> BigUint {
        self.counts[self.root as usize].clone() << self.nodes[self.root as usize].var
    }
    /// The features that are in no product, and those that are in every one; none where there is no product. Linear in
    /// the diagram.
    pub fn fixed(&self) -> Option<Fixed> {
        if self.root == FALSE {
            return None;
        }
        let n = self.n_vars as usize;
        let [mut on, mut off] = [vec![false; n], vec![false; n]];
        // Skipped features can be either: where such a stretch begins and ends.
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
    /// How many nodes the diagram has.
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
    /// The product of that number, counted from 0; none past the end. The numbering is fixed by the model.
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
    /// A product drawn uniformly; none if there is none.
    pub fn sample(&self, random: &mut Random) -> Option<Product> {
        let count = self.count();
        if count == BigUint::ZERO {
            return None;
        }
        self.get(&random.below_big(&count))
    }
}

fn clip(n: usize) -> u32 {
    // Feature ids are 32 bits wide.
    u32::try_from(n).unwrap_or(u32::MAX)
}

struct Builder<'a> {
    nodes: Vec<Node>,
    unique: FxHashMap<Node, u32>,
    cache: FxHashMap<(u32, u32), u32>,
    budget: &'a Budget,
    n_vars: u32,
}

impl<'a> Builder<'a> {
    fn new(n_vars: u32, budget: &'a Budget) -> Self {
        let leaf = |to| Node {
            var: n_vars,
            low: to,
            high: to,
        };
        Self {
            nodes: vec![leaf(FALSE), leaf(TRUE)],
            unique: FxHashMap::default(),
            cache: FxHashMap::default(),
            budget,
            n_vars,
        }
    }

    fn node(&mut self, var: u32, low: u32, high: u32) -> Result<u32, StopReason> {
        if low == high {
            return Ok(low);
        }
        let node = Node { var, low, high };
        if let Some(known) = self.unique.get(&node) {
            return Ok(*known);
        }
        let n_nodes = self.nodes.len() as u64;
        let bytes = n_nodes * 4 * size_of::<Node>() as u64;
        let id = u32::try_from(n_nodes).map_err(|_| StopReason::States)?;
        if let Some(reason) = self.budget.exceeded(n_nodes, bytes) {
            return Err(reason);
        }
        self.nodes.push(node);
        self.unique.insert(node, id);
        Ok(id)
    }

    fn var(&self, node: u32) -> u32 {
        self.nodes[node as usize].var
    }

    /// Conjunction or disjunction of many: those that start at later features first.
    fn fold(&mut self, mut parts: Vec<u32>, conjunction: bool) -> Result<u32, StopReason> {
        parts.sort_by_key(|part| std::cmp::Reverse(self.var(*part)));
        let neutral = if conjunction { TRUE } else { FALSE };
        parts
            .into_iter()
            .try_fold(neutral, |all, part| self.apply(part, all, conjunction))
    }

    /// Conjunction or disjunction of two; without recursion, for models of many features.
    fn apply(&mut self, left: u32, right: u32, conjunction: bool) -> Result<u32, StopReason> {
        enum Task {
            Join(u32, u32),
            Build(u32, (u32, u32)),
        }
        self.cache.clear();
        let mut tasks = vec![Task::Join(left, right)];
        let mut results = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Join(a, b) => {
                    if let Some(known) = joined(a, b, conjunction) {
                        results.push(known);
                        continue;
                    }
                    let key = (a.min(b), a.max(b));
                    if let Some(known) = self.cache.get(&key) {
                        results.push(*known);
                        continue;
                    }
                    let (x, y) = (self.nodes[a as usize], self.nodes[b as usize]);
                    let var = x.var.min(y.var);
                    let (x_low, x_high) = if x.var == var { (x.low, x.high) } else { (a, a) };
                    let (y_low, y_high) = if y.var == var { (y.low, y.high) } else { (b, b) };
                    tasks.push(Task::Build(var, key));
                    tasks.push(Task::Join(x_high, y_high));
                    tasks.push(Task::Join(x_low, y_low));
                }
                Task::Build(var, key) => {
                    let high = results.pop().unwrap_or(FALSE);
                    let low = results.pop().unwrap_or(FALSE);
                    let built = self.node(var, low, high)?;
                    self.cache.insert(key, built);
                    results.push(built);
                }
            }
        }
        Ok(results.pop().unwrap_or(FALSE))
    }

    fn expr(&mut self, expr: &FeatureExpr, negated: bool) -> Result<u32, StopReason> {
        match expr {
            FeatureExpr::True | FeatureExpr::False => Ok(u32::from((*expr == FeatureExpr::True) != negated)),
            FeatureExpr::Var(feature) => {
                let (low, high) = if negated { (TRUE, FALSE) } else { (FALSE, TRUE) };
                self.node(clip(feature.index()), low, high)
            }
            FeatureExpr::Not(operand) => self.expr(operand, !negated),
            FeatureExpr::And(operands) | FeatureExpr::Or(operands) => {
                let parts: Result<Vec<_>, _> = operands.iter().map(|operand| self.expr(operand, negated)).collect();
                self.fold(parts?, matches!(expr, FeatureExpr::And(_)) != negated)
            }
        }
    }

    /// Where the parent is selected, the right number of members is; elsewhere none. Members come after the parent.
    fn group(&mut self, group: &Group) -> Result<u32, StopReason> {
        let (min, max) = group.kind().bounds(group.members().len());
        let members: Vec<u32> = group.members().iter().map(|member| clip(member.index())).collect();
        let selected = self.counter(&members, min, max)?;
        let none = self.counter(&members, 0, 0)?;
        self.node(clip(group.parent().index()), none, selected)
    }

    /// Between `min` and `max` of `members`, which are in order.
    fn counter(&mut self, members: &[u32], min: usize, max: usize) -> Result<u32, StopReason> {
        // More than this many are all the same.
        let cap = (max + 1).max(min);
        let leaf = |count: usize| u32::from(min <= count && count <= max);
        let mut row: Vec<u32> = (0..=cap).map(leaf).collect();
        for (position, var) in members.iter().enumerate().rev() {
            let reachable = cap.min(position);
            let next: Result<Vec<u32>, StopReason> = (0..=reachable)
                .map(|count| self.node(*var, row[count], row[(count + 1).min(cap)]))
                .collect();
            row = next?;
        }
        Ok(row[0])
    }

    /// The diagram of `root`, without what is not below it.
    fn finish(self, root: u32) -> Diagram {
        let mut below = vec![false; self.nodes.len()];
        below[root as usize] = true;
        below[FALSE as usize] = true;
        below[TRUE as usize] = true;
        for id in (0..self.nodes.len()).rev() {
            if below[id] {
                below[self.nodes[id].low as usize] = true;
                below[self.nodes[id].high as usize] = true;
            }
        }
        let mut moved = vec![0; self.nodes.len()];
        let mut nodes: Vec<Node> = Vec::new();
        let mut counts: Vec<BigUint> = Vec::new();
        for (id, node) in self.nodes.iter().enumerate().filter(|(id, _)| below[*id]) {
            moved[id] = clip(nodes.len());
            if id <= TRUE as usize {
                counts.push(BigUint::from(id));
                nodes.push(*node);
                continue;
            }
            let (low, high) = (moved[node.low as usize], moved[node.high as usize]);
            let count = |child: u32| counts[child as usize].clone() << (nodes[child as usize].var - node.var - 1);
            let total = count(low) + count(high);
            nodes.push(Node { low, high, ..*node });
            counts.push(total);
        }
        Diagram {
            root: moved[root as usize],
            nodes,
            n_vars: self.n_vars,
            counts,
        }
    }
}

/// The conjunction or disjunction where one side decides it.
fn joined(a: u32, b: u32, conjunction: bool) -> Option<u32> {
    let (neutral, absorbing) = if conjunction { (TRUE, FALSE) } else { (FALSE, TRUE) };
    if a == absorbing || b == absorbing {
        Some(absorbing)
    } else if a == neutral || a == b {
        Some(b)
    } else if b == neutral {
        Some(a)
    } else {
        None
    }
}
