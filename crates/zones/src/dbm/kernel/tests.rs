//! What stops before a word would wrap.

use super::*;

/// An entry that is just too large to be added stops what would add it, wherever it stands; the next smaller one does not.
#[test]
fn words_that_might_wrap_stop_each_operation_that_adds_them() {
    let stops = |n: usize, (i, j): (usize, usize), word: i64, operation: &dyn Fn(&mut [Bound])| {
        let mut cells = vec![Bound::INFINITY; n * n];
        (0..n).for_each(|i| cells[i * n + i] = Bound::LE_ZERO);
        (0..n).for_each(|j| cells[j] = Bound::LE_ZERO);
        cells[i * n + j] = Bound::from_word(word);
        let run = std::panic::AssertUnwindSafe(|| operation(&mut cells));
        std::panic::catch_unwind(run).is_err()
    };
    for n in [3, 13] {
        let close = |cells: &mut [Bound]| assert!(close_over(cells, n, Touched::ALL, Touched::ALL));
        // Only through clock 1.
        let close_over = |cells: &mut [Bound]| {
            let mut touched = Touched::default();
            touched.add_if(1, true);
            assert!(close_over(cells, n, touched, Touched::ALL));
        };
        let tighten = |cells: &mut [Bound]| tighten(cells, n, 1, 2, Bound::le(1));
        let reset = |cells: &mut [Bound]| reset(cells, n, 1, Bound::le(1), Bound::le(-1));
        for (place, operation) in [
            ((1, 2), &close as &dyn Fn(&mut [Bound])),
            ((2, 1), &close),
            ((1, 2), &close_over),
            ((2, 1), &close_over),
            // What leads to the left clock, and on from the right one.
            ((0, 1), &tighten),
            ((2, 0), &tighten),
            ((0, 2), &reset),
            ((2, 0), &reset),
        ] {
            assert!(stops(n, place, -NEAR, operation), "dim {n}, {place:?}");
            assert!(!stops(n, place, 2 - NEAR, operation), "dim {n}, {place:?}");
            if place.0 > 0 {
                assert!(stops(n, place, NEAR, operation), "dim {n}, {place:?}");
                assert!(!stops(n, place, NEAR - 1, operation), "dim {n}, {place:?}");
            }
        }
    }
}
