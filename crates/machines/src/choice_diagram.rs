//! Sets of mutants: ordered, reduced decision diagrams over the choices.
//!
//! Variables are the suspicious sets, in order; a node has one child per choice. Equal nodes are one node, and a node
//! whose children are all the same is skipped. Nodes of one [`ChoiceDiagram`] are shared; an operation's cost is at
//! most the product of its operands' sizes. Two-valued diagrams are in `features`; here a variable has as many values
//! as its set has transitions, and a node one child for each.

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use super::{AlphaAutomaton, Assignment, Branch, ConformingBox, MutationMachine, StateId};
use tamper_text::{Budget, Id, StopReason};

const NONE: u32 = 0;
const ALL: u32 = 1;

/// One set of mutants of one machine, built by removing from all of them.
#[derive(Clone, Debug)]
pub struct ChoiceDiagram<'m> {
    machine: &'m MutationMachine,
    arena: DiagramArena,
    root: u32,
}

/// Nodes, children before parents; the first two are the leaves.
#[derive(Clone, Debug)]
struct DiagramArena {
    vars: Vec<u32>,
    /// By node: the index of its first child; one more at the end.
    starts: Vec<u32>,
    children: Vec<u32>,
    unique: FxHashMap<(u32, Box<[u32]>), u32>,
    conjunctions: FxHashMap<(u32, u32), u32>,
    cases: FxHashMap<(u32, Box<[u32]>), u32>,
    /// The variable of a leaf: past the last one.
    end: u32,
}

impl<'m> ChoiceDiagram<'m> {
    /// The set of all mutants and the specification.
    pub fn all(machine: &'m MutationMachine) -> Self {
        Self {
            machine,
            arena: DiagramArena::new(machine.sets().len() as u32),
            root: ALL,
        }
    }

    /// Removes the mutants that the test kills. The budget's states are nodes; if a limit is hit, nothing changes.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn remove_killed(&mut self, alpha: &AlphaAutomaton<'_>, budget: &Budget) -> Result<(), StopReason> {
        let survivors = self.survivors(alpha, budget);
        self.keep(survivors, budget)
    }
    /// Removes the mutants of a box.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn remove_box(&mut self, conforming: &ConformingBox, budget: &Budget) -> Result<(), StopReason> {
        let outside = self.outside(conforming, budget);
        self.keep(outside, budget)
    }
    fn keep(&mut self, others: Result<u32, StopReason>, budget: &Budget) -> Result<(), StopReason> {
        let root = others.and_then(|others| self.arena.and(self.root, others, budget));
        self.root = *root.as_ref().unwrap_or(&self.root);
        self.root = self.arena.compact(self.root);
        root.map(|_| ())
    }

    /// The mutants that the test does not kill, computed from the last position to the first, by the successors of each
    /// choice.
    fn survivors(&mut self, alpha: &AlphaAutomaton<'_>, budget: &Budget) -> Result<u32, StopReason> {
        if !alpha.reaches_sink() {
            return Ok(ALL);
        }
        let n_states = self.machine.states().len();
        let mut after = vec![ALL; n_states];
        for (position, input) in alpha.inputs().iter().enumerate().rev() {
            let mut here = vec![ALL; n_states];
            for state in alpha.live(position) {
                let follow = |branch: &Branch| match alpha.is_wrong(position, branch.transition) {
                    true => NONE,
                    false => after[branch.transition.target.index()],
                };
                let branches = self.machine.branches(state, *input);
                let leads: Vec<_> = branches
                    .iter()
                    .map(|branch| (branch.choices(), follow(branch)))
                    .collect();
                here[state.index()] = self.distinguish(&leads, budget)?;
            }
            after = here;
        }
        Ok(after[self.initial().index()])
    }
    /// The set that, under the choices of each lead, equals the node of that lead; branches first on the first choice
    /// of the first lead.
    fn distinguish(&mut self, leads: &[(&[Assignment], u32)], budget: &Budget) -> Result<u32, StopReason> {
        let (choices, node) = leads[0];
        let Some((set, _)) = choices.first() else {
            return Ok(node);
        };
        let mut children = Vec::with_capacity(self.machine.n_choices(*set));
        for choice in 0..self.machine.n_choices(*set) as u32 {
            // Leads that do not depend on this set stay open for all of its choices.
            let open = leads.iter().filter_map(|(choices, node)| match choices.split_first() {
                Some(((first, wanted), rest)) if first == set => (*wanted == choice).then_some((rest, *node)),
                _ => Some((*choices, *node)),
            });
            let open: Vec<_> = open.collect();
            children.push(self.distinguish(&open, budget)?);
        }
        self.arena.case(set.index() as u32, children.into(), budget)
    }
    fn initial(&self) -> StateId {
        self.machine.initial()
    }

    fn outside(&mut self, conforming: &ConformingBox, budget: &Budget) -> Result<u32, StopReason> {
        let mut outside = NONE;
        for (set, allowed) in conforming.allowed.iter().rev() {
            let n_choices = self.machine.n_choices(*set) as u32;
            let child = |choice: u32| if allowed.contains(&choice) { outside } else { ALL };
            let children = (0..n_choices).map(child).collect();
            outside = self.arena.node(set.index() as u32, children, budget)?;
        }
        Ok(outside)
    }

    /// The number of machines in the set, the specification included if it is a member.
    pub fn count(&self) -> BigUint {
        let sizes: Vec<usize> = self.machine.sets().map(|set| self.machine.n_choices(set)).collect();
        self.arena.count(self.root, &sizes)
    }
    /// The number of nodes, leaves included.
    pub fn size(&self) -> usize {
        self.arena.vars.len()
    }
}

impl DiagramArena {
    fn new(end: u32) -> Self {
        Self {
            vars: vec![end; 2],
            starts: vec![0; 3],
            children: Vec::new(),
            unique: FxHashMap::default(),
            conjunctions: FxHashMap::default(),
            cases: FxHashMap::default(),
            end,
        }
    }
    fn children(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.children[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
    fn var(&self, node: u32) -> u32 {
        self.vars[node as usize]
    }
    fn n_bytes(&self) -> u64 {
        // An upper estimate: a node, its children twice, its entries in the tables.
        64 * self.vars.len() as u64
            + 8 * self.children.len() as u64
            + 64 * (self.conjunctions.len() + self.cases.len()) as u64
    }

    fn node(&mut self, var: u32, children: Box<[u32]>, budget: &Budget) -> Result<u32, StopReason> {
        if children.iter().all(|child| *child == children[0]) {
            return Ok(children[0]);
        }
        let key = (var, children);
        if let Some(known) = self.unique.get(&key) {
            return Ok(*known);
        }
        let id = self.vars.len() as u32;
        if let Some(reason) = budget.exceeded(u64::from(id), self.n_bytes()) {
            return Err(reason);
        }
        self.vars.push(var);
        self.children.extend_from_slice(&key.1);
        self.starts.push(self.children.len() as u32);
        self.unique.insert(key, id);
        Ok(id)
    }

    fn and(&mut self, a: u32, b: u32, budget: &Budget) -> Result<u32, StopReason> {
        let (a, b) = (a.min(b), a.max(b));
        if a == NONE || a == b {
            return Ok(a);
        }
        if a == ALL {
            return Ok(b);
        }
        if let Some(known) = self.conjunctions.get(&(a, b)) {
            return Ok(*known);
        }
        let var = self.var(a).min(self.var(b));
        let n_children = if self.var(a) == var {
            self.children(a).len()
        } else {
            self.children(b).len()
        };
        let mut children = Vec::with_capacity(n_children);
        for choice in 0..n_children {
            let (a, b) = (self.at(a, var, choice), self.at(b, var, choice));
            children.push(self.and(a, b, budget)?);
        }
        let result = self.node(var, children.into(), budget)?;
        self.conjunctions.insert((a, b), result);
        Ok(result)
    }
    /// The cofactor of `node` where `var` has the value `choice`; `var` is not after the node's own variable.
    fn at(&self, node: u32, var: u32, choice: usize) -> u32 {
        if self.var(node) == var {
            self.children(node)[choice]
        } else {
            node
        }
    }

    /// The set that equals the branch of the choice in `set`; the branches may depend on any choice, including that
    /// one.
    fn case(&mut self, set: u32, branches: Box<[u32]>, budget: &Budget) -> Result<u32, StopReason> {
        if branches.iter().all(|branch| *branch == branches[0]) && branches[0] <= ALL {
            return Ok(branches[0]);
        }
        let top = branches
            .iter()
            .map(|branch| self.var(*branch))
            .min()
            .unwrap_or(self.end);
        if top >= set {
            let own = branches.iter().enumerate();
            let children = own.map(|(choice, branch)| self.at(*branch, set, choice)).collect();
            return self.node(set, children, budget);
        }
        let key = (set, branches);
        if let Some(known) = self.cases.get(&key) {
            return Ok(*known);
        }
        let first = key.1.iter().find(|branch| self.var(**branch) == top);
        let n_children = first.map_or(0, |branch| self.children(*branch).len());
        let mut children = Vec::with_capacity(n_children);
        for choice in 0..n_children {
            let inner = key.1.iter().map(|branch| self.at(*branch, top, choice)).collect();
            children.push(self.case(set, inner, budget)?);
        }
        let result = self.node(top, children.into(), budget)?;
        self.cases.insert(key, result);
        Ok(result)
    }

    /// Removes all nodes that are not below `root`. Returns the new number of `root`.
    fn compact(&mut self, root: u32) -> u32 {
        let mut below = vec![false; self.vars.len()];
        below[root as usize] = true;
        for id in (2..self.vars.len()).rev().filter(|id| *id <= root as usize) {
            if below[id] {
                for child in self.starts[id]..self.starts[id + 1] {
                    below[self.children[child as usize] as usize] = true;
                }
            }
        }
        let mut fresh = Self::new(self.end);
        let mut moved: Vec<u32> = (0..self.vars.len() as u32).collect();
        for id in (2..self.vars.len()).filter(|id| below[*id]) {
            let id = id as u32;
            let children: Box<[u32]> = self.children(id).iter().map(|child| moved[*child as usize]).collect();
            moved[id as usize] = fresh.vars.len() as u32;
            fresh.vars.push(self.var(id));
            fresh.children.extend_from_slice(&children);
            fresh.starts.push(fresh.children.len() as u32);
            fresh.unique.insert((self.var(id), children), moved[id as usize]);
        }
        *self = fresh;
        moved[root as usize]
    }

    /// The number of combinations below `root`; `sizes` has the number of choices of each variable.
    fn count(&self, root: u32, sizes: &[usize]) -> BigUint {
        // By variable: the combinations of it and all that follow.
        let mut below = vec![BigUint::from(1_u32); sizes.len() + 1];
        for (var, size) in sizes.iter().enumerate().rev() {
            below[var] = &below[var + 1] * *size;
        }
        let mut counts: Vec<BigUint> = vec![BigUint::ZERO, BigUint::from(1_u32)];
        for id in 2..=root {
            let next = self.var(id) as usize + 1;
            let counted = self.children(id).iter().map(|child| {
                let skipped = &below[next] / &below[self.var(*child) as usize];
                &counts[*child as usize] * skipped
            });
            counts.push(counted.sum());
        }
        &counts[root as usize] * (&below[0] / &below[self.var(root) as usize])
    }
}
