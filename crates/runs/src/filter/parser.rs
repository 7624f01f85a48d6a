//! Parser of conditions.
//!
//! `or` binds weaker than `and`, `and` weaker than `not`. Nesting is bounded, so that no text exhausts the stack.

use super::ast::{ConditionNode, FieldRelation, FieldTest, Filter, FilterValue};
use super::check::{typed, with_nearest};
use super::fields::{FIELDS, Field, Kind};
use super::lexer::{FilterToken, TokenKind, lex};
use crate::Verdict;
use tamper_text::{Diagnostic, ReadError, SourceFile, Span};
use tamper_timed::mutation::AppliedOperator;

const MAX_NESTING: usize = 100;

impl Filter {
    /// Parses `text`; messages call it `name` (for example, the option that it was given to).
    ///
    /// # Errors
    /// All errors with their places and advice.
    pub fn parse(name: &str, text: &str) -> Result<Self, ReadError> {
        let operators: Vec<&str> = AppliedOperator::all().map(AppliedOperator::name).collect();
        Self::parse_for(&operators, name, text)
    }

    /// Like `Filter::parse`, for mutants that these operators make.
    ///
    /// # Errors
    /// All errors with their places and advice.
    pub fn parse_for(operators: &[&'static str], name: &str, text: &str) -> Result<Self, ReadError> {
        let file = SourceFile::new(name, text);
        let refused = |diagnostics| ReadError {
            file: SourceFile::new(name, text),
            diagnostics,
        };
        let tokens = lex(text).map_err(|error| refused(vec![error]))?;
        let mut parser = FilterParser {
            operators: operators.to_vec(),
            tokens,
            at: 0,
            nesting: 0,
            errors: Vec::new(),
        };
        let node = match parser.whole() {
            Ok(node) => node,
            Err(error) => {
                parser.errors.push(error);
                ConditionNode::Const(true)
            }
        };
        match parser.errors.is_empty() {
            true => Ok(Self { file, node }),
            false => Err(refused(parser.errors)),
        }
    }

    /// The condition that every mutant satisfies.
    pub fn all() -> Self {
        Self {
            file: SourceFile::new("--keep", "all"),
            node: ConditionNode::Const(true),
        }
    }
}

type ParseResult<T> = Result<T, Diagnostic>;

struct FilterParser {
    /// The operators that can make mutants.
    operators: Vec<&'static str>,
    tokens: Vec<FilterToken>,
    at: usize,
    nesting: usize,
    /// Type errors; parsing continues after them.
    errors: Vec<Diagnostic>,
}

impl FilterParser {
    fn peek(&self) -> &FilterToken {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }
    fn bump(&mut self) -> FilterToken {
        let token = self.peek().clone();
        self.at += 1;
        token
    }
    /// Consumes the next token if it is the sign or word `wanted`; returns whether it is.
    fn eat(&mut self, wanted: &str) -> bool {
        let found = match &self.peek().kind {
            TokenKind::Sign(sign) => *sign == wanted,
            TokenKind::Word(word) => word == wanted,
            _ => false,
        };
        self.at += usize::from(found);
        found
    }
    fn unexpected(&self, wanted: &str, help: &str) -> Diagnostic {
        let found = self.peek();
        Diagnostic::error(format!("expected {wanted}, found {}", found.kind.shown()), found.span).with_help(help)
    }

    fn whole(&mut self) -> ParseResult<ConditionNode> {
        let node = self.any()?;
        match self.peek().kind {
            TokenKind::End => Ok(node),
            _ => Err(self.unexpected("`&&`, `||` or the end", "join conditions by `&&` or `||`")),
        }
    }

    fn any(&mut self) -> ParseResult<ConditionNode> {
        self.joined(["||", "or"], Self::all, ConditionNode::Or)
    }

    fn all(&mut self) -> ParseResult<ConditionNode> {
        self.joined(["&&", "and"], Self::one, ConditionNode::And)
    }

    /// One or more parts joined by either spelling of a connective; a single part is returned unchanged.
    fn joined(
        &mut self,
        connectives: [&str; 2],
        part: fn(&mut Self) -> ParseResult<ConditionNode>,
        join: fn(Vec<ConditionNode>) -> ConditionNode,
    ) -> ParseResult<ConditionNode> {
        let mut parts = vec![part(self)?];
        while connectives.iter().any(|connective| self.eat(connective)) {
            parts.push(part(self)?);
        }
        Ok(match parts.len() {
            1 => parts.swap_remove(0),
            _ => join(parts),
        })
    }

    fn one(&mut self) -> ParseResult<ConditionNode> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            let error = Diagnostic::error("this is nested too deeply", self.peek().span);
            return Err(error.with_help("use fewer brackets and negations"));
        }
        let node = self.negated_or_simple();
        self.nesting -= 1;
        node
    }

    fn negated_or_simple(&mut self) -> ParseResult<ConditionNode> {
        if self.eat("!") || self.eat("not") {
            return Ok(ConditionNode::Not(Box::new(self.one()?)));
        }
        let open = self.peek().span;
        if self.eat("(") {
            let node = self.any()?;
            if !self.eat(")") {
                let error = self.unexpected("`)`", "close the bracket");
                return Err(error.with_secondary(open, "opened here"));
            }
            return Ok(node);
        }
        self.test()
    }

    fn test(&mut self) -> ParseResult<ConditionNode> {
        let token = self.peek().clone();
        let TokenKind::Word(word) = &token.kind else {
            let help = format!("the fields are {}", field_names().join(", "));
            return Err(self.unexpected("a field", &help));
        };
        self.at += 1;
        match word.as_str() {
            "true" | "all" => return Ok(ConditionNode::Const(true)),
            "false" => return Ok(ConditionNode::Const(false)),
            "violating" => return Ok(flag(Field::Violates, token.span)),
            "not-violating" => return Ok(ConditionNode::Not(Box::new(flag(Field::Violates, token.span)))),
            _ => {}
        }
        if let Some(node) = bare_verdict(word, token.span) {
            return Ok(node);
        }
        let Some(info) = Field::named(word) else {
            return Err(unknown_field(word, token.span));
        };
        let Some((relation, positive, span)) = self.relation(info.kind == Kind::Flag)? else {
            return Ok(flag(info.field, token.span));
        };
        let values = match relation {
            FieldRelation::In => self.list(true)?,
            FieldRelation::Has => self.list(false)?,
            _ => vec![self.value()?],
        };
        let test = typed(
            FieldTest {
                field: info.field,
                span: token.span,
                relation,
                values,
            },
            span,
            &self.operators,
            &mut self.errors,
        );
        let node = ConditionNode::Test(test);
        Ok(if positive {
            node
        } else {
            ConditionNode::Not(Box::new(node))
        })
    }

    /// The relation, whether it is positive (false: negated), and its place. `None` if a flag stands alone.
    fn relation(&mut self, is_flag: bool) -> ParseResult<Option<(FieldRelation, bool, Span)>> {
        let token = self.peek().clone();
        let name = match &token.kind {
            TokenKind::Sign(sign) => sign,
            TokenKind::Word(word) => word.as_str(),
            _ => "",
        };
        let found = match name {
            "==" | "is" => (FieldRelation::Is, true),
            "!=" => (FieldRelation::Is, false),
            "in" => (FieldRelation::In, true),
            "has" => (FieldRelation::Has, true),
            "<" => (FieldRelation::Less, true),
            "<=" => (FieldRelation::AtMost, true),
            ">=" => (FieldRelation::AtLeast, true),
            ">" => (FieldRelation::Greater, true),
            "~" => (FieldRelation::Like, true),
            "not" => {
                self.at += 1;
                return match (self.eat("in"), self.eat("has")) {
                    (true, _) => Ok(Some((FieldRelation::In, false, token.span))),
                    (_, true) => Ok(Some((FieldRelation::Has, false, token.span))),
                    _ => Err(self.unexpected("`in` or `has`", "write `not in (…)` or `not has …`")),
                };
            }
            _ if is_flag => return Ok(None),
            _ => {
                return Err(self.unexpected(
                    "a relation",
                    "compare it: `==`, `!=`, `in (…)`, `~ '…'`; sets also `has`, numbers also `<`",
                ));
            }
        };
        self.at += 1;
        Ok(Some((found.0, found.1, token.span)))
    }

    /// A list `(a, b)`, or a single value without brackets unless `needs_brackets`.
    fn list(&mut self, needs_brackets: bool) -> ParseResult<Vec<FilterValue>> {
        if !self.eat("(") {
            return match needs_brackets {
                true => Err(self.unexpected("`(`", "list the values: `in (a, b)`")),
                false => Ok(vec![self.value()?]),
            };
        }
        let mut values = vec![self.value()?];
        while self.eat(",") {
            values.push(self.value()?);
        }
        match self.eat(")") {
            true => Ok(values),
            false => Err(self.unexpected("`,` or `)`", "close the list")),
        }
    }

    fn value(&mut self) -> ParseResult<FilterValue> {
        let token = self.peek().clone();
        let (text, number) = match token.kind {
            TokenKind::Word(word) => (word, 0),
            TokenKind::Text(text) => (text, 0),
            TokenKind::Number(number) => (number.to_string(), number),
            TokenKind::Sign(_) | TokenKind::End => {
                return Err(self.unexpected("a value", "a value is a name, a number, or a text in quotes"));
            }
        };
        self.bump();
        Ok(FilterValue {
            text,
            number,
            span: token.span,
        })
    }
}

/// The condition `verdict == subsumed` for the word `subsumed`, and so on.
fn bare_verdict(word: &str, span: Span) -> Option<ConditionNode> {
    let verdict = Verdict::ALL.into_iter().find(|verdict| verdict.name() == word)?;
    Some(is(Field::Verdict, verdict.name(), span))
}

/// The condition that the flag `field` is true.
fn flag(field: Field, span: Span) -> ConditionNode {
    is(field, "true", span)
}

fn is(field: Field, text: &str, span: Span) -> ConditionNode {
    let value = FilterValue {
        text: text.to_owned(),
        number: 0,
        span,
    };
    ConditionNode::Test(FieldTest {
        field,
        span,
        relation: FieldRelation::Is,
        values: vec![value],
    })
}

fn field_names() -> Vec<&'static str> {
    FIELDS.iter().map(|info| info.name).collect()
}

fn unknown_field(word: &str, span: Span) -> Diagnostic {
    let error = Diagnostic::error(format!("there is no field `{word}`"), span);
    with_nearest(error, word, &field_names(), "the fields are")
}
