//! The lines of a UVL file: their indentation, their text without comments, and the comment before them.

use super::uvl_names::is_name_char;
use tamper_text::{Diagnostic, Span};

/// A line with something on it.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Columns before the text; a tab goes to the next multiple of 8.
    pub indent: usize,
    /// The text, trimmed.
    pub text: &'a str,
    /// Place of the text.
    pub span: Span,
    /// The comment that is alone on the line before.
    pub comment: &'a str,
}

/// The lines of `text` that are not blank or comments.
pub fn lines(text: &str) -> Result<Vec<Line<'_>>, Diagnostic> {
    let mut lines = Vec::new();
    let mut comment = "";
    let mut start = 0;
    // Start of a comment `/*` that has not ended yet.
    let mut open: Option<usize> = None;
    for whole in text.split_inclusive('\n') {
        let mut at = start;
        let end = start + whole.trim_end().len();
        start += whole.len();
        if open.is_some() {
            match text[at..end].find("*/") {
                Some(close) => at += close + 2,
                None => continue,
            }
            open = None;
        }
        let (visible_end, found) = comment_start(&text[at..end]);
        let visible = text[at..at + visible_end].trim();
        let after = &text[at + visible_end..end];
        if found == Some(Comment::Block) {
            match after.find("*/") {
                Some(close) if after[close + 2..].trim().is_empty() => {}
                Some(close) => {
                    let span = Span::new(at + visible_end, at + visible_end + close + 2);
                    return Err(
                        Diagnostic::error("text after a comment on the same line is not read", span)
                            .with_help("put the comment on a line of its own"),
                    );
                }
                None => open = Some(at + visible_end),
            }
        }
        if visible.is_empty() {
            if found == Some(Comment::Line) {
                comment = after.trim_start_matches('/').trim();
            }
            continue;
        }
        let line = &text[at..end];
        let blank = line.len() - line.trim_start().len();
        lines.push(Line {
            indent: width(&line[..blank]),
            text: visible,
            span: Span::new(at + blank, at + blank + visible.len()),
            comment: std::mem::take(&mut comment),
        });
    }
    match open {
        Some(at) => Err(Diagnostic::error("this comment does not end", Span::new(at, at + 2))),
        None => Ok(lines),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Comment {
    Line,
    Block,
}

/// The start and kind of the first comment outside of quotes; the end of the line if there is no comment. An apostrophe
/// inside a name opens no quote.
fn comment_start(line: &str) -> (usize, Option<Comment>) {
    let mut quote = None;
    let mut in_name = false;
    for (at, c) in line.char_indices() {
        let goes_on = in_name && is_name_char(c);
        in_name = quote.is_none() && (goes_on || c.is_ascii_alphabetic());
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if goes_on => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None if line[at..].starts_with("//") => return (at, Some(Comment::Line)),
            None if line[at..].starts_with("/*") => return (at, Some(Comment::Block)),
            None => {}
        }
    }
    (line.len(), None)
}

fn width(blank: &str) -> usize {
    blank
        .chars()
        .fold(0, |width, c| if c == '\t' { width / 8 * 8 + 8 } else { width + 1 })
}
