//! Labels of an automaton as labels of a process: the way back from `SingleAutomaton`.

use std::sync::Arc;

use crate::model::{self, ClockConstraint, ClockId, Cmp, Guard, IntId, Update};
use crate::network::{Cell, Clock, Condition, Expr, Place, Root};
use tamper_text::Id as _;

/// The positions of the clocks and integers of an automaton in a network.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// The position of each clock.
    pub clocks: Vec<u32>,
    /// The variable of each integer.
    pub variables: Vec<RangedVariable>,
}

/// A variable of a network, and its range.
#[derive(Clone, Debug)]
pub struct RangedVariable {
    /// Its position.
    pub at: u32,
    /// The range of its values.
    pub cell: Arc<Cell>,
}

impl Labels {
    /// The parts of a guard or invariant: its clock atoms, then its integer conditions.
    pub fn conjuncts<'a>(&'a self, guard: &'a Guard) -> impl Iterator<Item = Condition> + 'a {
        let atoms = guard.clocks.iter().map(|atom| self.atom(atom));
        atoms.chain(guard.data.iter().map(|data| Condition::Data(self.expr(data))))
    }

    /// A clock atom.
    pub fn atom(&self, atom: &ClockConstraint) -> Condition {
        let right = atom.right.map(|right| self.clock(right));
        Condition::Atom(self.clock(atom.left), right, atom.cmp, self.expr(&atom.bound))
    }

    /// The atom that compares a clock with a number.
    pub fn atom_of(&self, clock: ClockId, cmp: Cmp, bound: Expr) -> Condition {
        Condition::Atom(self.clock(clock), None, cmp, bound)
    }

    /// An assignment.
    pub fn update(&self, update: &Update) -> Expr {
        match update {
            Update::Reset(clock, value) => Expr::Reset(self.clock(*clock), Box::new(self.expr(value))),
            Update::Assign(int, value) => {
                let cell = Arc::clone(&self.variables[int.index()].cell);
                Expr::Assign(self.variable(*int), None, Box::new(self.expr(value)), cell)
            }
        }
    }

    /// An integer expression.
    pub fn expr(&self, expr: &model::Expr) -> Expr {
        let boxed = |part: &model::Expr| Box::new(self.expr(part));
        match expr {
            model::Expr::Const(value) => Expr::Const(*value),
            model::Expr::Var(int) => Expr::Load(self.variable(*int)),
            model::Expr::Select(position) => Expr::Load(place(Root::Frame(*position))),
            model::Expr::Unary(op, part) => Expr::Unary(*op, boxed(part)),
            model::Expr::Binary(op, left, right) => Expr::Binary(*op, boxed(left), boxed(right)),
            model::Expr::Cond(test, then, other) => Expr::Cond(boxed(test), boxed(then), boxed(other)),
        }
    }

    fn clock(&self, clock: ClockId) -> Clock {
        Clock {
            base: self.clocks[clock.index()],
            steps: Vec::new(),
        }
    }

    fn variable(&self, int: IntId) -> Place {
        place(Root::Variable(self.variables[int.index()].at))
    }
}

fn place(root: Root) -> Place {
    Place {
        root,
        offset: 0,
        steps: Vec::new(),
    }
}
