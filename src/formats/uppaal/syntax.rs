//! What the parsers make of labels and declarations: trees with spans, names not yet resolved.

use crate::base::Span;
use crate::model::{BinaryOp, UnaryOp};

/// An expression.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub node: Node,
    pub span: Span,
    /// Height of the tree; bounded by the parser, so that recursion over trees is safe.
    pub height: u32,
}

#[derive(Clone, Debug)]
pub(super) enum Node {
    Number(i64),
    Bool(bool),
    Real,
    Text,
    Name(String),
    Unary(UnaryOp, Box<Tree>),
    Binary(BinaryOp, Box<Tree>, Box<Tree>),
    Cond(Box<Tree>, Box<Tree>, Box<Tree>),
    /// `a[i]`
    Index(Box<Tree>),
    /// `f(a, b)`
    Call(String, Vec<Tree>),
    /// `a.b`
    Member(Box<Tree>),
    /// `x'`
    Rate(Box<Tree>),
    /// `a = b`, or `a += b` with the operator.
    Assign(Option<BinaryOp>, Box<Tree>, Box<Tree>),
    /// `a++`, `--a`: `+1` or `-1`; true when the value is the old one.
    Step(i64, bool, Box<Tree>),
}

/// A name and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub text: String,
    pub span: Span,
}

/// A type as written.
#[derive(Clone, Debug)]
pub(super) struct TypeTree {
    pub prefixes: Prefixes,
    pub base: TypeBase,
    pub span: Span,
}

#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Prefixes {
    pub constant: bool,
    pub urgent: bool,
    pub broadcast: bool,
    pub hybrid: bool,
}

#[derive(Clone, Debug)]
pub(super) enum TypeBase {
    Int(Option<(Tree, Tree)>),
    Bool,
    Clock,
    Chan,
    Named(String),
    /// A type no single timed game has (`double`, `struct`, …).
    Foreign(&'static str),
}

/// One declared thing.
#[derive(Clone, Debug)]
pub(super) enum Declaration {
    Variable(Variable),
    Typedef {
        ty: TypeTree,
        name: Name,
        array: bool,
    },
    /// A function; its body is only skipped over.
    Function {
        name: Name,
    },
}

/// A variable, constant, clock or channel.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub ty: TypeTree,
    pub name: Name,
    pub array: bool,
    pub initial: Option<Initial>,
}

#[derive(Clone, Debug)]
pub(super) enum Initial {
    Value(Tree),
    /// `{ … }`
    Braces,
}

/// A template's parameter.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub ty: TypeTree,
    pub name: Name,
    pub array: bool,
    /// Written with `&`.
    pub reference: bool,
}

/// `name : type` of a select label.
#[derive(Clone, Debug)]
pub(super) struct SelectTree {
    pub name: Name,
    pub ty: TypeTree,
}

/// `channel!` or `channel?`.
#[derive(Clone, Debug)]
pub(super) struct SyncTree {
    pub channel: Name,
    /// Written `channel[i]`.
    pub indexed: bool,
    pub sends: bool,
}

/// What the system section says besides declarations.
#[derive(Clone, Default, Debug)]
pub(super) struct SystemTree {
    pub declarations: Vec<Declaration>,
    pub instances: Vec<InstanceTree>,
    /// The processes after `system`, when there is such a line.
    pub processes: Option<Vec<Name>>,
    pub ios: Vec<IoTree>,
    /// Where the instantiations, the `system` lines and the IO lines stand.
    pub statements: Vec<Span>,
}

/// `name = template(arguments);`
#[derive(Clone, Debug)]
pub(super) struct InstanceTree {
    pub name: Name,
    pub template: Name,
    pub arguments: Vec<Tree>,
}

/// `IO name { a?, b! }`
#[derive(Clone, Debug)]
pub(super) struct IoTree {
    pub name: Name,
    pub actions: Vec<SyncTree>,
}
