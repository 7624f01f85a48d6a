//! Fewer zones for the same set.

use super::Federation;
use super::subtract::covers;
use crate::old::Dbm;

impl Federation {
    /// Merges pairs of zones whose union is convex, and removes zones that the others cover, until nothing changes.
    /// The set of valuations stays. Costs about n^2 inclusion checks for n zones.
    pub fn reduce(&mut self) {
        while self.merge_some_pair() {}
        self.drop_covered();
    }

    fn merge_some_pair(&mut self) -> bool {
        let n = self.zones.len();
        let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        let merged = pairs.filter_map(|(i, j)| merge(&self.zones[i], &self.zones[j])).next();
        let found = merged.is_some();
        merged.into_iter().for_each(|zone| self.add(zone));
        found
    }

    fn drop_covered(&mut self) {
        let mut i = 0;
        while i < self.zones.len() {
            let zone = self.zones.swap_remove(i);
            if !covers(&self.zones, &zone) {
                self.zones.push(zone);
                let last = self.zones.len() - 1;
                self.zones.swap(i, last);
                i += 1;
            }
        }
    }
}

/// The union of two zones if it is convex.
fn merge(first: &Dbm, second: &Dbm) -> Option<Dbm> {
    let hull = first.hull(second);
    covers(&[first, second], &hull).then_some(hull)
}
