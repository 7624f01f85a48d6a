//! Reads feature expressions, such as `soda && !tmi || "odd name"` or `a and not (b or c)`.
//!
//! From weakest to strongest: `<=>`; `=>` (to the right); `||`, `|`, `or`; `&&`, `&`, `and`; `!`, `not`. Names are letters,
//! digits, `_` and `.`, not starting with a digit, or anything in double quotes. Other languages have the same connectives
//! and strengths, but other words, names and associations, given by a [`Spelling`].

use super::quoting::{is_name_char, is_plain};
use super::{FeatureExpr, FeatureId, Growth};
use tamper_text::{Cursor, Span};

/// Deepest nesting of parentheses and negations that is read.
const MAX_DEPTH: usize = 200;

/// The reason why a text is not a feature expression, with the place (bytes into the text).
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExprError {
    /// There is something else in place of an operand.
    #[error("a feature, `!` or `(` is expected here")]
    ExpectedOperand(Span),
    /// A character or a word that is not allowed here.
    #[error("this has no place in a feature expression")]
    Unexpected(Span),
    /// A `(` that is not closed.
    #[error("this parenthesis is not closed")]
    Unclosed(Span),
    /// A name in quotes that does not end.
    #[error("this name has no closing quote")]
    UnclosedName(Span),
    /// A name that no feature has.
    #[error("no feature has this name")]
    UnknownFeature(Span),
    /// More parentheses in parentheses than anyone writes.
    #[error("this is nested too deep")]
    TooDeep(Span),
    /// A condition that is no Boolean expression, and is not read.
    #[error("this condition is not read")]
    Refused(Span),
    /// Equivalences in equivalences, or longer chains of implications, than anyone writes.
    #[error("this is too large: each `<=>` doubles what it compares")]
    TooLarge(Span),
}

impl ExprError {
    /// The part of the text that is wrong.
    pub fn span(&self) -> Span {
        match self {
            Self::ExpectedOperand(span)
            | Self::Unexpected(span)
            | Self::Unclosed(span)
            | Self::UnclosedName(span)
            | Self::UnknownFeature(span)
            | Self::TooDeep(span)
            | Self::Refused(span)
            | Self::TooLarge(span) => *span,
        }
    }
}

/// The expression that `text` spells; `feature` finds a feature by its name.
///
/// # Errors
/// The first place where `text` is no expression over known features.
pub fn parse_expr(text: &str, feature: impl Fn(&str) -> Option<FeatureId>) -> Result<FeatureExpr, ExprError> {
    parse_spelled(&CONDITIONS, text, feature, &mut Growth::default(), &mut |_, _| None)
}

/// A reader of conditions in place of features: their length at the start of a text, and their meaning; `None` where there
/// is no such condition, and no meaning where it is refused.
pub type Conditions<'c> = dyn FnMut(&str, &mut Growth) -> Option<(usize, Option<FeatureExpr>)> + 'c;

/// The same for a text in another spelling, in which `conditions` may take the place of features; `growth` limits the
/// growth of all expressions of a file.
///
/// # Errors
/// The first place where `text` is no expression over known features.
pub fn parse_spelled(
    spelling: &Spelling,
    text: &str,
    feature: impl Fn(&str) -> Option<FeatureId>,
    growth: &mut Growth,
    conditions: &mut Conditions<'_>,
) -> Result<FeatureExpr, ExprError> {
    let mut parser = Parser {
        spelling,
        cursor: Cursor::new(text),
        end: text.len(),
        depth: 0,
        feature,
        growth,
        conditions,
    };
    let expr = parser.equivalence()?;
    match parser.peek()? {
        (Token::End, _) => Ok(expr),
        (_, span) => Err(ExprError::Unexpected(span)),
    }
}

/// A part of an expression that is no name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbol {
    /// The constant that always holds.
    True,
    /// The constant that never holds.
    False,
    /// The sign of a negation.
    Not,
    /// The sign of a conjunction.
    And,
    /// The sign of a disjunction.
    Or,
    /// The sign of an implication.
    Implies,
    /// The sign of an equivalence.
    Iff,
    /// An opening parenthesis of an expression.
    Open,
    /// A closing parenthesis of an expression.
    Close,
}

/// The spelling of feature expressions in one language. In all languages, names that are not plain stand in double quotes.
#[derive(Clone, Copy, Debug)]
pub struct Spelling {
    /// The symbols; of two that start alike, the longer one first.
    pub symbols: &'static [(&'static str, Symbol)],
    /// Whole words that are no names.
    pub words: &'static [(&'static str, Symbol)],
    /// Whether `a => b => c` is `a => (b => c)`, not `(a => b) => c`.
    pub implies_to_the_right: bool,
    /// Length in bytes of the plain name or word at the start of a text; 0 if it starts with neither.
    pub name_length: fn(&str) -> usize,
    /// Whether that text is a plain name.
    pub is_name: fn(&str) -> bool,
}

/// The spelling of feature expressions in games and on the command line.
const CONDITIONS: Spelling = Spelling {
    symbols: &[
        ("<=>", Symbol::Iff),
        ("=>", Symbol::Implies),
        ("&&", Symbol::And),
        ("||", Symbol::Or),
        ("&", Symbol::And),
        ("|", Symbol::Or),
        ("!", Symbol::Not),
        ("(", Symbol::Open),
        (")", Symbol::Close),
        ("¬", Symbol::Not),
    ],
    words: &[
        ("and", Symbol::And),
        ("or", Symbol::Or),
        ("not", Symbol::Not),
        ("true", Symbol::True),
        ("false", Symbol::False),
    ],
    implies_to_the_right: true,
    name_length: |text| text.find(|c| !is_name_char(c)).unwrap_or(text.len()),
    is_name: is_plain,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    End,
    Name(&'a str),
    Symbol(Symbol),
}

struct Parser<'a, 'g, F> {
    spelling: &'a Spelling,
    cursor: Cursor<'a>,
    end: usize,
    depth: usize,
    feature: F,
    growth: &'g mut Growth,
    conditions: &'g mut Conditions<'g>,
}

impl<'a, F: Fn(&str) -> Option<FeatureId>> Parser<'a, '_, F> {
    /// The token after the blanks, without taking it.
    fn peek(&self) -> Result<(Token<'a>, Span), ExprError> {
        let mut cursor = self.cursor;
        cursor.take_while(char::is_whitespace);
        let Some(first) = cursor.peek() else {
            return Ok((Token::End, cursor.span(0)));
        };
        let symbols = self.spelling.symbols.iter();
        if let Some((sign, symbol)) = symbols.copied().find(|(sign, _)| cursor.is_at(sign)) {
            return Ok((Token::Symbol(symbol), cursor.span(sign.len())));
        }
        let opening = cursor.span(1);
        if cursor.eat("\"") {
            let name = cursor.take_while(|c| c != '"' && c != '\n');
            let place = Span::new(opening.range().start, name.span.range().end + 1);
            return match cursor.is_at("\"") {
                true => Ok((Token::Name(name.text), place)),
                false => Err(ExprError::UnclosedName(opening)),
            };
        }
        let word = cursor.take((self.spelling.name_length)(cursor.rest()));
        let known = self.spelling.words.iter().find(|(known, _)| *known == word.text);
        match known {
            Some((_, symbol)) => Ok((Token::Symbol(*symbol), word.span)),
            None if (self.spelling.is_name)(word.text) => Ok((Token::Name(word.text), word.span)),
            None => {
                let length = word.text.len().max(first.len_utf8());
                Err(ExprError::Unexpected(Span::new(word.start(), word.start() + length)))
            }
        }
    }
    /// Moves behind the token at `place`.
    fn pass(&mut self, place: Span) {
        self.cursor.take(place.range().end - self.cursor.position());
    }
    fn take(&mut self, wanted: Symbol) -> Result<bool, ExprError> {
        let (token, span) = self.peek()?;
        let found = token == Token::Symbol(wanted);
        if found {
            self.pass(span);
        }
        Ok(found)
    }

    fn equivalence(&mut self) -> Result<FeatureExpr, ExprError> {
        let mut left = self.implication()?;
        while self.take(Symbol::Iff)? {
            let right = self.implication()?;
            left = self.growth.iff(left, right).ok_or_else(|| self.too_large())?;
        }
        Ok(left)
    }
    fn implication(&mut self) -> Result<FeatureExpr, ExprError> {
        let first = self.disjunction()?;
        let mut operands = Vec::new();
        while self.take(Symbol::Implies)? {
            operands.push(self.disjunction()?);
        }
        let growth = &mut *self.growth;
        let whole = if self.spelling.implies_to_the_right {
            operands.insert(0, first);
            let last = operands.pop();
            let mut premises = operands.into_iter().rev();
            last.and_then(|last| premises.try_fold(last, |conclusion, premise| growth.implies(premise, conclusion)))
        } else {
            operands
                .into_iter()
                .try_fold(first, |premise, conclusion| growth.implies(premise, conclusion))
        };
        whole.ok_or_else(|| self.too_large())
    }
    fn too_large(&self) -> ExprError {
        ExprError::TooLarge(Span::new(0, self.end))
    }
    fn disjunction(&mut self) -> Result<FeatureExpr, ExprError> {
        let mut operands = vec![self.conjunction()?];
        while self.take(Symbol::Or)? {
            operands.push(self.conjunction()?);
        }
        Ok(FeatureExpr::any(operands))
    }
    fn conjunction(&mut self) -> Result<FeatureExpr, ExprError> {
        let mut operands = vec![self.negation()?];
        while self.take(Symbol::And)? {
            operands.push(self.negation()?);
        }
        Ok(FeatureExpr::all(operands))
    }
    fn negation(&mut self) -> Result<FeatureExpr, ExprError> {
        let mut negative = false;
        let operand = loop {
            self.cursor.take_while(char::is_whitespace);
            if let Some((length, meaning)) = (self.conditions)(self.cursor.rest(), self.growth) {
                let place = self.cursor.take(length).span;
                break meaning.ok_or(ExprError::Refused(place))?;
            }
            if !self.take(Symbol::Not)? {
                break self.operand()?;
            }
            negative = !negative;
        };
        Ok(if negative { !operand } else { operand })
    }
    fn operand(&mut self) -> Result<FeatureExpr, ExprError> {
        let (token, span) = self.peek()?;
        let expr = match token {
            Token::Symbol(Symbol::True) => FeatureExpr::True,
            Token::Symbol(Symbol::False) => FeatureExpr::False,
            Token::Name(name) => (self.feature)(name)
                .map(FeatureExpr::Var)
                .ok_or(ExprError::UnknownFeature(span))?,
            Token::Symbol(Symbol::Open) => {
                self.pass(span);
                return self.parenthesised(span);
            }
            _ => return Err(ExprError::ExpectedOperand(span)),
        };
        self.pass(span);
        Ok(expr)
    }
    fn parenthesised(&mut self, open: Span) -> Result<FeatureExpr, ExprError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ExprError::TooDeep(open));
        }
        let inner = self.equivalence()?;
        self.depth -= 1;
        if self.take(Symbol::Close)? {
            return Ok(inner);
        }
        match self.peek()? {
            (Token::End, _) => Err(ExprError::Unclosed(open)),
            (_, span) => Err(ExprError::Unexpected(span)),
        }
    }
}
