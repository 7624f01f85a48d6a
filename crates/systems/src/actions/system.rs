//! The source form of an action system (\[001\] Figure 2): guarded actions over bounded integers, and the loop that
//! chooses among them.
//!
//! Names are resolved. Builders must ensure that all variables, parameters and actions referred to exist.

use std::collections::BTreeSet;

use tamper_text::Span;

/// A type: the numbers from the first to the last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IntType {
    /// The name of the type.
    pub name: String,
    /// The smallest number of the type.
    pub first: i64,
    /// The largest number of the type.
    pub last: i64,
}

/// A variable of the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateVariable {
    /// The name of the variable.
    pub name: String,
    /// The position of the variable's type.
    pub int_type: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ComparisonOperator {
    Equal,
    Unequal,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
}

impl ComparisonOperator {
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

/// An integer term of a condition or an assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IntegerTerm {
    /// A constant number with its place in the text.
    Value(i64, Span),
    /// The value of a variable, by place.
    Variable(usize),
    /// The value of a parameter, by place in its action.
    Parameter(usize),
    /// The sum of two terms.
    Add(Box<IntegerTerm>, Box<IntegerTerm>),
    /// The difference of two terms.
    Subtract(Box<IntegerTerm>, Box<IntegerTerm>),
    /// The product of two terms.
    Multiply(Box<IntegerTerm>, Box<IntegerTerm>),
}

/// A condition on variables and parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ActionCondition {
    /// The condition that always holds.
    True,
    /// A comparison of two terms, with its place.
    Compare(ComparisonOperator, IntegerTerm, IntegerTerm, Span),
    /// The conjunction of two conditions.
    And(Box<ActionCondition>, Box<ActionCondition>),
    /// The disjunction of two conditions.
    Or(Box<ActionCondition>, Box<ActionCondition>),
    /// The negation of a condition.
    Not(Box<ActionCondition>),
}

/// The body of an action: guarded commands and their compositions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ActionBody {
    /// Assigns a term to a variable, by place; the others keep their values.
    Assign(usize, IntegerTerm),
    /// The body, if the condition holds; with the place of the condition.
    Guard(ActionCondition, Span, Box<ActionBody>),
    /// The second body after the first one.
    Sequence(Box<ActionBody>, Box<ActionBody>),
    /// Either of the two bodies.
    Choice(Box<ActionBody>, Box<ActionBody>),
}

/// An action with parameters, a guard and a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuardedAction {
    /// The name that is observed, besides the parameters.
    pub name: String,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// The condition for the action, and its place in the text.
    pub guard: (ActionCondition, Span),
    /// The change of the state by the action.
    pub body: ActionBody,
}

/// An action that the loop chooses among.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionInstance {
    /// The position of the action in the loop.
    pub action: usize,
    /// The types that its parameters range over.
    pub types: Vec<usize>,
}

/// The composition of one run of the loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Loop {
    /// An action of the loop, by place.
    One(usize),
    /// One of the parts.
    Choice(Vec<Loop>),
    /// The parts one after the other, if they can all run through.
    Sequence(Vec<Loop>),
    /// The first part that can run through.
    Priority(Vec<Loop>),
}

/// A program that repeats a loop of guarded actions (\[001\]).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ActionSystem {
    /// The integer types in the order of the text.
    pub types: Vec<IntType>,
    /// The variables, in the order of the state.
    pub variables: Vec<StateVariable>,
    /// The initial value of each variable.
    pub init: Vec<i64>,
    /// The actions in the order of the text.
    pub actions: Vec<GuardedAction>,
    /// The actions that the loop offers, with their parameters.
    pub instances: Vec<ActionInstance>,
    /// The composition of the loop, if it is not a choice among all instances.
    pub composed: Option<Loop>,
    /// The names of the environment's actions; all others are the system's.
    pub inputs: BTreeSet<String>,
}

impl ActionSystem {
    /// The smallest and the largest number of a variable.
    pub fn bounds(&self, variable: usize) -> (i64, i64) {
        let int_type = &self.types[self.variables[variable].int_type];
        (int_type.first, int_type.last)
    }
}
