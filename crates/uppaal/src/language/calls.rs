//! Calls of functions: of the file's functions, and of functions that UPPAAL defines.

use std::sync::Arc;

use super::choices::chosen;
use super::expressions::{LocatedKind, NumericExpr, cell, fold, no_number};
use super::scope::{Handover, NetworkLowering, SymbolKind};
use super::types::{NumericType, ResolvedType};
use crate::grammar::built_in::is_real_function;
use crate::grammar::syntax::{ExprNode, LoweringResult, Tree};
use tamper_text::{Diagnostic, Span};
use tamper_timed::model::{BinaryOp, UnaryOp};
use tamper_timed::network::{Argument, Clock, Expr, Place};

impl NetworkLowering<'_> {
    /// The value of a call.
    pub(super) fn value_of_call(&mut self, name: &str, arguments: &[Tree], span: Span) -> LoweringResult<NumericExpr> {
        match self.called(name, arguments, span)? {
            (_, ResolvedType::Void) => Err(Some(void_value(name, span))),
            (call, _) => Ok(call),
        }
    }

    /// A call of a function of the file, or of a function that UPPAAL defines; a function without a value is called for
    /// its effects.
    pub(super) fn call(&mut self, name: &str, arguments: &[Tree], span: Span) -> LoweringResult<Expr> {
        self.called(name, arguments, span).map(|(call, _)| call.expr)
    }

    /// A call with the type of its value.
    fn called(&mut self, name: &str, arguments: &[Tree], span: Span) -> LoweringResult<(NumericExpr, ResolvedType)> {
        if self.find(name).is_none() {
            let number = self.built_in(name, arguments, span)?;
            return Ok((number, ResolvedType::Number(NumericType::DEFAULT)));
        }
        let named = self.get(name, span)?;
        let SymbolKind::Function(function) = named.what else {
            let error = Diagnostic::error(format!("`{name}` is no function"), span);
            return Err(Some(
                error
                    .with_secondary(named.span, "declared here")
                    .with_help("remove the brackets"),
            ));
        };
        let Some(signature) = self.signatures.get(function).cloned() else {
            let error = Diagnostic::error(format!("`{name}` calls itself: recursion is not supported"), span);
            return Err(Some(error.with_help("write a loop")));
        };
        self.called = self.called.max(signature.height);
        if signature.parameters.len() != arguments.len() {
            let message = format!(
                "`{name}` takes {} arguments, not {}",
                signature.parameters.len(),
                arguments.len()
            );
            return Err(Some(
                Diagnostic::error(message, span).with_help("give one argument per parameter"),
            ));
        }
        let mut list = Vec::new();
        for ((ty, handover, parameter), argument) in signature.parameters.iter().zip(arguments) {
            self.argument(ty, *handover, parameter, argument, &mut list)?;
        }
        self.reads |= signature.reads;
        self.writes |= signature.writes;
        let position = u32::try_from(function).expect("fewer than 2^32 functions");
        let (boolean, scalar) = signature.result.flavour();
        let number = NumericExpr {
            expr: Expr::Call(position, list),
            boolean,
            scalar,
        };
        Ok((number, signature.result))
    }

    /// Adds the argument `tree` of the parameter `name`.
    fn argument(
        &mut self,
        ty: &ResolvedType,
        handover: Handover,
        name: &str,
        tree: &Tree,
        list: &mut Vec<Argument>,
    ) -> LoweringResult<()> {
        let is_number = handover == Handover::Value && matches!(ty, ResolvedType::Number(_));
        if let Some(choice) = chosen(tree).filter(|_| !is_number && handover != Handover::Unread) {
            let ExprNode::Cond(test, then, other) = choice.node else {
                unreachable!("a choice is a conditional")
            };
            let test = self.integer(&test)?;
            let [then, other] = [then, other].map(|part| {
                self.choosing(tree.span, |this| {
                    let mut list = Vec::new();
                    this.argument(ty, handover, name, &part, &mut list).map(|()| list)
                })
            });
            list.push(Argument::Choice(test, then?, other?));
            return Ok(());
        }
        if ty.n_clocks() > 0 {
            return self.clocks(ty, tree, list);
        }
        let argument = self.plain_argument(ty, handover, name, tree)?;
        list.push(argument);
        Ok(())
    }

    /// Adds the clocks, or the structure with clocks, that `tree` names.
    fn clocks(&mut self, ty: &ResolvedType, tree: &Tree, list: &mut Vec<Argument>) -> LoweringResult<()> {
        let writes = std::mem::take(&mut self.writes);
        let located = self.located(tree);
        let changes = std::mem::replace(&mut self.writes, true);
        let located = located?;
        self.same_type(ty, &located.ty, tree.span)?;
        let (base, steps) = match located.kind {
            LocatedKind::Clocks(base) => (base, located.steps),
            LocatedKind::Mixed(root, offset, base) => {
                let steps = located.steps;
                list.push(Argument::Reference(Place { root, offset, steps }));
                (base, located.clock_steps)
            }
            _ => return Err(Some(no_number(&located))),
        };
        if changes {
            self.writes = writes;
            let error = Diagnostic::error("an index that changes a variable, on the way to clocks", tree.span);
            return Err(Some(error.with_help("change it first, in an update of its own")));
        }
        list.push(Argument::Clocks(Clock { base, steps }, ty.n_clocks()));
        Ok(())
    }

    fn plain_argument(
        &mut self,
        ty: &ResolvedType,
        handover: Handover,
        name: &str,
        tree: &Tree,
    ) -> LoweringResult<Argument> {
        if let Handover::Reference { writes } = handover {
            let located = match writes {
                true => self.writable(tree)?,
                false => self.located(tree)?,
            };
            self.same_type(ty, &located.ty, tree.span)?;
            return match located.kind {
                LocatedKind::Cells(..) => Ok(Argument::Reference(located.place())),
                _ => Err(Some(no_number(&located))),
            };
        }
        if handover == Handover::Unread {
            let mut effects = Vec::new();
            self.without_value(tree, true, &mut effects)?;
            return match effects.len() {
                0 | 1 => {
                    let value = effects.pop().unwrap_or(Expr::Const(0));
                    Ok(Argument::Value(
                        value,
                        Arc::new(cell(name, NumericType::DEFAULT.of_constants())),
                    ))
                }
                _ => Err(Some(
                    Diagnostic::error("an argument that is not read does several things", tree.span)
                        .with_help("do them first, in updates of their own"),
                )),
            };
        }
        match ty {
            ResolvedType::Number(numbers) => {
                let value = self.scalar_of(tree, numbers.scalar)?;
                Ok(Argument::Value(value, Arc::new(cell(name, *numbers))))
            }
            _ => {
                let place = self.block(tree, ty)?;
                Ok(Argument::Block(place, ty.size()))
            }
        }
    }

    fn built_in(&mut self, name: &str, arguments: &[Tree], span: Span) -> LoweringResult<NumericExpr> {
        let expr = match (name, arguments) {
            ("abs", [of]) => {
                let value = self.integer(of)?;
                match value.as_const() {
                    Some(value) if value >= 0 => Expr::Const(value),
                    Some(_) => fold(Expr::Unary(UnaryOp::Neg, Box::new(value))),
                    None => Expr::Abs(Box::new(value)),
                }
            }
            ("min" | "fmin", [left, right]) => return self.binary(BinaryOp::Min, left, right, span),
            ("max" | "fmax", [left, right]) => return self.binary(BinaryOp::Max, left, right, span),
            // Whatever rounds a number leaves an integer as it is.
            ("fint" | "floor" | "ceil" | "round" | "trunc", [of]) => self.integer(of)?,
            _ => {
                let message = match is_real_function(name) {
                    true => format!("`{name}` is about floating-point numbers, which are not supported"),
                    false => format!("there is no function `{name}`"),
                };
                return Err(Some(Diagnostic::error(message, span).with_help(
                    "declare it before it is called; of UPPAAL's own, abs, min, max, fint, floor, ceil, round and trunc are known, of integers",
                )));
            }
        };
        Ok(NumericExpr::plain(expr, false))
    }
}

fn void_value(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(format!("`{name}` gives no value: its type is `void`"), span)
        .with_help("call it in an update of its own, or let it return something")
}
