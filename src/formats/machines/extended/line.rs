//! A line of an extended machine, from left to right.

use crate::text::{Diagnostic, Span};

/// A piece of a line and where it starts in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::formats::machines) struct Piece<'a> {
    pub text: &'a str,
    pub start: usize,
}

/// Signs that end a word.
const SIGNS: [char; 10] = ['[', ']', '{', '}', '(', ')', '|', ',', '/', ':'];

impl<'a> Piece<'a> {
    pub fn span(self) -> Span {
        Span::new(self.start, self.start + self.text.len())
    }
    pub fn trimmed(self) -> Self {
        let start = self.text.len() - self.text.trim_start().len();
        Self {
            text: self.text.trim(),
            start: self.start + start,
        }
    }
    fn after(self, n_bytes: usize) -> Self {
        Self {
            text: &self.text[n_bytes..],
            start: self.start + n_bytes,
        }
        .trimmed()
    }
    fn before(self, n_bytes: usize) -> Self {
        Self {
            text: &self.text[..n_bytes],
            ..self
        }
        .trimmed()
    }

    /// What is left after `sign`, if it begins with that.
    pub fn skip(self, sign: &str) -> Option<Self> {
        self.text.starts_with(sign).then(|| self.after(sign.len()))
    }
    /// The first word, which is not empty, and what is left.
    pub fn word(self, what: &str) -> Result<(Self, Self), Diagnostic> {
        let ends = |at: usize, c: char| c.is_whitespace() || SIGNS.contains(&c) || self.text[at..].starts_with("->");
        let end = self.text.char_indices().find(|(at, c)| ends(*at, *c));
        let end = end.map_or(self.text.len(), |(at, _)| at);
        match end {
            0 => Err(self.expected(what)),
            _ => Ok((self.before(end), self.after(end))),
        }
    }
    /// What stands between `open`, which it begins with, and its partner; and what is left.
    pub fn bracket(self, open: char, close: char) -> Result<(Self, Self), Diagnostic> {
        let mut depth = 0_usize;
        for (at, c) in self.text.char_indices() {
            depth += usize::from(c == open);
            depth -= usize::from(c == close);
            if depth == 0 {
                return Ok((
                    Self {
                        text: &self.text[1..at],
                        start: self.start + 1,
                    }
                    .trimmed(),
                    self.after(at + 1),
                ));
            }
        }
        let error = Diagnostic::error("this bracket is never closed", Span::new(self.start, self.start + 1));
        Err(error.with_help(format!("close it with `{close}` on the same line")))
    }
    /// The parts between `sign`s that no bracket encloses; one empty part if it is empty.
    pub fn split(self, sign: char) -> Vec<Self> {
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
                        parts.push(
                            Self {
                                text: &self.text[from..at],
                                start: self.start + from,
                            }
                            .trimmed(),
                        );
                        from = at + 1;
                    }
                }
                _ => {}
            }
        }
        parts.push(
            Self {
                text: &self.text[from..],
                start: self.start + from,
            }
            .trimmed(),
        );
        parts
    }
    /// The parts between white space that no bracket encloses.
    pub fn split_words(self) -> Vec<Self> {
        let mut parts = Vec::new();
        let (mut depth, mut from) = (0_usize, 0);
        for (at, c) in self.text.char_indices() {
            depth += usize::from(c == '(');
            depth = depth.saturating_sub(usize::from(c == ')'));
            if c.is_whitespace() && depth == 0 {
                parts.push((from, at));
                from = at + c.len_utf8();
            }
        }
        parts.push((from, self.text.len()));
        let piece = |(from, to): (usize, usize)| Self {
            text: &self.text[from..to],
            start: self.start + from,
        };
        parts.into_iter().filter(|(from, to)| from < to).map(piece).collect()
    }
    /// The part before `sign` and the part after it.
    pub fn cut(self, sign: &str) -> Option<(Self, Self)> {
        let at = self.text.find(sign)?;
        Some((self.before(at), self.after(at + sign.len())))
    }
    /// The part before the first `sign`, and the rest with it.
    pub fn cut_before(self, sign: char) -> Option<(Self, Self)> {
        let at = self.text.find(sign)?;
        let rest = Self {
            text: &self.text[at..],
            start: self.start + at,
        };
        Some((self.before(at), rest))
    }
    pub fn expected(self, what: &str) -> Diagnostic {
        let found = match self.text.chars().next() {
            None => "the end of the line".to_owned(),
            Some(c) => format!("`{c}`"),
        };
        let span = Span::new(
            self.start,
            self.start + self.text.chars().next().map_or(0, char::len_utf8),
        );
        Diagnostic::error(format!("expected {what}, found {found}"), span).with_help(SHAPE)
    }
}

/// What lines look like.
pub(super) const SHAPE: &str = "lines are `var NAME : LOW..HIGH = VALUE`, `input NAME(PARAMETER : LOW..HIGH)`, `initial STATE`, or \
    `STATE INPUT [GUARD] / OUTPUT {VARIABLE := VALUE} -> STATE`";
