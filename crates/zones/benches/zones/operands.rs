//! The operands of the measurements: random zones of a fixed seed, and zones that explorations reach.

use tamper_zones::{Bound, Clock, Dbm, DbmDraft, Federation, Variable};

/// The operands of one dimension, equally many of each kind.
pub struct Operands {
    pub zones: Vec<Dbm>,
    /// Conjunctions, not closed, perhaps empty.
    pub drafts: Vec<DbmDraft>,
    /// One constraint for each zone, of a kind that guards have.
    pub guards: Vec<Constraint>,
    /// Unions of four of the zones.
    pub unions: Vec<Federation>,
}

/// `left - right` below a bound.
#[derive(Clone, Copy)]
pub struct Constraint {
    pub left: Clock,
    pub right: Clock,
    pub bound: Bound,
}

impl Operands {
    fn new(zones: Vec<Dbm>, drafts: Vec<DbmDraft>, guards: Vec<Constraint>) -> Self {
        let number = zones.len();
        let union = |first: usize| {
            let parts = (0..4).map(|part| zones[(first + 31 * part) % number].clone());
            Federation::from_zones(zones[0].dim(), parts)
        };
        let unions = (0..number).map(union).collect();
        Self {
            zones,
            drafts,
            guards,
            unions,
        }
    }
}

/// A fixed pseudo-random sequence (a linear congruential generator, upper bits).
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % most
    }
    fn clock(&mut self, dim: usize) -> Clock {
        Clock::from_index(1 + self.below(dim - 1))
    }
    fn bound(&mut self, low: i64, high: i64) -> Bound {
        let constant =
            low + i64::try_from(self.below(usize::try_from(high - low + 1).expect("positive"))).expect("small");
        match self.below(3) {
            0 => Bound::lt(constant),
            _ => Bound::le(constant),
        }
    }
    /// An upper or a lower bound of some clock, at most `most`.
    fn guard(&mut self, dim: usize, most: i64) -> Constraint {
        let clock = self.clock(dim);
        match self.below(2) {
            0 => Constraint {
                left: clock,
                right: Clock::ZERO,
                bound: self.bound(1, most),
            },
            _ => Constraint {
                left: Clock::ZERO,
                right: clock,
                bound: self.bound(-most, 0),
            },
        }
    }
    /// An interval for most clocks and some diagonals, with constants that let many of them matter.
    fn draft(&mut self, dim: usize) -> DbmDraft {
        let mut draft = DbmDraft::new(dim);
        for clock in (1..dim).map(Clock::from_index) {
            draft.constrain(Clock::ZERO, clock, self.bound(-20, 0));
            if self.below(3) > 0 {
                draft.constrain(clock, Clock::ZERO, self.bound(10, 60));
            }
        }
        for _ in 0..dim {
            let (left, right) = (self.clock(dim), self.clock(dim));
            if left != right {
                draft.constrain(left, right, self.bound(-10, 30));
            }
        }
        draft
    }
}

/// Zones of random drafts.
pub fn random(dim: usize, number: usize) -> Operands {
    let mut random = Random(1 + u64::try_from(dim).expect("small"));
    let drafts: Vec<_> = std::iter::repeat_with(|| random.draft(dim)).take(20 * number).collect();
    let zones = drafts
        .iter()
        .filter_map(|draft| draft.clone().close())
        .take(number)
        .collect();
    let guards = (0..number).map(|_| random.guard(dim, 30)).collect();
    Operands::new(zones, drafts.into_iter().take(number).collect(), guards)
}

/// The zones of an exploration: delay, an invariant, a guard, resets, extrapolation by largest constants, and again; a
/// new run when a guard does not hold.
pub fn reached(dim: usize, number: usize) -> Operands {
    let mut random = Random(1000 + u64::try_from(dim).expect("small"));
    let (mut zones, mut drafts, mut guards) = (Vec::new(), Vec::new(), Vec::new());
    let max = vec![20; dim];
    let mut zone = Dbm::zero(dim);
    while zones.len() < number {
        zone.up();
        let before = zone.clone();
        let invariant = Constraint {
            left: random.clock(dim),
            right: Clock::ZERO,
            bound: random.bound(5, 20),
        };
        let guard = random.guard(dim, 12);
        if ![invariant, guard]
            .iter()
            .all(|part| zone.constrain(part.left, part.right, part.bound))
        {
            zone = Dbm::zero(dim);
            continue;
        }
        let mut draft = DbmDraft::new(dim);
        for left in (0..dim).map(Clock::from_index) {
            for right in (0..dim).map(Clock::from_index).filter(|right| *right != left) {
                draft.constrain(left, right, before.bound(left, right));
            }
        }
        for part in [invariant, guard, random.guard(dim, 12)] {
            draft.constrain(part.left, part.right, part.bound);
        }
        drafts.push(draft);
        zones.push(zone.clone());
        guards.push(random.guard(dim, 12));
        for _ in 0..=random.below(2) {
            zone.reset(Variable::new(random.below(dim - 1)), 0);
        }
        zone.extrapolate_max(&max);
    }
    Operands::new(zones, drafts, guards)
}
