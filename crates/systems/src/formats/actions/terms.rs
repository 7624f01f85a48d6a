//! Terms: what the signs make of the words, before anyone asks what it means.
//!
//! From the weakest sign to the strongest: `[]`, `;`, `=>` (to the right), `:=`, `#\/`, `#/\`, `#\` (not), comparisons,
//! `+` `-`, `*`. A guard thus holds for the sequence behind it either way: `(g => a); b` and `g => (a; b)` are the same.

use super::lexer::Token;
use tamper_text::{Diagnostic, Height, MAX_HEIGHT, Span, too_high};

/// A term and where it is written.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub kind: Kind,
    pub span: Span,
    height: Height,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Name(String),
    Parameter(String),
    Number(i64),
    Not(Box<Node>),
    Infix(&'static str, Box<Node>, Box<Node>),
}

/// An error was noted.
pub(super) struct Stopped;

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
/// The level above which a negation binds, and the one of guards, which go to the right.
const COMPARISON: usize = 6;
const GUARD: usize = 2;

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 200;

/// The tokens and how far they are read.
pub(super) struct Cursor {
    pub tokens: Vec<(Token, Span)>,
    pub at: usize,
    pub depth: usize,
    pub diagnostics: Vec<Diagnostic>,
}

impl Cursor {
    pub fn peek(&self) -> (&Token, Span) {
        let (token, span) = &self.tokens[self.at.min(self.tokens.len() - 1)];
        (token, *span)
    }
    pub fn is(&self, sign: &str) -> bool {
        matches!(self.peek().0, Token::Sign(other) if *other == sign)
    }
    pub fn take(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }
    pub fn last_end(&self) -> u32 {
        self.tokens[self.at.saturating_sub(1).min(self.tokens.len() - 1)].1.end
    }
    pub fn refuse(&mut self, message: impl Into<String>, span: Span, help: &str) -> Stopped {
        self.diagnostics.push(Diagnostic::error(message, span).with_help(help));
        Stopped
    }
    pub fn expect(&mut self, sign: &str) -> Result<(), Stopped> {
        let span = self.peek().1;
        match self.take(sign) {
            true => Ok(()),
            false => Err(self.refuse(format!("`{sign}` is expected here"), span, "complete or correct this")),
        }
    }
    pub fn name(&mut self, what: &str) -> Result<(String, Span), Stopped> {
        let (token, span) = self.peek();
        let (Token::Name(name) | Token::Parameter(name)) = token.clone() else {
            return Err(self.refuse(format!("{what} is expected here"), span, "write its name"));
        };
        self.at += 1;
        Ok((name, span))
    }
    pub fn number(&mut self) -> Result<i64, Stopped> {
        let negative = self.take("-");
        let (token, span) = self.peek();
        let Token::Number(number) = *token else {
            return Err(self.refuse("a number is expected here", span, "write one"));
        };
        self.at += 1;
        Ok(if negative { -number } else { number })
    }

    /// A term of any sign.
    pub fn term(&mut self) -> Result<Node, Stopped> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let span = self.peek().1;
            return Err(self.refuse("this is nested too deep", span, "split the action"));
        }
        let term = self.level(0);
        self.depth -= 1;
        term
    }
    fn level(&mut self, level: usize) -> Result<Node, Stopped> {
        let Some(signs) = LEVELS.get(level) else {
            return self.primary();
        };
        if level == COMPARISON && self.is("#\\") {
            let start = self.peek().1;
            self.at += 1;
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err(self.refuse("this is nested too deep", start, "split the action"));
            }
            let operand = self.level(COMPARISON)?;
            self.depth -= 1;
            let span = Span {
                start: start.start,
                end: operand.span.end,
            };
            let height = self.height(operand.height.above(), span)?;
            let kind = Kind::Not(Box::new(operand));
            return Ok(Node { kind, span, height });
        }
        let mut nodes = vec![self.level(level + 1)?];
        let mut found = Vec::new();
        while let Some(sign) = signs.iter().copied().find(|sign| self.is(sign)) {
            self.at += 1;
            found.push(sign);
            nodes.push(self.level(level + 1)?);
            // A node for each sign stands above the one before.
            if found.len() > MAX_HEIGHT as usize {
                let span = self.peek().1;
                return Err(self.too_high(span));
            }
        }
        if level == COMPARISON && found.len() > 1 {
            let span = nodes[0].span;
            return Err(self.refuse("comparisons are not chained", span, "join them with `#/\\`"));
        }
        let span = nodes[0].span;
        let chain = if level == GUARD {
            to_the_right(nodes, &found)
        } else {
            to_the_left(nodes, &found)
        };
        chain.ok_or_else(|| self.too_high(span))
    }
    /// The height, if the node is not too high.
    fn height(&mut self, height: Option<Height>, span: Span) -> Result<Height, Stopped> {
        height.ok_or_else(|| self.too_high(span))
    }
    fn too_high(&mut self, span: Span) -> Stopped {
        self.refuse(too_high("this is"), span, "split the action")
    }
    fn primary(&mut self) -> Result<Node, Stopped> {
        let (token, span) = self.peek();
        let kind = match token.clone() {
            Token::Name(name) => Kind::Name(name),
            Token::Parameter(name) => Kind::Parameter(name),
            Token::Number(number) => Kind::Number(number),
            Token::Sign("(") => {
                self.at += 1;
                let mut inner = self.term()?;
                self.expect(")")?;
                inner.span = Span {
                    start: span.start,
                    end: self.last_end(),
                };
                return Ok(inner);
            }
            Token::Sign("-") => {
                self.at += 1;
                let (token, end) = self.peek();
                let Token::Number(number) = *token else {
                    return Err(self.refuse("a number is expected here", end, "write `0 - x` for a negative one"));
                };
                self.at += 1;
                let span = Span {
                    start: span.start,
                    end: end.end,
                };
                return Ok(Node {
                    kind: Kind::Number(-number),
                    span,
                    height: Height::LEAF,
                });
            }
            Token::Sign(sign) => {
                let message = format!("`{sign}` is not expected here");
                return Err(self.refuse(message, span, "write a name, a number or `(`"));
            }
            Token::End => return Err(self.refuse("the file ends too early", span, "complete it")),
        };
        self.at += 1;
        if self.is("(") {
            let span = self.peek().1;
            return Err(self.refuse("calls are not read here", span, "write out what it does"));
        }
        Ok(Node {
            kind,
            span,
            height: Height::LEAF,
        })
    }
}

/// None if it is too high.
fn infix(sign: &'static str, left: Node, right: Node) -> Option<Node> {
    let span = Span {
        start: left.span.start,
        end: right.span.end,
    };
    Some(Node {
        height: left.height.above_both(right.height)?,
        kind: Kind::Infix(sign, Box::new(left), Box::new(right)),
        span,
    })
}

fn to_the_left(nodes: Vec<Node>, signs: &[&'static str]) -> Option<Node> {
    let mut nodes = nodes.into_iter();
    // There is one node more than there are signs.
    let first = nodes.next().expect("at least one node");
    nodes
        .zip(signs)
        .try_fold(first, |left, (right, sign)| infix(sign, left, right))
}

fn to_the_right(mut nodes: Vec<Node>, signs: &[&'static str]) -> Option<Node> {
    let last = nodes.pop().expect("at least one node");
    nodes
        .into_iter()
        .zip(signs)
        .rev()
        .try_fold(last, |right, (left, sign)| infix(sign, left, right))
}
