//! Zones: sets of clock valuations that bounds on clocks and on differences of two clocks describe.
//!
//! A zone is the matrix of all these bounds. Every operation ends with [`Zone::closed`], the shortest paths of all pairs: slow,
//! and easy to believe.

use crate::fault::{Fault, Limit};

/// A bound of a difference: `< constant`, `<= constant`, or no bound. Smaller bounds are tighter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Bound(i64);

impl Bound {
    /// No bound.
    pub const NONE: Self = Self(i64::MAX);
    /// `<= 0`.
    pub const ZERO: Self = Self(1);
    /// The constants of a certificate are smaller, so that no sum along a path overflows.
    pub const LARGEST: i64 = 1 << 40;

    /// `< constant`.
    pub fn less(constant: i64) -> Self {
        Self(2 * constant)
    }
    /// `<= constant`.
    pub fn at_most(constant: i64) -> Self {
        Self(2 * constant + 1)
    }
    /// The bound of a sum of two differences.
    fn plus(self, other: Self) -> Self {
        if self == Self::NONE || other == Self::NONE {
            return Self::NONE;
        }
        // The last bit says that the bound itself is allowed; of a sum it is, if it is of both.
        Self((self.0 & !1) + (other.0 & !1) + (self.0 & other.0 & 1))
    }
    /// The bound of the opposite difference where this one is violated.
    fn violated(self) -> Self {
        // `a <= c` fails where `-a < -c`, and `a < c` where `-a <= -c`.
        Self(1 - self.0)
    }
    /// The same constant, but excluded.
    fn excluded(self) -> Self {
        if self == Self::NONE { self } else { Self(self.0 & !1) }
    }
}

/// `left - right` is bounded; clock 0 is always 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Atom {
    /// The clock that is bounded from above.
    pub left: usize,
    /// The clock that is subtracted.
    pub right: usize,
    /// The bound of the difference.
    pub bound: Bound,
}

impl Atom {
    /// The same atom about clocks with higher numbers.
    pub fn raised(self, by: usize) -> Self {
        let raise = |clock: usize| if clock == 0 { 0 } else { clock + by };
        Self {
            left: raise(self.left),
            right: raise(self.right),
            ..self
        }
    }
}

/// A clock and the value to which a move sets it.
pub type Reset = (usize, i64);

/// A set of clock valuations, not empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Zone {
    n_clocks: usize,
    bounds: Vec<Bound>,
}

impl Zone {
    /// All valuations.
    pub fn all(n_clocks: usize) -> Self {
        let mut zone = Self {
            n_clocks,
            bounds: vec![Bound::NONE; (n_clocks + 1) * (n_clocks + 1)],
        };
        for clock in 0..=n_clocks {
            zone.set(clock, clock, Bound::ZERO);
            zone.set(0, clock, Bound::ZERO);
        }
        zone
    }

    /// The valuation in which all clocks are 0.
    pub fn zero(n_clocks: usize) -> Self {
        Self {
            n_clocks,
            bounds: vec![Bound::ZERO; (n_clocks + 1) * (n_clocks + 1)],
        }
    }

    fn bound(&self, left: usize, right: usize) -> Bound {
        self.bounds[left * (self.n_clocks + 1) + right]
    }
    fn set(&mut self, left: usize, right: usize, bound: Bound) {
        self.bounds[left * (self.n_clocks + 1) + right] = bound;
    }
    fn tighten(&mut self, left: usize, right: usize, bound: Bound) {
        self.set(left, right, bound.min(self.bound(left, right)));
    }

    /// The same set with the tightest bounds; `None` if it is empty.
    fn closed(mut self) -> Option<Self> {
        for middle in 0..=self.n_clocks {
            for left in 0..=self.n_clocks {
                let first = self.bound(left, middle);
                if first == Bound::NONE {
                    continue;
                }
                for right in 0..=self.n_clocks {
                    self.tighten(left, right, first.plus(self.bound(middle, right)));
                }
            }
        }
        (0..=self.n_clocks)
            .all(|clock| self.bound(clock, clock) >= Bound::ZERO)
            .then_some(self)
    }

    /// The valuations that satisfy all of `atoms`.
    pub fn restricted(&self, atoms: &[Atom]) -> Option<Self> {
        let mut zone = self.clone();
        for atom in atoms {
            zone.tighten(atom.left, atom.right, atom.bound);
        }
        if zone == *self { Some(zone) } else { zone.closed() }
    }

    /// The valuations of both.
    pub fn meet(&self, other: &Self) -> Option<Self> {
        let both = self.bounds.iter().zip(&other.bounds);
        let zone = Self {
            bounds: both.map(|(first, second)| *first.min(second)).collect(),
            ..*self
        };
        if zone == *self || zone == *other {
            return Some(zone);
        }
        zone.closed()
    }

    /// The valuations after a delay, 0 included.
    pub fn later(&self) -> Self {
        let mut zone = self.clone();
        for clock in 1..=self.n_clocks {
            zone.set(clock, 0, Bound::NONE);
        }
        zone
    }

    /// The valuations after a delay above 0: behind every lower bound. (All clocks have one, and differences stay.)
    pub fn strictly_later(&self) -> Option<Self> {
        let mut zone = self.later();
        for clock in 1..=self.n_clocks {
            zone.set(0, clock, self.bound(0, clock).excluded());
        }
        zone.closed()
    }

    /// The valuations from which a delay leads here, 0 included.
    pub fn earlier(&self) -> Option<Self> {
        let mut zone = self.clone();
        for clock in 1..=self.n_clocks {
            zone.set(0, clock, Bound::ZERO);
        }
        zone.closed()
    }

    /// The valuations from which a delay above 0 leads here.
    pub fn strictly_earlier(&self) -> Option<Self> {
        let mut zone = self.earlier()?;
        for clock in 1..=self.n_clocks {
            zone.set(clock, 0, zone.bound(clock, 0).excluded());
        }
        zone.closed()
    }

    /// The valuations from which `resets` lead here.
    pub fn before(&self, resets: &[Reset]) -> Option<Self> {
        let mut zone = self.clone();
        if resets.is_empty() {
            return Some(zone);
        }
        for (clock, value) in resets {
            zone.tighten(*clock, 0, Bound::at_most(*value));
            zone.tighten(0, *clock, Bound::at_most(-*value));
        }
        let mut zone = zone.closed()?;
        for (clock, _) in resets {
            for other in 0..=self.n_clocks {
                zone.set(*clock, other, Bound::NONE);
                zone.set(other, *clock, Bound::NONE);
            }
            zone.set(*clock, *clock, Bound::ZERO);
            zone.set(0, *clock, Bound::ZERO);
        }
        zone.closed()
    }

    /// The same set of the clocks behind the first `offset` of `n_clocks` clocks.
    pub fn embedded(&self, n_clocks: usize, offset: usize) -> Self {
        let mut zone = Self::all(n_clocks);
        let place = |clock: usize| if clock == 0 { 0 } else { clock + offset };
        for left in 0..=self.n_clocks {
            for right in 0..=self.n_clocks {
                zone.tighten(place(left), place(right), self.bound(left, right));
            }
        }
        // Other clocks are at least 0, so that differences from them have the upper bounds of the clocks themselves.
        for clock in 1..=self.n_clocks {
            for other in (1..=n_clocks).filter(|other| *other <= offset || *other > offset + self.n_clocks) {
                zone.set(place(clock), other, self.bound(clock, 0));
            }
        }
        zone
    }

    /// Whether a clock has an upper bound, so that time cannot pass for ever.
    pub fn is_bounded(&self) -> bool {
        (1..=self.n_clocks).any(|clock| self.bound(clock, 0) != Bound::NONE)
    }

    /// Whether all valuations of `other` are here.
    fn includes(&self, other: &Self) -> bool {
        self.bounds.iter().zip(&other.bounds).all(|(own, other)| other <= own)
    }

    /// Whether each valuation is in one of `zones`.
    ///
    /// # Errors
    /// The limit.
    pub fn is_within(&self, zones: &[Self], limit: &mut Limit) -> Result<bool, Fault> {
        limit.steps(1 + zones.len())?;
        if zones.iter().any(|zone| zone.includes(self)) {
            return Ok(true);
        }
        let mut outside = vec![self.clone()];
        for zone in zones {
            let mut still_outside = Vec::new();
            for part in outside {
                limit.steps(4)?;
                part.push_outside(zone, &mut still_outside);
            }
            outside = still_outside;
        }
        Ok(outside.is_empty())
    }

    /// Appends zones with the valuations that are not in `other`.
    fn push_outside(self, other: &Self, outside: &mut Vec<Self>) {
        if self.meet(other).is_none() {
            outside.push(self);
            return;
        }
        let mut rest = self;
        for left in 0..=other.n_clocks {
            for right in 0..=other.n_clocks {
                let bound = other.bound(left, right);
                if rest.bound(left, right) <= bound {
                    continue;
                }
                let atom = |left, right, bound| [Atom { left, right, bound }];
                outside.extend(rest.restricted(&atom(right, left, bound.violated())));
                match rest.restricted(&atom(left, right, bound)) {
                    Some(inside) => rest = inside,
                    None => return,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
