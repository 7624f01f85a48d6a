//! Reads feature expressions, such as `soda && !tmi || "odd name"` or `a and not (b or c)`.
//!
//! From weakest to strongest: `<=>`; `=>` (to the right); `||`, `|`, `or`; `&&`, `&`, `and`; `!`, `not`.
//! Names are letters, digits, `_` and `.`, not starting with a digit, or anything in double quotes.

use std::borrow::Cow;
use std::fmt;

use super::{FeatureExpr, FeatureId};
use crate::base::Span;

/// Deepest nesting of parentheses and negations that is read.
const MAX_DEPTH: usize = 200;

/// Why a text is no feature expression, and where (bytes into the text).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ExprError {
    /// Something else stands where an operand should.
    ExpectedOperand(Span),
    /// A character, or a word, that has no place here.
    Unexpected(Span),
    /// A `(` that is not closed.
    Unclosed(Span),
    /// A name in quotes that does not end.
    UnclosedName(Span),
    /// A name that is no feature's.
    UnknownFeature(Span),
    /// More parentheses in parentheses than anyone writes.
    TooDeep(Span),
}

impl ExprError {
    /// Where the trouble is.
    pub fn span(&self) -> Span {
        match self {
            Self::ExpectedOperand(span)
            | Self::Unexpected(span)
            | Self::Unclosed(span)
            | Self::UnclosedName(span)
            | Self::UnknownFeature(span)
            | Self::TooDeep(span) => *span,
        }
    }
}

impl fmt::Display for ExprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ExpectedOperand(_) => "a feature, `!` or `(` is expected here",
            Self::Unexpected(_) => "this has no place in a feature expression",
            Self::Unclosed(_) => "this parenthesis is not closed",
            Self::UnclosedName(_) => "this name has no closing quote",
            Self::UnknownFeature(_) => "no feature has this name",
            Self::TooDeep(_) => "this is nested too deep",
        })
    }
}

impl std::error::Error for ExprError {}

/// Whether `name` needs no quotes.
fn is_plain(name: &str) -> bool {
    let reserved = ["and", "or", "not", "true", "false"];
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(is_name_char)
        && !reserved.contains(&name)
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// `name` as an expression spells it.
pub(super) fn quoted(name: &str) -> Cow<'_, str> {
    if is_plain(name) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("\"{name}\""))
    }
}

/// The expression that `text` spells; `feature` finds a feature by its name.
///
/// # Errors
/// The first place where `text` is no expression over known features.
pub fn parse_expr(text: &str, feature: impl Fn(&str) -> Option<FeatureId>) -> Result<FeatureExpr, ExprError> {
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
        feature,
    };
    let expr = parser.equivalence()?;
    match parser.peek()? {
        (Token::End, _) => Ok(expr),
        (_, span) => Err(ExprError::Unexpected(span)),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    End,
    Name(&'a str),
    True,
    False,
    Not,
    And,
    Or,
    Implies,
    Iff,
    Open,
    Close,
}

const SYMBOLS: [(&str, Token<'static>); 10] = [
    ("<=>", Token::Iff),
    ("=>", Token::Implies),
    ("&&", Token::And),
    ("||", Token::Or),
    ("&", Token::And),
    ("|", Token::Or),
    ("!", Token::Not),
    ("(", Token::Open),
    (")", Token::Close),
    ("¬", Token::Not),
];

struct Parser<'a, F> {
    text: &'a str,
    at: usize,
    depth: usize,
    feature: F,
}

impl<'a, F: Fn(&str) -> Option<FeatureId>> Parser<'a, F> {
    /// The token after the blanks, without taking it.
    fn peek(&self) -> Result<(Token<'a>, Span), ExprError> {
        let rest = self.text[self.at..].trim_start();
        let start = self.text.len() - rest.len();
        let found = |token, length| Ok((token, Span::new(start, start + length)));
        if rest.is_empty() {
            return found(Token::End, 0);
        }
        if let Some((symbol, token)) = SYMBOLS.iter().find(|(symbol, _)| rest.starts_with(symbol)) {
            return found(*token, symbol.len());
        }
        if let Some(name) = rest.strip_prefix('"') {
            return match name.find(['"', '\n']).filter(|end| name[*end..].starts_with('"')) {
                Some(end) => found(Token::Name(&name[..end]), end + 2),
                None => Err(ExprError::UnclosedName(Span::new(start, start + 1))),
            };
        }
        let length = rest.find(|c| !is_name_char(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        match word {
            "and" => found(Token::And, length),
            "or" => found(Token::Or, length),
            "not" => found(Token::Not, length),
            "true" => found(Token::True, length),
            "false" => found(Token::False, length),
            _ if is_plain(word) => found(Token::Name(word), length),
            _ => {
                let length = length.max(rest.chars().next().map_or(0, char::len_utf8));
                Err(ExprError::Unexpected(Span::new(start, start + length)))
            }
        }
    }
    fn take(&mut self, wanted: Token<'_>) -> Result<bool, ExprError> {
        let (token, span) = self.peek()?;
        let found = token == wanted;
        if found {
            self.at = span.range().end;
        }
        Ok(found)
    }

    fn equivalence(&mut self) -> Result<FeatureExpr, ExprError> {
        let mut left = self.implication()?;
        while self.take(Token::Iff)? {
            left = left.iff(self.implication()?);
        }
        Ok(left)
    }
    fn implication(&mut self) -> Result<FeatureExpr, ExprError> {
        let mut premises = vec![self.disjunction()?];
        while self.take(Token::Implies)? {
            premises.push(self.disjunction()?);
        }
        let conclusion = premises.pop().unwrap_or(FeatureExpr::True);
        let imply = |conclusion, premise: FeatureExpr| premise.implies(conclusion);
        Ok(premises.into_iter().rev().fold(conclusion, imply))
    }
    fn disjunction(&mut self) -> Result<FeatureExpr, ExprError> {
        let mut operands = vec![self.conjunction()?];
        while self.take(Token::Or)? {
            operands.push(self.conjunction()?);
        }
        Ok(FeatureExpr::any(operands))
    }
    fn conjunction(&mut self) -> Result<FeatureExpr, ExprError> {
        let mut operands = vec![self.negation()?];
        while self.take(Token::And)? {
            operands.push(self.negation()?);
        }
        Ok(FeatureExpr::all(operands))
    }
    fn negation(&mut self) -> Result<FeatureExpr, ExprError> {
        let mut negative = false;
        while self.take(Token::Not)? {
            negative = !negative;
        }
        let operand = self.operand()?;
        Ok(if negative { !operand } else { operand })
    }
    fn operand(&mut self) -> Result<FeatureExpr, ExprError> {
        let (token, span) = self.peek()?;
        let expr = match token {
            Token::True => FeatureExpr::True,
            Token::False => FeatureExpr::False,
            Token::Name(name) => (self.feature)(name)
                .map(FeatureExpr::Var)
                .ok_or(ExprError::UnknownFeature(span))?,
            Token::Open => {
                self.at = span.range().end;
                return self.parenthesised(span);
            }
            _ => return Err(ExprError::ExpectedOperand(span)),
        };
        self.at = span.range().end;
        Ok(expr)
    }
    fn parenthesised(&mut self, open: Span) -> Result<FeatureExpr, ExprError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ExprError::TooDeep(open));
        }
        let inner = self.equivalence()?;
        self.depth -= 1;
        if self.take(Token::Close)? {
            return Ok(inner);
        }
        match self.peek()? {
            (Token::End, _) => Err(ExprError::Unclosed(open)),
            (_, span) => Err(ExprError::Unexpected(span)),
        }
    }
}
