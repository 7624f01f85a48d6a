//! Words of SMV as numbers: unsigned ones from 0, signed ones from minus half of their number.
//!
//! Expressions that only keep a value within its type have an empty span: they are not in the text, and mutations leave
//! them alone.

use crate::{Binary, Domain, Expr, ExprKind};
use tamper_text::Span;

/// Functions that make words, or take their widths.
pub(super) const WORD_FUNCTIONS: [&str; 8] = [
    "word1", "unsigned", "signed", "extend", "resize", "uwconst", "swconst", "sizeof",
];

/// The type of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WordType {
    pub width: u32,
    pub is_signed: bool,
}

/// The expression `operand operator number`, which is not in the text.
fn with(operator: Binary, operand: Expr, number: i64) -> Expr {
    let span = operand.span;
    let number = Expr::unwritten(ExprKind::Value(number), span);
    Expr::unwritten(ExprKind::Binary(operator, Box::new(operand), Box::new(number)), span)
}

impl WordType {
    pub fn unsigned(width: u32) -> Self {
        let is_signed = false;
        Self { width, is_signed }
    }
    /// The name of the type, `unsigned word[8]`.
    pub fn name(self) -> String {
        let sign = if self.is_signed { "signed" } else { "unsigned" };
        format!("{sign} word[{}]", self.width)
    }
    /// The number of words of this type.
    fn size(self) -> i64 {
        1 << self.width
    }
    fn first(self) -> i64 {
        if self.is_signed { -self.size() / 2 } else { 0 }
    }
    pub fn domain(self) -> Domain {
        Domain::Range(self.first(), self.first() + self.size() - 1)
    }
    /// A number, whose last bits make a word.
    pub fn wrapped(self, number: Expr) -> Expr {
        let first = self.first();
        let from_0 = if first < 0 {
            with(Binary::Minus, number, first)
        } else {
            number
        };
        // The rest of a negative number is negative.
        let rest = with(Binary::Modulo, from_0, self.size());
        let rest = with(Binary::Modulo, with(Binary::Plus, rest, self.size()), self.size());
        if first < 0 {
            with(Binary::Plus, rest, first)
        } else {
            rest
        }
    }
    /// A word of this type as a nonnegative number.
    fn bits(self, word: Expr) -> Expr {
        match self.is_signed {
            true => Self::unsigned(self.width).wrapped(word),
            false => word,
        }
    }
    /// A constant of these bits; a mutant of it stays within the type.
    pub fn constant(self, bits: i64, span: Span) -> Expr {
        let is_negative = self.is_signed && bits >= self.size() / 2;
        let kind = ExprKind::Value(if is_negative { bits - self.size() } else { bits });
        self.wrapped(Expr { kind, span })
    }
    /// The complement of a word: for both signs, its distance from the other end of the range.
    pub fn inverted(self, word: Expr) -> Expr {
        let ends = Expr::unwritten(ExprKind::Value(2 * self.first() + self.size() - 1), word.span);
        let span = word.span;
        Expr::unwritten(ExprKind::Binary(Binary::Minus, Box::new(ends), Box::new(word)), span)
    }
    /// The result of `operator` on two words of this type, and whether it is a word of this type.
    pub fn apply(self, operator: Binary, left: Expr, right: Expr) -> (Expr, bool) {
        let span = left.span.to(right.span);
        let written = |operator: Binary, left: Expr, right: Expr| Expr {
            kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)),
            span,
        };
        match operator {
            // With sign bits in front, numbers have the same bits as words.
            Binary::And => (written(Binary::BitAnd, left, right), true),
            Binary::Or => (written(Binary::BitOr, left, right), true),
            Binary::Xor => (written(Binary::BitXor, left, right), true),
            Binary::Xnor | Binary::Iff => (self.inverted(written(Binary::BitXor, left, right)), true),
            Binary::Implies => (written(Binary::BitOr, self.inverted(left), right), true),
            operator if operator <= Binary::GreaterEqual => (written(operator, left, right), false),
            operator => (self.wrapped(written(operator, left, right)), true),
        }
    }
    /// The word shifted by that number of places; to the right, a signed word is filled with its sign.
    pub fn shifted(self, word: Expr, to_left: bool, places: u32) -> Expr {
        // One place earlier, only sign bits are left.
        let places = if self.is_signed && !to_left {
            places.min(self.width - 1)
        } else {
            places
        };
        let factor = 1 << places;
        match to_left {
            true => self.wrapped(with(Binary::Times, word, factor)),
            false => {
                let above = with(Binary::Divide, with(Binary::Minus, word, self.first()), factor);
                with(Binary::Plus, above, self.first() / factor)
            }
        }
    }
    /// The bits of one word before the bits of another.
    pub fn joined(self, left: Expr, other: Self, right: Expr) -> (Expr, Self) {
        let span = left.span.to(right.span);
        let above = with(Binary::Times, self.bits(left), other.size());
        let kind = ExprKind::Binary(Binary::Plus, Box::new(above), Box::new(other.bits(right)));
        (Expr { kind, span }, Self::unsigned(self.width + other.width))
    }
    /// The bits from number `high` down to `low`.
    pub fn selected(self, word: Expr, high: u32, low: u32) -> (Expr, Self) {
        let chosen = Self::unsigned(high - low + 1);
        let rest = with(Binary::Divide, self.bits(word), 1 << low);
        (with(Binary::Modulo, rest, chosen.size()), chosen)
    }
}
