//! Completion of tests: a completed test judges exactly as the specification does. Every test is completed, whatever it was made from.
//!
//! A completed test follows the specification alongside the test: each of its nodes is a node of the test paired with a state of
//! the specification. The specification alone decides which outputs are allowed and how long silence may last. Every other output
//! fails at any time, and silence fails as soon as it is overdue, whatever the test meant to do later. If the test would stop, or
//! end with an input, while an output is due, the completed test waits for the output, and any allowed output ends it. A test that
//! lingers keeps following the specification after its end until the system has been quiet for a while; then it only judges.

mod conditions;

use rustc_hash::FxHashMap;

use self::conditions::Clocks;
use super::cooperative::{retold, simplified};
use super::error::SuiteFailure;
use super::{Act, Condition, Expected, Jump, Next, Node, Resets, Rule, TestCase, TestVerdict};
use crate::execution::subject::{Subject, is_output};
use tamper_game::symbolic::{INITIAL, Move, NodeId};

/// Maximum number of outputs that a test follows after its end.
const MOST_HEARD: u8 = 8;

/// Returns the completed test. With `quiet` it lingers: after its end it judges all outputs, until the specification forces none
/// and none has come for `quiet` time units, or until [`MOST_HEARD`] outputs have come.
///
/// # Errors
/// Bounds too fine to be compared exactly.
pub(super) fn completed(test: &TestCase, spec: &Subject, quiet: Option<u32>) -> Result<TestCase, SuiteFailure> {
    let copied = Clocks::copied(test, spec, quiet);
    if let Some(clocks) = copied
        && let Some(whole) = Completion::new(test, spec, clocks).made()?
    {
        return simplified(whole);
    }
    let whole = Completion::new(test, spec, Clocks::added(test, spec, quiet)).made()?;
    let whole = whole.expect("its own clocks are the specification's");
    simplified(retold(whole, test.clocks.len())?)
}

/// The part of the test that is still running.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum TestProgress {
    Node(usize),
    /// The test has ended with this verdict, except for a due output and at most this number of outputs after it.
    After(TestVerdict, u8),
}

/// The running part of the test, and the state of the specification.
type SpecState = (TestProgress, NodeId);

/// A joint step: a move of the specification, with the resets and the target of the test's jump.
struct JointStep<'s> {
    made: &'s Move,
    resets: &'s Resets,
    next: Next,
}

struct Completion<'m> {
    test: &'m TestCase,
    spec: &'m Subject,
    clocks: Clocks<'m>,
    has_loop: bool,
    positions: FxHashMap<SpecState, usize>,
    waiting: Vec<SpecState>,
    /// Whether the test sets its copies of the specification's clocks as the specification does.
    is_true: bool,
}

impl<'m> Completion<'m> {
    fn new(test: &'m TestCase, spec: &'m Subject, clocks: Clocks<'m>) -> Self {
        Self {
            test,
            spec,
            clocks,
            has_loop: test.has_loop(),
            positions: FxHashMap::default(),
            waiting: Vec::new(),
            is_true: true,
        }
    }

    /// The completed test; `None` if its clocks are not copies of the specification's clocks.
    fn made(mut self) -> Result<Option<TestCase>, SuiteFailure> {
        self.position((TestProgress::Node(0), INITIAL));
        let mut nodes = Vec::new();
        while let Some((part, state)) = self.waiting.get(nodes.len()).copied() {
            let node = match part {
                TestProgress::Node(at) => self.node(at, state)?,
                TestProgress::After(verdict, left) => self.after(verdict, left, state)?,
            };
            if !self.is_true {
                return Ok(None);
            }
            nodes.push(node);
        }
        Ok(Some(TestCase {
            clocks: self.clocks.names(),
            nodes,
            ..self.test.clone()
        }))
    }

    fn position(&mut self, state: SpecState) -> usize {
        *self.positions.entry(state).or_insert_with(|| {
            self.waiting.push(state);
            self.waiting.len() - 1
        })
    }

    fn node(&mut self, at: usize, state: NodeId) -> Result<Node, SuiteFailure> {
        let test = self.test;
        let mut rules = Vec::new();
        for rule in &test.nodes[at].rules {
            match &rule.act {
                Act::Stop(verdict) if *verdict != TestVerdict::Fail && !self.clocks.is_bounded(state) => {
                    rules.push(Rule {
                        when: self.clocks.quiet_after(&rule.when),
                        ..rule.clone()
                    });
                }
                Act::Stop(_) => self.clocks.rest(&rule.from, state, verdict_of(&rule.act), &mut rules)?,
                Act::Input { .. } => self.input(rule, state, &mut rules)?,
            }
        }
        self.clocks
            .rest(&Vec::new(), state, TestVerdict::Inconclusive, &mut rules)?;
        Ok(Node {
            rules,
            outputs: self.outputs(&test.nodes[at], state)?,
            otherwise: TestVerdict::Fail,
        })
    }

    /// The node after the end of the test, while an output is due or the test lingers.
    fn after(&mut self, verdict: TestVerdict, left: u8, state: NodeId) -> Result<Node, SuiteFailure> {
        let mut rules = Vec::new();
        self.clocks.rest(&Vec::new(), state, verdict, &mut rules)?;
        let part = left
            .checked_sub(1)
            .map(|left| TestProgress::After(verdict, left))
            .ok_or(verdict);
        let mut outputs = Vec::new();
        for step in self.steps(state).filter(|step| is_output(step)) {
            for enabled in self.clocks.enabled(state, step) {
                outputs.push(self.expected(step, enabled, part));
            }
        }
        Ok(Node {
            rules,
            outputs,
            otherwise: TestVerdict::Fail,
        })
    }

    fn steps(&self, state: NodeId) -> impl Iterator<Item = &'m Move> + use<'m> {
        self.spec.arena.moves_of(state).iter()
    }

    fn label(&self, step: &Move) -> String {
        self.spec.labels[step.action].clone()
    }

    /// An output of the specification after which the test ends.
    fn ending(&mut self, step: &Move, when: Condition, verdict: TestVerdict) -> Expected {
        let part = self.ended(verdict, false);
        self.expected(step, when, part)
    }

    /// The part that runs on after the test ends with `verdict`; `Err(verdict)` if none does.
    fn ended(&self, verdict: TestVerdict, is_due: bool) -> Result<TestProgress, TestVerdict> {
        match (self.clocks.quiet, is_due) {
            (Some(_), _) => Ok(TestProgress::After(verdict, MOST_HEARD)),
            (None, true) => Ok(TestProgress::After(verdict, 0)),
            (None, false) => Err(verdict),
        }
    }

    /// The expected output for a move of the specification; it leads to `part`, or ends the test with the verdict.
    fn expected(&mut self, step: &Move, when: Condition, part: Result<TestProgress, TestVerdict>) -> Expected {
        let (resets, next) = match part {
            Ok(part) => {
                let (resets, _) = self.clocks.resets(step, &Vec::new());
                (resets, Next::Node(self.position((part, step.target))))
            }
            Err(verdict) => (Vec::new(), Next::Verdict(verdict)),
        };
        Expected {
            action: self.label(step),
            jump: Jump { when, resets, next },
        }
    }

    /// Adds the rule that gives the input before silence is overdue, and otherwise rules that wait.
    fn input(&mut self, rule: &Rule, state: NodeId, rules: &mut Vec<Rule>) -> Result<(), SuiteFailure> {
        let when = self.clocks.both(&self.clocks.alive(state), &rule.when)?;
        for when in self.taken(&rule.act, state, when)? {
            let ahead = self.clocks.before(&when)?;
            if let Some(from) = self.clocks.both(&ahead, &rule.from)? {
                let is_all = from == rule.from;
                let act = self.giving(&rule.act, state, &when)?;
                rules.push(Rule { from, when, act });
                if is_all {
                    return Ok(());
                }
            }
        }
        self.clocks.rest(&rule.from, state, TestVerdict::Inconclusive, rules)
    }

    /// The parts of the condition `when` under which the specification takes the input, those that waiting leads to first before the others.
    /// All tests keep to them, but for those that linger: an output that comes after the test would have ended may lead to an input that is
    /// not taken any more.
    fn taken(&self, act: &Act, state: NodeId, when: Option<Condition>) -> Result<Vec<Condition>, SuiteFailure> {
        let (Act::Input { action, .. }, Some(_), Some(when)) = (act, self.clocks.quiet, &when) else {
            return Ok(when.into_iter().collect());
        };
        let mut parts: Vec<Condition> = Vec::new();
        for made in self.answers(state, action) {
            for enabled in self.clocks.enabled(state, made) {
                let part = self.clocks.both(&enabled, when)?;
                parts.extend(part.filter(|part| !parts.contains(part)));
            }
        }
        // The input is given as early as it would have been.
        let mut ordered = Vec::new();
        while !parts.is_empty() {
            let mut first = 0;
            for at in 1..parts.len() {
                if self.clocks.precedes(&parts[at], &parts[first])? {
                    first = at;
                }
            }
            ordered.push(parts.remove(first));
        }
        Ok(ordered)
    }

    /// The moves of the specification that take the input.
    fn answers(&self, state: NodeId, action: &str) -> impl Iterator<Item = &'m Move> {
        let labels = &self.spec.labels;
        self.steps(state)
            .filter(move |step| !is_output(step) && labels[step.action] == *action)
    }

    /// The act of giving the input under the condition `given`, with its continuations.
    fn giving(&mut self, act: &Act, state: NodeId, given: &Condition) -> Result<Act, SuiteFailure> {
        let Act::Input { action, then } = act else {
            return Ok(act.clone());
        };
        let mut answered: Vec<(&Move, Condition)> = Vec::new();
        for made in self.answers(state, action) {
            for enabled in self.clocks.enabled(state, made) {
                if self.clocks.both(&enabled, given)?.is_some() {
                    answered.push((made, enabled));
                }
            }
        }
        let mut jumps = Vec::new();
        for jump in then {
            for (made, enabled) in &answered {
                if let Some(when) = self.clocks.both(enabled, &jump.when)? {
                    let step = JointStep {
                        made,
                        resets: &jump.resets,
                        next: jump.next,
                    };
                    self.lead(when, &step, true, &mut jumps)?;
                }
            }
        }
        // The input is accepted, which is what the test was about; an output may be due after it.
        let is_any = then.iter().any(|jump| jump.when.is_empty());
        for (made, enabled) in answered.into_iter().filter(|_| !is_any) {
            if self.clocks.quiet.is_some() || self.clocks.is_bounded(made.target) {
                let step = JointStep {
                    made,
                    resets: &Vec::new(),
                    next: Next::Verdict(TestVerdict::Pass),
                };
                self.lead(enabled, &step, true, &mut jumps)?;
            }
        }
        Ok(Act::Input {
            action: action.clone(),
            then: jumps,
        })
    }

    fn outputs(&mut self, node: &Node, state: NodeId) -> Result<Vec<Expected>, SuiteFailure> {
        let mut outputs = self.late(node, state)?;
        let known = node.outputs.iter().filter(|_| !node.rules.is_empty());
        for expected in known.filter(|expected| expected.jump.next != Next::Verdict(TestVerdict::Fail)) {
            for made in self.steps(state).filter(|step| is_output(step)) {
                if self.spec.labels[made.action] != expected.action {
                    continue;
                }
                for enabled in self.clocks.enabled(state, made) {
                    let Some(when) = self.clocks.both(&enabled, &expected.jump.when)? else {
                        continue;
                    };
                    let step = JointStep {
                        made,
                        resets: &expected.jump.resets,
                        next: expected.jump.next,
                    };
                    let mut jumps = Vec::new();
                    self.lead(when, &step, false, &mut jumps)?;
                    let action = &expected.action;
                    outputs.extend(jumps.into_iter().map(|jump| Expected {
                        action: action.clone(),
                        jump,
                    }));
                }
            }
        }
        let mut ends = node
            .rules
            .iter()
            .filter(|rule| is_end(rule))
            .map(|rule| verdict_of(&rule.act));
        let verdict = ends.next().filter(|first| ends.all(|other| other == *first));
        for step in self.steps(state).filter(|step| is_output(step)) {
            for enabled in self.clocks.enabled(state, step) {
                if !self.clocks.is_known(&self.label(step), &enabled, &outputs)? {
                    outputs.push(self.ending(step, enabled, verdict.unwrap_or(TestVerdict::Inconclusive)));
                }
            }
        }
        Ok(outputs)
    }

    /// Outputs that come after the test would have ended. In a test with a loop none of them leads on, as every run has to end; in
    /// other tests they exclude only outputs that end the test anyway.
    fn late(&mut self, node: &Node, state: NodeId) -> Result<Vec<Expected>, SuiteFailure> {
        let mut late = Vec::new();
        if self.clocks.quiet.is_none() && !self.clocks.is_bounded(state) {
            return Ok(late);
        }
        for rule in node.rules.iter().filter(|rule| is_end(rule)) {
            let verdict = verdict_of(&rule.act);
            if verdict == TestVerdict::Inconclusive && !self.has_loop {
                continue;
            }
            let Some(after) = self.clocks.after(rule)? else {
                continue;
            };
            for step in self.steps(state).filter(|step| is_output(step)) {
                let leads_on = |expected: &&Expected| {
                    expected.action == self.spec.labels[step.action] && matches!(expected.jump.next, Next::Node(_))
                };
                if !self.has_loop && node.outputs.iter().any(|expected| leads_on(&expected)) {
                    continue;
                }
                for enabled in self.clocks.enabled(state, step) {
                    let when = self.clocks.both(&enabled, &after)?;
                    late.extend(when.map(|when| self.ending(step, when, verdict)));
                }
            }
        }
        Ok(late)
    }

    /// Adds the jumps for a step under the condition `when`.
    fn lead(
        &mut self,
        when: Condition,
        step: &JointStep<'_>,
        is_input: bool,
        jumps: &mut Vec<Jump>,
    ) -> Result<(), SuiteFailure> {
        let target = step.made.target;
        let is_due = is_input && self.clocks.is_bounded(target);
        let part = match step.next {
            Next::Node(at) => Ok(TestProgress::Node(at)),
            Next::Verdict(verdict) => self.ended(verdict, is_due),
        };
        let (resets, is_true) = self.clocks.resets(step.made, step.resets);
        self.is_true &= is_true || !matches!(part, Ok(TestProgress::Node(_)));
        let mut to = |maker: &mut Self, when: Condition, part: Result<TestProgress, TestVerdict>| match part {
            Ok(part) => jumps.push(Jump {
                when,
                resets: resets.clone(),
                next: Next::Node(maker.position((part, target))),
            }),
            Err(verdict) => jumps.push(Jump {
                when,
                resets: Vec::new(),
                next: Next::Verdict(verdict),
            }),
        };
        let (true, Next::Node(at)) = (self.has_loop, step.next) else {
            to(self, when, part);
            return Ok(());
        };
        // A node is entered only where the test has a rule for it, so that every run ends.
        let test = self.test;
        for rule in &test.nodes[at].rules {
            let before = self.clocks.before_resets(&rule.from, &resets)?;
            if let Some(before) = before
                && let Some(chosen) = self.clocks.both(&before, &when)?
            {
                let is_all = chosen == when;
                to(self, chosen, part);
                if is_all {
                    return Ok(());
                }
            }
        }
        let part = self.ended(TestVerdict::Inconclusive, is_due);
        to(self, when, part);
        Ok(())
    }
}

/// Whether the rule ends the test without a fail.
fn is_end(rule: &Rule) -> bool {
    matches!(rule.act, Act::Stop(verdict) if verdict != TestVerdict::Fail)
}

/// The verdict with which the act ends the test if nothing is overdue.
fn verdict_of(act: &Act) -> TestVerdict {
    match act {
        Act::Stop(TestVerdict::Pass) => TestVerdict::Pass,
        _ => TestVerdict::Inconclusive,
    }
}
