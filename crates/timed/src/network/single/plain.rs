//! Labels of a single process: integers by name, and conjunctions of clock atoms and integer conditions.
//!
//! Constructs that only a composition can express (elements of arrays, calls, disjunctions of clock conditions) are refused
//! by name.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use crate::model::{AutomatonBuilder, BinaryOp, ClockId, Expr, IntId, IntVar, UnaryOp, Update, Valuation};
use crate::network::{Labels, Network, NotSingleAutomaton, Place, Quantifier, RangedVariable, Root, Select, Sync};

/// A translated label, or the construct that a single automaton cannot express.
pub(in crate::network) type TranslationResult<T> = Result<T, NotSingleAutomaton>;

/// A clock or an integer variable, by its position in the network.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each holds the position that its name says")]
pub enum Stored {
    Clock(usize),
    Variable(usize),
}

/// Makes an automaton of one process of a network: its labels with integers by name, its guards as conjunctions.
pub struct SingleAutomaton<'n> {
    network: &'n Network,
    /// The automaton; clocks and integers are added to it when a label first uses them.
    pub builder: AutomatonBuilder,
    /// The process's own names for clocks and variables that its parameters are bound to.
    aliases: BTreeMap<Stored, Arc<str>>,
    /// Whether an element of an array, or a field, is a clock or variable with a name such as `a[2]`.
    has_elements: bool,
    prefix: String,
    clocks: BTreeMap<usize, ClockId>,
    ints: BTreeMap<usize, IntId>,
    /// The select variables of the current edge.
    pub selects: Vec<Select>,
    /// The clocks and variables that labels use.
    pub used: BTreeSet<Stored>,
    /// The clocks and variables that labels change.
    pub written: BTreeSet<Stored>,
}

/// Clocks and variables that a process declares itself, by position.
#[derive(Clone, Debug, Default)]
pub struct Own {
    /// Its clocks.
    pub clocks: Range<usize>,
    /// Its variables.
    pub variables: Range<usize>,
}

impl<'n> SingleAutomaton<'n> {
    /// An automaton called `name` with the clocks and integers that the process of that name declares, in the order of the
    /// file; `aliases` are its parameters' names for the things that they are bound to.
    pub fn new(network: &'n Network, name: &str, own: &Own, aliases: BTreeMap<Stored, Arc<str>>) -> Self {
        Self::of(network, name, own, false, aliases)
    }

    /// The same, where elements of arrays and fields are clocks and variables with names such as `a[2]`.
    pub fn with_elements(network: &'n Network, name: &str, own: &Own) -> Self {
        Self::of(network, name, own, true, BTreeMap::new())
    }

    fn of(
        network: &'n Network,
        name: &str,
        own: &Own,
        has_elements: bool,
        aliases: BTreeMap<Stored, Arc<str>>,
    ) -> Self {
        let mut plain = Self {
            network,
            builder: AutomatonBuilder::new(name),
            aliases,
            has_elements,
            prefix: format!("{name}."),
            clocks: BTreeMap::new(),
            ints: BTreeMap::new(),
            selects: Vec::new(),
            used: BTreeSet::new(),
            written: BTreeSet::new(),
        };
        // Elements of arrays need not exist in the automaton: only their use is an error.
        for at in own.clocks.clone() {
            let _element = plain.clock_at(at);
        }
        for at in own.variables.clone() {
            let _element = plain.int_at(at);
        }
        plain.used.clear();
        plain
    }

    /// The automaton, and the positions of its clocks and integers in the network.
    pub fn finish(self) -> (AutomatonBuilder, Labels) {
        let position = |at: usize| u32::try_from(at).expect("fewer than 2^32 parts");
        let mut ints: Vec<(IntId, usize)> = self.ints.iter().map(|(at, id)| (*id, *at)).collect();
        ints.sort();
        let slot = |(_, at): (IntId, usize)| RangedVariable {
            at: position(at),
            cell: Arc::new(self.network.variables[at].cell()),
        };
        let labels = Labels {
            clocks: self.clock_positions().into_iter().map(position).collect(),
            variables: ints.into_iter().map(slot).collect(),
        };
        (self.builder, labels)
    }

    /// The process's own name for `stored`, which is `name` in the network.
    fn name_of(&self, stored: Stored, name: &Arc<str>) -> TranslationResult<Arc<str>> {
        if let Some(alias) = self.aliases.get(&stored) {
            return Ok(Arc::clone(alias));
        }
        let name = name.strip_prefix(self.prefix.as_str()).unwrap_or(name);
        match !self.has_elements && name.contains(['[', '.']) {
            true => Err(NotSingleAutomaton::Element(name.to_owned())),
            false => Ok(name.into()),
        }
    }

    fn clock_at(&mut self, at: usize) -> TranslationResult<ClockId> {
        let name = self.name_of(Stored::Clock(at), &self.network.clocks[at])?;
        self.used.insert(Stored::Clock(at));
        let builder = &mut self.builder;
        Ok(*self.clocks.entry(at).or_insert_with(|| builder.clock(name)))
    }

    fn int_at(&mut self, at: usize) -> TranslationResult<IntId> {
        let variable = &self.network.variables[at];
        if variable.meta {
            return Err(NotSingleAutomaton::Meta(variable.name.to_string()));
        }
        let name = self.name_of(Stored::Variable(at), &variable.name)?;
        self.used.insert(Stored::Variable(at));
        let builder = &mut self.builder;
        Ok(*self.ints.entry(at).or_insert_with(|| {
            builder.int(IntVar {
                name,
                low: variable.low,
                high: variable.high,
                initial: variable.initial,
            })
        }))
    }

    /// The positions in the network of its clocks.
    pub fn clock_positions(&self) -> Vec<usize> {
        let mut clocks: Vec<(ClockId, usize)> = self.clocks.iter().map(|(at, id)| (*id, *at)).collect();
        clocks.sort();
        clocks.into_iter().map(|(_, at)| at).collect()
    }

    /// The clock `clock`.
    pub(in crate::network) fn clock(&mut self, clock: &crate::network::Clock) -> TranslationResult<ClockId> {
        match clock.steps.is_empty() {
            true => self.clock_at(clock.base as usize),
            false => Err(NotSingleAutomaton::Array),
        }
    }

    /// The integer at `place`, and its position in the network.
    fn int(&mut self, place: &Place) -> TranslationResult<(IntId, usize)> {
        match place.root {
            Root::Variable(base) if place.steps.is_empty() => {
                let at = (base + place.offset) as usize;
                Ok((self.int_at(at)?, at))
            }
            _ => Err(NotSingleAutomaton::Array),
        }
    }

    /// The declared name of the channel of `sync`; `None` for an element of an array.
    pub fn channel(&self, sync: &Sync) -> Option<&str> {
        let name = &*self.network.channels[sync.channel.base as usize].name;
        let name = name.strip_prefix(self.prefix.as_str()).unwrap_or(name);
        (sync.channel.steps.is_empty() && !name.contains('[')).then_some(name)
    }

    /// Whether the channel of `sync` is urgent.
    pub fn is_urgent(&self, sync: &Sync) -> bool {
        self.network.channels[sync.channel.base as usize].urgent
    }

    /// The integer expression `expr`.
    pub(in crate::network) fn data(&mut self, expr: &crate::network::Expr) -> TranslationResult<Expr> {
        use crate::network::Expr as N;
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
            // The operand occurs twice in the translation of `abs`: nested ones would grow without bound.
            N::Abs(operand) if has_abs(operand) => return Err(NotSingleAutomaton::Abs),
            N::Abs(operand) => {
                let value = self.data(operand)?;
                let negated = Self::fold(Expr::Unary(UnaryOp::Neg, Box::new(value.clone())))?;
                Expr::Binary(BinaryOp::Max, Box::new(value), Box::new(negated))
            }
            N::Cond(test, then, other) => {
                let [test, then, other] = [self.data(test)?, self.data(then)?, self.data(other)?];
                Expr::Cond(Box::new(test), Box::new(then), Box::new(other))
            }
            N::Call(at, _) => {
                let name = &self.network.functions[*at as usize].name;
                let name = name.strip_prefix(self.prefix.as_str()).unwrap_or(name);
                return Err(NotSingleAutomaton::Call(name.to_owned()));
            }
            N::Quantified(kind, ..) => {
                let word = match kind {
                    Quantifier::ForAll => "forall",
                    Quantifier::Exists => "exists",
                    Quantifier::Sum => "sum",
                };
                return Err(NotSingleAutomaton::Quantifier(word));
            }
            N::Same(..) | N::Copy(..) => return Err(NotSingleAutomaton::Array),
            N::Assign(..) | N::Increment(..) | N::Reset(..) => return Err(NotSingleAutomaton::Assignment),
        };
        Self::fold(made)
    }

    /// The bound `expr` of a clock, whose sums do not wrap around.
    pub(in crate::network) fn bound(&mut self, expr: &crate::network::Expr) -> TranslationResult<Expr> {
        use crate::network::Expr as N;
        let made = match expr {
            N::Unary(op @ UnaryOp::Neg, part) => Expr::Unary(*op, Box::new(self.bound(part)?)),
            N::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                Expr::Binary(*op, Box::new(self.bound(left)?), Box::new(self.bound(right)?))
            }
            _ => self.data(expr)?,
        };
        match made.depends_on_state() {
            true => Ok(made),
            false => match made.bound(Valuation::default()) {
                Ok(value) if i32::try_from(value).is_ok() => Ok(Expr::Const(value)),
                Ok(value) => Err(NotSingleAutomaton::TooLarge(format!("the bound {value}"))),
                Err(error) => Err(NotSingleAutomaton::Constant(error)),
            },
        }
    }

    /// Appends the assignments that `expr` makes, in order; returns the value that the last one assigns.
    ///
    /// # Errors
    /// Only a composition can express it.
    pub fn assignment(&mut self, expr: &crate::network::Expr, updates: &mut Vec<Update>) -> TranslationResult<Expr> {
        use crate::network::Expr as N;
        match expr {
            N::Assign(place, op, value, cell) => {
                let value_is_boolean = op.is_none() && self.is_boolean(value);
                let operand = self.right_side(value, updates)?;
                let (int, at) = self.int(place)?;
                let new = match op {
                    None => operand,
                    Some(op) => Self::fold(Expr::Binary(*op, Box::new(Expr::Var(int)), Box::new(operand)))?,
                };
                let is_boolean = value_is_boolean || op.is_some_and(gives_boolean);
                self.assign(int, at, cell.boolean && !is_boolean, new, updates)
            }
            N::Increment(place, by, _, cell) => {
                let (int, at) = self.int(place)?;
                let sum = Expr::Unary(UnaryOp::Plus(*by), Box::new(Expr::Var(int)));
                self.assign(int, at, cell.boolean, sum, updates)
            }
            N::Reset(clock, value) => {
                let value = self.right_side(value, updates)?;
                self.written.insert(Stored::Clock(clock.base as usize));
                let clock = self.clock(clock)?;
                if let Some(number) = value.as_const() {
                    Self::check_reset(number)?;
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
        converts: bool,
        value: Expr,
        updates: &mut Vec<Update>,
    ) -> TranslationResult<Expr> {
        let value = match converts {
            true => Self::fold(Expr::Unary(UnaryOp::Truth, Box::new(value)))?,
            false => value,
        };
        self.written.insert(Stored::Variable(at));
        updates.push(Update::Assign(int, value));
        Ok(Expr::Var(int))
    }

    fn right_side(&mut self, expr: &crate::network::Expr, updates: &mut Vec<Update>) -> TranslationResult<Expr> {
        use crate::network::Expr as N;
        match expr {
            N::Assign(..) | N::Reset(..) | N::Increment(_, _, false, _) => self.assignment(expr, updates),
            _ => self.data(expr),
        }
    }

    fn check_reset(number: i64) -> TranslationResult<()> {
        match number {
            ..0 => Err(NotSingleAutomaton::NegativeReset),
            _ if i32::try_from(number).is_ok() => Ok(()),
            _ => Err(NotSingleAutomaton::TooLarge(
                "a clock is reset to a number that".to_owned(),
            )),
        }
    }

    /// Whether `expr` is a boolean: 0 or 1 whatever the values are.
    fn is_boolean(&self, expr: &crate::network::Expr) -> bool {
        use crate::network::Expr as N;
        match expr {
            N::Load(place) => match place.root {
                Root::Variable(at) => self.network.variables[(at + place.offset) as usize].boolean,
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

    /// `expr`, with constant parts evaluated.
    pub(in crate::network) fn fold(expr: Expr) -> TranslationResult<Expr> {
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
            Ok(value) => Ok(Expr::Const(value)),
            Err(error) => Err(NotSingleAutomaton::Constant(error)),
        }
    }
}

fn gives_boolean(op: BinaryOp) -> bool {
    use BinaryOp as B;
    matches!(
        op,
        B::Lt | B::Le | B::Eq | B::Ne | B::Ge | B::Gt | B::And | B::Or | B::Imply
    )
}

fn has_abs(expr: &crate::network::Expr) -> bool {
    use crate::network::Expr as N;
    match expr {
        N::Abs(_) => true,
        N::Unary(_, part) => has_abs(part),
        N::Binary(_, left, right) => has_abs(left) || has_abs(right),
        N::Cond(test, then, other) => has_abs(test) || has_abs(then) || has_abs(other),
        _ => false,
    }
}
