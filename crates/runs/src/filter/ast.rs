//! The syntax tree of a condition on mutants, with names resolved.

use super::Field;
use tamper_text::{SourceFile, Span};

/// A condition on mutants, with its text.
#[derive(Clone, Debug)]
pub struct Filter {
    pub(super) file: SourceFile,
    pub(super) node: ConditionNode,
}

/// A condition.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum ConditionNode {
    /// Always or never holds.
    Const(bool),
    Not(Box<ConditionNode>),
    /// All conditions hold.
    And(Vec<ConditionNode>),
    /// At least one condition holds.
    Or(Vec<ConditionNode>),
    Test(FieldTest),
}

/// A test of one field.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct FieldTest {
    pub field: Field,
    /// Place of the field's name.
    pub span: Span,
    pub relation: FieldRelation,
    /// At least one value.
    pub values: Vec<FilterValue>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FieldRelation {
    /// The field equals the value; a set has this element and no other.
    Is,
    /// The field is one of the values; a set is not empty, and all its elements are among the values.
    In,
    /// The set has one of the values.
    Has,
    Less,
    AtMost,
    AtLeast,
    Greater,
    /// The text, or an element of the set, matches the pattern, in which `*` is any text and `?` any character.
    Like,
}

/// A value in the condition's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FilterValue {
    pub text: String,
    /// The value as a number, if the field is a number.
    pub number: u64,
    pub span: Span,
}

impl ConditionNode {
    /// Calls `visit` on each test.
    pub(super) fn tests<'a>(&'a self, visit: &mut impl FnMut(&'a FieldTest)) {
        match self {
            Self::Const(_) => {}
            Self::Not(inner) => inner.tests(visit),
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.tests(visit)),
            Self::Test(test) => visit(test),
        }
    }
}

impl Filter {
    /// The text of the condition.
    pub fn text(&self) -> &str {
        self.file.text()
    }
}
