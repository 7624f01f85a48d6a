//! Places in the text a user wrote.

use std::sync::{Arc, OnceLock};

/// A half-open range of byte offsets `[start, end)` into the text of one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The first byte of the range.
    pub start: u32,
    /// The byte after the last one of the range.
    pub end: u32,
}

impl Span {
    /// The span `[start, end)`.
    pub fn new(start: usize, end: usize) -> Self {
        let clip = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            start: clip(start),
            end: clip(end),
        }
    }
    /// From the start of this one to the end of `last`.
    #[must_use]
    pub fn to(self, last: Self) -> Self {
        Self {
            start: self.start,
            end: last.end,
        }
    }
    /// The same span as a range of `usize`.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A line and a column, both counted from 1; the column counts characters, not bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LineCol {
    /// The line, counted from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// The name and the text of a file, decoded to UTF-8.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: Arc<str>,
    text: Arc<str>,
    // Where lines begin, in bytes: found once, when the first place is asked for, since readers ask for one per edge.
    lines: Arc<OnceLock<Vec<usize>>>,
}

impl SourceFile {
    /// A file of that name (as the user gave it) and text.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            lines: Arc::default(),
        }
    }
    /// The name, as the user gave it.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The whole text of the file.
    pub fn text(&self) -> &str {
        &self.text
    }
    /// The line and column of byte `offset`; an offset past the end gives the end.
    pub fn line_col(&self, offset: u32) -> LineCol {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let starts = self.lines.get_or_init(|| line_starts(&self.text));
        let line = starts.partition_point(|&start| start <= offset);
        let before = &self.text[starts[line - 1]..offset];
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        LineCol {
            line: count(line),
            column: count(before.chars().count() + 1),
        }
    }
}

/// The bytes of `text` at which its lines begin, in order; the first is 0.
fn line_starts(text: &str) -> Vec<usize> {
    let after = text.match_indices('\n').map(|(newline, _)| newline + 1);
    std::iter::once(0).chain(after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_from_one() {
        let file = SourceFile::new("a", "é=1\nxy");
        assert_eq!(file.line_col(2), LineCol { line: 1, column: 2 });
        assert_eq!(file.line_col(6), LineCol { line: 2, column: 2 });
        assert_eq!(file.line_col(99), LineCol { line: 2, column: 3 });
    }

    #[test]
    fn every_byte_has_the_place_that_counting_finds() {
        let text = "\na\r\n\n  é→b\nlast";
        let file = SourceFile::new("a", text);
        let (mut line, mut column) = (1, 1);
        for (offset, character) in text.char_indices() {
            for byte in offset..offset + character.len_utf8() {
                assert_eq!(
                    file.line_col(u32::try_from(byte).unwrap()),
                    LineCol { line, column },
                    "byte {byte}"
                );
            }
            (line, column) = if character == '\n' {
                (line + 1, 1)
            } else {
                (line, column + 1)
            };
        }
        assert_eq!(file.line_col(u32::MAX), LineCol { line, column });
    }
}
