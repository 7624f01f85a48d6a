//! The text of a condition to tokens.

use crate::text::{Diagnostic, Span};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// A field, a name of an enumeration, or `and`, `or`, `not`, `in`, `has`.
    Word(String),
    Number(u64),
    /// In quotes.
    Text(String),
    Sign(&'static str),
    End,
}

#[derive(Clone, Debug)]
pub(super) struct Token {
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

/// Longer ones first.
const SIGNS: [&str; 13] = ["&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "~", "(", ")", ","];

/// The tokens of `text`, with `End` as the last one.
pub(super) fn lex(text: &str) -> Result<Vec<Token>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = match first {
            _ if first.is_whitespace() => {
                at += first.len_utf8();
                continue;
            }
            '\'' | '"' => quoted(rest, first, at)?,
            _ if first.is_ascii_digit() => number(rest, at)?,
            _ if first.is_alphabetic() || first == '_' => word(rest, at)?,
            _ => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => (TokenKind::Sign(sign), sign.len()),
                None => return Err(bad_character(first, at)),
            },
        };
        let span = Span::new(at, at + length);
        tokens.push(Token { kind, span });
        at += length;
    }
    let span = Span::new(at, at);
    tokens.push(Token {
        kind: TokenKind::End,
        span,
    });
    Ok(tokens)
}

fn quoted(rest: &str, quote: char, at: usize) -> Result<(TokenKind, usize), Diagnostic> {
    match rest[1..].find(quote) {
        Some(close) => Ok((TokenKind::Text(rest[1..=close].to_owned()), close + 2)),
        None => Err(
            Diagnostic::error("this text never ends", Span::new(at, at + rest.len()))
                .with_help(format!("close it with {quote}")),
        ),
    }
}

fn number(rest: &str, at: usize) -> Result<(TokenKind, usize), Diagnostic> {
    let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let span = Span::new(at, at + length);
    let number = rest[..length]
        .parse()
        .map_err(|_| Diagnostic::error("this number is too large", span).with_help("numbers have 64 bits"))?;
    Ok((TokenKind::Number(number), length))
}

/// Letters, digits, `_`, `.`, and `-` between them.
fn word(rest: &str, at: usize) -> Result<(TokenKind, usize), Diagnostic> {
    let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '-')));
    let length = end.unwrap_or(rest.len());
    let text = rest[..length].trim_end_matches('-');
    if rest[text.len()..].starts_with("->") || rest[text.len()..].starts_with('#') {
        let name = rest
            .find(|c: char| c.is_whitespace() || matches!(c, ')' | ',' | '&' | '|'))
            .unwrap_or(rest.len());
        let span = Span::new(at, at + name);
        let error = Diagnostic::error("the name of an edge stands in quotes", span);
        return Err(error.with_help(format!("write '{}'", &rest[..name])));
    }
    Ok((TokenKind::Word(text.to_owned()), text.len()))
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
