//! Functions.

use std::sync::Arc;

use super::super::depth::MAX_CALLS;
use super::super::syntax::{Declaration, FunctionTree, Lowered, StatementTree, Tree, Variable};
use super::expressions::cell;
use super::scope::{Handover, Lowering, Signature, What};
use super::types::Type;
use crate::network::{Expr, Function, Place, Root, Statement};
use crate::text::{Diagnostic, Span};

impl Lowering<'_> {
    /// Adds a function to the network.
    pub fn function(&mut self, tree: &FunctionTree) -> Lowered<What> {
        let (parameters, body) = tree.content.as_ref().map_err(|error| Some(error.clone()))?;
        let result = self.sized_type(&tree.result, &[])?;
        if !matches!(result, Type::Number(_) | Type::Void) {
            let error = Diagnostic::error(
                "a function that returns an array or structure is not supported",
                tree.result.span,
            );
            return Err(Some(
                error.with_help("hand over a variable by reference: `void f(T &result)`"),
            ));
        }
        let outer = (self.frame, self.reads, self.writes);
        (self.frame, self.reads, self.writes) = (0, false, false);
        (self.highest, self.called) = (0, 0);
        self.result = Some(result.clone());
        let function = self.signatures.len();
        let lowered = self.scoped(|this| {
            // A call inside the body finds the name, and no signature yet: recursion.
            this.insert(&tree.name, What::Function(function));
            this.scoped(|this| {
                let mut list = Vec::new();
                for parameter in parameters {
                    let ty = this.sized_type(&parameter.ty, &parameter.dimensions)?;
                    if !matches!(ty.leaf(), Type::Number(_) | Type::Struct(_)) {
                        let error = Diagnostic::error(
                            "a parameter that is a clock or channel is not supported",
                            parameter.name.span,
                        );
                        return Err(Some(error.with_help("use the clock itself; channels belong in labels")));
                    }
                    let cells = if parameter.reference { 1 } else { ty.size() };
                    let at = this.allocate(cells);
                    let root = if parameter.reference {
                        Root::Pointer(at)
                    } else {
                        Root::Frame(at)
                    };
                    let writable = !parameter.ty.prefixes.constant;
                    this.insert(&parameter.name, What::Cells(root, ty.clone(), writable));
                    let handover = match parameter.reference {
                        true => Handover::Reference { writes: writable },
                        false => Handover::Value,
                    };
                    list.push((ty, handover, parameter.name.text.as_str().into()));
                }
                Ok((list, this.statements(body)?))
            })
        });
        self.result = None;
        let (frame, reads, writes) = (self.frame, self.reads, self.writes);
        (self.frame, self.reads, self.writes) = outer;
        let (parameters, body) = lowered?;
        let height = self.highest + self.called + 1;
        if height > MAX_CALLS {
            let error = Diagnostic::error(
                format!("the calls of `{}` are too deep", tree.name.text),
                tree.name.span,
            );
            let help = format!("a function with all that it calls is at most {MAX_CALLS} calls and operators deep");
            return Err(Some(error.with_help(help)));
        }
        let name = format!("{}{}", self.prefix, tree.name.text);
        self.network.functions.push(Function {
            name: name.as_str().into(),
            frame,
            body,
            result: match result {
                Type::Number(numbers) => Some(Arc::new(cell(&format!("the result of {name}"), numbers))),
                _ => None,
            },
        });
        self.signatures.push(Signature {
            parameters,
            result,
            height,
            reads,
            writes,
        });
        Ok(What::Function(function))
    }

    fn statements(&mut self, list: &[StatementTree]) -> Lowered<Statement> {
        let list: Lowered<Vec<Statement>> = list.iter().map(|statement| self.statement(statement)).collect();
        list.map(Statement::Block)
    }

    fn boxed(&mut self, statement: &StatementTree) -> Lowered<Box<Statement>> {
        self.scoped(|this| this.statement(statement)).map(Box::new)
    }

    fn statement(&mut self, statement: &StatementTree) -> Lowered<Statement> {
        match statement {
            StatementTree::Expr(tree) => self.effect(tree).map(Statement::Expr),
            StatementTree::Declare(list) => self.local_declarations(list),
            StatementTree::Block(list) => self.scoped(|this| this.statements(list)),
            StatementTree::If(test, then, other) => {
                let test = self.number(test)?.expr;
                let then = self.boxed(then)?;
                let other = match other {
                    Some(other) => self.boxed(other)?,
                    None => Box::new(Statement::Block(Vec::new())),
                };
                Ok(Statement::If(test, then, other))
            }
            StatementTree::While(test, body) => {
                let test = self.number(test)?.expr;
                Ok(Statement::While(test, false, self.boxed(body)?, Vec::new()))
            }
            StatementTree::DoWhile(body, test) => {
                let body = self.boxed(body)?;
                Ok(Statement::While(self.number(test)?.expr, true, body, Vec::new()))
            }
            StatementTree::For(start, test, step, body) => {
                let start = self.effects(start)?;
                let test = match test {
                    Some(tree) => self.number(tree)?.expr,
                    None => Expr::Const(1),
                };
                let step = self.effects(step)?;
                let body = self.boxed(body)?;
                let again = Statement::While(test, false, body, step);
                Ok(Statement::Block(
                    start.into_iter().map(Statement::Expr).chain([again]).collect(),
                ))
            }
            StatementTree::Each(variable, body) => {
                let (cell, range, body) = self.bound_variable(variable, |this| this.statement(body))?;
                Ok(Statement::Each(cell, range, Box::new(body)))
            }
            StatementTree::Return(value, span) => self.returned(value.as_ref(), *span),
        }
    }

    /// An expression for what it changes; a call may have no value.
    pub fn effect(&mut self, tree: &Tree) -> Lowered<Expr> {
        self.number(tree).map(|number| number.expr)
    }

    fn effects(&mut self, list: &[Tree]) -> Lowered<Vec<Expr>> {
        list.iter().map(|tree| self.effect(tree)).collect()
    }

    fn returned(&mut self, value: Option<&Tree>, span: Span) -> Lowered<Statement> {
        let has_value = matches!(self.result, Some(Type::Number(_)));
        match value {
            Some(tree) if has_value => Ok(Statement::Return(Some(self.number(tree)?.expr))),
            None if !has_value => Ok(Statement::Return(None)),
            _ => Err(Some(
                Diagnostic::error("this `return` does not fit the function's type", span)
                    .with_help("return a value exactly where the type is not `void`"),
            )),
        }
    }

    fn local_declarations(&mut self, list: &[Declaration]) -> Lowered<Statement> {
        let mut statements = Vec::new();
        for declaration in list {
            match declaration {
                Declaration::Variable(declared) if !declared.ty.prefixes.constant => {
                    self.local_variable(declared, &mut statements)?;
                }
                Declaration::Function(function) => {
                    let error = Diagnostic::error("a function inside a function", function.name.span);
                    return Err(Some(error.with_help("declare it outside")));
                }
                other => self.declare(std::slice::from_ref(other)),
            }
        }
        Ok(Statement::Block(statements))
    }

    fn local_variable(&mut self, declared: &Variable, statements: &mut Vec<Statement>) -> Lowered<()> {
        use super::super::syntax::Initial;
        let ty = self.sized_type(&declared.ty, &declared.dimensions)?;
        if !matches!(ty.leaf(), Type::Number(_) | Type::Struct(_)) {
            let error = Diagnostic::error("a clock or channel inside a function", declared.name.span);
            return Err(Some(error.with_help("declare it outside")));
        }
        let at = self.allocate(ty.size());
        let place = Place {
            root: Root::Frame(at),
            offset: 0,
            steps: Vec::new(),
        };
        match (&declared.initial, &ty) {
            (Some(Initial::Value(tree)), Type::Number(numbers)) => {
                let value = self.number(tree)?.expr;
                let cell = Arc::new(cell(&declared.name.text, *numbers));
                statements.push(Statement::Expr(Expr::Assign(place, None, Box::new(value), cell)));
            }
            (Some(Initial::Value(tree)), _) => {
                let from = self.block(tree, &ty)?;
                statements.push(Statement::Expr(Expr::Copy(place, from, ty.size())));
            }
            _ => {
                let values = self.initial_values(declared, &ty, false)?;
                statements.push(Statement::Fill(at, values.into()));
            }
        }
        self.insert(&declared.name, What::Cells(Root::Frame(at), ty, true));
        Ok(())
    }
}
