//! Timed tests: the acts of the tester and their times, the outputs that it expects, and the verdicts on its observations.
//!
//! A [`TestCase`] is a deterministic timed automaton of the tester: it has its own clocks, starts with all of them at 0 in node 0,
//! and moves to the next node with each input it gives and each output it sees. A locally adaptive test (\[004\] Definition 2) is a
//! path with one clock `t` that restarts in every node; a strategy is a graph whose clocks are copies of the specification's and
//! the mutant's.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::One as _;

use tamper_timed::model::Cmp;

tamper_text::named! {
    /// The result of a run of a test.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum TestVerdict {
        /// The end of the path.
        Pass = "pass",
        /// An output, an overdue silence or a refused input that the specification does not allow.
        Fail = "fail",
        /// Allowed, but not on this test's path.
        Inconclusive = "inconclusive",
    }
}

tamper_text::named! {
    /// The way in which a test reacts to its observations.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Style {
        /// One trace, with every other output and time that the specification allows (locally adaptive, \[004\] Definition 2).
        Adaptive = "adaptive",
        /// A graph that continues after every output, at every time, from which the mutant can still be shown in the remaining
        /// number of steps: a cooperative strategy.
        Cooperative = "cooperative",
        /// A graph that continues after every output and time of the mutant.
        Strategy = "strategy",
        /// A word of inputs and delays, whatever is seen; a graph only because it knows what the specification allows.
        Blind = "blind",
    }
}

tamper_text::named! {
    /// The certainty with which a test kills a mutant (\[004\] Definitions 3 and 4, lifted to time).
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Kill {
        /// Some run of the mutant ends in fail.
        Potential = "potential",
        /// Every run of the mutant fails the test.
        Definite = "definite",
    }
}

/// `left ~ bound`, or `left - right ~ bound`: clocks by their position in [`TestCase::clocks`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Constraint {
    /// The position of the clock that is compared.
    pub left: usize,
    /// The position of the clock that is subtracted from it, if any.
    pub right: Option<usize>,
    /// The relation between clocks and bound.
    pub cmp: Cmp,
    /// The bound, in time units.
    pub bound: BigRational,
}

impl Constraint {
    /// `clock ~ bound`.
    pub(super) fn on(clock: usize, cmp: Cmp, bound: BigRational) -> Self {
        Self {
            left: clock,
            right: None,
            cmp,
            bound,
        }
    }

    /// Whether the constraint holds at `point`, which has a value per clock.
    pub fn holds(&self, point: &[BigRational]) -> bool {
        let difference = match self.right {
            Some(right) => &point[self.left] - &point[right],
            None => point[self.left].clone(),
        };
        match self.cmp {
            Cmp::Lt => difference < self.bound,
            Cmp::Le => difference <= self.bound,
            Cmp::Eq => difference == self.bound,
            Cmp::Ge => difference >= self.bound,
            Cmp::Gt => difference > self.bound,
        }
    }
}

/// A conjunction of constraints; an empty one always holds.
pub type Condition = Vec<Constraint>;

/// Clocks set to natural numbers.
pub type Resets = Vec<(usize, i64)>;

/// The target of a jump: a node or a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Next {
    /// The node at that position.
    Node(usize),
    /// The test ends with this verdict.
    Verdict(TestVerdict),
}

/// A step to the next node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Jump {
    /// The condition under which the jump is taken.
    pub when: Condition,
    /// The clocks that the jump sets, with their values.
    pub resets: Resets,
    /// The node or verdict that the jump leads to.
    pub next: Next,
}

/// An act of the tester: an input or the end.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Act {
    /// It gives an input. If the input is refused, the test fails; if it is accepted, the first jump whose condition holds is
    /// taken, and the test passes if none does.
    Input {
        /// The input that the tester gives, as `name?`.
        action: String,
        /// The continuations, of which the first that holds is taken.
        then: Vec<Jump>,
    },
    /// The tester stops with this verdict.
    Stop(TestVerdict),
}

/// A rule of the tester: an act and its time. On entering a node the tester chooses the first rule whose `from` holds, waits until
/// `when` holds, and acts before `when` has passed. The node handles earlier outputs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rule {
    /// The condition under which the rule is chosen on entering the node.
    pub from: Condition,
    /// The condition under which the tester acts; it lies ahead in time wherever `from` holds.
    pub when: Condition,
    /// The act of the tester at that time.
    pub act: Act,
}

/// An output that the tester knows.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Expected {
    /// The action, as `name!` (`tau` for an internal step, which counts as an output).
    pub action: String,
    /// The condition on the output, and its target.
    pub jump: Jump,
}

/// A state of the tester.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// The rules of the tester; the first one that applies is used. If none applies, the test ends inconclusively.
    pub rules: Vec<Rule>,
    /// The known outputs; the first one whose action and condition fit is used.
    pub outputs: Vec<Expected>,
    /// The verdict on every other output.
    pub otherwise: TestVerdict,
}

impl Node {
    pub(super) fn jumps_mut(&mut self) -> impl Iterator<Item = &mut Jump> {
        let inputs = self.rules.iter_mut().flat_map(|rule| match &mut rule.act {
            Act::Input { then, .. } => then.iter_mut(),
            Act::Stop(_) => [].iter_mut(),
        });
        inputs.chain(self.outputs.iter_mut().map(|expected| &mut expected.jump))
    }
}

/// A timed test: nodes with rules for the tester and expected outputs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TestCase {
    /// Its name in the suite.
    pub id: String,
    /// The style in which the tester acts.
    pub style: Style,
    /// The certainty with which it kills the mutants it was made for.
    pub kill: Kill,
    /// The ids of the mutants it was made for.
    pub targets: Vec<String>,
    /// The names of the clocks of the test.
    pub clocks: Vec<String>,
    /// Its nodes; it starts in the first.
    pub nodes: Vec<Node>,
}

/// A test that refers to something it does not have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("node {node} of test {test} refers to a node or clock that the test does not have")]
pub struct Dangling {
    /// The id of the test.
    pub test: String,
    /// The position of the node that leads nowhere.
    pub node: usize,
}

impl TestCase {
    /// A test without an id and without target mutants.
    pub(super) fn unnamed(style: Style, kill: Kill, clocks: Vec<String>, nodes: Vec<Node>) -> Self {
        Self {
            id: String::new(),
            style,
            kill,
            targets: Vec::new(),
            clocks,
            nodes,
        }
    }

    /// Checks that every node and clock that the test names exists.
    ///
    /// # Errors
    /// The first node that names a missing one; node 0 if there are no nodes.
    pub fn check(&self) -> Result<(), Dangling> {
        let dangling = |node| Dangling {
            test: self.id.clone(),
            node,
        };
        if self.nodes.is_empty() {
            return Err(dangling(0));
        }
        match self.nodes.iter().position(|node| !self.is_closed(node)) {
            Some(node) => Err(dangling(node)),
            None => Ok(()),
        }
    }

    fn is_closed(&self, node: &Node) -> bool {
        let clock = |clock: usize| clock < self.clocks.len();
        let condition = |condition: &Condition| {
            let known = |atom: &Constraint| clock(atom.left) && atom.right.is_none_or(clock);
            condition.iter().all(known)
        };
        let jump = |jump: &Jump| {
            let lands = match jump.next {
                Next::Node(next) => next < self.nodes.len(),
                Next::Verdict(_) => true,
            };
            let resets = jump.resets.iter().all(|(reset, value)| clock(*reset) && *value >= 0);
            lands && resets && condition(&jump.when)
        };
        let rule = |rule: &Rule| {
            let acts = match &rule.act {
                Act::Input { then, .. } => then.iter().all(jump),
                Act::Stop(_) => true,
            };
            acts && condition(&rule.from) && condition(&rule.when)
        };
        node.rules.iter().all(rule) && node.outputs.iter().all(|expected| jump(&expected.jump))
    }

    pub(super) fn conditions(&self) -> impl Iterator<Item = &Condition> {
        self.nodes.iter().flat_map(|node| {
            let rules = node.rules.iter().flat_map(|rule| {
                let then: &[Jump] = match &rule.act {
                    Act::Input { then, .. } => then,
                    Act::Stop(_) => &[],
                };
                [&rule.from, &rule.when]
                    .into_iter()
                    .chain(then.iter().map(|jump| &jump.when))
            });
            rules.chain(node.outputs.iter().map(|expected| &expected.jump.when))
        })
    }

    /// The purpose of the test, in words; empty if it is unknown.
    pub fn purpose(&self) -> String {
        match self.targets.as_slice() {
            [] => String::new(),
            [one] => format!("{} kill of {one}", self.kill.name()),
            [one, rest @ ..] => format!("{} kill of {one} and {} more", self.kill.name(), rest.len()),
        }
    }

    /// The least factor by which its bounds become integers.
    pub fn scale(&self) -> BigInt {
        let atoms = self.conditions().flatten();
        atoms.fold(BigInt::one(), |scale, atom| scale.lcm(atom.bound.denom()))
    }

    /// Maximum number of inputs given and outputs awaited: the length of the longest path from the start.
    pub fn n_steps(&self) -> usize {
        let mut longest = vec![None; self.nodes.len()];
        self.longest_from(0, &mut longest)
    }

    /// Whether a run can come to a node twice, judged by the nodes alone.
    pub(super) fn has_loop(&self) -> bool {
        let mut state = vec![VisitState::Not; self.nodes.len()];
        self.loops_from(0, &mut state)
    }

    fn loops_from(&self, node: usize, state: &mut Vec<VisitState>) -> bool {
        match std::mem::replace(&mut state[node], VisitState::Open) {
            VisitState::Open => return true,
            VisitState::Done => {
                state[node] = VisitState::Done;
                return false;
            }
            VisitState::Not => {}
        }
        let is_loop = |next| matches!(next, Next::Node(next) if self.loops_from(next, state));
        let found = self.nexts(node).into_iter().any(is_loop);
        state[node] = VisitState::Done;
        found
    }

    fn nexts(&self, node: usize) -> Vec<Next> {
        let parts = &self.nodes[node];
        let inputs = parts.rules.iter().flat_map(|rule| match &rule.act {
            Act::Input { then, .. } if then.is_empty() => vec![Next::Verdict(TestVerdict::Pass)],
            Act::Input { then, .. } => then.iter().map(|jump| jump.next).collect(),
            Act::Stop(_) => Vec::new(),
        });
        inputs
            .chain(parts.outputs.iter().map(|expected| expected.jump.next))
            .collect()
    }

    fn longest_from(&self, node: usize, longest: &mut Vec<Option<usize>>) -> usize {
        if let Some(known) = longest[node] {
            return known;
        }
        // A node that is being visited counts as 0, so that a cycle is walked once.
        longest[node] = Some(0);
        let nexts = self.nexts(node);
        let steps = nexts.into_iter().map(|next| match next {
            Next::Node(next) => 1 + self.longest_from(next, longest),
            Next::Verdict(_) => 1,
        });
        let most = steps.max().unwrap_or(0);
        longest[node] = Some(most);
        most
    }
}

/// The progress of a depth-first search at a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VisitState {
    Not,
    Open,
    Done,
}
