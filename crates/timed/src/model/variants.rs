//! The games that a file would mean with one mistake in its own words.

use std::fmt;
use std::sync::{Arc, LazyLock};

use tamper_text::Span;

/// A game that the file would mean with one mistake. It has the clocks, variables and actions of the original, and perhaps more behind them.
#[derive(Clone, Debug)]
pub struct Variant<G> {
    /// The name of the operator that makes it.
    pub operator: &'static str,
    /// The place and the change, unique among the variants of the operator.
    pub name: Arc<str>,
    /// One clause for a reader, e.g. `makes the delay of 1000 in red longer by 1`.
    pub summary: Arc<str>,
    /// The place of the mistake in the file.
    pub place: Span,
    /// The whole game.
    pub game: G,
}

type Maker<G> = Box<dyn FnOnce() -> Vec<Variant<G>> + Send>;
type Made<G> = LazyLock<Vec<Variant<G>>, Maker<G>>;

/// The variants of a game, made when they are first asked for.
#[derive(Clone)]
pub struct Variants<G>(Option<Arc<Made<G>>>);

impl<G> Variants<G> {
    /// None: the file has no words of its own that can be mistaken.
    pub const UNKNOWN: Self = Self(None);

    /// Those that `make` makes.
    pub fn new(make: impl FnOnce() -> Vec<Variant<G>> + Send + 'static) -> Self {
        let make: Maker<G> = Box::new(make);
        Self(Some(Arc::new(LazyLock::new(make))))
    }
    /// All of them, in order.
    pub fn all(&self) -> &[Variant<G>] {
        self.0.as_ref().map_or(&[], |variants| variants.as_slice())
    }
    /// Whether the file has words of its own that can be mistaken.
    pub fn are_known(&self) -> bool {
        self.0.is_some()
    }
}

impl<G> fmt::Debug for Variants<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.are_known() { "known" } else { "unknown" })
    }
}
