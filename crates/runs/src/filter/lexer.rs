//! Turns the text of a condition into tokens.

use tamper_text::{Cursor, Diagnostic, Span};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// A field, a name of an enumeration, or `and`, `or`, `not`, `in`, `has`.
    Word(String),
    Number(u64),
    /// Text in quotes.
    Text(String),
    Sign(&'static str),
    End,
}

#[derive(Clone, Debug)]
pub(super) struct FilterToken {
    pub kind: TokenKind,
    pub span: Span,
}

impl TokenKind {
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Word(word) => format!("`{word}`"),
            Self::Number(number) => format!("`{number}`"),
            Self::Text(text) => format!("'{text}'"),
            Self::Sign(sign) => format!("`{sign}`"),
            Self::End => "the end".to_owned(),
        }
    }
}

/// Longer signs precede their prefixes.
const SIGNS: [&str; 13] = ["&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "~", "(", ")", ","];

/// The tokens of `text`, with `End` as the last one.
pub(super) fn lex(text: &str) -> Result<Vec<FilterToken>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut cursor = Cursor::new(text);
    loop {
        cursor.take_while(char::is_whitespace);
        let start = cursor.position();
        let kind = match cursor.peek() {
            None => TokenKind::End,
            Some(quote @ ('\'' | '"')) => quoted(&mut cursor, quote)?,
            Some(first) if first.is_ascii_digit() => number(&mut cursor)?,
            Some(first) if first.is_alphabetic() || first == '_' => word(&mut cursor)?,
            Some(first) => match cursor.sign(&SIGNS) {
                Some(sign) => {
                    cursor.take(sign.len());
                    TokenKind::Sign(sign)
                }
                None => return Err(bad_character(first, start)),
            },
        };
        let is_last = kind == TokenKind::End;
        let span = cursor.since(start).span;
        tokens.push(FilterToken { kind, span });
        if is_last {
            return Ok(tokens);
        }
    }
}

fn quoted(cursor: &mut Cursor<'_>, quote: char) -> Result<TokenKind, Diagnostic> {
    let all = cursor.span(cursor.rest().len());
    cursor.bump();
    match cursor.take_through(quote.encode_utf8(&mut [0; 4])) {
        Some(text) => Ok(TokenKind::Text(text.text.to_owned())),
        None => Err(Diagnostic::error("this text never ends", all).with_help(format!("close it with {quote}"))),
    }
}

fn number(cursor: &mut Cursor<'_>) -> Result<TokenKind, Diagnostic> {
    let digits = cursor.take_while(|c| c.is_ascii_digit());
    let too_large = |_| Diagnostic::error("this number is too large", digits.span).with_help("numbers have 64 bits");
    digits.text.parse().map(TokenKind::Number).map_err(too_large)
}

/// A word of letters, digits, `_`, `.`, and inner `-`.
fn word(cursor: &mut Cursor<'_>) -> Result<TokenKind, Diagnostic> {
    let edge = cursor.count_while(|c| !c.is_whitespace() && !matches!(c, ')' | ',' | '&' | '|'));
    let edge = (&cursor.rest()[..edge], cursor.span(edge));
    let length = cursor.count_while(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'));
    let length = cursor.rest()[..length].trim_end_matches('-').len();
    let text = cursor.take(length).text.to_owned();
    if cursor.is_at("->") || cursor.is_at("#") {
        let (name, place) = edge;
        let error = Diagnostic::error("the name of an edge stands in quotes", place);
        return Err(error.with_help(format!("write '{name}'")));
    }
    Ok(TokenKind::Word(text))
}

fn bad_character(character: char, at: usize) -> Diagnostic {
    let help = match character {
        '=' => "compare with `==`",
        '&' => "write `&&` or `and`",
        '|' => "write `||` or `or`",
        '≤' => "write `<=`",
        '≥' => "write `>=`",
        '≠' => "write `!=`",
        _ => "put texts in quotes",
    };
    let span = Span::new(at, at + character.len_utf8());
    Diagnostic::error(format!("{character:?} means nothing here"), span).with_help(help)
}
