//! Parsers of types, and of the parameters and select variables that have them.

use crate::grammar::cursor::{UppaalParser, is_reserved, join};
use crate::grammar::lexer::TokenKind;
use crate::grammar::syntax::{
    Dimension, Parameter, Prefixes, SelectTree, SyntaxResult, TypeBase, TypeTree, VariableTree,
};

/// A type with its prefixes.
pub(crate) fn type_tree(parser: &mut UppaalParser) -> SyntaxResult<TypeTree> {
    let start = parser.peek().span;
    let mut prefixes = Prefixes::default();
    while let TokenKind::Word(word) = &parser.peek().kind {
        match word.as_str() {
            "const" => prefixes.constant = true,
            "urgent" => prefixes.urgent = true,
            "broadcast" => prefixes.broadcast = true,
            "hybrid" => prefixes.hybrid = true,
            "meta" => prefixes.meta = true,
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

fn type_base(parser: &mut UppaalParser) -> SyntaxResult<TypeBase> {
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
            return Ok(TypeBase::Struct(Box::new(bracketed(parser, |parser| {
                parser.deeper(fields)
            })?)));
        }
        _ if is_reserved(&word) => return Err(parser.unexpected("a type")),
        _ => TypeBase::Named(word),
    };
    parser.bump();
    Ok(base)
}

fn int_type(parser: &mut UppaalParser) -> SyntaxResult<TypeBase> {
    if !parser.eat("[") {
        return Ok(TypeBase::Int(None));
    }
    let low = parser.expression()?;
    parser.expect(",")?;
    let high = parser.expression()?;
    parser.expect("]")?;
    Ok(TypeBase::Int(Some((low, high))))
}

/// The result of `parse` on the bracket at the cursor; if it fails, the whole bracket is skipped and the error is
/// returned inside.
///
/// # Errors
/// The bracket is never closed.
pub(crate) fn bracketed<T>(
    parser: &mut UppaalParser,
    parse: impl FnOnce(&mut UppaalParser) -> SyntaxResult<T>,
) -> SyntaxResult<SyntaxResult<T>> {
    let parsed = parser.attempt(parse);
    if parsed.is_err() {
        parser.skip_balanced()?;
    }
    Ok(parsed)
}

pub(crate) fn dimensions(parser: &mut UppaalParser) -> SyntaxResult<Vec<Dimension>> {
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

/// The fields of a structure, in braces.
fn fields(parser: &mut UppaalParser) -> SyntaxResult<Vec<VariableTree>> {
    parser.expect("{")?;
    let mut list = Vec::new();
    while !parser.eat("}") {
        let ty = type_tree(parser)?;
        loop {
            let name = parser.expect_name("a field")?;
            let dimensions = dimensions(parser)?;
            list.push(VariableTree {
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

/// A template's parameters, in today's style (`const int n, chan &c`) or the old one (`clock x, y; const n`).
pub(crate) fn parameters(parser: &mut UppaalParser) -> SyntaxResult<Vec<Parameter>> {
    let list = parameter_list(parser)?;
    parser.expect_end()?;
    Ok(list)
}

/// Parameters up to a closing bracket or the end.
pub(crate) fn parameter_list(parser: &mut UppaalParser) -> SyntaxResult<Vec<Parameter>> {
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
pub(crate) fn select(parser: &mut UppaalParser) -> SyntaxResult<SelectTree> {
    let name = parser.expect_name("a name for the select variable")?;
    parser.expect(":")?;
    let ty = type_tree(parser)?;
    Ok(SelectTree { name, ty })
}

/// A select label: `i : int[0,3], j : id_t`.
pub(crate) fn selects(parser: &mut UppaalParser) -> SyntaxResult<Vec<SelectTree>> {
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
