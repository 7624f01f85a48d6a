//! The text of an XML element as UPPAAL sees it, with the way back from every character to the file.
//!
//! Entities, CDATA sections, comments and CRLF line ends make the decoded text shorter than the file's.

use std::ops::Range;

use roxmltree::Node;

use tamper_text::Span;
pub(super) use tamper_text::Text;

/// The text of `element`: entities resolved, comments removed, line ends `\n`.
pub(super) fn text_of(element: Node<'_, '_>) -> Text {
    let file = element.document().input_text();
    let content = content_span(element);
    let mut scanner = Scanner {
        file,
        text: Text::within(content),
    };
    scanner.scan(content.range());
    let joined: String = element
        .children()
        .filter(Node::is_text)
        .filter_map(|node| node.text())
        .collect();
    match scanner.text.decoded == joined {
        true => scanner.text,
        // The file declares entities: the parts of their values have no place in it.
        false => Text::at(&joined, content),
    }
}

struct Scanner<'a> {
    file: &'a str,
    text: Text,
}

impl Scanner<'_> {
    fn scan(&mut self, range: Range<usize>) {
        let file = self.file;
        let end = range.end;
        let mut at = range.start;
        while at < end {
            let rest = &file[at..end];
            let special = rest.find(['<', '&', '\r']).unwrap_or(rest.len());
            self.literal(at..at + special);
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
                    self.cdata(at + 9..(at + length).saturating_sub(3).max(at + 9));
                    length
                }
                _ if rest.starts_with("<!--") => closing("-->"),
                _ => closing(">"),
            };
        }
    }

    fn cdata(&mut self, range: Range<usize>) {
        let (file, mut at) = (self.file, range.start);
        for part in file[range].split_inclusive('\r') {
            let line = part.strip_suffix('\r').unwrap_or(part);
            self.literal(at..at + line.len());
            at += part.len();
            let lone = part.len() > line.len() && !file[at..].starts_with('\n');
            if lone {
                self.whole("\n", at - 1, 1);
            }
        }
    }

    fn literal(&mut self, range: Range<usize>) {
        let start = range.start;
        self.text.exact(&self.file[range], start);
    }

    fn whole(&mut self, text: &str, at: usize, length: usize) -> usize {
        self.text.whole(text, Span::new(at, at + length));
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

/// The place of the content between the tags of `element`.
pub(super) fn content_span(element: Node<'_, '_>) -> Span {
    let whole = element.range();
    let text = &element.document().input_text()[whole.clone()];
    // `>` may occur inside an attribute's value: look behind the last attribute.
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
        let text = text_of(document.root_element());
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
        let text = text_of(document.root_element());
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
        let text = text_of(document.root_element());
        assert_eq!((text.decoded.as_str(), text.content), ("", Span::new(4, 4)));
    }
}
