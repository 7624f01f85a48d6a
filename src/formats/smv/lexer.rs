//! The words and signs of an SMV file, and what its comments say about inputs and outputs.

use std::collections::BTreeSet;

use crate::text::{Diagnostic, Span};

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

/// A name in a comment `-- inputs:` or `-- outputs:`.
#[derive(Clone, Debug)]
pub(super) struct Named<'a> {
    pub name: &'a str,
    pub span: Span,
}

/// All tokens with their places, the last of which is the end.
#[derive(Default)]
pub(super) struct Tokens<'a> {
    pub tokens: Vec<(Token<'a>, Span)>,
    pub inputs: Vec<Named<'a>>,
    pub outputs: Vec<Named<'a>>,
    /// Whether there is a line `-- outputs:`.
    pub says_outputs: bool,
    pub diagnostics: Vec<Diagnostic>,
}

/// The tokens of `text`.
pub(super) fn tokens(text: &str) -> Tokens<'_> {
    let mut found = Tokens::default();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if let Some(comment) = rest.strip_prefix("--") {
            let length = comment.find('\n').unwrap_or(comment.len());
            annotation(&mut found, &comment[..length], at + 2);
            at += 2 + length;
            continue;
        }
        if rest.starts_with("/--") {
            match rest.find("--/") {
                Some(end) => at += end + 3,
                None => {
                    let error = Diagnostic::error("this comment does not end", Span::new(at, at + 3));
                    found.diagnostics.push(error.with_help("close it with `--/`"));
                    break;
                }
            }
            continue;
        }
        let (token, length) = match token(rest) {
            Ok(Some(token)) => token,
            Ok(None) => {
                at += rest.chars().next().map_or(1, char::len_utf8);
                continue;
            }
            Err((length, error)) => {
                let span = Span::new(at, at + length);
                found.diagnostics.push(Diagnostic {
                    span: Some(span),
                    ..error
                });
                at += length;
                continue;
            }
        };
        found.tokens.push((token, Span::new(at, at + length)));
        at += length;
    }
    found.tokens.push((Token::End, Span::new(text.len(), text.len())));
    split_names(&mut found);
    found
}

/// The token at the start of `rest` and its length; none if that is a blank.
fn token(rest: &str) -> Result<Option<(Token<'_>, usize)>, (usize, Diagnostic)> {
    let first = rest.chars().next().unwrap_or(' ');
    if first.is_whitespace() {
        return Ok(None);
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_$#-".contains(c);
        let mut length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        // `a->b` is an implication, and `a--b` ends in a comment.
        if rest[length..].starts_with('>') && rest[..length].ends_with('-') {
            length -= 1;
        }
        if let Some(comment) = rest[..length].find("--") {
            length = comment;
        }
        return Ok(Some((Token::Name(&rest[..length]), length)));
    }
    if first.is_ascii_digit() {
        let length = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        return match rest[..length].parse::<i64>() {
            Ok(number) if number <= i64::from(i32::MAX) => Ok(Some((Token::Number(number), length))),
            _ => {
                let error = Diagnostic::error(format!("`{}` is no number that is read", &rest[..length]), None);
                Err((
                    length,
                    error.with_help("decimal numbers up to 2147483647 are; words (`0d8_5`) are not"),
                ))
            }
        };
    }
    match SIGNS.iter().find(|sign| rest.starts_with(*sign)) {
        Some(sign) => Ok(Some((Token::Sign(sign), sign.len()))),
        None => {
            let error = Diagnostic::error(format!("`{first}` has no place in a model"), None);
            Err((first.len_utf8(), error.with_help("remove it")))
        }
    }
}

/// `inputs: a, b` and `outputs: o, p` in a comment.
fn annotation<'a>(found: &mut Tokens<'a>, comment: &'a str, start: usize) {
    let word = comment.trim_start();
    let list = if let Some(list) = word.strip_prefix("inputs:") {
        (&mut found.inputs, list)
    } else if let Some(list) = word.strip_prefix("outputs:") {
        found.says_outputs = true;
        (&mut found.outputs, list)
    } else {
        return;
    };
    let mut at = start + comment.len() - list.1.len();
    for part in list.1.split_inclusive(',') {
        let name = part.trim_end_matches(',').trim();
        if !name.is_empty() {
            let first = at + part.find(name).unwrap_or(0);
            let span = Span::new(first, first + name.len());
            list.0.push(Named { name, span });
        }
        at += part.len();
    }
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
