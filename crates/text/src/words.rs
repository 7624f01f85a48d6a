//! Lines of plain text, word by word.

use crate::{Piece, Span};

/// The words of a line that starts at byte `start`, with their places.
pub fn words(line: &str, start: usize) -> Vec<(&str, Span)> {
    let words = Piece::new(line, start).words();
    words.map(|word| (word.text, word.span)).collect()
}
