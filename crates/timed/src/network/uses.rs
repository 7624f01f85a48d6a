//! The variables and clocks that the labels of a process use.

use std::collections::BTreeSet;

use super::expr::reach;
use super::{Argument, Clock, Condition, Expr, Network, Place, Root, Statement, Step};

/// The variables and clocks, by position, that the labels of a process read or change; arrays with an index that is no
/// plain number count as a whole.
#[derive(Clone, Default, Debug)]
pub struct Uses {
    /// Variables.
    pub variables: BTreeSet<usize>,
    /// Clocks.
    pub clocks: BTreeSet<usize>,
    functions: BTreeSet<u32>,
    n_variables: u32,
}

impl Uses {
    /// The uses of the process at that position.
    ///
    /// # Panics
    /// If there is no such process.
    pub fn of(network: &Network, process: usize) -> Self {
        let mut uses = Self::new(network);
        let process = &network.processes[process];
        for location in &process.locations {
            uses.condition(&location.invariant);
        }
        for edge in &process.edges {
            uses.condition(&edge.guard);
            edge.updates.iter().for_each(|update| uses.expr(update));
            edge.sync.iter().for_each(|sync| uses.steps(&sync.channel.steps));
        }
        uses.with_functions(network)
    }

    /// The uses of `updates`. An expression refers to a clock only to set it.
    pub fn of_updates<'e>(network: &Network, updates: impl Iterator<Item = &'e Expr>) -> Self {
        let mut uses = Self::new(network);
        updates.for_each(|update| uses.expr(update));
        uses.with_functions(network)
    }

    fn new(network: &Network) -> Self {
        Self {
            n_variables: u32::try_from(network.variables.len()).expect("fewer than 2^32 variables"),
            ..Self::default()
        }
    }

    /// These uses, and the uses of all functions that are called.
    fn with_functions(mut self, network: &Network) -> Self {
        let mut done = BTreeSet::new();
        while let Some(next) = self.functions.difference(&done).next().copied() {
            done.insert(next);
            self.statement(&network.functions[next as usize].body);
        }
        self
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Data(expr) => self.expr(expr),
            Condition::Atom(left, right, _, bound) => {
                self.clock(left);
                right.iter().for_each(|clock| self.clock(clock));
                self.expr(bound);
            }
            Condition::Rate(clock, rate) => {
                self.clock(clock);
                self.expr(rate);
            }
            Condition::And(parts) | Condition::Or(parts) => parts.iter().for_each(|part| self.condition(part)),
            Condition::Not(part) | Condition::Quantified(_, _, _, part) => self.condition(part),
            Condition::Cond(test, then, other) => {
                self.expr(test);
                self.condition(then);
                self.condition(other);
            }
        }
    }

    fn clock(&mut self, clock: &Clock) {
        // The call that hands a clock over names it.
        if !clock.is_passed() {
            self.clocks.extend(clock.range());
        }
        self.steps(&clock.steps);
    }

    fn argument(&mut self, argument: &Argument) {
        match argument {
            Argument::Value(value, _) => self.expr(value),
            Argument::Block(place, size) => self.place(place, *size),
            // Only the function knows its size: at most all cells that follow.
            Argument::Reference(place) => self.place(place, self.n_variables),
            Argument::Clocks(first, size) => {
                self.clock(first);
                if !first.is_passed() {
                    let range = first.range();
                    self.clocks.extend(range.end..range.end + *size as usize - 1);
                }
            }
            Argument::Choice(test, then, other) => {
                self.expr(test);
                then.iter().chain(other).for_each(|argument| self.argument(argument));
            }
        }
    }

    fn steps(&mut self, steps: &[Step]) {
        steps.iter().for_each(|step| self.expr(&step.index));
    }

    /// `size` cells from `place` on.
    fn place(&mut self, place: &Place, size: u32) {
        self.steps(&place.steps);
        if let Root::Variable(base) = place.root {
            let range = reach(base + place.offset, &place.steps);
            let end = (range.end + size as usize)
                .saturating_sub(1)
                .min(self.n_variables as usize);
            self.variables.extend(range.start..end);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(_) => {}
            Expr::Load(place) | Expr::Increment(place, ..) => self.place(place, 1),
            Expr::Unary(_, part) | Expr::Abs(part) | Expr::Quantified(_, _, _, part) => self.expr(part),
            Expr::Binary(_, left, right) => [left, right].into_iter().for_each(|part| self.expr(part)),
            Expr::Cond(test, then, other) => [test, then, other].into_iter().for_each(|part| self.expr(part)),
            Expr::Assign(place, _, value, _) => {
                self.place(place, 1);
                self.expr(value);
            }
            Expr::Copy(to, from, size) | Expr::Same(to, from, size) => {
                self.place(to, *size);
                self.place(from, *size);
            }
            Expr::Reset(clock, value) => {
                self.clock(clock);
                self.expr(value);
            }
            Expr::Call(function, arguments) => {
                self.functions.insert(*function);
                arguments.iter().for_each(|argument| self.argument(argument));
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Expr(expr) => self.expr(expr),
            Statement::Fill(..) | Statement::Return(None) => {}
            Statement::Block(list) => list.iter().for_each(|part| self.statement(part)),
            Statement::If(test, then, other) => {
                self.expr(test);
                self.statement(then);
                self.statement(other);
            }
            Statement::While(test, _, body, after) => {
                self.expr(test);
                self.statement(body);
                after.iter().for_each(|expr| self.expr(expr));
            }
            Statement::Each(_, _, body) => self.statement(body),
            Statement::Return(Some(value)) => self.expr(value),
        }
    }
}
