//! The words and signs of an SMV file, and what its comments say about inputs and outputs.

use std::collections::BTreeSet;

use tamper_text::{Cursor, Diagnostic, Piece, Span};

/// A sign or a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    Name(&'a str),
    Number(i64),
    /// One of [`SIGNS`].
    Sign(&'static str),
    End,
}

/// The signs, longer ones first.
const SIGNS: [&str; 33] = [
    "<->", "->", ":=", "..", "!=", "<=", ">=", "<<", ">>", "::", "=", "<", ">", "!", "&", "|", "+", "-", "*", "/", "(",
    ")", "{", "}", "[", "]", ",", ";", ":", "?", ".", "@", "~",
];

/// All tokens with their places, the last of which is the end.
#[derive(Default)]
pub(super) struct Tokens<'a> {
    pub tokens: Vec<(Token<'a>, Span)>,
    pub inputs: Vec<Piece<'a>>,
    pub outputs: Vec<Piece<'a>>,
    /// Whether there is a line `-- outputs:`.
    pub says_outputs: bool,
    pub diagnostics: Vec<Diagnostic>,
}

/// The tokens of `text`.
pub(super) fn tokens(text: &str) -> Tokens<'_> {
    let mut found = Tokens::default();
    let mut cursor = Cursor::new(text);
    while let Some(first) = cursor.peek() {
        let opening = cursor.span(3);
        if first.is_whitespace() {
            cursor.bump();
        } else if cursor.eat("--") {
            annotation(&mut found, cursor.take_until("\n"));
        } else if cursor.eat("/--") {
            if cursor.take_through("--/").is_none() {
                let error = Diagnostic::error("this comment does not end", opening);
                found.diagnostics.push(error.with_help("close it with `--/`"));
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
    split_names(&mut found);
    found
}

/// The token at the cursor, which begins with `first` and is gone over.
fn token<'a>(cursor: &mut Cursor<'a>, first: char) -> Result<(Token<'a>, Span), Diagnostic> {
    if first.is_ascii_alphabetic() || first == '_' {
        let name = cursor.take(name_length(cursor.rest()));
        return Ok((Token::Name(name.text), name.span));
    }
    if first.is_ascii_digit() {
        let number = cursor.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        return match number.text.parse::<i64>() {
            Ok(value) if value <= i64::from(i32::MAX) => Ok((Token::Number(value), number.span)),
            _ => {
                let error = Diagnostic::error(format!("`{}` is no number that is read", number.text), number.span);
                Err(error.with_help("decimal numbers up to 2147483647 are; words (`0d8_5`) are not"))
            }
        };
    }
    match cursor.sign(&SIGNS) {
        Some(sign) => Ok((Token::Sign(sign), cursor.take(sign.len()).span)),
        None => {
            let place = cursor.take(first.len_utf8()).span;
            let error = Diagnostic::error(format!("`{first}` has no place in a model"), place);
            Err(error.with_help("remove it"))
        }
    }
}

/// The length of the name that `rest` begins with.
fn name_length(rest: &str) -> usize {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_$#-".contains(c);
    let mut length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    // `a->b` is an implication, and `a--b` ends in a comment.
    if rest[length..].starts_with('>') && rest[..length].ends_with('-') {
        length -= 1;
    }
    rest[..length].find("--").unwrap_or(length)
}

/// `inputs: a, b` and `outputs: o, p` in a comment.
fn annotation<'a>(found: &mut Tokens<'a>, comment: Piece<'a>) {
    let mut cursor = Cursor::of(comment);
    cursor.take_while(char::is_whitespace);
    let list = if cursor.eat("inputs:") {
        &mut found.inputs
    } else if cursor.eat("outputs:") {
        found.says_outputs = true;
        &mut found.outputs
    } else {
        return;
    };
    let names = cursor.take(cursor.rest().len()).split(',').map(Piece::trimmed);
    list.extend(names.filter(|name| !name.text.is_empty()));
}

/// NuSMV takes `n-1` for one name. Where no such name is declared it is read as a difference, with a warning.
fn split_names(found: &mut Tokens<'_>) {
    let is_declared = |pair: &[(Token<'_>, Span)]| matches!(pair[1].0, Token::Sign(":" | ":="));
    let mut declared: BTreeSet<&str> = BTreeSet::new();
    for pair in found.tokens.windows(2) {
        if let (Token::Name(name), true) = (pair[0].0, is_declared(pair)) {
            declared.insert(name);
        }
    }
    let mut depth = 0;
    let mut in_type = false;
    for pair in found.tokens.windows(2) {
        match pair[0].0 {
            Token::Sign(":") => in_type = pair[1].0 == Token::Sign("{"),
            Token::Sign("{") => depth += 1,
            Token::Sign("}") => (depth, in_type) = (depth - 1, false),
            Token::Name(name) if in_type && depth > 0 => drop(declared.insert(name)),
            _ => {}
        }
    }
    let mut split = Vec::with_capacity(found.tokens.len());
    for (token, span) in std::mem::take(&mut found.tokens) {
        let Token::Name(name) = token else {
            split.push((token, span));
            continue;
        };
        if declared.contains(name) || !name.contains('-') {
            split.push((token, span));
            continue;
        }
        let warning = Diagnostic::warning(format!("`{name}` is read as a difference"), span);
        let help = "NuSMV takes it for one name, which is not declared: put blanks around `-`";
        found.diagnostics.push(warning.with_help(help));
        let mut at = span.start as usize;
        for (number, part) in name.split('-').enumerate() {
            if number > 0 {
                split.push((Token::Sign("-"), Span::new(at, at + 1)));
                at += 1;
            }
            let span = Span::new(at, at + part.len());
            at += part.len();
            match part.parse::<i64>() {
                Ok(value) if value <= i64::from(i32::MAX) => split.push((Token::Number(value), span)),
                _ if part.is_empty() => {}
                _ => split.push((Token::Name(part), span)),
            }
        }
    }
    found.tokens = split;
}
