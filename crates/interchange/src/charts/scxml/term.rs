//! Expressions over integers and booleans that have the same value in JavaScript.

use std::collections::{BTreeMap, BTreeSet};

use super::data::Known;
use crate::charts::data::{DataTerm, LARGEST, Operator, OperatorKind};
use tamper_text::Cursor;

/// Integers up to this one are exact in JavaScript.
const MOST: i64 = 1 << 53;
/// Most parts of an expression.
const MOST_PARTS: usize = 200;
const UNARY: u8 = 7;
const EQUALITY: u8 = 3;

const fn operator(sign: &'static str, power: u8, kind: OperatorKind, of: fn(i64, i64) -> i64) -> Operator {
    Operator { sign, power, kind, of }
}

/// Longer signs come before those that they begin with.
static OPERATORS: [Operator; 14] = [
    operator("===", EQUALITY, OperatorKind::Equality, |a, b| i64::from(a == b)),
    operator("!==", EQUALITY, OperatorKind::Equality, |a, b| i64::from(a != b)),
    operator("==", EQUALITY, OperatorKind::Equality, |a, b| i64::from(a == b)),
    operator("!=", EQUALITY, OperatorKind::Equality, |a, b| i64::from(a != b)),
    operator("<=", 4, OperatorKind::Order, |a, b| i64::from(a <= b)),
    operator(">=", 4, OperatorKind::Order, |a, b| i64::from(a >= b)),
    operator("<", 4, OperatorKind::Order, |a, b| i64::from(a < b)),
    operator(">", 4, OperatorKind::Order, |a, b| i64::from(a > b)),
    operator("&&", 2, OperatorKind::Connective, |a, b| i64::from(a != 0 && b != 0)),
    operator("||", 1, OperatorKind::Connective, |a, b| i64::from(a != 0 || b != 0)),
    operator("+", 5, OperatorKind::Sum, |a, b| a + b),
    operator("-", 5, OperatorKind::Sum, |a, b| a - b),
    operator("*", 6, OperatorKind::Product, |a, b| a * b),
    operator("%", 6, OperatorKind::Remainder, |a, b| a % b),
];
static EQUAL: &Operator = &OPERATORS[2];
static UNEQUAL: &Operator = &OPERATORS[3];
static MINUS: &Operator = &OPERATORS[11];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Type {
    Number,
    Truth,
    /// `n && m` is one of its sides, of which only the truth is known here.
    Either,
}

/// An expression, its type and the most that its value is away from 0.
pub(super) struct Typed {
    pub term: DataTerm,
    pub kind: Type,
    most: i64,
}

/// What names in an expression stand for.
#[derive(Clone, Copy)]
pub(super) struct Scope<'s> {
    pub data: &'s [Known],
    pub ids: &'s BTreeMap<String, usize>,
    pub event: Handled<'s>,
}

/// Which event is handled where an expression is evaluated.
#[derive(Clone, Copy)]
pub(super) enum Handled<'s> {
    /// None is, or one that came before.
    Unknown,
    /// One that a transition names.
    Named,
    /// One of these, or any other.
    Any(&'s BTreeSet<String>),
}

impl Scope<'_> {
    /// The expression in `text`, if it is exact.
    pub fn read(self, text: &str) -> Option<Typed> {
        if text.contains("++") || text.contains("--") {
            return None;
        }
        let mut parser = Parser {
            cursor: Cursor::new(text),
            scope: self,
            left: MOST_PARTS,
        };
        let read = parser.climb(0)?;
        parser.space();
        parser.cursor.is_at_end().then_some(read)
    }
}

impl Typed {
    fn of(term: DataTerm, kind: Type, most: i64) -> Self {
        Self { term, kind, most }
    }

    /// Whether the value is taken for true, by a comparison with 0 if it is a number.
    pub fn truth(self) -> DataTerm {
        match self.kind {
            Type::Number => pair(UNEQUAL, [self.term, DataTerm::Number(0)]),
            Type::Truth | Type::Either => self.term,
        }
    }

    fn negated(self) -> Self {
        Self::of(pair(EQUAL, [self.term, DataTerm::Number(0)]), Type::Truth, 1)
    }
}

/// The operator on both sides, or its value where these are numbers.
fn pair(operator: &'static Operator, sides: [DataTerm; 2]) -> DataTerm {
    match sides {
        [DataTerm::Number(left), DataTerm::Number(right)] => DataTerm::Number((operator.of)(left, right)),
        sides => DataTerm::Binary(operator, Box::new(sides)),
    }
}

fn joined(operator: &'static Operator, left: Typed, right: Typed) -> Option<Typed> {
    let are = |kind: Type| left.kind == kind && right.kind == kind;
    let (kind, most) = match operator.kind {
        OperatorKind::Sum if are(Type::Number) => (Type::Number, left.most.checked_add(right.most)?),
        OperatorKind::Product if are(Type::Number) => (Type::Number, left.most.checked_mul(right.most)?),
        OperatorKind::Remainder if are(Type::Number) => match right.term {
            DataTerm::Number(number) if number != 0 => (Type::Number, left.most),
            _ => return None,
        },
        OperatorKind::Order if are(Type::Number) => (Type::Truth, 1),
        OperatorKind::Equality if are(Type::Number) || are(Type::Truth) => (Type::Truth, 1),
        OperatorKind::Connective if are(Type::Truth) => (Type::Truth, 1),
        OperatorKind::Connective => {
            let term = pair(operator, [left.truth(), right.truth()]);
            return Some(Typed::of(term, Type::Either, 1));
        }
        _ => return None,
    };
    (most <= MOST).then(|| Typed::of(pair(operator, [left.term, right.term]), kind, most))
}

struct Parser<'s> {
    cursor: Cursor<'s>,
    scope: Scope<'s>,
    /// Parts that may still come.
    left: usize,
}

impl<'s> Parser<'s> {
    fn space(&mut self) {
        self.cursor.take_while(char::is_whitespace);
    }

    fn eat(&mut self, sign: &str) -> Option<()> {
        self.space();
        self.cursor.eat(sign).then_some(())
    }

    fn operator(&mut self, least: u8) -> Option<&'static Operator> {
        self.space();
        let next = OPERATORS.iter().find(|operator| self.cursor.is_at(operator.sign));
        let operator = next.filter(|operator| operator.power >= least)?;
        self.cursor.take(operator.sign.len());
        Some(operator)
    }

    fn climb(&mut self, least: u8) -> Option<Typed> {
        self.left = self.left.checked_sub(1)?;
        let mut left = self.operand(least)?;
        while let Some(operator) = self.operator(least) {
            left = joined(operator, left, self.climb(operator.power + 1)?)?;
        }
        Some(left)
    }

    fn operand(&mut self, least: u8) -> Option<Typed> {
        if self.eat("(").is_some() {
            let inner = self.climb(0)?;
            return self.eat(")").map(|()| inner);
        }
        if self.eat("!").is_some() {
            return self.climb(UNARY).map(Typed::negated);
        }
        if self.eat("-").is_some() {
            let zero = Typed::of(DataTerm::Number(0), Type::Number, 0);
            return joined(MINUS, zero, self.climb(UNARY)?);
        }
        let is_named = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
        let word = self.cursor.take_while(is_named).text;
        match word {
            "true" | "false" => Some(Typed::of(DataTerm::Number((word == "true").into()), Type::Truth, 1)),
            "In" => {
                self.eat("(")?;
                let state = self.scope.ids.get(self.literal()?)?;
                self.eat(")")?;
                Some(Typed::of(DataTerm::In(*state), Type::Truth, 1))
            }
            "_event.name" => self.event(least),
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => {
                let number = word.parse().ok().filter(|number| *number <= LARGEST)?;
                let is_plain = word.len() == 1 || !word.starts_with('0');
                is_plain.then(|| Typed::of(DataTerm::Number(number), Type::Number, number))
            }
            _ => {
                let known = self.scope.data.iter().find(|known| known.name == word)?;
                let term = known
                    .position
                    .map_or(DataTerm::Number(known.initial), DataTerm::Variable);
                Some(match known.is_truth {
                    true => Typed::of(term, Type::Truth, 1),
                    false => Typed::of(term, Type::Number, LARGEST),
                })
            }
        }
    }

    /// A comparison of the name of the event with a text.
    fn event(&mut self, least: u8) -> Option<Typed> {
        let operator = self.operator(EQUALITY.max(least))?;
        let name = self.literal()?;
        let is_known = match self.scope.event {
            Handled::Unknown => false,
            Handled::Named => true,
            Handled::Any(events) => events.contains(name),
        };
        let said = Typed::of(DataTerm::Event(name.to_owned()), Type::Truth, 1);
        match operator.sign {
            _ if operator.power != EQUALITY || !is_known => None,
            "==" | "===" => Some(said),
            _ => Some(said.negated()),
        }
    }

    /// A text in quotes.
    fn literal(&mut self) -> Option<&'s str> {
        self.space();
        let quote = self.cursor.sign(&["'", "\""])?;
        self.cursor.take(1);
        let text = self.cursor.take_through(quote)?.text;
        (!text.contains('\\')).then_some(text)
    }
}
