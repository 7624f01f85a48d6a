//! Delay with something to avoid: the time operators of timed games, exact for unions
//! (Cassez, David, Fleury, Larsen, Lime, "Efficient on-the-fly algorithms for the analysis of timed games", CONCUR 2005).

#[cfg(test)]
mod tests;

use super::{Bound, Clock, Dbm, DbmDraft, Federation};

/// Gives `{ u | exists d >= 0: u + d in good, and u + d' not in bad for all d' in [0, d] }`: from where one can wait into
/// `good` without passing through `bad`; the last instant counts, so good valuations that are bad do not help.
///
/// Why it is exact. For one zone `b` of `bad`, the delays d' with u + d' in b form an interval J (b is convex), so the
/// delays safe for b are those before J: an initial segment of the half line. If u never meets b (u not in b↓) all are
/// safe. Otherwise d is safe iff w = u + d is in b↓ but not in b: w in b↓ \ b says d is before the end of J and not in
/// J. So the set for g and b alone is `(g↓ \ b↓) ∪ ((g ∩ b↓) \ b)↓`. For several b the safe segments are nested: the
/// delays safe for all of them are the shortest segment, which is that of one b. So some delay into g is safe for all b
/// iff for each b some delay into g is safe for b: the intersection over b is exact (for any g; taking the zones
/// g of `good` one at a time only keeps the intersections small). Only the part of b in g↓ matters, as all of [u, u + d] lies
/// there.
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
    avoid(good, bad, Dbm::down, Federation::down)
}

/// Gives `{ v | exists d >= 0: v - d in start, and v - d' not in bad for all d' in [0, d] }`: where one can be after waiting
/// from `start` without passing through `bad`, both ends included. The mirror image of [`safe_past`], with `up` for
/// `down`; clocks cannot become negative on the way, as `start` has none.
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
    avoid(start, bad, Dbm::up, Federation::up)
}

/// The argument at [`safe_past`], in the direction of time given by `shadow` (of a zone) and `shadows` (of a union).
fn avoid(targets: &Federation, bad: &Federation, shadow: fn(&mut Dbm), shadows: fn(&mut Federation)) -> Federation {
    let mut result = Federation::empty(targets.dim());
    for target in targets.zones() {
        let mut reach = target.clone();
        shadow(&mut reach);
        let mut safe = Federation::from(reach.clone());
        for obstacle in bad.zones() {
            let mut obstacle = obstacle.clone();
            if obstacle.intersect(&reach) {
                let step = avoid_one(target, &reach, &obstacle, shadow, shadows);
                safe.intersect(&step);
            }
        }
        result.union_with(&safe);
    }
    result
}

fn avoid_one(
    target: &Dbm,
    reach: &Dbm,
    obstacle: &Dbm,
    shadow: fn(&mut Dbm),
    shadows: fn(&mut Federation),
) -> Federation {
    let mut behind = obstacle.clone();
    shadow(&mut behind);
    let mut before = Federation::from(target.clone());
    before.intersect_dbm(&behind);
    before.subtract_dbm(obstacle);
    shadows(&mut before);
    let mut clear = Federation::from(reach.clone());
    clear.subtract_dbm(&behind);
    clear.union_with(&before);
    clear
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
        let mut outside = self.complement();
        outside.down();
        let mut forever = self.clone();
        forever.subtract(&outside);
        forever
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
