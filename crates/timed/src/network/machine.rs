//! The evaluator: expressions and functions on a memory.

use super::{
    Argument, Cell, Clock, Expr, Fault, Function, Network, Place, Quantifier, Root, Statement, Step, Variable,
};
use crate::model::{BinaryOp, EvalError, UnaryOp};

/// Most steps of one evaluation: a function that takes more counts as one that never ends.
const MAX_STEPS: u64 = 1 << 20;

/// An evaluator with its memory.
#[derive(Clone, Debug)]
pub struct Machine<'a> {
    network: &'a Network,
    functions: &'a [Function],
    variables: &'a [Variable],
    n_variables: usize,
    /// The meta variables.
    metas: Vec<usize>,
    /// Per variable, whether it is a meta variable that the current step has not written; empty if there are no meta
    /// variables.
    unwritten: Vec<bool>,
    /// Variables, constants, frames.
    memory: Vec<i32>,
    /// Start of the current frame.
    base: usize,
    /// End of the current frame (exclusive).
    top: usize,
    steps: u64,
    /// The clocks that were set, in order.
    resets: Vec<(u32, i64)>,
}

/// The way in which a statement ended.
enum StatementEnd {
    Normal,
    Returned(Option<i64>),
}

impl<'a> Machine<'a> {
    /// A machine for the labels of `network`, in its initial state.
    pub fn new(network: &'a Network) -> Self {
        let mut memory: Vec<i32> = network.variables.iter().map(|variable| variable.initial).collect();
        memory.extend_from_slice(&network.constants);
        let is_meta = |at: &usize| network.variables[*at].meta;
        let metas: Vec<usize> = (0..network.variables.len()).filter(is_meta).collect();
        let unwritten = match metas.is_empty() {
            true => Vec::new(),
            false => network.variables.iter().map(|variable| variable.meta).collect(),
        };
        Self {
            network,
            functions: &network.functions,
            variables: &network.variables,
            metas,
            unwritten,
            n_variables: network.variables.len(),
            base: memory.len(),
            top: memory.len(),
            memory,
            steps: 0,
            resets: Vec::new(),
        }
    }
    /// Sets all variables and forgets the clocks that were set.
    pub fn load(&mut self, store: &[i32]) {
        self.memory[..self.n_variables].copy_from_slice(store);
        self.metas.iter().for_each(|at| self.unwritten[*at] = true);
        self.resets.clear();
    }
    /// The variables.
    pub fn store(&self) -> &[i32] {
        &self.memory[..self.n_variables]
    }
    /// The variables at the start of the next step: meta variables are reset to their initial value.
    pub fn left(&self) -> Box<[i32]> {
        let mut store: Box<[i32]> = self.store().into();
        self.metas
            .iter()
            .for_each(|at| store[*at] = self.variables[*at].initial);
        store
    }
    /// Refuses to read `size` cells from `address` on if one of them is a meta variable without a value.
    fn readable(&self, address: usize, size: usize) -> Result<(), Fault> {
        let cells = self.unwritten.iter().skip(address).take(size);
        match cells.zip(address..).find(|(unwritten, _)| **unwritten) {
            Some((_, at)) => Err(Fault::Meta(self.variables[at].name.to_string())),
            None => Ok(()),
        }
    }
    /// Records that `size` cells from `address` on are written.
    fn written(&mut self, address: usize, size: usize) {
        self.unwritten
            .iter_mut()
            .skip(address)
            .take(size)
            .for_each(|cell| *cell = false);
    }
    /// The clocks that were set since [`Machine::load`], in order.
    pub fn resets(&self) -> &[(u32, i64)] {
        &self.resets
    }
    /// Makes a frame of that many cells for a label, with these first.
    pub fn frame(&mut self, cells: u32, first: &[i32]) {
        self.top = self.base + cells as usize;
        self.memory.resize(self.top.max(self.memory.len()), 0);
        self.memory[self.base..][..first.len()].copy_from_slice(first);
        self.steps = 0;
    }
    /// Sets a cell of the frame.
    pub(super) fn set(&mut self, cell: u32, value: i32) {
        self.memory[self.base + cell as usize] = value;
    }

    /// The value of `expr`.
    ///
    /// # Errors
    /// An evaluation without a meaning.
    pub fn eval(&mut self, expr: &Expr) -> Result<i64, Fault> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err(Fault::Endless(MAX_STEPS));
        }
        match expr {
            Expr::Const(value) => Ok(*value),
            Expr::Load(place) => {
                let address = self.address(place)?;
                self.readable(address, 1)?;
                Ok(i64::from(self.memory[address]))
            }
            Expr::Unary(op, e) => op.apply(self.eval(e)?).map_err(Fault::Arithmetic),
            Expr::Abs(e) => match self.eval(e)? {
                value if value < 0 => UnaryOp::Neg.apply(value).map_err(Fault::Arithmetic),
                value => Ok(value),
            },
            Expr::Binary(op, left, right) => {
                let a = self.eval(left)?;
                match op.decided_by(a) {
                    Some(value) => Ok(value),
                    None => op.apply(a, self.eval(right)?).map_err(Fault::Arithmetic),
                }
            }
            Expr::Cond(test, then, other) => {
                let chosen = if self.eval(test)? != 0 { then } else { other };
                self.eval(chosen)
            }
            Expr::Assign(place, op, value, cell) => self.assign(place, *op, value, cell),
            Expr::Increment(place, by, old, cell) => {
                let address = self.address(place)?;
                self.readable(address, 1)?;
                let before = i64::from(self.memory[address]);
                let sum = BinaryOp::Add.apply(before, *by).map_err(Fault::Arithmetic)?;
                let after = self.write(address, sum, cell)?;
                Ok(if *old { before } else { after })
            }
            Expr::Copy(to, from, size) => {
                let (to, from) = (self.address(to)?, self.address(from)?);
                self.readable(from, *size as usize)?;
                self.written(to, *size as usize);
                self.memory.copy_within(from..from + *size as usize, to);
                Ok(0)
            }
            Expr::Same(left, right, size) => {
                let (left, right) = (self.address(left)?, self.address(right)?);
                let size = *size as usize;
                self.readable(left, size)?;
                self.readable(right, size)?;
                Ok(i64::from(self.memory[left..][..size] == self.memory[right..][..size]))
            }
            Expr::Reset(clock, value) => self.reset(clock, value),
            Expr::Call(function, arguments) => self.call(*function, arguments),
            Expr::Quantified(kind, cell, (low, high), body) => self.quantified(*kind, *cell, *low..=*high, body),
        }
    }

    /// The value of `expr` as the bound of a clock: its sums do not wrap around, as in [`crate::model::Expr::bound`].
    pub(super) fn bound(&mut self, expr: &Expr) -> Result<i64, Fault> {
        let exact = match expr {
            Expr::Unary(UnaryOp::Neg, part) => self.bound(part)?.checked_neg(),
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let left = self.bound(left)?;
                op.exact(left, self.bound(right)?)
            }
            _ => return self.eval(expr),
        };
        exact.ok_or(Fault::Arithmetic(EvalError::Overflow))
    }

    fn assign(&mut self, place: &Place, op: Option<BinaryOp>, value: &Expr, cell: &Cell) -> Result<i64, Fault> {
        let value = self.eval(value)?;
        let address = self.address(place)?;
        let value = match op {
            Some(op) => {
                self.readable(address, 1)?;
                op.apply(i64::from(self.memory[address]), value)
                    .map_err(Fault::Arithmetic)?
            }
            None => value,
        };
        self.write(address, value, cell)
    }

    fn write(&mut self, address: usize, value: i64, cell: &Cell) -> Result<i64, Fault> {
        let stored = cell.stored(value)?;
        self.memory[address] = stored;
        self.written(address, 1);
        Ok(i64::from(stored))
    }

    fn reset(&mut self, clock: &Clock, value: &Expr) -> Result<i64, Fault> {
        let value = self.eval(value)?;
        if !(0..=i64::from(i32::MAX)).contains(&value) {
            return Err(Fault::Reset(value));
        }
        let clock = self.clock(clock)?;
        if let Some(variable) = self.network.ahead(clock as usize) {
            self.memory[variable as usize] = 0;
        }
        self.resets.push((clock, value));
        Ok(value)
    }

    fn quantified(
        &mut self,
        kind: Quantifier,
        cell: u32,
        range: std::ops::RangeInclusive<i32>,
        body: &Expr,
    ) -> Result<i64, Fault> {
        let mut sum = 0i64;
        for value in range {
            self.set(cell, value);
            let value = self.eval(body)?;
            match kind {
                Quantifier::ForAll if value == 0 => return Ok(0),
                Quantifier::Exists if value != 0 => return Ok(1),
                Quantifier::Sum => sum = BinaryOp::Add.apply(sum, value).map_err(Fault::Arithmetic)?,
                _ => {}
            }
        }
        Ok(match kind {
            Quantifier::ForAll => 1,
            Quantifier::Exists => 0,
            Quantifier::Sum => sum,
        })
    }

    fn address(&mut self, place: &Place) -> Result<usize, Fault> {
        let root = match place.root {
            Root::Variable(cell) => cell as usize,
            Root::Constant(cell) => self.n_variables + cell as usize,
            Root::Frame(cell) => self.base + cell as usize,
            Root::Pointer(cell) => {
                let address = self.memory[self.base + cell as usize];
                usize::try_from(address).expect("an address is a position of the memory")
            }
        };
        Ok(root + place.offset as usize + self.offset(&place.steps)?)
    }

    /// The position of a clock.
    pub(super) fn clock(&mut self, clock: &Clock) -> Result<u32, Fault> {
        let offset = self.offset(&clock.steps)?;
        Ok(clock.base + u32::try_from(offset).expect("fewer than 2^32 clocks"))
    }

    /// The time by which a clock is ahead of one that starts at 0.
    pub(super) fn ahead(&self, clock: u32) -> i64 {
        let variable = self.network.ahead(clock as usize);
        variable.map_or(0, |variable| i64::from(self.memory[variable as usize]))
    }

    /// The offset that the indices add up to.
    pub(super) fn offset(&mut self, steps: &[Step]) -> Result<usize, Fault> {
        let mut offset = 0;
        for step in steps {
            let index = self.eval(&step.index)?;
            let at = index - i64::from(step.low);
            if at < 0 || at >= i64::from(step.len) {
                let high = i64::from(step.low) + i64::from(step.len) - 1;
                return Err(Fault::Index {
                    index,
                    low: step.low,
                    high,
                });
            }
            offset += usize::try_from(at).expect("an index of an array") * step.stride as usize;
        }
        Ok(offset)
    }

    fn call(&mut self, function: u32, arguments: &[Argument]) -> Result<i64, Fault> {
        let functions = self.functions;
        let function = &functions[function as usize];
        let top = self.top;
        let new_top = top + function.frame as usize;
        self.memory.resize(new_top.max(self.memory.len()), 0);
        let mut at = top;
        for argument in arguments {
            // Calls inside the argument must not use the frame that is being made.
            self.top = new_top;
            at = self.pass(argument, at)?;
        }
        let base = std::mem::replace(&mut self.base, top);
        self.top = new_top;
        let end = self.run(&function.body);
        (self.base, self.top) = (base, top);
        match (end?, &function.result) {
            (StatementEnd::Returned(Some(value)), Some(cell)) => cell.stored(value).map(i64::from),
            (_, Some(_)) => Err(Fault::NoValue(function.name.to_string())),
            (_, None) => Ok(0),
        }
    }

    /// Stores the argument of a call in the memory from `at` on; returns its end.
    fn pass(&mut self, argument: &Argument, at: usize) -> Result<usize, Fault> {
        match argument {
            Argument::Value(value, cell) => {
                let value = self.eval(value)?;
                self.memory[at] = cell.stored(value)?;
                Ok(at + 1)
            }
            Argument::Block(place, size) => {
                let from = self.address(place)?;
                self.readable(from, *size as usize)?;
                self.memory.copy_within(from..from + *size as usize, at);
                Ok(at + *size as usize)
            }
            Argument::Reference(place) => {
                let address = self.address(place)?;
                self.memory[at] = i32::try_from(address).expect("a memory of fewer than 2^31 cells");
                Ok(at + 1)
            }
            Argument::Clocks(first, _) => {
                let first = self.clock(first)?;
                self.memory[at] = i32::try_from(first).expect("fewer than 2^31 clocks");
                Ok(at + 1)
            }
            Argument::Choice(test, then, other) => {
                let chosen = if self.eval(test)? != 0 { then } else { other };
                let mut chosen = chosen.iter();
                chosen.try_fold(at, |at, argument| self.pass(argument, at))
            }
        }
    }

    fn run(&mut self, statement: &Statement) -> Result<StatementEnd, Fault> {
        match statement {
            Statement::Expr(expr) => self.eval(expr).map(|_| StatementEnd::Normal),
            Statement::Fill(cell, values) => {
                self.memory[self.base + *cell as usize..][..values.len()].copy_from_slice(values);
                Ok(StatementEnd::Normal)
            }
            Statement::Block(list) => {
                for statement in list {
                    if let StatementEnd::Returned(value) = self.run(statement)? {
                        return Ok(StatementEnd::Returned(value));
                    }
                }
                Ok(StatementEnd::Normal)
            }
            Statement::If(test, then, other) => {
                let chosen = if self.eval(test)? != 0 { then } else { other };
                self.run(chosen)
            }
            Statement::While(test, first, body, after) => {
                let mut unasked = *first;
                while std::mem::take(&mut unasked) || self.eval(test)? != 0 {
                    if let StatementEnd::Returned(value) = self.run(body)? {
                        return Ok(StatementEnd::Returned(value));
                    }
                    for expr in after {
                        self.eval(expr)?;
                    }
                }
                Ok(StatementEnd::Normal)
            }
            Statement::Each(cell, (low, high), body) => {
                for value in *low..=*high {
                    self.set(*cell, value);
                    if let StatementEnd::Returned(value) = self.run(body)? {
                        return Ok(StatementEnd::Returned(value));
                    }
                }
                Ok(StatementEnd::Normal)
            }
            Statement::Return(value) => {
                let value = value.as_ref().map(|value| self.eval(value)).transpose()?;
                Ok(StatementEnd::Returned(value))
            }
        }
    }
}

impl Cell {
    /// The content of the cell after `value` was stored in it.
    ///
    /// # Errors
    /// It is outside the range.
    pub fn stored(&self, value: i64) -> Result<i32, Fault> {
        let value = if self.boolean { i64::from(value != 0) } else { value };
        let in_range = i32::try_from(value)
            .ok()
            .filter(|value| (self.low..=self.high).contains(value));
        in_range.ok_or_else(|| Fault::Range {
            name: self.name.to_string(),
            value,
            low: self.low,
            high: self.high,
        })
    }
}
