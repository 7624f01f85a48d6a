//! Decision diagrams over the features of a model that share their nodes: the representation of sets of products.
//!
//! Equal sets are the same node. Variable order is feature order. Groups are built directly, row by row, as counters;
//! conditions by conjunction and disjunction.

use std::hash::BuildHasher as _;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::{FeatureExpr, FeatureModel, Group};
use tamper_text::{Budget, Id, StopReason};

/// Rules over features at most this far apart are conjoined first.
const LOCAL: u32 = 32;
/// Fewest results of operations that are remembered: a power of two.
const LEAST_REMEMBERED: usize = 1 << 10;
/// Most results of operations that are remembered: a power of two.
const MOST_REMEMBERED: usize = 1 << 20;

pub(super) const FALSE: u32 = 0;
pub(super) const TRUE: u32 = 1;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct ForestNode {
    /// The feature that it tests; past the last one in the two leaves.
    pub var: u32,
    /// The next node if the feature is not selected.
    pub low: u32,
    /// The next node if it is selected.
    pub high: u32,
}

/// A binary operation on sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum SetOperation {
    And,
    Or,
    /// The first without the second.
    Minus,
}

impl SetOperation {
    /// The result if one side decides it.
    fn known(self, a: u32, b: u32) -> Option<u32> {
        match self {
            Self::And if a == FALSE || b == FALSE => Some(FALSE),
            Self::And if a == TRUE || a == b => Some(b),
            Self::And if b == TRUE => Some(a),
            Self::Or if a == TRUE || b == TRUE => Some(TRUE),
            Self::Or if a == FALSE || a == b => Some(b),
            Self::Or if b == FALSE => Some(a),
            Self::Minus if a == FALSE || b == TRUE || a == b => Some(FALSE),
            Self::Minus if b == FALSE => Some(a),
            Self::And | Self::Or | Self::Minus => None,
        }
    }
}

pub(super) fn clip(n: usize) -> u32 {
    // Feature ids are 32 bits wide.
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// An operation on two nodes.
type NodeOperation = (SetOperation, u32, u32);

/// Remembered results of operations. Each has one place, where a later one may replace it.
#[derive(Clone, Debug)]
struct OperationCache {
    /// As many as a power of two. A place that is not used has a result that is right: no product and no product is none.
    entries: Vec<(NodeOperation, u32)>,
}

impl OperationCache {
    fn new(n_entries: usize) -> Self {
        Self {
            entries: vec![((SetOperation::And, FALSE, FALSE), FALSE); n_entries],
        }
    }
    fn place(&self, operation: NodeOperation) -> usize {
        hash_of(operation) as usize & (self.entries.len() - 1)
    }
    fn get(&self, operation: NodeOperation) -> Option<u32> {
        let (known, result) = self.entries[self.place(operation)];
        (known == operation).then_some(result)
    }
    fn insert(&mut self, operation: NodeOperation, result: u32) {
        let place = self.place(operation);
        self.entries[place] = (operation, result);
    }
    /// Makes room for the operations on `n_nodes` nodes, up to the largest cache.
    fn grow(&mut self, n_nodes: usize) {
        let n_entries = n_nodes.next_power_of_two().min(MOST_REMEMBERED);
        if n_entries > self.entries.len() {
            let old = std::mem::replace(self, Self::new(n_entries));
            old.entries
                .into_iter()
                .for_each(|(operation, result)| self.insert(operation, result));
        }
    }
}

fn hash_of(value: impl std::hash::Hash) -> u64 {
    FxBuildHasher.hash_one(value)
}

/// Nodes, children before parents, and the remembered results of operations.
#[derive(Clone, Debug)]
pub(super) struct Forest {
    pub nodes: Vec<ForestNode>,
    /// The numbers of all nodes but the two constants, by the hashes of the nodes.
    unique: HashTable<u32>,
    cache: OperationCache,
    budget: Budget,
    pub n_vars: u32,
}

impl Forest {
    /// The two constants; `budget` limits the number of nodes (as states).
    pub fn new(n_features: usize, budget: &Budget) -> Self {
        let n_vars = clip(n_features);
        let leaf = |to| ForestNode {
            var: n_vars,
            low: to,
            high: to,
        };
        Self {
            nodes: vec![leaf(FALSE), leaf(TRUE)],
            unique: HashTable::new(),
            cache: OperationCache::new(LEAST_REMEMBERED),
            budget: budget.clone(),
            n_vars,
        }
    }

    /// The node with these children, or the child if both are one.
    pub fn node(&mut self, var: u32, low: u32, high: u32) -> Result<u32, StopReason> {
        if low == high {
            return Ok(low);
        }
        let node = ForestNode { var, low, high };
        let hash = hash_of(node);
        if let Some(known) = self.unique.find(hash, |id| self.nodes[*id as usize] == node) {
            return Ok(*known);
        }
        let n_nodes = self.nodes.len() as u64;
        let bytes = n_nodes * 4 * size_of::<ForestNode>() as u64;
        let id = u32::try_from(n_nodes).map_err(|_| StopReason::States)?;
        if let Some(reason) = self.budget.exceeded(n_nodes, bytes) {
            return Err(reason);
        }
        self.nodes.push(node);
        self.number(hash, id);
        Ok(id)
    }

    /// Notes the number of a new node.
    fn number(&mut self, hash: u64, id: u32) {
        let nodes = &self.nodes;
        self.unique.insert_unique(hash, id, |id| hash_of(nodes[*id as usize]));
    }

    /// The two constants and all nodes of these sets, children before parents, in an order that depends on the sets only.
    fn below(&self, roots: &[u32]) -> Vec<u32> {
        let mut order = vec![FALSE, TRUE];
        let mut known = FxHashSet::from_iter([FALSE, TRUE]);
        for root in roots {
            let mut open = vec![(*root, false)];
            while let Some((id, is_ready)) = open.pop() {
                if is_ready {
                    order.push(id);
                } else if known.insert(id) {
                    let node = self.nodes[id as usize];
                    open.extend([(id, true), (node.high, false), (node.low, false)]);
                }
            }
        }
        order
    }
    /// Only the nodes of these sets, with new numbers, and the map from old to new numbers.
    pub fn moved(&self, roots: &[u32]) -> (Vec<ForestNode>, FxHashMap<u32, u32>) {
        // The two constants, whose children are themselves, are the first.
        let mut moved = FxHashMap::default();
        let mut nodes = Vec::new();
        for id in self.below(roots) {
            moved.insert(id, clip(nodes.len()));
            let node = self.nodes[id as usize];
            let (low, high) = (moved[&node.low], moved[&node.high]);
            nodes.push(ForestNode { low, high, ..node });
        }
        (nodes, moved)
    }
    /// Drops all nodes that none of these sets has; the sets get new numbers.
    pub fn keep(&mut self, roots: &mut [&mut u32]) {
        let kept: Vec<u32> = roots.iter().map(|root| **root).collect();
        let (nodes, moved) = self.moved(&kept);
        self.nodes = nodes;
        self.cache = OperationCache::new(LEAST_REMEMBERED);
        self.unique.clear();
        for id in 2..self.nodes.len() {
            self.number(hash_of(self.nodes[id]), clip(id));
        }
        roots.iter_mut().for_each(|root| **root = moved[*root]);
    }

    pub fn var(&self, node: u32) -> u32 {
        self.nodes[node as usize].var
    }

    /// Conjunction or disjunction of `parts`, beginning with the parts whose first feature comes last.
    fn fold(&mut self, mut parts: Vec<u32>, op: SetOperation) -> Result<u32, StopReason> {
        parts.sort_by_key(|part| std::cmp::Reverse(self.var(*part)));
        let neutral = if op == SetOperation::And { TRUE } else { FALSE };
        parts
            .into_iter()
            .try_fold(neutral, |all, part| self.apply(part, all, op))
    }

    /// The operation on two sets; without recursion, for models of many features.
    pub fn apply(&mut self, left: u32, right: u32, op: SetOperation) -> Result<u32, StopReason> {
        enum Task {
            Join(u32, u32),
            Build(u32, NodeOperation),
        }
        if let Some(known) = op.known(left, right) {
            return Ok(known);
        }
        self.cache.grow(self.nodes.len());
        let mut tasks = vec![Task::Join(left, right)];
        let mut results = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Join(a, b) => {
                    if let Some(known) = op.known(a, b) {
                        results.push(known);
                        continue;
                    }
                    let is_symmetric = op != SetOperation::Minus;
                    let key = if is_symmetric && a > b { (op, b, a) } else { (op, a, b) };
                    if let Some(known) = self.cache.get(key) {
                        results.push(known);
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

    /// The sets of features, products or not, for which the condition holds, or for which it does not.
    pub fn expr(&mut self, expr: &FeatureExpr, negated: bool) -> Result<u32, StopReason> {
        match expr {
            FeatureExpr::True | FeatureExpr::False => Ok(u32::from((*expr == FeatureExpr::True) != negated)),
            FeatureExpr::Var(feature) => {
                let (low, high) = if negated { (TRUE, FALSE) } else { (FALSE, TRUE) };
                self.node(clip(feature.index()), low, high)
            }
            FeatureExpr::Not(operand) => self.expr(operand, !negated),
            FeatureExpr::And(operands) | FeatureExpr::Or(operands) => {
                let parts: Result<Vec<_>, _> = operands.iter().map(|operand| self.expr(operand, negated)).collect();
                let is_and = matches!(expr, FeatureExpr::And(_)) != negated;
                self.fold(parts?, if is_and { SetOperation::And } else { SetOperation::Or })
            }
        }
    }

    /// The products of `model`, whose features are this forest's.
    pub fn model(&mut self, model: &FeatureModel) -> Result<u32, StopReason> {
        let mut near = vec![self.node(0, FALSE, TRUE)?];
        let mut far = Vec::new();
        for group in model.groups() {
            let built = self.group(group)?;
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
            let built = self.expr(&constraint.expr, false)?;
            if span <= LOCAL {
                near.push(built);
            } else {
                across.push(built);
            }
        }
        let [near, far] = [near, far].map(|part| self.fold(part, SetOperation::And));
        // Constraints that span many features are added one by one: the groups, above all cardinalities, keep each step
        // small.
        let mut root = self.apply(near?, far?, SetOperation::And)?;
        for part in across {
            root = self.apply(root, part, SetOperation::And)?;
        }
        Ok(root)
    }

    /// If the parent is selected, the right number of members is; if not, none is. Members come after the parent.
    fn group(&mut self, group: &Group) -> Result<u32, StopReason> {
        let (min, max) = group.kind().bounds(group.members().len());
        let members: Vec<u32> = group.members().iter().map(|member| clip(member.index())).collect();
        let selected = self.counter(&members, min, max)?;
        let none = self.counter(&members, 0, 0)?;
        self.node(clip(group.parent().index()), none, selected)
    }

    /// Between `min` and `max` of `members`, which are in order.
    fn counter(&mut self, members: &[u32], min: usize, max: usize) -> Result<u32, StopReason> {
        if min > max {
            return Ok(FALSE);
        }
        // Counts above this need not be told apart.
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
}
