//! Diagnostics as text: `file:line:column`, the source line, a caret, what to do.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet, normalize_untrusted_str,
};

use crate::{Diagnostic, Severity, SourceFile, Span, visible_text};

/// Most diagnostics that are drawn: each shows its line, which may be long.
const MOST_SHOWN: usize = 200;

/// The diagnostics of `file` as the terminal shows them, one paragraph each, in the order given.
pub fn render(file: &SourceFile, diagnostics: &[Diagnostic], color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    if diagnostics.is_empty() {
        return String::new();
    }
    let mut out = String::new();
    for diagnostic in diagnostics.iter().take(MOST_SHOWN) {
        out.push_str(&render_one(&renderer, file, diagnostic));
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

fn render_one(renderer: &Renderer, file: &SourceFile, diagnostic: &Diagnostic) -> String {
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
        group = group.elements(snippets(file, &name, span, secondary));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(normalize_untrusted_str(help)));
    }
    renderer.render(&[group])
}

/// One snippet for `span`, and `secondary` in the same snippet or, when it is on another line, in its own.
fn snippets<'a>(
    file: &'a SourceFile,
    name: &str,
    span: Span,
    secondary: Option<&(Span, String)>,
) -> Vec<Element<'a>> {
    let text = file.text();
    let here = around(file, span);
    let mark = AnnotationKind::Primary.span(within(text, span, &here));
    let snippet = |span: Span, slice: &Range<usize>, marks: Vec<Annotation<'a>>| {
        let place = file.line_col(span.start);
        let (line, column) = (place.line as usize, place.column as usize);
        let shown = Snippet::source(&text[slice.clone()]).line_start(line).annotations(marks);
        let origin = Origin::path(name.to_owned()).line(line).char_column(column);
        match file.line(span.start) == *slice {
            true => vec![shown.path(name.to_owned()).into()],
            // Of a part of a line the place is not counted from its start.
            false => vec![origin.into(), shown.into()],
        }
    };
    let Some((other, what)) = secondary else {
        return snippet(span, &here, vec![mark]);
    };
    let there = around(file, *other);
    let note = AnnotationKind::Context.span(within(text, *other, &there));
    let note = note.label(normalize_untrusted_str(what));
    match there == here {
        true => snippet(span, &here, vec![mark, note]),
        false => [snippet(span, &here, vec![mark]), snippet(*other, &there, vec![note])].concat(),
    }
}

/// Most bytes of a line that are drawn for a place in it: no more fits on a screen.
const LONG: usize = 4000;

/// The line in which `span` starts; of a long one the part around that.
fn around(file: &SourceFile, span: Span) -> Range<usize> {
    let (text, line) = (file.text(), file.line(span.start));
    let at = (span.start as usize).clamp(line.start, line.end);
    if line.len() <= LONG {
        return line;
    }
    let start = text.ceil_char_boundary(at.saturating_sub(LONG / 2).max(line.start));
    let end = text.floor_char_boundary((at + LONG / 2).min(line.end));
    start..end.max(start)
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
