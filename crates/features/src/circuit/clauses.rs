//! Clauses under an assignment: unit propagation, and which clauses are open.
//!
//! A literal is `2 * variable`, plus 1 if it is negative. Clauses of two literals are kept as neighbours; longer ones count
//! their true and their open literals, so that a split into components sees immediately which ones are satisfied.

use crate::{Cnf, Lit};
use tamper_text::{Budget, Id, StopReason};

pub(super) fn lower(lit: Lit) -> u32 {
    let var = u32::try_from(lit.var().index()).unwrap_or(u32::MAX);
    2 * var + u32::from(!lit.is_positive())
}

/// Lists by number, one after the other.
#[derive(Clone, Debug, Default)]
struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// For `n` numbers: the items of each, in the order they come.
    fn of(n: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0_u32; n + 1];
        for (number, _) in pairs.clone() {
            starts[number as usize + 1] += 1;
        }
        for index in 0..n {
            starts[index + 1] += starts[index];
        }
        let mut items = vec![0; starts[n] as usize];
        let mut next = starts.clone();
        for (number, item) in pairs {
            let at = &mut next[number as usize];
            items[*at as usize] = item;
            *at += 1;
        }
        Self { starts, items }
    }
    fn get(&self, number: u32) -> &[u32] {
        let number = number as usize;
        &self.items[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}

/// Clauses without repetitions, indexed by literal.
#[derive(Clone, Debug)]
pub(super) struct Clauses {
    pub n_vars: usize,
    /// Literals of the unit clauses.
    pub units: Vec<u32>,
    /// Whether there is the empty clause.
    pub has_empty: bool,
    long: Lists,
    /// By literal: the long clauses it is in.
    occurs: Lists,
    /// By literal: the other literals of its clauses of two.
    binary: Lists,
}

impl Clauses {
    /// # Errors
    /// No time is left.
    pub fn of(cnf: &Cnf, budget: &Budget) -> Result<Self, StopReason> {
        let mut clauses: Vec<Vec<u32>> = Vec::with_capacity(cnf.clauses().len());
        for clause in cnf.clauses() {
            if let Some(reason) = budget.exceeded(0, 0) {
                return Err(reason);
            }
            let mut clause: Vec<u32> = clause.iter().map(|lit| lower(*lit)).collect();
            clause.sort_unstable();
            clause.dedup();
            if clause.windows(2).all(|pair| pair[0] ^ 1 != pair[1]) {
                clauses.push(clause);
            }
        }
        clauses.sort_unstable();
        clauses.dedup();
        let n_literals = 2 * cnf.n_vars();
        let pairs = clauses.iter().filter(|clause| clause.len() == 2);
        let pairs = pairs.flat_map(|clause| [(clause[0], clause[1]), (clause[1], clause[0])]);
        let long = || (0_u32..).zip(clauses.iter().filter(|clause| clause.len() > 2));
        let n_long = long().count();
        let literals = long().flat_map(|(id, clause)| clause.iter().map(move |lit| (id, *lit)));
        Ok(Self {
            n_vars: cnf.n_vars(),
            units: clauses
                .iter()
                .filter(|clause| clause.len() == 1)
                .map(|clause| clause[0])
                .collect(),
            has_empty: clauses.first().is_some_and(Vec::is_empty),
            occurs: Lists::of(n_literals, literals.clone().map(|(id, lit)| (lit, id))),
            long: Lists::of(n_long, literals),
            binary: Lists::of(n_literals, pairs),
        })
    }
}

const OPEN: u8 = 0;
const TRUE: u8 = 1;
const FALSE: u8 = 2;

/// A partial assignment, in order of assignment, and its effect on the clauses.
#[derive(Debug)]
pub(super) struct PartialAssignment {
    clauses: Clauses,
    /// By literal.
    values: Vec<u8>,
    trail: Vec<u32>,
    /// The length of the part of the trail that the clauses count.
    n_counted: usize,
    n_true: Vec<u32>,
    n_open: Vec<u32>,
}

impl PartialAssignment {
    pub fn new(clauses: Clauses) -> Self {
        let n_long = clauses.long.starts.len() - 1;
        let lengths = clauses.long.starts.windows(2).map(|ends| ends[1] - ends[0]);
        Self {
            values: vec![OPEN; 2 * clauses.n_vars],
            trail: Vec::new(),
            n_counted: 0,
            n_true: vec![0; n_long],
            n_open: lengths.collect(),
            clauses,
        }
    }
    pub fn trail(&self) -> &[u32] {
        &self.trail
    }
    pub fn n_clauses(&self) -> usize {
        self.n_true.len()
    }
    pub fn is_open(&self, var: u32) -> bool {
        self.values[2 * var as usize] == OPEN
    }
    /// Makes the literal true; returns `false` if it was false.
    pub fn assign(&mut self, lit: u32) -> bool {
        match self.values[lit as usize] {
            OPEN => {
                self.values[lit as usize] = TRUE;
                self.values[lit as usize ^ 1] = FALSE;
                self.trail.push(lit);
                true
            }
            value => value == TRUE,
        }
    }
    /// Makes all implied literals true; returns `false` if a clause cannot hold. The counts are right in both cases.
    pub fn propagate(&mut self) -> bool {
        let mut holds = true;
        while holds && self.n_counted < self.trail.len() {
            let lit = self.trail[self.n_counted];
            self.n_counted += 1;
            for clause in self.clauses.occurs.get(lit) {
                self.n_true[*clause as usize] += 1;
                self.n_open[*clause as usize] -= 1;
            }
            let falsified = lit ^ 1;
            for at in 0..self.clauses.occurs.get(falsified).len() {
                let clause = self.clauses.occurs.get(falsified)[at];
                self.n_open[clause as usize] -= 1;
                if holds && self.n_true[clause as usize] == 0 && self.n_open[clause as usize] <= 1 {
                    holds = self.imply(clause);
                }
            }
            for at in 0..self.clauses.binary.get(falsified).len() {
                let other = self.clauses.binary.get(falsified)[at];
                holds = holds && self.assign(other);
            }
        }
        holds
    }
    /// Makes the last literal of a clause that is not false true; returns whether there is one.
    fn imply(&mut self, clause: u32) -> bool {
        let literals = self.clauses.long.get(clause);
        let left = literals
            .iter()
            .find(|lit| self.values[**lit as usize] != FALSE)
            .copied();
        left.is_some_and(|lit| self.assign(lit))
    }
    /// Takes back all but the first `n` literals.
    pub fn undo(&mut self, n: usize) {
        while self.trail.len() > n {
            let Some(lit) = self.trail.pop() else { break };
            self.values[lit as usize] = OPEN;
            self.values[lit as usize ^ 1] = OPEN;
            if self.trail.len() < self.n_counted {
                for clause in self.clauses.occurs.get(lit) {
                    self.n_true[*clause as usize] -= 1;
                    self.n_open[*clause as usize] += 1;
                }
                for clause in self.clauses.occurs.get(lit ^ 1) {
                    self.n_open[*clause as usize] += 1;
                }
            }
        }
        self.n_counted = self.n_counted.min(n);
    }
    /// The long clauses that an open literal is in and nothing satisfies yet.
    pub fn open_clauses(&self, lit: u32) -> impl Iterator<Item = u32> + '_ {
        let clauses = self.clauses.occurs.get(lit).iter().copied();
        clauses.filter(|clause| self.n_true[*clause as usize] == 0)
    }
    /// The open variables of a long clause.
    pub fn open_vars(&self, clause: u32) -> impl Iterator<Item = u32> + '_ {
        let vars = self.clauses.long.get(clause).iter().map(|lit| lit / 2);
        vars.filter(|var| self.is_open(*var))
    }
    /// The open variables that share an unsatisfied clause of two with an open literal.
    pub fn open_neighbours(&self, lit: u32) -> impl Iterator<Item = u32> + '_ {
        let others = self.clauses.binary.get(lit).iter();
        others
            .filter(|other| self.values[**other as usize] == OPEN)
            .map(|other| other / 2)
    }
}
