//! What a test is.

use super::super::verdict::Kill;

/// What follows an answer that the specification allows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Then {
    /// The test goes on in the node of that position.
    Node(usize),
    /// It ends where its mutant could have failed.
    Pass,
    /// It ends as something else came first.
    Inconclusive,
}

/// An answer that the specification allows.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Answer {
    /// What is seen.
    pub seen: String,
    /// What follows.
    pub then: Then,
}

/// A step of the tester.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TestNode {
    /// The input that is given.
    pub give: String,
    /// Every answer that the specification allows; any other is a fail.
    pub answers: Vec<Answer>,
}

/// A test. It begins in its first node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemTest {
    /// Its name in the suite.
    pub id: String,
    /// How surely it fails on the mutant it was made for.
    pub kill: Kill,
    /// What counts as a fail, of action systems: `event` or `ioco`.
    pub relation: Option<String>,
    /// The mutants it was made for.
    pub targets: Vec<String>,
    /// Its nodes; each leads to later ones only.
    pub nodes: Vec<TestNode>,
}

/// Why something is no test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsound {
    /// It has no node.
    Empty,
    /// A node leads to one that is not there, or not later.
    Next {
        /// The node.
        node: usize,
        /// Where it leads.
        next: usize,
    },
    /// A node lists an answer twice.
    Twice {
        /// The node.
        node: usize,
        /// The answer.
        seen: String,
    },
}

impl std::fmt::Display for Unsound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => f.write_str("it has no node"),
            Self::Next { node, next } => write!(f, "node {node} leads to node {next}, which is no later one"),
            Self::Twice { node, seen } => write!(f, "node {node} lists the answer `{seen}` twice"),
        }
    }
}

impl std::error::Error for Unsound {}

impl SystemTest {
    /// Checks that it always ends, and says one thing about each answer.
    ///
    /// # Errors
    /// Names the node at fault.
    pub fn check(&self) -> Result<(), Unsound> {
        if self.nodes.is_empty() {
            return Err(Unsound::Empty);
        }
        for (node, step) in self.nodes.iter().enumerate() {
            for (place, answer) in step.answers.iter().enumerate() {
                if let Then::Node(next) = answer.then
                    && (next <= node || next >= self.nodes.len())
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
        let mut depths = vec![1; self.nodes.len()];
        for (node, step) in self.nodes.iter().enumerate().rev() {
            let after = step.answers.iter().filter_map(|answer| match answer.then {
                Then::Node(next) => Some(depths[next]),
                Then::Pass | Then::Inconclusive => None,
            });
            depths[node] = 1 + after.max().unwrap_or(0);
        }
        depths.first().copied().unwrap_or(0)
    }
    /// Whether the inputs are the same in every play, as far as it goes: the tester need not look.
    pub fn is_blind(&self) -> bool {
        let mut level: Vec<usize> = vec![0];
        while let Some(first) = level.first() {
            let give = &self.nodes[*first].give;
            if level.iter().any(|node| self.nodes[*node].give != *give) {
                return false;
            }
            let answers = level.iter().flat_map(|node| &self.nodes[*node].answers);
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
