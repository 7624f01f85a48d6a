//! The nodes of a cooperative test: one per pair and number of remaining steps.
//!
//! The test's clocks are copies of the specification's clocks and of the mutant's, and one that restarts in every node. Each step
//! leaves one step less, so every run of the test ends.

use rustc_hash::FxHashMap;

use super::distance::{CooperativePiece, CooperativePlan, Distances};
use super::moments::PairTimes;
use crate::execution::subject::is_output;
use crate::linear::Pick;
use crate::pairing::{JointMove, Pair, Pairing};
use crate::strategy::resets;
use crate::{Act, Constraint, Expected, Jump, Next, Node, Rule, TestVerdict};
use tamper_game::symbolic::Move;
use tamper_zones::{Dbm, Federation};

/// The nodes of the test that shows the mutant in the fewest steps, from each of the `roots`, whose nodes come first.
pub(super) fn nodes(distances: &Distances<'_, '_>, roots: &[Pair], pick: Pick) -> Vec<(Pair, Node)> {
    let mut maker = GraphMaker::of(distances, roots, pick);
    let mut nodes = Vec::new();
    while let Some(state) = maker.waiting.get(nodes.len()).copied() {
        let node = maker.node(state);
        nodes.push((state.pair, node));
    }
    nodes
}

/// The rules of a root's node once a clock of the test has that value; they lead to nodes that `nodes` makes.
pub(super) fn rules_after(
    distances: &Distances<'_, '_>,
    roots: &[Pair],
    pick: Pick,
    root: Pair,
    after: &Constraint,
) -> Vec<Rule> {
    let mut maker = GraphMaker::of(distances, roots, pick);
    // The same positions as in `nodes`, which goes through the states in this order.
    let mut next = 0;
    while let Some(state) = maker.waiting.get(next).copied() {
        maker.node(state);
        next += 1;
    }
    let moments = PairTimes::new(distances.pairing, root, pick).after(after);
    let mut rules = Vec::new();
    for piece in distances.pieces(root, distances.length) {
        maker.rules(&moments, root, piece, &mut rules);
    }
    rules
}

/// A node of the test: a pair of states, and the number of remaining steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct GraphNode {
    pair: Pair,
    left: usize,
}

struct GraphMaker<'d, 'p, 'a> {
    distances: &'d Distances<'p, 'a>,
    pairing: &'p Pairing<'a>,
    pick: Pick,
    positions: FxHashMap<GraphNode, usize>,
    waiting: Vec<GraphNode>,
}

impl<'d, 'p, 'a> GraphMaker<'d, 'p, 'a> {
    /// The nodes of the roots come first.
    fn of(distances: &'d Distances<'p, 'a>, roots: &[Pair], pick: Pick) -> Self {
        let mut maker = Self {
            distances,
            pairing: distances.pairing,
            pick,
            positions: FxHashMap::default(),
            waiting: Vec::new(),
        };
        for root in roots {
            maker.position(GraphNode {
                pair: *root,
                left: distances.length,
            });
        }
        maker
    }

    fn position(&mut self, state: GraphNode) -> usize {
        *self.positions.entry(state).or_insert_with(|| {
            self.waiting.push(state);
            self.waiting.len() - 1
        })
    }

    fn node(&mut self, state: GraphNode) -> Node {
        let GraphNode { pair, left } = state;
        let moments = PairTimes::new(self.pairing, pair, self.pick);
        let distances = self.distances;
        let mut rules = Vec::new();
        for piece in distances.pieces(pair, left) {
            self.rules(&moments, pair, piece, &mut rules);
        }
        let mut outputs = Vec::new();
        let joints = self.pairing.joints(pair);
        for joint in joints.into_iter().filter(|joint| left > 0 && is_output(joint.spec)) {
            for zone in distances.before(pair, joint, left - 1).zones() {
                let next = self.position(GraphNode {
                    pair: Pairing::target(joint),
                    left: left - 1,
                });
                outputs.push(Expected {
                    action: self.label(joint.spec),
                    jump: self.jump(joint, moments.at(zone), next),
                });
            }
        }
        self.allowed(&moments, pair, &mut outputs);
        Node {
            rules,
            outputs,
            otherwise: TestVerdict::Fail,
        }
    }

    fn rules(&mut self, moments: &PairTimes, pair: Pair, piece: &CooperativePiece, rules: &mut Vec<Rule>) {
        let window: &Dbm = &piece.when;
        match piece.plan {
            CooperativePlan::Refused(step) => {
                let act = Act::Input {
                    action: self.label(&self.pairing.spec.moves_of(pair.0)[step]),
                    then: Vec::new(),
                };
                moments.act(window, &act, rules);
            }
            CooperativePlan::Input(step, joint) => {
                let action = self.label(&self.pairing.spec.moves_of(pair.0)[step]);
                let joint = self.pairing.joints(pair)[joint];
                let next = self.position(GraphNode {
                    pair: Pairing::target(joint),
                    left: piece.rank - 1,
                });
                let then = vec![self.jump(joint, Vec::new(), next)];
                moments.act(window, &Act::Input { action, then }, rules);
            }
            CooperativePlan::Overdue => moments.overdue(&piece.entry, rules),
            CooperativePlan::Wrong => moments.wait(&piece.entry, window, TestVerdict::Pass, rules),
            CooperativePlan::Await => moments.wait(&piece.entry, window, TestVerdict::Inconclusive, rules),
        }
    }

    fn label(&self, step: &Move) -> String {
        self.pairing.spec_labels[step.action].clone()
    }

    fn jump(&self, joint: JointMove<'_>, when: crate::Condition, next: usize) -> Jump {
        Jump {
            when,
            resets: resets(self.pairing, joint),
            next: Next::Node(next),
        }
    }

    /// Adds the other outputs that the specification allows.
    fn allowed(&self, moments: &PairTimes, pair: Pair, outputs: &mut Vec<Expected>) {
        for step in self.pairing.spec.moves_of(pair.0).iter().filter(|step| is_output(step)) {
            let mut enabled: Federation = self.pairing.spec_enabled(step);
            if let Some(alive) = self.pairing.spec_alive(pair) {
                enabled.intersect_dbm(&alive);
            }
            for zone in enabled.zones() {
                outputs.push(Expected {
                    action: self.label(step),
                    jump: Jump {
                        when: moments.allowed_at(zone),
                        resets: Vec::new(),
                        next: Next::Verdict(TestVerdict::Inconclusive),
                    },
                });
            }
        }
    }
}
