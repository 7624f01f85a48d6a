//! Drafts of cooperative tests. A draft can be extended, behind the points at which it passes, to show another mutant in the same
//! run (\[002\]: a test is extended while that pays).
//!
//! A draft has all clocks: the specification's, the first mutant's, `t`, and the clocks of the mutants that it was extended for.
//! Each of these mutants is assumed to have followed the specification up to its extension. This only guides the search: the
//! execution of the longer test decides which mutants it kills, and every node knows the specification's state.

use super::distance::Distances;
use super::graph;
use super::reached::ReachedPoints;
use crate::error::SuiteFailure;
use crate::execution::compiled::CompiledTest;
use crate::execution::subject::{Subject, is_output};
use crate::linear::Pick;
use crate::pairing::{JointMove, Pair, Pairing};
use crate::search::distance_from;
use crate::strategy::{condition_in, resets};
use crate::{Act, Condition, Constraint, Jump, Next, Node, Resets, Rule, TestCase, TestVerdict};
use tamper_game::symbolic::{Arena, Move, NodeId, PairProduct as _, zone_ops};
use tamper_text::Budget;
use tamper_zones::{Bound, Clock, Dbm, DbmDraft};

/// A test that can still be extended.
#[derive(Clone, Debug)]
pub struct Draft {
    n: usize,
    pub(crate) n_clocks: usize,
    pub(crate) nodes: Vec<Node>,
    /// The specification's node of each node.
    spec_nodes: Vec<NodeId>,
    pick: Pick,
}

/// An extension from a node of a draft.
struct Root<'p> {
    node: usize,
    pair: Pair,
    zone: Dbm,
    kind: RootKind<'p>,
}

#[derive(Clone, Copy)]
enum RootKind<'p> {
    /// After the input of that rule, by this joint move.
    Input(usize, JointMove<'p>),
    /// Instead of stopping with that rule.
    Stop(usize),
    /// After an output that is not overdue.
    Output,
}

impl Draft {
    /// Number of clocks of the draft.
    pub fn n_clocks(&self) -> usize {
        self.n_clocks
    }

    pub(crate) fn new(distances: &Distances<'_, '_>, start: Pair, pick: Pick) -> Self {
        let (spec_nodes, nodes) = graph::nodes(distances, &[start], pick)
            .into_iter()
            .map(|(pair, node)| (pair.0, node))
            .unzip();
        Self {
            n: distances.pairing.spec.n_clocks,
            n_clocks: distances.pairing.dim(),
            nodes,
            spec_nodes,
            pick,
        }
    }

    /// The draft, extended to show `mutant`; `None` if that is impossible, or if the mutant has other clocks.
    ///
    /// # Errors
    /// Bounds too fine to be compared exactly, and the budget.
    pub(crate) fn extended(
        &self,
        test: &TestCase,
        spec: &Subject,
        mutant: &Subject,
        budget: &Budget,
    ) -> Result<Option<Self>, SuiteFailure> {
        if self.n_clocks < 2 * self.n + 1 || mutant.arena.n_clocks != self.n {
            return Ok(None);
        }
        let pairing = Pairing::new(spec, mutant);
        let compiled = CompiledTest::in_own_unit(test)?;
        let reached = ReachedPoints::of(&compiled);
        let roots: Vec<Root<'_>> = (0..self.nodes.len())
            .flat_map(|node| self.roots(node, &compiled, &reached, spec, mutant, &pairing))
            .collect();
        let starts = roots.iter().map(|root| (root.pair, root.zone.clone())).collect();
        let Some((length, pairs)) = distance_from(&pairing, starts, budget)? else {
            return Ok(None);
        };
        let distances = Distances::compute(&pairing, &pairs, length, budget)?;
        Ok(Some(self.joined(&distances, &roots)))
    }

    /// The extensions from a node, for a mutant that is in the specification's state.
    fn roots<'p>(
        &self,
        at: usize,
        compiled: &CompiledTest,
        reached: &ReachedPoints,
        spec: &Subject,
        mutant: &Subject,
        pairing: &'p Pairing<'_>,
    ) -> Vec<Root<'p>> {
        let spec_node = self.spec_nodes[at];
        let Some(mutant_node) = same_state(spec, spec_node, mutant) else {
            return Vec::new();
        };
        let (pair, node) = ((spec_node, mutant_node), &self.nodes[at]);
        let root = |pair, zone, kind| Root {
            node: at,
            pair,
            zone,
            kind,
        };
        let mut roots = Vec::new();
        for entry in &reached.nodes[at].entries {
            for (index, rule) in node.rules.iter().enumerate() {
                let compiled_rule = &compiled.nodes[at].rules[index];
                let mut acting = entry.clone();
                if !zone_ops::restrict(&mut acting, &compiled_rule.from) {
                    continue;
                }
                acting.up();
                if !zone_ops::restrict(&mut acting, &compiled_rule.when) {
                    continue;
                }
                let zone = self.of_pair(&acting, compiled.scale);
                match &rule.act {
                    Act::Input { action, then } if then.is_empty() => {
                        let joints = pairing.joints(pair).into_iter();
                        let same = |step: &Move| !is_output(step) && pairing.spec_labels[step.action] == *action;
                        for joint in joints.filter(|joint| same(joint.spec)) {
                            let reached = after_step(pairing, &zone, joint);
                            let kind = RootKind::Input(index, joint);
                            roots.extend(reached.map(|zone| root(Pairing::target(joint), zone, kind)));
                        }
                    }
                    Act::Stop(TestVerdict::Pass) => {
                        roots.extend(alive(pairing, pair, zone).map(|zone| root(pair, zone, RootKind::Stop(index))));
                    }
                    _ => (),
                }
            }
            if is_overdue(node) {
                let zone = self.of_pair(entry, compiled.scale);
                roots.extend(alive(pairing, pair, zone).map(|zone| root(pair, zone, RootKind::Output)));
            }
        }
        roots
    }

    /// The zone of the specification's clocks, in time units and rounded outwards, with equal values of the mutant's clocks.
    fn of_pair(&self, zone: &Dbm, scale: i64) -> Dbm {
        let n = self.n;
        let mut draft = DbmDraft::new(2 * n + 1);
        for left in (0..=n).map(Clock::from_index) {
            for right in (0..=n).map(Clock::from_index) {
                let bound = zone.bound(left, right);
                if left == right || bound.is_infinite() {
                    continue;
                }
                let constant = -(-bound.constant()).div_euclid(scale);
                let is_exact = constant * scale == bound.constant();
                let strict = bound.is_strict() && is_exact;
                draft.constrain(
                    left,
                    right,
                    if strict {
                        Bound::lt(constant)
                    } else {
                        Bound::le(constant)
                    },
                );
            }
        }
        for clock in 1..=n {
            let (spec, mutant) = (Clock::from_index(clock), Clock::from_index(n + clock));
            draft.constrain(spec, mutant, Bound::le(0));
            draft.constrain(mutant, spec, Bound::le(0));
        }
        draft.close().expect("rounding outwards keeps all points")
    }

    /// The draft with the graph of `distances` appended.
    fn joined(&self, distances: &Distances<'_, '_>, roots: &[Root<'_>]) -> Self {
        let mut pairs: Vec<Pair> = Vec::new();
        for root in roots {
            if !pairs.contains(&root.pair) {
                pairs.push(root.pair);
            }
        }
        let mut joined = self.clone();
        let place = AppendOffsets {
            n: self.n,
            mutant: self.n_clocks,
            first_node: self.nodes.len(),
        };
        joined.n_clocks += self.n;
        for node in &mut joined.nodes {
            place.follow(node);
        }
        let made = graph::nodes(distances, &pairs, self.pick);
        let joining = Joining {
            draft: self,
            distances,
            pairs: &pairs,
            place: &place,
        };
        joining.lead_inputs_on(roots, &mut joined.nodes);
        joining.lead_outputs_on(roots, &made, &mut joined.nodes);
        joining.act_before_stops(roots, &mut joined.nodes);
        for (pair, node) in made {
            joined.nodes.push(place.node(&node));
            joined.spec_nodes.push(pair.0);
        }
        joined
    }

    /// The instant at which the rule stops, told by a clock of the specification or by `t`, in the clocks of a pair; `None` for any
    /// other rule.
    fn local(&self, stop: &Rule) -> Option<Constraint> {
        let [at] = stop.when.as_slice() else { return None };
        // `t` is behind the two games' clocks here and there; the first mutant's are no clocks of the pair.
        let is_known = at.right.is_none() && (at.left < self.n || at.left == 2 * self.n);
        is_known.then(|| at.clone())
    }
}

/// A draft that continues in the graph for another mutant.
struct Joining<'j> {
    draft: &'j Draft,
    distances: &'j Distances<'j, 'j>,
    /// The pairs of the graph's first nodes.
    pairs: &'j [Pair],
    place: &'j AppendOffsets,
}

impl Joining<'_> {
    /// The graph's node of a pair.
    fn local(&self, pair: Pair) -> usize {
        self.pairs.iter().position(|other| *other == pair).unwrap_or(0)
    }

    /// Continues in the graph after inputs that end the draft.
    fn lead_inputs_on(&self, roots: &[Root<'_>], nodes: &mut [Node]) {
        let pairing = self.distances.pairing;
        for root in roots {
            if let RootKind::Input(rule, joint) = root.kind
                && let Act::Input { then, .. } = &mut nodes[root.node].rules[rule].act
            {
                for zone in pairing.enabled(joint).zones() {
                    let jump = Jump {
                        when: self.place.condition(&condition_in(zone, 1)),
                        resets: self.place.resets(&resets(pairing, joint)),
                        next: Next::Node(self.place.first_node + self.local(root.pair)),
                    };
                    if !then.contains(&jump) {
                        then.push(jump);
                    }
                }
            }
        }
    }

    /// Continues in the graph after outputs that end the draft.
    fn lead_outputs_on(&self, roots: &[Root<'_>], made: &[(Pair, Node)], nodes: &mut [Node]) {
        let mut led_on: Vec<usize> = Vec::new();
        for root in roots.iter().filter(|root| !matches!(root.kind, RootKind::Input(..))) {
            if !led_on.contains(&root.node) {
                led_on.push(root.node);
                self.place
                    .lead_on(&mut nodes[root.node], &made[self.local(root.pair)].1);
            }
        }
    }

    /// Puts the graph's rules before the rules by which the draft stops.
    fn act_before_stops(&self, roots: &[Root<'_>], nodes: &mut [Node]) {
        let mut stops: Vec<(usize, usize, Pair)> = Vec::new();
        for root in roots {
            if let RootKind::Stop(rule) = root.kind {
                stops.push((root.node, rule, root.pair));
            }
        }
        // From the back, so that the positions of rules do not change.
        stops.sort_unstable();
        stops.dedup();
        for (node, rule, pair) in stops.into_iter().rev() {
            let stop = &self.draft.nodes[node].rules[rule];
            let Some(at) = self.draft.local(stop) else { continue };
            let rules = graph::rules_after(self.distances, self.pairs, self.draft.pick, pair, &at);
            let place = self.place;
            let rules = rules.into_iter().map(|new| Rule {
                from: stop.from.iter().cloned().chain(place.condition(&new.from)).collect(),
                when: place.condition(&new.when),
                act: place.act(&new.act),
            });
            nodes[node].rules.splice(rule..rule, rules);
        }
    }
}

/// The positions of a graph's clocks and nodes in the draft that it is appended to.
struct AppendOffsets {
    n: usize,
    /// The new mutant's first clock.
    mutant: usize,
    first_node: usize,
}

impl AppendOffsets {
    fn clock(&self, clock: usize) -> usize {
        match clock {
            clock if clock < self.n => clock,
            clock if clock < 2 * self.n => self.mutant + clock - self.n,
            _ => 2 * self.n,
        }
    }
    fn condition(&self, condition: &Condition) -> Condition {
        let placed = |constraint: &Constraint| Constraint {
            left: self.clock(constraint.left),
            right: constraint.right.map(|right| self.clock(right)),
            ..constraint.clone()
        };
        condition.iter().map(placed).collect()
    }
    fn resets(&self, resets: &Resets) -> Resets {
        resets
            .iter()
            .map(|(clock, value)| (self.clock(*clock), *value))
            .collect()
    }
    fn jump(&self, jump: &Jump) -> Jump {
        Jump {
            when: self.condition(&jump.when),
            resets: self.resets(&jump.resets),
            next: match jump.next {
                Next::Node(node) => Next::Node(self.first_node + node),
                verdict @ Next::Verdict(_) => verdict,
            },
        }
    }
    fn act(&self, act: &Act) -> Act {
        match act {
            Act::Input { action, then } => Act::Input {
                action: action.clone(),
                then: then.iter().map(|jump| self.jump(jump)).collect(),
            },
            stop @ Act::Stop(_) => stop.clone(),
        }
    }
    fn node(&self, node: &Node) -> Node {
        let mut placed = node.clone();
        for rule in &mut placed.rules {
            rule.from = self.condition(&rule.from);
            rule.when = self.condition(&rule.when);
            rule.act = self.act(&rule.act);
        }
        for expected in &mut placed.outputs {
            expected.jump = self.jump(&expected.jump);
        }
        placed
    }
    /// Lets the new mutant's clocks follow the specification's.
    fn follow(&self, node: &mut Node) {
        let inputs = node.rules.iter_mut().flat_map(|rule| match &mut rule.act {
            Act::Input { then, .. } => then.iter_mut(),
            Act::Stop(_) => [].iter_mut(),
        });
        for jump in inputs.chain(node.outputs.iter_mut().map(|expected| &mut expected.jump)) {
            let spec: Vec<_> = jump
                .resets
                .iter()
                .filter(|(clock, _)| *clock < self.n)
                .copied()
                .collect();
            jump.resets
                .extend(spec.into_iter().map(|(clock, value)| (self.mutant + clock, value)));
        }
    }
    /// Inserts the outputs by which `root` continues behind the outputs by which `node` continues.
    fn lead_on(&self, node: &mut Node, root: &Node) {
        let leads = |next: Next| matches!(next, Next::Node(_));
        let known = node
            .outputs
            .iter()
            .take_while(|expected| leads(expected.jump.next))
            .count();
        let new = root.outputs.iter().filter(|expected| leads(expected.jump.next));
        let new: Vec<_> = new
            .map(|expected| crate::Expected {
                action: expected.action.clone(),
                jump: self.jump(&expected.jump),
            })
            .collect();
        node.outputs.splice(known..known, new);
    }
}

/// Whether the test ends in the node as soon as silence is overdue.
fn is_overdue(node: &Node) -> bool {
    let stops = |rule: &Rule| rule.act == Act::Stop(TestVerdict::Fail);
    let ends = node
        .outputs
        .iter()
        .all(|expected| matches!(expected.jump.next, Next::Verdict(_)));
    ends && !node.rules.is_empty() && node.rules.iter().all(stops)
}

/// The mutant's node with the location and integers of the specification's node.
fn same_state(spec: &Subject, node: NodeId, mutant: &Subject) -> Option<NodeId> {
    let state = |subject: &Subject, node: NodeId| {
        let arena: &Arena = &subject.arena;
        let location = tamper_text::Id::index(arena.node(node).location);
        (subject.locations[location].clone(), arena.values_of(node).to_vec())
    };
    let wanted = state(spec, node);
    let mut nodes = mutant.arena.nodes.ids();
    nodes.find(|other| state(mutant, *other) == wanted)
}

fn alive(pairing: &Pairing<'_>, pair: Pair, mut zone: Dbm) -> Option<Dbm> {
    zone.intersect(&pairing.both_alive(pair)?).then_some(zone)
}

fn after_step(pairing: &Pairing<'_>, zone: &Dbm, joint: JointMove<'_>) -> Option<Dbm> {
    let enabled = pairing.enabled(joint);
    enabled.zones().iter().find_map(|enabled| {
        let mut next = zone.clone();
        next.intersect(enabled).then(|| {
            pairing.reset(&mut next, joint);
            next
        })
    })
}
