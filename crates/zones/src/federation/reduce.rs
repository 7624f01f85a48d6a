//! Fewer zones for the same set.

use super::Federation;
use super::subtract::covers;

impl Federation {
    /// Merges pairs of zones whose union is convex, and removes zones that the others cover, until nothing changes.
    /// The set of valuations stays. Costs about n^2 inclusion checks for n zones.
    pub fn reduce(&mut self) {
        let mut open = std::mem::take(&mut self.zones);
        open.reverse();
        while let Some(zone) = open.pop() {
            let merged = self.zones.iter().enumerate();
            let merged = merged.filter_map(|(at, other)| Some((at, other.merged(&zone)?))).next();
            match merged {
                Some((at, union)) => {
                    self.zones.swap_remove(at);
                    open.push(union);
                }
                None => self.zones.push(zone),
            }
        }
        self.drop_covered();
    }

    /// Reduces a union of more than `many` zones, then raises `many` to twice the number of zones left, if that is more.
    /// Tells whether it did.
    pub(crate) fn reduce_if_above(&mut self, many: &mut usize) -> bool {
        let is_above = self.zones.len() > *many;
        if is_above {
            self.reduce();
            *many = (2 * self.zones.len()).max(*many);
        }
        is_above
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
