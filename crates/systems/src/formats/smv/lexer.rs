//! The words and signs of an SMV file, and what its comments say about inputs and outputs.

use std::collections::BTreeSet;

use crate::formats::tokens::{Language, Placed, Token, Tokens, names_after, number_of};
use tamper_text::{Diagnostic, Piece, Span};

static SMV: Language = Language {
    signs: &[
        "<->", "->", ":=", "..", "!=", "<=", ">=", "<<", ">>", "::", "=", "<", ">", "!", "&", "|", "+", "-", "*", "/",
        "(", ")", "{", "}", "[", "]", ",", ";", ":", "?", ".", "@", "~",
    ],
    line_comment: "--",
    comment: ["/--", "--/"],
    name: |cursor| {
        let is_name = cursor.peek().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        let name = cursor.take(if is_name { name_length(cursor.rest()) } else { 0 });
        Ok(is_name.then_some((Token::Name(name.text), name.span)))
    },
    numbers: "decimal numbers up to 2147483647 are; words (`0d8_5`) are not",
    foreign: ["a model", "remove it"],
    divide: ["use definitions", "divide it by variables"],
};

/// The names that comments list, as `inputs: a, b` and `outputs: o, p`.
#[derive(Default)]
pub(super) struct Notes<'a> {
    pub inputs: Vec<Piece<'a>>,
    pub outputs: Vec<Piece<'a>>,
    /// Whether there is a line `-- outputs:`.
    pub says_outputs: bool,
}

/// The tokens of `text`, and what its comments say.
pub(super) fn tokens(text: &str) -> (Tokens<'_>, Notes<'_>) {
    let mut notes = Notes::default();
    let mut tokens = Tokens::new(text, &SMV, |comment| {
        notes
            .inputs
            .extend(names_after(comment, "inputs:").into_iter().flatten());
        if let Some(names) = names_after(comment, "outputs:") {
            notes.says_outputs = true;
            notes.outputs.extend(names);
        }
    });
    split_names(&mut tokens);
    (tokens, notes)
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

/// NuSMV takes `n-1` for one name. Where no such name is declared it is read as a difference, with a warning.
fn split_names(found: &mut Tokens<'_>) {
    let is_declared = |pair: &[Placed<'_>]| matches!(pair[1].0, Token::Sign(":" | ":="));
    let mut declared: BTreeSet<&str> = BTreeSet::new();
    for pair in found.all.windows(2) {
        if let (Token::Name(name), true) = (pair[0].0, is_declared(pair)) {
            declared.insert(name);
        }
    }
    let mut depth = 0;
    let mut in_type = false;
    for pair in found.all.windows(2) {
        match pair[0].0 {
            Token::Sign(":") => in_type = pair[1].0 == Token::Sign("{"),
            Token::Sign("{") => depth += 1,
            Token::Sign("}") => (depth, in_type) = (depth - 1, false),
            Token::Name(name) if in_type && depth > 0 => drop(declared.insert(name)),
            _ => {}
        }
    }
    let mut split = Vec::with_capacity(found.all.len());
    for (token, span) in std::mem::take(&mut found.all) {
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
            match number_of(part) {
                Some(value) => split.push((Token::Number(value), span)),
                None if part.is_empty() => {}
                None => split.push((Token::Name(part), span)),
            }
        }
    }
    found.all = split;
}
