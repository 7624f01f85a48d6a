//! The lines of a file, as words with their places.

use crate::text::Span;

/// A word and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'a> {
    pub text: &'a str,
    pub span: Span,
}

impl Text<'_> {
    /// The word as a number.
    pub fn number<T: std::str::FromStr>(self) -> Option<T> {
        self.text.parse().ok()
    }
}

/// The words of a line, at least one, without its comment.
pub(super) type Line<'a> = Vec<Text<'a>>;

/// The lines that say something.
pub(super) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut start = 0;
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        let content = line.split_once(';').map_or(line, |(content, _)| content);
        let words = words(content, start);
        if !words.is_empty() {
            found.push(words);
        }
        start += line.len();
    }
    found
}

fn words(line: &str, start: usize) -> Line<'_> {
    let offset = |word: &str| start + (word.as_ptr() as usize - line.as_ptr() as usize);
    let words = line.split_ascii_whitespace().map(|word| Text {
        text: word,
        span: Span::new(offset(word), offset(word) + word.len()),
    });
    words.collect()
}
