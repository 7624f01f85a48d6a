//! Splits labels and declarations into tokens. Comments vanish, except `// tamper:…` directives, which are kept aside.

use crate::text::Text;
use tamper_text::{Cursor, Diagnostic, Span};

/// A token and its place in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// An identifier or keyword.
    Word(String),
    Number(i64),
    Real,
    Text,
    /// An operator or bracket.
    Sign(&'static str),
    End,
}

impl TokenKind {
    /// The token in error messages.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Word(word) => format!("`{}`", shorten(word)),
            Self::Number(number) => format!("`{number}`"),
            Self::Real => "a floating-point number".to_owned(),
            Self::Text => "a string".to_owned(),
            Self::Sign(sign) => format!("`{sign}`"),
            Self::End => "the end of the text".to_owned(),
        }
    }
}

impl TokenKind {
    /// The token in a file's spelling; empty for texts and floating-point numbers.
    pub(crate) fn written(&self) -> String {
        match self {
            Self::Word(word) => word.clone(),
            Self::Number(number) => number.to_string(),
            Self::Sign(sign) => (*sign).to_owned(),
            Self::Real | Self::Text | Self::End => String::new(),
        }
    }
}

/// `word`, cut if it is too long for a message.
pub(crate) fn shorten(word: &str) -> String {
    match word.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &word[..at]),
        None => word.to_owned(),
    }
}

/// A comment `// tamper:TEXT`.
#[derive(Clone, Debug)]
pub(crate) struct Directive {
    /// The text after the colon.
    pub text: Text,
    /// The whole comment.
    pub span: Span,
}

/// The result of lexing a text.
#[derive(Default, Debug)]
pub(crate) struct Lexed {
    /// The tokens, ending in one `End`.
    pub tokens: Vec<Token>,
    /// The `// tamper:` comments.
    pub directives: Vec<Directive>,
    /// Characters that start no token; they are left out of `tokens`.
    pub errors: Vec<Diagnostic>,
}

/// Longest first, so that the first match is the right one.
const SIGNS: [&str; 48] = [
    "<<=", ">>=", "&&", "||", "==", "!=", "<=", ">=", ":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--",
    "<<", ">>", "<?", ">?", "->", "**", "+", "-", "*", "/", "%", "<", ">", "=", "!", "?", ":", ";", ",", "(", ")", "[",
    "]", "{", "}", "&", "|", "^", ".",
];

/// The tokens of `text`.
pub(crate) fn lex(text: &Text) -> Lexed {
    let mut lexer = Lexer {
        text,
        cursor: Cursor::new(&text.decoded),
        lexed: Lexed::default(),
    };
    while let Some(first) = lexer.cursor.peek() {
        lexer.step(first);
    }
    lexer.push(TokenKind::End, 0);
    lexer.lexed
}

struct Lexer<'a> {
    text: &'a Text,
    cursor: Cursor<'a>,
    lexed: Lexed,
}

impl Lexer<'_> {
    fn span(&self, length: usize) -> Span {
        let at = self.cursor.position();
        self.text.span(at, at + length)
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let span = self.span(length);
        self.lexed.tokens.push(Token { kind, span });
        self.cursor.take(length);
    }

    fn step(&mut self, first: char) {
        match first {
            c if c.is_whitespace() => drop(self.cursor.take_while(char::is_whitespace)),
            c if c.is_ascii_alphabetic() || c == '_' => {
                let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#');
                let length = self.cursor.count_while(is_part);
                self.push(TokenKind::Word(self.cursor.rest()[..length].to_owned()), length);
            }
            c if c.is_ascii_digit() => self.number(),
            '"' => self.string(),
            '\\' if self.is_continued() => drop(self.cursor.take_through("\n")),
            '\'' => self.push(TokenKind::Sign("'"), 1),
            _ if self.cursor.is_at("//") => self.line_comment(),
            _ if self.cursor.is_at("/*") => self.block_comment(),
            _ => match self.cursor.sign(&SIGNS) {
                Some(sign) => self.push(TokenKind::Sign(sign), sign.len()),
                None => self.bad_character(first),
            },
        }
    }

    /// Whether a `\` ends its line: UPPAAL ignores it there.
    fn is_continued(&self) -> bool {
        let line = self.cursor.rest().split_once('\n').map(|(line, _)| line);
        line.is_some_and(|line| line[1..].trim_end_matches([' ', '\t', '\r']).is_empty())
    }

    fn number(&mut self) {
        let rest = self.cursor.rest();
        let digits = |from: usize| {
            let tail = &rest[from..];
            from + tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len())
        };
        let whole = digits(0);
        let mut end = whole;
        if rest[end..].starts_with('.') && rest[end + 1..].starts_with(|c: char| c.is_ascii_digit()) {
            end = digits(end + 1);
        }
        if let Some(power) = rest[end..].strip_prefix(['e', 'E']) {
            let power = power.strip_prefix(['+', '-']).unwrap_or(power);
            if power.starts_with(|c: char| c.is_ascii_digit()) {
                end = digits(rest.len() - power.len());
            }
        }
        if end > whole {
            return self.push(TokenKind::Real, end);
        }
        match rest[..whole].parse::<i64>() {
            Ok(number) if number <= self.largest() => self.push(TokenKind::Number(number), whole),
            _ => {
                let message = format!("the number {} does not fit in 32 bits", shorten(&rest[..whole]));
                let help = "constants go up to 2147483647; choose a larger time unit";
                let error = Diagnostic::error(message, self.span(whole)).with_help(help);
                self.lexed.errors.push(error);
                self.push(TokenKind::Number(0), whole);
            }
        }
    }

    /// The largest number at the cursor: one more if a sign makes it negative.
    fn largest(&self) -> i64 {
        let before = |n: usize| self.lexed.tokens.iter().rev().nth(n).map(|token| &token.kind);
        let is_operand = |kind: &TokenKind| match kind {
            TokenKind::Sign(sign) => [")", "]", "++", "--"].contains(sign),
            _ => true,
        };
        let negated = before(0) == Some(&TokenKind::Sign("-")) && !before(1).is_some_and(is_operand);
        i64::from(i32::MAX) + i64::from(negated)
    }

    fn string(&mut self) {
        match self.cursor.rest()[1..].find('"') {
            Some(close) => self.push(TokenKind::Text, close + 2),
            None => self.unclosed("string", "close it with `\"`"),
        }
    }

    fn line_comment(&mut self) {
        let place = self.span(self.cursor.count_until("\n"));
        self.cursor.take(2);
        let mut inside = Cursor::of(self.cursor.take_until("\n").trimmed());
        if inside.eat("tamper:") {
            let text = inside.take(inside.rest().len());
            self.lexed.directives.push(Directive {
                text: self.text.slice(text.span.range()),
                span: place,
            });
        }
    }

    fn block_comment(&mut self) {
        let mut inside = self.cursor;
        inside.take(2);
        match inside.take_through("*/") {
            Some(_) => self.cursor = inside,
            None => self.unclosed("comment", "close it with `*/`"),
        }
    }

    fn unclosed(&mut self, what: &str, help: &str) {
        let error = Diagnostic::error(format!("this {what} never ends"), self.span(1)).with_help(help);
        self.lexed.errors.push(error);
        self.cursor.take(self.cursor.rest().len());
    }

    fn bad_character(&mut self, character: char) {
        let message = format!("the character {} means nothing here", quoted(character));
        let help = match character {
            '≤' => "write `<=`",
            '≥' => "write `>=`",
            '≠' => "write `!=`",
            '∧' => "write `&&`",
            '∨' => "write `||`",
            '¬' => "write `!`",
            _ => "remove it; names consist of ASCII letters, digits and `_`",
        };
        let error = Diagnostic::error(message, self.span(character.len_utf8())).with_help(help);
        self.lexed.errors.push(error);
        self.cursor.bump();
    }
}

/// A character between quotes, escaped if it is not visible.
fn quoted(character: char) -> String {
    match character {
        '\\' | '\'' => format!("'{character}'"),
        _ => format!("{character:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expected: &str) {
        let lexed = lex(&Text::standing(input, 0));
        let shown: Vec<_> = lexed
            .tokens
            .iter()
            .map(|token| token.kind.shown().replace('`', ""))
            .collect();
        let errors: Vec<_> = lexed.errors.iter().map(|error| error.message.clone()).collect();
        assert_eq!(
            format!("{} {}", shown.join(" "), errors.join("; ")).trim_end(),
            expected,
            "{input}"
        );
    }

    #[test]
    fn tokens_are_the_longest_that_fit() {
        check("x<=5", "x <= 5 the end of the text");
        check("x<-5", "x < - 5 the end of the text");
        check("a:=b<<=c", "a := b <<= c the end of the text");
        check("x'==1 // c\n/* d */ y", "x ' == 1 y the end of the text");
        check(
            "1.5 2e3 3..4",
            "a floating-point number a floating-point number 3 . . 4 the end of the text",
        );
        check("x≤5", "x 5 the end of the text the character '≤' means nothing here");
        check(
            "2147483648",
            "0 the end of the text the number 2147483648 does not fit in 32 bits",
        );
        check("a /* b", "a the end of the text this comment never ends");
        check("a \\ \t\nb \\\r\nc", "a b c the end of the text");
        check(
            "a \\ b\\",
            "a b the end of the text the character '\\' means nothing here; the character '\\' means nothing here",
        );
    }

    #[test]
    fn directives_are_kept_aside() {
        let lexed = lex(&Text::standing("clock x; // tamper:alphabet a? b!\n// other", 0));
        assert_eq!(lexed.directives.len(), 1);
        assert_eq!(lexed.directives[0].text.decoded, "alphabet a? b!");
    }
}
