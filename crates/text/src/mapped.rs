//! Text that was decoded, joined or translated, with the way back from every character to the file.

use crate::{Piece, Span};

/// Text with the places of its parts in a file.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// The text after decoding.
    pub decoded: String,
    /// The whole range of the file that it was made from.
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
    /// An empty text, to be made from the range `content`.
    pub fn within(content: Span) -> Self {
        Self {
            content,
            ..Self::default()
        }
    }
    /// A text all of which stands at `place`.
    pub fn at(decoded: &str, place: Span) -> Self {
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

    /// A text that is in the file verbatim, from `start` on.
    pub fn standing(decoded: &str, start: usize) -> Self {
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

    /// The part `decoded[range]`, which leads back to the same places.
    #[must_use]
    pub fn slice(&self, range: std::ops::Range<usize>) -> Self {
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

    /// The place in the file of `decoded[start..end]`.
    pub fn span(&self, start: usize, end: usize) -> Span {
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
    pub fn trimmed_span(&self) -> Span {
        let start = self.decoded.len() - self.decoded.trim_start().len();
        self.span(start, start + self.decoded.trim().len())
    }

    fn segment(&self, at: usize) -> Option<Segment> {
        let after = self.segments.partition_point(|segment| segment.at <= at);
        self.segments.get(after.checked_sub(1)?).copied()
    }

    /// Adds `text`, which is in the file verbatim, from `start` on.
    pub fn exact(&mut self, text: &str, start: usize) {
        self.add(text, Span::new(start, start + text.len()), false);
    }

    /// Adds `text`, which is made from all of `source`.
    pub fn whole(&mut self, text: &str, source: Span) {
        self.add(text, source, true);
    }

    fn add(&mut self, text: &str, source: Span, whole: bool) {
        if !text.is_empty() {
            let at = self.decoded.len();
            self.segments.push(Segment { at, source, whole });
            self.decoded.push_str(text);
        }
    }

    /// Adds another text after this one.
    pub fn append(&mut self, other: &Self) {
        let start = self.decoded.len();
        self.decoded.push_str(&other.decoded);
        let moved = other.segments.iter().map(|segment| Segment {
            at: start + segment.at,
            ..*segment
        });
        self.segments.extend(moved);
    }

    /// Whether it contains nothing but white space.
    pub fn is_blank(&self) -> bool {
        self.decoded.trim().is_empty()
    }
}

impl From<Piece<'_>> for Text {
    fn from(piece: Piece<'_>) -> Self {
        Self::standing(piece.text, piece.span.start as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_together_leads_back_to_its_parts() {
        let mut text = Text::within(Span::new(0, 20));
        text.whole("(", Span::new(3, 9));
        let mut inner = Text::default();
        inner.exact("x < 5", 4);
        text.append(&inner);
        text.whole("", Span::new(0, 1));
        assert_eq!(text.decoded, "(x < 5");
        assert_eq!(text.span(1, 2), Span::new(4, 5));
        assert_eq!(text.span(0, 6), Span::new(3, 9));
        assert_eq!(text.slice(5..6).span(0, 1), Span::new(8, 9));
        assert!(!text.is_blank() && Text::default().is_blank());
    }
}
