//! The way back through a search that went forward.

/// How an entry of a search was reached: from which entry, and on what; none of the entry where the search began.
pub(super) type Step<I> = Option<(usize, I)>;

/// What led to entry `at`, in order; `step` says how each entry was reached.
pub(super) fn word<I>(mut at: usize, step: impl Fn(usize) -> Step<I>) -> Vec<I> {
    let mut word = Vec::new();
    while let Some((before, on)) = step(at) {
        word.push(on);
        at = before;
    }
    word.reverse();
    word
}
