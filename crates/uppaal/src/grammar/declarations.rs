//! Parsers of declarations, and of the bodies of functions, which hold declarations in turn.

use crate::grammar::channels::indices;
use crate::grammar::cursor::{UppaalParser, is_reserved};
use crate::grammar::lexer::TokenKind;
use crate::grammar::syntax::{
    ChannelTree, DeclarationTree, FunctionTree, Initial, Name, StatementTree, SyntaxResult, Tree, TypeTree,
    VariableTree,
};
use crate::grammar::types::{bracketed, dimensions, parameter_list, select, type_tree};
use tamper_text::Diagnostic;

/// All declarations up to the end; after an error the parser continues behind the next `;` or `}`.
pub(crate) fn declarations(parser: &mut UppaalParser, diagnostics: &mut Vec<Diagnostic>) -> Vec<DeclarationTree> {
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
pub(crate) fn declaration(
    parser: &mut UppaalParser,
    list: &mut Vec<DeclarationTree>,
    notes: &mut Vec<Diagnostic>,
) -> SyntaxResult<()> {
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
            list.push(DeclarationTree::Typedef {
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
        list.push(DeclarationTree::Variable(VariableTree {
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

/// Blocks that declare no name: display hints are noted and skipped, others are refused.
fn special(parser: &mut UppaalParser, notes: &mut Vec<Diagnostic>) -> SyntaxResult<bool> {
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

/// Parses a function, behind its result type and name.
fn function(parser: &mut UppaalParser, result: TypeTree, name: Name) -> SyntaxResult<DeclarationTree> {
    let content = parser.attempt(|parser| {
        parser.expect("(")?;
        let parameters = parameter_list(parser)?;
        parser.expect(")")?;
        Ok((parameters, block(parser)?))
    });
    if content.is_err() {
        parser.skip_balanced()?;
        if !parser.is_sign("{") {
            return Err(parser.unexpected("the body of the function"));
        }
        parser.skip_balanced()?;
    }
    Ok(DeclarationTree::Function(Box::new(FunctionTree {
        result,
        name,
        content,
    })))
}

fn channel_priority(parser: &mut UppaalParser) -> SyntaxResult<DeclarationTree> {
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
    Ok(DeclarationTree::ChannelPriority { span, levels })
}

fn initial(parser: &mut UppaalParser, constant: bool) -> SyntaxResult<Option<Initial>> {
    let old_style = constant && matches!(parser.peek().kind, TokenKind::Number(_) | TokenKind::Sign("-"));
    if !old_style && !parser.eat("=") && !parser.eat(":=") {
        return Ok(None);
    }
    if parser.is_sign("{") {
        return bracketed(parser, |parser| parser.deeper(braces)).map(|list| Some(Initial::Braces(list)));
    }
    Ok(Some(Initial::Value(parser.expression()?)))
}

/// The initial values of an array or structure, in braces.
fn braces(parser: &mut UppaalParser) -> SyntaxResult<Vec<(Option<Name>, Initial)>> {
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
            true => Initial::Braces(Ok(parser.deeper(braces)?)),
            false => Initial::Value(parser.expression()?),
        };
        list.push((field, value));
        if !parser.eat(",") {
            break;
        }
    }
    parser.expect("}").map(|_| list)
}

/// Statements in braces.
pub(crate) fn block(parser: &mut UppaalParser) -> SyntaxResult<Vec<StatementTree>> {
    parser.expect("{")?;
    let mut list = Vec::new();
    while !parser.eat("}") {
        list.push(statement(parser)?);
    }
    Ok(list)
}

fn statement(parser: &mut UppaalParser) -> SyntaxResult<StatementTree> {
    parser.deeper(one)
}

fn one(parser: &mut UppaalParser) -> SyntaxResult<StatementTree> {
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

/// Whether a declaration starts here: with a keyword of types, or with two names in sequence.
fn declares(parser: &UppaalParser, word: &str) -> bool {
    let types = [
        "const", "int", "bool", "clock", "chan", "typedef", "struct", "double", "string", "scalar", "meta", "hybrid",
    ];
    let two_names = || matches!(&parser.peek_at(1).kind, TokenKind::Word(next) if !is_reserved(next));
    types.contains(&word) || (!is_reserved(word) && two_names())
}

fn conditional(parser: &mut UppaalParser) -> SyntaxResult<StatementTree> {
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
fn repeated(parser: &mut UppaalParser) -> SyntaxResult<StatementTree> {
    parser.bump();
    parser.expect("(")?;
    if parser.peek_at(1).kind == TokenKind::Sign(":") {
        let variable = select(parser)?;
        parser.expect(")")?;
        return Ok(StatementTree::Each(variable, Box::new(statement(parser)?)));
    }
    let start = changes(parser, ";")?;
    let test = match parser.is_sign(";") {
        true => None,
        false => Some(parser.expression()?),
    };
    parser.expect(";")?;
    let step = changes(parser, ")")?;
    Ok(StatementTree::For(start, test, step, Box::new(statement(parser)?)))
}

/// Parses `i = 0, j = 0` or nothing, up to `end`.
fn changes(parser: &mut UppaalParser, end: &str) -> SyntaxResult<Vec<Tree>> {
    let mut list = Vec::new();
    while !parser.eat(end) {
        if !list.is_empty() {
            parser.expect(",")?;
        }
        list.push(parser.expression()?);
    }
    Ok(list)
}

fn condition(parser: &mut UppaalParser) -> SyntaxResult<Tree> {
    parser.expect("(")?;
    let test = parser.expression()?;
    parser.expect(")").map(|_| test)
}

fn expression(parser: &mut UppaalParser) -> SyntaxResult<StatementTree> {
    let tree = parser.expression()?;
    parser.expect(";").map(|_| StatementTree::Expr(tree))
}
