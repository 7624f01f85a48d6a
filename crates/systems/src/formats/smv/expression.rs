//! Expressions, from the weakest operator to the strongest as NuSMV has them: `->` (to the right), `<->`, `? :`,
//! `|` `xor` `xnor`, `&`, comparisons, `in`, `union`, `+` `-`, `*` `/` `mod`, unary `-`, `!`.

use super::lexer::Token;
use super::reader::{Reader, Stopped};
use crate::{Binary, Expr, ExprKind, Unary};
use tamper_text::{Diagnostic, Height, Span, too_high};

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 200;

type Parsed = Result<Expr, Stopped>;

/// Operators of one strength.
type Level = &'static [(&'static str, Binary)];

const OR: Level = &[("|", Binary::Or), ("xor", Binary::Xor), ("xnor", Binary::Xnor)];
const AND: Level = &[("&", Binary::And)];
const COMPARE: Level = &[
    ("=", Binary::Equal),
    ("!=", Binary::Unequal),
    ("<", Binary::Less),
    (">", Binary::Greater),
    ("<=", Binary::LessEqual),
    (">=", Binary::GreaterEqual),
];
const SUM: Level = &[("+", Binary::Plus), ("-", Binary::Minus)];
const PRODUCT: Level = &[("*", Binary::Times), ("/", Binary::Divide), ("mod", Binary::Modulo)];

/// Words that NuSMV reads as operators or types, none of which is read here.
const FOREIGN: [&str; 33] = [
    "word1",
    "signed",
    "unsigned",
    "extend",
    "resize",
    "sizeof",
    "swconst",
    "uwconst",
    "count",
    "READ",
    "WRITE",
    "CONSTARRAY",
    "typeof",
    "floor",
    "EX",
    "AX",
    "EF",
    "AF",
    "EG",
    "AG",
    "E",
    "A",
    "F",
    "O",
    "G",
    "H",
    "X",
    "Y",
    "Z",
    "U",
    "S",
    "V",
    "T",
];

fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

fn from_to(left: &Expr, right: &Expr) -> Span {
    Span {
        start: left.span.start,
        end: right.span.end,
    }
}

impl<'a> Reader<'a> {
    /// An expression whose operands have the right types.
    pub(super) fn expression(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let span = self.peek().1;
            return Err(self.refuse("this is nested too deep", span, "use definitions"));
        }
        let parsed = self.implication();
        self.depth -= 1;
        parsed
    }
    fn implication(&mut self) -> Parsed {
        let left = self.equivalence()?;
        if !self.take("->") {
            return Ok(left);
        }
        let height = self.height;
        self.deeper()?;
        let right = self.implication()?;
        self.depth -= 1;
        self.above(height)?;
        self.combine(Binary::Implies, left, right)
    }
    fn equivalence(&mut self) -> Parsed {
        let mut left = self.conditional()?;
        while self.take("<->") {
            let height = self.height;
            let right = self.conditional()?;
            self.above(height)?;
            left = self.combine(Binary::Iff, left, right)?;
        }
        Ok(left)
    }
    fn conditional(&mut self) -> Parsed {
        let condition = self.chain(&[OR, AND, COMPARE])?;
        if !self.take("?") {
            return Ok(condition);
        }
        self.need_truth(&condition)?;
        let height = self.height;
        let yes = self.expression()?;
        let height = height.max(self.height);
        self.expect(":")?;
        self.deeper()?;
        let no = self.conditional()?;
        self.depth -= 1;
        self.above(height)?;
        self.same_kind(&yes, &no)?;
        let span = from_to(&condition, &no);
        let parts = (Box::new(condition), Box::new(yes), Box::new(no));
        Ok(expr(ExprKind::If(parts.0, parts.1, parts.2), span))
    }
    /// Operators to the left, the first level being the weakest.
    fn chain(&mut self, levels: &[Level]) -> Parsed {
        let Some((level, stronger)) = levels.split_first() else {
            return self.membership();
        };
        let mut left = self.chain(stronger)?;
        while let Some(operator) = self.take_one(level) {
            let height = self.height;
            let right = self.chain(stronger)?;
            self.above(height)?;
            left = self.combine(operator, left, right)?;
        }
        Ok(left)
    }
    fn membership(&mut self) -> Parsed {
        let mut left = self.union()?;
        while self.take("in") {
            let height = self.height;
            let right = self.union()?;
            self.above(height)?;
            self.need_one(&left)?;
            self.same_kind(&left, &right)?;
            let span = from_to(&left, &right);
            left = expr(ExprKind::In(Box::new(left), Box::new(right)), span);
        }
        Ok(left)
    }
    fn union(&mut self) -> Parsed {
        let mut left = self.sum()?;
        while self.take("union") {
            let height = self.height;
            let right = self.sum()?;
            self.above(height)?;
            self.same_kind(&left, &right)?;
            let span = from_to(&left, &right);
            left = expr(ExprKind::Union(Box::new(left), Box::new(right)), span);
        }
        Ok(left)
    }
    fn sum(&mut self) -> Parsed {
        let mut left = self.product()?;
        while let Some(operator) = self.take_one(SUM) {
            let height = self.height;
            let right = self.product()?;
            self.above(height)?;
            left = self.combine(operator, left, right)?;
        }
        Ok(left)
    }
    fn product(&mut self) -> Parsed {
        let mut left = self.minus()?;
        while let Some(operator) = self.take_one(PRODUCT) {
            let height = self.height;
            let right = self.minus()?;
            self.above(height)?;
            left = self.combine(operator, left, right)?;
        }
        Ok(left)
    }
    fn minus(&mut self) -> Parsed {
        let start = self.peek().1;
        if !self.take("-") {
            return self.negation();
        }
        // `-1..1` begins with -1.
        if let (Token::Number(number), end) = self.peek() {
            self.advance();
            let span = Span {
                start: start.start,
                end: end.end,
            };
            return self.range_from(expr(ExprKind::Value(-number), span));
        }
        self.deeper()?;
        let operand = self.minus()?;
        self.depth -= 1;
        self.above(Height::LEAF)?;
        let span = Span {
            start: start.start,
            end: operand.span.end,
        };
        if let ExprKind::Value(number) = operand.kind
            && self.program.is_number(&operand)
        {
            return self.range_from(expr(ExprKind::Value(-number), span));
        }
        self.need_number(&operand)?;
        Ok(expr(ExprKind::Unary(Unary::Minus, Box::new(operand)), span))
    }
    fn negation(&mut self) -> Parsed {
        let start = self.peek().1;
        if !self.take("!") {
            return self.primary();
        }
        self.deeper()?;
        let operand = self.negation()?;
        self.depth -= 1;
        self.above(Height::LEAF)?;
        self.need_truth(&operand)?;
        let span = Span {
            start: start.start,
            end: operand.span.end,
        };
        Ok(expr(ExprKind::Unary(Unary::Not, Box::new(operand)), span))
    }
    fn deeper(&mut self) -> Result<(), Stopped> {
        self.depth += 1;
        let span = self.peek().1;
        match self.depth > MAX_DEPTH {
            true => Err(self.refuse("this is nested too deep", span, "use definitions")),
            false => Ok(()),
        }
    }

    /// Notes the height of what is above the part just read and others, the highest of which has `height`.
    fn above(&mut self, height: Height) -> Result<(), Stopped> {
        match self.height.above_both(height) {
            Some(height) => {
                self.height = height;
                Ok(())
            }
            None => {
                let span = self.peek().1;
                Err(self.refuse(too_high("this expression is"), span, "divide it by variables"))
            }
        }
    }

    fn primary(&mut self) -> Parsed {
        self.height = Height::LEAF;
        let (token, span) = self.peek();
        match token {
            Token::Number(number) => {
                self.advance();
                self.range_from(expr(ExprKind::Value(number), span))
            }
            Token::Sign("(") => {
                self.advance();
                let mut inner = self.expression()?;
                self.expect(")")?;
                inner.span = Span {
                    start: span.start,
                    end: self.last_end(),
                };
                Ok(inner)
            }
            Token::Sign("{") => {
                self.advance();
                self.set(span)
            }
            Token::Name("case") => {
                self.advance();
                self.case(span)
            }
            Token::Name(name) => {
                self.advance();
                self.name(name, span)
            }
            Token::Sign(sign) => Err(self.refuse(
                format!("an expression is expected, not `{sign}`"),
                span,
                "write a name, a value, `(`, `{` or `case`",
            )),
            Token::End => Err(self.refuse("the file ends within an expression", span, "complete it")),
        }
    }
    /// `1` or `1..3`.
    fn range_from(&mut self, first: Expr) -> Parsed {
        if !self.take("..") {
            return Ok(first);
        }
        let negative = self.take("-");
        let (token, span) = self.peek();
        let (ExprKind::Value(from), Token::Number(to)) = (&first.kind, token) else {
            return Err(self.refuse("a range ends with a number", span, "write it as `1..3`"));
        };
        self.advance();
        let to = if negative { -to } else { to };
        let span = Span {
            start: first.span.start,
            end: span.end,
        };
        if *from > to {
            return Err(self.refuse(
                format!("the range {from}..{to} is empty"),
                span,
                "begin with the smaller number",
            ));
        }
        if to - from > 1 << 20 {
            return Err(self.refuse("a choice among more than a million numbers", span, "make it smaller"));
        }
        Ok(expr(ExprKind::Range(*from, to), span))
    }
    fn set(&mut self, start: Span) -> Parsed {
        let mut members: Vec<Expr> = Vec::new();
        let mut height = Height::LEAF;
        loop {
            let member = self.expression()?;
            height = height.max(self.height);
            if let Some(first) = members.first() {
                self.same_kind(first, &member)?;
            }
            members.push(member);
            if !self.take(",") {
                break;
            }
        }
        self.expect("}")?;
        self.above(height)?;
        let span = Span {
            start: start.start,
            end: self.last_end(),
        };
        Ok(expr(ExprKind::Set(members), span))
    }
    fn case(&mut self, start: Span) -> Parsed {
        let mut branches: Vec<(Expr, Expr)> = Vec::new();
        let mut height = Height::LEAF;
        while !self.take("esac") {
            let when = self.expression()?;
            height = height.max(self.height);
            if let (ExprKind::Value(1), true) = (&when.kind, self.program.is_number(&when)) {
                return Err(self.refuse("the number 1 is no condition", when.span, "write `TRUE`"));
            }
            self.need_truth(&when)?;
            self.expect(":")?;
            let then = self.expression()?;
            height = height.max(self.height);
            if let Some((_, first)) = branches.first() {
                self.same_kind(first, &then)?;
            }
            self.expect(";")?;
            branches.push((when, then));
        }
        self.above(height)?;
        let span = Span {
            start: start.start,
            end: self.last_end(),
        };
        if branches.is_empty() {
            return Err(self.refuse("a case without branches", span, "write `condition : value;` in it"));
        }
        Ok(expr(ExprKind::Case(branches), span))
    }

    fn name(&mut self, name: &'a str, span: Span) -> Parsed {
        let applied = self.peek().0 == Token::Sign("(");
        match name {
            "TRUE" | "FALSE" => Ok(expr(ExprKind::Bool(name == "TRUE"), span)),
            "next" if applied => self.next_of(span),
            "abs" | "toint" | "bool" | "max" | "min" if applied => self.function(name, span),
            _ if applied => Err(self.refuse(
                format!("the function `{name}` is not read"),
                span,
                "spell out what it does",
            )),
            _ => match self.look_up(name) {
                Some(_) if matches!(self.peek().0, Token::Sign("[" | ".")) => {
                    let span = self.peek().1;
                    Err(self.refuse("arrays, words and modules are not read", span, "spell them out"))
                }
                Some(kind) => Ok(expr(kind, span)),
                None if FOREIGN.contains(&name) => {
                    Err(self.refuse(format!("the operator `{name}` is not read"), span, "use those that are"))
                }
                None => Err(self.refuse(
                    format!("`{name}` is not declared"),
                    span,
                    "declare it, or correct the name",
                )),
            },
        }
    }
    fn next_of(&mut self, start: Span) -> Parsed {
        self.expect("(")?;
        let (token, span) = self.peek();
        self.advance();
        let found = match token {
            Token::Name(name) => self.look_up(name),
            _ => None,
        };
        let Some(ExprKind::Now(var)) = found else {
            return Err(self.refuse("only the next value of a variable is read", span, "write `next(x)`"));
        };
        self.expect(")")?;
        self.note_next(var, span);
        let span = Span {
            start: start.start,
            end: self.last_end(),
        };
        Ok(expr(ExprKind::Next(var), span))
    }
    fn function(&mut self, name: &str, start: Span) -> Parsed {
        self.expect("(")?;
        let first = self.expression()?;
        if matches!(name, "max" | "min") {
            let height = self.height;
            self.expect(",")?;
            let second = self.expression()?;
            self.above(height)?;
            self.expect(")")?;
            self.need_number(&first)?;
            self.need_number(&second)?;
            let operator = if name == "max" { Binary::Max } else { Binary::Min };
            let span = Span {
                start: start.start,
                end: self.last_end(),
            };
            return Ok(expr(
                ExprKind::Binary(operator, Box::new(first), Box::new(second)),
                span,
            ));
        }
        self.expect(")")?;
        self.above(Height::LEAF)?;
        let operator = match name {
            "abs" => {
                self.need_number(&first)?;
                Unary::Abs
            }
            "bool" => {
                self.need_number(&first)?;
                Unary::ToBool
            }
            _ => {
                self.need_truth(&first)?;
                Unary::ToInt
            }
        };
        let span = Span {
            start: start.start,
            end: self.last_end(),
        };
        Ok(expr(ExprKind::Unary(operator, Box::new(first)), span))
    }

    /// `left operator right`, if the operator takes such operands.
    fn combine(&mut self, operator: Binary, left: Expr, right: Expr) -> Parsed {
        match operator {
            Binary::Equal | Binary::Unequal => {
                self.need_one(&left)?;
                self.need_one(&right)?;
                self.same_kind(&left, &right)?;
            }
            _ if operator < Binary::Equal => {
                self.need_truth(&left)?;
                self.need_truth(&right)?;
            }
            _ => {
                self.need_number(&left)?;
                self.need_number(&right)?;
            }
        }
        let span = from_to(&left, &right);
        Ok(expr(ExprKind::Binary(operator, Box::new(left), Box::new(right)), span))
    }

    fn need_one(&mut self, operand: &Expr) -> Result<(), Stopped> {
        match self.program.is_choice(operand) {
            true => Err(self.refuse(
                "a choice stands where one value is needed",
                operand.span,
                "choices are read as the value of an assignment, in its cases and sets; elsewhere write `in`",
            )),
            false => Ok(()),
        }
    }
    pub(super) fn need_truth(&mut self, operand: &Expr) -> Result<(), Stopped> {
        self.need_one(operand)?;
        match self.program.is_boolean(operand) {
            true => Ok(()),
            false => Err(self.refuse(
                "this is no truth value",
                operand.span,
                "write a condition, TRUE or FALSE",
            )),
        }
    }
    fn need_number(&mut self, operand: &Expr) -> Result<(), Stopped> {
        self.need_one(operand)?;
        match self.program.is_number(operand) {
            true => Ok(()),
            false => Err(self.refuse(
                "this is no number",
                operand.span,
                "numbers are compared and added, nothing else",
            )),
        }
    }
    fn same_kind(&mut self, left: &Expr, right: &Expr) -> Result<(), Stopped> {
        match self.program.is_boolean(left) == self.program.is_boolean(right) {
            true => Ok(()),
            false => {
                let error = Diagnostic::error("a truth value meets a value that is none", right.span);
                let error = error.with_secondary(left.span, "the other one");
                self.diagnostics
                    .push(error.with_help("TRUE and FALSE are no numbers: write `toint(x)`"));
                Err(Stopped)
            }
        }
    }
}
