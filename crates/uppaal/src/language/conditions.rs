//! Guards and invariants: conditions on clocks and variables under any connective.

use super::expressions::{LocatedKind, fold};
use super::places::PartPlace;
use super::scope::{NetworkLowering, SymbolKind};
use super::types::{ResolvedType, clock_as_number};
use crate::grammar::syntax::{ExprNode, LoweringResult, QuantifierKeyword, Tree};
use tamper_text::{Diagnostic, Span};
use tamper_timed::model::{BinaryOp, Cmp, UnaryOp};
use tamper_timed::network::{Clock, Condition, Expr};

/// A linear combination of clocks, and an expression without clocks.
struct Linear {
    clocks: Vec<(Clock, i64)>,
    rest: Expr,
}

impl NetworkLowering<'_> {
    /// The conjunction of `trees`, which must not have side effects, and the places of its parts.
    pub fn conjunction(&mut self, trees: &[Tree]) -> LoweringResult<(Condition, Vec<PartPlace>)> {
        let (mut parts, mut places) = (Vec::new(), Vec::new());
        for tree in self.without_rates(trees) {
            let writes = std::mem::take(&mut self.writes);
            let part = self.condition(tree);
            if std::mem::replace(&mut self.writes, writes) {
                return Err(Some(
                    Diagnostic::error("a condition that changes a variable or clock", tree.span)
                        .with_help("move the change to an assignment label"),
                ));
            }
            match part? {
                Condition::Data(Expr::Const(value)) if value != 0 => continue,
                Condition::And(more) => parts.extend(more),
                part => parts.push(part),
            }
            self.places(tree, &mut places);
        }
        Ok((Condition::And(parts), places))
    }

    /// Adds the places of the parts of `tree`, which match the parts of [`Self::condition`].
    fn places(&self, tree: &Tree, places: &mut Vec<PartPlace>) {
        let mentions_clock = |tree: &Tree| self.mentions_clock(tree, &mut Vec::new());
        match &tree.node {
            ExprNode::Binary(BinaryOp::And, left, right) if mentions_clock(tree) => {
                self.places(left, places);
                self.places(right, places);
            }
            _ => places.push(PartPlace::of(tree, mentions_clock)),
        }
    }

    fn condition(&mut self, tree: &Tree) -> LoweringResult<Condition> {
        if !self.mentions_clock(tree, &mut Vec::new()) {
            return Ok(Condition::Data(self.integer(tree)?));
        }
        match &tree.node {
            ExprNode::Unary(UnaryOp::Not, operand) => Ok(Condition::Not(Box::new(self.condition(operand)?))),
            ExprNode::Binary(BinaryOp::And, left, right) => {
                let mut parts = Vec::new();
                for part in [self.condition(left)?, self.condition(right)?] {
                    match part {
                        Condition::And(more) => parts.extend(more),
                        part => parts.push(part),
                    }
                }
                Ok(Condition::And(parts))
            }
            ExprNode::Binary(BinaryOp::Or, left, right) => {
                Ok(Condition::Or(vec![self.condition(left)?, self.condition(right)?]))
            }
            ExprNode::Binary(BinaryOp::Imply, left, right) => {
                let left = Condition::Not(Box::new(self.condition(left)?));
                Ok(Condition::Or(vec![left, self.condition(right)?]))
            }
            ExprNode::Binary(BinaryOp::Ne, left, right) => Ok(Condition::Not(Box::new(self.comparison(
                Cmp::Eq,
                left,
                right,
                tree.span,
            )?))),
            ExprNode::Binary(op, left, right) => match op.comparison() {
                Some(cmp) => self.comparison(cmp, left, right, tree.span),
                None => self.clock_as_number(tree),
            },
            ExprNode::Cond(test, then, other) if !self.mentions_clock(test, &mut Vec::new()) => {
                let test = self.integer(test)?;
                let (then, other) = (self.condition(then)?, self.condition(other)?);
                Ok(Condition::Cond(test, Box::new(then), Box::new(other)))
            }
            ExprNode::Quantified(kind @ (QuantifierKeyword::ForAll | QuantifierKeyword::Exists), variable, body) => {
                let (cell, range, body) = self.bound_variable(variable, |this| this.condition(body))?;
                Ok(Condition::Quantified(
                    *kind == QuantifierKeyword::ForAll,
                    cell,
                    range,
                    Box::new(body),
                ))
            }
            _ => self.clock_as_number(tree),
        }
    }

    fn comparison(&mut self, cmp: Cmp, left: &Tree, right: &Tree, span: Span) -> LoweringResult<Condition> {
        if let ExprNode::Rate(clock) = &left.node {
            return self.rate(cmp, clock, right, span);
        }
        if let ExprNode::Rate(clock) = &right.node {
            return self.rate(cmp, clock, left, span);
        }
        let (left, right) = (self.linear(left)?, self.linear(right)?);
        // `3 > x - y` is about x - y, not about y - x.
        let (cmp, mut difference, right) = match left.clocks.is_empty() {
            true => (cmp.mirrored(), right, left),
            false => (cmp, left, right),
        };
        let rests = (difference.rest.clone(), right.rest.clone());
        difference.add(right, -1);
        difference.clocks.retain(|(_, factor)| *factor != 0);
        difference.clocks.sort_by_key(|(_, factor)| -factor);
        let rest = difference.rest;
        let condition = match difference.clocks.as_slice() {
            // A difference of the two sides would wrap around.
            [] => Condition::Data(fold(Expr::Binary(cmp.into(), Box::new(rests.0), Box::new(rests.1)))),
            [(clock, 1)] => Condition::Atom(clock.clone(), None, cmp, negate(rest)),
            [(clock, -1)] => Condition::Atom(clock.clone(), None, cmp.mirrored(), rest),
            [(plus, 1), (minus, -1)] => Condition::Atom(plus.clone(), Some(minus.clone()), cmp, negate(rest)),
            _ => {
                let error = Diagnostic::error("this is neither a clock nor the difference of two clocks", span);
                return Err(Some(error.with_help(
                    "a clock atom is `x ~ e` or `x - y ~ e` with an integer expression e",
                )));
            }
        };
        Ok(condition)
    }

    fn rate(&mut self, cmp: Cmp, clock: &Tree, value: &Tree, span: Span) -> LoweringResult<Condition> {
        let located = self.located(clock)?;
        let (LocatedKind::Clocks(base), ResolvedType::Clock, Cmp::Eq) = (located.kind, &located.ty, cmp) else {
            let error = Diagnostic::error("this is no rate of a clock", span);
            return Err(Some(error.with_help("a rate is `x' == e`")));
        };
        let value = self.integer(value)?;
        let clock = Clock {
            base,
            steps: located.steps,
        };
        Ok(Condition::Rate(clock, value))
    }

    fn linear(&mut self, tree: &Tree) -> LoweringResult<Linear> {
        if !self.mentions_clock(tree, &mut Vec::new()) {
            return Ok(Linear {
                clocks: Vec::new(),
                rest: self.bound_of_clock(tree)?,
            });
        }
        match &tree.node {
            ExprNode::Name(_) | ExprNode::Index(..) | ExprNode::Member(..) => {
                let located = self.located(tree)?;
                let (LocatedKind::Clocks(base), ResolvedType::Clock) = (located.kind, &located.ty) else {
                    return self.clock_as_number(tree);
                };
                let clock = Clock {
                    base,
                    steps: located.steps,
                };
                self.compared.extend(clock.range());
                Ok(Linear {
                    clocks: vec![(clock, 1)],
                    rest: Expr::Const(0),
                })
            }
            ExprNode::Unary(UnaryOp::Neg, operand) => {
                let mut sum = Linear {
                    clocks: Vec::new(),
                    rest: Expr::Const(0),
                };
                sum.add(self.linear(operand)?, -1);
                Ok(sum)
            }
            ExprNode::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let (mut sum, right) = (self.linear(left)?, self.linear(right)?);
                sum.add(right, if *op == BinaryOp::Add { 1 } else { -1 });
                Ok(sum)
            }
            _ => self.clock_as_number(tree),
        }
    }

    /// The integer that a clock is compared with: its sums do not wrap around.
    fn bound_of_clock(&mut self, tree: &Tree) -> LoweringResult<Expr> {
        self.highest = self.highest.max(tree.height);
        match &tree.node {
            ExprNode::Unary(UnaryOp::Neg, part) => {
                let part = Box::new(self.bound_of_clock(part)?);
                Ok(fold_bound(Expr::Unary(UnaryOp::Neg, part)))
            }
            ExprNode::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let [left, right] = [left, right].map(|part| self.bound_of_clock(part).map(Box::new));
                Ok(fold_bound(Expr::Binary(*op, left?, right?)))
            }
            _ => self.integer(tree),
        }
    }

    /// The error of using `tree`, in which a clock occurs, as a number.
    fn clock_as_number<T>(&mut self, tree: &Tree) -> LoweringResult<T> {
        self.number(tree).and(Err(Some(clock_as_number("a clock", tree.span))))
    }

    /// Whether a clock occurs in `tree` outside the arguments of functions; `bound` has the variables of quantifiers.
    fn mentions_clock<'t>(&self, tree: &'t Tree, bound: &mut Vec<&'t str>) -> bool {
        match &tree.node {
            ExprNode::Name(name) => {
                let is_clock = || {
                    use SymbolKind as S;
                    self.find(name)
                        .is_some_and(|named| matches!(named.what, S::Clocks(..) | S::Mixed(..) | S::Passed(..)))
                };
                !bound.contains(&name.as_str()) && is_clock()
            }
            ExprNode::Rate(_) => true,
            ExprNode::Number(_) | ExprNode::Bool(_) | ExprNode::Real | ExprNode::Text | ExprNode::Call(..) => false,
            ExprNode::Unary(_, a) | ExprNode::Step(_, _, a) => self.mentions_clock(a, bound),
            ExprNode::Index(a, _) | ExprNode::Member(a, _) => {
                let may_be_clock = || self.type_of(tree).is_none_or(|ty| ty.n_clocks() > 0);
                self.mentions_clock(a, bound) && may_be_clock()
            }
            ExprNode::Binary(_, a, b) | ExprNode::Assign(_, a, b) => {
                self.mentions_clock(a, bound) || self.mentions_clock(b, bound)
            }
            ExprNode::Cond(a, b, c) => [a, b, c].iter().any(|part| self.mentions_clock(part, bound)),
            ExprNode::Quantified(_, variable, body) => {
                bound.push(&variable.name.text);
                let found = self.mentions_clock(body, bound);
                bound.pop();
                found
            }
        }
    }
}

impl Linear {
    fn add(&mut self, other: Self, factor: i64) {
        for (clock, by) in other.clocks {
            match self.clocks.iter_mut().find(|(known, _)| *known == clock) {
                Some((_, sum)) => *sum += by * factor,
                None => self.clocks.push((clock, by * factor)),
            }
        }
        let op = if factor > 0 { BinaryOp::Add } else { BinaryOp::Sub };
        let rest = std::mem::replace(&mut self.rest, Expr::Const(0));
        self.rest = sum(op, rest, other.rest);
    }
}

/// `left + right` or `left - right`, simplified.
fn sum(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    match (op, left, right) {
        (_, left, Expr::Const(0)) => left,
        (BinaryOp::Add, Expr::Const(0), right) => right,
        (BinaryOp::Sub, Expr::Const(0), right) => negate(right),
        (BinaryOp::Sub, left, Expr::Unary(UnaryOp::Neg, right)) => sum(BinaryOp::Add, left, *right),
        (op, left, right) => fold_bound(Expr::Binary(op, Box::new(left), Box::new(right))),
    }
}

fn negate(expr: Expr) -> Expr {
    match expr {
        Expr::Unary(UnaryOp::Neg, inner) => *inner,
        Expr::Binary(BinaryOp::Sub, left, right) => sum(BinaryOp::Sub, *right, *left),
        other => fold_bound(Expr::Unary(UnaryOp::Neg, Box::new(other))),
    }
}

/// `expr`, folded if its parts are numbers and its exact value fits in 32 bits.
fn fold_bound(expr: Expr) -> Expr {
    let value = match &expr {
        Expr::Unary(UnaryOp::Neg, part) => part.as_const().map(|value| -value),
        Expr::Binary(op, left, right) => left.as_const().zip(right.as_const()).and_then(|(a, b)| op.exact(a, b)),
        _ => None,
    };
    match value.filter(|value| i32::try_from(*value).is_ok()) {
        Some(value) => Expr::Const(value),
        None => expr,
    }
}
