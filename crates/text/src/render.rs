//! Diagnostics as text: `file:line:column`, the source line, a caret, the hint.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str};

use crate::{Diagnostic, LineCol, Severity, SourceFile, Span, brief, visible_text};

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
    // The file's own text has no character left that begins a colour; all others that a terminal interprets are replaced
    // here.
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
        Some(_) => normalize_untrusted_str(&brief(&diagnostic.message)),
        None => normalize_untrusted_str(&format!("{}: {}", file.name(), brief(&diagnostic.message))),
    };
    let mut group = Group::with_title(level.primary_title(title));
    if let Some(span) = diagnostic.span {
        let secondary = diagnostic.secondary.as_ref();
        group = group.elements(snippets(file, &name, span, secondary));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(normalize_untrusted_str(&brief(help))));
    }
    let drawn = renderer.render(&[group]);
    match diagnostic.span {
        Some(span) => placed(drawn, file, span),
        None => drawn,
    }
}

/// One snippet for `span`, with `secondary` in the same snippet or, if it is on another line, in a separate one.
fn snippets<'a>(
    file: &'a SourceFile,
    name: &str,
    span: Span,
    secondary: Option<&(Span, String)>,
) -> Vec<Snippet<'a, Annotation<'a>>> {
    let text = file.text();
    let snippet = |span: Span, slice: &Range<usize>| {
        let line = file.line_col(span.start).line as usize;
        Snippet::source(&text[slice.clone()])
            .path(name.to_owned())
            .line_start(line)
    };
    let here = around(file, span);
    let mark = AnnotationKind::Primary.span(within(text, span, &here));
    let Some((other, what)) = secondary else {
        return vec![snippet(span, &here).annotation(mark)];
    };
    let there = around(file, *other);
    let note = AnnotationKind::Context.span(within(text, *other, &there));
    let note = note.label(normalize_untrusted_str(&brief(what)));
    if there == here {
        return vec![snippet(span, &here).annotation(mark).annotation(note)];
    }
    vec![
        snippet(span, &here).annotation(mark),
        snippet(*other, &there).annotation(note),
    ]
}

/// `drawn`, with the column of `span` counted from the start of its line, not of the part of the line that is drawn.
fn placed(drawn: String, file: &SourceFile, span: Span) -> String {
    let start = around(file, span).start;
    let place = file.line_col(span.start);
    let column = |from: LineCol| place.column - from.column + 1;
    let part = file.line_col(u32::try_from(start).unwrap_or(u32::MAX));
    match part.line == place.line && part.column > 1 {
        true => {
            let name = normalize_untrusted_str(file.name());
            let at = |column| format!("{name}:{}:{column}", place.line);
            drawn.replacen(&at(column(part)), &at(place.column), 1)
        }
        false => drawn,
    }
}

/// Most bytes of a line that are drawn for a place in it: no more fits on a screen.
const LONG: usize = 4000;

/// The line in which `span` starts; if it is long, the part around the span.
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

/// `span` relative to `slice`: at least one character wide if the line has one, and never across the end of a line.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_a_long_line_is_shown_with_what_stands_around_it() {
        for (n, column) in [(10, 21), (5000, 10_001)] {
            let text = format!("first\r\n{}wrong{}\nlast", "é ".repeat(n), " é".repeat(n));
            let file = SourceFile::new("a.txt", text.as_str());
            let at = text.find("wrong").unwrap();
            let error = Diagnostic::error("no", Span::new(at, at + 5));
            for color in [false, true] {
                let shown = render(&file, std::slice::from_ref(&error), color);
                assert!(shown.contains(&format!("a.txt:2:{column}")), "{shown}");
                assert!(shown.contains("wrong") && shown.contains("^^^^^"), "{shown}");
            }
        }
    }
}
