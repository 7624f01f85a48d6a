//! Places in the text a user wrote.

use std::ops::Range;
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
    /// The span from the start of this one to the end of `last`.
    #[must_use]
    pub fn to(self, last: Self) -> Self {
        Self {
            start: self.start,
            end: last.end,
        }
    }
    /// The same span as a range of `usize`.
    pub fn range(self) -> Range<usize> {
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
    // Computed once, when the first place is requested, since readers request one per edge.
    places: Arc<OnceLock<LineIndex>>,
}

impl SourceFile {
    /// A file of that name (as the user gave it) and text.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            places: Arc::default(),
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
    /// The byte range of the line of byte `offset`, without its terminator.
    pub fn line(&self, offset: u32) -> Range<usize> {
        let starts = &self.places().starts;
        let line = starts.partition_point(|&start| start <= offset as usize);
        let start = starts[line - 1];
        let end = starts.get(line).map_or(self.text.len(), |next| next - 1);
        let end = if self.text[start..end].ends_with('\r') {
            end - 1
        } else {
            end
        };
        start..end
    }

    fn places(&self) -> &LineIndex {
        self.places.get_or_init(|| LineIndex::of(&self.text))
    }

    /// The line and column of byte `offset`; an offset past the end gives the end.
    pub fn line_col(&self, offset: u32) -> LineCol {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let places = self.places();
        let line = places.starts.partition_point(|&start| start <= offset);
        let n_before = |offset| places.n_before(&self.text, offset);
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        LineCol {
            line: count(line),
            column: count(n_before(offset) - n_before(places.starts[line - 1]) + 1),
        }
    }
}

/// Bytes per block of the character index: looking up a position counts at most this many, so that many look-ups in a file
/// of one long line stay cheap.
const BLOCK: usize = 256;

/// Index of the lines and characters of a text.
#[derive(Debug)]
struct LineIndex {
    /// The bytes at which lines begin, in order; the first is 0.
    starts: Vec<usize>,
    /// Number of characters that begin before each block of bytes.
    n_characters: Vec<usize>,
}

impl LineIndex {
    fn of(text: &str) -> Self {
        let after = text.match_indices('\n').map(|(newline, _)| newline + 1);
        let mut n = 0;
        let blocks = text.as_bytes().chunks(BLOCK);
        let ends = blocks.map(|block| {
            n += n_begun(block);
            n
        });
        Self {
            n_characters: std::iter::once(0).chain(ends).collect(),
            starts: std::iter::once(0).chain(after).collect(),
        }
    }

    /// Number of characters that begin before byte `offset`.
    fn n_before(&self, text: &str, offset: usize) -> usize {
        let block = offset / BLOCK;
        self.n_characters[block] + n_begun(&text.as_bytes()[block * BLOCK..offset])
    }
}

/// Number of characters that begin in these bytes of UTF-8.
fn n_begun(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
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
        let text = &("\na\r\n\n  é→b\nlast".to_owned() + &"é→b".repeat(300));
        let file = SourceFile::new("a", text.as_str());
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
