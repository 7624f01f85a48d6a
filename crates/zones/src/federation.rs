//! Federations: finite unions of zones.
//!
//! Representation: a list of zones of one dimension, none of which includes another. Different lists can represent the same
//! set, so there is no `==`: compare with [`Federation::equals`]. Operations that share a name with an operation of [`Dbm`] work in
//! place.

mod reduce;
mod subtract;
#[cfg(test)]
mod tests;

use super::{Dbm, Variable};
use num_rational::BigRational;

/// A finite, perhaps empty union of zones over the same clocks.
///
/// ```
/// use tamper_zones::{Bound, Clock, Dbm, Federation, Variable};
///
/// let x = Variable::new(0);
/// let mut middle = Dbm::universe(2);
/// assert!(middle.constrain_all([
///     (x.into(), Clock::ZERO, Bound::le(3)),
///     (Clock::ZERO, x.into(), Bound::lt(-1)),
/// ]));
/// let mut set = Federation::universe(2);
/// set.subtract_dbm(&middle);
/// assert_eq!(set.zones().len(), 2); // x <= 1 or x > 3
/// set.add(middle);
/// set.reduce();
/// assert_eq!(set.to_string(), "(true)");
/// ```
#[derive(Clone, Debug)]
pub struct Federation {
    dim: usize,
    zones: Vec<Dbm>,
}

impl From<Dbm> for Federation {
    fn from(dbm: Dbm) -> Self {
        Self {
            dim: dbm.dim(),
            zones: vec![dbm],
        }
    }
}

impl Federation {
    /// The federation without any valuation. `dim` counts the reference clock.
    pub fn empty(dim: usize) -> Self {
        Self { dim, zones: Vec::new() }
    }
    /// The federation of all valuations with non-negative clocks.
    pub fn universe(dim: usize) -> Self {
        Dbm::universe(dim).into()
    }
    /// Unites zones of dimension `dim`.
    ///
    /// # Panics
    /// If a zone has another dimension.
    pub fn from_zones(dim: usize, zones: impl IntoIterator<Item = Dbm>) -> Self {
        let mut union = Self::empty(dim);
        zones.into_iter().for_each(|zone| union.add(zone));
        union
    }
    /// The number of clocks, the reference included.
    #[inline]
    pub fn dim(&self) -> usize {
        self.dim
    }
    /// Gives the zones, whose union this is. They may overlap; none includes another.
    #[inline]
    pub fn zones(&self) -> &[Dbm] {
        &self.zones
    }
    /// Gives the zones, whose union this is.
    pub fn into_zones(self) -> Vec<Dbm> {
        self.zones
    }
    /// Tells whether the federation is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.zones.is_empty()
    }
    /// Tells whether the valuation is in the union; `point[i]` is the value of the `i`-th real clock.
    pub fn contains(&self, point: &[BigRational]) -> bool {
        self.zones.iter().any(|zone| zone.contains(point))
    }
    /// Tells whether the point `numerators / denominator` is in the union: [`Federation::contains`] without big numbers.
    pub fn contains_scaled(&self, numerators: &[i64], denominator: i64) -> bool {
        self.zones
            .iter()
            .any(|zone| zone.contains_scaled(numerators, denominator))
    }
    /// Gives a valuation of the union with small denominators, of its first zone; `None` if it is empty.
    pub fn some_point(&self) -> Option<Vec<BigRational>> {
        self.zones.first().map(Dbm::some_point)
    }
    /// The number of bytes that the zones occupy.
    pub fn bytes(&self) -> usize {
        self.zones.iter().map(Dbm::bytes).sum()
    }
}

/// Union and intersection, in place.
impl Federation {
    /// Adds the valuations of `dbm`; zones that another zone includes are dropped.
    ///
    /// # Panics
    /// If the dimensions differ.
    pub fn add(&mut self, dbm: Dbm) {
        assert_eq!(self.dim, dbm.dim(), "zones over different clocks");
        if !self.zones.iter().any(|zone| zone.includes(&dbm)) {
            self.zones.retain(|zone| !dbm.includes(zone));
            self.zones.push(dbm);
        }
    }
    /// Adds the valuations of `other`.
    ///
    /// # Panics
    /// If the dimensions differ.
    pub fn union_with(&mut self, other: &Self) {
        assert_eq!(self.dim, other.dim, "zones over different clocks");
        self.zones.reserve(other.zones.len());
        // Zones of the other union include none of each other: only ours are compared, which stand first.
        let mut ours = self.zones.len();
        for zone in &other.zones {
            if !self.zones[..ours].iter().any(|own| own.includes(zone)) {
                while let Some(at) = self.zones[..ours].iter().position(|own| zone.includes(own)) {
                    self.zones.remove(at);
                    ours -= 1;
                }
                self.zones.push(zone.clone());
            }
        }
    }
    /// Keeps the valuations that are in `dbm`.
    pub fn intersect_dbm(&mut self, dbm: &Dbm) {
        self.rebuild(|mut zone, out| {
            if zone.intersect(dbm) {
                out.add(zone);
            }
        });
    }
    /// Keeps the valuations that are in `other`. At most one zone for each pair of zones that intersect.
    pub fn intersect(&mut self, other: &Self) {
        let mut scratch: Option<Dbm> = None;
        self.rebuild(|zone, out| {
            for theirs in &other.zones {
                let both = scratch.get_or_insert_with(|| zone.clone());
                both.clone_from(&zone);
                if both.intersect(theirs) {
                    out.add(scratch.take().expect("just filled"));
                }
            }
        });
    }
    /// Tells whether the two share a valuation.
    pub fn intersects(&self, other: &Self) -> bool {
        self.zones.iter().any(|zone| other.intersects_dbm(zone))
    }
    /// Tells whether this and the zone share a valuation.
    pub fn intersects_dbm(&self, dbm: &Dbm) -> bool {
        self.zones.iter().any(|zone| zone.intersects(dbm))
    }
    /// Replaces every zone by the zones that `step` adds for it.
    fn rebuild(&mut self, mut step: impl FnMut(Dbm, &mut Self)) {
        let mut out = Self::empty(self.dim);
        out.zones.reserve(self.zones.len());
        std::mem::take(&mut self.zones)
            .into_iter()
            .for_each(|zone| step(zone, &mut out));
        self.zones = out.zones;
    }
}

/// Delay and reset, zone by zone, in place.
impl Federation {
    /// Lets time pass, also *delay successor*: `{ u + d | u in F, d >= 0 }`.
    pub fn up(&mut self) {
        self.map(Dbm::up);
    }
    /// Lets time pass backwards, also *delay predecessor*: `{ u >= 0 | exists d >= 0: u + d in F }`.
    pub fn down(&mut self) {
        self.map(Dbm::down);
    }
    /// Forgets all constraints on `variable` except that it is not negative.
    pub fn free(&mut self, variable: Variable) {
        self.map(|zone| zone.free(variable));
    }
    /// Sets `variable` to `value`, in model time units.
    ///
    /// # Panics
    /// As [`Dbm::reset`].
    pub fn reset(&mut self, variable: Variable, value: i64) {
        self.map(|zone| zone.reset(variable, value));
    }
    /// Undoes a reset: keeps the valuations that setting `variable` to `value` maps into the federation.
    pub fn unreset(&mut self, variable: Variable, value: i64) {
        self.rebuild(|mut zone, out| {
            if zone.unreset(variable, value) {
                out.add(zone);
            }
        });
    }
    fn map(&mut self, change: impl Fn(&mut Dbm)) {
        self.rebuild(|mut zone, out| {
            change(&mut zone);
            out.add(zone);
        });
    }
}

/// The zones in minimal form, joined by `||`; `false` if the federation is empty.
impl std::fmt::Display for Federation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.zones.is_empty() {
            return f.write_str("false");
        }
        let texts: Vec<String> = self.zones.iter().map(|zone| format!("({zone})")).collect();
        f.write_str(&texts.join(" || "))
    }
}
