//! Expressions for other formats: UPPAAL's syntax without what only a timed game has, alternatives separated by `|`.

use super::cursor::{Parser, is_reserved};
use super::lexer::{Token, TokenKind, lex};
use super::syntax::{Node, Parsed, Tree};
use super::text::Text;
use crate::model::{BinaryOp, UnaryOp};
use crate::text::{Diagnostic, Span};

/// An expression whose names are not yet resolved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::formats) struct Term {
    pub node: TermNode,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::formats) enum TermNode {
    Number(i64),
    Bool(bool),
    /// A name, possibly with dots.
    Name(String),
    Unary(UnaryOp, Box<Term>),
    Binary(BinaryOp, Box<[Term; 2]>),
    Cond(Box<[Term; 3]>),
}

/// The alternatives in `text`, which stands in its file at `start`; if it does not stand there as it is, at `place` as a whole.
pub(in crate::formats) fn terms(text: &str, start: usize, place: Option<Span>) -> Parsed<Vec<Term>> {
    let text = match place {
        None => Text::standing(text, start),
        Some(place) => Text::at(text, place),
    };
    let lexed = lex(&text);
    if let Some(error) = lexed.errors.into_iter().next() {
        return Err(error);
    }
    let mut all = Vec::new();
    let mut part: Vec<Token> = Vec::new();
    let mut depth = 0_usize;
    for token in lexed.tokens {
        match token.kind {
            TokenKind::Sign("(" | "[") => depth += 1,
            TokenKind::Sign(")" | "]") => depth = depth.saturating_sub(1),
            TokenKind::Sign("|") if depth == 0 => {
                let span = Span::new(token.span.start as usize, token.span.start as usize);
                part.push(Token {
                    kind: TokenKind::End,
                    span,
                });
                all.push(term(std::mem::take(&mut part))?);
                continue;
            }
            _ => {}
        }
        part.push(token);
    }
    all.push(term(part)?);
    Ok(all)
}

/// Whether `word` has a meaning of its own in expressions.
pub(in crate::formats) fn is_keyword(word: &str) -> bool {
    is_reserved(word)
}

fn term(tokens: Vec<Token>) -> Parsed<Term> {
    let mut parser = Parser::new(tokens);
    let tree = parser.expression()?;
    parser.expect_end()?;
    simple(&tree)
}

fn simple(tree: &Tree) -> Parsed<Term> {
    let foreign = |what: &str| {
        let error = Diagnostic::error(format!("{what} is not part of these expressions"), tree.span);
        Err(error.with_help("they have numbers, names, + - *, comparisons, && || ! and c ? a : b"))
    };
    let boxed = |part: &Tree| simple(part).map(Box::new);
    let node = match &tree.node {
        Node::Number(number) => TermNode::Number(*number),
        Node::Bool(value) => TermNode::Bool(*value),
        Node::Name(name) => TermNode::Name(name.clone()),
        Node::Member(of, name) => match simple(of)?.node {
            TermNode::Name(first) => TermNode::Name(format!("{first}.{}", name.text)),
            _ => return foreign("a field of an expression"),
        },
        Node::Unary(op, of) => TermNode::Unary(*op, boxed(of)?),
        Node::Binary(op, a, b) => TermNode::Binary(*op, Box::new([simple(a)?, simple(b)?])),
        Node::Cond(c, a, b) => TermNode::Cond(Box::new([simple(c)?, simple(a)?, simple(b)?])),
        Node::Real => return foreign("a number with a point"),
        Node::Text => return foreign("a string"),
        Node::Index(..) => return foreign("an index"),
        Node::Call(..) => return foreign("a call"),
        Node::Quantified(..) => return foreign("a quantifier"),
        Node::Rate(_) => return foreign("a rate"),
        Node::Assign(..) | Node::Step(..) => return foreign("an assignment"),
    };
    Ok(Term { node, span: tree.span })
}
