//! Labels of a process by itself: integers by name, and conjunctions of clock atoms and integer conditions.
//!
//! What only a composition can say (elements of arrays, calls, disjunctions of clock conditions) is refused by name.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::super::declared::Stored;
use super::super::syntax::Lowered;
use super::instances::Instance;
use super::scope::What;
use super::types::{Numbers, Type};
use crate::model::{AutomatonBuilder, BinaryOp, ClockId, Expr, IntId, IntVar, UnaryOp, Update, Valuation};
use crate::network::{self, Network, Place, Root, Sync};
use crate::text::{Diagnostic, Span};

/// Makes an automaton of one process of a network.
pub(in crate::formats::uppaal) struct Plain<'n> {
    network: &'n Network,
    numbers: &'n [Numbers],
    pub builder: AutomatonBuilder,
    /// What the process calls clocks and variables that its parameters are bound to.
    aliases: BTreeMap<Stored, Arc<str>>,
    prefix: String,
    clocks: BTreeMap<usize, ClockId>,
    ints: BTreeMap<usize, IntId>,
    /// The select variables of the edge at hand.
    pub selects: Vec<network::Select>,
    pub used: BTreeSet<Stored>,
    pub written: BTreeSet<Stored>,
    /// The part of a label at hand.
    pub(super) span: Span,
}

/// Clocks and variables that a process declares itself, by position.
#[derive(Clone, Debug, Default)]
pub(in crate::formats::uppaal) struct Own {
    pub clocks: Range<usize>,
    pub variables: Range<usize>,
}

impl<'n> Plain<'n> {
    /// An automaton with the clocks and integers that the process declares, in the order of the file.
    pub fn new(network: &'n Network, numbers: &'n [Numbers], instance: &Instance, own: &Own) -> Self {
        let alias = |(name, what): &(super::super::syntax::Name, What)| {
            let stored = match what {
                What::Clocks(at, Type::Clock) => Stored::Clock(*at as usize),
                What::Cells(Root::Variable(at), Type::Number(_), _) => Stored::Variable(*at as usize),
                _ => return None,
            };
            Some((stored, name.text.as_str().into()))
        };
        let mut plain = Self {
            network,
            numbers,
            builder: AutomatonBuilder::new(instance.name.as_str()),
            aliases: instance.bound.iter().filter_map(alias).collect(),
            prefix: format!("{}.", instance.name),
            clocks: BTreeMap::new(),
            ints: BTreeMap::new(),
            selects: Vec::new(),
            used: BTreeSet::new(),
            written: BTreeSet::new(),
            span: instance.span,
        };
        // Elements of arrays have no place in an automaton: only their use is an error.
        for at in own.clocks.clone() {
            let _element = plain.clock_at(at);
        }
        for at in own.variables.clone() {
            let _element = plain.int_at(at);
        }
        plain.used.clear();
        plain
    }

    /// What the process calls `stored`, which is `name` in the network.
    fn name_of(&self, stored: Stored, name: &Arc<str>) -> Lowered<Arc<str>> {
        if let Some(alias) = self.aliases.get(&stored) {
            return Ok(Arc::clone(alias));
        }
        let name = name.strip_prefix(self.prefix.as_str()).unwrap_or(name);
        match name.contains(['[', '.']) {
            true => Err(Some(
                self.refused(&format!("`{name}` is part of an array or structure")),
            )),
            false => Ok(name.into()),
        }
    }

    fn clock_at(&mut self, at: usize) -> Lowered<ClockId> {
        let name = self.name_of(Stored::Clock(at), &self.network.clocks[at])?;
        self.used.insert(Stored::Clock(at));
        let builder = &mut self.builder;
        Ok(*self.clocks.entry(at).or_insert_with(|| builder.clock(name)))
    }

    fn int_at(&mut self, at: usize) -> Lowered<IntId> {
        let variable = &self.network.variables[at];
        let name = self.name_of(Stored::Variable(at), &variable.name)?;
        self.used.insert(Stored::Variable(at));
        let numbers = self.numbers[at];
        let builder = &mut self.builder;
        Ok(*self.ints.entry(at).or_insert_with(|| {
            builder.int(IntVar {
                name,
                low: numbers.low,
                high: numbers.high,
                initial: variable.initial,
            })
        }))
    }

    /// The clock `clock`.
    pub(super) fn clock(&mut self, clock: &network::Clock) -> Lowered<ClockId> {
        match clock.steps.is_empty() {
            true => self.clock_at(clock.base as usize),
            false => Err(Some(self.array())),
        }
    }

    /// The variable at `place`, and the values that it may have.
    fn int(&mut self, place: &Place) -> Lowered<(IntId, usize)> {
        match place.root {
            Root::Variable(base) if place.steps.is_empty() => {
                let at = (base + place.offset) as usize;
                Ok((self.int_at(at)?, at))
            }
            _ => Err(Some(self.array())),
        }
    }

    /// Whether the channel of `sync`, which a label calls `name`, is urgent, and what it is called where it is declared.
    pub fn channel(&self, sync: &Sync, name: &str, span: Span) -> Lowered<(bool, String)> {
        let channel = &self.network.channels[sync.channel.base as usize];
        let declared = channel.name.strip_prefix(self.prefix.as_str()).unwrap_or(&channel.name);
        if !sync.channel.steps.is_empty() || declared.contains('[') {
            let error = Diagnostic::error(format!("`{name}` is an array of channels"), span);
            return Err(Some(
                error.with_help(format!("use one channel per element, or {AS_NETWORK}")),
            ));
        }
        Ok((channel.urgent, declared.to_owned()))
    }

    /// The integer expression `expr`.
    pub(super) fn data(&mut self, expr: &network::Expr) -> Lowered<Expr> {
        use network::Expr as N;
        let made = match expr {
            N::Const(value) => Expr::Const(*value),
            N::Load(place) => match place.root {
                Root::Frame(cell) if (cell as usize) < self.selects.len() && place.steps.is_empty() => {
                    Expr::Select(cell)
                }
                _ => Expr::Var(self.int(place)?.0),
            },
            N::Unary(op, operand) => Expr::Unary(*op, Box::new(self.data(operand)?)),
            N::Binary(op, left, right) => Expr::Binary(*op, Box::new(self.data(left)?), Box::new(self.data(right)?)),
            // The operand occurs twice in what stands for `abs`: nested ones would grow without bound.
            N::Abs(operand) if has_abs(operand) => return Err(Some(self.refused("`abs` inside `abs`"))),
            N::Abs(operand) => {
                let value = self.data(operand)?;
                let negated = self.fold(Expr::Unary(UnaryOp::Neg, Box::new(value.clone())))?;
                Expr::Binary(BinaryOp::Max, Box::new(value), Box::new(negated))
            }
            N::Cond(test, then, other) => {
                let [test, then, other] = [self.data(test)?, self.data(then)?, self.data(other)?];
                Expr::Cond(Box::new(test), Box::new(then), Box::new(other))
            }
            N::Call(at, _) => {
                let name = &self.network.functions[*at as usize].name;
                let name = name.strip_prefix(self.prefix.as_str()).unwrap_or(name);
                let error = Diagnostic::error(format!("the call of the function `{name}` is not supported"), self.span);
                let help = format!("write the expression out where it is called, or {AS_NETWORK}");
                return Err(Some(error.with_help(help)));
            }
            N::Quantified(kind, ..) => {
                let word = match kind {
                    network::Quantifier::ForAll => "forall",
                    network::Quantifier::Exists => "exists",
                    network::Quantifier::Sum => "sum",
                };
                return Err(Some(self.quantifier(word)));
            }
            N::Same(..) | N::Copy(..) => return Err(Some(self.array())),
            N::Assign(..) | N::Increment(..) | N::Reset(..) => {
                let error = Diagnostic::error("an assignment inside an expression", self.span);
                return Err(Some(
                    error.with_help("assignments belong in the assignment label, one after the other"),
                ));
            }
        };
        self.fold(made)
    }

    /// The assignments of a label, which stand at `spans`; every error goes to `diagnostics`.
    pub fn updates(
        &mut self,
        list: &[network::Expr],
        spans: impl Iterator<Item = Span>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<Update> {
        let mut updates = Vec::new();
        for (expr, span) in list.iter().zip(spans) {
            self.span = span;
            let before = updates.len();
            match self.assignment(expr, &mut updates) {
                Ok(value) if updates.len() == before && value.as_const().is_none() => {
                    diagnostics.push(Diagnostic::warning("this assignment has no effect", span));
                }
                Ok(_) => {}
                Err(error) => diagnostics.extend(error),
            }
        }
        updates
    }

    /// The assignments that `expr` makes, in order; gives the value that the last one assigns.
    fn assignment(&mut self, expr: &network::Expr, updates: &mut Vec<Update>) -> Lowered<Expr> {
        use network::Expr as N;
        match expr {
            N::Assign(place, op, value, cell) => {
                let value_is_boolean = op.is_none() && self.is_boolean(value);
                let operand = self.right_side(value, updates)?;
                let (int, at) = self.int(place)?;
                let new = match op {
                    None => operand,
                    Some(op) => self.fold(Expr::Binary(*op, Box::new(Expr::Var(int)), Box::new(operand)))?,
                };
                let is_boolean = value_is_boolean || op.is_some_and(gives_boolean);
                self.assign(int, at, (cell.boolean && !is_boolean, new), updates)
            }
            N::Increment(place, by, _, cell) => {
                let (int, at) = self.int(place)?;
                let sum = Expr::Binary(BinaryOp::Add, Box::new(Expr::Var(int)), Box::new(Expr::Const(*by)));
                self.assign(int, at, (cell.boolean, sum), updates)
            }
            N::Reset(clock, value) => {
                let value = self.right_side(value, updates)?;
                self.written.insert(Stored::Clock(clock.base as usize));
                let clock = self.clock(clock)?;
                if let Some(number) = value.as_const() {
                    self.check_reset(number)?;
                }
                updates.push(Update::Reset(clock, value.clone()));
                Ok(value)
            }
            other => self.data(other),
        }
    }

    /// Assigns `value` to an integer; a boolean stores whether it is not 0, where `converts` is set.
    fn assign(
        &mut self,
        int: IntId,
        at: usize,
        (converts, value): (bool, Expr),
        updates: &mut Vec<Update>,
    ) -> Lowered<Expr> {
        let value = match converts {
            true => self.fold(Expr::Binary(BinaryOp::Ne, Box::new(value), Box::new(Expr::Const(0))))?,
            false => value,
        };
        self.written.insert(Stored::Variable(at));
        updates.push(Update::Assign(int, value));
        Ok(Expr::Var(int))
    }

    fn right_side(&mut self, expr: &network::Expr, updates: &mut Vec<Update>) -> Lowered<Expr> {
        use network::Expr as N;
        match expr {
            N::Assign(..) | N::Reset(..) | N::Increment(_, _, false, _) => self.assignment(expr, updates),
            _ => self.data(expr),
        }
    }

    fn check_reset(&self, number: i64) -> Lowered<()> {
        let (message, help) = match number {
            ..0 => ("a clock is reset to a negative number", "clocks have values from 0 on"),
            _ if i32::try_from(number).is_ok() => return Ok(()),
            _ => (
                "a clock is reset to a number that does not fit in 32 bits",
                "choose a larger time unit",
            ),
        };
        Err(Some(Diagnostic::error(message, self.span).with_help(help)))
    }

    /// Whether `expr` is a boolean: 0 or 1 whatever the values are.
    fn is_boolean(&self, expr: &network::Expr) -> bool {
        use network::Expr as N;
        match expr {
            N::Load(place) => match place.root {
                Root::Variable(at) => self.numbers[(at + place.offset) as usize].boolean,
                Root::Frame(cell) => self
                    .selects
                    .get(cell as usize)
                    .is_some_and(|select| select.low >= 0 && select.high <= 1),
                _ => false,
            },
            N::Unary(op, _) => *op == UnaryOp::Not,
            N::Binary(op, ..) => gives_boolean(*op),
            N::Cond(_, then, other) => self.is_boolean(then) && self.is_boolean(other),
            N::Assign(_, _, _, cell) => cell.boolean,
            _ => false,
        }
    }

    /// `expr`, computed where its parts are constants.
    pub(super) fn fold(&self, expr: Expr) -> Lowered<Expr> {
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
                Diagnostic::error(format!("the constant {value} does not fit in 32 bits"), self.span)
                    .with_help("UPPAAL computes in 32 bits; choose a larger unit"),
            )),
            Err(error) => Err(Some(
                Diagnostic::error(format!("{error} in a constant expression"), self.span)
                    .with_help("correct the constants"),
            )),
        }
    }

    /// Why something that only a network has is refused.
    fn refused(&self, what: &str) -> Diagnostic {
        let error = Diagnostic::error(format!("{what}, which no automaton by itself has"), self.span);
        error.with_help(format!("use one variable per element, or {AS_NETWORK}"))
    }

    fn array(&self) -> Diagnostic {
        let error = Diagnostic::error("an array or structure, which no automaton by itself has", self.span);
        error.with_help(format!("use one variable per element, or {AS_NETWORK}"))
    }

    /// Why a quantifier is refused.
    pub(super) fn quantifier(&self, word: &str) -> Diagnostic {
        let error = Diagnostic::error(format!("the quantifier `{word}` is not supported"), self.span);
        error.with_help(format!(
            "write the condition out for each value, joined by `&&` or `||`, or {AS_NETWORK}"
        ))
    }
}

/// The way out of what no automaton by itself has.
const AS_NETWORK: &str = "take the file as a network: `tamper compose`, `classify --mutate`";

fn gives_boolean(op: BinaryOp) -> bool {
    use BinaryOp as B;
    matches!(
        op,
        B::Lt | B::Le | B::Eq | B::Ne | B::Ge | B::Gt | B::And | B::Or | B::Imply
    )
}

fn has_abs(expr: &network::Expr) -> bool {
    use network::Expr as N;
    match expr {
        N::Abs(_) => true,
        N::Unary(_, part) => has_abs(part),
        N::Binary(_, left, right) => has_abs(left) || has_abs(right),
        N::Cond(test, then, other) => has_abs(test) || has_abs(then) || has_abs(other),
        _ => false,
    }
}
