//! An action system as it is written (\[001\] Figure 2): guarded actions over bounded integers, and which of them the loop
//! chooses among.
//!
//! Names are resolved: who builds a system sees to it that every variable, parameter and action that is named is there.

use std::collections::BTreeSet;

use tamper_text::Span;

/// A type: the numbers from the first to the last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IntType {
    /// Its name.
    pub name: String,
    /// The smallest number.
    pub first: i64,
    /// The largest.
    pub last: i64,
}

/// A variable of the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateVariable {
    /// Its name.
    pub name: String,
    /// Its type, by place.
    pub int_type: usize,
}

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Relation {
    Equal,
    Unequal,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
}

impl Relation {
    /// Whether it holds between two numbers.
    pub fn holds(self, left: i128, right: i128) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Unequal => left != right,
            Self::Less => left < right,
            Self::Greater => left > right,
            Self::LessEqual => left <= right,
            Self::GreaterEqual => left >= right,
        }
    }
}

/// A number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    /// This one, written there.
    Value(i64, Span),
    /// What a variable is, by place.
    Variable(usize),
    /// What a parameter is, by place in its action.
    Parameter(usize),
    /// The sum.
    Add(Box<Term>, Box<Term>),
    /// The difference.
    Subtract(Box<Term>, Box<Term>),
    /// The product.
    Multiply(Box<Term>, Box<Term>),
}

/// A condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// Always.
    True,
    /// A comparison, written there.
    Compare(Relation, Term, Term, Span),
    /// Both.
    And(Box<Condition>, Box<Condition>),
    /// One of them at least.
    Or(Box<Condition>, Box<Condition>),
    /// Not.
    Not(Box<Condition>),
}

/// What an action does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Body {
    /// A variable, by place, becomes a number; the others stay.
    Assign(usize, Term),
    /// The body, where the condition holds; it is written there.
    Guard(Condition, Span, Box<Body>),
    /// One after the other.
    Sequence(Box<Body>, Box<Body>),
    /// One of them.
    Choice(Box<Body>, Box<Body>),
}

/// A named action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// What is seen of it, besides its parameters.
    pub name: String,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// When it may happen, and where that is written.
    pub guard: (Condition, Span),
    /// What it does.
    pub body: Body,
}

/// An action that the loop chooses among.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// The action, by place.
    pub action: usize,
    /// The types that its parameters range over.
    pub types: Vec<usize>,
}

/// An action system.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ActionSystem {
    /// The types.
    pub types: Vec<IntType>,
    /// The variables, in the order of the state.
    pub variables: Vec<StateVariable>,
    /// What they are initially.
    pub init: Vec<i64>,
    /// The actions.
    pub actions: Vec<Action>,
    /// The loop.
    pub instances: Vec<Instance>,
    /// The names of actions that are the environment's; all others are the system's.
    pub inputs: BTreeSet<String>,
}

impl ActionSystem {
    /// The smallest and the largest number of a variable.
    pub fn bounds(&self, variable: usize) -> (i64, i64) {
        let int_type = &self.types[self.variables[variable].int_type];
        (int_type.first, int_type.last)
    }
}
