//! Bit vectors as truth values and numbers.
//!
//! Expressions that only convert to numbers have an empty span: they are not in the text, and mutations leave them
//! alone.

use crate::{Binary, Expr, ExprKind, Unary};
use tamper_text::Span;

/// A bit vector: a truth value if it has one bit, else a number from 0.
#[derive(Clone, Debug)]
pub(super) struct BitVector {
    pub expr: Expr,
    pub width: u32,
}

/// `2^width`.
pub(super) fn size(width: u32) -> i64 {
    1 << width
}

/// A maker of expressions for one line.
#[derive(Clone, Copy)]
pub(super) struct Make {
    /// The place of the line's text.
    pub span: Span,
}

impl Make {
    /// An expression that the line states.
    pub fn written(self, kind: ExprKind) -> Expr {
        Expr { kind, span: self.span }
    }
    /// An expression that is not in the text.
    pub fn own(self, kind: ExprKind) -> Expr {
        Expr::unwritten(kind, self.span)
    }
    pub fn constant(self, value: i64) -> Expr {
        self.own(ExprKind::Value(value))
    }
    pub fn unary(self, operator: Unary, operand: Expr) -> Expr {
        self.own(ExprKind::Unary(operator, Box::new(operand)))
    }
    pub fn binary(self, operator: Binary, left: Expr, right: Expr) -> Expr {
        self.own(ExprKind::Binary(operator, Box::new(left), Box::new(right)))
    }
    pub fn written_binary(self, operator: Binary, left: Expr, right: Expr) -> Expr {
        self.written(ExprKind::Binary(operator, Box::new(left), Box::new(right)))
    }
    pub fn choose(self, condition: Expr, yes: Expr, no: Expr) -> Expr {
        self.own(ExprKind::If(Box::new(condition), Box::new(yes), Box::new(no)))
    }

    /// The word as a number from 0.
    pub fn number(self, word: &BitVector) -> Expr {
        match word.width {
            1 => self.unary(Unary::ToInt, word.expr.clone()),
            _ => word.expr.clone(),
        }
    }
    /// The word as a number with a sign (two's complement).
    pub fn signed(self, word: &BitVector) -> Expr {
        let number = self.number(word);
        let is_negative = self.is_negative(word);
        let below = self.binary(Binary::Minus, number.clone(), self.constant(size(word.width)));
        self.choose(is_negative, below, number)
    }
    /// Whether its first bit is set.
    pub fn is_negative(self, word: &BitVector) -> Expr {
        let half = self.constant(size(word.width - 1));
        self.binary(Binary::GreaterEqual, self.number(word), half)
    }
    /// A nonnegative number that fits, as a word of that width.
    pub fn word(self, number: Expr, width: u32) -> Expr {
        match width {
            1 => self.unary(Unary::ToBool, number),
            _ => number,
        }
    }
    /// A nonnegative number, whose last bits make a word.
    pub fn wrapped(self, number: Expr, width: u32) -> Expr {
        let rest = self.binary(Binary::Modulo, number, self.constant(size(width)));
        self.word(rest, width)
    }
    /// A number, not below minus [`size`], whose last bits make a word.
    pub fn wrapped_signed(self, number: Expr, width: u32) -> Expr {
        let positive = self.binary(Binary::Plus, number, self.constant(size(width)));
        self.wrapped(positive, width)
    }
    /// The `width` bits from `low` on.
    pub fn slice(self, word: &BitVector, low: u32, width: u32) -> Expr {
        let shifted = self.binary(Binary::Divide, self.number(word), self.constant(size(low)));
        self.wrapped(shifted, width)
    }
}
