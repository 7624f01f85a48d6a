//! Tests for untimed systems.

use super::super::verdict::KillStrength;

/// The continuation after an answer that the specification allows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Then {
    /// The test continues in the node of that position.
    Node(usize),
    /// It ends at a point where its mutant could have failed.
    Pass,
    /// It ends where its mutant could not fail: another answer came first.
    Inconclusive,
}

/// An answer that the specification allows.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TestAnswer {
    /// The output that the tester sees.
    pub seen: String,
    /// The continuation of the test after the output.
    pub then: Then,
}

/// A step of the tester.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TestNode {
    /// The input that is given.
    pub give: String,
    /// Every answer that the specification allows; any other is a fail.
    pub answers: Vec<TestAnswer>,
}

/// The plan of a test: its nodes and its start.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct TestGraph {
    /// The first outputs that the specification allows before any input, with their continuations; any other first
    /// output is a fail. Empty if the tester does not look at it: the test begins in the first node.
    pub starts: Vec<TestAnswer>,
    /// The nodes; each leads only to later ones.
    pub nodes: Vec<TestNode>,
}

/// A test for an untimed system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemTest {
    /// Its name in the suite.
    pub id: String,
    /// The strength of the kill on the mutant it was made for.
    pub kill: KillStrength,
    /// The relation that decides a fail, for action systems: `event` or `ioco`.
    pub relation: Option<String>,
    /// The mutants it was made for.
    pub targets: Vec<String>,
    /// The inputs of the tester and what follows them.
    pub course: TestGraph,
}

/// The reason why a test is malformed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unsound {
    /// It has no node, and does not look at the first output.
    #[error("it has no node")]
    Empty,
    /// A first output leads to a node that does not exist.
    #[error("a first output leads to node {next}, which is not there")]
    Start {
        /// The node to which the start leads.
        next: usize,
    },
    /// A first output is listed twice.
    #[error("the first output `{seen}` is listed twice")]
    StartTwice {
        /// The output that two starts have.
        seen: String,
    },
    /// A node leads to a missing or an earlier one.
    #[error("node {node} leads to node {next}, which is no later one")]
    Next {
        /// The node that leads to `next`.
        node: usize,
        /// The node that is missing or comes earlier.
        next: usize,
    },
    /// A node lists an answer twice.
    #[error("node {node} lists the answer `{seen}` twice")]
    Twice {
        /// The node with two answers for one output.
        node: usize,
        /// The output that two answers have.
        seen: String,
    },
}

impl TestGraph {
    /// The continuation after the first output; `fits` says whether a listed output covers it. `None` if the output is
    /// a fail.
    pub fn begin(&self, fits: impl Fn(&str) -> bool) -> Option<Then> {
        if self.starts.is_empty() {
            return Some(Then::Node(0));
        }
        self.starts
            .iter()
            .find(|start| fits(&start.seen))
            .map(|start| start.then)
    }
    /// The nodes in which it can begin, each once.
    fn first_nodes(&self) -> Vec<usize> {
        if self.starts.is_empty() {
            return (0..self.nodes.len().min(1)).collect();
        }
        let nodes = self.starts.iter().filter_map(|start| match start.then {
            Then::Node(node) => Some(node),
            Then::Pass | Then::Inconclusive => None,
        });
        let nodes: std::collections::BTreeSet<usize> = nodes.collect();
        nodes.into_iter().collect()
    }
}

impl SystemTest {
    /// Checks that it always ends, and lists each answer once.
    ///
    /// # Errors
    /// The node at fault.
    pub fn check(&self) -> Result<(), Unsound> {
        let TestGraph { starts, nodes } = &self.course;
        if nodes.is_empty() && starts.is_empty() {
            return Err(Unsound::Empty);
        }
        for (place, start) in starts.iter().enumerate() {
            if let Then::Node(next) = start.then
                && next >= nodes.len()
            {
                return Err(Unsound::Start { next });
            }
            if starts[..place].iter().any(|other| other.seen == start.seen) {
                let seen = start.seen.clone();
                return Err(Unsound::StartTwice { seen });
            }
        }
        for (node, step) in nodes.iter().enumerate() {
            for (place, answer) in step.answers.iter().enumerate() {
                if let Then::Node(next) = answer.then
                    && (next <= node || next >= nodes.len())
                {
                    return Err(Unsound::Next { node, next });
                }
                if step.answers[..place].iter().any(|other| other.seen == answer.seen) {
                    let seen = answer.seen.clone();
                    return Err(Unsound::Twice { node, seen });
                }
            }
        }
        Ok(())
    }
    /// The inputs of its longest play.
    pub fn depth(&self) -> usize {
        let nodes = &self.course.nodes;
        let mut depths = vec![1; nodes.len()];
        for (node, step) in nodes.iter().enumerate().rev() {
            let after = step.answers.iter().filter_map(|answer| match answer.then {
                Then::Node(next) => Some(depths[next]),
                Then::Pass | Then::Inconclusive => None,
            });
            depths[node] = 1 + after.max().unwrap_or(0);
        }
        self.course
            .first_nodes()
            .into_iter()
            .map(|node| depths[node])
            .max()
            .unwrap_or(0)
    }
    /// Whether the inputs are the same in every play, as far as it goes, so that the tester need not look at outputs.
    pub fn is_blind(&self) -> bool {
        let nodes = &self.course.nodes;
        let mut level = self.course.first_nodes();
        while let Some(first) = level.first() {
            let give = &nodes[*first].give;
            if level.iter().any(|node| nodes[*node].give != *give) {
                return false;
            }
            let answers = level.iter().flat_map(|node| &nodes[*node].answers);
            let next = answers.filter_map(|answer| match answer.then {
                Then::Node(next) => Some(next),
                Then::Pass | Then::Inconclusive => None,
            });
            let mut next: Vec<usize> = next.collect();
            next.sort_unstable();
            next.dedup();
            level = next;
        }
        true
    }
}
