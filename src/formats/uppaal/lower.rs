//! Expression trees to integer expressions over one instance's variables.

use std::collections::{BTreeMap, BTreeSet};

use super::scope::{Constant, Place, Range, Scope, Symbol, foreign_use};
use super::syntax::{Node, Tree};
use crate::model::{AutomatonBuilder, BinaryOp, ClockId, Expr, IntId, IntVar, Select, UnaryOp, Valuation};
use crate::text::{Diagnostic, Span};

/// An error, or `None` where the cause is reported already.
pub(super) type Lowered<T> = Result<T, Option<Diagnostic>>;

/// The variables of one instance that its automaton has, and how they are used.
#[derive(Default)]
pub(super) struct Variables {
    clocks: BTreeMap<Place, ClockId>,
    ints: BTreeMap<Place, IntId>,
    /// Declarations read or written.
    pub used: BTreeSet<Place>,
    /// Declarations written.
    pub written: BTreeSet<Place>,
}

/// Lowers the labels of one instance; without a builder, only constant expressions.
pub(super) struct Lower<'a> {
    pub scope: Scope<'a>,
    pub builder: Option<&'a mut AutomatonBuilder>,
    pub variables: &'a mut Variables,
    /// The select variables of the edge at hand.
    pub selects: Vec<(Select, bool)>,
}

/// An integer expression and whether it is a boolean.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub expr: Expr,
    pub boolean: bool,
}

/// What a name is, in the automaton.
pub(super) enum Meaning {
    Value(Value),
    Clock(ClockId),
    /// A variable: its id, its values.
    Int(IntId, Range),
}

/// The value of a constant expression.
pub(super) fn constant(scope: Scope<'_>, tree: &Tree) -> Lowered<Constant> {
    let mut variables = Variables::default();
    let mut lower = Lower {
        scope,
        builder: None,
        variables: &mut variables,
        selects: Vec::new(),
    };
    let value = lower.data(tree)?;
    match value.expr {
        Expr::Const(number) => Ok(Constant {
            value: number,
            boolean: value.boolean,
        }),
        _ => Err(Some(
            Diagnostic::error("this is not a constant", tree.span).with_help("use constants only"),
        )),
    }
}

impl Lower<'_> {
    /// What `name` is. A variable is added to the automaton at its first use.
    pub(super) fn meaning(&mut self, name: &str, span: Span) -> Lowered<Meaning> {
        if let Some(position) = self.selects.iter().rposition(|(select, _)| *select.name == *name) {
            let boolean = self.selects[position].1;
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            return Ok(Meaning::Value(Value {
                expr: Expr::Select(position),
                boolean,
            }));
        }
        let (place, entry) = self.scope.get(name, span)?;
        let refuse = |what: &str, help: &str| {
            Err(Some(
                Diagnostic::error(format!("`{name}` is a {what}, not a value"), span)
                    .with_secondary(entry.name.span, "declared here")
                    .with_help(help),
            ))
        };
        match entry.symbol {
            Symbol::Const(Constant { value, boolean }) => Ok(Meaning::Value(Value {
                expr: Expr::Const(value),
                boolean,
            })),
            Symbol::Channel { .. } => refuse("channel", "channels belong in synchronisation labels"),
            Symbol::Type(_) => refuse("type", "use a variable or a constant"),
            Symbol::Foreign(what) => Err(Some(foreign_use(entry, what, span))),
            Symbol::Broken | Symbol::Alias(_) => Err(None),
            Symbol::Clock => self.clock(place, name, span).map(Meaning::Clock),
            Symbol::Int(range, initial) => {
                self.variables.used.insert(place);
                let Some(builder) = &mut self.builder else {
                    return Err(Some(not_constant(name, span)));
                };
                let id = *self.variables.ints.entry(place).or_insert_with(|| {
                    builder.int(IntVar {
                        name: name.into(),
                        low: range.low,
                        high: range.high,
                        initial,
                    })
                });
                Ok(Meaning::Int(id, range))
            }
        }
    }

    fn clock(&mut self, place: Place, name: &str, span: Span) -> Lowered<ClockId> {
        self.variables.used.insert(place);
        let Some(builder) = &mut self.builder else {
            return Err(Some(not_constant(name, span)));
        };
        Ok(*self
            .variables
            .clocks
            .entry(place)
            .or_insert_with(|| builder.clock(name)))
    }

    /// Notes that `name` is written.
    pub(super) fn mark_written(&mut self, name: &str) {
        if let Some((place, _)) = self.scope.find(name) {
            self.variables.written.insert(place);
        }
    }

    /// The integer expression `tree`.
    pub(super) fn data(&mut self, tree: &Tree) -> Lowered<Value> {
        let number = |value| {
            Ok(Value {
                expr: Expr::Const(value),
                boolean: false,
            })
        };
        match &tree.node {
            Node::Number(value) => number(*value),
            Node::Bool(value) => Ok(Value {
                expr: Expr::Const(i64::from(*value)),
                boolean: true,
            }),
            Node::Name(name) => match self.meaning(name, tree.span)? {
                Meaning::Value(value) => Ok(value),
                Meaning::Int(id, range) => Ok(Value {
                    expr: Expr::Var(id),
                    boolean: range.boolean,
                }),
                Meaning::Clock(_) => Err(Some(clock_as_number(name, tree.span))),
            },
            Node::Unary(op, operand) => {
                let value = self.data(operand)?;
                let expr = Expr::Unary(*op, Box::new(value.expr));
                Ok(Value {
                    expr: fold(expr, tree.span)?,
                    boolean: *op == UnaryOp::Not,
                })
            }
            Node::Binary(op, left, right) => {
                let (left, right) = (self.data(left)?, self.data(right)?);
                self.binary(*op, left, right, tree.span)
            }
            Node::Cond(test, then, other) => {
                let (test, then, other) = (self.data(test)?, self.data(then)?, self.data(other)?);
                let boolean = then.boolean && other.boolean;
                let expr = Expr::Cond(Box::new(test.expr), Box::new(then.expr), Box::new(other.expr));
                Ok(Value {
                    expr: fold(expr, tree.span)?,
                    boolean,
                })
            }
            Node::Call(name, arguments) => self.call(name, arguments, tree.span),
            _ => Err(self.refused(tree)),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Lowered<Value> {
        use BinaryOp as B;
        let boolean = matches!(
            op,
            B::Lt | B::Le | B::Eq | B::Ne | B::Ge | B::Gt | B::And | B::Or | B::Imply
        );
        let expr = Expr::Binary(op, Box::new(left.expr), Box::new(right.expr));
        Ok(Value {
            expr: fold(expr, span)?,
            boolean,
        })
    }

    /// The functions UPPAAL itself defines on integers; a user's own function is refused.
    fn call(&mut self, name: &str, arguments: &[Tree], span: Span) -> Lowered<Value> {
        if self.scope.find(name).is_some() {
            self.meaning(name, span)?;
        }
        match (name, arguments) {
            // The operand occurs twice in what stands for `abs`: nested ones would grow without bound.
            ("abs", [of]) if !calls(of) => {
                let value = self.data(of)?;
                let negated = fold(Expr::Unary(UnaryOp::Neg, Box::new(value.expr.clone())), span)?;
                let expr = Expr::Binary(BinaryOp::Max, Box::new(value.expr), Box::new(negated));
                Ok(Value {
                    expr: fold(expr, span)?,
                    boolean: false,
                })
            }
            ("min" | "max", [left, right]) => {
                let op = if name == "min" { BinaryOp::Min } else { BinaryOp::Max };
                let (left, right) = (self.data(left)?, self.data(right)?);
                self.binary(op, left, right, span)
            }
            _ => Err(Some(
                Diagnostic::error(format!("the call of the function `{name}` is not supported"), span)
                    .with_help("write the expression out where it is called"),
            )),
        }
    }

    /// Why a tree that is no integer expression is refused.
    fn refused(&mut self, tree: &Tree) -> Option<Diagnostic> {
        let (what, help) = match &tree.node {
            Node::Real => (
                "floating-point numbers are not supported",
                "use integers in a smaller time unit",
            ),
            Node::Text => ("strings are not supported", "use integers"),
            Node::Rate(_) => (
                "clock rates (stopwatches) are not supported",
                "every clock grows at rate 1",
            ),
            Node::Quantified(quantifier, keyword, ..) => {
                let message = format!("the quantifier `{}` is not supported", quantifier.word());
                let error = Diagnostic::error(message, *keyword);
                return Some(error.with_help("write the condition out for each value, joined by `&&` or `||`"));
            }
            Node::Index(of, _) | Node::Member(of, _) => {
                if let Node::Name(name) = &of.node
                    && let Err(error) = self.meaning(name, tree.span)
                {
                    return error;
                }
                (
                    "arrays and structures are not supported",
                    "use one variable per element",
                )
            }
            Node::Assign(..) | Node::Step(..) => (
                "an assignment inside an expression",
                "assignments belong in the assignment label, one after the other",
            ),
            _ => (
                "this is not an integer expression",
                "use integers, booleans and constants",
            ),
        };
        Some(Diagnostic::error(what, tree.span).with_help(help))
    }
}

/// Whether a function is called in `tree`.
fn calls(tree: &Tree) -> bool {
    match &tree.node {
        Node::Call(..) => true,
        Node::Number(_) | Node::Bool(_) | Node::Real | Node::Text | Node::Name(_) => false,
        Node::Unary(_, a) | Node::Member(a, _) | Node::Rate(a) | Node::Step(_, _, a) | Node::Quantified(_, _, _, a) => {
            calls(a)
        }
        Node::Index(a, b) | Node::Binary(_, a, b) | Node::Assign(_, a, b) => calls(a) || calls(b),
        Node::Cond(a, b, c) => [a, b, c].iter().any(|part| calls(part)),
    }
}

/// `expr`, computed where its parts are constants.
pub(super) fn fold(expr: Expr, span: Span) -> Lowered<Expr> {
    let is_const = |part: &Expr| matches!(part, Expr::Const(_));
    let constant = match &expr {
        Expr::Unary(_, part) => is_const(part),
        Expr::Binary(_, left, right) => is_const(left) && is_const(right),
        Expr::Cond(test, then, other) => is_const(test) && is_const(then) && is_const(other),
        _ => false,
    };
    if !constant {
        return Ok(expr);
    }
    match expr.eval(Valuation::default()) {
        Ok(value) if i32::try_from(value).is_ok() => Ok(Expr::Const(value)),
        Ok(value) => Err(Some(
            Diagnostic::error(format!("the constant {value} does not fit in 32 bits"), span)
                .with_help("UPPAAL computes in 32 bits; choose a larger unit"),
        )),
        Err(error) => Err(Some(
            Diagnostic::error(format!("{error} in a constant expression"), span).with_help("correct the constants"),
        )),
    }
}

fn not_constant(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(format!("`{name}` is not a constant"), span)
        .with_help("here only constants have a value; declare it `const int`")
}

fn clock_as_number(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(format!("the clock `{name}` is used as a number"), span)
        .with_help("a guard compares a clock, or the difference of two clocks, with an integer: `x <= 5`, `x - y < 3`")
}
