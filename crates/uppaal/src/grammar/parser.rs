//! The expression parser (Pratt, UPPAAL's precedences).
//!
//! Nesting and tree height are bounded, so neither parsing nor any later recursion can exhaust the stack.

use crate::grammar::cursor::{UppaalParser, is_reserved, join};
use crate::grammar::depth::too_deep;
use crate::grammar::lexer::TokenKind;
use crate::grammar::syntax::{ExprNode, QuantifierKeyword, SyntaxResult, Tree};
use crate::grammar::types::select;
use tamper_text::{Diagnostic, MAX_HEIGHT, Span};
use tamper_timed::model::{BinaryOp, UnaryOp};

const PREFIX_POWER: u8 = 30;
/// The body of a quantifier extends as far as possible, except over assignments.
const QUANTIFIED_POWER: u8 = 3;

impl UppaalParser {
    /// A comma-separated list of expressions up to the end of the text.
    pub(crate) fn expression_list(&mut self) -> SyntaxResult<Vec<Tree>> {
        let mut list = vec![self.expression()?];
        while self.eat(",") {
            list.push(self.expression()?);
        }
        self.expect_end()?;
        Ok(list)
    }

    /// One expression.
    pub(crate) fn expression(&mut self) -> SyntaxResult<Tree> {
        self.climb(0)
    }

    fn climb(&mut self, least: u8) -> SyntaxResult<Tree> {
        self.deeper(|parser| parser.climb_inner(least))
    }

    fn climb_inner(&mut self, least: u8) -> SyntaxResult<Tree> {
        let mut left = self.prefix()?;
        loop {
            left = self.postfix(left)?;
            let Some((operator, power, right_assoc)) = infix(&self.peek().kind) else {
                return Ok(left);
            };
            if power < least {
                return Ok(left);
            }
            self.bump();
            let next = if right_assoc { power } else { power + 1 };
            left = match operator {
                InfixOperator::Cond => {
                    let then = self.climb(0)?;
                    self.expect(":")?;
                    let other = self.climb(next)?;
                    tree(
                        join(left.span, other.span),
                        |[a, b, c]| ExprNode::Cond(a, b, c),
                        [left, then, other],
                    )?
                }
                InfixOperator::Assign(op) => binary(left, self.climb(next)?, |a, b| ExprNode::Assign(op, a, b))?,
                InfixOperator::Xor => {
                    let truth = |side: Tree| {
                        let zero = Tree {
                            node: ExprNode::Number(0),
                            span: side.span,
                            height: 1,
                        };
                        binary(side, zero, |a, b| ExprNode::Binary(BinaryOp::Ne, a, b))
                    };
                    let right = self.climb(next)?;
                    binary(truth(left)?, truth(right)?, |a, b| ExprNode::Binary(BinaryOp::Ne, a, b))?
                }
                InfixOperator::Op(op) => binary(left, self.climb(next)?, |a, b| ExprNode::Binary(op, a, b))?,
            };
        }
    }

    fn prefix(&mut self) -> SyntaxResult<Tree> {
        let token = self.peek().clone();
        let leaf = |node| Tree {
            node,
            span: token.span,
            height: 1,
        };
        match &token.kind {
            TokenKind::Number(number) => {
                self.bump();
                Ok(leaf(ExprNode::Number(*number)))
            }
            TokenKind::Real => {
                self.bump();
                Ok(leaf(ExprNode::Real))
            }
            TokenKind::Text => {
                self.bump();
                Ok(leaf(ExprNode::Text))
            }
            TokenKind::Sign("(") => {
                self.bump();
                let inner = self.climb(0)?;
                let close = self.expect(")")?;
                Ok(Tree {
                    span: join(token.span, close.span),
                    ..inner
                })
            }
            TokenKind::Sign("{") => {
                let error = Diagnostic::error("a list in braces is a value only in a declaration", token.span);
                Err(error
                    .with_help("assign the elements one by one, or copy a constant: `const T c = { … };`, `v = c`"))
            }
            TokenKind::Sign(sign @ ("!" | "-" | "+" | "++" | "--")) => self.prefix_operator(sign),
            TokenKind::Word(word) => match word.as_str() {
                "not" => self.prefix_operator("!"),
                "true" | "false" => {
                    self.bump();
                    Ok(leaf(ExprNode::Bool(word == "true")))
                }
                "forall" => self.quantified(QuantifierKeyword::ForAll),
                "exists" => self.quantified(QuantifierKeyword::Exists),
                "sum" => self.quantified(QuantifierKeyword::Sum),
                _ if is_reserved(word) => Err(self.unexpected("an expression")),
                _ => self.name_or_call(),
            },
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn quantified(&mut self, quantifier: QuantifierKeyword) -> SyntaxResult<Tree> {
        let keyword = self.bump().span;
        self.expect("(")?;
        let variable = select(self)?;
        self.expect(")")?;
        let body = self.climb(QUANTIFIED_POWER)?;
        let span = join(keyword, body.span);
        let node = |[body]: [Box<Tree>; 1]| ExprNode::Quantified(quantifier, Box::new(variable), body);
        tree(span, node, [body])
    }

    fn prefix_operator(&mut self, sign: &str) -> SyntaxResult<Tree> {
        let start = self.bump().span;
        if sign == "-" && self.peek().kind == TokenKind::Number(-i64::from(i32::MIN)) {
            let span = join(start, self.bump().span);
            return tree(span, |[]| ExprNode::Number(i64::from(i32::MIN)), []);
        }
        let operand = self.climb(PREFIX_POWER)?;
        let span = join(start, operand.span);
        match sign {
            "!" => tree(span, |[a]| ExprNode::Unary(UnaryOp::Not, a), [operand]),
            "-" => tree(span, |[a]| ExprNode::Unary(UnaryOp::Neg, a), [operand]),
            "++" => tree(span, |[a]| ExprNode::Step(1, false, a), [operand]),
            "--" => tree(span, |[a]| ExprNode::Step(-1, false, a), [operand]),
            _ => Ok(Tree { span, ..operand }),
        }
    }

    fn name_or_call(&mut self) -> SyntaxResult<Tree> {
        let name = self.expect_name("a name")?;
        if !self.eat("(") {
            return Ok(Tree {
                node: ExprNode::Name(name.text),
                span: name.span,
                height: 1,
            });
        }
        let mut arguments = Vec::new();
        while !self.is_sign(")") {
            arguments.push(self.climb(0)?);
            if !self.eat(",") {
                break;
            }
        }
        let close = self.expect(")")?;
        let height = 1 + arguments.iter().map(|argument| argument.height).max().unwrap_or(0);
        let span = join(name.span, close.span);
        within_height(Tree {
            node: ExprNode::Call(name.text, arguments),
            span,
            height,
        })
    }

    fn postfix(&mut self, mut left: Tree) -> SyntaxResult<Tree> {
        loop {
            let TokenKind::Sign(sign) = self.peek().kind else {
                return Ok(left);
            };
            let start = left.span;
            let here = join(start, self.peek().span);
            left = match sign {
                "[" => {
                    self.bump();
                    let index = self.climb(0)?;
                    let close = self.expect("]")?;
                    tree(join(start, close.span), |[a, b]| ExprNode::Index(a, b), [left, index])?
                }
                "." => {
                    self.bump();
                    let field = self.expect_name("a field")?;
                    tree(join(start, field.span), |[a]| ExprNode::Member(a, field), [left])?
                }
                "'" => {
                    self.bump();
                    tree(here, |[a]| ExprNode::Rate(a), [left])?
                }
                "++" | "--" => {
                    self.bump();
                    let by = if sign == "++" { 1 } else { -1 };
                    tree(here, |[a]| ExprNode::Step(by, true, a), [left])?
                }
                _ => return Ok(left),
            };
        }
    }
}

#[derive(Clone, Copy)]
enum InfixOperator {
    Op(BinaryOp),
    Xor,
    Assign(Option<BinaryOp>),
    Cond,
}

/// The infix operator of a token, its binding power and whether it associates to the right.
fn infix(kind: &TokenKind) -> Option<(InfixOperator, u8, bool)> {
    use BinaryOp as B;
    let op = |op, power| Some((InfixOperator::Op(op), power, false));
    let assign = |op| Some((InfixOperator::Assign(op), 2, true));
    let name = match kind {
        TokenKind::Sign(sign) => sign,
        TokenKind::Word(word) => word.as_str(),
        _ => return None,
    };
    match name {
        "=" | ":=" => assign(None),
        "+=" => assign(Some(B::Add)),
        "-=" => assign(Some(B::Sub)),
        "*=" => assign(Some(B::Mul)),
        "/=" => assign(Some(B::Div)),
        "%=" => assign(Some(B::Rem)),
        "&=" => assign(Some(B::BitAnd)),
        "|=" => assign(Some(B::BitOr)),
        "^=" => assign(Some(B::BitXor)),
        "<<=" => assign(Some(B::Shl)),
        ">>=" => assign(Some(B::Shr)),
        "?" => Some((InfixOperator::Cond, 4, true)),
        "||" | "or" => op(B::Or, 6),
        "imply" => op(B::Imply, 6),
        "xor" => Some((InfixOperator::Xor, 6, false)),
        "&&" | "and" => op(B::And, 8),
        "|" => op(B::BitOr, 10),
        "^" => op(B::BitXor, 12),
        "&" => op(B::BitAnd, 14),
        "==" => op(B::Eq, 16),
        "!=" => op(B::Ne, 16),
        "<" => op(B::Lt, 18),
        "<=" => op(B::Le, 18),
        ">=" => op(B::Ge, 18),
        ">" => op(B::Gt, 18),
        "<?" => op(B::Min, 20),
        ">?" => op(B::Max, 20),
        "<<" => op(B::Shl, 22),
        ">>" => op(B::Shr, 22),
        "+" => op(B::Add, 24),
        "-" => op(B::Sub, 24),
        "*" => op(B::Mul, 26),
        "/" => op(B::Div, 26),
        "%" => op(B::Rem, 26),
        "**" => op(B::Pow, 28),
        _ => None,
    }
}

fn binary(left: Tree, right: Tree, node: impl FnOnce(Box<Tree>, Box<Tree>) -> ExprNode) -> SyntaxResult<Tree> {
    tree(join(left.span, right.span), |[a, b]| node(a, b), [left, right])
}

fn tree<const N: usize>(
    span: Span,
    node: impl FnOnce([Box<Tree>; N]) -> ExprNode,
    parts: [Tree; N],
) -> SyntaxResult<Tree> {
    let height = 1 + parts.iter().map(|part| part.height).max().unwrap_or(0);
    if height > MAX_HEIGHT {
        return Err(too_deep(span));
    }
    Ok(Tree {
        node: node(parts.map(Box::new)),
        span,
        height,
    })
}

fn within_height(tree: Tree) -> SyntaxResult<Tree> {
    if tree.height > MAX_HEIGHT {
        Err(too_deep(tree.span))
    } else {
        Ok(tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::lexer::lex;
    use crate::text::Text;

    fn show(tree: &Tree) -> String {
        match &tree.node {
            ExprNode::Number(number) => number.to_string(),
            ExprNode::Bool(value) => value.to_string(),
            ExprNode::Name(name) => name.clone(),
            ExprNode::Unary(op, a) => format!("({op:?} {})", show(a)),
            ExprNode::Binary(op, a, b) => format!("({op:?} {} {})", show(a), show(b)),
            ExprNode::Cond(a, b, c) => format!("(if {} {} {})", show(a), show(b), show(c)),
            ExprNode::Assign(None, a, b) => format!("(set {} {})", show(a), show(b)),
            ExprNode::Assign(Some(op), a, b) => format!("(set{op:?} {} {})", show(a), show(b)),
            ExprNode::Step(by, old, a) => format!("(step {by} {old} {})", show(a)),
            ExprNode::Rate(a) => format!("(rate {})", show(a)),
            ExprNode::Index(a, b) => format!("(index {} {})", show(a), show(b)),
            ExprNode::Member(a, field) => format!("(member {} {})", show(a), field.text),
            ExprNode::Quantified(kind, variable, body) => {
                let kind = format!("{kind:?}").to_lowercase();
                format!("({kind} {} {})", variable.name.text, show(body))
            }
            ExprNode::Call(name, arguments) => {
                format!("({name} {})", arguments.iter().map(show).collect::<Vec<_>>().join(" "))
            }
            ExprNode::Real => "real".to_owned(),
            ExprNode::Text => "text".to_owned(),
        }
    }

    fn check(input: &str, expected: &str) {
        let list = UppaalParser::new(lex(&Text::standing(input, 0)).tokens).expression_list();
        let shown = match list {
            Ok(list) => list.iter().map(show).collect::<Vec<_>>().join(", "),
            Err(error) => format!("error: {}", error.message),
        };
        assert_eq!(shown, expected, "{input}");
    }

    #[test]
    fn precedences_are_uppaals() {
        check("a || b && c == d + e * f", "(Or a (And b (Eq c (Add d (Mul e f)))))");
        check("a - b - c", "(Sub (Sub a b) c)");
        check("not a and b or c", "(Or (And (Not a) b) c)");
        check("a imply b || c", "(Or (Imply a b) c)");
        check("!a == b", "(Eq (Not a) b)");
        check("-a * b", "(Mul (Neg a) b)");
        check("-a ** b * c ** d ** e", "(Mul (Pow (Neg a) b) (Pow (Pow c d) e))");
        check("a ? b : c ? d : e", "(if a b (if c d e))");
        check("a = b := c + 1, d += 2", "(set a (set b (Add c 1))), (setAdd d 2)");
        check("a & b | c ^ d", "(BitOr (BitAnd a b) (BitXor c d))");
        check("a <? b < c << 1", "(Lt (Min a b) (Shl c 1))");
        check("i++, --j", "(step 1 true i), (step -1 false j)");
        check(
            "x' == 0 && a[i].b < f(c, 2)",
            "(And (Eq (rate x) 0) (Lt (member (index a i) b) (f c 2)))",
        );
        check("((a))", "a");
        check("a xor b", "(Ne (Ne a 0) (Ne b 0))");
        check("a <", "error: expected an expression, found the end of the text");
        check("a b", "error: expected an operator or the end of the text, found `b`");
        check(
            "a && forall (i : int[0,3]) i < b || c",
            "(And a (forall i (Or (Lt i b) c)))",
        );
    }

    #[test]
    fn depth_is_bounded() {
        let deep = format!("{}x{}", "(".repeat(100_000), ")".repeat(100_000));
        check(&deep, "error: this expression is nested too deeply");
        check(
            &vec!["x"; 100_000].join("&&"),
            "error: this expression is nested too deeply",
        );
        check(&"!".repeat(100_000), "error: this expression is nested too deeply");
        check(
            &format!("a{}", "[a".repeat(100_000)),
            "error: this expression is nested too deeply",
        );
        check(
            &format!("a{}", "'".repeat(100_000)),
            "error: this expression is nested too deeply",
        );
        assert!(
            UppaalParser::new(lex(&Text::standing(&vec!["x"; 900].join("&&"), 0)).tokens)
                .expression()
                .is_ok()
        );
    }
}
