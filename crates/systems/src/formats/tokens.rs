//! The token stream that the readers of SMV and of action systems share: names, numbers and signs with their places.

use tamper_text::{Cursor, Diagnostic, Piece, Span, too_high};

/// The deepest nesting that is read.
const MAX_DEPTH: usize = 200;

/// A sign or a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    Name(&'a str),
    Number(i64),
    /// A number of a fixed width.
    Word(WordConstant),
    /// One of [`Language::signs`].
    Sign(&'static str),
    End,
}

/// The widest words of bits that are read, in SMV and in BTOR2: products of two fit in 64 bits.
pub(super) const WIDEST: u32 = 31;

/// A word of bits; a signed one is given in two's complement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WordConstant {
    pub value: i64,
    pub width: u32,
    pub is_signed: bool,
}

/// A token and its place.
pub(super) type SpannedToken<'a> = (Token<'a>, Span);

/// The properties of one language.
pub(super) struct Language {
    /// The signs; a sign stands before its prefixes.
    pub signs: &'static [&'static str],
    /// The start of a comment to the end of the line.
    pub line_comment: &'static str,
    /// The start and the end of a comment.
    pub comment: [&'static str; 2],
    /// A name at the cursor, if there is one.
    pub name: for<'a> fn(&mut Cursor<'a>) -> Result<Option<SpannedToken<'a>>, Diagnostic>,
    /// Reads text that begins with a digit as a word of bits; `None` if it is not one.
    pub word: fn(&str) -> Option<WordConstant>,
    /// The advice on numbers that are not read.
    pub numbers: &'static str,
    /// The description of a file of this language, and the advice on unknown signs.
    pub foreign: [&'static str; 2],
    /// The advice on expressions that are nested too deep, and on expressions with too many parts.
    pub divide: [&'static str; 2],
}

/// An error was noted, and the rest of the current part makes no sense.
pub(super) struct ErrorReported;

/// All tokens, the last of which is the end, and the position of the next one.
pub(super) struct Tokens<'a> {
    language: &'static Language,
    pub all: Vec<SpannedToken<'a>>,
    pub at: usize,
    pub depth: usize,
    pub diagnostics: Vec<Diagnostic>,
}

impl<'a> Tokens<'a> {
    /// The tokens of `text`; `note` receives the text of comments to the end of a line.
    pub fn new(text: &'a str, language: &'static Language, mut note: impl FnMut(Piece<'a>)) -> Self {
        let mut found = Self {
            language,
            all: Vec::new(),
            at: 0,
            depth: 0,
            diagnostics: Vec::new(),
        };
        let [opens, closes] = language.comment;
        let mut cursor = Cursor::new(text);
        while let Some(first) = cursor.peek() {
            let opening = cursor.span(opens.len());
            if first.is_whitespace() {
                cursor.bump();
            } else if cursor.eat(language.line_comment) {
                note(cursor.take_until("\n"));
            } else if cursor.eat(opens) {
                if cursor.take_through(closes).is_none() {
                    found.refuse(
                        "this comment does not end",
                        opening,
                        &format!("close it with `{closes}`"),
                    );
                    break;
                }
            } else {
                match language.token(&mut cursor, first) {
                    Ok(token) => found.all.push(token),
                    Err(error) => found.diagnostics.push(error),
                }
            }
        }
        found.all.push((Token::End, Span::new(text.len(), text.len())));
        found
    }

    /// A stream of other tokens in the same language, from the start.
    pub fn with<'b>(self, all: Vec<SpannedToken<'b>>) -> Tokens<'b> {
        Tokens {
            language: self.language,
            all,
            at: 0,
            depth: 0,
            diagnostics: self.diagnostics,
        }
    }
    pub fn peek(&self) -> SpannedToken<'a> {
        self.all[self.at.min(self.all.len() - 1)]
    }
    /// The place of the next token.
    pub fn here(&self) -> Span {
        self.peek().1
    }
    pub fn advance(&mut self) {
        self.at += 1;
    }
    /// The place from the start of `start` to the end of the last token read.
    pub fn since(&self, start: Span) -> Span {
        let last = self.at.saturating_sub(1).min(self.all.len() - 1);
        start.to(self.all[last].1)
    }
    /// Whether that sign or keyword is next. A name in quotes is not a keyword.
    pub fn is(&self, text: &str) -> bool {
        match self.peek().0 {
            Token::Sign(sign) => sign == text,
            Token::Name(name) => name == text && text.starts_with(|c: char| c.is_ascii_alphabetic()),
            _ => false,
        }
    }
    pub fn take(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.at += usize::from(found);
        found
    }
    pub fn expect(&mut self, text: &str) -> Result<(), ErrorReported> {
        let span = self.here();
        match self.take(text) {
            true => Ok(()),
            false => Err(self.refuse(
                format!("`{text}` is expected here"),
                span,
                "complete or correct this line",
            )),
        }
    }
    /// A number, with its sign.
    pub fn number(&mut self, help: &str) -> Result<i64, ErrorReported> {
        let negative = self.take("-");
        let (token, span) = self.peek();
        let Token::Number(number) = token else {
            return Err(self.refuse("a number is expected here", span, help));
        };
        self.advance();
        Ok(if negative { -number } else { number })
    }
    pub fn refuse(&mut self, message: impl Into<String>, span: impl Into<Option<Span>>, help: &str) -> ErrorReported {
        self.diagnostics.push(Diagnostic::error(message, span).with_help(help));
        ErrorReported
    }
    /// Refuses `span`, a duplicate of `first`.
    pub fn refuse_second(&mut self, message: String, span: Span, first: Span, help: &str) -> ErrorReported {
        let error = Diagnostic::error(message, span).with_secondary(first, "the first time");
        self.diagnostics.push(error.with_help(help));
        ErrorReported
    }

    /// Enters one level of nesting; the caller decrements the depth afterwards.
    pub fn deeper(&mut self) -> Result<(), ErrorReported> {
        self.depth += 1;
        match self.depth > MAX_DEPTH {
            true => Err(self.refuse("this is nested too deep", self.here(), self.language.divide[0])),
            false => Ok(()),
        }
    }
    /// Refuses `what`, which is nested too deep.
    pub fn too_high(&mut self, span: Span, what: &str) -> ErrorReported {
        self.refuse(too_high(what), span, self.language.divide[1])
    }
}

impl Language {
    /// Reads the token at the cursor, which begins with `first`.
    fn token<'a>(&self, cursor: &mut Cursor<'a>, first: char) -> Result<SpannedToken<'a>, Diagnostic> {
        if first.is_ascii_digit() {
            let number = cursor.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
            return match number_of(number.text) {
                Some(value) => Ok((Token::Number(value), number.span)),
                None => match (self.word)(number.text) {
                    Some(word) => Ok((Token::Word(word), number.span)),
                    None => {
                        let message = format!("`{}` is no number that is read", number.text);
                        Err(Diagnostic::error(message, number.span).with_help(self.numbers))
                    }
                },
            };
        }
        if let Some(name) = (self.name)(cursor)? {
            return Ok(name);
        }
        match cursor.sign(self.signs) {
            Some(sign) => Ok((Token::Sign(sign), cursor.take(sign.len()).span)),
            None => {
                let [what, help] = self.foreign;
                let place = cursor.take(first.len_utf8()).span;
                Err(Diagnostic::error(format!("`{first}` has no place in {what}"), place).with_help(help))
            }
        }
    }
}

/// The number in `text`, if it has at most 31 bits.
pub(super) fn number_of(text: &str) -> Option<i64> {
    text.parse().ok().filter(|value| *value <= i64::from(i32::MAX))
}

/// The names after `head` in a comment that begins with it: `inputs: a, b`.
pub(super) fn names_after<'a>(comment: Piece<'a>, head: &str) -> Option<Vec<Piece<'a>>> {
    let mut cursor = Cursor::of(comment.trimmed());
    let names = cursor.eat(head).then(|| cursor.take(cursor.rest().len()))?;
    Some(
        names
            .split(',')
            .map(Piece::trimmed)
            .filter(|name| !name.text.is_empty())
            .collect(),
    )
}
