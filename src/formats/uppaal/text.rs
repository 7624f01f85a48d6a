//! The text of an XML element as UPPAAL sees it, with the way back from every character to the file.
//!
//! Entities, CDATA sections, comments and CRLF line ends make the decoded text shorter than the file's; the map
//! is a list of segments, so that a span inside a label is a span in the file.

use roxmltree::Node;

use crate::text::Span;

/// Decoded text and where its parts stand in the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Text {
    /// The text, entities resolved, comments removed, line ends `\n`.
    pub decoded: String,
    /// Everything between the element's tags.
    pub content: Span,
    segments: Vec<Segment>,
}

/// `decoded[at..]` comes from `source.start..`: character by character, or as a whole (an entity).
#[derive(Clone, Copy, Debug)]
struct Segment {
    at: usize,
    source: Span,
    whole: bool,
}

impl Text {
    /// The text of `element`, whose tags enclose `content`.
    pub(super) fn of(element: Node<'_, '_>) -> Self {
        let file = element.document().input_text();
        let content = content_span(element);
        let mut text = Self {
            content,
            ..Self::default()
        };
        text.scan(file, content.range());
        let joined: String = element
            .children()
            .filter(Node::is_text)
            .filter_map(|node| node.text())
            .collect();
        if text.decoded != joined {
            // Entities that the file itself declares: the value's parts have no place of their own.
            text.decoded = joined;
            text.segments = vec![Segment {
                at: 0,
                source: content,
                whole: true,
            }];
        }
        text
    }

    /// A text all of which stands at `place`.
    pub(super) fn at(decoded: &str, place: Span) -> Self {
        let segments = vec![Segment {
            at: 0,
            source: place,
            whole: true,
        }];
        Self {
            decoded: decoded.to_owned(),
            content: place,
            segments,
        }
    }

    /// The part `decoded[range]`, which leads back to the same places.
    pub(super) fn slice(&self, range: std::ops::Range<usize>) -> Self {
        let first = self
            .segments
            .partition_point(|segment| segment.at <= range.start)
            .saturating_sub(1);
        let within = self.segments[first..]
            .iter()
            .take_while(|segment| segment.at < range.end.max(range.start + 1));
        let segments = within.map(|segment| match range.start.checked_sub(segment.at) {
            Some(skipped) if !segment.whole => Segment {
                at: 0,
                source: Span::new(segment.source.start as usize + skipped, segment.source.end as usize),
                whole: false,
            },
            _ => Segment {
                at: segment.at.saturating_sub(range.start),
                ..*segment
            },
        });
        Self {
            segments: segments.collect(),
            content: self.span(range.start, range.end),
            decoded: self.decoded[range].to_owned(),
        }
    }

    /// A text that stands in a file of nothing else.
    #[cfg(test)]
    pub(super) fn plain(decoded: &str) -> Self {
        Self::from(decoded, 0)
    }

    /// A text that stands in the file as it is, from `start` on.
    pub(super) fn from(decoded: &str, start: usize) -> Self {
        let mut text = Self {
            content: Span::new(start, start + decoded.len()),
            ..Self::default()
        };
        text.decoded = decoded.to_owned();
        text.segments = vec![Segment {
            at: 0,
            source: text.content,
            whole: false,
        }];
        text
    }

    /// The place in the file of `decoded[start..end]`.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        let first = self.segment(start);
        let from = match first {
            Some(segment) if segment.whole => segment.source.start as usize,
            Some(segment) => segment.source.start as usize + (start - segment.at),
            None => self.content.start as usize,
        };
        if end <= start {
            return Span::new(from, from);
        }
        let to = match self.segment(end - 1) {
            Some(segment) if segment.whole => segment.source.end as usize,
            Some(segment) => segment.source.start as usize + (end - segment.at),
            None => self.content.end as usize,
        };
        Span::new(from, to.max(from))
    }

    /// The place in the file of the text without surrounding white space.
    pub(super) fn trimmed_span(&self) -> Span {
        let start = self.decoded.len() - self.decoded.trim_start().len();
        self.span(start, start + self.decoded.trim().len())
    }

    fn segment(&self, at: usize) -> Option<Segment> {
        let after = self.segments.partition_point(|segment| segment.at <= at);
        self.segments.get(after.checked_sub(1)?).copied()
    }

    fn scan(&mut self, file: &str, range: std::ops::Range<usize>) {
        let end = range.end;
        let mut at = range.start;
        while at < end {
            let rest = &file[at..end];
            let special = rest.find(['<', '&', '\r']).unwrap_or(rest.len());
            self.literal(file, at..at + special);
            at += special;
            let rest = &file[at..end];
            let closing = |mark: &str| rest.find(mark).map_or(rest.len(), |found| found + mark.len());
            at += match rest.as_bytes() {
                [] => 0,
                [b'\r', b'\n', ..] => 1,
                [b'\r', ..] => self.whole("\n", at, 1),
                [b'&', ..] => {
                    let length = closing(";");
                    self.reference(&rest[..length], at)
                }
                _ if rest.starts_with("<![CDATA[") => {
                    let length = closing("]]>");
                    self.cdata(file, at + 9..(at + length).saturating_sub(3).max(at + 9));
                    length
                }
                _ if rest.starts_with("<!--") => closing("-->"),
                _ => closing(">"),
            };
        }
    }

    fn cdata(&mut self, file: &str, range: std::ops::Range<usize>) {
        let mut at = range.start;
        for part in file[range].split_inclusive('\r') {
            let line = part.strip_suffix('\r').unwrap_or(part);
            self.literal(file, at..at + line.len());
            at += part.len();
            let lone = part.len() > line.len() && !file[at..].starts_with('\n');
            if lone {
                self.whole("\n", at - 1, 1);
            }
        }
    }

    fn literal(&mut self, file: &str, range: std::ops::Range<usize>) {
        if !range.is_empty() {
            let source = Span::new(range.start, range.end);
            self.segments.push(Segment {
                at: self.decoded.len(),
                source,
                whole: false,
            });
            self.decoded.push_str(&file[range]);
        }
    }

    fn whole(&mut self, text: &str, at: usize, length: usize) -> usize {
        let source = Span::new(at, at + length);
        self.segments.push(Segment {
            at: self.decoded.len(),
            source,
            whole: true,
        });
        self.decoded.push_str(text);
        length
    }

    fn reference(&mut self, reference: &str, at: usize) -> usize {
        let name = reference.trim_start_matches('&').trim_end_matches(';');
        let character = match name {
            "lt" => Some('<'),
            "gt" => Some('>'),
            "amp" => Some('&'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => numeric(name),
        };
        match character {
            Some(character) => self.whole(character.encode_utf8(&mut [0; 4]), at, reference.len()),
            None => reference.len(),
        }
    }
}

fn numeric(name: &str) -> Option<char> {
    let digits = name.strip_prefix('#')?;
    let code = match digits.strip_prefix('x') {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    char::from_u32(code.ok()?)
}

/// What stands between the tags of `element`.
pub(super) fn content_span(element: Node<'_, '_>) -> Span {
    let whole = element.range();
    let text = &element.document().input_text()[whole.clone()];
    // `>` may stand inside an attribute's value: look behind the last attribute.
    let attributes_end = element.attributes().map(|attribute| attribute.range().end).max();
    let from = attributes_end
        .map_or(0, |end| end.saturating_sub(whole.start))
        .min(text.len());
    let open = text[from..].find('>').map_or(text.len(), |found| from + found + 1);
    if text[..open].ends_with("/>") {
        return Span::new(whole.start + open, whole.start + open);
    }
    let close = text.rfind("</").unwrap_or(text.len()).max(open);
    Span::new(whole.start + open, whole.start + close)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(xml: &str, decoded: &str, part: &str, source: &str) {
        let document = roxmltree::Document::parse(xml).unwrap();
        let text = Text::of(document.root_element());
        assert_eq!(text.decoded, decoded);
        let start = decoded.find(part).unwrap();
        assert_eq!(&xml[text.span(start, start + part.len()).range()], source);
    }

    #[test]
    fn spans_of_decoded_text_lead_back_to_the_file() {
        check("<l>x&lt;=5</l>", "x<=5", "<=", "&lt;=");
        check("<l a='>'>x&lt;=5</l>", "x<=5", "5", "5");
        check("<l>x&#60;y&#x26;&amp; z</l>", "x<y&& z", "z", "z");
        check("<l>x<![CDATA[<5 && y]]> z</l>", "x<5 && y z", "<5 && y", "<5 && y");
        check("<l>x <!-- c&d -->&lt; 3</l>", "x < 3", "3", "3");
        check("<l>a\r\nb\r\nc</l>", "a\nb\nc", "c", "c");
        check("<l>é&gt;y</l>", "é>y", "y", "y");
    }

    #[test]
    fn parts_of_a_text_lead_back_to_the_file() {
        let xml = "<l>a &lt; b\r\nfeature: s &amp;&amp; t</l>";
        let document = roxmltree::Document::parse(xml).unwrap();
        let text = Text::of(document.root_element());
        for (part, inner, source) in [
            ("s && t", "&&", "&amp;&amp;"),
            ("feature: s", "s", "s"),
            ("&& t", "t", "t"),
            ("< b\nfea", "< b", "&lt; b"),
        ] {
            let start = text.decoded.find(part).unwrap();
            let slice = text.slice(start..start + part.len());
            assert_eq!(slice.decoded, part);
            let at = slice.decoded.find(inner).unwrap();
            assert_eq!(&xml[slice.span(at, at + inner.len()).range()], source, "{part}");
        }
    }

    #[test]
    fn an_empty_element_has_empty_content() {
        let document = roxmltree::Document::parse("<l/>").unwrap();
        let text = Text::of(document.root_element());
        assert_eq!((text.decoded.as_str(), text.content), ("", Span::new(4, 4)));
    }
}
