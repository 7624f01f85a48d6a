//! Parsers for declarations, parameters, selects and synchronisations.

use super::cursor::{Parsed, Parser, is_reserved, join};
use super::lexer::TokenKind;
use super::parser::{MAX_NESTING, too_deep};
use super::statements;
use super::syntax::{
    ChannelTree, Declaration, Dimension, FunctionTree, Initial, Name, Parameter, Prefixes, SelectTree, SyncTree, Tree,
    TypeBase, TypeTree, Variable,
};
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
    if parser.is_word("chan") && parser.peek_at(1).kind == TokenKind::Word("priority".to_owned()) {
        list.push(channel_priority(parser)?);
        return Ok(());
    }
    if parser.eat_word("typedef") {
        let ty = type_tree(parser)?;
        loop {
            let name = parser.expect_name("a name for the type")?;
            let dimensions = dimensions(parser)?;
            list.push(Declaration::Typedef {
                ty: ty.clone(),
                name,
                dimensions,
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
            list.push(function(parser, ty, name)?);
            return Ok(());
        }
        let dimensions = dimensions(parser)?;
        let initial = initial(parser, ty.prefixes.constant)?;
        list.push(Declaration::Variable(Variable {
            ty: ty.clone(),
            name,
            dimensions,
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
        "void" => TypeBase::Void,
        "int" => {
            parser.bump();
            return int_type(parser);
        }
        "scalar" => {
            parser.bump();
            let size = bracketed(parser, |parser| {
                parser.expect("[")?;
                let size = parser.expression()?;
                parser.expect("]").map(|_| size)
            })?;
            return Ok(TypeBase::Scalar(Box::new(size)));
        }
        "struct" => {
            parser.bump();
            return Ok(TypeBase::Struct(Box::new(bracketed(parser, fields)?)));
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

/// What `parse` makes of the bracket at the cursor and what is in it; where it fails, all of that is skipped and the
/// reason kept.
///
/// # Errors
/// The bracket is never closed.
fn bracketed<T>(parser: &mut Parser, parse: impl FnOnce(&mut Parser) -> Parsed<T>) -> Parsed<Parsed<T>> {
    let parsed = parser.attempt(parse);
    if parsed.is_err() {
        parser.skip_balanced()?;
    }
    Ok(parsed)
}

fn dimensions(parser: &mut Parser) -> Parsed<Vec<Dimension>> {
    let mut list = Vec::new();
    while parser.is_sign("[") {
        let dimension = bracketed(parser, |parser| {
            parser.expect("[")?;
            let is_type = ["int", "bool", "scalar"].iter().any(|word| parser.is_word(word));
            let dimension = match is_type {
                true => Dimension::Type(type_tree(parser)?),
                false => Dimension::Size(parser.expression()?),
            };
            parser.expect("]").map(|_| dimension)
        })?;
        list.push(dimension.unwrap_or_else(Dimension::Wrong));
    }
    Ok(list)
}

/// The indices of `name[i][j]`.
fn indices(parser: &mut Parser) -> Parsed<Vec<Tree>> {
    let mut list = Vec::new();
    while parser.eat("[") {
        list.push(parser.expression()?);
        parser.expect("]")?;
    }
    Ok(list)
}

/// The fields of a structure, in braces.
fn fields(parser: &mut Parser) -> Parsed<Vec<Variable>> {
    parser.expect("{")?;
    let mut list = Vec::new();
    while !parser.eat("}") {
        let ty = type_tree(parser)?;
        loop {
            let name = parser.expect_name("a field")?;
            let dimensions = dimensions(parser)?;
            list.push(Variable {
                ty: ty.clone(),
                name,
                dimensions,
                initial: None,
            });
            if !parser.eat(",") {
                break;
            }
        }
        parser.expect(";")?;
    }
    Ok(list)
}

/// A function behind its result and name.
fn function(parser: &mut Parser, result: TypeTree, name: Name) -> Parsed<Declaration> {
    let content = parser.attempt(|parser| {
        parser.expect("(")?;
        let parameters = parameter_list(parser)?;
        parser.expect(")")?;
        Ok((parameters, statements::block(parser)?))
    });
    if content.is_err() {
        parser.skip_balanced()?;
        if !parser.is_sign("{") {
            return Err(parser.unexpected("the body of the function"));
        }
        parser.skip_balanced()?;
    }
    Ok(Declaration::Function(Box::new(FunctionTree { result, name, content })))
}

fn channel_priority(parser: &mut Parser) -> Parsed<Declaration> {
    let span = parser.bump().span;
    parser.bump();
    let levels = parser.attempt(|parser| {
        let mut levels = vec![Vec::new()];
        loop {
            let channel = match parser.eat_word("default") {
                true => None,
                false => Some(ChannelTree {
                    channel: parser.expect_name("a channel")?,
                    indices: indices(parser)?,
                }),
            };
            levels.last_mut().expect("one level at least").push(channel);
            if parser.eat("<") {
                levels.push(Vec::new());
            } else if !parser.eat(",") {
                return parser.expect(";").map(|_| levels);
            }
        }
    });
    if levels.is_err() {
        parser.recover();
    }
    Ok(Declaration::ChannelPriority { span, levels })
}

fn initial(parser: &mut Parser, constant: bool) -> Parsed<Option<Initial>> {
    let old_style = constant && matches!(parser.peek().kind, TokenKind::Number(_) | TokenKind::Sign("-"));
    if !old_style && !parser.eat("=") && !parser.eat(":=") {
        return Ok(None);
    }
    if parser.is_sign("{") {
        return bracketed(parser, braces).map(|list| Some(Initial::Braces(list)));
    }
    Ok(Some(Initial::Value(parser.expression()?)))
}

/// The initial values of an array or structure, in braces.
fn braces(parser: &mut Parser) -> Parsed<Vec<(Option<Name>, Initial)>> {
    parser.nesting += 1;
    if parser.nesting > MAX_NESTING {
        return Err(too_deep(parser.peek().span));
    }
    parser.expect("{")?;
    let mut list = Vec::new();
    while !parser.is_sign("}") {
        let named = parser.peek_at(1).kind == TokenKind::Sign(":");
        let field = if named {
            let field = parser.expect_name("a field")?;
            parser.bump();
            Some(field)
        } else {
            None
        };
        let value = match parser.is_sign("{") {
            true => Initial::Braces(Ok(braces(parser)?)),
            false => Initial::Value(parser.expression()?),
        };
        list.push((field, value));
        if !parser.eat(",") {
            break;
        }
    }
    parser.nesting -= 1;
    parser.expect("}").map(|_| list)
}

/// A template's parameters, in today's style (`const int n, chan &c`) or the old one (`clock x, y; const n`).
pub(super) fn parameters(parser: &mut Parser) -> Parsed<Vec<Parameter>> {
    let list = parameter_list(parser)?;
    parser.expect_end()?;
    Ok(list)
}

/// Parameters up to a closing bracket or the end.
pub(super) fn parameter_list(parser: &mut Parser) -> Parsed<Vec<Parameter>> {
    let mut list: Vec<Parameter> = Vec::new();
    while !parser.at_end() && !parser.is_sign(")") {
        let lone = matches!(&parser.peek().kind, TokenKind::Word(word) if !is_reserved(word))
            && matches!(
                parser.peek_at(1).kind,
                TokenKind::Sign("," | ";" | "[" | ")") | TokenKind::End
            );
        let ty = match list.last() {
            Some(previous) if lone => previous.ty.clone(),
            _ => type_tree(parser)?,
        };
        let reference = parser.eat("&");
        let name = parser.expect_name("a name for the parameter")?;
        let dimensions = dimensions(parser)?;
        list.push(Parameter {
            ty,
            name,
            dimensions,
            reference,
        });
        if !parser.eat(",") && !parser.eat(";") {
            break;
        }
    }
    Ok(list)
}

/// `i : int[0,3]`
pub(super) fn select(parser: &mut Parser) -> Parsed<SelectTree> {
    let name = parser.expect_name("a name for the select variable")?;
    parser.expect(":")?;
    let ty = type_tree(parser)?;
    Ok(SelectTree { name, ty })
}

/// A select label: `i : int[0,3], j : id_t`.
pub(super) fn selects(parser: &mut Parser) -> Parsed<Vec<SelectTree>> {
    let mut list = Vec::new();
    loop {
        list.push(select(parser)?);
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
    let indices = indices(parser)?;
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
        indices,
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
