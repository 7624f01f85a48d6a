//! The path to an entry of a search, reconstructed backwards.

/// The step that reached an entry of a search: its predecessor and the symbol; `None` for the entry where the search
/// began.
pub(super) type Predecessor<I> = Option<(usize, I)>;

/// The symbols on the way to entry `at`, in order; `step` gives the step that reached each entry.
pub(super) fn word<I>(mut at: usize, step: impl Fn(usize) -> Predecessor<I>) -> Vec<I> {
    let mut word = Vec::new();
    while let Some((before, on)) = step(at) {
        word.push(on);
        at = before;
    }
    word.reverse();
    word
}
