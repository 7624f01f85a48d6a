//! Parsers for declarations, parameters, selects and synchronisations.

use super::cursor::{Parsed, Parser, is_reserved, join};
use super::lexer::TokenKind;
use super::syntax::{Declaration, Initial, Parameter, Prefixes, SelectTree, SyncTree, TypeBase, TypeTree, Variable};
use crate::base::Diagnostic;

/// All declarations up to the end; after an error the parser goes on behind the next `;` or `}`.
pub(super) fn declarations(parser: &mut Parser, diagnostics: &mut Vec<Diagnostic>) -> Vec<Declaration> {
    let mut list = Vec::new();
    while !parser.at_end() {
        if let Err(error) = declaration(parser, &mut list, diagnostics) {
            diagnostics.push(error);
            parser.recover();
        }
    }
    list
}

/// One declaration; several names of one type are several declarations.
pub(super) fn declaration(parser: &mut Parser, list: &mut Vec<Declaration>, notes: &mut Vec<Diagnostic>) -> Parsed<()> {
    if parser.eat(";") {
        return Ok(());
    }
    if special(parser, notes)? {
        return Ok(());
    }
    if parser.eat_word("typedef") {
        let ty = type_tree(parser)?;
        loop {
            let name = parser.expect_name("a name for the type")?;
            let array = dimensions(parser)?;
            list.push(Declaration::Typedef {
                ty: ty.clone(),
                name,
                array,
            });
            if !parser.eat(",") {
                break;
            }
        }
        return parser.expect(";").map(|_| ());
    }
    let ty = type_tree(parser)?;
    loop {
        let name = parser.expect_name("a name")?;
        if parser.is_sign("(") {
            parser.skip_balanced()?;
            if !parser.is_sign("{") {
                return Err(parser.unexpected("the body of the function"));
            }
            parser.skip_balanced()?;
            list.push(Declaration::Function { name });
            return Ok(());
        }
        let array = dimensions(parser)?;
        let initial = initial(parser, ty.prefixes.constant)?;
        list.push(Declaration::Variable(Variable {
            ty: ty.clone(),
            name,
            array,
            initial,
        }));
        if !parser.eat(",") {
            break;
        }
    }
    parser.expect(";").map(|_| ())
}

/// Blocks that declare no name: display hints are noted and left alone, the rest is refused.
fn special(parser: &mut Parser, notes: &mut Vec<Diagnostic>) -> Parsed<bool> {
    let token = parser.peek().clone();
    let TokenKind::Word(word) = &token.kind else {
        return Ok(false);
    };
    let next = parser.peek_at(1).kind.clone();
    let refuse = |what: &str, help: &str| {
        Err(Diagnostic::error(format!("{what} not supported"), token.span).with_help(help.to_owned()))
    };
    match word.as_str() {
        "gantt" | "progress" if next == TokenKind::Sign("{") => {
            parser.bump();
            parser.skip_balanced()?;
            let message = format!("the `{word}` block has no meaning for a timed game and is not read");
            notes.push(Diagnostic::warning(message, token.span));
            Ok(true)
        }
        "before_update" | "after_update" => refuse(
            &format!("`{word}` blocks are"),
            "move its assignments to the edges that need them",
        ),
        "chan" if next == TokenKind::Word("priority".to_owned()) => refuse(
            "channel priorities are",
            "encode the priority in the guards of the edges",
        ),
        "import" => refuse(
            "external functions (`import`) are",
            "replace the calls by integer expressions",
        ),
        "dynamic" => refuse("dynamic templates are", "list the processes in the `system` line"),
        _ => Ok(false),
    }
}

/// A type with its prefixes.
pub(super) fn type_tree(parser: &mut Parser) -> Parsed<TypeTree> {
    let start = parser.peek().span;
    let mut prefixes = Prefixes::default();
    while let TokenKind::Word(word) = &parser.peek().kind {
        match word.as_str() {
            "const" => prefixes.constant = true,
            "urgent" => prefixes.urgent = true,
            "broadcast" => prefixes.broadcast = true,
            "hybrid" => prefixes.hybrid = true,
            "meta" => {
                return Err(
                    Diagnostic::error("meta variables are not supported", parser.peek().span).with_help(
                        "a meta variable is no part of the state: make it an ordinary variable, or remove it",
                    ),
                );
            }
            _ => break,
        }
        parser.bump();
    }
    let old_constant = prefixes.constant
        && matches!(&parser.peek().kind, TokenKind::Word(word) if !is_reserved(word))
        && !matches!(&parser.peek_at(1).kind, TokenKind::Word(_) | TokenKind::Sign("&"));
    let base = if old_constant {
        TypeBase::Int(None)
    } else {
        type_base(parser)?
    };
    let span = if old_constant {
        start
    } else {
        join(start, parser.last_span())
    };
    Ok(TypeTree { prefixes, base, span })
}

fn type_base(parser: &mut Parser) -> Parsed<TypeBase> {
    let TokenKind::Word(word) = parser.peek().kind.clone() else {
        return Err(parser.unexpected("a type"));
    };
    let base = match word.as_str() {
        "bool" => TypeBase::Bool,
        "clock" => TypeBase::Clock,
        "chan" => TypeBase::Chan,
        "double" => TypeBase::Foreign("floating-point variable"),
        "string" => TypeBase::Foreign("string"),
        "void" => TypeBase::Foreign("`void` variable"),
        "int" => {
            parser.bump();
            return int_type(parser);
        }
        "scalar" => {
            parser.bump();
            parser.skip_balanced()?;
            return Ok(TypeBase::Foreign("scalar"));
        }
        "struct" => {
            parser.bump();
            parser.skip_balanced()?;
            return Ok(TypeBase::Foreign("structure"));
        }
        _ if is_reserved(&word) => return Err(parser.unexpected("a type")),
        _ => TypeBase::Named(word),
    };
    parser.bump();
    Ok(base)
}

fn int_type(parser: &mut Parser) -> Parsed<TypeBase> {
    if !parser.eat("[") {
        return Ok(TypeBase::Int(None));
    }
    let low = parser.expression()?;
    parser.expect(",")?;
    let high = parser.expression()?;
    parser.expect("]")?;
    Ok(TypeBase::Int(Some((low, high))))
}

fn dimensions(parser: &mut Parser) -> Parsed<bool> {
    let array = parser.is_sign("[");
    while parser.is_sign("[") {
        parser.skip_balanced()?;
    }
    Ok(array)
}

fn initial(parser: &mut Parser, constant: bool) -> Parsed<Option<Initial>> {
    let old_style = constant && matches!(parser.peek().kind, TokenKind::Number(_) | TokenKind::Sign("-"));
    if !old_style && !parser.eat("=") && !parser.eat(":=") {
        return Ok(None);
    }
    if parser.is_sign("{") {
        parser.skip_balanced()?;
        return Ok(Some(Initial::Braces));
    }
    Ok(Some(Initial::Value(parser.expression()?)))
}

/// A template's parameters, in today's style (`const int n, chan &c`) or the old one (`clock x, y; const n`).
pub(super) fn parameters(parser: &mut Parser) -> Parsed<Vec<Parameter>> {
    let mut list: Vec<Parameter> = Vec::new();
    while !parser.at_end() {
        let lone = matches!(&parser.peek().kind, TokenKind::Word(word) if !is_reserved(word))
            && matches!(
                parser.peek_at(1).kind,
                TokenKind::Sign("," | ";" | "[") | TokenKind::End
            );
        let ty = match list.last() {
            Some(previous) if lone => previous.ty.clone(),
            _ => type_tree(parser)?,
        };
        let reference = parser.eat("&");
        let name = parser.expect_name("a name for the parameter")?;
        let array = dimensions(parser)?;
        list.push(Parameter {
            ty,
            name,
            array,
            reference,
        });
        if !parser.eat(",") && !parser.eat(";") {
            break;
        }
    }
    parser.expect_end()?;
    Ok(list)
}

/// A select label: `i : int[0,3], j : id_t`.
pub(super) fn selects(parser: &mut Parser) -> Parsed<Vec<SelectTree>> {
    let mut list = Vec::new();
    loop {
        let name = parser.expect_name("a name for the select variable")?;
        parser.expect(":")?;
        let ty = type_tree(parser)?;
        list.push(SelectTree { name, ty });
        if !parser.eat(",") {
            break;
        }
    }
    parser.expect_end()?;
    Ok(list)
}

/// A synchronisation label: `a!` or `a?`.
pub(super) fn synchronisation(parser: &mut Parser) -> Parsed<SyncTree> {
    let sync = channel_use(parser)?;
    parser.expect_end()?;
    Ok(sync)
}

pub(super) fn channel_use(parser: &mut Parser) -> Parsed<SyncTree> {
    let channel = parser.expect_name("a channel")?;
    let indexed = dimensions(parser)?;
    let sends = parser.is_sign("!");
    if !sends && !parser.is_sign("?") {
        let message = format!(
            "the channel `{}` is neither sent (`!`) nor received (`?`)",
            channel.text
        );
        return Err(Diagnostic::error(message, channel.span).with_help(format!(
            "write `{0}!` for an output or `{0}?` for an input",
            channel.text
        )));
    }
    parser.bump();
    Ok(SyncTree {
        channel,
        indexed,
        sends,
    })
}

/// The alphabet a directive lists: `a? b! tau`; `tau` needs no mark and is `None`.
pub(super) fn alphabet(parser: &mut Parser) -> Parsed<Vec<Option<SyncTree>>> {
    let mut list = Vec::new();
    while !parser.at_end() {
        let plain = !matches!(parser.peek_at(1).kind, TokenKind::Sign("?" | "!"));
        if plain && parser.eat_word("tau") {
            list.push(None);
        } else {
            list.push(Some(channel_use(parser)?));
        }
    }
    Ok(list)
}
