//! The words and signs of an action system, and what its comments say about inputs.

use tamper_text::{Cursor, Diagnostic, Piece, Span};

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
    let mut cursor = Cursor::new(text);
    while let Some(first) = cursor.peek() {
        let opening = cursor.span(2);
        if first.is_whitespace() {
            cursor.bump();
        } else if cursor.eat("%") {
            annotation(&mut found, cursor.take_until("\n"));
        } else if cursor.is_at("/*") {
            if cursor.take_through("*/").is_none() {
                let error = Diagnostic::error("this comment does not end", opening);
                found.diagnostics.push(error.with_help("close it with `*/`"));
                break;
            }
        } else {
            match token(&mut cursor, first) {
                Ok(token) => found.tokens.push(token),
                Err(error) => found.diagnostics.push(error),
            }
        }
    }
    found.tokens.push((Token::End, Span::new(text.len(), text.len())));
    found
}

/// The token at the cursor, which begins with `first` and is gone over.
fn token(cursor: &mut Cursor<'_>, first: char) -> Result<(Token, Span), Diagnostic> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let start = cursor.position();
    if first.is_ascii_digit() {
        let number = cursor.take_while(is_part);
        return match number.text.parse::<i64>() {
            Ok(value) if value <= i64::from(i32::MAX) => Ok((Token::Number(value), number.span)),
            _ => Err(refused(
                number.span,
                format!("`{}` is no number that is read", number.text),
            )),
        };
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let word = cursor.take_while(is_part);
        let text = word.text.to_owned();
        return match first.is_ascii_lowercase() {
            true => Ok((Token::Name(text), word.span)),
            false => Ok((Token::Parameter(text), word.span)),
        };
    }
    if let Some(close) = closing(first) {
        let opening = cursor.take(first.len_utf8()).span;
        let inside = cursor.count_while(|c| c != close && c != '\n');
        let is_closed = inside > 0 && cursor.rest()[inside..].starts_with(close);
        if !is_closed {
            return Err(refused(opening, "this name does not end".to_owned()));
        }
        let name = cursor.take(inside).text.to_owned();
        cursor.bump();
        return Ok((Token::Name(name), cursor.since(start).span));
    }
    match cursor.sign(&SIGNS) {
        Some(sign) => Ok((Token::Sign(sign), cursor.take(sign.len()).span)),
        None => {
            let place = cursor.take(first.len_utf8()).span;
            Err(refused(place, format!("`{first}` has no place in an action system")))
        }
    }
}

/// What ends a quoted name; papers print both quotes curled.
fn closing(open: char) -> Option<char> {
    match open {
        '\'' => Some('\''),
        '‘' | '’' => Some('’'),
        _ => None,
    }
}

fn refused(place: Span, message: String) -> Diagnostic {
    Diagnostic::error(message, place)
        .with_help("names are letters, digits and `_`, or in quotes; numbers go to 2147483647")
}

/// `inputs: 'Close', 'Open'` in a comment.
fn annotation(found: &mut Tokens, comment: Piece<'_>) {
    let mut cursor = Cursor::of(comment.trimmed());
    if !cursor.eat("inputs:") {
        return;
    }
    for name in cursor.take(cursor.rest().len()).split(',').map(Piece::trimmed) {
        let bare = name.text.trim_matches(|c| "'‘’".contains(c));
        if !bare.is_empty() {
            found.inputs.push((bare.to_owned(), name.span));
        }
    }
}
