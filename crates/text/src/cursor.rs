//! The common part of all lexers: a position in a text, read from left to right.

use crate::Span;

/// A part of a file's text, with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Piece<'a> {
    /// The characters of the piece.
    pub text: &'a str,
    /// The place in the file.
    pub span: Span,
}

impl<'a> Piece<'a> {
    /// A text that stands in its file from byte `start` on.
    pub fn new(text: &'a str, start: usize) -> Self {
        Self {
            text,
            span: Span::new(start, start + text.len()),
        }
    }
    /// The part from byte `from` to byte `to` of the text.
    #[must_use]
    pub fn part(self, from: usize, to: usize) -> Self {
        Self::new(&self.text[from..to], self.start() + from)
    }
    /// Byte offset of its first character in the file.
    pub fn start(self) -> usize {
        self.span.start as usize
    }
    /// The same without white space around it.
    #[must_use]
    pub fn trimmed(self) -> Self {
        let text = self.text.trim_start();
        let from = self.text.len() - text.len();
        self.part(from, from + text.trim_end().len())
    }
    /// The pieces before, between and after the occurrences of `sign`.
    pub fn split(self, sign: char) -> impl Iterator<Item = Self> {
        let mut from = 0;
        self.text.split(sign).map(move |text| {
            let piece = self.part(from, from + text.len());
            from += text.len() + sign.len_utf8();
            piece
        })
    }
    /// The words between white space.
    pub fn words(self) -> impl Iterator<Item = Self> {
        let mut cursor = Cursor::of(self);
        std::iter::from_fn(move || {
            cursor.take_while(char::is_whitespace);
            let word = cursor.take_while(|c| !c.is_whitespace());
            (!word.text.is_empty()).then_some(word)
        })
    }
}

/// A place in a text.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    piece: Piece<'a>,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// The start of the text of a file.
    pub fn new(text: &'a str) -> Self {
        Self::of(Piece::new(text, 0))
    }
    /// The start of a part of a file.
    pub fn of(piece: Piece<'a>) -> Self {
        Self { piece, at: 0 }
    }
    /// Byte offset of the cursor in the file.
    pub fn position(&self) -> usize {
        self.piece.start() + self.at
    }
    /// The unread text.
    pub fn rest(&self) -> &'a str {
        &self.piece.text[self.at..]
    }
    /// Whether the whole text is read.
    pub fn is_at_end(&self) -> bool {
        self.at == self.piece.text.len()
    }
    /// The place of the next `length` bytes.
    pub fn span(&self, length: usize) -> Span {
        Span::new(self.position(), self.position() + length)
    }
    /// The piece between byte `start` of the file and the cursor.
    pub fn since(&self, start: usize) -> Piece<'a> {
        self.piece.part(start - self.piece.start(), self.at)
    }
    /// The next character.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }
    /// Whether `sign` is next.
    pub fn is_at(&self, sign: &str) -> bool {
        self.rest().starts_with(sign)
    }
    /// The first of `signs` that is next.
    pub fn sign(&self, signs: &[&'static str]) -> Option<&'static str> {
        signs.iter().copied().find(|sign| self.is_at(sign))
    }
    /// Number of bytes of the next characters for which `keep` holds.
    pub fn count_while(&self, keep: impl Fn(char) -> bool) -> usize {
        let rest = self.rest();
        rest.find(|c| !keep(c)).unwrap_or(rest.len())
    }
    /// Number of bytes before the next `end`, or before the end of the text.
    pub fn count_until(&self, end: &str) -> usize {
        self.rest().find(end).unwrap_or(self.rest().len())
    }

    /// Moves over the next character.
    pub fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }
    /// Moves over the next `length` bytes.
    pub fn take(&mut self, length: usize) -> Piece<'a> {
        let piece = self.piece.part(self.at, self.at + length);
        self.at += length;
        piece
    }
    /// Moves over the next characters for which `keep` holds.
    pub fn take_while(&mut self, keep: impl Fn(char) -> bool) -> Piece<'a> {
        self.take(self.count_while(keep))
    }
    /// Moves to the next `end`, or to the end of the text.
    pub fn take_until(&mut self, end: &str) -> Piece<'a> {
        self.take(self.count_until(end))
    }
    /// Moves behind the next `end` and returns the piece before it. If there is no `end`, returns `None` without moving.
    pub fn take_through(&mut self, end: &str) -> Option<Piece<'a>> {
        let length = self.rest().find(end)?;
        let piece = self.take(length);
        self.at += end.len();
        Some(piece)
    }
    /// Moves over `sign` if it is next; returns whether it was.
    pub fn eat(&mut self, sign: &str) -> bool {
        let is_next = self.is_at(sign);
        self.at += if is_next { sign.len() } else { 0 };
        is_next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_knows_its_place_in_the_file() {
        let mut cursor = Cursor::of(Piece::new("ab <= é/*c*/d", 10));
        assert_eq!(cursor.take_while(char::is_alphanumeric), Piece::new("ab", 10));
        assert_eq!(cursor.bump(), Some(' '));
        assert_eq!(cursor.sign(&["<=", "<"]), Some("<="));
        assert!(cursor.eat("<") && !cursor.eat("<"));
        assert_eq!(cursor.take_until("/*").text, "= é");
        assert_eq!(cursor.since(13), Piece::new("<= é", 13));
        assert!(cursor.eat("/*") && cursor.take_through("|").is_none());
        assert_eq!(cursor.take_through("*/"), Some(Piece::new("c", 20)));
        assert_eq!(
            (cursor.position(), cursor.span(1), cursor.peek()),
            (23, Span::new(23, 24), Some('d'))
        );
        assert!(!cursor.is_at_end() && cursor.take(1).text == "d" && cursor.is_at_end());
    }

    #[test]
    fn parts_of_a_piece_know_their_places() {
        let piece = Piece::new(" a, b c", 5);
        let parts: Vec<_> = piece.split(',').map(Piece::trimmed).collect();
        assert_eq!(parts, [Piece::new("a", 6), Piece::new("b c", 9)]);
        let words: Vec<_> = parts[1].words().collect();
        assert_eq!(words, [Piece::new("b", 9), Piece::new("c", 11)]);
    }
}
