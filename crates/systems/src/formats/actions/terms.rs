//! Terms: the syntax trees of signs and words, before names have a meaning.
//!
//! From the weakest sign to the strongest: `[]`, `;`, `=>` (to the right), `:=`, `#\/`, `#/\`, `#\` (not), comparisons,
//! `+` `-`, `*`. A guard thus holds for the sequence behind it either way: `(g => a); b` and `g => (a; b)` are the
//! same.

use crate::formats::tokens::{ErrorReported, Token, Tokens};
use tamper_text::{Height, MAX_HEIGHT, Span};

/// A term and its place.
#[derive(Clone, Debug)]
pub(super) struct PrologTerm<'a> {
    pub kind: PrologTermKind<'a>,
    pub span: Span,
    height: Height,
}

#[derive(Clone, Debug)]
pub(super) enum PrologTermKind<'a> {
    Name(&'a str),
    Number(i64),
    Not(Box<PrologTerm<'a>>),
    Infix(&'static str, Box<[PrologTerm<'a>; 2]>),
}

const LEVELS: [&[&str]; 9] = [
    &["[]"],
    &[";"],
    &["=>"],
    &[":="],
    &["#\\/"],
    &["#/\\"],
    &["#=", "#\\=", "#<", "#>", "#=<", "#>="],
    &["+", "-"],
    &["*"],
];
/// The level above which a negation binds, and the level of guards, which associate to the right.
const COMPARISON: usize = 6;
const GUARD: usize = 2;
const TOO_HIGH: &str = "this is";

type Read<'a> = Result<PrologTerm<'a>, ErrorReported>;

/// A term of any sign.
pub(super) fn term<'a>(tokens: &mut Tokens<'a>) -> Read<'a> {
    tokens.deeper()?;
    let term = level(tokens, 0)?;
    tokens.depth -= 1;
    Ok(term)
}

fn level<'a>(tokens: &mut Tokens<'a>, at: usize) -> Read<'a> {
    let Some(signs) = LEVELS.get(at) else {
        return primary(tokens);
    };
    let start = tokens.here();
    if at == COMPARISON && tokens.take("#\\") {
        tokens.deeper()?;
        let operand = level(tokens, COMPARISON)?;
        tokens.depth -= 1;
        let span = start.to(operand.span);
        let height = operand.height.above().ok_or_else(|| tokens.too_high(span, TOO_HIGH))?;
        let kind = PrologTermKind::Not(Box::new(operand));
        return Ok(PrologTerm { kind, span, height });
    }
    let mut nodes = vec![level(tokens, at + 1)?];
    let mut found = Vec::new();
    while let Some(sign) = signs.iter().copied().find(|sign| tokens.take(sign)) {
        found.push(sign);
        nodes.push(level(tokens, at + 1)?);
        // Each further sign adds a node above the previous one.
        if found.len() > MAX_HEIGHT as usize {
            let span = tokens.here();
            return Err(tokens.too_high(span, TOO_HIGH));
        }
    }
    let span = nodes[0].span;
    if at == COMPARISON && found.len() > 1 {
        return Err(tokens.refuse("comparisons are not chained", span, "join them with `#/\\`"));
    }
    let chain = if at == GUARD {
        to_the_right(nodes, &found)
    } else {
        to_the_left(nodes, &found)
    };
    chain.ok_or_else(|| tokens.too_high(span, TOO_HIGH))
}

fn primary<'a>(tokens: &mut Tokens<'a>) -> Read<'a> {
    let (token, span) = tokens.peek();
    let (kind, span) = match token {
        Token::Name(name) => (PrologTermKind::Name(name), span),
        Token::Number(number) => (PrologTermKind::Number(number), span),
        Token::Sign("(") => {
            tokens.advance();
            let inner = term(tokens)?;
            tokens.expect(")")?;
            let span = tokens.since(span);
            return Ok(PrologTerm { span, ..inner });
        }
        Token::Sign("-") => {
            tokens.advance();
            let (token, end) = tokens.peek();
            let Token::Number(number) = token else {
                return Err(tokens.refuse("a number is expected here", end, "write `0 - x` for a negative one"));
            };
            (PrologTermKind::Number(-number), span.to(end))
        }
        Token::Sign(sign) => {
            let message = format!("`{sign}` is not expected here");
            return Err(tokens.refuse(message, span, "write a name, a number or `(`"));
        }
        // The language has no words of bits.
        Token::Word(_) | Token::End => return Err(tokens.refuse("the file ends too early", span, "complete it")),
    };
    tokens.advance();
    if tokens.is("(") && token != Token::Sign("-") {
        let span = tokens.here();
        return Err(tokens.refuse("calls are not read here", span, "write out what it does"));
    }
    let height = Height::LEAF;
    Ok(PrologTerm { kind, span, height })
}

/// `None` if the term is too high.
fn infix<'a>(sign: &'static str, left: PrologTerm<'a>, right: PrologTerm<'a>) -> Option<PrologTerm<'a>> {
    Some(PrologTerm {
        height: left.height.above_both(right.height)?,
        span: left.span.to(right.span),
        kind: PrologTermKind::Infix(sign, Box::new([left, right])),
    })
}

fn to_the_left<'a>(nodes: Vec<PrologTerm<'a>>, signs: &[&'static str]) -> Option<PrologTerm<'a>> {
    let mut nodes = nodes.into_iter();
    // There is one more node than signs.
    let first = nodes.next().expect("at least one node");
    nodes
        .zip(signs)
        .try_fold(first, |left, (right, sign)| infix(sign, left, right))
}

fn to_the_right<'a>(mut nodes: Vec<PrologTerm<'a>>, signs: &[&'static str]) -> Option<PrologTerm<'a>> {
    let last = nodes.pop().expect("at least one node");
    nodes
        .into_iter()
        .zip(signs)
        .rev()
        .try_fold(last, |right, (left, sign)| infix(sign, left, right))
}
