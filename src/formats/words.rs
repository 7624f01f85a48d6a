//! Lines of plain text, word by word.

use crate::text::Span;

/// The words of a line that starts at byte `start`, and where they stand.
pub(super) fn words(line: &str, start: usize) -> Vec<(&str, Span)> {
    let mut words = Vec::new();
    let mut at = 0;
    for word in line.split_ascii_whitespace() {
        let offset = line[at..].find(word).map_or(at, |found| at + found);
        words.push((word, Span::new(start + offset, start + offset + word.len())));
        at = offset + word.len();
    }
    words
}
