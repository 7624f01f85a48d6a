//! Executes a test on every choice of a system.

use rustc_hash::FxHashSet;

use super::test::{SystemTest, Then};
use crate::{InputId, OutputId, StateId, TransitionSystem};

/// The possible ends of the plays of a test.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Ends {
    /// Some play of the test ends with a fail.
    pub fails: bool,
    /// Some play of the test ends with a pass.
    pub passes: bool,
    /// Some play ends inconclusively: another answer came first.
    pub inconclusive: bool,
}

impl Ends {
    /// Records the end of a play; `None`, an unlisted answer, is a fail.
    pub fn come_to(&mut self, end: Option<Then>) {
        match end {
            None => self.fails = true,
            Some(Then::Pass) => self.passes = true,
            Some(Then::Inconclusive) => self.inconclusive = true,
            Some(Then::Node(_)) => {}
        }
    }
    /// Whether every play of the test ends with a fail.
    pub fn must_fail(self) -> bool {
        self.fails && !self.passes && !self.inconclusive
    }
}

/// The system lacks this input.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the system has no input `{}`", .0)]
pub struct NoInput(pub String);

/// Plays `test` against every choice of `system`. `fits` says whether a name in the test, the first argument, covers a
/// name of the system, the second; an input or output must fit at most one name of a node.
///
/// # Errors
/// The system lacks an input of the test.
pub fn execute(
    test: &SystemTest,
    system: &TransitionSystem,
    fits: impl Fn(&str, &str) -> bool,
) -> Result<Ends, NoInput> {
    let mut nodes: Vec<(InputId, Vec<Option<Then>>)> = Vec::with_capacity(test.course.nodes.len());
    for node in &test.course.nodes {
        let mut inputs = system.inputs().ids();
        let give = inputs.find(|input| fits(&node.give, &system.inputs()[*input]));
        let then = |output: OutputId| {
            let name = &system.outputs()[output];
            let mut answers = node.answers.iter();
            answers
                .find(|answer| fits(&answer.seen, name))
                .map(|answer| answer.then)
        };
        let give = give.ok_or_else(|| NoInput(node.give.clone()))?;
        nodes.push((give, system.outputs().ids().map(then).collect()));
    }
    let mut ends = Ends::default();
    let mut agenda: Vec<(usize, StateId)> = Vec::new();
    for (seen, states) in system.starts() {
        match test.course.begin(|listed| fits(listed, seen)) {
            Some(Then::Node(node)) => agenda.extend(states.iter().map(|state| (node, *state))),
            end => ends.come_to(end),
        }
    }
    let mut met: FxHashSet<(usize, StateId)> = agenda.iter().copied().collect();
    while let Some((node, state)) = agenda.pop() {
        let (give, then) = &nodes[node];
        for step in system.steps(state, *give) {
            match then[tamper_text::Id::index(step.output)] {
                Some(Then::Node(next)) => {
                    if met.insert((next, step.target)) {
                        agenda.push((next, step.target));
                    }
                }
                end => ends.come_to(end),
            }
        }
    }
    Ok(ends)
}
