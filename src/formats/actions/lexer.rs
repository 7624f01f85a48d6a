//! The words and signs of an action system, and what its comments say about inputs.

use crate::text::{Diagnostic, Span};

/// A sign or a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A name, with or without quotes.
    Name(String),
    /// A name that begins with a capital letter: a parameter.
    Parameter(String),
    Number(i64),
    /// One of [`SIGNS`].
    Sign(&'static str),
    End,
}

/// The signs, longer ones first.
const SIGNS: [&str; 28] = [
    "#=<", "#>=", "#\\=", "#/\\", "#\\/", "#<", "#>", "#=", "#\\", "..", "::", ":=", ":-", "=>", "[]", "[", "]", "(",
    ")", "{", "}", ",", ";", ":", ".", "+", "-", "*",
];

/// All tokens with their places, the last of which is the end, and the names after `% inputs:`.
#[derive(Default)]
pub(super) struct Tokens {
    pub tokens: Vec<(Token, Span)>,
    pub inputs: Vec<(String, Span)>,
    pub diagnostics: Vec<Diagnostic>,
}

/// The tokens of `text`.
pub(super) fn tokens(text: &str) -> Tokens {
    let mut found = Tokens::default();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if let Some(comment) = rest.strip_prefix('%') {
            let length = comment.find('\n').unwrap_or(comment.len());
            annotation(&mut found, &comment[..length], at + 1);
            at += 1 + length;
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or_else(
                || {
                    let error = Diagnostic::error("this comment does not end", Span::new(at, at + 2));
                    found.diagnostics.push(error.with_help("close it with `*/`"));
                    rest.len()
                },
                |end| end + 2,
            );
        } else {
            let blank = rest.chars().next().filter(|first| first.is_whitespace());
            at += blank.map_or_else(|| token(&mut found, rest, at), char::len_utf8);
        }
    }
    found.tokens.push((Token::End, Span::new(text.len(), text.len())));
    found
}

/// Notes the token at the start of `rest`, and returns its length.
fn token(found: &mut Tokens, rest: &str, at: usize) -> usize {
    let first = rest.chars().next().unwrap_or(' ');
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let word = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let (token, length) = if first.is_ascii_digit() {
        match rest[..word].parse::<i64>() {
            Ok(number) if number <= i64::from(i32::MAX) => (Token::Number(number), word),
            _ => {
                return refuse(
                    found,
                    (at, word),
                    format!("`{}` is no number that is read", &rest[..word]),
                );
            }
        }
    } else if first.is_ascii_uppercase() || first == '_' {
        (Token::Parameter(rest[..word].to_owned()), word)
    } else if first.is_ascii_lowercase() {
        (Token::Name(rest[..word].to_owned()), word)
    } else if let Some(close) = closing(first) {
        let inside = &rest[first.len_utf8()..];
        match inside
            .find(close)
            .filter(|end| !inside[..*end].contains('\n') && *end > 0)
        {
            Some(end) => {
                let name = inside[..end].to_owned();
                let end = inside[end..].chars().next().map_or(0, char::len_utf8) + end;
                (Token::Name(name), first.len_utf8() + end)
            }
            None => return refuse(found, (at, first.len_utf8()), "this name does not end".to_owned()),
        }
    } else {
        match SIGNS.iter().find(|sign| rest.starts_with(*sign)) {
            Some(sign) => (Token::Sign(sign), sign.len()),
            None => {
                return refuse(
                    found,
                    (at, first.len_utf8()),
                    format!("`{first}` has no place in an action system"),
                );
            }
        }
    };
    found.tokens.push((token, Span::new(at, at + length)));
    length
}

/// What ends a quoted name; papers print both quotes curled.
fn closing(open: char) -> Option<&'static [char]> {
    match open {
        '\'' => Some(&['\'']),
        '‘' | '’' => Some(&['’']),
        _ => None,
    }
}

fn refuse(found: &mut Tokens, (at, length): (usize, usize), message: String) -> usize {
    let error = Diagnostic::error(message, Span::new(at, at + length));
    found
        .diagnostics
        .push(error.with_help("names are letters, digits and `_`, or in quotes; numbers go to 2147483647"));
    length
}

/// `inputs: 'Close', 'Open'` in a comment.
fn annotation(found: &mut Tokens, comment: &str, start: usize) {
    let Some(list) = comment.trim_start().strip_prefix("inputs:") else {
        return;
    };
    let mut at = start + comment.len() - list.len();
    for part in list.split_inclusive(',') {
        let name = part.trim_end_matches(',').trim();
        let first = at + part.find(name).unwrap_or(0);
        let span = Span::new(first, first + name.len());
        let bare = name.trim_matches(|c| "'‘’".contains(c));
        if !bare.is_empty() {
            found.inputs.push((bare.to_owned(), span));
        }
        at += part.len();
    }
}
