//! Conjunctive normal form.

use tamper_text::Id;
use tamper_text::define_ids;

define_ids! {
    /// A propositional variable of some clauses.
    Var,
}

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit {
    var: Var,
    positive: bool,
}

impl Lit {
    /// `var` itself, or its negation.
    pub fn new(var: Var, positive: bool) -> Self {
        Self { var, positive }
    }
    /// The literal `var`.
    pub fn positive(var: Var) -> Self {
        Self::new(var, true)
    }
    /// Its variable.
    pub fn var(self) -> Var {
        self.var
    }
    /// Whether it is the variable itself.
    pub fn is_positive(self) -> bool {
        self.positive
    }
    /// The number of DIMACS: variables count from 1, negations are negative.
    pub fn dimacs(self) -> i64 {
        let number = self.var.index() as i64 + 1;
        if self.positive { number } else { -number }
    }
}

impl std::ops::Not for Lit {
    type Output = Self;
    fn not(self) -> Self {
        Self {
            positive: !self.positive,
            ..self
        }
    }
}

/// A conjunction of clauses over variables numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cnf {
    n_vars: usize,
    clauses: Vec<Vec<Lit>>,
}

impl Cnf {
    /// No clauses over `n_vars` variables.
    pub fn new(n_vars: usize) -> Self {
        Self {
            n_vars,
            clauses: Vec::new(),
        }
    }
    /// Number of variables.
    pub fn n_vars(&self) -> usize {
        self.n_vars
    }
    /// The clauses, each a disjunction of literals.
    pub fn clauses(&self) -> &[Vec<Lit>] {
        &self.clauses
    }
    /// Adds a variable that no clause has yet.
    pub fn fresh(&mut self) -> Var {
        self.n_vars += 1;
        Var::from_index(self.n_vars - 1)
    }
    /// Adds a clause over existing variables.
    pub fn add(&mut self, clause: impl IntoIterator<Item = Lit>) {
        self.clauses.push(clause.into_iter().collect());
    }
    /// Whether the values (by variable) satisfy every clause.
    pub fn holds(&self, values: &[bool]) -> bool {
        let holds = |lit: &Lit| values[lit.var().index()] == lit.is_positive();
        self.clauses.iter().all(|clause| clause.iter().any(holds))
    }
}
