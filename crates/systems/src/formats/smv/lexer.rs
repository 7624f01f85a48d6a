//! The words and signs of an SMV file, and the inputs and outputs that its comments name.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::formats::tokens::{Language, SpannedToken, Token, Tokens, WIDEST, WordConstant, names_after, number_of};
use tamper_text::{Diagnostic, Piece, Span};

/// The inputs and outputs that a caller names; `None` leaves it to the comments of the file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmvNames {
    /// The inputs besides the IVARs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Vec<String>>,
    /// The variables and definitions that are seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outputs: Option<Vec<String>>,
}

/// Words that NuSMV reads as operators; they are not supported here.
pub(super) const FOREIGN: [&str; 25] = [
    "count",
    "READ",
    "WRITE",
    "CONSTARRAY",
    "typeof",
    "floor",
    "EX",
    "AX",
    "EF",
    "AF",
    "EG",
    "AG",
    "E",
    "A",
    "F",
    "O",
    "G",
    "H",
    "X",
    "Y",
    "Z",
    "U",
    "S",
    "V",
    "T",
];

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
    word,
    numbers: "decimal numbers up to 2147483647 are, and words as `0ud8_5`, `0sh8_7f` and `0b_101` with at most 31 bits",
    foreign: ["a model", "remove it"],
    divide: ["use definitions", "divide it by variables"],
};

/// The names that comments list, as `inputs: a, b` and `outputs: o, p`, or else the caller. The span is the name's place
/// in the file, if it is in there.
#[derive(Default)]
pub(super) struct Notes<'a> {
    pub inputs: Vec<(&'a str, Option<Span>)>,
    pub outputs: Vec<(&'a str, Option<Span>)>,
    /// Whether there is a line `-- outputs:`.
    pub says_outputs: bool,
}

impl<'a> Notes<'a> {
    /// Replaces the names in comments by those that the caller lists.
    pub fn replaced(&mut self, names: &'a SmvNames) {
        let given = |names: &'a Vec<String>| names.iter().map(|name| (name.as_str(), None)).collect();
        if let Some(inputs) = &names.inputs {
            self.inputs = given(inputs);
        }
        if let Some(outputs) = &names.outputs {
            (self.outputs, self.says_outputs) = (given(outputs), true);
        }
    }
}

/// The tokens of `text`, and the notes in its comments.
pub(super) fn tokens<'a>(text: &'a str) -> (Tokens<'a>, Notes<'a>) {
    let mut notes = Notes::default();
    let mut tokens = Tokens::new(text, &SMV, |comment| {
        let placed = |name: Piece<'a>| (name.text, Some(name.span));
        let inputs = names_after(comment, "inputs:").into_iter().flatten();
        notes.inputs.extend(inputs.map(placed));
        if let Some(names) = names_after(comment, "outputs:") {
            notes.says_outputs = true;
            notes.outputs.extend(names.into_iter().map(placed));
        }
    });
    split_names(&mut tokens);
    (tokens, notes)
}

/// `0ud8_5`: u or s, a base, the number of bits, and the digits.
fn word(text: &str) -> Option<WordConstant> {
    let rest = text.strip_prefix('0')?.to_ascii_lowercase();
    let is_signed = rest.starts_with('s');
    let rest = rest.strip_prefix(['u', 's']).unwrap_or(&rest);
    let (base, bits) = match rest.get(..1)? {
        "b" => (2, Some(1)),
        "o" => (8, Some(3)),
        "d" => (10, None),
        "h" => (16, Some(4)),
        _ => return None,
    };
    let (width, digits) = rest[1..].split_once('_')?;
    let digits = digits.replace('_', "");
    let value = i64::from_str_radix(&digits, base).ok()?;
    let width = match (width, bits) {
        ("", Some(bits)) => bits * u32::try_from(digits.len()).ok()?,
        (width, _) => width.parse().ok()?,
    };
    // Decimal digits exclude the sign; the least signed number is minus half the number of words.
    let n_bits = if is_signed && base == 10 {
        width.saturating_sub(1)
    } else {
        width
    };
    let last = (1_i64 << n_bits.min(WIDEST)) - i64::from(n_bits == width);
    let fits = (1..=WIDEST).contains(&width) && (0..=last).contains(&value) && !digits.starts_with('+');
    fits.then_some(WordConstant {
        value,
        width,
        is_signed,
    })
}

/// The length of the name at the start of `rest`.
fn name_length(rest: &str) -> usize {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_$#-".contains(c);
    let mut length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    // `a->b` is an implication, and `a--b` ends in a comment.
    if rest[length..].starts_with('>') && rest[..length].ends_with('-') {
        length -= 1;
    }
    rest[..length].find("--").unwrap_or(length)
}

/// NuSMV takes `n-1` for one name. If that name is not declared, it is read as a difference, with a warning.
fn split_names(found: &mut Tokens<'_>) {
    let is_declared = |pair: &[SpannedToken<'_>]| matches!(pair[1].0, Token::Sign(":" | ":="));
    let mut declared: BTreeSet<&str> = BTreeSet::new();
    for pair in found.all.windows(2) {
        if let (Token::Name(name), true) = (pair[0].0, is_declared(pair)) {
            declared.insert(name);
        }
    }
    // The names of modules and of their parameters.
    let mut in_head = false;
    for pair in found.all.windows(2) {
        match pair[0].0 {
            Token::Name("MODULE") => in_head = true,
            Token::Name(name) if in_head => {
                declared.insert(name);
                in_head = matches!(pair[1].0, Token::Sign("(" | "," | ")"));
            }
            Token::Sign(")") => in_head = false,
            _ => {}
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
