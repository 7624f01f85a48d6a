//! Assignments of an edge, in order.

use super::lower::{Lower, Lowered, Meaning, Value, fold};
use super::scope::Range;
use super::syntax::{Node, Tree};
use crate::model::{BinaryOp, Expr, Update};
use crate::text::{Diagnostic, Span};

impl Lower<'_> {
    /// The assignments of `trees`; every error goes to `diagnostics`.
    pub(super) fn updates(&mut self, trees: &[Tree], diagnostics: &mut Vec<Diagnostic>) -> Vec<Update> {
        let mut updates = Vec::new();
        for tree in trees {
            if let Err(error) = self.statement(tree, &mut updates, diagnostics) {
                diagnostics.extend(error);
            }
        }
        updates
    }

    fn statement(&mut self, tree: &Tree, updates: &mut Vec<Update>, notes: &mut Vec<Diagnostic>) -> Lowered<()> {
        match &tree.node {
            Node::Assign(..) | Node::Step(..) => self.assignment(tree, updates).map(|_| ()),
            _ => {
                let value = self.data(tree)?;
                if value.expr.as_const().is_none() {
                    notes.push(Diagnostic::warning("this assignment has no effect", tree.span));
                }
                Ok(())
            }
        }
    }

    /// Adds an assignment (and those inside its right-hand side); gives the value assigned.
    fn assignment(&mut self, tree: &Tree, updates: &mut Vec<Update>) -> Lowered<Value> {
        let (target, op, operand) = match &tree.node {
            Node::Assign(op, target, value) => (target, *op, self.right_side(value, updates)?),
            Node::Step(by, _, target) => (
                target,
                Some(BinaryOp::Add),
                Value {
                    expr: Expr::Const(*by),
                    boolean: false,
                },
            ),
            _ => return self.data(tree),
        };
        let Node::Name(name) = &target.node else {
            self.data(target)?;
            return Err(Some(not_assignable("this", target.span)));
        };
        match self.meaning(name, target.span)? {
            Meaning::Value(_) => Err(Some(not_assignable(&format!("the constant `{name}`"), target.span))),
            Meaning::Clock(clock) => {
                let value = self.reset_value(op, operand, tree.span)?;
                self.mark_written(name);
                updates.push(Update::Reset(clock, value.expr.clone()));
                Ok(value)
            }
            Meaning::Int(int, range) => {
                let old = Value {
                    expr: Expr::Var(int),
                    boolean: range.boolean,
                };
                let new = match op {
                    None => operand,
                    Some(op) => self.binary(op, old, operand, tree.span)?,
                };
                self.mark_written(name);
                updates.push(Update::Assign(int, converted(new, range, tree.span)?));
                Ok(Value {
                    expr: Expr::Var(int),
                    boolean: range.boolean,
                })
            }
        }
    }

    fn right_side(&mut self, tree: &Tree, updates: &mut Vec<Update>) -> Lowered<Value> {
        match &tree.node {
            Node::Assign(..) | Node::Step(_, false, _) => self.assignment(tree, updates),
            Node::Name(name) => match self.meaning(name, tree.span)? {
                Meaning::Clock(_) => Err(Some(
                    Diagnostic::error(format!("the value of the clock `{name}` is copied"), tree.span)
                        .with_help("a clock is reset to an integer expression only; keep a second clock instead"),
                )),
                _ => self.data(tree),
            },
            _ => self.data(tree),
        }
    }

    fn reset_value(&mut self, op: Option<BinaryOp>, operand: Value, span: Span) -> Lowered<Value> {
        let refuse = |message: &str, help: &str| Err(Some(Diagnostic::error(message, span).with_help(help)));
        match operand.expr.as_const() {
            _ if op.is_some() => refuse(
                "a clock is changed relative to its value",
                "a clock is reset to an integer expression only",
            ),
            Some(value) if value < 0 => refuse("a clock is reset to a negative number", "clocks have values from 0 on"),
            Some(value) if i32::try_from(value).is_err() => refuse(
                "a clock is reset to a number that does not fit in 32 bits",
                "choose a larger time unit",
            ),
            _ => Ok(operand),
        }
    }
}

/// `value` as a variable of `range` stores it: a boolean stores whether it is not 0.
fn converted(value: Value, range: Range, span: Span) -> Lowered<Expr> {
    if !range.boolean || value.boolean {
        return Ok(value.expr);
    }
    fold(
        Expr::Binary(BinaryOp::Ne, Box::new(value.expr), Box::new(Expr::Const(0))),
        span,
    )
}

fn not_assignable(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error(format!("{what} cannot be assigned"), span).with_help("assign to a variable or a clock")
}
