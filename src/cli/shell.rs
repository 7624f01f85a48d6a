//! Texts as words of the shell, for commands that are shown to be typed.

use std::path::Path;

/// A path as a word of the shell.
pub fn name(path: &Path) -> String {
    word(&path.display().to_string())
}

/// A text as a word of the shell.
pub fn word(text: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-_./,:=+@%".contains(sign);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_of_the_shell() {
        assert_eq!(word("my model's.xml"), r"'my model'\''s.xml'");
        assert_eq!(word("a/b-1.xml"), "a/b-1.xml");
    }
}
