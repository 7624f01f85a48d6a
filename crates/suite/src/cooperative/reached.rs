//! The points at which the conditions of a test are evaluated, for any system that it is run against.

use crate::Next;
use crate::execution::compiled::{CompiledAct, CompiledJump, CompiledNode, CompiledRule, CompiledTest, take_out};
use tamper_game::symbolic::{Atom, zone_ops};
use tamper_zones::Dbm;

#[derive(Clone, Default, Debug)]
pub(super) struct Domains {
    zones: Vec<Dbm>,
}

impl Domains {
    /// Whether all of these points that satisfy `others` also satisfy `atoms`.
    pub fn implies(&self, others: &[Atom], atoms: &[Atom]) -> bool {
        let holds =
            |zone: &Dbm| zone_ops::restricted(zone, others).is_none_or(|part| zone_ops::satisfies(&part, atoms));
        self.zones.iter().all(holds)
    }
}

/// The points at which the conditions of a rule are evaluated.
#[derive(Clone, Default, Debug)]
pub(super) struct OfRule {
    pub is_reached: bool,
    /// Points of entry for which no earlier rule is chosen.
    pub before: Domains,
    /// The points that follow after the rule is chosen.
    pub later: Domains,
}

/// The points at which the condition of an output is evaluated.
#[derive(Clone, Default, Debug)]
pub(super) struct OfOutput {
    pub is_reached: bool,
    /// Points for which no earlier output of the same action is chosen.
    pub before: Domains,
}

/// The reached points of a node.
#[derive(Clone, Default, Debug)]
pub(super) struct OfNode {
    pub entries: Vec<Dbm>,
    pub rules: Vec<OfRule>,
    pub outputs: Vec<OfOutput>,
}

/// The reached points of each node.
pub(super) struct ReachedPoints {
    pub nodes: Vec<OfNode>,
    waiting: Vec<(usize, Dbm)>,
}

impl ReachedPoints {
    /// The points reached by all runs of the test, whose nodes form no cycle.
    pub fn of(test: &CompiledTest) -> Self {
        Self::within(test, usize::MAX).expect("there is no limit")
    }

    /// No knowledge: all points may be reached.
    pub fn unknown(test: &CompiledTest) -> Self {
        let everywhere = || Domains {
            zones: vec![Dbm::universe(test.n_clocks + 1)],
        };
        let of_node = |node: &CompiledNode| OfNode {
            entries: everywhere().zones,
            rules: node
                .rules
                .iter()
                .map(|_| OfRule {
                    is_reached: true,
                    before: everywhere(),
                    later: everywhere(),
                })
                .collect(),
            outputs: node
                .outputs
                .iter()
                .map(|_| OfOutput {
                    is_reached: true,
                    before: everywhere(),
                })
                .collect(),
        };
        Self {
            nodes: test.nodes.iter().map(of_node).collect(),
            waiting: Vec::new(),
        }
    }

    /// The points reached by all runs; `None` if they have more than `most` entries of nodes.
    pub fn within(test: &CompiledTest, most: usize) -> Option<Self> {
        let empty = |node: &CompiledNode| OfNode {
            entries: Vec::new(),
            rules: vec![OfRule::default(); node.rules.len()],
            outputs: vec![OfOutput::default(); node.outputs.len()],
        };
        let mut reached = Self {
            nodes: test.nodes.iter().map(empty).collect(),
            waiting: vec![(0, Dbm::zero(test.n_clocks + 1))],
        };
        let mut n_entries = 0;
        while let Some((at, entry)) = reached.waiting.pop() {
            let known = &mut reached.nodes[at].entries;
            if !known.iter().any(|old| old.includes(&entry)) {
                n_entries += 1;
                if n_entries > most {
                    return None;
                }
                known.push(entry.clone());
                reached.enter(at, &test.nodes[at], entry);
            }
        }
        Some(reached)
    }

    fn enter(&mut self, at: usize, node: &CompiledNode, entry: Dbm) {
        let mut rest = vec![entry];
        for (index, rule) in node.rules.iter().enumerate() {
            self.nodes[at].rules[index].before.zones.extend(rest.iter().cloned());
            take_out(&mut rest, &rule.from, |part| self.follow(at, index, node, rule, part));
        }
    }

    fn follow(&mut self, at: usize, index: usize, node: &CompiledNode, rule: &CompiledRule, part: Dbm) {
        let mut later = part;
        let found = &mut self.nodes[at].rules[index];
        found.is_reached = true;
        let entry = later.clone();
        later.up();
        found.later.zones.push(later);
        let Some(when) = zone_ops::restricted(&Dbm::universe(entry.dim()), &rule.when) else {
            return;
        };
        let mut before = when.clone();
        before.down();
        let mut reached = entry;
        if !reached.intersect(&before) {
            return;
        }
        reached.up();
        let kept = reached.intersect(&before);
        assert!(kept, "no waiting is possible");
        for (position, (action, _)) in node.outputs.iter().enumerate() {
            if node.outputs[..position].iter().all(|(earlier, _)| earlier != action) {
                self.speak(at, node, action, &reached);
            }
        }
        if let CompiledAct::Input(_, then) = &rule.act
            && reached.intersect(&when)
        {
            self.answer(then, reached);
        }
    }

    fn speak(&mut self, at: usize, node: &CompiledNode, action: &str, reached: &Dbm) {
        let mut rest = vec![reached.clone()];
        let known = node.outputs.iter().enumerate();
        for (position, (_, jump)) in known.filter(|(_, (label, _))| label == action) {
            let found = &mut self.nodes[at].outputs[position];
            found.before.zones.extend(rest.iter().cloned());
            take_out(&mut rest, &jump.when, |part| {
                self.nodes[at].outputs[position].is_reached = true;
                self.go(jump, part);
            });
        }
    }

    fn answer(&mut self, then: &[CompiledJump], acting: Dbm) {
        let mut rest = vec![acting];
        for jump in then {
            take_out(&mut rest, &jump.when, |part| self.go(jump, part));
        }
    }

    fn go(&mut self, jump: &CompiledJump, mut part: Dbm) {
        if let Next::Node(next) = jump.next {
            zone_ops::reset_all(&mut part, &jump.resets);
            self.waiting.push((next, part));
        }
    }
}
