//! Names of features in conditions, in quotes where necessary.

use std::borrow::Cow;

/// Whether `name` needs no quotes.
pub(super) fn is_plain(name: &str) -> bool {
    let reserved = ["and", "or", "not", "true", "false"];
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(is_name_char)
        && !reserved.contains(&name)
}

pub(super) fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// `name` as an expression spells it.
pub(super) fn quoted(name: &str) -> Cow<'_, str> {
    if is_plain(name) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("\"{name}\""))
    }
}
