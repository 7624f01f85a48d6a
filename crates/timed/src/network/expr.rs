//! Expressions and statements over one memory: variables, constants and the frames of calls, all in cells of 32 bits.

use std::sync::Arc;

use crate::model::{BinaryOp, UnaryOp};

/// The start of the address of a [`Place`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Root {
    /// A variable.
    Variable(u32),
    /// One of the cells that never change.
    Constant(u32),
    /// A cell of the current frame: a local variable, a parameter, a select variable.
    Frame(u32),
    /// The cell whose address is in this cell of the frame: a parameter passed by reference.
    Pointer(u32),
}

/// One array index on the way to a cell.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The index.
    pub index: Expr,
    /// The least index of the array.
    pub low: i32,
    /// Number of elements.
    pub len: u32,
    /// Cells per element.
    pub stride: u32,
}

impl Step {
    /// The position of the element, if the index is a plain number and in the array.
    pub fn element(&self) -> Option<usize> {
        let at = usize::try_from(self.index.as_const()? - i64::from(self.low)).ok();
        at.filter(|at| *at < self.len as usize)
    }
    /// Whether the index is a plain number that is not in the array.
    pub fn is_outside(&self) -> bool {
        self.index.as_const().is_some() && self.element().is_none()
    }
}

/// One or more cells of the memory in a row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The cell at which the address starts.
    pub root: Root,
    /// Cells behind the root (fields of structures).
    pub offset: u32,
    /// The indices into arrays.
    pub steps: Vec<Step>,
}

/// A clock, or an element of an array of clocks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Clock {
    /// The position of the (first) clock.
    pub base: u32,
    /// The indices.
    pub steps: Vec<Step>,
}

/// The range of a cell, and its name in messages.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    /// The variable's name.
    pub name: Arc<str>,
    /// Least value.
    pub low: i32,
    /// Greatest value.
    pub high: i32,
    /// Whether every number but 0 is stored as 1.
    pub boolean: bool,
}

/// The operation that a quantifier applies to its values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// Whether all are not 0.
    ForAll,
    /// Whether one is not 0.
    Exists,
    /// Their sum.
    Sum,
}

/// An expression; it may change cells and clocks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A number.
    Const(i64),
    /// The value of a cell.
    Load(Place),
    /// A unary operation.
    Unary(UnaryOp, Box<Expr>),
    /// The absolute value.
    Abs(Box<Expr>),
    /// A binary operation; connectives evaluate their right side only if it matters.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if .0 then .1 else .2`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Stores a value, or the value of an operation on the old one; its own value is the stored value.
    Assign(Place, Option<BinaryOp>, Box<Expr>, Arc<Cell>),
    /// Adds a number to a cell; its own value is the old one if the flag is set, else the new one.
    Increment(Place, i64, bool, Arc<Cell>),
    /// Copies that many cells from the second place to the first.
    Copy(Place, Place, u32),
    /// Whether that many cells of two places are equal.
    Same(Place, Place, u32),
    /// Sets a clock to a natural number.
    Reset(Clock, Box<Expr>),
    /// Calls the function of that position.
    Call(u32, Vec<Argument>),
    /// A quantifier whose variable is that cell of the frame and ranges from the first number to the second.
    Quantified(Quantifier, u32, (i32, i32), Box<Expr>),
}

/// The value that a call passes for one parameter.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Argument {
    /// A number, stored as the parameter stores it.
    Value(Expr, Arc<Cell>),
    /// A copy of that many cells.
    Block(Place, u32),
    /// The address of a place.
    Reference(Place),
    /// The position of that many clocks in a row.
    Clocks(Clock, u32),
    /// The second arguments if the expression is not 0, else the third ones.
    Choice(Expr, Vec<Argument>, Vec<Argument>),
}

/// A statement of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Statement {
    /// Evaluates an expression for its side effects.
    Expr(Expr),
    /// Sets cells of the frame, from a position on, to values: the effect of a declaration without a value.
    Fill(u32, Arc<[i32]>),
    /// One after the other.
    Block(Vec<Statement>),
    /// `if`, `else`.
    If(Expr, Box<Statement>, Box<Statement>),
    /// Repeats the statement and then the expressions while the condition holds; the flag says that the statement runs once
    /// before the condition is evaluated.
    While(Expr, bool, Box<Statement>, Vec<Expr>),
    /// Repeats the statement with that cell of the frame ranging from the first number to the second.
    Each(u32, (i32, i32), Box<Statement>),
    /// Ends the call.
    Return(Option<Expr>),
}

/// A function. Its frame starts with one cell per scalar or reference parameter and a block per copied one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// Cells of its frame.
    pub frame: u32,
    /// Its body.
    pub body: Statement,
    /// The range of the returned value; `None` for a function without a value.
    pub result: Option<Arc<Cell>>,
}

impl Expr {
    /// The value, if it is a plain number.
    pub fn as_const(&self) -> Option<i64> {
        match self {
            Self::Const(value) => Some(*value),
            _ => None,
        }
    }
}

/// The positions that indices may lead to from `base`: a single one if all are plain numbers, otherwise all that the other
/// indices allow; empty if an index is outside of its array.
pub(super) fn reach(base: u32, steps: &[Step]) -> std::ops::Range<usize> {
    if steps.iter().any(|step| step.len == 0 || step.is_outside()) {
        return base as usize..base as usize;
    }
    let (mut low, mut high) = (base as usize, base as usize);
    for step in steps {
        let stride = step.stride as usize;
        match step.element() {
            Some(at) => (low, high) = (low + at * stride, high + at * stride),
            None => high += (step.len.max(1) as usize - 1) * stride,
        }
    }
    low..high + 1
}

impl Clock {
    /// The clock whose position is in that cell of the frame: a parameter passed by reference.
    pub fn passed(cell: u32) -> Self {
        let place = Place {
            root: Root::Frame(cell),
            offset: 0,
            steps: Vec::new(),
        };
        let (index, low, len, stride) = (Expr::Load(place), 0, u32::MAX, 1);
        let steps = vec![Step {
            index,
            low,
            len,
            stride,
        }];
        Self { base: 0, steps }
    }
    /// Whether it is, or is a part of, a parameter: only the call knows its position.
    pub(super) fn is_passed(&self) -> bool {
        self.steps.first().is_some_and(|step| step.len == u32::MAX)
    }
    /// The positions that it may have.
    pub fn range(&self) -> std::ops::Range<usize> {
        reach(self.base, &self.steps)
    }
}
