//! The recognition of tests that are words of inputs and delays, wherever they come from.

use std::collections::BTreeMap;

use num_rational::BigRational;

use crate::{Act, Constraint, Jump, Next, Node, Rule, TestCase};
use tamper_timed::model::Cmp;

impl TestCase {
    /// Whether the inputs and their times are the same in all runs that get that far: one clock restarts with each input and with
    /// nothing else, and determines the time of the next input, which is the same in all nodes behind the same number of inputs. A
    /// test that gives fixed inputs in another way is not recognised.
    pub fn is_blind(&self) -> bool {
        let gives = self.gives();
        !gives[0] || (0..self.clocks.len()).any(|clock| self.gives_by(clock, &gives))
    }

    /// For each node, whether it or a later node gives an input.
    fn gives(&self) -> Vec<bool> {
        let is_input = |rule: &Rule| matches!(rule.act, Act::Input { .. });
        let mut gives: Vec<bool> = self.nodes.iter().map(|node| node.rules.iter().any(is_input)).collect();
        loop {
            let leads = |at: &usize| {
                let mut targets = jumps(&self.nodes[*at]).map(|(jump, _)| jump.next);
                !gives[*at] && targets.any(|next| matches!(next, Next::Node(next) if gives[next]))
            };
            match (0..self.nodes.len()).find(leads) {
                Some(at) => gives[at] = true,
                None => return gives,
            }
        }
    }

    fn gives_by(&self, clock: usize, gives: &[bool]) -> bool {
        let mut inputs_before: BTreeMap<usize, usize> = BTreeMap::from([(0, 0)]);
        let mut word: BTreeMap<usize, (&str, &BigRational)> = BTreeMap::new();
        let mut waiting = vec![0];
        while let Some(at) = waiting.pop() {
            let given = inputs_before[&at];
            let node = &self.nodes[at];
            for rule in &node.rules {
                if let Some(step) = input(rule, clock)
                    && step.is_none_or(|step| *word.entry(given).or_insert(step) != step)
                {
                    return false;
                }
            }
            for (jump, more) in jumps(node) {
                let Next::Node(next) = jump.next else { continue };
                if !gives[next] {
                    continue;
                }
                let restarts = jump.resets.iter().any(|(reset, _)| *reset == clock);
                let to_zero = jump.resets.contains(&(clock, 0));
                if restarts != (more == 1) || restarts != to_zero {
                    return false;
                }
                match inputs_before.insert(next, given + more) {
                    None => waiting.push(next),
                    Some(known) if known == given + more => {}
                    Some(_) => return false,
                }
            }
        }
        true
    }
}

/// The input of a rule, with its time since the last input if `clock` fixes one; the outer `None` for a rule without an input.
fn input(rule: &Rule, clock: usize) -> Option<Option<(&str, &BigRational)>> {
    let Act::Input { action, .. } = &rule.act else {
        return None;
    };
    let is_one_time = |atom: &&Constraint| atom.left == clock && atom.right.is_none() && atom.cmp == Cmp::Eq;
    let fixed = rule.when.iter().find(is_one_time);
    Some(fixed.map(|atom| (action.as_str(), &atom.bound)))
}

/// The jumps of a node, each with the number of inputs that it makes (0 or 1).
fn jumps(node: &Node) -> impl Iterator<Item = (&Jump, usize)> {
    let inputs = node.rules.iter().flat_map(|rule| match &rule.act {
        Act::Input { then, .. } => then.as_slice(),
        Act::Stop(_) => &[],
    });
    let outputs = node.outputs.iter().map(|expected| &expected.jump);
    inputs.map(|jump| (jump, 1)).chain(outputs.map(|jump| (jump, 0)))
}
