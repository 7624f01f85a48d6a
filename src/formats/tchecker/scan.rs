//! A `.tck` file to its declarations, each with its place.

use crate::text::{Diagnostic, Span};

/// A piece of text and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Word<'a> {
    pub text: &'a str,
    pub span: Span,
}

/// `keyword:field:…{key:value:…}`
#[derive(Clone, Debug)]
pub(super) struct Declaration<'a> {
    pub keyword: Word<'a>,
    pub fields: Vec<Word<'a>>,
    /// Keys and values.
    pub attributes: Vec<(Word<'a>, Word<'a>)>,
    /// All of it.
    pub span: Span,
}

/// What a file consists of.
#[derive(Default, Debug)]
pub(super) struct Scanned<'a> {
    pub declarations: Vec<Declaration<'a>>,
    /// What follows `tamper:` in comments.
    pub directives: Vec<Word<'a>>,
}

/// The declarations of `text`; what is malformed goes to `diagnostics`.
pub(super) fn scan<'a>(text: &'a str, diagnostics: &mut Vec<Diagnostic>) -> Scanned<'a> {
    let mut scanned = Scanned::default();
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        let rest = &text[at..];
        if rest.is_empty() {
            return scanned;
        }
        if let Some(comment) = rest.strip_prefix('#') {
            let end = comment.find('\n').unwrap_or(comment.len());
            if let Some(directive) = comment[..end].trim_start().strip_prefix("tamper:") {
                let from = at + rest.len() - comment.len() + (comment[..end].len() - comment[..end].trim_start().len());
                let from = from + "tamper:".len();
                scanned.directives.push(trimmed(directive, from));
            }
            at += 1 + end;
            continue;
        }
        let (declaration, length) = declaration(rest, at, diagnostics);
        scanned.declarations.extend(declaration);
        at += length;
    }
}

/// The declaration at the start of `rest`, which stands at `at`, and how long it is.
fn declaration<'a>(rest: &'a str, at: usize, diagnostics: &mut Vec<Diagnostic>) -> (Option<Declaration<'a>>, usize) {
    let head = rest.find(['\n', '{', '#']).unwrap_or(rest.len());
    let mut words = split(&rest[..head], at).into_iter();
    let Some(keyword) = words.next() else {
        return (None, head.max(1));
    };
    let mut found = Declaration {
        keyword,
        fields: words.collect(),
        attributes: Vec::new(),
        span: trimmed(&rest[..head], at).span,
    };
    if !rest[head..].starts_with('{') {
        return (Some(found), head);
    }
    let open = head + 1;
    let Some(close) = rest[open..].find('}') else {
        let span = Span::new(at + head, at + open);
        diagnostics.push(Diagnostic::error("these attributes never end", span).with_help("close them with `}`"));
        return (None, rest.len());
    };
    let inside = &rest[open..open + close];
    if let Some(bad) = inside.find(['{', '#', '@']) {
        let span = Span::new(at + open + bad, at + open + bad + 1);
        let error = Diagnostic::error(format!("`{}` cannot stand in an attribute", &inside[bad..=bad]), span);
        diagnostics.push(error.with_help("the characters : { } # and @ are reserved"));
    }
    found.attributes = pairs(inside, at + open, diagnostics);
    let end = open + close + 1;
    found.span = Span::new(at, at + end);
    let after = &rest[end..];
    let line = after.find(['\n', '#']).unwrap_or(after.len());
    if !after[..line].trim().is_empty() {
        let error = Diagnostic::error("text after the attributes", trimmed(&after[..line], at + end).span);
        diagnostics.push(error.with_help("a declaration ends with its line"));
    }
    (Some(found), end + line)
}

fn pairs<'a>(inside: &'a str, at: usize, diagnostics: &mut Vec<Diagnostic>) -> Vec<(Word<'a>, Word<'a>)> {
    if inside.trim().is_empty() {
        return Vec::new();
    }
    let words = split(inside, at);
    let (pairs, rest) = words.as_chunks::<2>();
    if let [key] = rest {
        let error = Diagnostic::error(format!("the attribute `{}` has no `:`", key.text), key.span);
        diagnostics.push(error.with_help("write `key:value`, or `key:` without a value"));
    }
    pairs.iter().map(|[key, value]| (*key, *value)).collect()
}

fn split(text: &str, at: usize) -> Vec<Word<'_>> {
    let mut start = at;
    let word = |part| {
        let word = trimmed(part, start);
        start += part.len() + 1;
        word
    };
    text.split(':').map(word).collect()
}

fn trimmed(text: &str, at: usize) -> Word<'_> {
    let start = at + text.len() - text.trim_start().len();
    let text = text.trim();
    Word {
        text,
        span: Span::new(start, start + text.len()),
    }
}
