//! The behaviour that the specification allows, as conditions on the clocks of a test.

use num_rational::BigRational;
use num_traits::ToPrimitive as _;

use crate::error::SuiteFailure;
use crate::execution::compiled::atoms;
use crate::execution::subject::{Subject, push_fresh};
use crate::strategy::condition_in;
use crate::{Act, Condition, Constraint, Expected, Resets, Rule, TestCase, TestVerdict};
use tamper_game::symbolic::{Atom, Move, NodeId, zone_ops};
use tamper_timed::model::Cmp;
use tamper_zones::{Bound, Dbm, Variable};

/// The test's clocks, and the positions of the specification's clocks among them.
pub(super) struct Clocks<'m> {
    test: &'m TestCase,
    spec: &'m Subject,
    /// The position of the first of the specification's clocks; the others follow it.
    first: usize,
    is_copied: bool,
    /// Number of clocks that the test and the specification need.
    n_own: usize,
    /// The clock that restarts in every node, if the specification lets no time pass somewhere, or the test lingers.
    u: Option<usize>,
    /// Number of time units without an output after which a lingering test ends; `None` if the test does not linger.
    pub quiet: Option<i64>,
    scale: Option<i64>,
}

impl<'m> Clocks<'m> {
    /// The clocks of a test whose first clocks have the names of the specification's clocks, so they may be copies.
    pub fn copied(test: &'m TestCase, spec: &'m Subject, quiet: Option<u32>) -> Option<Self> {
        let is_copied = test.clocks.starts_with(&spec.clocks);
        is_copied.then(|| Self::new(test, spec, true, quiet))
    }

    /// The test's clocks, followed by the specification's clocks.
    pub fn added(test: &'m TestCase, spec: &'m Subject, quiet: Option<u32>) -> Self {
        Self::new(test, spec, false, quiet)
    }

    fn new(test: &'m TestCase, spec: &'m Subject, is_copied: bool, quiet: Option<u32>) -> Self {
        let halts = spec.arena.nodes.iter().any(|node| node.urgent);
        let first = if is_copied { 0 } else { test.clocks.len() };
        let n_own = if is_copied {
            test.clocks.len()
        } else {
            first + spec.clocks.len()
        };
        Self {
            test,
            spec,
            first,
            is_copied,
            n_own,
            u: (halts || quiet.is_some()).then_some(n_own),
            quiet: quiet.map(i64::from),
            scale: test.scale().to_i64(),
        }
    }

    pub fn names(&self) -> Vec<String> {
        let mut names = self.test.clocks.clone();
        let added = self.spec.clocks.iter().filter(|_| !self.is_copied);
        for name in added.map(String::as_str).chain(self.u.map(|_| "u")) {
            push_fresh(&mut names, name.to_owned());
        }
        names
    }

    fn dim(&self) -> usize {
        1 + self.n_own + usize::from(self.u.is_some())
    }

    fn zone(&self, condition: &Condition) -> Result<Option<Dbm>, SuiteFailure> {
        let atoms = self.atoms(condition)?;
        Ok(zone_ops::restricted(&Dbm::universe(self.dim()), &atoms))
    }

    fn atoms(&self, condition: &Condition) -> Result<Vec<Atom>, SuiteFailure> {
        let atoms = self.scale.and_then(|scale| atoms(condition, scale));
        atoms.ok_or_else(|| SuiteFailure::TooFine {
            test: self.test.id.clone(),
        })
    }

    fn condition(&self, zone: &Dbm) -> Condition {
        condition_in(zone, self.scale.unwrap_or(1))
    }

    /// The conjunction of both conditions: `condition` alone if `other` follows from it, `None` if they exclude each other.
    pub fn both(&self, other: &Condition, condition: &Condition) -> Result<Option<Condition>, SuiteFailure> {
        let Some(zone) = self.zone(condition)? else {
            return Ok(None);
        };
        let others = self.atoms(other)?;
        if zone_ops::satisfies(&zone, &others) {
            return Ok(Some(condition.clone()));
        }
        let is_possible = zone_ops::restricted(&zone, &others).is_some();
        Ok(is_possible.then(|| other.iter().chain(condition).cloned().collect()))
    }

    /// The points from which waiting leads to points of the condition.
    pub fn before(&self, condition: &Condition) -> Result<Condition, SuiteFailure> {
        Ok(self.zone(condition)?.map_or(Vec::new(), |mut zone| {
            zone.down();
            self.condition(&zone)
        }))
    }

    /// Whether waiting leads from points of the first condition to points of the second, and never back.
    pub fn precedes(&self, first: &Condition, second: &Condition) -> Result<bool, SuiteFailure> {
        let leads = |from: &Condition, to: &Condition| -> Result<bool, SuiteFailure> {
            let Some(mut zone) = self.zone(from)? else {
                return Ok(false);
            };
            zone.up();
            Ok(zone_ops::restricted(&zone, &self.atoms(to)?).is_some())
        };
        Ok(leads(first, second)? && !leads(second, first)?)
    }

    /// The points from which setting the clocks leads to points of the condition; `None` if there are none.
    pub fn before_resets(&self, condition: &Condition, resets: &Resets) -> Result<Option<Condition>, SuiteFailure> {
        let Some(mut zone) = self.zone(condition)? else {
            return Ok(None);
        };
        for (clock, value) in resets.iter().rev() {
            let value = value * self.scale.unwrap_or(1);
            if !zone.unreset(Variable::new(*clock), value) {
                return Ok(None);
            }
        }
        Ok(Some(self.condition(&zone)))
    }

    /// The points at which the rule has ended the test; `None` if it never does.
    pub fn after(&self, rule: &Rule) -> Result<Option<Condition>, SuiteFailure> {
        let Some(mut zone) = self.zone(&rule.from)? else {
            return Ok(None);
        };
        zone.up();
        if !zone_ops::restrict(&mut zone, &self.atoms(&rule.when)?) {
            return Ok(None);
        }
        zone.up();
        Ok(Some(self.condition(&zone)))
    }

    /// Whether one of the outputs `before` has that action and holds whenever the condition does.
    pub fn is_known(&self, action: &str, when: &Condition, before: &[Expected]) -> Result<bool, SuiteFailure> {
        let Some(zone) = self.zone(when)? else {
            return Ok(true);
        };
        for other in before.iter().filter(|other| other.action == action) {
            if zone_ops::satisfies(&zone, &self.atoms(&other.jump.when)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The resets for a step, and whether the test sets its copies of the specification's clocks in the same way.
    pub fn resets(&self, step: &Move, own: &Resets) -> (Resets, bool) {
        let set = self.spec.arena.resets_of(step).iter();
        let set: Resets = set
            .map(|(clock, value)| (self.first + clock.index() - 1, *value))
            .collect();
        let value = |resets: &Resets, clock: usize| {
            let last = resets.iter().rev().find(|(reset, _)| *reset == clock);
            last.map(|(_, value)| *value)
        };
        let mut copies = self.first..self.first + self.spec.clocks.len();
        let is_true = !self.is_copied || copies.all(|clock| value(own, clock) == value(&set, clock));
        let mut all = own.clone();
        all.extend(set.iter().filter(|reset| !own.contains(reset)));
        all.extend(self.u.map(|u| (u, 0)));
        (all, is_true)
    }

    /// The condition under which a lingering test ends: nothing has come for the time that it lingers, after it could have ended by
    /// `when`. For other tests `when` itself.
    pub fn quiet_after(&self, when: &Condition) -> Condition {
        let Some((u, quiet)) = self.u.zip(self.quiet) else {
            return when.clone();
        };
        let later = when.iter().map(|constraint| {
            let mut later = constraint.clone();
            if later.right.is_none() {
                later.bound += BigRational::from_integer(quiet.into());
            }
            later
        });
        let cmp = if when.is_empty() { Cmp::Eq } else { Cmp::Ge };
        later.chain([atom(u, cmp, quiet)]).collect()
    }

    fn alive_zone(&self, state: NodeId) -> Option<Dbm> {
        let arena = &self.spec.arena;
        let invariant = arena.atoms_of(arena.node(state).invariant);
        zone_ops::restricted(&Dbm::universe(arena.n_clocks + 1), invariant)
    }

    /// The condition under which the specification can be in that state.
    pub fn alive(&self, state: NodeId) -> Condition {
        let zone = self.alive_zone(state);
        zone.map_or(Vec::new(), |zone| self.of_spec(state, &zone))
    }

    /// The conditions of which one must hold for the specification to make the move in that state.
    pub fn enabled(&self, state: NodeId, step: &Move) -> Vec<Condition> {
        let Some(alive) = self.alive_zone(state) else {
            return Vec::new();
        };
        let cases = self.spec.arena.cases(step.enabled);
        let zones = cases.filter_map(|enabled| zone_ops::restricted(&alive, enabled));
        zones.map(|zone| self.of_spec(state, &zone)).collect()
    }

    fn of_spec(&self, state: NodeId, zone: &Dbm) -> Condition {
        let mut condition = condition_in(zone, 1);
        for constraint in &mut condition {
            constraint.left += self.first;
            constraint.right = constraint.right.map(|right| right + self.first);
        }
        if self.spec.arena.node(state).urgent {
            condition.extend(self.u.map(|u| atom(u, Cmp::Eq, 0)));
        }
        condition
    }

    /// Whether the specification cannot be silent in that state for ever.
    pub fn is_bounded(&self, state: NodeId) -> bool {
        self.spec.arena.node(state).urgent || !self.bounds(state).is_empty()
    }

    /// The upper bounds of the state's clocks; strict bounds, which are not reached, come first.
    fn bounds(&self, state: NodeId) -> Vec<(usize, Bound)> {
        let Some(alive) = self.alive_zone(state) else {
            return Vec::new();
        };
        let clocks = 0..self.spec.arena.n_clocks;
        let upper = clocks.map(|at| (at, alive.bound_upper(Variable::new(at))));
        let mut bounds: Vec<_> = upper.filter(|(_, bound)| !bound.is_infinite()).collect();
        bounds.sort_by_key(|(_, bound)| !bound.is_strict());
        bounds
    }

    /// Adds rules that wait until silence is overdue, which the first bound to be passed tells; if silence is never overdue, the
    /// test ends with the verdict.
    pub fn rest(
        &self,
        from: &Condition,
        state: NodeId,
        verdict: TestVerdict,
        rules: &mut Vec<Rule>,
    ) -> Result<(), SuiteFailure> {
        if !self.is_bounded(state) {
            rules.push(Rule {
                from: from.clone(),
                when: self.quiet_after(&Vec::new()),
                act: Act::Stop(verdict),
            });
            return Ok(());
        }
        if let Some(u) = self.u.filter(|_| self.spec.arena.node(state).urgent) {
            rules.push(failing(from.clone(), atom(u, Cmp::Gt, 0)));
            return Ok(());
        }
        let bounds = self.bounds(state);
        for (at, bound) in &bounds {
            let others = bounds.iter().filter(|(other, _)| other != at);
            let is_first = others.map(|(other, later)| Constraint {
                right: Some(self.first + at),
                ..atom(self.first + other, Cmp::Le, later.constant() - bound.constant())
            });
            if let Some(from) = self.both(&is_first.collect(), from)? {
                let cmp = if bound.is_strict() { Cmp::Ge } else { Cmp::Gt };
                rules.push(failing(from, atom(self.first + at, cmp, bound.constant())));
            }
        }
        Ok(())
    }
}

fn failing(from: Condition, over: Constraint) -> Rule {
    Rule {
        from,
        when: vec![over],
        act: Act::Stop(TestVerdict::Fail),
    }
}

fn atom(left: usize, cmp: Cmp, bound: i64) -> Constraint {
    Constraint::on(left, cmp, BigRational::from_integer(bound.into()))
}
