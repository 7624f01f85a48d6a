//! Replacements of spans of a text: everything else stays byte for byte.

use tamper_text::Span;

/// Replacements, applied at once.
#[derive(Clone, Default, Debug)]
pub(crate) struct Patches {
    list: Vec<(Span, String)>,
}

impl Patches {
    /// Replaces `span`. Spans do not overlap; several insertions at one place keep their order.
    pub(crate) fn replace(&mut self, span: Span, text: impl Into<String>) {
        self.list.push((span, text.into()));
    }
    /// Inserts before byte `at`.
    pub(crate) fn insert(&mut self, at: u32, text: impl Into<String>) {
        self.replace(Span { start: at, end: at }, text);
    }
    /// Removes `span` and the white space before it on its line, and the whole line if nothing else is on it.
    pub(crate) fn remove_element(&mut self, text: &str, span: Span) {
        let before = &text[..span.start as usize];
        let line = before.trim_end_matches([' ', '\t']);
        let start = match line.strip_suffix('\n') {
            Some(rest) => rest.strip_suffix('\r').unwrap_or(rest).len(),
            None => before.len(),
        };
        self.replace(Span::new(start, span.end as usize), "");
    }
    /// The only replacement; `None` if there are several.
    pub(crate) fn single(mut self) -> Option<(Span, String)> {
        self.list.pop().filter(|_| self.list.is_empty())
    }
    /// The part `within` of `text`, with the replacements applied.
    pub(crate) fn apply(mut self, text: &str, within: Span) -> String {
        self.list.sort_by_key(|(span, _)| (span.start, span.end));
        let mut out = String::with_capacity(text.len());
        let mut at = within.start;
        for (span, replacement) in &self.list {
            // The span is inside a part that an earlier, larger replacement removed.
            if span.start < at || span.end > within.end {
                continue;
            }
            out.push_str(&text[at as usize..span.start as usize]);
            out.push_str(replacement);
            at = span.end;
        }
        out.push_str(&text[at as usize..within.end as usize]);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_spans_change() {
        let mut patches = Patches::default();
        patches.replace(Span::new(4, 7), "X");
        patches.insert(4, "<");
        patches.insert(0, ">");
        assert_eq!(patches.apply("abc def ghi", Span::new(0, 11)), ">abc <X ghi");
    }

    #[test]
    fn an_element_goes_with_its_line() {
        let mut patches = Patches::default();
        let text = "<a>\r\n  <b/>\r\n  <c/>\r\n</a>";
        patches.remove_element(text, Span::new(7, 11));
        assert_eq!(patches.apply(text, Span::new(0, text.len())), "<a>\r\n  <c/>\r\n</a>");
    }
}
