//! The inner loops, written once and compiled for each small dimension: [`by_dimension`] makes the dimension a constant
//! where it is 2 to 12, so that loops have known lengths and rows need no bounds checks.
//!
//! Sums are computed without testing each time whether an operand is infinite. A row that is added to others is loaded with
//! [`FAR`] for "no bound"; a sum with it stays above [`FINITE`], and becomes infinity again at the end. Finite operands are
//! checked, once per row, to be less than [`NEAR`] in absolute value, so finite sums stay below `FINITE`:
//! `FAR - NEAR > FINITE >= 2 NEAR`, and nothing wraps.

#[cfg(test)]
mod tests;

use super::touched::Touched;
use crate::Bound;

/// Evaluates an expression in which the dimension is a constant if it is small.
macro_rules! by_dimension {
    ($n:expr, $dim:ident => $body:expr) => {
        match $n {
            2 => by_dimension!(@constant 2, $dim => $body),
            3 => by_dimension!(@constant 3, $dim => $body),
            4 => by_dimension!(@constant 4, $dim => $body),
            5 => by_dimension!(@constant 5, $dim => $body),
            6 => by_dimension!(@constant 6, $dim => $body),
            7 => by_dimension!(@constant 7, $dim => $body),
            8 => by_dimension!(@constant 8, $dim => $body),
            9 => by_dimension!(@constant 9, $dim => $body),
            10 => by_dimension!(@constant 10, $dim => $body),
            11 => by_dimension!(@constant 11, $dim => $body),
            12 => by_dimension!(@constant 12, $dim => $body),
            $dim => $body,
        }
    };
    (@constant $n:literal, $dim:ident => $body:expr) => {{
        let $dim: usize = $n;
        $body
    }};
}
pub(super) use by_dimension;

/// "No bound" while sums are taken.
const FAR: i64 = 1 << 62;
/// Every finite word of a zone is at most this, every infinite one above it.
const FINITE: i64 = 1 << 61;
/// Words that are added are less than this, in absolute value.
const NEAR: i64 = 1 << 60;

/// Whether a finite word is small enough to be added to another.
#[inline(always)]
fn is_near(word: i64) -> bool {
    (-NEAR < word) & (word < NEAR)
}

/// A word to which others are added: the sum is `(word & mask) + addend`, as it is strict if either bound is.
#[derive(Clone, Copy)]
struct MaskedAddend {
    mask: i64,
    addend: i64,
}

impl MaskedAddend {
    #[inline(always)]
    fn over(word: i64) -> Self {
        let weak = word & 1;
        Self {
            mask: weak | !1,
            addend: word - weak,
        }
    }
    /// The sum with a finite or [`FAR`] word.
    #[inline(always)]
    fn and_then(self, word: i64) -> i64 {
        (word & self.mask) + self.addend
    }
    /// The sum with any word of a zone.
    #[inline(always)]
    fn and_then_any(self, word: i64) -> i64 {
        let sum = (word & self.mask).wrapping_add(self.addend);
        if word > FINITE { i64::MAX } else { sum }
    }
}

/// Copies a row for sums.
#[inline(always)]
fn load(row: &[Bound], words: &mut [i64]) {
    let mut near = true;
    for (word, cell) in words.iter_mut().zip(row) {
        let is_far = cell.word() > FINITE;
        *word = if is_far { FAR } else { cell.word() };
        near &= is_far | is_near(cell.word());
    }
    assert!(near, "bounds out of range");
}

/// Floyd-Warshall over the inner nodes in `touched`; `false` if there is a negative cycle through them. It stops at
/// the first one, so all sums are weights of simple paths. Only rows in `improvable` are written: the others are taken to
/// be closed already.
///
/// # Panics
/// If a sum might leave the range of a word.
#[inline(always)]
pub(super) fn close_over(cells: &mut [Bound], n: usize, touched: Touched, improvable: Touched) -> bool {
    let (mut few, mut many) = ([0; 16], Vec::new());
    let through: &mut [i64] = if n <= few.len() {
        &mut few[..n]
    } else {
        many.resize(n, 0);
        &mut many
    };
    for k in (0..n).filter(|&k| touched.contains(k)) {
        load(&cells[k * n..][..n], through);
        for (i, row) in cells.chunks_exact_mut(n).enumerate() {
            let to_k = row[k].word();
            if i == k || to_k > FINITE || !improvable.contains(i) {
                continue;
            }
            assert!(is_near(to_k), "bounds out of range");
            let step = MaskedAddend::over(to_k);
            for (cell, &from_k) in row.iter_mut().zip(&*through) {
                cell.lower_to(step.and_then(from_k));
            }
            if row[i] < Bound::LE_ZERO {
                return false;
            }
        }
    }
    for cell in cells {
        if cell.word() > FINITE {
            *cell = Bound::INFINITY;
        }
    }
    true
}

/// The incremental closure of a closed matrix: every path may now use the edge `(l, r)` once.
///
/// # Panics
/// As [`close_over`].
#[inline(always)]
pub(super) fn tighten(cells: &mut [Bound], n: usize, l: usize, r: usize, bound: Bound) {
    let edge = MaskedAddend::over(bound.word());
    let from_r = &cells[r * n..][..n];
    let near = from_r.iter().fold(is_near(bound.word()), |near, cell| {
        near & ((cell.word() > FINITE) | is_near(cell.word()))
    });
    assert!(near, "bounds out of range");
    for i in (0..n).filter(|&i| i != r) {
        let to_l = cells[i * n + l].word();
        if to_l > FINITE {
            continue;
        }
        assert!(is_near(to_l), "bounds out of range");
        let to_r = edge.and_then(to_l);
        // Otherwise no entry of row i improves: it already goes to r as cheaply.
        if to_r < cells[i * n + r].word() {
            assert!(is_near(to_r), "bounds out of range");
            let step = MaskedAddend::over(to_r);
            for j in 0..n {
                let sum = step.and_then_any(cells[r * n + j].word());
                cells[i * n + j].lower_to(sum);
            }
        }
    }
}

/// Sets clock `v` to a value, given as its bounds from above and below.
///
/// # Panics
/// As [`close_over`].
#[inline(always)]
pub(super) fn reset(cells: &mut [Bound], n: usize, v: usize, at_most: Bound, at_least: Bound) {
    let (up, down) = (MaskedAddend::over(at_most.word()), MaskedAddend::over(at_least.word()));
    for j in 0..n {
        let (from_zero, to_zero) = (cells[j].word(), cells[j * n].word());
        let near = is_near(from_zero) & ((to_zero > FINITE) | is_near(to_zero));
        assert!(near, "bounds out of range");
        cells[v * n + j] = Bound::from_word(up.and_then(from_zero));
        cells[j * n + v] = Bound::from_word(down.and_then_any(to_zero));
    }
    cells[v * n + v] = Bound::LE_ZERO;
}

/// Whether one bound of each contradict each other: then the intersection is empty. The converse does not hold.
#[inline(always)]
pub(super) fn contradict(cells: &[Bound], others: &[Bound], n: usize) -> bool {
    (0..n).any(|i| (0..n).fold(false, |any, j| any | cells[i * n + j].contradicts(others[j * n + i])))
}

/// The nodes at which a path can change from a strictly tighter entry of the one matrix to one of the other.
pub(super) struct Crossings {
    /// From `cells` to `others`, and back.
    to_others: Touched,
    to_cells: Touched,
}

impl Crossings {
    #[inline(always)]
    pub(super) fn between(cells: &[Bound], others: &[Bound], n: usize) -> Self {
        let (mut in_cells, mut in_others) = (Touched::default(), Touched::default());
        let (mut out_of_cells, mut out_of_others) = (Touched::default(), Touched::default());
        for i in 0..n {
            let (mut ours_in_row, mut theirs_in_row) = (false, false);
            for j in 0..n {
                let (ours, theirs) = (cells[i * n + j], others[i * n + j]);
                in_cells.add_if(j, ours < theirs);
                in_others.add_if(j, theirs < ours);
                ours_in_row |= ours < theirs;
                theirs_in_row |= theirs < ours;
            }
            out_of_cells.add_if(i, ours_in_row);
            out_of_others.add_if(i, theirs_in_row);
        }
        Self {
            to_others: in_cells.and(out_of_others),
            to_cells: in_others.and(out_of_cells),
        }
    }
    /// All of them.
    #[inline(always)]
    pub(super) fn nodes(&self) -> Touched {
        self.to_others.or(self.to_cells)
    }
    /// Whether a cycle may cross at least twice in each direction, at different nodes of `n`.
    #[inline(always)]
    pub(super) fn allow_four(&self, n: usize) -> bool {
        self.to_others.has(2, n) && self.to_cells.has(2, n) && self.nodes().has(4, n)
    }
}

/// Raises each bound of `cells` to the corresponding bound of `others`, if that is higher.
#[inline(always)]
pub(super) fn raise(cells: &mut [Bound], others: &[Bound]) {
    for (cell, &bound) in cells.iter_mut().zip(others) {
        *cell = (*cell).max(bound);
    }
}

/// Lowers each bound of `cells` to the corresponding bound of `others`, if that is lower.
#[inline(always)]
pub(super) fn lower(cells: &mut [Bound], others: &[Bound], n: usize) {
    for (cell, &bound) in cells[..n * n].iter_mut().zip(&others[..n * n]) {
        *cell = (*cell).min(bound);
    }
}
