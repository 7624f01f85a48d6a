//! Variables that no condition may read: floating-point variables, hybrid clocks, prices. They affect how likely or how
//! expensive a run is, not whether it is possible. So updates of them are left out, except for side effects on the way:
//! a variable that is changed in the right-hand side, an index outside its array, a division by zero.

use std::collections::BTreeSet;

use super::declare::position;
use super::expressions::LocatedKind;
use super::processes::ProcessDraft;
use super::scope::{NetworkLowering, OddClock, Oddity, SymbolKind};
use super::types::ResolvedType;
use crate::grammar::built_in::is_real_function;
use crate::grammar::syntax::{ExprNode, Initial, LoweringResult, Name, Tree};
use tamper_text::{Diagnostic, Span};
use tamper_timed::model::BinaryOp;
use tamper_timed::network::{Clock, Condition, Expr, Variable, odd_rate};

/// The description of a left-out update.
const UPDATE: &str = "update of these";

impl NetworkLowering<'_> {
    /// The kind of the foreign variable that `tree` is a part of; `None` for any other variable.
    fn foreign_root(&self, tree: &Tree) -> Option<&'static str> {
        match &tree.node {
            ExprNode::Name(name) => match self.find(name)?.what {
                SymbolKind::Foreign(what) => Some(what),
                _ => None,
            },
            ExprNode::Index(of, _) | ExprNode::Member(of, _) | ExprNode::Rate(of) => self.foreign_root(of),
            _ => None,
        }
    }

    /// The effects of `tree`, an update or statement, in order.
    pub fn effects_of(&mut self, tree: &Tree) -> LoweringResult<Vec<Expr>> {
        let mut effects = Vec::new();
        match &tree.node {
            ExprNode::Assign(_, left, right) if self.foreign_root(left).is_some() => {
                self.without_value(left, true, &mut effects)?;
                self.without_value(right, true, &mut effects)?;
                self.unread.add(UPDATE, tree.span);
            }
            ExprNode::Step(_, _, operand) if self.foreign_root(operand).is_some() => {
                self.without_value(operand, true, &mut effects)?;
                self.unread.add(UPDATE, tree.span);
            }
            ExprNode::Call(name, arguments) => effects.push(self.call(name, arguments, tree.span)?),
            _ => effects.push(self.number(tree)?.expr),
        }
        Ok(effects)
    }

    /// Adds the side effects of evaluating `tree` to `effects`; `certain` says that it is always evaluated.
    pub fn without_value(&mut self, tree: &Tree, certain: bool, effects: &mut Vec<Expr>) -> LoweringResult<()> {
        if self.is_plain(tree) {
            let expr = self.number(tree)?.expr;
            match (acts(&expr), certain) {
                (false, _) => {}
                (true, true) => effects.push(expr),
                (true, false) => return Err(Some(uncertain(tree.span))),
            }
            return Ok(());
        }
        match &tree.node {
            ExprNode::Index(a, b) => {
                self.without_value(a, certain, effects)?;
                self.without_value(b, certain, effects)
            }
            ExprNode::Unary(_, a) | ExprNode::Member(a, _) => self.without_value(a, certain, effects),
            ExprNode::Binary(op, a, b) => {
                let is_lazy = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Imply);
                self.without_value(a, certain, effects)?;
                self.without_value(b, certain && !is_lazy, effects)
            }
            ExprNode::Cond(test, then, other) => {
                self.without_value(test, certain, effects)?;
                self.without_value(then, false, effects)?;
                self.without_value(other, false, effects)
            }
            ExprNode::Call(name, arguments) => match self.find(name) {
                Some(_) => match certain {
                    true => {
                        effects.push(self.call(name, arguments, tree.span)?);
                        Ok(())
                    }
                    false => Err(Some(uncertain(tree.span))),
                },
                None if is_real_function(name) => {
                    let mut all = arguments.iter();
                    all.try_for_each(|argument| self.without_value(argument, certain, effects))
                }
                None => self.number(tree).map(|_| ()),
            },
            ExprNode::Quantified(_, variable, body) => {
                let lower = |this: &mut Self| this.without_value(body, false, &mut Vec::new());
                self.bound_variable(variable, lower).map(|_| ())
            }
            ExprNode::Assign(..) | ExprNode::Step(..) => Err(Some(
                Diagnostic::error("an assignment inside of what is not read", tree.span)
                    .with_help("assign first, in an update of its own"),
            )),
            ExprNode::Name(_)
            | ExprNode::Number(_)
            | ExprNode::Bool(_)
            | ExprNode::Real
            | ExprNode::Text
            | ExprNode::Rate(_) => Ok(()),
        }
    }

    /// Adds the side effects of the initial value of a local variable that is not read.
    pub fn without_initial(&mut self, initial: &Initial, effects: &mut Vec<Expr>) -> LoweringResult<()> {
        match initial {
            Initial::Value(tree) => self.without_value(tree, true, effects),
            Initial::Braces(list) => {
                let list = list.as_ref().map_err(|error| Some(error.clone()))?;
                let mut all = list.iter();
                all.try_for_each(|(_, initial)| self.without_initial(initial, effects))
            }
        }
    }

    /// Whether `tree` is an integer expression: it contains no floating-point number, clock or other part that is not
    /// read.
    fn is_plain(&self, tree: &Tree) -> bool {
        match &tree.node {
            ExprNode::Real | ExprNode::Text | ExprNode::Rate(_) => false,
            ExprNode::Number(_) | ExprNode::Bool(_) => true,
            ExprNode::Name(name) => self.find(name).is_none_or(|named| {
                use SymbolKind as S;
                !matches!(named.what, S::Foreign(_) | S::Clocks(..) | S::Passed(_, None, _))
            }),
            ExprNode::Member(a, _) => self.is_plain(a) && self.type_of(tree).is_none_or(|ty| ty.n_clocks() == 0),
            ExprNode::Unary(_, a) | ExprNode::Step(_, _, a) | ExprNode::Quantified(_, _, a) => self.is_plain(a),
            ExprNode::Binary(_, a, b) | ExprNode::Index(a, b) | ExprNode::Assign(_, a, b) => {
                self.is_plain(a) && self.is_plain(b)
            }
            ExprNode::Cond(a, b, c) => [a, b, c].iter().all(|part| self.is_plain(part)),
            ExprNode::Call(name, arguments) => {
                let is_integer = match self.find(name) {
                    Some(_) => self.result_is_read(name),
                    None => !is_real_function(name),
                };
                is_integer && arguments.iter().all(|argument| self.is_plain(argument))
            }
        }
    }

    /// The conjuncts of `trees`, without the rates of unread variables.
    pub fn without_rates<'t>(&mut self, trees: &'t [Tree]) -> Vec<&'t Tree> {
        let mut kept = Vec::new();
        trees.iter().for_each(|tree| self.conjuncts(tree, &mut kept));
        kept
    }

    fn conjuncts<'t>(&mut self, tree: &'t Tree, kept: &mut Vec<&'t Tree>) {
        match &tree.node {
            ExprNode::Binary(BinaryOp::And, left, right) if self.has_unread_rate(tree) => {
                self.conjuncts(left, kept);
                self.conjuncts(right, kept);
            }
            _ if self.is_unread_rate(tree) => self.unread.add("rate of these", tree.span),
            _ if self.is_odd_rate(tree) => {}
            _ => kept.push(tree),
        }
    }

    fn has_unread_rate(&self, tree: &Tree) -> bool {
        match &tree.node {
            ExprNode::Binary(BinaryOp::And, left, right) => self.has_unread_rate(left) || self.has_unread_rate(right),
            _ => self.is_unread_rate(tree) || rate_of(tree).is_some_and(|(_, rate)| !self.is_plain(rate)),
        }
    }

    /// Whether `tree` gives a clock a rate that is not an integer expression; notes the clock.
    fn is_odd_rate(&mut self, tree: &Tree) -> bool {
        let Some((clock, rate)) = rate_of(tree) else {
            return false;
        };
        if self.is_plain(rate) {
            return false;
        }
        let Ok(located) = self.located(clock) else {
            return false;
        };
        let (LocatedKind::Clocks(base), ResolvedType::Clock) = (located.kind, &located.ty) else {
            return false;
        };
        let steps = located.steps;
        let clocks = Clock { base, steps }.range();
        self.network.left_out.extend(clocks.clone());
        self.odd.push(OddClock {
            clocks,
            name: Name {
                text: located.name.to_string(),
                span: tree.span,
            },
            oddity: Oddity::Rate,
        });
        true
    }

    /// Gives each clock that something is compared with, and that starts at a natural number, a variable that holds what it is
    /// ahead of a clock that starts at 0.
    pub fn start_clocks_ahead(&mut self) {
        let Self {
            odd, compared, network, ..
        } = self;
        odd.retain(|OddClock { clocks, oddity, .. }| {
            let Oddity::Start(Some(value)) = *oddity else {
                return true;
            };
            let clock = clocks.start;
            if !compared.contains(&clock) {
                return true;
            }
            network.left_out.remove(&clock);
            network.ahead.push((position(clock), position(network.variables.len())));
            network.variables.push(Variable {
                name: format!("ahead of {}", network.clocks[clock]).into(),
                initial: value,
                low: 0,
                high: value,
                boolean: false,
                meta: false,
            });
            false
        });
    }

    /// Refuses odd clocks that something is compared with: a clock without comparisons may start at any value and run
    /// at any rate.
    pub fn refuse_odd_clocks(&mut self) {
        let compared = std::mem::take(&mut self.compared);
        let errors = self.odd_clocks(&compared);
        self.diagnostics.extend(errors);
        for OddClock { name, oddity, .. } in std::mem::take(&mut self.odd) {
            let what = match oddity {
                Oddity::Start(_) => "value of clocks at the start",
                Oddity::Rate | Oddity::Stopped => "rate of clocks",
            };
            self.unread.add(what, name.span);
        }
    }

    /// The errors about the odd clocks in `compared`, which are removed from the list.
    pub fn odd_clocks(&mut self, compared: &BTreeSet<usize>) -> Vec<Diagnostic> {
        let is_compared = |odd: &mut OddClock| odd.clocks.clone().any(|clock| compared.contains(&clock));
        let refused = self.odd.extract_if(.., is_compared);
        let errors = refused.map(|OddClock { name, oddity, .. }| {
            let (is, help) = match oddity {
                Oddity::Start(Some(_)) => (
                    "starts at another value than 0, which no automaton by itself has",
                    "take the file as a network: `tamper compose`, `classify --mutate`",
                ),
                Oddity::Start(None) => (
                    "starts at a value that is no constant natural number",
                    "clocks start at natural numbers of 32 bits; choose another unit of time",
                ),
                Oddity::Rate => (
                    "runs at a rate that is no integer",
                    "every clock grows at rate 1; model the pause with an extra location or integer",
                ),
                Oddity::Stopped => (
                    "runs at another rate than 1",
                    "every clock grows at rate 1; model the pause with an extra location or integer",
                ),
            };
            let message = format!("the clock `{}`, with which something is compared, {is}", name.text);
            Diagnostic::error(message, name.span).with_help(help)
        });
        errors.collect()
    }

    /// Drops the rates that `draft` gives to clocks which it compares with nothing: they do not affect its runs.
    /// Another game of the file that compares these clocks is refused.
    pub fn drop_rates(&mut self, draft: &mut ProcessDraft) {
        let Self {
            compared, network, odd, ..
        } = self;
        let keep = |clock: &Clock| clock.range().any(|at| compared.contains(&at));
        for (location, places) in &mut draft.locations {
            let Condition::And(parts) = &mut location.invariant else {
                continue;
            };
            for (part, place) in parts.iter_mut().zip(places) {
                part.drop_rates(&keep, &mut |clock, rate| {
                    let clocks = odd_rate(clock, rate);
                    network.left_out.extend(clocks.clone());
                    let text = network.clocks[clock.base as usize].to_string();
                    odd.extend((!clocks.is_empty()).then_some(OddClock {
                        clocks,
                        name: Name { text, span: place.span },
                        oddity: Oddity::Stopped,
                    }));
                });
            }
        }
    }

    /// Whether `tree` only sets the rates of unread variables.
    fn is_unread_rate(&self, tree: &Tree) -> bool {
        match &tree.node {
            ExprNode::Binary(BinaryOp::Eq, left, right) => [left, right]
                .into_iter()
                .any(|side| matches!(side.node, ExprNode::Rate(_)) && self.foreign_root(side).is_some()),
            ExprNode::Binary(BinaryOp::And, left, right) => self.is_unread_rate(left) && self.is_unread_rate(right),
            ExprNode::Quantified(crate::grammar::syntax::QuantifierKeyword::ForAll, _, body) => {
                self.is_unread_rate(body)
            }
            _ => false,
        }
    }
}

/// The clock and its rate, if `tree` sets a rate.
fn rate_of(tree: &Tree) -> Option<(&Tree, &Tree)> {
    let ExprNode::Binary(BinaryOp::Eq, left, right) = &tree.node else {
        return None;
    };
    match (&left.node, &right.node) {
        (ExprNode::Rate(clock), _) => Some((clock, right)),
        (_, ExprNode::Rate(clock)) => Some((clock, left)),
        _ => None,
    }
}

/// Whether evaluating `expr` has a side effect, or may fail.
fn acts(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) => false,
        Expr::Load(place) => !place.steps.is_empty(),
        Expr::Unary(_, part) | Expr::Abs(part) | Expr::Quantified(_, _, _, part) => acts(part),
        Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _, right) if right.as_const().is_none_or(|by| by == 0) => true,
        Expr::Binary(_, left, right) => acts(left) || acts(right),
        Expr::Cond(test, then, other) => acts(test) || acts(then) || acts(other),
        Expr::Same(left, right, _) => !left.steps.is_empty() || !right.steps.is_empty(),
        Expr::Assign(..) | Expr::Increment(..) | Expr::Copy(..) | Expr::Reset(..) | Expr::Call(..) => true,
    }
}

fn uncertain(span: Span) -> Diagnostic {
    Diagnostic::error("this may have no meaning, under a condition that is not read", span)
        .with_help("compute it first, into a variable of its own")
}
