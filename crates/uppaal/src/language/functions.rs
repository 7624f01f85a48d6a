//! Lowers functions.

use std::rc::Rc;
use std::sync::Arc;

use super::expressions::cell;
use super::scope::{FunctionSignature, Handover, NetworkLowering, SymbolKind};
use super::types::ResolvedType;
use crate::grammar::depth::MAX_CALLS;
use crate::grammar::syntax::{
    DeclarationTree, FunctionTree, LoweringResult, Parameter, StatementTree, Tree, VariableTree,
};
use tamper_text::{Diagnostic, Span};
use tamper_timed::network::{Expr, Function, Place, Root, Statement};

impl NetworkLowering<'_> {
    /// Adds a function to the network.
    pub fn function(&mut self, tree: &FunctionTree) -> LoweringResult<SymbolKind> {
        let (parameters, body) = tree.content.as_ref().map_err(|error| Some(error.clone()))?;
        let foreign = self.foreign(&tree.result);
        let result = match foreign {
            Some(_) => ResolvedType::Void,
            None => self.result_type(tree)?,
        };
        let outer = (self.frame, self.reads, self.writes);
        (self.frame, self.reads, self.writes) = (0, false, false);
        (self.highest, self.called) = (0, 0);
        self.result = Some(result.clone());
        self.returns_unread = foreign.is_some();
        let function = self.signatures.len();
        let lowered: LoweringResult<_> = self.scoped(|this| {
            // A recursive call inside the body finds the name, but no signature yet.
            this.insert(&tree.name, SymbolKind::Function(function));
            this.scoped(|this| {
                let list = this.parameters(parameters)?;
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
                ResolvedType::Number(numbers) => Some(Arc::new(cell(&format!("the result of {name}"), numbers))),
                _ => None,
            },
        });
        self.signatures.push(FunctionSignature {
            parameters,
            result,
            foreign,
            height,
            reads,
            writes,
        });
        Ok(SymbolKind::Function(function))
    }

    /// The type of the values that a function returns.
    fn result_type(&mut self, tree: &FunctionTree) -> LoweringResult<ResolvedType> {
        let result = self.sized_type(&tree.result, &[])?;
        if matches!(result, ResolvedType::Number(_) | ResolvedType::Void) {
            return Ok(result);
        }
        let error = Diagnostic::error(
            "a function that returns an array or structure is not supported",
            tree.result.span,
        );
        Err(Some(
            error.with_help("hand over a variable by reference: `void f(T &result)`"),
        ))
    }

    /// Declares the parameters of a function, whose scope is open. Returns their types, and the way each is passed.
    fn parameters(&mut self, parameters: &[Parameter]) -> LoweringResult<Vec<(ResolvedType, Handover, Rc<str>)>> {
        let mut list = Vec::new();
        for parameter in parameters {
            if let Some(what) = self.foreign(&parameter.ty) {
                self.allocate(1);
                self.insert(&parameter.name, SymbolKind::Foreign(what));
                list.push((
                    ResolvedType::Void,
                    Handover::Unread,
                    parameter.name.text.as_str().into(),
                ));
                continue;
            }
            let ty = self.sized_type(&parameter.ty, &parameter.dimensions)?;
            if ty.n_clocks() > 0 && parameter.reference && !parameter.ty.prefixes.constant {
                let cells = ty.is_mixed().then(|| self.allocate(1));
                let first_clock = self.allocate(1);
                self.insert(&parameter.name, SymbolKind::Passed(first_clock, cells, ty.clone()));
                let handover = Handover::Reference { writes: true };
                list.push((ty, handover, parameter.name.text.as_str().into()));
                continue;
            }
            if !ty.is_plain() {
                let error = Diagnostic::error(
                    "a parameter that is or has a clock or channel is not supported",
                    parameter.name.span,
                );
                return Err(Some(error.with_help(
                    "hand clocks over by reference, without `const`: `clock &c`; channels belong in labels",
                )));
            }
            let cells = if parameter.reference { 1 } else { ty.size() };
            let at = self.allocate(cells);
            let root = if parameter.reference {
                Root::Pointer(at)
            } else {
                Root::Frame(at)
            };
            let writable = !parameter.ty.prefixes.constant;
            self.insert(&parameter.name, SymbolKind::Cells(root, ty.clone(), writable));
            let handover = match parameter.reference {
                true => Handover::Reference { writes: writable },
                false => Handover::Value,
            };
            list.push((ty, handover, parameter.name.text.as_str().into()));
        }
        Ok(list)
    }

    fn statements(&mut self, list: &[StatementTree]) -> LoweringResult<Statement> {
        let list: LoweringResult<Vec<Statement>> = list.iter().map(|statement| self.statement(statement)).collect();
        list.map(Statement::Block)
    }

    fn boxed(&mut self, statement: &StatementTree) -> LoweringResult<Box<Statement>> {
        self.scoped(|this| this.statement(statement)).map(Box::new)
    }

    fn statement(&mut self, statement: &StatementTree) -> LoweringResult<Statement> {
        match statement {
            StatementTree::Expr(tree) => self.effects_of(tree).map(block),
            StatementTree::Declare(list) => self.local_declarations(list),
            StatementTree::Block(list) => self.scoped(|this| this.statements(list)),
            StatementTree::If(test, then, other) => {
                let test = self.integer(test)?;
                let then = self.boxed(then)?;
                let other = match other {
                    Some(other) => self.boxed(other)?,
                    None => Box::new(Statement::Block(Vec::new())),
                };
                Ok(Statement::If(test, then, other))
            }
            StatementTree::While(test, body) => {
                let test = self.integer(test)?;
                Ok(Statement::While(test, false, self.boxed(body)?, Vec::new()))
            }
            StatementTree::DoWhile(body, test) => {
                let body = self.boxed(body)?;
                Ok(Statement::While(self.integer(test)?, true, body, Vec::new()))
            }
            StatementTree::For(start, test, step, body) => {
                let start = self.effects(start)?;
                let test = match test {
                    Some(tree) => self.integer(tree)?,
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

    fn effects(&mut self, list: &[Tree]) -> LoweringResult<Vec<Expr>> {
        let all: LoweringResult<Vec<_>> = list.iter().map(|tree| self.effects_of(tree)).collect();
        all.map(|all| all.into_iter().flatten().collect())
    }

    fn returned(&mut self, value: Option<&Tree>, span: Span) -> LoweringResult<Statement> {
        let has_value = matches!(self.result, Some(ResolvedType::Number(_)));
        match value {
            Some(tree) if self.returns_unread => {
                let mut effects = Vec::new();
                self.without_value(tree, true, &mut effects)?;
                let effects = effects.into_iter().map(Statement::Expr);
                Ok(Statement::Block(effects.chain([Statement::Return(None)]).collect()))
            }
            Some(tree) if has_value => {
                let scalar = self.result.as_ref().and_then(|result| result.flavour().1);
                Ok(Statement::Return(Some(self.scalar_of(tree, scalar)?)))
            }
            None if !has_value => Ok(Statement::Return(None)),
            _ => Err(Some(
                Diagnostic::error("this `return` does not fit the function's type", span)
                    .with_help("return a value exactly where the type is not `void`"),
            )),
        }
    }

    fn local_declarations(&mut self, list: &[DeclarationTree]) -> LoweringResult<Statement> {
        let mut statements = Vec::new();
        for declaration in list {
            match declaration {
                DeclarationTree::Variable(declared) if !declared.ty.prefixes.constant => {
                    self.local_variable(declared, &mut statements)?;
                }
                DeclarationTree::Function(function) => {
                    let error = Diagnostic::error("a function inside a function", function.name.span);
                    return Err(Some(error.with_help("declare it outside")));
                }
                other => self.declare(std::slice::from_ref(other)),
            }
        }
        Ok(Statement::Block(statements))
    }

    fn local_variable(&mut self, declared: &VariableTree, statements: &mut Vec<Statement>) -> LoweringResult<()> {
        use crate::grammar::syntax::Initial;
        if let Some(what) = self.foreign(&declared.ty) {
            let mut effects = Vec::new();
            if let Some(initial) = &declared.initial {
                self.without_initial(initial, &mut effects)?;
            }
            statements.extend(effects.into_iter().map(Statement::Expr));
            self.insert(&declared.name, SymbolKind::Foreign(what));
            return Ok(());
        }
        let ty = self.sized_type(&declared.ty, &declared.dimensions)?;
        if !ty.is_plain() {
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
            (Some(Initial::Value(tree)), ResolvedType::Number(numbers)) => {
                let value = self.scalar_of(tree, numbers.scalar)?;
                let cell = Arc::new(cell(&declared.name.text, *numbers));
                statements.push(Statement::Expr(Expr::Assign(place, None, Box::new(value), cell)));
            }
            (Some(Initial::Value(tree)), _) => {
                let copy = self.copied_from(place, tree, &ty)?;
                statements.push(Statement::Expr(copy));
            }
            _ => {
                if let Some(empty) = ty.empty_range() {
                    // The call that gets here fails: no value is in the range.
                    let cell = Arc::new(cell(&declared.name.text, empty));
                    statements.push(Statement::Expr(Expr::Assign(
                        place,
                        None,
                        Box::new(Expr::Const(0)),
                        cell,
                    )));
                }
                let values = self.initial_values(declared, &ty, false)?;
                statements.push(Statement::Fill(at, values.into()));
            }
        }
        self.insert(&declared.name, SymbolKind::Cells(Root::Frame(at), ty, true));
        Ok(())
    }
}

/// The statement that evaluates `list`.
fn block(mut list: Vec<Expr>) -> Statement {
    match list.len() {
        1 => Statement::Expr(list.swap_remove(0)),
        _ => Statement::Block(list.into_iter().map(Statement::Expr).collect()),
    }
}
