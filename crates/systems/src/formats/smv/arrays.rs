//! Arrays whose sizes are constants, written out: each element is a variable, called `a[0]`. An index that is no constant
//! becomes a case, which has no branch outside of the bounds.
//!
//! Constants of types are sums and products of numbers and of definitions.

use super::elements::Array;
use super::expression::{ExprResult, expr};
use super::reader::{Reading, SmvReader};
use crate::formats::tokens::{ErrorReported, Token};
use crate::{Binary, Define, Expr, ExprKind, VarId};
use tamper_text::{Height, Id, Span};

/// The largest number of elements of an array.
const MOST: u64 = 1 << 12;

impl SmvReader<'_> {
    /// `array 0..3 of array 1..2 of`, if it is next: the bounds of each index.
    pub(super) fn array_bounds(&mut self) -> Result<Vec<(i64, i64)>, ErrorReported> {
        let (mut bounds, mut n_elements) = (Vec::new(), 1_u64);
        while self.tokens.take("array") {
            let start = self.tokens.here();
            let first = self.integer()?;
            self.tokens.expect("..")?;
            let last = self.integer()?;
            let span = self.tokens.since(start);
            self.tokens.expect("of")?;
            n_elements = n_elements.saturating_mul(last.abs_diff(first).saturating_add(1));
            if first > last {
                return Err(self.refuse(format!("the range {first}..{last} is empty"), span, "turn it round"));
            }
            if n_elements > MOST {
                let message = format!("an array of more than {MOST} elements");
                return Err(self.refuse(message, span, "each element is a variable: make it smaller"));
            }
            bounds.push((first, last));
        }
        Ok(bounds)
    }

    /// Whether a constant number begins with that token.
    pub(super) fn is_constant(&self, token: Token<'_>) -> bool {
        match token {
            Token::Number(_) | Token::Sign("-" | "(") => true,
            Token::Name(name) => self.constants.contains_key(name),
            _ => false,
        }
    }
    /// A constant number of a type.
    pub(super) fn integer(&mut self) -> Result<i64, ErrorReported> {
        let start = self.tokens.here();
        self.tokens.deeper()?;
        let mut sum = Some(self.product()?);
        while let Some(is_plus) = self.take_one(&[("+", true), ("-", false)]) {
            let next = self.product()?;
            sum = sum.and_then(|sum| match is_plus {
                true => sum.checked_add(next),
                false => sum.checked_sub(next),
            });
        }
        self.tokens.depth -= 1;
        let fits = |sum: &i64| sum.unsigned_abs() <= i32::MAX as u64;
        let span = self.tokens.since(start);
        sum.filter(fits)
            .ok_or_else(|| self.refuse("this number is too large", span, "write a smaller one"))
    }
    fn product(&mut self) -> Result<i64, ErrorReported> {
        let start = self.tokens.here();
        let mut product = Some(self.factor()?);
        while self.tokens.take("*") {
            let next = self.factor()?;
            product = product.and_then(|product| product.checked_mul(next));
        }
        let span = self.tokens.since(start);
        product.ok_or_else(|| self.refuse("this number is too large", span, "write a smaller one"))
    }
    fn factor(&mut self) -> Result<i64, ErrorReported> {
        if self.tokens.take("(") {
            let inner = self.integer()?;
            self.tokens.expect(")")?;
            return Ok(inner);
        }
        if self.tokens.take("-") {
            self.tokens.deeper()?;
            let value = -self.factor()?;
            self.tokens.depth -= 1;
            return Ok(value);
        }
        let (token, span) = self.tokens.peek();
        let constant = match token {
            Token::Name(name) => self.constants.get(name).copied(),
            _ => return self.tokens.number("ranges are written `0..7`"),
        };
        let (Token::Name(name), Some((body, known))) = (token, constant) else {
            return Err(self.refuse(
                "this is no number and no definition of one",
                span,
                "ranges are written `0..7`",
            ));
        };
        let at = std::mem::replace(&mut self.tokens.at, body);
        let value = match known {
            Some(value) => value,
            None => {
                let value = self.integer()?;
                self.tokens.expect(";")?;
                self.constants.insert(name, (body, Some(value)));
                value
            }
        };
        self.tokens.at = at + 1;
        Ok(value)
    }

    /// The element of an array that is assigned: its indices are constants.
    pub(super) fn assigned_element(&mut self, array: &Array) -> Result<VarId, ErrorReported> {
        let mut at = 0;
        for bounds in &array.bounds {
            self.tokens.expect("[")?;
            let start = self.tokens.here();
            let index = self.integer()?;
            let span = self.tokens.since(start);
            at = at * (bounds.1 - bounds.0 + 1) + self.within(index, *bounds, span)? - bounds.0;
            self.tokens.expect("]")?;
        }
        Ok(VarId::from_index(array.first.index() + at as usize))
    }
    fn within(&mut self, index: i64, (first, last): (i64, i64), span: Span) -> Result<i64, ErrorReported> {
        match (first..=last).contains(&index) {
            true => Ok(index),
            false => {
                let message = format!("there is no element {index}: the first is {first}, the last {last}");
                Err(self.refuse(message, span, "correct the index"))
            }
        }
    }

    /// The value of the element of an array whose indices follow.
    pub(super) fn element(&mut self, name: &str, array: &Array, start: Span) -> ExprResult {
        let mut indices: Vec<Expr> = Vec::new();
        let mut height = Height::LEAF;
        for bounds in &array.bounds {
            self.tokens.expect("[")?;
            let index = self.expression()?;
            if self.word.is_some() {
                return Err(self.refuse(
                    "an index is a number, and this is a word",
                    index.span,
                    "write `toint(…)`",
                ));
            }
            self.need_number(&index)?;
            self.tokens.expect("]")?;
            if let ExprKind::Value(value) = index.kind {
                self.within(value, *bounds, index.span)?;
            }
            height = height.max(self.height);
            indices.push(self.shared(name, index));
        }
        self.above(height)?;
        self.above(Height::LEAF)?;
        self.word = self.variable_words.get(&array.first).copied();
        let span = self.tokens.since(start);
        let chosen = array.indices().into_iter().zip(array.elements());
        let mut branches = chosen.filter_map(|(at, var)| Some((conditions(&indices, &at, span)?, var)));
        if indices.iter().all(|index| matches!(index.kind, ExprKind::Value(_))) {
            let var = branches.next().map_or(array.first, |(_, var)| var);
            return Ok(expr(ExprKind::Now(var), span));
        }
        let branch = |(when, var)| (when, Expr::unwritten(ExprKind::Now(var), span));
        Ok(expr(ExprKind::Case(branches.map(branch).collect()), span))
    }
    /// An index that is read once for each element: it becomes a definition, so that it is written, and mutated, once.
    fn shared(&mut self, array: &str, index: Expr) -> Expr {
        let span = index.span;
        let kind = match index.kind {
            ExprKind::Value(_) | ExprKind::Now(_) | ExprKind::Next(_) | ExprKind::Define(_) => index.kind,
            _ => {
                let is_new = |name: &String| !self.program.defines.iter().any(|define| define.name == *name);
                let mut names = (1..).map(|number| format!("{array}$at{number}"));
                let asked = self.program.next_values(&index);
                let define = self.program.defines.push(Define {
                    name: names.find(is_new).unwrap_or_default(),
                    body: index.clone(),
                    is_choice: false,
                    is_boolean: false,
                    is_number: true,
                });
                self.bodies.push(self.tokens.at);
                self.read.push(Reading::Done);
                if !asked.is_empty() {
                    self.define_asked.insert(define, asked);
                }
                ExprKind::Define(define)
            }
        };
        Expr::unwritten(kind, span)
    }
}

/// The condition that the indices have those values; `None` if a constant differs.
fn conditions(indices: &[Expr], values: &[i64], span: Span) -> Option<Expr> {
    let mut all: Option<Expr> = None;
    for (index, value) in indices.iter().zip(values) {
        if let ExprKind::Value(constant) = index.kind {
            if constant != *value {
                return None;
            }
            continue;
        }
        let value = Expr::unwritten(ExprKind::Value(*value), span);
        let kind = ExprKind::Binary(Binary::Equal, Box::new(index.clone()), Box::new(value));
        let same = Expr::unwritten(kind, span);
        all = Some(match all {
            None => same,
            Some(all) => {
                let kind = ExprKind::Binary(Binary::And, Box::new(all), Box::new(same));
                Expr::unwritten(kind, span)
            }
        });
    }
    Some(all.unwrap_or_else(|| Expr::unwritten(ExprKind::Bool(true), span)))
}
