//! The words and signs of an action system, and the inputs that its comments name.

use crate::formats::tokens::{Language, SpannedToken, Token, Tokens, names_after};
use tamper_text::{Cursor, Diagnostic, Piece};

/// The language: names, with or without quotes, and parameters, which begin with a capital letter; numbers; signs.
static ACTIONS: Language = Language {
    signs: &[
        "#=<", "#>=", "#\\=", "#/\\", "#\\/", "//", "#<", "#>", "#=", "#\\", "..", "::", ":=", ":-", "=>", "[]", "[",
        "]", "(", ")", "{", "}", ",", ";", ":", ".", "+", "-", "*",
    ],
    line_comment: "%",
    comment: ["/*", "*/"],
    name,
    word: |_| None,
    numbers: HELP,
    foreign: ["an action system", HELP],
    divide: ["split the action", "split the action"],
};
const HELP: &str = "names are letters, digits and `_`, or in quotes; numbers go to 2147483647";

/// The tokens of `text`, and the names after `% inputs:`.
pub(super) fn tokens(text: &str) -> (Tokens<'_>, Vec<Piece<'_>>) {
    let mut inputs = Vec::new();
    let tokens = Tokens::new(text, &ACTIONS, |comment| {
        inputs.extend(names_after(comment, "inputs:").into_iter().flatten());
    });
    for input in &mut inputs {
        // The span keeps the quotes of the name.
        input.text = input.text.trim_matches(|c| "'‘’".contains(c));
    }
    inputs.retain(|input| !input.text.is_empty());
    (tokens, inputs)
}

fn name<'a>(cursor: &mut Cursor<'a>) -> Result<Option<SpannedToken<'a>>, Diagnostic> {
    let word = cursor.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
    if !word.text.is_empty() {
        return Ok(Some((Token::Name(word.text), word.span)));
    }
    let Some((first, close)) = cursor.peek().and_then(|first| Some((first, closing(first)?))) else {
        return Ok(None);
    };
    let opening = cursor.take(first.len_utf8()).span;
    let inside = cursor.count_while(|c| c != close && c != '\n');
    if inside == 0 || !cursor.rest()[inside..].starts_with(close) {
        return Err(Diagnostic::error("this name does not end", opening).with_help(HELP));
    }
    let name = cursor.take(inside).text;
    cursor.bump();
    Ok(Some((Token::Name(name), cursor.since(opening.start as usize).span)))
}

/// The closing quote of a quoted name; papers print both quotes curled.
fn closing(open: char) -> Option<char> {
    match open {
        '\'' => Some('\''),
        '‘' | '’' => Some('’'),
        _ => None,
    }
}
