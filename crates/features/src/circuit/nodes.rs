//! The parts of a circuit, and their storage.

use num_bigint::BigUint;

use tamper_text::StopReason;

/// One branch of a node: its fixed literals, its free variables and its remaining components.
#[derive(Clone, Debug)]
pub(super) struct CircuitBranch {
    pub(super) literals: Vec<u32>,
    pub(super) free: Vec<u32>,
    pub(super) children: Vec<u32>,
}

/// Nodes with their branches, children before parents; the first has no branch.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    /// By node, and one more: start of its branches.
    nodes: Vec<u32>,
    /// By branch, and one more: start of its literals, free variables and children.
    starts: Vec<[u32; 3]>,
    literals: Vec<u32>,
    free: Vec<u32>,
    children: Vec<u32>,
}

impl Nodes {
    /// The node without branches: nothing can hold.
    pub(super) const NONE: u32 = 0;

    pub(super) fn new() -> Self {
        Self {
            nodes: vec![0, 0],
            starts: vec![[0; 3]],
            literals: Vec::new(),
            free: Vec::new(),
            children: Vec::new(),
        }
    }
    pub(super) fn len(&self) -> usize {
        self.nodes.len() - 1
    }
    pub(super) fn bytes(&self) -> u64 {
        let pools = self.literals.len() + self.free.len() + self.children.len();
        4 * (self.nodes.len() + 3 * self.starts.len() + pools) as u64
    }
    pub(super) fn push(&mut self, branches: impl Iterator<Item = CircuitBranch>) -> Result<u32, StopReason> {
        let before = self.starts.len();
        for branch in branches {
            self.literals.extend(branch.literals);
            self.free.extend(branch.free);
            self.children.extend(branch.children);
            let end = |pool: &Vec<u32>| u32::try_from(pool.len()).map_err(|_| StopReason::Memory);
            self.starts
                .push([end(&self.literals)?, end(&self.free)?, end(&self.children)?]);
        }
        if self.starts.len() == before {
            return Ok(Self::NONE);
        }
        let id = u32::try_from(self.len()).map_err(|_| StopReason::States)?;
        self.nodes
            .push(u32::try_from(self.starts.len() - 1).map_err(|_| StopReason::States)?);
        Ok(id)
    }
    pub(super) fn branches(&self, node: u32) -> std::ops::Range<usize> {
        let node = node as usize;
        self.nodes[node] as usize..self.nodes[node + 1] as usize
    }
    pub(super) fn literals(&self, branch: usize) -> &[u32] {
        &self.literals[self.starts[branch][0] as usize..self.starts[branch + 1][0] as usize]
    }
    pub(super) fn free(&self, branch: usize) -> &[u32] {
        &self.free[self.starts[branch][1] as usize..self.starts[branch + 1][1] as usize]
    }
    pub(super) fn children(&self, branch: usize) -> &[u32] {
        &self.children[self.starts[branch][2] as usize..self.starts[branch + 1][2] as usize]
    }
    /// Number of solutions of a branch, from the counts of its children.
    pub(super) fn count(&self, branch: usize, counts: &[BigUint]) -> BigUint {
        let children = self.children(branch).iter();
        let product: BigUint = children.map(|child| &counts[*child as usize]).product();
        product << self.free(branch).len()
    }
}
