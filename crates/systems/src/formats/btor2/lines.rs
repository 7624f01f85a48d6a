//! The lines of a file, as words with their places.

use tamper_text::Piece;

/// The words of a line, at least one, without its comment.
pub(super) type LineWords<'a> = Vec<Piece<'a>>;

/// The lines with some content.
pub(super) fn lines(text: &str) -> Vec<LineWords<'_>> {
    let lines = Piece::new(text, 0).split('\n');
    let contents = lines.filter_map(|line| line.split(';').next());
    let words = contents.map(|content| content.words().collect::<LineWords<'_>>());
    words.filter(|words| !words.is_empty()).collect()
}

/// A word as a number.
pub(super) fn number<T: std::str::FromStr>(word: Piece<'_>) -> Option<T> {
    word.text.parse().ok()
}
