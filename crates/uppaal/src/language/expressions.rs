//! Lowers expression trees to expressions on cells.

use std::rc::Rc;
use std::sync::Arc;

use super::choices::{chosen, each, first};
use super::scope::{NetworkLowering, SymbolKind};
use super::types::{NumericType, ResolvedType, clock_as_number};
use crate::grammar::syntax::{self, ExprNode, LoweringResult, Name, SelectTree, Tree};
use tamper_text::{Diagnostic, Span};
use tamper_timed::model::{BinaryOp, UnaryOp};
use tamper_timed::network::{Cell, Clock, Expr, Machine, Place, Quantifier, Root, Step};

/// A numeric expression, whether it is a boolean, and its set of scalars, if any.
#[derive(Clone, Debug)]
pub(super) struct NumericExpr {
    pub expr: Expr,
    pub boolean: bool,
    pub scalar: Option<u32>,
}

/// A reference to cells, clocks or channels.
#[derive(Clone, Debug)]
pub(super) struct Located {
    pub kind: LocatedKind,
    pub steps: Vec<Step>,
    /// Of a structure with cells and clocks: the same indices, on the way to its clocks.
    pub clock_steps: Vec<Step>,
    pub ty: ResolvedType,
    pub name: Rc<str>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LocatedKind {
    /// The cells at an offset from a root, and whether they may be written.
    Cells(Root, u32, bool),
    Clocks(u32),
    Channels(u32),
    /// The cells at an offset from a root, and the clocks from a position on: a structure that has both.
    Mixed(Root, u32, u32),
}

impl NumericExpr {
    /// A number that is not a scalar.
    pub fn plain(expr: Expr, boolean: bool) -> Self {
        let scalar = None;
        Self { expr, boolean, scalar }
    }
}

impl Located {
    /// The cells as a place.
    pub fn place(&self) -> Place {
        let LocatedKind::Cells(root, offset, _) = self.kind else {
            unreachable!("clocks and channels are no cells alone")
        };
        Place {
            root,
            offset,
            steps: self.steps.clone(),
        }
    }
    /// The name and range of one of its cells.
    fn cell(&self, numbers: NumericType) -> Arc<Cell> {
        Arc::new(cell(&self.name, numbers))
    }
}

/// A cell with that name and range.
pub(super) fn cell(name: &str, numbers: NumericType) -> Cell {
    Cell {
        name: name.into(),
        low: numbers.low,
        high: numbers.high,
        boolean: numbers.boolean,
    }
}

impl NetworkLowering<'_> {
    /// The value of an expression that depends on constants only.
    pub fn constant(&mut self, tree: &Tree) -> LoweringResult<i64> {
        let reads = std::mem::take(&mut self.reads);
        let writes = std::mem::take(&mut self.writes);
        let floor = std::mem::replace(&mut self.floor, self.frame);
        let number = self.number(tree);
        self.floor = floor;
        let depends = std::mem::replace(&mut self.reads, reads) | std::mem::replace(&mut self.writes, writes);
        let number = number?;
        if depends {
            let name = &self.last_read;
            let error = Diagnostic::error(format!("`{name}` is not a constant"), tree.span);
            return Err(Some(
                error.with_help("here only constants have a value; declare it `const int`"),
            ));
        }
        if let Expr::Const(value) = number.expr {
            return Ok(value);
        }
        let mut machine = Machine::new(&self.network);
        machine.frame(self.frame, &[]);
        machine.eval(&number.expr).map_err(|fault| {
            let error = Diagnostic::error(format!("{fault} in a constant expression"), tree.span);
            Some(error.with_help("correct the constants"))
        })
    }

    /// The number `tree`, which must not be a scalar.
    pub(super) fn integer(&mut self, tree: &Tree) -> LoweringResult<Expr> {
        self.scalar_of(tree, None)
    }

    /// The scalar `tree` of that set; without a set, the number.
    pub(super) fn scalar_of(&mut self, tree: &Tree, scalar: Option<u32>) -> LoweringResult<Expr> {
        let number = self.number(tree)?;
        same_scalars(number.scalar, scalar, tree.span).map(|()| number.expr)
    }

    /// The number or scalar `tree`.
    pub(super) fn number(&mut self, tree: &Tree) -> LoweringResult<NumericExpr> {
        self.highest = self.highest.max(tree.height);
        let plain = |expr| Ok(NumericExpr::plain(expr, false));
        match &tree.node {
            ExprNode::Number(value) => plain(Expr::Const(*value)),
            ExprNode::Bool(value) => Ok(NumericExpr::plain(Expr::Const(i64::from(*value)), true)),
            ExprNode::Name(_) | ExprNode::Index(..) | ExprNode::Member(..) => self.load(tree),
            ExprNode::Unary(op, operand) => {
                let expr = fold(Expr::Unary(*op, Box::new(self.integer(operand)?)));
                Ok(NumericExpr::plain(expr, *op == UnaryOp::Not))
            }
            ExprNode::Binary(op, left, right) => self.binary(*op, left, right, tree.span),
            ExprNode::Cond(test, then, other) => {
                let (test, then, other) = (self.integer(test)?, self.number(then)?, self.number(other)?);
                same_scalars(then.scalar, other.scalar, tree.span)?;
                let (boolean, scalar) = (then.boolean && other.boolean, then.scalar);
                let expr = match test {
                    Expr::Const(0) => other.expr,
                    Expr::Const(_) => then.expr,
                    test => Expr::Cond(Box::new(test), Box::new(then.expr), Box::new(other.expr)),
                };
                Ok(NumericExpr { expr, boolean, scalar })
            }
            ExprNode::Call(name, _) if !self.result_is_read(name) => {
                let error = Diagnostic::error(format!("the value of `{name}` is not supported here"), tree.span);
                Err(Some(error.with_help("only an integer or boolean has one in a game")))
            }
            ExprNode::Call(name, arguments) => self.value_of_call(name, arguments, tree.span),
            ExprNode::Quantified(kind, variable, body) => self.quantified(*kind, variable, body),
            ExprNode::Assign(op, left, right) => self.assign(*op, left, right),
            ExprNode::Step(by, old, operand) => {
                if let Some(choice) = chosen(operand) {
                    return self.choice(&each(&choice, &|part| ExprNode::Step(*by, *old, part), tree.span));
                }
                let located = self.writable(operand)?;
                let numbers = match located.ty {
                    ResolvedType::Number(numbers) => numbers,
                    ResolvedType::Clock => return Err(Some(relative(tree.span))),
                    _ => return Err(Some(no_number(&located))),
                };
                same_scalars(numbers.scalar, None, tree.span)?;
                let cell = located.cell(numbers);
                plain(Expr::Increment(located.place(), *by, *old, cell))
            }
            ExprNode::Real => Err(Some(
                Diagnostic::error("floating-point numbers are not supported", tree.span)
                    .with_help("use integers in a smaller time unit"),
            )),
            ExprNode::Text => Err(Some(
                Diagnostic::error("strings are not supported", tree.span).with_help("use integers"),
            )),
            ExprNode::Rate(_) => Err(Some(
                Diagnostic::error("a clock rate stands only in an invariant `x' == e`", tree.span)
                    .with_help("move it there"),
            )),
        }
    }

    /// The value of `tree`, in which one of two variables is chosen, as a choice of two values: `(b ? v : w)[1]` is
    /// `b ? v[1] : w[1]`.
    fn choice(&mut self, tree: &Tree) -> LoweringResult<NumericExpr> {
        self.choosing(tree.span, |this| this.number(tree))
    }

    /// Lowers something inside of a choice, beside whose variables everything is lowered twice.
    pub(super) fn choosing<T>(
        &mut self,
        span: Span,
        lower: impl FnOnce(&mut Self) -> LoweringResult<T>,
    ) -> LoweringResult<T> {
        const MOST: u32 = 12;
        if self.n_choices == MOST {
            let message = format!("variables are chosen by `?:` inside one another, more than {MOST} times");
            return Err(Some(
                Diagnostic::error(message, span).with_help("choose by `if` and `else` in a function"),
            ));
        }
        self.n_choices += 1;
        let value = lower(self);
        self.n_choices -= 1;
        value
    }

    fn load(&mut self, tree: &Tree) -> LoweringResult<NumericExpr> {
        if let Some(choice) = chosen(tree) {
            return self.choice(&choice);
        }
        if let ExprNode::Name(name) = &tree.node
            && let SymbolKind::Number(value, boolean, scalar) = self.get(name, tree.span)?.what
        {
            let expr = Expr::Const(value);
            return Ok(NumericExpr { expr, boolean, scalar });
        }
        let located = self.located(tree)?;
        let ResolvedType::Number(numbers) = located.ty else {
            return Err(Some(no_number(&located)));
        };
        let place = located.place();
        let expr = match self.known(&place) {
            Some(value) => Expr::Const(value),
            None => Expr::Load(place),
        };
        Ok(NumericExpr {
            expr,
            boolean: numbers.boolean,
            scalar: numbers.scalar,
        })
    }

    /// The value at a place that never changes.
    fn known(&self, place: &Place) -> Option<i64> {
        let (Root::Constant(base), true) = (place.root, place.steps.is_empty()) else {
            return None;
        };
        let cell = base as usize + place.offset as usize;
        self.network.constants.get(cell).map(|value| i64::from(*value))
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &Tree,
        right: &Tree,
        span: Span,
    ) -> LoweringResult<NumericExpr> {
        use BinaryOp as B;
        let boolean = matches!(
            op,
            B::Lt | B::Le | B::Eq | B::Ne | B::Ge | B::Gt | B::And | B::Or | B::Imply
        );
        if matches!(op, B::Eq | B::Ne) {
            if let Some(choice) = chosen(left).filter(|choice| self.is_block(first(choice))) {
                let compare = |part| ExprNode::Binary(op, part, Box::new(right.clone()));
                return self.choice(&each(&choice, &compare, span));
            }
            if let Some(choice) = chosen(right).filter(|choice| self.is_block(first(choice))) {
                let compare = |part| ExprNode::Binary(op, Box::new(left.clone()), part);
                return self.choice(&each(&choice, &compare, span));
            }
        }
        if matches!(op, B::Eq | B::Ne) && self.is_block(left) && self.is_block(right) {
            let (a, b) = (self.located(left)?, self.located(right)?);
            self.same_type(&a.ty, &b.ty, span)?;
            let same = Expr::Same(a.place(), b.place(), a.ty.size());
            let expr = if op == B::Eq {
                same
            } else {
                Expr::Unary(UnaryOp::Not, Box::new(same))
            };
            return Ok(NumericExpr::plain(expr, boolean));
        }
        let (left, right) = match op {
            B::Eq | B::Ne => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                same_scalars(left.scalar, right.scalar, span)?;
                (left.expr, right.expr)
            }
            _ => (self.integer(left)?, self.integer(right)?),
        };
        let expr = fold(Expr::Binary(op, Box::new(left), Box::new(right)));
        Ok(NumericExpr::plain(expr, boolean))
    }

    /// The name of the clock, if `tree` is one.
    fn clock_name<'t>(&self, tree: &'t Tree) -> Option<&'t str> {
        let ExprNode::Name(name) = &tree.node else { return None };
        let is_clock = matches!(self.find(name)?.what, SymbolKind::Clocks(_, ResolvedType::Clock));
        is_clock.then_some(name)
    }

    /// Whether `tree` is an array or structure.
    fn is_block(&mut self, tree: &Tree) -> bool {
        if !matches!(
            tree.node,
            ExprNode::Name(_) | ExprNode::Index(..) | ExprNode::Member(..)
        ) {
            return false;
        }
        let (reads, writes) = (self.reads, self.writes);
        let block = self.located(tree).is_ok_and(|located| {
            !matches!(located.ty, ResolvedType::Number(_)) && matches!(located.kind, LocatedKind::Cells(..))
        });
        (self.reads, self.writes) = (reads, writes);
        block
    }

    pub(super) fn same_type(&self, a: &ResolvedType, b: &ResolvedType, span: Span) -> LoweringResult<()> {
        if a == b {
            return Ok(());
        }
        Err(Some(
            Diagnostic::error("arrays or structures of different types", span).with_help("use the same type for both"),
        ))
    }

    /// The variable, clock or channel that `tree` names.
    pub(super) fn located(&mut self, tree: &Tree) -> LoweringResult<Located> {
        match &tree.node {
            ExprNode::Name(name) => self.named_variable(name, tree.span),
            ExprNode::Index(of, index) => self.element(of, index),
            ExprNode::Member(of, field) => self.member(of, field),
            _ => Err(Some(Diagnostic::error("this is not a variable", tree.span).with_help(
                "name a variable, an element of an array or a field of a structure",
            ))),
        }
    }

    fn named_variable(&mut self, name: &str, span: Span) -> LoweringResult<Located> {
        let named = self.get(name, span)?;
        let passed = |cell: u32| Clock::passed(cell).steps;
        let (mut steps, mut clock_steps) = (Vec::new(), Vec::new());
        let (kind, ty) = match &named.what {
            SymbolKind::Cells(root, ty, writable) => (LocatedKind::Cells(*root, 0, *writable), ty),
            SymbolKind::Clocks(base, ty) => (LocatedKind::Clocks(*base), ty),
            SymbolKind::Mixed(cells, clocks, ty) => (LocatedKind::Mixed(Root::Variable(*cells), 0, *clocks), ty),
            SymbolKind::Passed(clocks, None, ty) => {
                steps = passed(*clocks);
                (LocatedKind::Clocks(0), ty)
            }
            SymbolKind::Passed(clocks, Some(cells), ty) => {
                clock_steps = passed(*clocks);
                (LocatedKind::Mixed(Root::Pointer(*cells), 0, 0), ty)
            }
            SymbolKind::Channels(base, ty) => (LocatedKind::Channels(*base), ty),
            other => {
                let what = match other {
                    SymbolKind::Type(_) => "type",
                    SymbolKind::Function(_) => "function",
                    _ => "constant",
                };
                let error = Diagnostic::error(format!("`{name}` is a {what}, not a variable"), span);
                return Err(Some(
                    error
                        .with_secondary(named.span, "declared here")
                        .with_help("name a variable"),
                ));
            }
        };
        let is_read = match kind {
            LocatedKind::Cells(Root::Variable(_) | Root::Pointer(_), ..) | LocatedKind::Mixed(..) => true,
            LocatedKind::Cells(Root::Frame(cell), ..) => cell < self.floor,
            _ => false,
        };
        if is_read {
            self.reads = true;
            name.clone_into(&mut self.last_read);
        }
        Ok(Located {
            kind,
            steps,
            clock_steps,
            ty: ty.clone(),
            name: name.into(),
            span,
        })
    }

    fn element(&mut self, of: &Tree, index: &Tree) -> LoweringResult<Located> {
        let mut located = self.located(of)?;
        let ResolvedType::Array { element, low, len } = located.ty.clone() else {
            let error = Diagnostic::error(format!("`{}` is no array here", located.name), of.span);
            return Err(Some(error.with_help("remove the index")));
        };
        let index = self.number(index)?.expr;
        located.ty = (*element).clone();
        let step = Step {
            index,
            low,
            len,
            stride: element.size(),
        };
        located.enter(step, element.n_clocks());
        Ok(located)
    }

    fn member(&mut self, of: &Tree, field: &Name) -> LoweringResult<Located> {
        let mut located = self.located(of)?;
        let ResolvedType::Struct(fields) = located.ty.clone() else {
            let error = Diagnostic::error(format!("`{}` is no structure here", located.name), of.span);
            return Err(Some(error.with_help("remove the field")));
        };
        let Some(at) = fields.iter().position(|(name, _)| *name == field.text) else {
            let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
            let error = Diagnostic::error(format!("there is no field `{}`", field.text), field.span);
            return Err(Some(error.with_help(format!("the fields are {}", names.join(", ")))));
        };
        let (before, ty) = (&fields[..at], fields[at].1.clone());
        let cells: u32 = before.iter().map(|(_, ty)| ty.n_cells()).sum();
        let clocks: u32 = before.iter().map(|(_, ty)| ty.n_clocks()).sum();
        located.kind = match located.kind {
            LocatedKind::Cells(root, offset, writable) => LocatedKind::Cells(root, offset + cells, writable),
            LocatedKind::Clocks(base) => LocatedKind::Clocks(base + clocks),
            LocatedKind::Mixed(root, offset, first) if ty.is_mixed() => {
                LocatedKind::Mixed(root, offset + cells, first + clocks)
            }
            LocatedKind::Mixed(.., first) if ty.n_clocks() > 0 => {
                located.steps = std::mem::take(&mut located.clock_steps);
                LocatedKind::Clocks(first + clocks)
            }
            LocatedKind::Mixed(root, offset, _) => LocatedKind::Cells(root, offset + cells, true),
            channels @ LocatedKind::Channels(_) => channels,
        };
        located.ty = ty;
        Ok(located)
    }

    /// The cells of the array or structure `tree`, which must be of that type.
    pub fn block(&mut self, tree: &Tree, ty: &ResolvedType) -> LoweringResult<Place> {
        let located = self.located(tree)?;
        self.same_type(ty, &located.ty, tree.span)?;
        match located.kind {
            LocatedKind::Cells(..) => Ok(located.place()),
            _ => Err(Some(no_number(&located))),
        }
    }

    /// The variable or clock that `tree` names, if it may be written.
    pub(super) fn writable(&mut self, tree: &Tree) -> LoweringResult<Located> {
        if let ExprNode::Name(name) = &tree.node
            && let SymbolKind::Number(..) = self.get(name, tree.span)?.what
        {
            return Err(Some(constant_written(name, tree.span)));
        }
        let located = self.located(tree)?;
        match located.kind {
            LocatedKind::Cells(_, _, false) => return Err(Some(constant_written(&located.name, tree.span))),
            LocatedKind::Cells(root, ..) => self.writes |= !matches!(root, Root::Frame(_)),
            LocatedKind::Clocks(_) => self.writes = true,
            LocatedKind::Channels(_) | LocatedKind::Mixed(..) => return Err(Some(no_number(&located))),
        }
        Ok(located)
    }

    fn assign(&mut self, op: Option<BinaryOp>, left: &Tree, right: &Tree) -> LoweringResult<NumericExpr> {
        if let Some(choice) = chosen(left) {
            let assign = |part| ExprNode::Assign(op, part, Box::new(right.clone()));
            return self.choice(&each(&choice, &assign, left.span));
        }
        let located = self.writable(left)?;
        let expr = match (located.kind, &located.ty) {
            (LocatedKind::Clocks(base), ResolvedType::Clock) => {
                if op.is_some() {
                    return Err(Some(relative(left.span)));
                }
                if let Some(clock) = self.clock_name(right) {
                    let error = Diagnostic::error(format!("the value of the clock `{clock}` is copied"), right.span);
                    return Err(Some(error.with_help(
                        "a clock is reset to an integer expression only; keep a second clock instead",
                    )));
                }
                let value = self.integer(right)?;
                Expr::Reset(
                    Clock {
                        base,
                        steps: located.steps.clone(),
                    },
                    Box::new(value),
                )
            }
            (LocatedKind::Cells(..), ResolvedType::Number(numbers)) => {
                let value = self.scalar_of(right, numbers.scalar)?;
                same_scalars(numbers.scalar.filter(|_| op.is_some()), None, left.span)?;
                Expr::Assign(located.place(), op, Box::new(value), located.cell(*numbers))
            }
            (LocatedKind::Cells(..), _) if op.is_none() => self.copied_from(located.place(), right, &located.ty)?,
            _ => return Err(Some(no_number(&located))),
        };
        let (boolean, scalar) = located.ty.flavour();
        Ok(NumericExpr { expr, boolean, scalar })
    }

    /// The body of a quantifier with its variable in a cell of the frame.
    pub fn bound_variable<T>(
        &mut self,
        variable: &SelectTree,
        lower: impl FnOnce(&mut Self) -> LoweringResult<T>,
    ) -> LoweringResult<(u32, (i32, i32), T)> {
        let numbers = self.bounded_numbers(&variable.ty)?;
        let cell = self.allocate(1);
        let body = self.scoped(|this| {
            this.insert(
                &variable.name,
                SymbolKind::Cells(Root::Frame(cell), ResolvedType::Number(numbers), false),
            );
            lower(this)
        });
        Ok((cell, (numbers.low, numbers.high), body?))
    }

    fn quantified(
        &mut self,
        kind: syntax::QuantifierKeyword,
        variable: &SelectTree,
        body: &Tree,
    ) -> LoweringResult<NumericExpr> {
        let (cell, range, body) = self.bound_variable(variable, |this| this.number(body))?;
        let (kind, boolean) = match kind {
            syntax::QuantifierKeyword::ForAll => (Quantifier::ForAll, true),
            syntax::QuantifierKeyword::Exists => (Quantifier::Exists, true),
            syntax::QuantifierKeyword::Sum => (Quantifier::Sum, false),
        };
        let expr = Expr::Quantified(kind, cell, range, Box::new(body.expr));
        Ok(NumericExpr::plain(expr, boolean))
    }
}

impl Located {
    /// Moves on to an element, with that many clocks, of an array. An index outside the array is an error only if it is evaluated.
    fn enter(&mut self, step: Step, n_clocks: u32) {
        let Some(at) = step.element() else {
            if matches!(self.kind, LocatedKind::Mixed(..)) {
                let (index, stride) = (step.index.clone(), n_clocks);
                self.clock_steps.push(Step { index, stride, ..step });
            }
            return self.steps.push(step);
        };
        let at = u32::try_from(at).expect("elements are counted in 32 bits");
        match &mut self.kind {
            LocatedKind::Cells(_, offset, _) => *offset += at * step.stride,
            LocatedKind::Clocks(base) | LocatedKind::Channels(base) => *base += at * step.stride,
            LocatedKind::Mixed(_, offset, clocks) => {
                *offset += at * step.stride;
                *clocks += at * n_clocks;
            }
        }
    }
}

/// `expr`, folded if its parts are numbers and it has a value. Where it has none, it is an error of the model only if it is
/// evaluated.
pub(super) fn fold(expr: Expr) -> Expr {
    let value = match &expr {
        Expr::Unary(op, e) => e.as_const().and_then(|value| op.apply(value).ok()),
        Expr::Binary(op, left, right) => left.as_const().and_then(|left| {
            let applied = || op.apply(left, right.as_const()?).ok();
            op.decided_by(left).or_else(applied)
        }),
        _ => None,
    };
    value.map_or(expr, Expr::Const)
}

fn relative(span: Span) -> Diagnostic {
    Diagnostic::error("a clock is changed relative to its value", span)
        .with_help("a clock is reset to an integer expression only")
}

pub(super) fn no_number(located: &Located) -> Diagnostic {
    let name = &located.name;
    let (what, help) = match located.ty {
        ResolvedType::Clock => return clock_as_number(&format!("the clock `{name}`"), located.span),
        ResolvedType::Channel { .. } => ("a channel", "channels belong in synchronisation labels"),
        ResolvedType::Array { .. } => ("an array", "name one of its elements"),
        ResolvedType::Struct(_) => ("a structure", "name one of its fields"),
        ResolvedType::Number(_) | ResolvedType::Void => ("no clock or channel", "name one"),
    };
    Diagnostic::error(format!("`{name}` is {what}, not a value"), located.span).with_help(help)
}

/// Refuses numbers and other scalar sets where scalars are compared.
fn same_scalars(left: Option<u32>, right: Option<u32>, span: Span) -> LoweringResult<()> {
    match left == right {
        true => Ok(()),
        false => {
            let error = Diagnostic::error(
                "a scalar is compared with, or used as, something that is none of its set",
                span,
            );
            Err(Some(error.with_help(
                "scalars of one set are compared by `==` and `!=`, and assigned; nothing else",
            )))
        }
    }
}

fn constant_written(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(format!("`{name}` is a constant and cannot be changed"), span)
        .with_help("declare a variable, or hand it over by reference")
}
