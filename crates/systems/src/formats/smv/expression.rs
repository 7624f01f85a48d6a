//! Expressions, from the weakest operator to the strongest as NuSMV has them: `->` (to the right), `<->`, `? :`,
//! `|` `xor` `xnor`, `&`, comparisons, `in`, `union`, `<<` `>>`, `+` `-`, `*` `/` `mod`, unary `-`, `::`, `!`, bits of words.

use super::lexer::FOREIGN;
use super::reader::SmvReader;
use super::words::{WORD_FUNCTIONS, WordType};
use crate::formats::tokens::{ErrorReported, Token, WordConstant};
use crate::{Binary, Expr, ExprKind, Role, Unary};
use tamper_text::{Diagnostic, Height, Span};

pub(super) type ExprResult = Result<Expr, ErrorReported>;

/// An operator between two operands.
#[derive(Clone, Copy)]
enum Infix {
    Binary(Binary),
    In,
    Union,
    /// A shift to the left (or to the right).
    Shift(bool),
}

/// Operators of one strength, which associate to the left.
type PrecedenceLevel = &'static [(&'static str, Infix)];

const LEVELS: [PrecedenceLevel; 9] = [
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
    &[("<<", Infix::Shift(true)), (">>", Infix::Shift(false))],
    &[("+", Infix::Binary(Binary::Plus)), ("-", Infix::Binary(Binary::Minus))],
    &[
        ("*", Infix::Binary(Binary::Times)),
        ("/", Infix::Binary(Binary::Divide)),
        ("mod", Infix::Binary(Binary::Modulo)),
    ],
];
/// The level whose operands are conditional expressions.
const EQUIVALENCE: usize = 0;

pub(super) fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

impl<'a> SmvReader<'a> {
    /// An expression whose operands have the right types.
    pub(super) fn expression(&mut self) -> ExprResult {
        self.nested(Self::implication)
    }
    /// Calls `read` one level of nesting deeper.
    fn nested(&mut self, read: fn(&mut Self) -> ExprResult) -> ExprResult {
        self.tokens.deeper()?;
        let parsed = read(self)?;
        self.tokens.depth -= 1;
        Ok(parsed)
    }
    fn implication(&mut self) -> ExprResult {
        let left = self.chain(EQUIVALENCE)?;
        if !self.tokens.take("->") {
            return Ok(left);
        }
        let (height, word) = (self.height, self.word);
        let right = self.nested(Self::implication)?;
        self.above(height)?;
        self.combine(Infix::Binary(Binary::Implies), word, left, right)
    }
    fn conditional(&mut self) -> ExprResult {
        let condition = self.chain(EQUIVALENCE + 1)?;
        if !self.tokens.take("?") {
            return Ok(condition);
        }
        self.need_truth(&condition)?;
        let height = self.height;
        let yes = self.expression()?;
        let height = height.max(self.height);
        let word = self.word;
        self.tokens.expect(":")?;
        let no = self.nested(Self::conditional)?;
        self.above(height)?;
        self.same_kind(&yes, word, &no)?;
        let span = condition.span.to(no.span);
        let parts = (Box::new(condition), Box::new(yes), Box::new(no));
        Ok(expr(ExprKind::If(parts.0, parts.1, parts.2), span))
    }
    /// Parses the operators of a level, with stronger ones inside.
    fn chain(&mut self, level: usize) -> ExprResult {
        let stronger = |reader: &mut Self| match level {
            EQUIVALENCE => reader.conditional(),
            _ => reader.chain(level + 1),
        };
        let Some(operators) = LEVELS.get(level) else {
            return self.minus();
        };
        let mut left = stronger(self)?;
        while let Some(operator) = self.take_one(operators) {
            let (height, word) = (self.height, self.word);
            let right = stronger(self)?;
            self.above(height)?;
            left = self.combine(operator, word, left, right)?;
        }
        Ok(left)
    }
    fn minus(&mut self) -> ExprResult {
        let start = self.tokens.here();
        if !self.tokens.take("-") {
            return self.concatenation();
        }
        // `-1..1` begins with -1.
        if let (Token::Number(number), end) = self.tokens.peek() {
            self.tokens.advance();
            (self.height, self.word) = (Height::LEAF, None);
            return self.range_from(expr(ExprKind::Value(-number), start.to(end)));
        }
        let operand = self.nested(Self::minus)?;
        self.above(Height::LEAF)?;
        let span = start.to(operand.span);
        if let Some(word) = self.word {
            self.need_one(&operand)?;
            let negative = expr(ExprKind::Unary(Unary::Minus, Box::new(operand)), span);
            return self.lowered(word.wrapped(negative), span);
        }
        if let ExprKind::Value(number) = operand.kind
            && self.program.is_number(&operand)
        {
            return self.range_from(expr(ExprKind::Value(-number), span));
        }
        self.need_number(&operand)?;
        Ok(expr(ExprKind::Unary(Unary::Minus, Box::new(operand)), span))
    }
    pub(super) fn negation(&mut self) -> ExprResult {
        let start = self.tokens.here();
        if !self.tokens.take("!") {
            let word = self.primary()?;
            return self.selection(word);
        }
        let operand = self.nested(Self::negation)?;
        self.above(Height::LEAF)?;
        let span = start.to(operand.span);
        if let Some(word) = self.word {
            self.need_one(&operand)?;
            return self.lowered(word.inverted(operand), span);
        }
        self.need_truth(&operand)?;
        Ok(expr(ExprKind::Unary(Unary::Not, Box::new(operand)), span))
    }

    /// Records the height of an expression above the part just read and other parts, the highest of which has `height`.
    pub(super) fn above(&mut self, height: Height) -> Result<(), ErrorReported> {
        let span = self.tokens.here();
        let height = self.height.above_both(height);
        self.height = height.ok_or_else(|| self.tokens.too_high(span, "this expression is"))?;
        Ok(())
    }

    fn primary(&mut self) -> ExprResult {
        (self.height, self.word) = (Height::LEAF, None);
        let (token, span) = self.tokens.peek();
        self.tokens.advance();
        match token {
            Token::Word(WordConstant {
                value,
                width,
                is_signed,
            }) => {
                let word = WordType { width, is_signed };
                self.word = Some(word);
                self.lowered(word.constant(value, span), span)
            }
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
    fn range_from(&mut self, first: Expr) -> ExprResult {
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
    fn set(&mut self, start: Span) -> ExprResult {
        let mut members: Vec<Expr> = Vec::new();
        let mut height = Height::LEAF;
        loop {
            let member = self.expression()?;
            height = height.max(self.height);
            self.no_word(&member)?;
            if let Some(first) = members.first() {
                self.same_kind(first, None, &member)?;
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
    fn case(&mut self, start: Span) -> ExprResult {
        let mut branches: Vec<(Expr, Expr)> = Vec::new();
        let (mut height, mut word) = (Height::LEAF, None);
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
            match branches.first() {
                Some((_, first)) => self.same_kind(first, word, &then)?,
                None => word = self.word,
            }
            self.tokens.expect(";")?;
            branches.push((when, then));
        }
        self.above(height)?;
        self.word = word;
        let span = self.tokens.since(start);
        if branches.is_empty() {
            return Err(self.refuse("a case without branches", span, "write `condition : value;` in it"));
        }
        Ok(expr(ExprKind::Case(branches), span))
    }

    fn name(&mut self, name: &'a str, span: Span) -> ExprResult {
        let applied = self.tokens.peek().0 == Token::Sign("(");
        match name {
            "TRUE" | "FALSE" => Ok(expr(ExprKind::Bool(name == "TRUE"), span)),
            "next" if applied => self.next_of(span),
            "abs" | "toint" | "bool" | "max" | "min" if applied => self.function(name, span),
            _ if applied && WORD_FUNCTIONS.contains(&name) => self.word_function(name, span),
            _ if applied => Err(self.refuse(
                format!("the function `{name}` is not read"),
                span,
                "spell out what it does",
            )),
            _ if self.arrays.contains_key(name) => {
                let array = self.arrays[name].clone();
                self.element(name, &array, span)
            }
            _ => match self.look_up(name) {
                Some(kind) => {
                    self.word = match &kind {
                        ExprKind::Now(var) => self.variable_words.get(var).copied(),
                        ExprKind::Define(define) => self.define_words.get(define).copied(),
                        _ => None,
                    };
                    // The user of a definition also reads the next values that the definition reads.
                    if let ExprKind::Define(define) = &kind
                        && let Some(asked) = self.define_asked.get(define)
                    {
                        self.asked.extend(asked.iter().map(|var| (*var, span)));
                    }
                    let next = self.tokens.peek();
                    if next.0 == Token::Sign(".") || (next.0 == Token::Sign("[") && self.word.is_none()) {
                        let message = format!("`{name}` is no array and no instance of a module");
                        return Err(self.refuse(message, next.1, "declare it as one, or correct the name"));
                    }
                    Ok(expr(kind, span))
                }
                None if FOREIGN.contains(&name) => {
                    Err(self.refuse(format!("the operator `{name}` is not read"), span, "use those that are"))
                }
                None if !self.refused.insert(name) => Err(ErrorReported),
                None => Err(self.refuse(
                    format!("`{name}` is not declared"),
                    span,
                    "declare it, or correct the name",
                )),
            },
        }
    }
    fn next_of(&mut self, start: Span) -> ExprResult {
        self.tokens.expect("(")?;
        let mut moved = self.nested(Self::implication)?;
        self.tokens.expect(")")?;
        self.moved(&mut moved)?;
        let span = self.tokens.since(start);
        Ok(Expr { span, ..moved })
    }
    /// Moves an expression to the next moment.
    fn moved(&mut self, expr: &mut Expr) -> Result<(), ErrorReported> {
        match expr.kind {
            ExprKind::Now(var) => {
                self.note_next(var, expr.span);
                expr.kind = ExprKind::Next(var);
            }
            ExprKind::Define(define) => {
                if self.program.defines[define].is_choice || self.define_asked.contains_key(&define) {
                    let help = "write what it says";
                    return Err(self.refuse("this definition has no value at the next moment", expr.span, help));
                }
                for var in self.program.depends_on(expr) {
                    if !matches!(self.program.variables[var].role, Role::Derived(_)) {
                        self.note_next(var, expr.span);
                    }
                }
                expr.kind = ExprKind::NextDefine(define);
            }
            ExprKind::Next(_) | ExprKind::NextDefine(_) => {
                return Err(self.refuse("only the next moment is read", expr.span, "write `next` once"));
            }
            _ => {}
        }
        expr.parts_mut().into_iter().try_for_each(|part| self.moved(part))
    }
    fn function(&mut self, name: &str, start: Span) -> ExprResult {
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
        if let Some(word) = self.word {
            let is_truth = name == "bool" && word.width == 1;
            if !is_truth && name != "toint" {
                let message = format!("`{name}` takes no word of {} bits", word.width);
                return Err(self.refuse(message, span, "compare it, or write `toint(…)`"));
            }
            self.need_one(&first)?;
            self.word = None;
            if !is_truth {
                return Ok(Expr { span, ..first });
            }
        }
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

    /// `left operator right`, if the operator takes these operands; `word` is the type of `left`, if that is a word.
    fn combine(&mut self, operator: Infix, word: Option<WordType>, left: Expr, right: Expr) -> ExprResult {
        if let Infix::Shift(to_left) = operator {
            return self.shift(to_left, word, left, right);
        }
        if word.is_some() || self.word.is_some() {
            self.same_word(&left, word, &right)?;
        }
        if let (Infix::Binary(operator), Some(word)) = (operator, word) {
            self.need_one(&left)?;
            self.need_one(&right)?;
            let span = left.span.to(right.span);
            let (result, is_word) = word.apply(operator, left, right);
            self.word = is_word.then_some(word);
            return self.lowered(result, span);
        }
        if let Infix::In | Infix::Union = operator {
            self.no_word(&right)?;
        }
        match operator {
            Infix::Binary(Binary::Equal | Binary::Unequal) => {
                self.need_one(&left)?;
                self.need_one(&right)?;
                self.same_kind(&left, None, &right)?;
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
                self.same_kind(&left, None, &right)?;
            }
            Infix::Union => self.same_kind(&left, None, &right)?,
            Infix::Shift(_) => {}
        }
        let span = left.span.to(right.span);
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = match operator {
            Infix::Binary(operator) => ExprKind::Binary(operator, left, right),
            Infix::In => ExprKind::In(left, right),
            Infix::Union | Infix::Shift(_) => ExprKind::Union(left, right),
        };
        Ok(expr(kind, span))
    }

    pub(super) fn need_one(&mut self, operand: &Expr) -> Result<(), ErrorReported> {
        match self.program.is_choice(operand) {
            true => Err(self.refuse(
                "a choice stands where one value is needed",
                operand.span,
                "choices are read as the value of an assignment, in its cases and sets; elsewhere write `in`",
            )),
            false => Ok(()),
        }
    }
    pub(super) fn need_truth(&mut self, operand: &Expr) -> Result<(), ErrorReported> {
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
    pub(super) fn need_number(&mut self, operand: &Expr) -> Result<(), ErrorReported> {
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
    /// Checks that the expression read last, `right`, has the type of `left`, which is a word of type `word` if that is
    /// given.
    fn same_kind(&mut self, left: &Expr, word: Option<WordType>, right: &Expr) -> Result<(), ErrorReported> {
        self.same_word(left, word, right)?;
        match self.program.is_boolean(left) == self.program.is_boolean(right) {
            true => Ok(()),
            false => {
                let error = Diagnostic::error("a truth value meets a value that is none", right.span);
                let error = error.with_secondary(left.span, "the other one");
                self.tokens
                    .diagnostics
                    .push(error.with_help("TRUE and FALSE are no numbers: write `toint(x)`"));
                Err(ErrorReported)
            }
        }
    }
}
