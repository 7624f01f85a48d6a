//! A scanner over the text of a file: words, signs, and stretches that are read elsewhere. Comments count as white
//! space.

use tamper_text::{Cursor, Diagnostic, Piece, Span};

/// The scanner.
#[derive(Clone, Copy)]
pub(super) struct XtaScanner<'a> {
    cursor: Cursor<'a>,
    text: &'a str,
}

/// A scanned part, or the syntax error.
pub(super) type ScanResult<T> = Result<T, Diagnostic>;

impl<'a> XtaScanner<'a> {
    pub fn new(text: &'a str) -> Self {
        Self {
            cursor: Cursor::new(text),
            text,
        }
    }

    fn rest(&self) -> &'a str {
        self.cursor.rest()
    }

    /// The position of the scanner, behind white space and comments.
    pub fn position(&mut self) -> usize {
        self.skip();
        self.cursor.position()
    }

    pub fn at_end(&mut self) -> bool {
        self.skip();
        self.cursor.is_at_end()
    }

    /// The text between two positions.
    pub fn piece(&self, start: usize, end: usize) -> Piece<'a> {
        Piece::new(&self.text[start..end], start)
    }

    fn skip(&mut self) {
        loop {
            self.cursor.take_while(char::is_whitespace);
            match comment(self.rest()) {
                0 => return,
                length => self.cursor.take(length),
            };
        }
    }

    /// The word at the cursor, without moving it.
    pub fn peek_word(&mut self) -> &'a str {
        self.skip();
        word(self.rest())
    }

    /// Skips `keyword` if it is the word at the cursor. Returns whether it was.
    pub fn eat_word(&mut self, keyword: &str) -> bool {
        let is_it = self.peek_word() == keyword;
        if is_it {
            self.cursor.take(keyword.len());
        }
        is_it
    }

    /// Skips `sign` if it is at the cursor. Returns whether it was.
    pub fn eat(&mut self, sign: &str) -> bool {
        self.skip();
        self.cursor.eat(sign)
    }

    pub fn expect(&mut self, sign: &str, help: &str) -> ScanResult<()> {
        match self.eat(sign) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{sign}`"), help)),
        }
    }

    /// Reads the name at the cursor.
    pub fn name(&mut self, what: &str, help: &str) -> ScanResult<Piece<'a>> {
        let name = self.peek_word();
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(self.unexpected(what, help));
        }
        Ok(self.cursor.take(name.len()))
    }

    /// The text from the cursor up to the first of `stops` outside brackets, strings and comments, without white space
    /// around it. Leaves the cursor at the stop. `open` is the place of the enclosing bracket.
    pub fn until(&mut self, stops: &[char], open: Span) -> ScanResult<Piece<'a>> {
        let start = self.position();
        let mut closing: Vec<char> = Vec::new();
        while let Some(c) = self.rest().chars().next() {
            let length = comment(self.rest());
            if length > 0 {
                self.cursor.take(length);
                continue;
            }
            match c {
                _ if closing.is_empty() && stops.contains(&c) => return Ok(self.cursor.since(start).trimmed()),
                '(' => closing.push(')'),
                '[' => closing.push(']'),
                '{' => closing.push('}'),
                ')' | ']' | '}' if closing.last() != Some(&c) => break,
                ')' | ']' | '}' => {
                    closing.pop();
                }
                '"' => {
                    let length = self.rest()[1..].find('"').map_or(0, |found| found + 1);
                    self.cursor.take(length);
                }
                _ => {}
            }
            self.cursor.bump();
        }
        let wanted = closing.last().map_or(stops, std::slice::from_ref);
        let shown: Vec<String> = wanted.iter().map(|stop| format!("`{stop}`")).collect();
        let error = self.unexpected(&shown.join(" or "), "a part of the process ends too early here");
        Err(match self.rest().is_empty() {
            true => error.with_secondary(open, "it begins here"),
            false => error,
        })
    }

    /// Skips one word, one bracket with its content, one string, or one other character.
    pub fn step(&mut self) -> ScanResult<()> {
        self.skip();
        let length = word(self.rest()).len();
        if length > 0 {
            self.cursor.take(length);
            return Ok(());
        }
        let start = self.cursor.position();
        let Some(c) = self.cursor.bump() else {
            return Ok(());
        };
        let close = match c {
            '(' => ')',
            '[' => ']',
            '{' => '}',
            '"' => {
                self.cursor.take_through("\"");
                return Ok(());
            }
            _ => return Ok(()),
        };
        self.until(&[close], Span::new(start, self.cursor.position()))?;
        self.cursor.bump();
        Ok(())
    }

    /// The error that `wanted` was expected at the cursor.
    pub fn unexpected(&mut self, wanted: &str, help: &str) -> Diagnostic {
        self.skip();
        let next = match word(self.rest()) {
            "" => self.rest().chars().next().map(String::from),
            word => Some(word.chars().take(60).collect()),
        };
        let length = next.as_ref().map_or(0, String::len);
        let found = next.map_or("the end of the file".to_owned(), |next| format!("`{next}`"));
        Diagnostic::error(format!("expected {wanted}, found {found}"), self.cursor.span(length))
            .with_help(help.to_owned())
    }
}

/// The length of the comment at the start of `text`; 0 if there is no comment.
fn comment(text: &str) -> usize {
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    match text.starts_with("/*") {
        true => text[2..].find("*/").map_or(text.len(), |end| end + 4),
        false => 0,
    }
}

/// The letters and digits at the start of `text`.
fn word(text: &str) -> &str {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '#');
    &text[..text.find(|c| !is_part(c)).unwrap_or(text.len())]
}
