//! A condition on mutants, names resolved.

use super::Field;
use tamper_text::{SourceFile, Span};

/// A condition on mutants.
#[derive(Clone, Debug)]
pub struct Filter {
    pub(super) file: SourceFile,
    pub(super) node: Node,
}

/// A condition.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Node {
    /// Holds always or never.
    Const(bool),
    Not(Box<Node>),
    /// All of them.
    And(Vec<Node>),
    /// Any of them.
    Or(Vec<Node>),
    Test(Test),
}

/// A question about one field.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Test {
    pub field: Field,
    /// Where the field's name stands.
    pub span: Span,
    pub relation: Relation,
    /// At least one.
    pub values: Vec<Value>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    /// It is the value; a set: it has this element and no other.
    Is,
    /// It is one of the values; a set: it has elements, and all of them are among the values.
    In,
    /// A set has one of the values.
    Has,
    Less,
    AtMost,
    AtLeast,
    Greater,
    /// A text, or an element of a set, fits the pattern, in which `*` is any text and `?` any character.
    Like,
}

/// A value in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Value {
    pub text: String,
    /// What the text is as a number, for fields that are numbers.
    pub number: u64,
    pub span: Span,
}

impl Node {
    /// Calls `visit` on each test.
    pub(super) fn tests<'a>(&'a self, visit: &mut impl FnMut(&'a Test)) {
        match self {
            Self::Const(_) => {}
            Self::Not(inner) => inner.tests(visit),
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.tests(visit)),
            Self::Test(test) => visit(test),
        }
    }
}

impl Filter {
    /// The condition as it was written.
    pub fn text(&self) -> &str {
        self.file.text()
    }
}
