//! Parser of the bodies of functions.

use super::cursor::{Parsed, Parser, is_reserved};
use super::declarations::{declaration, select};
use super::lexer::TokenKind;
use super::parser::{MAX_NESTING, too_deep};
use super::syntax::StatementTree;

/// Statements in braces.
pub(super) fn block(parser: &mut Parser) -> Parsed<Vec<StatementTree>> {
    parser.expect("{")?;
    let mut list = Vec::new();
    while !parser.eat("}") {
        list.push(statement(parser)?);
    }
    Ok(list)
}

fn statement(parser: &mut Parser) -> Parsed<StatementTree> {
    parser.nesting += 1;
    if parser.nesting > MAX_NESTING {
        return Err(too_deep(parser.peek().span));
    }
    let statement = one(parser)?;
    parser.nesting -= 1;
    Ok(statement)
}

fn one(parser: &mut Parser) -> Parsed<StatementTree> {
    if parser.is_sign("{") {
        return block(parser).map(StatementTree::Block);
    }
    if parser.eat(";") {
        return Ok(StatementTree::Block(Vec::new()));
    }
    let TokenKind::Word(word) = parser.peek().kind.clone() else {
        return expression(parser);
    };
    match word.as_str() {
        "if" => conditional(parser),
        "while" => {
            parser.bump();
            let test = condition(parser)?;
            Ok(StatementTree::While(test, Box::new(statement(parser)?)))
        }
        "do" => {
            parser.bump();
            let body = Box::new(statement(parser)?);
            if !parser.eat_word("while") {
                return Err(parser.unexpected("`while`"));
            }
            let test = condition(parser)?;
            parser.expect(";")?;
            Ok(StatementTree::DoWhile(body, test))
        }
        "for" => repeated(parser),
        "return" => {
            let span = parser.bump().span;
            let value = match parser.is_sign(";") {
                true => None,
                false => Some(parser.expression()?),
            };
            parser.expect(";")?;
            Ok(StatementTree::Return(value, span))
        }
        _ if declares(parser, &word) => {
            let mut list = Vec::new();
            declaration(parser, &mut list, &mut Vec::new())?;
            Ok(StatementTree::Declare(list))
        }
        _ => expression(parser),
    }
}

/// Whether a declaration starts here: with a keyword of types, or with two names in a row.
fn declares(parser: &Parser, word: &str) -> bool {
    let types = [
        "const", "int", "bool", "clock", "chan", "typedef", "struct", "double", "string", "scalar", "meta", "hybrid",
    ];
    let two_names = || matches!(&parser.peek_at(1).kind, TokenKind::Word(next) if !is_reserved(next));
    types.contains(&word) || (!is_reserved(word) && two_names())
}

fn conditional(parser: &mut Parser) -> Parsed<StatementTree> {
    parser.bump();
    let test = condition(parser)?;
    let then = Box::new(statement(parser)?);
    let other = match parser.eat_word("else") {
        true => Some(Box::new(statement(parser)?)),
        false => None,
    };
    Ok(StatementTree::If(test, then, other))
}

/// `for (a; b; c) s` or `for (i : type) s`.
fn repeated(parser: &mut Parser) -> Parsed<StatementTree> {
    parser.bump();
    parser.expect("(")?;
    if parser.peek_at(1).kind == TokenKind::Sign(":") {
        let variable = select(parser)?;
        parser.expect(")")?;
        return Ok(StatementTree::Each(variable, Box::new(statement(parser)?)));
    }
    let mut part = |end: &str| -> Parsed<_> {
        let found = match parser.is_sign(end) {
            true => None,
            false => Some(parser.expression()?),
        };
        parser.expect(end).map(|_| found)
    };
    let (start, test, step) = (part(";")?, part(";")?, part(")")?);
    Ok(StatementTree::For(start, test, step, Box::new(statement(parser)?)))
}

fn condition(parser: &mut Parser) -> Parsed<super::syntax::Tree> {
    parser.expect("(")?;
    let test = parser.expression()?;
    parser.expect(")").map(|_| test)
}

fn expression(parser: &mut Parser) -> Parsed<StatementTree> {
    let tree = parser.expression()?;
    parser.expect(";").map(|_| StatementTree::Expr(tree))
}
