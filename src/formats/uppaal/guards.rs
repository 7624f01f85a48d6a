//! Guards and invariants: conjunctions of clock atoms and integer conditions, however they are spelt.

use super::lower::{Lower, Lowered, Meaning, Value, fold};
use super::scope::{Entry, Symbol};
use super::syntax::{Node, Tree};
use crate::model::{BinaryOp, ClockConstraint, ClockId, Cmp, Expr, Guard, UnaryOp};
use crate::text::{Diagnostic, Span};

/// A sum of clocks and an integer expression.
struct Linear {
    clocks: Vec<(ClockId, i64)>,
    rest: Expr,
}

impl Lower<'_> {
    /// The conjunction of `trees`; every error of it goes to `diagnostics`.
    pub(super) fn guard(&mut self, trees: &[Tree], diagnostics: &mut Vec<Diagnostic>) -> Guard {
        let mut guard = Guard::always();
        for tree in trees {
            if let Err(error) = self.condition(tree, true, &mut guard) {
                diagnostics.extend(error);
            }
        }
        guard
    }

    /// Adds `tree` (negated, unless `positive`) to `guard`. A negation without clocks stays as it is written.
    fn condition(&mut self, tree: &Tree, positive: bool, guard: &mut Guard) -> Lowered<()> {
        match &tree.node {
            Node::Unary(UnaryOp::Not, operand) if !positive || self.mentions_clock(operand) => {
                return self.condition(operand, !positive, guard);
            }
            Node::Binary(BinaryOp::And, left, right) if positive => {
                return both(self.condition(left, true, guard), self.condition(right, true, guard));
            }
            Node::Binary(BinaryOp::Or, left, right) if !positive => {
                return both(self.condition(left, false, guard), self.condition(right, false, guard));
            }
            Node::Binary(BinaryOp::Imply, left, right) if !positive => {
                return both(self.condition(left, true, guard), self.condition(right, false, guard));
            }
            _ => {}
        }
        if !self.mentions_clock(tree) {
            let value = self.data(tree)?;
            push_data(
                guard,
                if positive {
                    value.expr
                } else {
                    not(value.expr, tree.span)?
                },
            );
            return Ok(());
        }
        match &tree.node {
            Node::Binary(op, left, right) => match op.comparison() {
                Some(cmp) => self.atom(cmp, (left, right), tree.span, positive, guard),
                None => self.connective(*op, (left, right), tree, positive, guard),
            },
            Node::Cond(test, then, other) if !self.mentions_clock(test) => match self.data(test)?.expr.as_const() {
                Some(0) => self.condition(other, positive, guard),
                Some(_) => self.condition(then, positive, guard),
                None => Err(Some(disjunction("`?:` between clock conditions", tree.span))),
            },
            Node::Cond(..) => Err(Some(disjunction("`?:` between clock conditions", tree.span))),
            _ => self.data(tree).map(|_| ()),
        }
    }

    /// A connective that a conjunction cannot express, unless one side is constant.
    fn connective(
        &mut self,
        op: BinaryOp,
        (left, right): (&Tree, &Tree),
        tree: &Tree,
        positive: bool,
        guard: &mut Guard,
    ) -> Lowered<()> {
        let what = match op {
            BinaryOp::Or => "a disjunction of clock conditions",
            BinaryOp::And => "the negation of a conjunction of clock conditions",
            BinaryOp::Imply => "an implication between clock conditions",
            BinaryOp::Ne => return Err(Some(disequality(tree.span))),
            _ => return self.data(tree).map(|_| ()),
        };
        for (side, other) in [(left, right), (right, left)] {
            if self.mentions_clock(side) {
                continue;
            }
            let Some(value) = self.data(side)?.expr.as_const() else {
                continue;
            };
            // `false || c`, `true && c` and `true imply c` are `c`; `c imply false` is its negation.
            let is_left = std::ptr::eq(side, left);
            let (neutral, other_positive) = match op {
                BinaryOp::Or => (value == 0, positive),
                BinaryOp::And => (value != 0, positive),
                _ if is_left => (value != 0, positive),
                _ => (value == 0, !positive),
            };
            if neutral {
                return self.condition(other, other_positive, guard);
            }
            let holds = op != BinaryOp::And;
            push_data(guard, Expr::Const(i64::from(holds == positive)));
            return Ok(());
        }
        Err(Some(disjunction(what, tree.span)))
    }

    fn atom(
        &mut self,
        cmp: Cmp,
        (left, right): (&Tree, &Tree),
        span: Span,
        positive: bool,
        guard: &mut Guard,
    ) -> Lowered<()> {
        if let Some(clock) = rate_of(left).or(rate_of(right)) {
            return self.rate(cmp, (left, right), clock, span);
        }
        let (left, right) = (self.linear(left)?, self.linear(right)?);
        // `3 > x - y` is about x - y, not about y - x.
        let (cmp, mut difference, right) = if left.clocks.is_empty() {
            (cmp.mirrored(), right, left)
        } else {
            (cmp, left, right)
        };
        difference.add(right, -1, span)?;
        let cmp = match (positive, cmp.negated()) {
            (true, _) => cmp,
            (false, Some(negated)) => negated,
            (false, None) => return Err(Some(disequality(span))),
        };
        difference.clocks.retain(|(_, factor)| *factor != 0);
        difference.clocks.sort_by_key(|(_, factor)| -factor);
        let (left, right, cmp, bound) = match difference.clocks[..] {
            [] => {
                let zero = Box::new(Expr::Const(0));
                push_data(
                    guard,
                    fold(Expr::Binary(cmp.into(), Box::new(difference.rest), zero), span)?,
                );
                return Ok(());
            }
            [(clock, 1)] => (clock, None, cmp, negate(difference.rest, span)?),
            [(clock, -1)] => (clock, None, cmp.mirrored(), difference.rest),
            [(plus, 1), (minus, -1)] => (plus, Some(minus), cmp, negate(difference.rest, span)?),
            _ => return Err(Some(not_a_difference(span))),
        };
        if let Expr::Const(value) = bound
            && i32::try_from(value).is_err()
        {
            let error = Diagnostic::error(format!("the bound {value} does not fit in 32 bits"), span);
            return Err(Some(error.with_help("choose a larger time unit")));
        }
        guard.clocks.push(ClockConstraint {
            left,
            right,
            cmp,
            bound,
        });
        Ok(())
    }

    /// `x' == 1` is how every clock runs; any other rate is a stopwatch.
    fn rate(&mut self, cmp: Cmp, (left, right): (&Tree, &Tree), clock: &Tree, span: Span) -> Lowered<()> {
        let other = if rate_of(left).is_some() { right } else { left };
        if let Node::Name(name) = &clock.node {
            self.meaning(name, clock.span)?;
        }
        let one = !self.mentions_clock(other) && self.data(other)?.expr.as_const() == Some(1);
        if cmp == Cmp::Eq && one {
            return Ok(());
        }
        let error = Diagnostic::error("clock rates (stopwatches) are not supported", span);
        Err(Some(error.with_help(
            "every clock grows at rate 1; model the pause with an extra location or integer",
        )))
    }

    fn linear(&mut self, tree: &Tree) -> Lowered<Linear> {
        match &tree.node {
            Node::Name(name) => Ok(match self.meaning(name, tree.span)? {
                Meaning::Clock(clock) => Linear {
                    clocks: vec![(clock, 1)],
                    rest: Expr::Const(0),
                },
                Meaning::Int(id, _) => Linear {
                    clocks: Vec::new(),
                    rest: Expr::Var(id),
                },
                Meaning::Value(Value { expr, .. }) => Linear {
                    clocks: Vec::new(),
                    rest: expr,
                },
            }),
            Node::Unary(UnaryOp::Neg, operand) => {
                let mut sum = Linear {
                    clocks: Vec::new(),
                    rest: Expr::Const(0),
                };
                sum.add(self.linear(operand)?, -1, tree.span)?;
                Ok(sum)
            }
            Node::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let (mut sum, right) = (self.linear(left)?, self.linear(right)?);
                sum.add(right, if *op == BinaryOp::Add { 1 } else { -1 }, tree.span)?;
                Ok(sum)
            }
            _ => Ok(Linear {
                clocks: Vec::new(),
                rest: self.data(tree)?.expr,
            }),
        }
    }

    /// Whether a clock occurs in `tree`.
    fn mentions_clock(&self, tree: &Tree) -> bool {
        match &tree.node {
            Node::Name(name) => {
                let selected = self.selects.iter().any(|(select, _)| *select.name == **name);
                let clock = |entry: &Entry| matches!(entry.symbol, Symbol::Clock);
                !selected && self.scope.find(name).is_some_and(|(_, entry)| clock(entry))
            }
            Node::Rate(_) => true,
            Node::Number(_) | Node::Bool(_) | Node::Real | Node::Text => false,
            Node::Unary(_, a)
            | Node::Index(a, _)
            | Node::Member(a, _)
            | Node::Step(_, _, a)
            | Node::Quantified(_, _, _, a) => self.mentions_clock(a),
            Node::Binary(_, a, b) | Node::Assign(_, a, b) => self.mentions_clock(a) || self.mentions_clock(b),
            Node::Cond(a, b, c) => [a, b, c].iter().any(|part| self.mentions_clock(part)),
            Node::Call(_, arguments) => arguments.iter().any(|argument| self.mentions_clock(argument)),
        }
    }
}

impl Linear {
    fn add(&mut self, other: Self, factor: i64, span: Span) -> Lowered<()> {
        for (clock, by) in other.clocks {
            match self.clocks.iter_mut().find(|(known, _)| *known == clock) {
                Some((_, sum)) => *sum += by * factor,
                None => self.clocks.push((clock, by * factor)),
            }
        }
        let op = if factor > 0 { BinaryOp::Add } else { BinaryOp::Sub };
        let rest = std::mem::replace(&mut self.rest, Expr::Const(0));
        self.rest = sum(op, rest, other.rest, span)?;
        Ok(())
    }
}

fn both(first: Lowered<()>, second: Lowered<()>) -> Lowered<()> {
    first.and(second)
}

fn sum(op: BinaryOp, left: Expr, right: Expr, span: Span) -> Lowered<Expr> {
    match (op, left, right) {
        (_, left, Expr::Const(0)) => Ok(left),
        (BinaryOp::Add, Expr::Const(0), right) => Ok(right),
        (BinaryOp::Sub, Expr::Const(0), right) => negate(right, span),
        (BinaryOp::Sub, left, Expr::Unary(UnaryOp::Neg, right)) => sum(BinaryOp::Add, left, *right, span),
        (op, left, right) => fold(Expr::Binary(op, Box::new(left), Box::new(right)), span),
    }
}

fn negate(expr: Expr, span: Span) -> Lowered<Expr> {
    match expr {
        Expr::Unary(UnaryOp::Neg, inner) => Ok(*inner),
        Expr::Binary(BinaryOp::Sub, left, right) => sum(BinaryOp::Sub, *right, *left, span),
        other => fold(Expr::Unary(UnaryOp::Neg, Box::new(other)), span),
    }
}

fn not(expr: Expr, span: Span) -> Lowered<Expr> {
    fold(Expr::Unary(UnaryOp::Not, Box::new(expr)), span)
}

/// Adds an integer condition; one that always holds adds nothing.
fn push_data(guard: &mut Guard, expr: Expr) {
    match expr {
        Expr::Const(0) if guard.data.contains(&Expr::Const(0)) => {}
        Expr::Const(value) if value != 0 => {}
        expr => guard.data.push(expr),
    }
}

fn rate_of(tree: &Tree) -> Option<&Tree> {
    match &tree.node {
        Node::Rate(clock) => Some(clock),
        _ => None,
    }
}

fn disjunction(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error(format!("{what} is not supported"), span)
        .with_help("a guard is a conjunction: split the edge into one edge per alternative")
}

fn disequality(span: Span) -> Diagnostic {
    Diagnostic::error("`!=` between clocks is not supported", span)
        .with_help("split the edge into one with `<` and one with `>`")
}

fn not_a_difference(span: Span) -> Diagnostic {
    Diagnostic::error("this is neither a clock nor the difference of two clocks", span)
        .with_help("a clock atom is `x ~ e` or `x - y ~ e` with an integer expression e")
}
