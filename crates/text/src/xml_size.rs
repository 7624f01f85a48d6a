//! XML that no editor writes and that takes long to read: elements with very many attributes.

use crate::{Diagnostic, Span};

/// Most attributes that an element of a model has. Duplicates are searched among all pairs of attributes, which is
/// quadratic.
const MOST_ATTRIBUTES: usize = 1000;

/// The first element of `text` with more attributes than are read. `text` need not be well-formed.
pub fn too_many_attributes(text: &str) -> Option<Diagnostic> {
    let mut rest = 0;
    while let Some(at) = text[rest..].find('<').map(|at| rest + at) {
        let tag = &text[at..];
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        rest = match skipped.iter().find(|(start, _)| tag.starts_with(start)) {
            Some((start, end)) => {
                let inside = at + start.len();
                text[inside..]
                    .find(end)
                    .map_or(text.len(), |found| inside + found + end.len())
            }
            None => {
                let (length, n_attributes) = attributes(tag);
                if n_attributes > MOST_ATTRIBUTES {
                    let message = format!("this element has more than {MOST_ATTRIBUTES} attributes");
                    let span = Span::new(at, at + 1);
                    return Some(Diagnostic::error(message, span).with_help("no tool for models writes such a file"));
                }
                at + length
            }
        };
    }
    None
}

/// The length of the tag at the start of `text`, and its number of equal signs outside of quotes, up to one too many.
fn attributes(text: &str) -> (usize, usize) {
    let (mut quote, mut n_attributes) = (None, 0);
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'=') => n_attributes += 1,
            (None, b'>') => return (at + 1, n_attributes),
            _ => {}
        }
        if n_attributes > MOST_ATTRIBUTES {
            return (at + 1, n_attributes);
        }
    }
    (text.len(), n_attributes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_counted_where_they_are() {
        let many = |n: usize| (0..n).map(|at| format!(" a{at}='>='")).collect::<String>();
        assert!(too_many_attributes(&format!("<a{}/>", many(1000))).is_none());
        let text = format!("<é><b{}/>", many(1001));
        assert_eq!(too_many_attributes(&text).unwrap().span, Some(Span::new(4, 5)));
        for harmless in [
            format!("<!-- <a{} -->", many(2000)),
            format!("<a><![CDATA[<a{}]]></a>", many(2000)),
            format!("<?pi <a{}?>", many(2000)),
            "<a b='".to_owned() + &"=".repeat(5000),
            "<".repeat(100_000),
            "=".repeat(5000),
        ] {
            assert!(too_many_attributes(&harmless).is_none(), "{harmless:.40}");
        }
    }
}
