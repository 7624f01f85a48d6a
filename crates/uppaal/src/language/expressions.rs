//! Lowers expression trees to expressions on cells.

use std::rc::Rc;
use std::sync::Arc;

use super::super::syntax::{self, Lowered, Node, SelectTree, Tree};
use super::scope::{Lowering, What};
use super::types::{Numbers, Type, clock_as_number};
use tamper_text::{Diagnostic, Span};
use tamper_timed::model::{BinaryOp, UnaryOp};
use tamper_timed::network::{Cell, Clock, Expr, Machine, Place, Quantifier, Root, Step};

/// A numeric expression, whether it is a boolean, and its set of scalars, if any.
#[derive(Clone, Debug)]
pub(super) struct Number {
    pub expr: Expr,
    pub boolean: bool,
    pub scalar: Option<u32>,
}

/// A reference to cells, clocks or channels.
#[derive(Clone, Debug)]
pub(super) struct Located {
    pub kind: Kind,
    pub steps: Vec<Step>,
    pub ty: Type,
    pub name: Rc<str>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The cells at an offset from a root, and whether they may be written.
    Cells(Root, u32, bool),
    Clocks(u32),
    Channels(u32),
}

impl Number {
    /// A number that is not a scalar.
    pub fn plain(expr: Expr, boolean: bool) -> Self {
        let scalar = None;
        Self { expr, boolean, scalar }
    }
}

impl Located {
    /// The cells as a place.
    pub fn place(&self) -> Place {
        let Kind::Cells(root, offset, _) = self.kind else {
            unreachable!("clocks and channels are no cells")
        };
        Place {
            root,
            offset,
            steps: self.steps.clone(),
        }
    }
    /// The name and range of one of its cells.
    fn cell(&self, numbers: Numbers) -> Arc<Cell> {
        Arc::new(cell(&self.name, numbers))
    }
}

/// A cell with that name and range.
pub(super) fn cell(name: &str, numbers: Numbers) -> Cell {
    Cell {
        name: name.into(),
        low: numbers.low,
        high: numbers.high,
        boolean: numbers.boolean,
    }
}

impl Lowering<'_> {
    /// The value of an expression that depends on constants only.
    pub fn constant(&mut self, tree: &Tree) -> Lowered<i64> {
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
    pub(super) fn integer(&mut self, tree: &Tree) -> Lowered<Expr> {
        self.scalar_of(tree, None)
    }

    /// The scalar `tree` of that set; without a set, the number.
    pub(super) fn scalar_of(&mut self, tree: &Tree, scalar: Option<u32>) -> Lowered<Expr> {
        let number = self.number(tree)?;
        same_scalars(number.scalar, scalar, tree.span).map(|()| number.expr)
    }

    /// The number or scalar `tree`.
    pub(super) fn number(&mut self, tree: &Tree) -> Lowered<Number> {
        self.highest = self.highest.max(tree.height);
        let plain = |expr| Ok(Number::plain(expr, false));
        match &tree.node {
            Node::Number(value) => plain(Expr::Const(*value)),
            Node::Bool(value) => Ok(Number::plain(Expr::Const(i64::from(*value)), true)),
            Node::Name(_) | Node::Index(..) | Node::Member(..) => self.load(tree),
            Node::Unary(op, operand) => {
                let expr = fold(Expr::Unary(*op, Box::new(self.integer(operand)?)));
                Ok(Number::plain(expr, *op == UnaryOp::Not))
            }
            Node::Binary(op, left, right) => self.binary(*op, left, right, tree.span),
            Node::Cond(test, then, other) => {
                let (test, then, other) = (self.integer(test)?, self.number(then)?, self.number(other)?);
                same_scalars(then.scalar, other.scalar, tree.span)?;
                let (boolean, scalar) = (then.boolean && other.boolean, then.scalar);
                let expr = match test {
                    Expr::Const(0) => other.expr,
                    Expr::Const(_) => then.expr,
                    test => Expr::Cond(Box::new(test), Box::new(then.expr), Box::new(other.expr)),
                };
                Ok(Number { expr, boolean, scalar })
            }
            Node::Call(name, _) if !self.result_is_read(name) => {
                let error = Diagnostic::error(format!("the value of `{name}` is not supported here"), tree.span);
                Err(Some(error.with_help("only an integer or boolean has one in a game")))
            }
            Node::Call(name, arguments) => self.value_of_call(name, arguments, tree.span),
            Node::Quantified(kind, variable, body) => self.quantified(*kind, variable, body),
            Node::Assign(op, left, right) => self.assign(*op, left, right),
            Node::Step(by, old, operand) => {
                let located = self.writable(operand)?;
                let numbers = match located.ty {
                    Type::Number(numbers) => numbers,
                    Type::Clock => return Err(Some(relative(tree.span))),
                    _ => return Err(Some(no_number(&located))),
                };
                same_scalars(numbers.scalar, None, tree.span)?;
                let cell = located.cell(numbers);
                plain(Expr::Increment(located.place(), *by, *old, cell))
            }
            Node::Real => Err(Some(
                Diagnostic::error("floating-point numbers are not supported", tree.span)
                    .with_help("use integers in a smaller time unit"),
            )),
            Node::Text => Err(Some(
                Diagnostic::error("strings are not supported", tree.span).with_help("use integers"),
            )),
            Node::Rate(_) => Err(Some(
                Diagnostic::error("a clock rate stands only in an invariant `x' == e`", tree.span)
                    .with_help("move it there"),
            )),
        }
    }

    fn load(&mut self, tree: &Tree) -> Lowered<Number> {
        if let Node::Name(name) = &tree.node
            && let What::Number(value, boolean, scalar) = self.get(name, tree.span)?.what
        {
            let expr = Expr::Const(value);
            return Ok(Number { expr, boolean, scalar });
        }
        let located = self.located(tree)?;
        let Type::Number(numbers) = located.ty else {
            return Err(Some(no_number(&located)));
        };
        let place = located.place();
        let expr = match self.known(&place) {
            Some(value) => Expr::Const(value),
            None => Expr::Load(place),
        };
        Ok(Number {
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

    pub(super) fn binary(&mut self, op: BinaryOp, left: &Tree, right: &Tree, span: Span) -> Lowered<Number> {
        use BinaryOp as B;
        let boolean = matches!(
            op,
            B::Lt | B::Le | B::Eq | B::Ne | B::Ge | B::Gt | B::And | B::Or | B::Imply
        );
        if matches!(op, B::Eq | B::Ne) && self.is_block(left) && self.is_block(right) {
            let (a, b) = (self.located(left)?, self.located(right)?);
            self.same_type(&a.ty, &b.ty, span)?;
            let same = Expr::Same(a.place(), b.place(), a.ty.size());
            let expr = if op == B::Eq {
                same
            } else {
                Expr::Unary(UnaryOp::Not, Box::new(same))
            };
            return Ok(Number::plain(expr, boolean));
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
        Ok(Number::plain(expr, boolean))
    }

    /// The name of the clock, if `tree` is one.
    fn clock_name<'t>(&self, tree: &'t Tree) -> Option<&'t str> {
        let Node::Name(name) = &tree.node else { return None };
        let is_clock = matches!(self.find(name)?.what, What::Clocks(_, Type::Clock));
        is_clock.then_some(name)
    }

    /// Whether `tree` is an array or structure.
    fn is_block(&mut self, tree: &Tree) -> bool {
        if !matches!(tree.node, Node::Name(_) | Node::Index(..) | Node::Member(..)) {
            return false;
        }
        let (reads, writes) = (self.reads, self.writes);
        let block = self
            .located(tree)
            .is_ok_and(|located| matches!(located.ty, Type::Array { .. } | Type::Struct(_)));
        (self.reads, self.writes) = (reads, writes);
        block
    }

    pub(super) fn same_type(&self, a: &Type, b: &Type, span: Span) -> Lowered<()> {
        if a == b {
            return Ok(());
        }
        Err(Some(
            Diagnostic::error("arrays or structures of different types", span).with_help("use the same type for both"),
        ))
    }

    /// The variable, clock or channel that `tree` names.
    pub(super) fn located(&mut self, tree: &Tree) -> Lowered<Located> {
        match &tree.node {
            Node::Name(name) => {
                let named = self.get(name, tree.span)?;
                let (kind, ty) = match &named.what {
                    What::Cells(root, ty, writable) => (Kind::Cells(*root, 0, *writable), ty),
                    What::Clocks(base, ty) => (Kind::Clocks(*base), ty),
                    What::Channels(base, ty) => (Kind::Channels(*base), ty),
                    other => {
                        let what = match other {
                            What::Type(_) => "type",
                            What::Function(_) => "function",
                            _ => "constant",
                        };
                        let error = Diagnostic::error(format!("`{name}` is a {what}, not a variable"), tree.span);
                        return Err(Some(
                            error
                                .with_secondary(named.span, "declared here")
                                .with_help("name a variable"),
                        ));
                    }
                };
                let is_read = match kind {
                    Kind::Cells(Root::Variable(_) | Root::Pointer(_), ..) => true,
                    Kind::Cells(Root::Frame(cell), ..) => cell < self.floor,
                    _ => false,
                };
                if is_read {
                    self.reads = true;
                    self.last_read.clone_from(name);
                }
                Ok(Located {
                    kind,
                    steps: Vec::new(),
                    ty: ty.clone(),
                    name: name.as_str().into(),
                    span: tree.span,
                })
            }
            Node::Index(of, index) => {
                let mut located = self.located(of)?;
                let Type::Array { element, low, len } = located.ty.clone() else {
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
                located.enter(step);
                Ok(located)
            }
            Node::Member(of, field) => {
                let mut located = self.located(of)?;
                let Type::Struct(fields) = located.ty.clone() else {
                    let error = Diagnostic::error(format!("`{}` is no structure here", located.name), of.span);
                    return Err(Some(error.with_help("remove the field")));
                };
                let Some(at) = fields.iter().position(|(name, _)| *name == field.text) else {
                    let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
                    let error = Diagnostic::error(format!("there is no field `{}`", field.text), field.span);
                    return Err(Some(error.with_help(format!("the fields are {}", names.join(", ")))));
                };
                let before: u32 = fields[..at].iter().map(|(_, ty)| ty.size()).sum();
                if let Kind::Cells(_, offset, _) = &mut located.kind {
                    *offset += before;
                }
                located.ty = fields[at].1.clone();
                Ok(located)
            }
            _ => Err(Some(Diagnostic::error("this is not a variable", tree.span).with_help(
                "name a variable, an element of an array or a field of a structure",
            ))),
        }
    }

    /// The cells of the array or structure `tree`, which must be of that type.
    pub fn block(&mut self, tree: &Tree, ty: &Type) -> Lowered<Place> {
        let located = self.located(tree)?;
        self.same_type(ty, &located.ty, tree.span)?;
        match located.kind {
            Kind::Cells(..) => Ok(located.place()),
            _ => Err(Some(no_number(&located))),
        }
    }

    /// The variable or clock that `tree` names, if it may be written.
    pub(super) fn writable(&mut self, tree: &Tree) -> Lowered<Located> {
        if let Node::Name(name) = &tree.node
            && let What::Number(..) = self.get(name, tree.span)?.what
        {
            return Err(Some(constant_written(name, tree.span)));
        }
        let located = self.located(tree)?;
        match located.kind {
            Kind::Cells(_, _, false) => return Err(Some(constant_written(&located.name, tree.span))),
            Kind::Cells(root, ..) => self.writes |= !matches!(root, Root::Frame(_)),
            Kind::Clocks(_) => self.writes = true,
            Kind::Channels(_) => return Err(Some(no_number(&located))),
        }
        Ok(located)
    }

    fn assign(&mut self, op: Option<BinaryOp>, left: &Tree, right: &Tree) -> Lowered<Number> {
        let located = self.writable(left)?;
        let expr = match (located.kind, &located.ty) {
            (Kind::Clocks(base), Type::Clock) => {
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
            (Kind::Cells(..), Type::Number(numbers)) => {
                let value = self.scalar_of(right, numbers.scalar)?;
                same_scalars(numbers.scalar.filter(|_| op.is_some()), None, left.span)?;
                Expr::Assign(located.place(), op, Box::new(value), located.cell(*numbers))
            }
            (Kind::Cells(..), _) if op.is_none() => {
                let from = self.block(right, &located.ty)?;
                Expr::Copy(located.place(), from, located.ty.size())
            }
            _ => return Err(Some(no_number(&located))),
        };
        let (boolean, scalar) = located.ty.flavour();
        Ok(Number { expr, boolean, scalar })
    }

    /// The body of a quantifier with its variable in a cell of the frame.
    pub fn bound_variable<T>(
        &mut self,
        variable: &SelectTree,
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<(u32, (i32, i32), T)> {
        let numbers = self.bounded_numbers(&variable.ty)?;
        let cell = self.allocate(1);
        let body = self.scoped(|this| {
            this.insert(
                &variable.name,
                What::Cells(Root::Frame(cell), Type::Number(numbers), false),
            );
            lower(this)
        });
        Ok((cell, (numbers.low, numbers.high), body?))
    }

    fn quantified(&mut self, kind: syntax::Quantifier, variable: &SelectTree, body: &Tree) -> Lowered<Number> {
        let (cell, range, body) = self.bound_variable(variable, |this| this.number(body))?;
        let (kind, boolean) = match kind {
            syntax::Quantifier::ForAll => (Quantifier::ForAll, true),
            syntax::Quantifier::Exists => (Quantifier::Exists, true),
            syntax::Quantifier::Sum => (Quantifier::Sum, false),
        };
        let expr = Expr::Quantified(kind, cell, range, Box::new(body.expr));
        Ok(Number::plain(expr, boolean))
    }
}

impl Located {
    /// Moves on to an element of an array. An index outside the array is an error only if it is evaluated.
    fn enter(&mut self, step: Step) {
        let Some(at) = step.element() else {
            return self.steps.push(step);
        };
        let by = u32::try_from(at).expect("elements are counted in 32 bits") * step.stride;
        match &mut self.kind {
            Kind::Cells(_, offset, _) => *offset += by,
            Kind::Clocks(base) | Kind::Channels(base) => *base += by,
        }
    }
}

/// `expr`, folded if its parts are numbers and its value fits in 32 bits. Any other value is an error of the model only
/// if it is evaluated.
pub(super) fn fold(expr: Expr) -> Expr {
    let value = match &expr {
        Expr::Unary(UnaryOp::Neg, e) => e.as_const().map(|value| -value),
        Expr::Unary(UnaryOp::Not, e) => e.as_const().map(|value| i64::from(value == 0)),
        Expr::Binary(op, left, right) => left.as_const().and_then(|left| {
            let applied = || op.apply(left, right.as_const()?).ok();
            op.decided_by(left).or_else(applied)
        }),
        _ => None,
    };
    match value.filter(|value| i32::try_from(*value).is_ok()) {
        Some(value) => Expr::Const(value),
        None => expr,
    }
}

fn relative(span: Span) -> Diagnostic {
    Diagnostic::error("a clock is changed relative to its value", span)
        .with_help("a clock is reset to an integer expression only")
}

pub(super) fn no_number(located: &Located) -> Diagnostic {
    let name = &located.name;
    let (what, help) = match located.ty {
        Type::Clock => return clock_as_number(&format!("the clock `{name}`"), located.span),
        Type::Channel { .. } => ("a channel", "channels belong in synchronisation labels"),
        Type::Array { .. } => ("an array", "name one of its elements"),
        Type::Struct(_) => ("a structure", "name one of its fields"),
        Type::Number(_) | Type::Void => ("no clock or channel", "name one"),
    };
    Diagnostic::error(format!("`{name}` is {what}, not a value"), located.span).with_help(help)
}

/// Refuses numbers and other scalar sets where scalars are compared.
fn same_scalars(left: Option<u32>, right: Option<u32>, span: Span) -> Lowered<()> {
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
