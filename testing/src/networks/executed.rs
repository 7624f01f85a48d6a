//! A test against a network, from the words of `docs/suite.schema.json`: every run of both, region by region. Knows neither
//! zones nor `tamper_suite`'s own executions, and takes the network's steps from the naive rules.

use std::collections::HashSet;

use num_integer::Integer as _;
use num_traits::ToPrimitive as _;
use tamper_suite::{Act, Condition, Jump, Next, Resets, TestCase, TestVerdict};

use super::flat::{Discrete, Flat, OutOfRange, Region};
use super::nets::{MOST, Net, Update};
use super::verdicts::regions;
use crate::oracle::clocks::{ClockSpace, Regions};

/// What can come of a test.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Ends {
    pub can_fail: bool,
    /// Some run ends otherwise, or not at all.
    pub can_else: bool,
}

/// Why that is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nothing {
    /// The test compares clocks with each other, which regions do not.
    Differences,
    TooLarge,
    OutOfRange,
}

/// The states of a run: the node, the rule that was chosen on entering it, the network's state, all clocks (the test's behind).
type State = (usize, usize, Discrete, Region);

struct Run<'a> {
    test: &'a TestCase,
    flat: Flat<'a>,
    /// How many parts of the test's a time unit has.
    scale: i64,
    states: Vec<State>,
    known: HashSet<State>,
    ends: Ends,
}

/// Executes `test` against `net`, made from `original`.
pub fn executed(test: &TestCase, net: &Net, original: &Net, max: usize) -> Result<Ends, Nothing> {
    let mut scale = 1i64;
    let mut most = MOST + 1;
    for constraint in conditions(test).flatten() {
        if constraint.right.is_some() {
            return Err(Nothing::Differences);
        }
        scale = scale.lcm(&constraint.bound.denom().to_i64().unwrap());
        most = most.max(constraint.bound.ceil().to_integer().to_i64().unwrap());
    }
    let (net, original) = (scaled(net, scale), scaled(original, scale));
    let space = regions(net.n_clocks + test.clocks.len(), most * scale);
    let mut run = Run {
        test,
        flat: Flat {
            net: &net,
            original: &original,
            space: &space,
            offset: 0,
        },
        scale,
        states: Vec::new(),
        known: HashSet::new(),
        ends: Ends::default(),
    };
    let (start, origin) = (run.flat.initial(), run.flat.started(space.origin()));
    assert!(
        run.flat.exists(&start, &origin),
        "networks without a state are not tested"
    );
    run.enter(0, start, origin);
    while let Some(state) = run.states.pop() {
        if run.known.len() > max {
            return Err(Nothing::TooLarge);
        }
        run.follow(state).map_err(|OutOfRange| Nothing::OutOfRange)?;
    }
    Ok(run.ends)
}

fn conditions(test: &TestCase) -> impl Iterator<Item = &Condition> {
    test.nodes.iter().flat_map(|node| {
        let rules = node.rules.iter().flat_map(|rule| {
            let jumps: &[Jump] = match &rule.act {
                Act::Input { then, .. } => then,
                Act::Stop(_) => &[],
            };
            [&rule.from, &rule.when]
                .into_iter()
                .chain(jumps.iter().map(|jump| &jump.when))
        });
        rules.chain(node.outputs.iter().map(|expected| &expected.jump.when))
    })
}

/// The network in a unit of time that is that many times smaller.
fn scaled(net: &Net, scale: i64) -> Net {
    let mut net = net.clone();
    net.starts.iter_mut().for_each(|value| *value *= scale);
    for process in &mut net.procs {
        let invariants = process.locs.iter_mut().flat_map(|loc| &mut loc.invariant);
        invariants.for_each(|atom| atom.number *= scale);
        for edge in &mut process.edges {
            edge.clocks.iter_mut().for_each(|atom| atom.number *= scale);
            for update in &mut edge.updates {
                if let Update::Reset(_, value) = update {
                    *value *= scale;
                }
            }
        }
    }
    net
}

impl Run<'_> {
    fn space(&self) -> &Regions {
        self.flat.space
    }

    fn holds(&self, condition: &Condition, region: &Region) -> bool {
        condition.iter().all(|constraint| {
            let bound = (&constraint.bound * num_rational::BigRational::from_integer(self.scale.into())).to_integer();
            let clock = self.flat.net.n_clocks + constraint.left;
            let bound = bound.to_i64().unwrap();
            self.space().holds(region, clock, None, constraint.cmp, bound)
        })
    }

    fn end(&mut self, verdict: TestVerdict) {
        match verdict {
            TestVerdict::Fail => self.ends.can_fail = true,
            TestVerdict::Pass | TestVerdict::Inconclusive => self.ends.can_else = true,
        }
    }

    fn enter(&mut self, node: usize, state: Discrete, region: Region) {
        let rules = &self.test.nodes[node].rules;
        let Some(rule) = rules.iter().position(|rule| self.holds(&rule.from, &region)) else {
            return self.end(TestVerdict::Inconclusive);
        };
        let state = (node, rule, state, region);
        if self.known.insert(state.clone()) {
            self.states.push(state);
        }
    }

    /// Goes where the first jump that is meant leads; `unless` none is.
    fn jump(&mut self, jump: Option<&Jump>, unless: TestVerdict, (state, before, after): (Discrete, &Region, Region)) {
        let Some(jump) = jump.filter(|jump| self.holds(&jump.when, before)) else {
            return self.end(unless);
        };
        match jump.next {
            Next::Verdict(verdict) => self.end(verdict),
            Next::Node(node) => {
                let after = self.set(&jump.resets, after);
                self.enter(node, state, after);
            }
        }
    }

    fn set(&self, resets: &Resets, region: Region) -> Region {
        let set = |region: Region, (clock, value): &(usize, i64)| {
            let clock = self.flat.net.n_clocks + clock;
            self.space().reset(&region, clock, value * self.scale)
        };
        resets.iter().fold(region, set)
    }

    /// What a step is called in tests.
    fn label(&self, action: &str) -> String {
        let added = format!("c{}", self.flat.original.chans.len());
        action.replace(&added, "dummy_1")
    }

    fn follow(&mut self, (node, rule, state, region): State) -> Result<(), OutOfRange> {
        let test = self.test;
        let (parts, rule_at) = (&test.nodes[node], rule);
        let rule = &parts.rules[rule];
        let steps = self.flat.steps(&state, &region)?;
        let mut is_silent = true;
        for step in steps.iter().filter(|step| !step.action.ends_with('?')) {
            is_silent = false;
            let label = self.label(&step.action);
            let mut known = parts.outputs.iter().filter(|expected| expected.action == label);
            let found = known.find(|expected| self.holds(&expected.jump.when, &region));
            let reached = (step.target.clone(), &region, step.region.clone());
            self.jump(found.map(|expected| &expected.jump), parts.otherwise, reached);
        }
        let acts = self.holds(&rule.when, &region);
        if acts {
            match &rule.act {
                Act::Stop(verdict) => self.end(*verdict),
                Act::Input { action, then } => {
                    let is_atomic = self.flat.is_atomic(&state);
                    let taken = steps.iter().filter(|step| self.label(&step.action) == *action);
                    let taken: Vec<_> = taken.filter(|_| !is_atomic).collect();
                    // In the middle of an atomic step nothing is refused, and what comes of the input says nothing.
                    match (is_atomic, taken.is_empty()) {
                        (true, _) => self.ends.can_else = true,
                        (false, true) => self.end(TestVerdict::Fail),
                        (false, false) => {}
                    }
                    for step in taken {
                        let found = then.iter().find(|jump| self.holds(&jump.when, &region));
                        self.jump(
                            found,
                            TestVerdict::Pass,
                            (step.target.clone(), &region, step.region.clone()),
                        );
                    }
                }
            }
        }
        let later = self.space().later(&region);
        let waits = self.flat.passes(&state, &region, &later);
        if waits && later != region && (!acts || self.holds(&rule.when, &later)) {
            let next = (node, rule_at, state, later);
            if self.known.insert(next.clone()) {
                self.states.push(next);
            }
        } else if !acts && is_silent {
            // Time is stopped, and nobody does anything.
            self.ends.can_else = true;
        }
        Ok(())
    }
}
