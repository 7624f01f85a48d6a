//! Diagnostics as text: `file:line:column`, the source line, a caret, what to do.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str};

use crate::{Diagnostic, Severity, SourceFile, Span, visible_text};

/// Most diagnostics that are drawn: each shows its line, which may be long.
const MOST_SHOWN: usize = 200;

/// The diagnostics of `file` as the terminal shows them, one paragraph each, in the order given.
pub fn render(file: &SourceFile, diagnostics: &[Diagnostic], color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let lines = LineStarts::of(file.text());
    if diagnostics.is_empty() {
        return String::new();
    }
    let mut out = String::new();
    for diagnostic in diagnostics.iter().take(MOST_SHOWN) {
        out.push_str(&render_one(&renderer, file, &lines, diagnostic));
        out.push_str("\n\n");
    }
    if diagnostics.len() > MOST_SHOWN {
        out.push_str(&format!("and {} more\n\n", diagnostics.len() - MOST_SHOWN));
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    // Of the file's own text no character that begins a colour is left; all others that a terminal heeds go here.
    let parts: Vec<_> = out.split('\u{1b}').map(visible_text).collect();
    parts.join(if color { "\u{1b}" } else { "\\u{1b}" })
}

fn render_one(renderer: &Renderer, file: &SourceFile, lines: &LineStarts, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let name = normalize_untrusted_str(file.name());
    let title = match diagnostic.span {
        Some(_) => normalize_untrusted_str(&diagnostic.message),
        None => normalize_untrusted_str(&format!("{}: {}", file.name(), diagnostic.message)),
    };
    let mut group = Group::with_title(level.primary_title(title));
    if let Some(span) = diagnostic.span {
        let secondary = diagnostic.secondary.as_ref();
        group = group.elements(snippets(file.text(), &name, lines, span, secondary));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(normalize_untrusted_str(help)));
    }
    renderer.render(&[group])
}

/// One snippet for `span`, and `secondary` in the same snippet or, when it is on another line, in its own.
fn snippets<'a>(
    text: &'a str,
    name: &str,
    lines: &LineStarts,
    span: Span,
    secondary: Option<&(Span, String)>,
) -> Vec<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let snippet =
        |(first, slice): (usize, Range<usize>)| Snippet::source(&text[slice]).path(name.to_owned()).line_start(first);
    let here = lines.around(text, span);
    let mark = AnnotationKind::Primary.span(within(text, span, &here.1));
    let Some((other, what)) = secondary else {
        return vec![snippet(here).annotation(mark)];
    };
    let label = normalize_untrusted_str(what);
    let there = lines.around(text, *other);
    let note = |slice: &Range<usize>| {
        AnnotationKind::Context
            .span(within(text, *other, slice))
            .label(label.clone())
    };
    if there == here {
        let both = note(&here.1);
        return vec![snippet(here).annotation(mark).annotation(both)];
    }
    let second = note(&there.1);
    vec![snippet(here).annotation(mark), snippet(there).annotation(second)]
}

/// `span` relative to `slice`, at least one character wide where there is one, never over a line's end.
fn within(text: &str, span: Span, slice: &Range<usize>) -> Range<usize> {
    let clip = |at: u32| {
        let mut at = (at as usize).clamp(slice.start, slice.end);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (start, mut end) = (clip(span.start), clip(span.end));
    if end <= start {
        end = start + text[start..slice.end].chars().next().map_or(0, char::len_utf8);
    }
    start - slice.start..end - slice.start
}

struct LineStarts(Vec<usize>);

impl LineStarts {
    fn of(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self(std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect())
    }
    /// The number (from 1) of the line in which `span` starts, and where that line's text is.
    fn around(&self, text: &str, span: Span) -> (usize, Range<usize>) {
        let at = (span.start as usize).min(text.len());
        let line = self.0.partition_point(|start| *start <= at).max(1);
        let start = self.0[line - 1];
        let end = self.0.get(line).map_or(text.len(), |next| next - 1);
        let end = if text[start..end].ends_with('\r') { end - 1 } else { end };
        (line, start..end.max(start))
    }
}
