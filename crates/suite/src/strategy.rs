//! The tester's winning strategy as a test: a node per pair, a rule per winning piece.
//!
//! The test's clocks are copies of the specification's clocks (`x`) and of the mutant's (`x'`), and `t`, which restarts in every
//! node, and by which a node that cannot wait detects what comes too late. Rules that no run of the mutant needs are left out.

use std::collections::BTreeSet;

use num_rational::BigRational;
use num_traits::Zero as _;

use super::definite::{DefiniteSolution, WinningPlan};
use super::pairing::{JointMove, Pair, Pairing};
use super::{Act, Condition, Constraint, Expected, Jump, Next, Node, Resets, Rule, TestVerdict};
use crate::execution::subject::is_output;
use tamper_game::symbolic::{Arena, Move, PairId, PairProduct as _, zone_ops};
use tamper_text::Id as _;
use tamper_timed::model::Cmp;
use tamper_zones::{Bound, Clock, Dbm, Federation, Variable};

/// The nodes of the strategy, one per pair of the solution and in its order.
pub(super) fn nodes(solution: &DefiniteSolution<'_, '_>) -> Vec<Node> {
    let maker = StrategyTest {
        solution,
        pairing: solution.pairing,
    };
    solution.pairs.ids().map(|id| maker.node(id)).collect()
}

/// The nodes without the rules that are not in `used` (node, rule), and without unreachable nodes.
pub(super) fn pruned(nodes: Vec<Node>, used: &BTreeSet<(usize, usize)>) -> Vec<Node> {
    let mut kept: Vec<Node> = nodes;
    for (at, node) in kept.iter_mut().enumerate() {
        let mut index = 0;
        node.rules.retain(|_| {
            index += 1;
            used.contains(&(at, index - 1))
        });
    }
    let mut reached = vec![0];
    let mut next = 0;
    while let Some(at) = reached.get(next).copied() {
        for target in targets(&mut kept[at]) {
            if let Next::Node(target) = *target
                && !reached.contains(&target)
            {
                reached.push(target);
            }
        }
        next += 1;
    }
    for node in &mut kept {
        for target in targets(node) {
            if let Next::Node(old) = target
                && let Some(new) = reached.iter().position(|known| known == old)
            {
                *old = new;
            }
        }
    }
    reached.into_iter().map(|at| kept[at].clone()).collect()
}

/// The targets of a node. A node without rules has none, as the test ends on entering it.
fn targets(node: &mut Node) -> impl Iterator<Item = &mut Next> {
    if node.rules.is_empty() {
        node.outputs.clear();
    }
    node.jumps_mut().map(|jump| &mut jump.next)
}

struct StrategyTest<'s, 'p, 'a> {
    solution: &'s DefiniteSolution<'p, 'a>,
    pairing: &'p Pairing<'a>,
}

impl StrategyTest<'_, '_, '_> {
    /// The clock that restarts in every node; it is behind the games' clocks.
    fn t(&self) -> usize {
        self.pairing.dim() - 1
    }

    fn node(&self, id: PairId) -> Node {
        let pair = self.solution.pairs.pair(id);
        let rules = self.solution.pairs[id].winning.iter().map(|piece| {
            let (when, act) = self.act(pair, &piece.plan);
            Rule {
                from: condition(&piece.zone),
                when,
                act,
            }
        });
        let joint = self.pairing.outputs(pair).flat_map(|mutant| {
            let answers = self.pairing.spec_moves(pair, mutant);
            answers.filter_map(move |spec| self.expected(pair, JointMove { spec, mutant }))
        });
        let allowed = self.pairing.spec.moves_of(pair.0).iter();
        let allowed = allowed.filter(|step| is_output(step));
        let allowed = allowed.flat_map(|step| self.allowed(pair, step));
        Node {
            rules: rules.collect(),
            outputs: joint.chain(allowed).collect(),
            otherwise: TestVerdict::Fail,
        }
    }

    fn act(&self, pair: Pair, plan: &WinningPlan) -> (Condition, Act) {
        match plan {
            WinningPlan::Overdue(zone) => (condition(zone), Act::Stop(TestVerdict::Fail)),
            WinningPlan::AnyDelay => (vec![self.later()], Act::Stop(TestVerdict::Fail)),
            WinningPlan::Await => (self.after_the_end(pair), Act::Stop(TestVerdict::Inconclusive)),
            WinningPlan::Input(index, zone) => {
                let spec = &self.pairing.spec.moves_of(pair.0)[*index];
                let answers = self.pairing.mutant_moves(pair, spec);
                let then = answers.flat_map(|mutant| self.jumps(pair, JointMove { spec, mutant }));
                let act = Act::Input {
                    action: self.pairing.spec_labels[spec.action].clone(),
                    then: then.collect(),
                };
                (self.in_time(self.both_wait(pair), zone), act)
            }
        }
    }

    /// The condition of the zone at a time that is reached; if the node cannot wait, at once.
    fn in_time(&self, waits: bool, zone: &Dbm) -> Condition {
        let mut when = condition(zone);
        if !waits {
            when.push(Constraint {
                cmp: Cmp::Eq,
                ..self.later()
            });
        }
        when
    }

    fn both_wait(&self, pair: Pair) -> bool {
        self.pairing.may_delay(pair) == (true, true)
    }

    /// The constraint that some time has passed in the node.
    fn later(&self) -> Constraint {
        Constraint::on(self.t(), Cmp::Gt, BigRational::zero())
    }

    /// The condition that the mutant can no longer be silent.
    fn after_the_end(&self, pair: Pair) -> Condition {
        if !self.pairing.may_delay(pair).1 {
            return vec![self.later()];
        }
        let alive = self.pairing.mutant_alive(pair).expect("a reached pair exists");
        let clocks = self.pairing.spec.n_clocks..self.t();
        let ends = clocks.filter_map(|clock| {
            let bound = alive.bound_upper(Variable::new(clock));
            let cmp = if bound.is_strict() { Cmp::Ge } else { Cmp::Gt };
            let end = || BigRational::from_integer(bound.constant().into());
            (!bound.is_infinite()).then(|| Constraint::on(clock, cmp, end()))
        });
        ends.take(1).collect()
    }

    /// The jumps after the joint move, from all points at which both games can make it.
    fn jumps(&self, pair: Pair, joint: JointMove<'_>) -> Vec<Jump> {
        let pairs = &self.solution.pairs;
        let next = match pairs.find(Pairing::target(joint)) {
            Some(target) if !pairs[target].winning.is_empty() => Next::Node(target.index()),
            _ => Next::Verdict(TestVerdict::Inconclusive),
        };
        let mut enabled = self.pairing.enabled(joint);
        if let Some(alive) = self.pairing.both_alive(pair) {
            enabled.intersect_dbm(&alive);
        }
        let waits = self.both_wait(pair);
        let jump = |zone: &Dbm| Jump {
            when: self.in_time(waits, zone),
            resets: resets(self.pairing, joint),
            next,
        };
        enabled.zones().iter().map(jump).collect()
    }

    fn expected(&self, pair: Pair, joint: JointMove<'_>) -> Option<Expected> {
        let action = self.pairing.spec_labels[joint.spec.action].clone();
        let jump = self.jumps(pair, joint).into_iter().next()?;
        Some(Expected { action, jump })
    }

    /// The outputs for a move that the specification allows and the mutant does not make.
    fn allowed(&self, pair: Pair, step: &Move) -> Vec<Expected> {
        let mut enabled: Federation = self.pairing.spec_enabled(step);
        if let Some(alive) = self.pairing.spec_alive(pair) {
            enabled.intersect_dbm(&alive);
        }
        let (waits, _) = self.pairing.may_delay(pair);
        let expected = |zone: &Dbm| Expected {
            action: self.pairing.spec_labels[step.action].clone(),
            jump: Jump {
                when: self.in_time(waits, zone),
                resets: Vec::new(),
                next: Next::Verdict(TestVerdict::Inconclusive),
            },
        };
        enabled.zones().iter().map(expected).collect()
    }
}

/// The resets for a joint move in a test that copies the clocks of both games and has one clock that restarts in every node.
pub(super) fn resets(pairing: &Pairing<'_>, joint: JointMove<'_>) -> Resets {
    let of = |arena: &Arena, step: &Move| {
        let resets = arena.resets_of(step).iter();
        resets
            .map(|(clock, value)| (clock.index() - 1, *value))
            .collect::<Vec<_>>()
    };
    let spec = of(pairing.spec, joint.spec);
    let mutant = of(&pairing.mutant, joint.mutant);
    spec.into_iter().chain(mutant).chain([(pairing.dim() - 1, 0)]).collect()
}

/// The zone as constraints on clocks numbered from 0.
fn condition(zone: &Dbm) -> Condition {
    condition_in(zone, 1)
}

/// The zone, whose unit is a time unit divided by `parts`, as constraints on clocks numbered from 0.
pub(crate) fn condition_in(zone: &Dbm, parts: i64) -> Condition {
    let atoms = zone_ops::atoms_of_zone(zone);
    let mut all: Vec<Constraint> = Vec::new();
    for atom in &atoms {
        let exact = atoms.iter().any(|other| {
            (other.left, other.right) == (atom.right, atom.left)
                && !atom.bound.is_strict()
                && !other.bound.is_strict()
                && other.bound.constant() == -atom.bound.constant()
        });
        let Some(constraint) = constraint(atom.left, atom.right, atom.bound, parts) else {
            continue;
        };
        let cmp = if exact { Cmp::Eq } else { constraint.cmp };
        let constraint = Constraint { cmp, ..constraint };
        let known = all.iter().any(|other| {
            let same = (other.left, other.right) == (constraint.left, constraint.right);
            let mirrored = (Some(other.left), other.right) == (constraint.right, Some(constraint.left));
            exact && other.cmp == Cmp::Eq && (same || mirrored)
        });
        if !known {
            all.push(constraint);
        }
    }
    all
}

fn constraint(left: Clock, right: Clock, bound: Bound, parts: i64) -> Option<Constraint> {
    let constant = |value: i64| BigRational::new(value.into(), parts.into());
    if bound.is_infinite() {
        return None;
    }
    let (value, strict) = (bound.constant(), bound.is_strict());
    if left == Clock::ZERO {
        // 0 - right <= -c says that the clock is at least c.
        let cmp = if strict { Cmp::Gt } else { Cmp::Ge };
        return Some(Constraint::on(right.index() - 1, cmp, constant(-value)));
    }
    Some(Constraint {
        left: left.index() - 1,
        right: (right != Clock::ZERO).then(|| right.index() - 1),
        cmp: if strict { Cmp::Lt } else { Cmp::Le },
        bound: constant(value),
    })
}
