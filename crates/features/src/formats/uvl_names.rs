//! The names and words of UVL, and how its constraints are spelled: the lexical part of the published grammar.
//!
//! A plain name starts with a letter; a path is names with dots between them; anything else stands in double quotes. All
//! binary connectives associate to the left there, `=>` too.

use std::borrow::Cow;

use crate::{Spelling, Symbol};
use tamper_text::{Diagnostic, Span};

/// Words that are not plain names.
const KEYWORDS: [&str; 25] = [
    "features",
    "constraints",
    "constraint",
    "include",
    "imports",
    "namespace",
    "as",
    "or",
    "alternative",
    "optional",
    "mandatory",
    "cardinality",
    "String",
    "Boolean",
    "Integer",
    "Real",
    "Arithmetic",
    "Type",
    "true",
    "false",
    "sum",
    "avg",
    "len",
    "floor",
    "ceil",
];

/// Types, which may stand before a feature's name.
const TYPES: [&str; 4] = ["String", "Integer", "Real", "Boolean"];

/// The constraints of UVL. There are no constants in them.
pub const CONSTRAINTS: Spelling = Spelling {
    symbols: &[
        ("<=>", Symbol::Iff),
        ("=>", Symbol::Implies),
        ("&", Symbol::And),
        ("|", Symbol::Or),
        ("!", Symbol::Not),
        ("(", Symbol::Open),
        (")", Symbol::Close),
    ],
    words: &[],
    implies_to_the_right: false,
    name_length: |text| text.find(|c| !is_name_char(c) && c != '.').unwrap_or(text.len()),
    is_name: |word| word.split('.').all(is_name),
};

/// Whether `c` can continue a plain name.
pub fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_#§%?\\'äüöß;".contains(c)
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.chars().all(is_name_char) && !KEYWORDS.contains(&word)
}

/// Whether every reader takes the name without quotes.
pub fn is_plain(name: &str) -> bool {
    let is_common = |c: char| c.is_ascii_alphanumeric() || c == '_';
    is_name(name) && name.chars().all(is_common) && !["and", "not"].contains(&name)
}

/// `name` as UVL spells it.
pub fn quoted(name: &str) -> Cow<'_, str> {
    if is_plain(name) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("\"{name}\""))
    }
}

/// The name or the type at the start of a feature's line, whose text is at `place`, and the rest of the line.
pub fn name_of(text: &str, place: Span) -> Result<(&str, &str), Diagnostic> {
    if let Some(quoted) = text.strip_prefix('"') {
        let (name, rest) = quoted
            .split_once('"')
            .ok_or_else(|| Diagnostic::error("this name has no closing quote", place))?;
        if name.contains('.') {
            let error = Diagnostic::error("a name in quotes has no `.` in UVL, which keeps it for paths", place);
            return Err(error.with_help("rename the feature"));
        }
        return Ok((name, rest));
    }
    let end = text.find([' ', '\t', '{']).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let is_type = TYPES.contains(&word) && !rest.trim().is_empty() && !rest.trim().starts_with('{');
    if is_type || (CONSTRAINTS.is_name)(word) {
        return Ok((word, rest));
    }
    let start = place.range().start;
    let message = match KEYWORDS.contains(&word) {
        true => format!("`{word}` is a word of UVL, not a feature"),
        false => format!("`{word}` is no plain name: a letter, then letters, digits and `_`"),
    };
    let error = Diagnostic::error(message, Span::new(start, start + end));
    Err(error.with_help("write it in double quotes if it is the name of a feature"))
}
