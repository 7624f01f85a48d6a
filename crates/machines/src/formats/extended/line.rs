//! A line of an extended machine, from left to right.

use tamper_text::{Cursor, Diagnostic, Piece};

/// Signs that end a word.
const SIGNS: [char; 10] = ['[', ']', '{', '}', '(', ')', '|', ',', '/', ':'];

/// Steps through a line; all parts are trimmed.
pub(in crate::formats) trait PieceExt<'a>: Sized {
    /// The rest of the line after `sign`, if it begins with that sign.
    fn skip(self, sign: &str) -> Option<Self>;
    /// The first word, which is not empty, and the rest.
    fn word(self, what: &str) -> Result<(Self, Self), Diagnostic>;
    /// The text between `open`, which must come first, and its matching `close`; and the rest.
    fn bracket(self, open: char, close: char) -> Result<(Self, Self), Diagnostic>;
    /// The parts between `sign`s outside brackets; one empty part if the line is empty.
    fn alternatives(self, sign: char) -> Vec<Self>;
    /// The parts between white space outside brackets.
    fn outer_words(self) -> Vec<Self>;
    /// The part before `sign` and the part after it.
    fn cut(self, sign: &str) -> Option<(Self, Self)>;
    /// The part before the first `sign`, and the rest, which begins with it.
    fn cut_before(self, sign: char) -> Option<(Self, Self)>;
    /// The error that `what` was expected at the start of the line.
    fn expected(self, what: &str) -> Diagnostic;
}

fn before(line: Piece<'_>, n_bytes: usize) -> Piece<'_> {
    line.part(0, n_bytes).trimmed()
}

fn after(line: Piece<'_>, n_bytes: usize) -> Piece<'_> {
    line.part(n_bytes, line.text.len()).trimmed()
}

impl PieceExt<'_> for Piece<'_> {
    fn skip(self, sign: &str) -> Option<Self> {
        self.text.starts_with(sign).then(|| after(self, sign.len()))
    }
    fn word(self, what: &str) -> Result<(Self, Self), Diagnostic> {
        let ends = |at: usize, c: char| c.is_whitespace() || SIGNS.contains(&c) || self.text[at..].starts_with("->");
        let end = self.text.char_indices().find(|(at, c)| ends(*at, *c));
        match end.map_or(self.text.len(), |(at, _)| at) {
            0 => Err(self.expected(what)),
            end => Ok((before(self, end), after(self, end))),
        }
    }
    fn bracket(self, open: char, close: char) -> Result<(Self, Self), Diagnostic> {
        let mut depth = 0_usize;
        for (at, c) in self.text.char_indices() {
            depth += usize::from(c == open);
            depth -= usize::from(c == close);
            if depth == 0 {
                return Ok((self.part(1, at).trimmed(), after(self, at + 1)));
            }
        }
        let error = Diagnostic::error("this bracket is never closed", self.part(0, 1).span);
        Err(error.with_help(format!("close it with `{close}` on the same line")))
    }
    fn alternatives(self, sign: char) -> Vec<Self> {
        let mut parts = Vec::new();
        let (mut depth, mut from) = (0_usize, 0);
        for (at, c) in self.text.char_indices() {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                _ if c == sign && depth == 0 => {
                    // `||` is an operator.
                    let rest = &self.text[at + 1..];
                    let is_double = c == '|' && (rest.starts_with('|') || self.text[..at].ends_with('|'));
                    if !is_double {
                        parts.push(self.part(from, at).trimmed());
                        from = at + 1;
                    }
                }
                _ => {}
            }
        }
        parts.push(after(self, from));
        parts
    }
    fn outer_words(self) -> Vec<Self> {
        let mut parts = Vec::new();
        let (mut depth, mut from) = (0_usize, 0);
        for (at, c) in self.text.char_indices() {
            depth += usize::from(c == '(');
            depth = depth.saturating_sub(usize::from(c == ')'));
            if c.is_whitespace() && depth == 0 {
                parts.push(self.part(from, at));
                from = at + c.len_utf8();
            }
        }
        parts.push(self.part(from, self.text.len()));
        parts.retain(|part| !part.text.is_empty());
        parts
    }
    fn cut(self, sign: &str) -> Option<(Self, Self)> {
        let at = self.text.find(sign)?;
        Some((before(self, at), after(self, at + sign.len())))
    }
    fn cut_before(self, sign: char) -> Option<(Self, Self)> {
        let at = self.text.find(sign)?;
        Some((before(self, at), self.part(at, self.text.len())))
    }
    fn expected(self, what: &str) -> Diagnostic {
        let cursor = Cursor::of(self);
        let (found, length) = match cursor.peek() {
            None => ("the end of the line".to_owned(), 0),
            Some(c) => (format!("`{c}`"), c.len_utf8()),
        };
        Diagnostic::error(format!("expected {what}, found {found}"), cursor.span(length)).with_help(SHAPE)
    }
}

/// Help text: the forms of lines.
pub(super) const SHAPE: &str = "lines are `var NAME : LOW..HIGH = VALUE`, `input NAME(PARAMETER : LOW..HIGH)`, `initial STATE`, or \
    `STATE INPUT [GUARD] / OUTPUT {VARIABLE := VALUE} -> STATE`";
