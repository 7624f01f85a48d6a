//! Expressions, from the weakest operator to the strongest as NuSMV has them: `->` (to the right), `<->`, `? :`,
//! `|` `xor` `xnor`, `&`, comparisons, `in`, `union`, `+` `-`, `*` `/` `mod`, unary `-`, `!`.

use super::reader::Reader;
use crate::formats::tokens::{Stopped, Token};
use crate::{Binary, Expr, ExprKind, Unary};
use tamper_text::{Diagnostic, Height, Span};

type Parsed = Result<Expr, Stopped>;

/// An operator between two operands.
#[derive(Clone, Copy)]
enum Infix {
    Binary(Binary),
    In,
    Union,
}

/// Operators of one strength, which go to the left.
type Level = &'static [(&'static str, Infix)];

const LEVELS: [Level; 8] = [
    &[("<->", Infix::Binary(Binary::Iff))],
    &[
        ("|", Infix::Binary(Binary::Or)),
        ("xor", Infix::Binary(Binary::Xor)),
        ("xnor", Infix::Binary(Binary::Xnor)),
    ],
    &[("&", Infix::Binary(Binary::And))],
    &[
        ("=", Infix::Binary(Binary::Equal)),
        ("!=", Infix::Binary(Binary::Unequal)),
        ("<", Infix::Binary(Binary::Less)),
        (">", Infix::Binary(Binary::Greater)),
        ("<=", Infix::Binary(Binary::LessEqual)),
        (">=", Infix::Binary(Binary::GreaterEqual)),
    ],
    &[("in", Infix::In)],
    &[("union", Infix::Union)],
    &[("+", Infix::Binary(Binary::Plus)), ("-", Infix::Binary(Binary::Minus))],
    &[
        ("*", Infix::Binary(Binary::Times)),
        ("/", Infix::Binary(Binary::Divide)),
        ("mod", Infix::Binary(Binary::Modulo)),
    ],
];
/// The level whose operands are conditional expressions.
const EQUIVALENCE: usize = 0;

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

impl<'a> Reader<'a> {
    /// An expression whose operands have the right types.
    pub(super) fn expression(&mut self) -> Parsed {
        self.nested(Self::implication)
    }
    /// What `read` reads, one part deeper.
    fn nested(&mut self, read: fn(&mut Self) -> Parsed) -> Parsed {
        self.tokens.deeper()?;
        let parsed = read(self)?;
        self.tokens.depth -= 1;
        Ok(parsed)
    }
    fn implication(&mut self) -> Parsed {
        let left = self.chain(EQUIVALENCE)?;
        if !self.tokens.take("->") {
            return Ok(left);
        }
        let height = self.height;
        let right = self.nested(Self::implication)?;
        self.above(height)?;
        self.combine(Infix::Binary(Binary::Implies), left, right)
    }
    fn conditional(&mut self) -> Parsed {
        let condition = self.chain(EQUIVALENCE + 1)?;
        if !self.tokens.take("?") {
            return Ok(condition);
        }
        self.need_truth(&condition)?;
        let height = self.height;
        let yes = self.expression()?;
        let height = height.max(self.height);
        self.tokens.expect(":")?;
        let no = self.nested(Self::conditional)?;
        self.above(height)?;
        self.same_kind(&yes, &no)?;
        let span = condition.span.to(no.span);
        let parts = (Box::new(condition), Box::new(yes), Box::new(no));
        Ok(expr(ExprKind::If(parts.0, parts.1, parts.2), span))
    }
    /// Operators of a level, with stronger ones inside.
    fn chain(&mut self, level: usize) -> Parsed {
        let stronger = |reader: &mut Self| match level {
            EQUIVALENCE => reader.conditional(),
            _ => reader.chain(level + 1),
        };
        let Some(operators) = LEVELS.get(level) else {
            return self.minus();
        };
        let mut left = stronger(self)?;
        while let Some(operator) = self.take_one(operators) {
            let height = self.height;
            let right = stronger(self)?;
            self.above(height)?;
            left = self.combine(operator, left, right)?;
        }
        Ok(left)
    }
    fn minus(&mut self) -> Parsed {
        let start = self.tokens.here();
        if !self.tokens.take("-") {
            return self.negation();
        }
        // `-1..1` begins with -1.
        if let (Token::Number(number), end) = self.tokens.peek() {
            self.tokens.advance();
            return self.range_from(expr(ExprKind::Value(-number), start.to(end)));
        }
        let operand = self.nested(Self::minus)?;
        self.above(Height::LEAF)?;
        let span = start.to(operand.span);
        if let ExprKind::Value(number) = operand.kind
            && self.program.is_number(&operand)
        {
            return self.range_from(expr(ExprKind::Value(-number), span));
        }
        self.need_number(&operand)?;
        Ok(expr(ExprKind::Unary(Unary::Minus, Box::new(operand)), span))
    }
    fn negation(&mut self) -> Parsed {
        let start = self.tokens.here();
        if !self.tokens.take("!") {
            return self.primary();
        }
        let operand = self.nested(Self::negation)?;
        self.above(Height::LEAF)?;
        self.need_truth(&operand)?;
        let span = start.to(operand.span);
        Ok(expr(ExprKind::Unary(Unary::Not, Box::new(operand)), span))
    }

    /// Notes the height of what is above the part just read and others, the highest of which has `height`.
    fn above(&mut self, height: Height) -> Result<(), Stopped> {
        let span = self.tokens.here();
        let height = self.height.above_both(height);
        self.height = height.ok_or_else(|| self.tokens.too_high(span, "this expression is"))?;
        Ok(())
    }

    fn primary(&mut self) -> Parsed {
        self.height = Height::LEAF;
        let (token, span) = self.tokens.peek();
        self.tokens.advance();
        match token {
            Token::Number(number) => self.range_from(expr(ExprKind::Value(number), span)),
            Token::Sign("(") => {
                let inner = self.expression()?;
                self.tokens.expect(")")?;
                let span = self.tokens.since(span);
                Ok(Expr { span, ..inner })
            }
            Token::Sign("{") => self.set(span),
            Token::Name("case") => self.case(span),
            Token::Name(name) => self.name(name, span),
            Token::Sign(_) | Token::End => {
                self.tokens.at -= 1;
                Err(match token {
                    Token::Sign(sign) => {
                        let message = format!("an expression is expected, not `{sign}`");
                        self.refuse(message, span, "write a name, a value, `(`, `{` or `case`")
                    }
                    _ => self.refuse("the file ends within an expression", span, "complete it"),
                })
            }
        }
    }
    /// `1` or `1..3`.
    fn range_from(&mut self, first: Expr) -> Parsed {
        if !self.tokens.take("..") {
            return Ok(first);
        }
        let negative = self.tokens.take("-");
        let (token, span) = self.tokens.peek();
        let (ExprKind::Value(from), Token::Number(to)) = (&first.kind, token) else {
            return Err(self.refuse("a range ends with a number", span, "write it as `1..3`"));
        };
        self.tokens.advance();
        let to = if negative { -to } else { to };
        let span = first.span.to(span);
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
            if !self.tokens.take(",") {
                break;
            }
        }
        self.tokens.expect("}")?;
        self.above(height)?;
        let span = self.tokens.since(start);
        Ok(expr(ExprKind::Set(members), span))
    }
    fn case(&mut self, start: Span) -> Parsed {
        let mut branches: Vec<(Expr, Expr)> = Vec::new();
        let mut height = Height::LEAF;
        while !self.tokens.take("esac") {
            let when = self.expression()?;
            height = height.max(self.height);
            if let (ExprKind::Value(1), true) = (&when.kind, self.program.is_number(&when)) {
                return Err(self.refuse("the number 1 is no condition", when.span, "write `TRUE`"));
            }
            self.need_truth(&when)?;
            self.tokens.expect(":")?;
            let then = self.expression()?;
            height = height.max(self.height);
            if let Some((_, first)) = branches.first() {
                self.same_kind(first, &then)?;
            }
            self.tokens.expect(";")?;
            branches.push((when, then));
        }
        self.above(height)?;
        let span = self.tokens.since(start);
        if branches.is_empty() {
            return Err(self.refuse("a case without branches", span, "write `condition : value;` in it"));
        }
        Ok(expr(ExprKind::Case(branches), span))
    }

    fn name(&mut self, name: &'a str, span: Span) -> Parsed {
        let applied = self.tokens.peek().0 == Token::Sign("(");
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
                Some(_) if matches!(self.tokens.peek().0, Token::Sign("[" | ".")) => {
                    let span = self.tokens.here();
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
        self.tokens.expect("(")?;
        let (token, span) = self.tokens.peek();
        self.tokens.advance();
        let found = match token {
            Token::Name(name) => self.look_up(name),
            _ => None,
        };
        let Some(ExprKind::Now(var)) = found else {
            return Err(self.refuse("only the next value of a variable is read", span, "write `next(x)`"));
        };
        self.tokens.expect(")")?;
        self.note_next(var, span);
        let span = self.tokens.since(start);
        Ok(expr(ExprKind::Next(var), span))
    }
    fn function(&mut self, name: &str, start: Span) -> Parsed {
        self.tokens.expect("(")?;
        let first = self.expression()?;
        let second = if matches!(name, "max" | "min") {
            let height = self.height;
            self.tokens.expect(",")?;
            let second = self.expression()?;
            self.above(height)?;
            Some(second)
        } else {
            None
        };
        self.tokens.expect(")")?;
        let span = self.tokens.since(start);
        if let Some(second) = second {
            self.need_number(&first)?;
            self.need_number(&second)?;
            let operator = if name == "max" { Binary::Max } else { Binary::Min };
            let kind = ExprKind::Binary(operator, Box::new(first), Box::new(second));
            return Ok(expr(kind, span));
        }
        self.above(Height::LEAF)?;
        let operator = match name {
            "abs" => Unary::Abs,
            "bool" => Unary::ToBool,
            _ => Unary::ToInt,
        };
        match operator {
            Unary::ToInt => self.need_truth(&first)?,
            _ => self.need_number(&first)?,
        }
        Ok(expr(ExprKind::Unary(operator, Box::new(first)), span))
    }

    /// `left operator right`, if the operator takes such operands.
    fn combine(&mut self, operator: Infix, left: Expr, right: Expr) -> Parsed {
        match operator {
            Infix::Binary(Binary::Equal | Binary::Unequal) => {
                self.need_one(&left)?;
                self.need_one(&right)?;
                self.same_kind(&left, &right)?;
            }
            Infix::Binary(operator) if operator < Binary::Equal => {
                self.need_truth(&left)?;
                self.need_truth(&right)?;
            }
            Infix::Binary(_) => {
                self.need_number(&left)?;
                self.need_number(&right)?;
            }
            Infix::In => {
                self.need_one(&left)?;
                self.same_kind(&left, &right)?;
            }
            Infix::Union => self.same_kind(&left, &right)?,
        }
        let span = left.span.to(right.span);
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = match operator {
            Infix::Binary(operator) => ExprKind::Binary(operator, left, right),
            Infix::In => ExprKind::In(left, right),
            Infix::Union => ExprKind::Union(left, right),
        };
        Ok(expr(kind, span))
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
                self.tokens
                    .diagnostics
                    .push(error.with_help("TRUE and FALSE are no numbers: write `toint(x)`"));
                Err(Stopped)
            }
        }
    }
}
