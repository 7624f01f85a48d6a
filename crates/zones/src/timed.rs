//! Delay with something to avoid: the time operators of timed games, exact for unions
//! (Cassez, David, Fleury, Larsen, Lime, "Efficient on-the-fly algorithms for the analysis of timed games", CONCUR 2005).

#[cfg(test)]
mod tests;

use super::{Bound, Clock, Dbm, DbmDraft, Federation};

/// Gives `{ u | exists d >= 0: u + d in good, and u + d' not in bad for all d' in [0, d] }`: from where one can wait into
/// `good` without passing through `bad`; the last instant counts, so good valuations that are bad do not help.
///
/// Why it is exact. For one zone `b` of `bad`, the delays d' with u + d' in b form an interval J (b is convex), so the delays
/// safe for b are those before J: an initial segment of the half line. If u never meets b (u not in b↓) all are safe.
/// Otherwise d is safe iff w = u + d is in b↓ but not in b: w in b↓ \ b says d is before the end of J and not in J. So the
/// set for g and b alone is `(g↓ \ b↓) ∪ ((g ∩ b↓) \ b)↓`. For several b the safe segments are nested: the delays safe for
/// all of them are the shortest segment, the segment of a single b. So some delay into g is safe for all b iff for each b
/// some delay into g is safe for b: the intersection over b is exact (for any g; taking the zones g of `good` one at a time
/// only keeps the intersections small). Only the part of b in g↓ matters, as all of [u, u + d] lies there.
///
/// ```
/// use tamper_zones::{Bound, Clock, Dbm, Federation, Variable, safe_past};
///
/// let x = Clock::from(Variable::new(0));
/// let within = |bounds: [(Clock, Clock, Bound); 2]| {
///     let mut zone = Dbm::universe(2);
///     assert!(zone.constrain_all(bounds));
///     Federation::from(zone)
/// };
/// let good = within([(Clock::ZERO, x, Bound::le(-5)), (x, Clock::ZERO, Bound::le(6))]); // 5 <= x <= 6
/// let bad = within([(Clock::ZERO, x, Bound::le(-2)), (x, Clock::ZERO, Bound::lt(3))]); // 2 <= x < 3
/// assert_eq!(safe_past(&good, &bad).to_string(), "(x1>=3 && x1<=6)");
/// ```
pub fn safe_past(good: &Federation, bad: &Federation) -> Federation {
    PAST.avoid_all(good, bad)
}

/// Gives `{ v | exists d >= 0: v - d in start, and v - d' not in bad for all d' in [0, d] }`: where one can be after waiting
/// from `start` without passing through `bad`, both ends included. The mirror image of [`safe_past`], with `up` for `down`;
/// clocks cannot become negative on the way, as they are not negative in `start`.
///
/// ```
/// use tamper_zones::{Bound, Clock, Dbm, Federation, Variable, safe_future};
///
/// let x = Clock::from(Variable::new(0));
/// let mut bad = Dbm::universe(2);
/// assert!(bad.constrain(Clock::ZERO, x, Bound::lt(-2))); // x > 2
/// let after = safe_future(&Dbm::zero(2).into(), &bad.into());
/// assert_eq!(after.to_string(), "(x1<=2)");
/// ```
pub fn safe_future(start: &Federation, bad: &Federation) -> Federation {
    FUTURE.avoid_all(start, bad)
}

/// Gives `{ u | exists d >= 0: u + d in good, and u + d' in safe for all d' in [0, d] }`: from where one can wait into `good`
/// within `safe`. The same as [`safe_past`] with the complement of `safe` as `bad`, but that complement may have hundreds of
/// zones while `safe` has five.
///
/// ```
/// use tamper_zones::{Bound, Clock, Dbm, Federation, Variable, past_within};
///
/// let x = Clock::from(Variable::new(0));
/// let within = |bounds: [(Clock, Clock, Bound); 2]| {
///     let mut zone = Dbm::universe(2);
///     assert!(zone.constrain_all(bounds));
///     zone
/// };
/// let first = within([(Clock::ZERO, x, Bound::le(-1)), (x, Clock::ZERO, Bound::lt(3))]); // 1 <= x < 3
/// let second = within([(Clock::ZERO, x, Bound::le(-3)), (x, Clock::ZERO, Bound::le(6))]); // 3 <= x <= 6
/// let good = within([(Clock::ZERO, x, Bound::le(-5)), (x, Clock::ZERO, Bound::le(9))]); // 5 <= x <= 9
/// let mut past = past_within(&good.into(), &Federation::from_zones(2, [first, second]));
/// past.reduce();
/// assert_eq!(past.to_string(), "(x1>=1 && x1<=6)");
/// ```
pub fn past_within(good: &Federation, safe: &Federation) -> Federation {
    PAST.within(good, safe)
}

/// Gives `{ v | exists d >= 0: v - d in start, and v - d' in safe for all d' in [0, d] }`: where one can be after waiting from `start`
/// within `safe`. The mirror image of [`past_within`].
pub fn future_within(start: &Federation, safe: &Federation) -> Federation {
    FUTURE.within(start, safe)
}

/// A direction of time.
struct Direction {
    /// The future or the past of a zone, and of a union.
    shadow: fn(&mut Dbm),
    shadows: fn(&mut Federation),
    /// `end`: the valuations at which a stay in the zone ends when time runs against this direction, perhaps just outside
    /// of it. `ahead`: the valuations from which time, running against this direction, enters the zone immediately.
    end: fn(&Dbm) -> Option<Dbm>,
    ahead: fn(&Dbm) -> Option<Dbm>,
}

const PAST: Direction = Direction {
    shadow: Dbm::down,
    shadows: Federation::down,
    end: Dbm::approached,
    ahead: just_before,
};
const FUTURE: Direction = Direction {
    shadow: Dbm::up,
    shadows: Federation::up,
    end: just_before,
    ahead: Dbm::approached,
};

/// Number of zones from which merging pays: each obstacle cuts the safe set into pieces, hundreds of which are often equal
/// to a few zones.
const MANY: usize = 8;

/// What one target adds to a union.
struct Part {
    zones: Federation,
    /// Whether [`Federation::reduce`] was the last step: once more would change nothing.
    is_reduced: bool,
}

/// The union of parts, reduced when it has many zones.
struct Parts {
    union: Federation,
    many: usize,
}

impl Parts {
    fn none(dim: usize) -> Self {
        Self {
            union: Federation::empty(dim),
            many: MANY,
        }
    }
    fn add(&mut self, part: Part) {
        if !self.union.is_empty() {
            self.union.union_with(&part.zones);
            self.union.reduce_if_above(&mut self.many);
            return;
        }
        self.union = part.zones;
        if !part.is_reduced {
            self.union.reduce_if_above(&mut self.many);
        } else if self.union.zones().len() > self.many {
            self.many = 2 * self.union.zones().len();
        }
    }
}

impl Direction {
    /// The valuations connected to `targets` within `safe` in this direction. If the complement of `safe` has few zones in
    /// the shadow of a target, it is avoided, which gives large zones; otherwise `safe` is crossed zone by zone.
    fn within(&self, targets: &Federation, safe: &Federation) -> Federation {
        let mut parts = Parts::none(targets.dim());
        for target in targets.zones() {
            let mut reach = target.clone();
            (self.shadow)(&mut reach);
            let mut outside = Federation::from(reach);
            outside.subtract(safe);
            parts.add(match outside.zones().len() {
                0..=MANY => self.avoid(target, &outside),
                _ => Part {
                    zones: self.stay(target, safe),
                    is_reduced: true,
                },
            });
        }
        parts.union
    }

    /// Crosses `safe` zone by zone.
    ///
    /// Why it is exact, told for the past. The delays at which one is in a zone of `safe` form an interval, so finitely
    /// many of these intervals cover [0, d], and backwards from its end each next one meets or touches the part covered so
    /// far. The interval of a zone z is connected to a zone x that was found in one of three ways: it meets x, in z ∩ x; x
    /// holds the point at which the interval ends open, so that this point is in x and the points shortly before it are in
    /// z; or x begins open where the interval ends, so that the end is in z and the points shortly behind it are in x. From
    /// z one reaches these points within z, as z is convex. Conversely each zone that is found is right. The search ends,
    /// since every zone is a union of regions.
    fn stay(&self, target: &Dbm, safe: &Federation) -> Federation {
        let mut result = safe.clone();
        result.intersect_dbm(target);
        let ends: Vec<Option<Dbm>> = safe.zones().iter().map(self.end).collect();
        let mut open = result.zones().to_vec();
        let mut many = MANY;
        while let Some(found) = open.pop() {
            let before = (self.ahead)(&found);
            for (zone, end) in safe.zones().iter().zip(&ends) {
                let meets = [
                    (Some(&found), Some(zone)),
                    (Some(&found), end.as_ref()),
                    (before.as_ref(), Some(zone)),
                ];
                for (first, second) in meets {
                    let (Some(first), Some(second)) = (first, second) else {
                        continue;
                    };
                    let mut more = first.clone();
                    if !more.intersect(second) {
                        continue;
                    }
                    (self.shadow)(&mut more);
                    if more.intersect(zone) && !result.includes_dbm(&more) {
                        result.add(more.clone());
                        open.push(more);
                    }
                }
            }
            result.reduce_if_above(&mut many);
        }
        result.reduce();
        result
    }

    /// The argument at [`safe_past`], for one zone.
    fn avoid(&self, target: &Dbm, bad: &Federation) -> Part {
        let mut reach = target.clone();
        (self.shadow)(&mut reach);
        // All of `reach` before the first obstacle.
        let mut safe: Option<Federation> = None;
        let (mut many, mut is_reduced) = (MANY, false);
        for obstacle in bad.zones() {
            let mut obstacle = obstacle.clone();
            if obstacle.intersect(&reach) {
                let mut zones = self.avoid_one(target, &reach, &obstacle);
                if let Some(mut before) = safe.take() {
                    before.intersect(&zones);
                    zones = before;
                }
                is_reduced = zones.reduce_if_above(&mut many);
                safe = Some(zones);
            }
        }
        let zones = safe.unwrap_or_else(|| reach.into());
        Part { zones, is_reduced }
    }

    fn avoid_all(&self, targets: &Federation, bad: &Federation) -> Federation {
        let mut parts = Parts::none(targets.dim());
        targets
            .zones()
            .iter()
            .for_each(|target| parts.add(self.avoid(target, bad)));
        parts.union
    }

    fn avoid_one(&self, target: &Dbm, reach: &Dbm, obstacle: &Dbm) -> Federation {
        let mut behind = obstacle.clone();
        (self.shadow)(&mut behind);
        let mut before = Federation::from(target.clone());
        before.intersect_dbm(&behind);
        before.subtract_dbm(obstacle);
        (self.shadows)(&mut before);
        let mut clear = Federation::from(reach.clone());
        clear.subtract_dbm(&behind);
        clear.union_with(&before);
        clear
    }
}

impl Federation {
    /// Gives `{ u in F | exists e > 0: u + d in F for all d in [0, e] }`: where time can pass a little within F.
    ///
    /// A zone contains u + d for all small d > 0 iff u satisfies its constraints with upper bounds made strict and lower
    /// bounds made weak (diagonals do not change). That suffices for a union: of its finitely many zones, one meets u + d
    /// for arbitrarily small d > 0, and being convex contains them all from some point on.
    #[must_use]
    pub fn delayable(&self) -> Self {
        let mut next = Self::from_zones(self.dim(), self.zones().iter().filter_map(just_before));
        next.intersect(self);
        next
    }

    /// Gives `{ u | u + d in F for all d >= 0 }`: where time can pass for ever within F.
    #[must_use]
    pub fn forever(&self) -> Self {
        // Finitely many intervals cover the delays from a valuation on, so one has no end.
        let unbounded = self.zones().iter().filter(|zone| zone.is_unbounded());
        past_within(&Self::from_zones(self.dim(), unbounded.cloned()), self)
    }
}

/// `{ u >= 0 | exists e > 0: u + d in Z for all d in (0, e) }`; `None` if empty.
fn just_before(zone: &Dbm) -> Option<Dbm> {
    let mut draft = DbmDraft::from(zone.clone());
    for clock in (1..zone.dim()).map(Clock::from_index) {
        draft.set(clock, Clock::ZERO, draft.bound(clock, Clock::ZERO).strict());
        draft.set(Clock::ZERO, clock, draft.bound(Clock::ZERO, clock).weak());
    }
    draft.close()
}

/// Divergence of time.
impl Dbm {
    /// Gives `{ u | u - d in Z for all small d > 0 }`: what waiting within this zone comes arbitrarily close to from below;
    /// `None` if empty. The mirror image of the argument at [`Federation::delayable`].
    pub fn approached(&self) -> Option<Dbm> {
        let mut draft = DbmDraft::from(self.clone());
        for clock in (1..self.dim()).map(Clock::from_index) {
            draft.set(clock, Clock::ZERO, draft.bound(clock, Clock::ZERO).weak());
            draft.set(Clock::ZERO, clock, draft.bound(Clock::ZERO, clock).strict());
        }
        draft.close()
    }
    /// Tells whether time can pass for ever within this zone from each of its valuations: no clock is bounded above.
    pub fn is_unbounded(&self) -> bool {
        (1..self.dim()).all(|i| self.bound(Clock::from_index(i), Clock::ZERO) == Bound::INFINITY)
    }
}
