//! Expressions over integers and booleans, with the values that they have in JavaScript.
//!
//! Without division no expression tells 0 from -0, so that integers stand for all values of variables.

use std::collections::BTreeMap;

use crate::charts::data::{DataTerm, LARGEST, Variable};
use tamper_text::Cursor;

/// Most parts of an expression.
const MOST_PARTS: usize = 200;
const UNARY: u8 = 7;
const EQUALITY: u8 = 3;

/// Longer signs come before those that they begin with. Operators with more power bind more.
const OPERATORS: [(&str, u8); 14] = [
    ("===", EQUALITY),
    ("!==", EQUALITY),
    ("==", EQUALITY),
    ("!=", EQUALITY),
    ("<=", 4),
    (">=", 4),
    ("<", 4),
    (">", 4),
    ("&&", 2),
    ("||", 1),
    ("+", 5),
    ("-", 5),
    ("*", 6),
    ("%", 6),
];

/// An expression, and whether it is a number.
pub(super) struct Typed {
    pub term: DataTerm,
    pub is_number: bool,
}

/// What names in an expression stand for.
#[derive(Clone, Copy)]
pub(super) struct Scope<'s> {
    pub data: &'s [Variable],
    pub ids: &'s BTreeMap<String, usize>,
    /// Whether an event that has a name is handled.
    pub has_event: bool,
}

impl Scope<'_> {
    /// The expression in `text`, if it is exact.
    pub fn read(self, text: &str) -> Option<Typed> {
        let (cursor, left) = (Cursor::new(text), MOST_PARTS);
        let mut parser = Parser {
            cursor,
            scope: self,
            left,
        };
        let read = parser
            .climb(0)
            .filter(|_| !text.contains("++") && !text.contains("--"))?;
        parser.space();
        parser.cursor.is_at_end().then_some(read)
    }
}

impl Typed {
    fn new(term: DataTerm, is_number: bool) -> Self {
        Self { term, is_number }
    }

    fn not(self) -> Self {
        let sides = [self.term, DataTerm::Number(0.0)];
        Self::new(DataTerm::Binary("!", Box::new(sides)), false)
    }
}

fn joined((sign, power): (&'static str, u8), left: Typed, right: Typed) -> Option<Typed> {
    // `&&` and `||` of numbers are one of them.
    let wants_numbers = match power {
        EQUALITY => left.is_number,
        power => power > EQUALITY,
    };
    let fits = left.is_number == wants_numbers && right.is_number == wants_numbers;
    let term = DataTerm::Binary(sign, Box::new([left.term, right.term]));
    fits.then(|| Typed::new(term, power > 4))
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

    fn operator(&mut self, least: u8) -> Option<(&'static str, u8)> {
        self.space();
        let next = OPERATORS.iter().find(|(sign, _)| self.cursor.is_at(sign));
        let (sign, power) = next.filter(|(_, power)| *power >= least)?;
        self.eat(sign).map(|()| (*sign, *power))
    }

    fn climb(&mut self, least: u8) -> Option<Typed> {
        self.left = self.left.checked_sub(1)?;
        let mut left = self.operand(least)?;
        while let Some(operator) = self.operator(least) {
            left = joined(operator, left, self.climb(operator.1 + 1)?)?;
        }
        Some(left)
    }

    fn operand(&mut self, least: u8) -> Option<Typed> {
        if self.eat("(").is_some() {
            let inner = self.climb(0)?;
            return self.eat(")").map(|()| inner);
        }
        if self.eat("!").is_some() {
            return self.climb(UNARY).map(Typed::not);
        }
        if self.eat("-").is_some() {
            return joined(("-", 5), Typed::new(DataTerm::Number(0.0), true), self.climb(UNARY)?);
        }
        let is_named = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
        let word = self.cursor.take_while(is_named).text;
        match word {
            "true" | "false" => Some(Typed::new(DataTerm::Number(f64::from(word == "true")), false)),
            "In" => {
                self.eat("(")?;
                let state = self.scope.ids.get(self.literal()?)?;
                self.eat(")").map(|()| Typed::new(DataTerm::In(*state), false))
            }
            "_event.name" if self.scope.has_event && least <= EQUALITY => {
                let (sign, _) = self.operator(EQUALITY).filter(|(_, power)| *power == EQUALITY)?;
                let said = Typed::new(DataTerm::Event(self.literal()?.to_owned()), false);
                Some(if sign.starts_with('!') { said.not() } else { said })
            }
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => {
                let number = word.parse().ok().filter(|number: &i64| *number <= LARGEST)?;
                let is_plain = word.len() == 1 || !word.starts_with('0');
                is_plain.then(|| Typed::new(DataTerm::Number(number as f64), true))
            }
            _ => {
                let variable = self.scope.data.iter().position(|known| known.name == word)?;
                Some(Typed::new(
                    DataTerm::Variable(variable),
                    !self.scope.data[variable].is_truth,
                ))
            }
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
