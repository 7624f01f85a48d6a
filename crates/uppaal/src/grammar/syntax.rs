//! The trees that the parsers make of labels and declarations: with spans, names not yet resolved.

use tamper_text::{Diagnostic, Span};
use tamper_timed::model::{BinaryOp, UnaryOp};

/// The result of a parser.
pub(crate) type SyntaxResult<T> = Result<T, Diagnostic>;

/// The result of lowering a tree; the error is `None` if the cause is reported already.
pub(crate) type LoweringResult<T> = Result<T, Option<Diagnostic>>;

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub node: ExprNode,
    pub span: Span,
    /// Height of the tree; bounded by the parser, so that recursion over trees is safe.
    pub height: u32,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprNode {
    Number(i64),
    Bool(bool),
    Real,
    Text,
    Name(String),
    Unary(UnaryOp, Box<Tree>),
    Binary(BinaryOp, Box<Tree>, Box<Tree>),
    Cond(Box<Tree>, Box<Tree>, Box<Tree>),
    /// `a[i]`
    Index(Box<Tree>, Box<Tree>),
    /// `f(a, b)`
    Call(String, Vec<Tree>),
    /// `a.b`
    Member(Box<Tree>, Name),
    /// `forall (i : type) a`
    Quantified(QuantifierKeyword, Box<SelectTree>, Box<Tree>),
    /// `x'`
    Rate(Box<Tree>),
    /// `a = b`, or `a += b` with the operator.
    Assign(Option<BinaryOp>, Box<Tree>, Box<Tree>),
    /// `a++`, `--a`: `+1` or `-1`; true if the value is the old one.
    Step(i64, bool, Box<Tree>),
}

/// The keyword of a quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum QuantifierKeyword {
    ForAll,
    Exists,
    Sum,
}

/// A name and its place.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub text: String,
    pub span: Span,
}

/// A type in its written form.
#[derive(Clone, Debug)]
pub(crate) struct TypeTree {
    pub prefixes: Prefixes,
    pub base: TypeBase,
    pub span: Span,
}

#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Prefixes {
    pub constant: bool,
    pub urgent: bool,
    pub broadcast: bool,
    pub hybrid: bool,
    pub meta: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum TypeBase {
    Int(Option<(Tree, Tree)>),
    Bool,
    Clock,
    Chan,
    Named(String),
    Void,
    /// `scalar[n]`
    Scalar(Box<SyntaxResult<Tree>>),
    /// The fields, one variable each.
    Struct(Box<SyntaxResult<Vec<VariableTree>>>),
    /// A type that no game has (`double`, …).
    Foreign(&'static str),
}

/// One declaration.
#[derive(Clone, Debug)]
pub(crate) enum DeclarationTree {
    Variable(VariableTree),
    Typedef {
        ty: TypeTree,
        name: Name,
        dimensions: Vec<Dimension>,
    },
    Function(Box<FunctionTree>),
    /// `chan priority a < default < b;`: lists of channels (`None` for `default`), lowest first.
    ChannelPriority {
        span: Span,
        levels: SyntaxResult<Vec<Vec<Option<ChannelTree>>>>,
    },
}

/// The size of an array, or the type of its indices. An error in it is kept for its uses: it may never be used.
#[derive(Clone, Debug)]
pub(crate) enum Dimension {
    Size(Tree),
    Type(TypeTree),
    Wrong(Diagnostic),
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct FunctionTree {
    pub result: TypeTree,
    pub name: Name,
    /// Parameters and body; an error in them is kept for calls, since there may be no call.
    pub content: SyntaxResult<(Vec<Parameter>, Vec<StatementTree>)>,
}

/// A statement of a function.
#[derive(Clone, Debug)]
pub(crate) enum StatementTree {
    Expr(Tree),
    Declare(Vec<DeclarationTree>),
    Block(Vec<StatementTree>),
    If(Tree, Box<StatementTree>, Option<Box<StatementTree>>),
    While(Tree, Box<StatementTree>),
    DoWhile(Box<StatementTree>, Tree),
    /// Initial expressions, condition (`None` is true), expressions after each round, body.
    For(Vec<Tree>, Option<Tree>, Vec<Tree>, Box<StatementTree>),
    Each(SelectTree, Box<StatementTree>),
    Return(Option<Tree>, Span),
}

/// A variable, constant, clock or channel.
#[derive(Clone, Debug)]
pub(crate) struct VariableTree {
    pub ty: TypeTree,
    pub name: Name,
    pub dimensions: Vec<Dimension>,
    pub initial: Option<Initial>,
}

#[derive(Clone, Debug)]
pub(crate) enum Initial {
    Value(Tree),
    /// `{ a, b }`, with elements that may follow the names of their fields.
    Braces(SyntaxResult<Vec<(Option<Name>, Initial)>>),
}

/// A template's parameter.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub ty: TypeTree,
    pub name: Name,
    pub dimensions: Vec<Dimension>,
    /// Written with `&`.
    pub reference: bool,
}

/// `name : type` of a select label.
#[derive(Clone, Debug)]
pub(crate) struct SelectTree {
    pub name: Name,
    pub ty: TypeTree,
}

/// `channel!` or `channel?`.
#[derive(Clone, Debug)]
pub(crate) struct SyncTree {
    pub channel: Name,
    /// Of `channel[i][j]`.
    pub indices: Vec<Tree>,
    pub sends: bool,
}

/// A channel in a priority declaration.
#[derive(Clone, Debug)]
pub(crate) struct ChannelTree {
    pub channel: Name,
    pub indices: Vec<Tree>,
}

/// The content of the system section besides declarations.
#[derive(Clone, Default, Debug)]
pub(crate) struct SystemTree {
    pub declarations: Vec<DeclarationTree>,
    pub instances: Vec<InstanceTree>,
    /// The processes after `system`; `None` if the line is missing.
    pub processes: Option<Vec<Name>>,
    /// Per process, the number of `<` before it: its priority.
    pub priorities: Vec<i32>,
    /// Errors about priorities, which no single game has.
    pub beyond: Vec<Diagnostic>,
    pub ios: Vec<IoTree>,
    /// The places of the instantiations, the `system` lines and the IO lines.
    pub statements: Vec<Span>,
}

/// `name(parameters) = template(arguments);`
#[derive(Clone, Debug)]
pub(crate) struct InstanceTree {
    pub name: Name,
    pub parameters: Vec<Parameter>,
    pub template: Name,
    pub arguments: Vec<Tree>,
    /// Whether it is written in the `system` line.
    pub in_line: bool,
}

/// `IO name { a?, b! }`
#[derive(Clone, Debug)]
pub(crate) struct IoTree {
    pub name: Name,
    pub actions: Vec<SyncTree>,
}
