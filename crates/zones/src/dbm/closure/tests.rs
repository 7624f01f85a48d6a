//! Intersections, against closing over everything.

use crate::tests::grids::zones;
use crate::{Clock, DbmDraft};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Both close over few nodes and rows; the conjunction closes over all.
    #[test]
    fn zones_meet_in_the_closure_of_all_their_bounds(
        (first, second) in (4usize..15).prop_flat_map(|dim| (zones(dim, 4), zones(dim, 4))),
    ) {
        let mut draft = DbmDraft::from(first.clone());
        for left in (0..first.dim()).map(Clock::from_index) {
            for right in (0..first.dim()).map(Clock::from_index) {
                draft.constrain(left, right, second.bound(left, right));
            }
        }
        let closed = draft.close();
        prop_assert_eq!(first.intersects(&second), closed.is_some());
        let mut both = first;
        prop_assert_eq!(both.intersect(&second).then_some(both), closed);
    }
}
