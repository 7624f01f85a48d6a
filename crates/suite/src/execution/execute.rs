//! Exact execution of a test against a game in simulated time: all runs, over all choices and times of the game and all times that
//! the test leaves to the tester.
//!
//! The test's clocks and the game's clocks are the clocks of one zone. On entering a node the tester commits itself to a rule; then
//! both let time pass together up to the rule's `when`. The rule's condition and the game's invariant are convex (no pruning), so
//! one zone holds all points that are reached by waiting. A run *stalls* if the game can neither wait any longer nor make an output
//! before the tester acts: time is stopped, and no verdict comes. The game is an [`ExecutionWorld`]: a single game, or a family
//! whose members are executed together as long as they are alike.

use std::collections::VecDeque;
use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::error::SuiteFailure;
use crate::execution::compiled::{
    CompiledAct, CompiledJump, CompiledNode, CompiledRule, CompiledTest, leave_out, take_out,
};
use crate::view::{View, ViewMove};
use crate::{Next, TestVerdict};
use tamper_game::symbolic::{Atom, zone_ops};
use tamper_text::Budget;
use tamper_zones::{Dbm, Federation};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExecutionEnd {
    Verdict(TestVerdict),
    Stalled,
}

/// The view of members that are alike, and these members.
pub(crate) type ViewGroup<P, G> = (Rc<View<P>>, G);

/// The system that a test is executed against: one member, or a group of members that are executed together.
pub(crate) trait ExecutionWorld: Sized {
    type Place: Clone + Eq + Hash;
    type Group: Clone;
    fn n_clocks(&self) -> usize;
    fn start(&self) -> (Self::Place, Self::Group);
    /// Tells that some members come to a place with the clocks of `entry`.
    fn enters(&mut self, _: &Self::Place, _entry: &Dbm) {}
    /// Splits the group at a place into members that are alike there, each class with its moves while the test is in `node`.
    fn split(
        &mut self,
        place: &Self::Place,
        group: &Self::Group,
        node: &CompiledNode,
    ) -> Vec<ViewGroup<Self::Place, Self::Group>>;
    /// The members of `group` that are not in `seen`, whose members were at all points of the group's entry, or at exactly these
    /// points (`is_same`); `None` if no member is left.
    fn beyond(&mut self, group: &Self::Group, seen: &Self::Group, is_same: bool) -> Option<Self::Group>;
    /// Adds the members of `other`.
    fn unite(&mut self, group: &mut Self::Group, other: &Self::Group);
    /// The points, among those `reached` by waiting for `when`, that are examined; `None` for all of them.
    fn waits(&mut self, _reached: &Dbm, _when: &Dbm) -> Option<Federation> {
        None
    }
    /// An input is given to the group's members at points where no move of the view accepts it. The members are alike except for
    /// inputs that their view lacks.
    fn refuse(&mut self, who: Who<'_, Self>, _action: &str, _refused: Vec<Dbm>) {
        self.end(ExecutionEnd::Verdict(TestVerdict::Fail), who.group);
    }
    /// A run of each member of the group ends this way.
    fn end(&mut self, end: ExecutionEnd, group: &Self::Group);
    /// Whether the group's members need no more runs.
    fn is_settled(&self, group: &Self::Group) -> bool;
    /// Whether it matters that time is stopped before a verdict.
    fn heeds_silence(&self) -> bool {
        true
    }
    /// The members of the group that make no output at some point of `stuck`. They are alike except for outputs that their view lacks.
    fn silent(&mut self, who: Who<'_, Self>, stuck: TimelockPoints) -> Vec<Self::Group> {
        match stuck.without(who.view.outputs()).is_empty() {
            true => Vec::new(),
            false => vec![who.group.clone()],
        }
    }
}

/// Points at which time is stopped and the tester does not act.
#[derive(Clone, Debug)]
pub(crate) struct TimelockPoints {
    points: Federation,
    /// Open ends of time, which are approached: an output that is possible there is possible all the way.
    ends: Federation,
}

impl TimelockPoints {
    pub fn is_empty(&self) -> bool {
        self.points.is_empty() && self.ends.is_empty()
    }
    /// The stuck points without the points at which one of the conjunctions `speech` holds.
    pub fn without<'a>(mut self, speech: impl Iterator<Item = &'a [Atom]>) -> Self {
        let speech = zone_ops::federation(self.points.dim(), speech);
        self.points.subtract(&speech);
        for open in speech.zones().iter().filter_map(Dbm::approached) {
            self.ends.subtract_dbm(&open);
        }
        self
    }
    /// The stuck points at which `speech` holds.
    pub fn within(mut self, speech: &[Atom]) -> Self {
        let speech = zone_ops::federation(self.points.dim(), [speech]);
        let open: Vec<Dbm> = speech.zones().iter().filter_map(Dbm::approached).collect();
        self.ends.intersect(&Federation::from_zones(self.points.dim(), open));
        self.points.intersect(&speech);
        self
    }
}

/// Executes `test`, and reports to `used` which rule of which node some run follows.
pub(crate) fn execute_in<W: ExecutionWorld>(
    test: &CompiledTest,
    world: &mut W,
    budget: &Budget,
    used: &mut dyn FnMut(usize, usize),
) -> Result<(), SuiteFailure> {
    let dim = test.n_clocks + world.n_clocks() + 1;
    let (place, group) = world.start();
    let mut execution = TestExecution {
        test,
        world,
        dim,
        keys: VecDeque::new(),
        waiting: FxHashMap::default(),
        seen: FxHashMap::default(),
    };
    execution.push((0, place), Dbm::zero(dim), &group);
    execution.run(budget, used)
}

/// Members that are alike, at a place of the game.
pub(crate) struct Who<'v, W: ExecutionWorld> {
    pub place: &'v W::Place,
    /// The moves and the invariant at the place.
    pub view: &'v View<W::Place>,
    pub group: &'v W::Group,
}

impl<W: ExecutionWorld> Clone for Who<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: ExecutionWorld> Copy for Who<'_, W> {}

/// A node of the test and a place of the game.
type ExecutionKey<W> = (usize, <W as ExecutionWorld>::Place);
/// The zones on entry, and the members that enter with them.
type Entries<W> = FxHashMap<ExecutionKey<W>, Vec<(Dbm, <W as ExecutionWorld>::Group)>>;

struct TestExecution<'a, W: ExecutionWorld> {
    test: &'a CompiledTest,
    world: &'a mut W,
    dim: usize,
    /// The keys of `waiting`, in the order of their first entries. Groups that come to one state in different ways continue together.
    keys: VecDeque<ExecutionKey<W>>,
    waiting: Entries<W>,
    seen: Entries<W>,
}

/// A step, and the members that make it.
struct Taking<'v, W: ExecutionWorld> {
    step: &'v ViewMove<W::Place>,
    group: &'v W::Group,
}

impl<W: ExecutionWorld> TestExecution<'_, W> {
    fn run(&mut self, budget: &Budget, used: &mut dyn FnMut(usize, usize)) -> Result<(), SuiteFailure> {
        let (mut n_states, bytes) = (0u64, zone_ops::zone_bytes(self.dim));
        while let Some((node, place, group, entry)) = self.pop() {
            if self.world.is_settled(&group) {
                continue;
            }
            let seen = self.seen.entry((node, place.clone())).or_default();
            let world = &mut self.world;
            let mut new = Some(group);
            for (old, who) in seen.iter().filter(|(old, _)| old.includes(&entry)) {
                new = new.and_then(|group| world.beyond(&group, who, *old == entry));
                if new.is_none() {
                    break;
                }
            }
            let Some(group) = new else { continue };
            seen.push((entry.clone(), group.clone()));
            n_states += 1;
            if let Some(reason) = budget.exceeded(n_states, n_states * bytes) {
                return Err(reason.into());
            }
            self.world.enters(&place, &entry);
            for (view, group) in self.world.split(&place, &group, &self.test.nodes[node]) {
                let who = Who {
                    place: &place,
                    view: &view,
                    group: &group,
                };
                self.enter(node, who, entry.clone(), used);
            }
        }
        Ok(())
    }

    fn push(&mut self, key: ExecutionKey<W>, entry: Dbm, group: &W::Group) {
        let entries = self.waiting.entry(key.clone()).or_default();
        if let Some((_, who)) = entries.iter_mut().find(|(known, _)| *known == entry) {
            self.world.unite(who, group);
            return;
        }
        if entries.is_empty() {
            self.keys.push_back(key);
        }
        entries.push((entry, group.clone()));
    }

    fn pop(&mut self) -> Option<(usize, W::Place, W::Group, Dbm)> {
        let key = self.keys.front()?;
        let entries = self.waiting.get_mut(key).expect("what is queued waits");
        let (entry, group) = entries.pop().expect("what is queued waits");
        let (node, place) = key.clone();
        if entries.is_empty() {
            self.keys.pop_front();
        }
        Some((node, place, group, entry))
    }

    fn end(&mut self, verdict: TestVerdict, group: &W::Group) {
        self.world.end(ExecutionEnd::Verdict(verdict), group);
    }

    fn enter(&mut self, at: usize, who: Who<'_, W>, entry: Dbm, used: &mut dyn FnMut(usize, usize)) {
        let test = self.test;
        let node = &test.nodes[at];
        let mut rest = vec![entry];
        for (index, rule) in node.rules.iter().enumerate() {
            take_out(&mut rest, &rule.from, |part| {
                used(at, index);
                self.follow(node, rule, who, part);
            });
        }
        if !rest.is_empty() {
            self.end(TestVerdict::Inconclusive, who.group);
        }
    }

    /// Follows everything that comes of choosing `rule` at the points of `start`.
    fn follow(&mut self, node: &CompiledNode, rule: &CompiledRule, who: Who<'_, W>, start: Dbm) {
        let Who { view, group, .. } = who;
        let Some(when) = zone_ops::restricted(&Dbm::universe(self.dim), &rule.when) else {
            self.end(TestVerdict::Inconclusive, group);
            return;
        };
        let mut before = when.clone();
        before.down();
        let mut reached = start;
        if !before.includes(&reached) {
            self.end(TestVerdict::Inconclusive, group);
            if !reached.intersect(&before) {
                return;
            }
        }
        if !view.urgent {
            reached.up();
            let kept = zone_ops::restrict(&mut reached, &view.invariant) && reached.intersect(&before);
            assert!(kept, "an entered state satisfies its invariant");
        }
        match self.world.waits(&reached, &when) {
            None => self.act(node, rule, who, &reached, &when),
            Some(parts) => {
                for part in parts.zones() {
                    self.act(node, rule, who, part, &when);
                }
            }
        }
    }

    /// Follows the game's outputs from the `reached` points, and the tester's act where it is due.
    fn act(&mut self, node: &CompiledNode, rule: &CompiledRule, who: Who<'_, W>, reached: &Dbm, when: &Dbm) {
        let Who { view, group, .. } = who;
        for step in view.moves.iter().filter(|step| step.is_output) {
            self.output(node, Taking { step, group }, reached);
        }
        if view.only_outputs {
            return;
        }
        let mut acting = reached.clone();
        if acting.intersect(when) {
            match &rule.act {
                CompiledAct::Stop(verdict) => self.end(*verdict, group),
                CompiledAct::Input(action, then) => self.input(action, then, who, &acting),
            }
        }
        if self.world.heeds_silence()
            && let Some(stuck) = self.stuck(view, reached, when)
        {
            for silent in self.world.silent(who, stuck) {
                self.world.end(ExecutionEnd::Stalled, &silent);
            }
        }
    }

    fn output(&mut self, node: &CompiledNode, taking: Taking<'_, W>, reached: &Dbm) {
        for enabled in &taking.step.enabled {
            let Some(taken) = zone_ops::restricted(reached, enabled) else {
                continue;
            };
            let known = node.outputs.iter().filter(|(action, _)| *action == taking.step.label);
            if self.jump(known.map(|(_, jump)| jump), &taking, taken) {
                self.end(node.otherwise, taking.group);
            }
        }
    }

    fn input(&mut self, action: &str, then: &[CompiledJump], who: Who<'_, W>, acting: &Dbm) {
        let Who { view, group, .. } = who;
        let mut refused = vec![acting.clone()];
        let accepts = |step: &&ViewMove<W::Place>| !step.is_output && step.label == action;
        for step in view.moves.iter().filter(accepts) {
            for enabled in &step.enabled {
                leave_out(&mut refused, enabled);
                if let Some(taken) = zone_ops::restricted(acting, enabled)
                    && self.jump(then.iter(), &Taking { step, group }, taken)
                {
                    self.end(TestVerdict::Pass, group);
                }
            }
        }
        if !refused.is_empty() {
            self.world.refuse(who, action, refused);
        }
    }

    /// Sends the points of `taken` on by the first jump that each satisfies. Returns whether some points satisfy no jump.
    fn jump<'j>(&mut self, jumps: impl Iterator<Item = &'j CompiledJump>, taking: &Taking<'_, W>, taken: Dbm) -> bool {
        let mut rest = vec![taken];
        for jump in jumps {
            take_out(&mut rest, &jump.when, |mut part| match jump.next {
                Next::Verdict(verdict) => self.end(verdict, taking.group),
                Next::Node(next) => {
                    zone_ops::reset_all(&mut part, &taking.step.resets);
                    zone_ops::reset_all(&mut part, &jump.resets);
                    let target = taking.step.target.clone();
                    self.push((next, target), part, taking.group);
                }
            });
        }
        !rest.is_empty()
    }

    /// The `reached` points at which time is stopped and the tester does not act.
    fn stuck(&self, view: &View<W::Place>, reached: &Dbm, when: &Dbm) -> Option<TimelockPoints> {
        if !view.urgent && !view.bounds_time() {
            return None;
        }
        let mut stuck = TimelockPoints {
            points: Federation::from(reached.clone()),
            ends: Federation::empty(self.dim),
        };
        if !view.urgent {
            let invariant = zone_ops::federation(self.dim, [view.invariant.as_slice()]);
            stuck.ends = Federation::from_zones(self.dim, reached.approached());
            stuck.ends.subtract(&invariant);
            if let Some(open) = when.approached() {
                stuck.ends.subtract_dbm(&open);
            }
            stuck.points.subtract(&invariant.delayable());
        }
        stuck.points.subtract_dbm(when);
        (!stuck.is_empty()).then_some(stuck)
    }
}
