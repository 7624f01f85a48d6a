//! Untrusted text, made safe for display.

use std::borrow::Cow;

/// `text` on one line and without characters that a terminal interprets instead of showing them: control characters, and
/// marks that turn or hide the following text, are written out as `\u{…}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_heeded) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match is_heeded(character) {
            true => shown.extend(character.escape_unicode()),
            false => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

/// The same for a text of several lines, whose line breaks and tabs are kept.
pub fn visible_text(text: &str) -> Cow<'_, str> {
    let is_kept = |character: char| matches!(character, '\n' | '\t');
    if !text.contains(|character: char| is_heeded(character) && !is_kept(character)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match is_heeded(character) && !is_kept(character) {
            true => shown.extend(character.escape_unicode()),
            false => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

/// Most characters of a word that a message shows.
const LONGEST_WORD: usize = 1000;

/// A message in which no word is longer than a thousand characters: names and numbers of a file may have megabytes.
pub fn brief(message: &str) -> Cow<'_, str> {
    if message.len() <= LONGEST_WORD {
        return Cow::Borrowed(message);
    }
    let word = |word: &str| match word.char_indices().nth(LONGEST_WORD) {
        Some((at, _)) => format!("{}…{}", &word[..at], &word[word.trim_end().len()..]),
        None => word.to_owned(),
    };
    message.split_inclusive(char::is_whitespace).map(word).collect()
}

/// [`visible_text`] for JSON, without a change of meaning: outside of strings JSON has none of these characters, and inside
/// them the escape `\u202e` stands for the character itself.
pub fn visible_json(text: &str) -> Cow<'_, str> {
    let is_kept = |character: char| matches!(character, '\n' | '\t' | '\r');
    if !text.contains(|character: char| is_heeded(character) && !is_kept(character)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match is_heeded(character) && !is_kept(character) {
            // All of them are below 2^16.
            true => shown.push_str(&format!("\\u{:04x}", u32::from(character))),
            false => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

fn is_heeded(character: char) -> bool {
    let hides_or_turns = matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    character.is_control() || hides_or_turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_word_of_a_message_is_cut() {
        let long = "ü".repeat(2000);
        assert_eq!(
            brief(&format!("no `{long}`\n is")),
            format!("no `{}…\n is", "ü".repeat(999))
        );
        let many = "word ".repeat(2000);
        assert_eq!(brief(&many), many);
    }

    #[test]
    fn nothing_that_is_shown_moves_the_terminal() {
        assert_eq!(visible("pass! 3/2 é 灯"), "pass! 3/2 é 灯");
        assert_eq!(visible("\u{1b}[2J\u{1b}]0;x\u{7}"), "\\u{1b}[2J\\u{1b}]0;x\\u{7}");
        assert_eq!(visible("a\r\nb\u{9b}"), "a\\u{d}\\u{a}b\\u{9b}");
        assert_eq!(visible("\u{202e}lla"), "\\u{202e}lla");
        assert_eq!(visible_text("a\u{1b}[2J\n\tb\u{2028}"), "a\\u{1b}[2J\n\tb\\u{2028}");
        assert_eq!(visible_json("{\n\"a\u{202e}\": 1}"), "{\n\"a\\u202e\": 1}");
    }
}
