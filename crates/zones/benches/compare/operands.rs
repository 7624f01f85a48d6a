//! What is measured on: zones as lists of bounds, from which either engine makes its own.

use tamper_zones::{Bound, Clock, Dbm, DbmDraft, Variable};

/// Bounds `(left, right, constant, strict)` by matrix index.
pub type Raw = Vec<(usize, usize, i64, bool)>;

/// The operands of one dimension.
pub struct Operands {
    /// Zones, as all their bounds.
    pub zones: Vec<Raw>,
    /// Conjunctions, not closed, perhaps empty.
    pub drafts: Vec<Raw>,
    /// One constraint for each zone, of a kind that guards have.
    pub guards: Vec<(usize, usize, i64, bool)>,
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
    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + i64::try_from(self.below(usize::try_from(high - low + 1).expect("positive"))).expect("small")
    }
    fn strict(&mut self) -> bool {
        self.below(3) == 0
    }
    /// An upper or a lower bound of some clock, at most `most`.
    fn guard(&mut self, dim: usize, most: i64) -> (usize, usize, i64, bool) {
        let (clock, constant, strict) = (1 + self.below(dim - 1), self.between(0, most), self.strict());
        match self.below(2) {
            0 => (clock, 0, constant.max(1), strict),
            _ => (0, clock, -constant, strict),
        }
    }
}

fn bound(constant: i64, strict: bool) -> Bound {
    if strict {
        Bound::lt(constant)
    } else {
        Bound::le(constant)
    }
}

fn apply(zone: &mut Dbm, (left, right, constant, strict): (usize, usize, i64, bool)) -> bool {
    zone.constrain(
        Clock::from_index(left),
        Clock::from_index(right),
        bound(constant, strict),
    )
}

fn close(dim: usize, raw: &Raw) -> Option<Dbm> {
    let mut draft = DbmDraft::new(dim);
    for &(left, right, constant, strict) in raw {
        draft.constrain(
            Clock::from_index(left),
            Clock::from_index(right),
            bound(constant, strict),
        );
    }
    draft.close()
}

fn raw(zone: &Dbm) -> Raw {
    let indices = (0..zone.dim()).flat_map(|i| (0..zone.dim()).map(move |j| (i, j)));
    let finite = indices.filter_map(|(i, j)| {
        let bound = zone.bound(Clock::from_index(i), Clock::from_index(j));
        (i != j && !bound.is_infinite()).then(|| (i, j, bound.constant(), bound.is_strict()))
    });
    finite.collect()
}

/// An interval for most clocks and some diagonals, with constants that let many of them matter.
pub fn random(dim: usize, number: usize) -> Operands {
    let mut random = Random(1 + u64::try_from(dim).expect("small"));
    let mut operands = Operands {
        zones: Vec::new(),
        drafts: Vec::new(),
        guards: Vec::new(),
    };
    while operands.zones.len() < number || operands.drafts.len() < number {
        let mut draft = Raw::new();
        for clock in 1..dim {
            draft.push((0, clock, random.between(-20, 0), random.strict()));
            if random.below(3) > 0 {
                draft.push((clock, 0, random.between(10, 60), random.strict()));
            }
        }
        for _ in 0..dim {
            let (left, right) = (1 + random.below(dim - 1), 1 + random.below(dim - 1));
            if left != right {
                draft.push((left, right, random.between(-10, 30), random.strict()));
            }
        }
        if let Some(zone) = close(dim, &draft) {
            operands.zones.push(raw(&zone));
        }
        operands.drafts.push(draft);
        operands.guards.push(random.guard(dim, 30));
    }
    operands
}

/// What explorations reach: delay, an invariant, a guard, resets, extrapolation by largest constants, and again; a new
/// run when a guard does not hold.
pub fn reached(dim: usize, number: usize) -> Operands {
    let mut random = Random(1000 + u64::try_from(dim).expect("small"));
    let mut operands = Operands {
        zones: Vec::new(),
        drafts: Vec::new(),
        guards: Vec::new(),
    };
    let max = vec![20; dim];
    let mut zone = Dbm::zero(dim);
    while operands.zones.len() < number {
        zone.up();
        let invariant = (1 + random.below(dim - 1), 0, random.between(5, 20), random.strict());
        let guard = random.guard(dim, 12);
        let before = zone.clone();
        if !apply(&mut zone, invariant) || !apply(&mut zone, guard) {
            zone = Dbm::zero(dim);
            continue;
        }
        let mut draft = raw(&before);
        draft.extend([invariant, guard, random.guard(dim, 12)]);
        operands.drafts.push(draft);
        operands.zones.push(raw(&zone));
        operands.guards.push(random.guard(dim, 12));
        for _ in 0..=random.below(2) {
            zone.reset(Variable::new(random.below(dim - 1)), 0);
        }
        zone.extrapolate_max(&max);
    }
    operands
}
