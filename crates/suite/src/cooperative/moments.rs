//! The times at which the tester acts in a node, as rules at single instants wherever possible.
//!
//! A window is a zone of the pair's clocks, to which `t` is added, the clock that restarts in every node. An instant in it
//! is told by one clock: the one whose bound is the last to be met (the window opens) or the first to be lost (it closes).
//! Zones are kept in parts of a time unit, so that there is an instant just behind every open bound.

use num_rational::BigRational;
use num_traits::ToPrimitive as _;

use crate::linear::Pick;
use crate::pairing::{Pair, Pairing};
use crate::strategy::condition_in;
use crate::{Act, Condition, Constraint, Rule, TestVerdict};
use tamper_game::symbolic::PairProduct as _;
use tamper_timed::model::Cmp;
use tamper_zones::{Bound, Clock, Dbm, DbmDraft, Variable};

/// Parts of a time unit: halves.
const PARTS: i64 = 2;

/// The times of one pair.
pub(super) struct PairTimes {
    spec_waits: bool,
    both_wait: bool,
    /// The clocks that end the specification's silence.
    spec_ends: Vec<(Variable, Bound)>,
    /// The clock that restarts in every node, behind the games'.
    t: Variable,
    /// The tester gives inputs only when this clock has at least that value, in parts.
    after: Option<(Variable, i64)>,
    pick: Pick,
}

impl PairTimes {
    pub fn new(pairing: &Pairing<'_>, pair: Pair, pick: Pick) -> Self {
        let may_delay = pairing.may_delay(pair);
        let alive = pairing.spec_alive(pair).map(|zone| in_parts(&zone));
        let clocks = (0..pairing.spec.n_clocks).map(Variable::new);
        Self {
            spec_waits: may_delay.0,
            both_wait: may_delay == (true, true),
            spec_ends: alive.map_or(Vec::new(), |alive| ends(&alive, clocks)),
            t: Variable::new(pairing.dim() - 1),
            after: None,
            pick,
        }
    }

    /// The times with inputs only once the instant `at`, an equality, has come.
    pub fn after(self, at: &Constraint) -> Self {
        let parts = &at.bound * BigRational::from_integer(PARTS.into());
        let value = parts.ceil().to_integer().to_i64();
        Self {
            after: value.map(|value| (Variable::new(at.left), value)),
            ..self
        }
    }

    /// All clocks of the test.
    fn clocks(&self) -> impl Iterator<Item = Variable> + use<> {
        (0..self.t.index()).map(Variable::new)
    }

    /// The condition of the zone at a time that both can reach.
    pub fn at(&self, zone: &Dbm) -> Condition {
        condition(&self.window(zone, self.both_wait))
    }

    /// The condition of the zone at a time that the specification can reach.
    pub fn allowed_at(&self, zone: &Dbm) -> Condition {
        condition(&self.window(zone, self.spec_waits))
    }

    fn window(&self, zone: &Dbm, waits: bool) -> Dbm {
        let mut window = in_parts(zone).embed(zone.dim() + 1, 0);
        if !waits {
            let now = window.constrain(self.t.into(), Clock::ZERO, Bound::le(0));
            assert!(now, "nothing else is said about this clock");
        }
        window
    }

    /// Adds rules that do `act` in the window, at the delays that were chosen.
    pub fn act(&self, window: &Dbm, act: &Act, rules: &mut Vec<Rule>) {
        let mut window = self.window(window, self.both_wait);
        if let Some((clock, value)) = self.after
            && !window.constrain(Clock::ZERO, clock.into(), Bound::le(-value))
        {
            return;
        }
        let closes = ends(&window, self.clocks());
        match self.pick {
            Pick::Latest => {
                for (clock, bound) in &closes {
                    let last = bound.constant() - i64::from(bound.is_strict());
                    self.at_instant(&window, *clock, last, act, rules);
                }
            }
            Pick::Middle if closes.is_empty() => {
                let mut later = window.clone();
                later_by_one(&mut later, self.t);
                self.opening(&later, act, rules);
            }
            Pick::Middle => {
                for (clock, high) in &closes {
                    let low = window.bound_lower(*clock).constant();
                    let middle = (high.constant() - low).div_euclid(2);
                    self.at_instant(&window, *clock, middle, act, rules);
                }
            }
            Pick::Earliest => (),
        }
        self.opening(&window, act, rules);
    }

    /// Adds rules that act at once in the window, else when it opens; at any time in it where no clock tells when it opens.
    fn opening(&self, window: &Dbm, act: &Act, rules: &mut Vec<Rule>) {
        self.at_instant(window, self.t, 0, act, rules);
        for clock in self.clocks() {
            let low = window.bound_lower(clock);
            let first = i64::from(low.is_strict()) - low.constant();
            if first > 0 {
                self.at_instant(window, clock, first, act, rules);
            }
        }
        rules.extend(self.entries_before(window.clone()).map(|from| Rule {
            from,
            when: condition(window),
            act: act.clone(),
        }));
    }

    /// Adds a rule that acts when the clock has that value, if that is in the window.
    fn at_instant(&self, window: &Dbm, clock: Variable, value: i64, act: &Act, rules: &mut Vec<Rule>) {
        let mut instant = window.clone();
        let exists = instant.constrain(clock.into(), Clock::ZERO, Bound::le(value))
            && instant.constrain(Clock::ZERO, clock.into(), Bound::le(-value));
        if exists && let Some(from) = self.entries_before(instant) {
            rules.push(Rule {
                from,
                when: vec![constraint(clock, Cmp::Eq, value)],
                act: act.clone(),
            });
        }
    }

    /// The points of entry from which waiting leads into the zone.
    fn entries_before(&self, mut zone: Dbm) -> Option<Condition> {
        zone.down();
        let entered = zone.constrain(self.t.into(), Clock::ZERO, Bound::le(0));
        zone.free(self.t);
        entered.then(|| condition(&zone))
    }

    /// Adds rules that, from `entry`, fail when the specification can no longer be silent.
    pub fn overdue(&self, entry: &Dbm, rules: &mut Vec<Rule>) {
        if !self.spec_waits {
            rules.push(Rule {
                from: condition(&in_parts(entry)),
                when: vec![constraint(self.t, Cmp::Gt, 0)],
                act: Act::Stop(TestVerdict::Fail),
            });
            return;
        }
        for ((clock, bound), from) in self.first_ends(&self.spec_ends, entry) {
            let cmp = if bound.is_strict() { Cmp::Ge } else { Cmp::Gt };
            rules.push(Rule {
                from,
                when: vec![constraint(clock, cmp, bound.constant())],
                act: Act::Stop(TestVerdict::Fail),
            });
        }
    }

    /// Adds rules that, from `entry`, wait as long as the event of the window can come: until silence is overdue if it ever is,
    /// else until the window has closed, or has been open for one time unit.
    pub fn wait(&self, entry: &Dbm, window: &Dbm, verdict: TestVerdict, rules: &mut Vec<Rule>) {
        if !self.spec_waits || !self.spec_ends.is_empty() {
            return self.overdue(entry, rules);
        }
        let stop = Act::Stop(verdict);
        let mut window = self.window(window, self.both_wait);
        let closes = ends(&window, self.clocks());
        if closes.is_empty() {
            later_by_one(&mut window, self.t);
            self.opening(&window, &stop, rules);
            return;
        }
        for ((clock, bound), from) in self.first_ends(&closes, entry) {
            let after = bound.constant() + if bound.is_strict() { 0 } else { PARTS };
            rules.push(Rule {
                from,
                when: vec![constraint(clock, Cmp::Eq, after)],
                act: stop.clone(),
            });
        }
    }

    /// Each end, with the part of `entry` from which it comes before the other ends.
    fn first_ends(&self, ends: &[(Variable, Bound)], entry: &Dbm) -> Vec<((Variable, Bound), Condition)> {
        let entry = self.window(entry, false);
        let first = |(clock, bound): &(Variable, Bound)| {
            let mut part = entry.clone();
            let comes_first = ends.iter().all(|(other, its)| {
                // The rest of `clock` is at most the other's, and less if the other ends with an open end.
                let rest = its.constant() - bound.constant();
                let less = its.is_strict() && !bound.is_strict();
                let rest = if less { Bound::lt(rest) } else { Bound::le(rest) };
                other == clock || part.constrain(Clock::from(*other), Clock::from(*clock), rest)
            });
            part.free(self.t);
            comes_first.then(|| ((*clock, *bound), condition(&part)))
        };
        ends.iter().filter_map(first).collect()
    }
}

/// The upper bounds of the clocks in the zone.
fn ends(zone: &Dbm, clocks: impl Iterator<Item = Variable>) -> Vec<(Variable, Bound)> {
    let bounded = clocks.map(|clock| (clock, zone.bound_upper(clock)));
    bounded.filter(|(_, bound)| !bound.is_infinite()).collect()
}

/// Moves the window to one time unit later on every clock.
fn later_by_one(window: &mut Dbm, t: Variable) {
    let mut draft = DbmDraft::from(window.clone());
    for clock in (0..t.index()).map(Variable::new) {
        let low = window.bound_lower(clock);
        let later = Bound::le(low.constant() - PARTS);
        draft.set(Clock::ZERO, clock.into(), later);
    }
    *window = draft.close().expect("a window without end goes on");
}

fn in_parts(zone: &Dbm) -> Dbm {
    let mut draft = DbmDraft::from(zone.clone());
    for left in (0..zone.dim()).map(Clock::from_index) {
        for right in (0..zone.dim()).map(Clock::from_index) {
            let bound = zone.bound(left, right);
            if left != right && !bound.is_infinite() {
                let constant = bound.constant() * PARTS;
                draft.set(
                    left,
                    right,
                    if bound.is_strict() {
                        Bound::lt(constant)
                    } else {
                        Bound::le(constant)
                    },
                );
            }
        }
    }
    draft.close().expect("scaling keeps a zone's points")
}

fn condition(zone: &Dbm) -> Condition {
    condition_in(zone, PARTS)
}

fn constraint(clock: Variable, cmp: Cmp, parts: i64) -> Constraint {
    Constraint::on(clock.index() - 1, cmp, BigRational::new(parts.into(), PARTS.into()))
}
