//! Parser of the system section: instantiations, the `system` line, IO lines.

use super::cursor::{Parsed, Parser, is_reserved, join};
use super::declarations::{channel_use, declaration};
use super::lexer::TokenKind;
use super::syntax::{InstanceTree, IoTree, Name, SystemTree};
use crate::base::Diagnostic;

/// The system section (and, in the oldest files, the instantiation section before it).
pub(super) fn system(parser: &mut Parser, diagnostics: &mut Vec<Diagnostic>) -> SystemTree {
    let mut tree = SystemTree::default();
    while !parser.at_end() {
        if let Err(error) = system_item(parser, &mut tree, diagnostics) {
            diagnostics.push(error);
            parser.recover();
        }
    }
    tree
}

fn system_item(parser: &mut Parser, tree: &mut SystemTree, notes: &mut Vec<Diagnostic>) -> Parsed<()> {
    let next = &parser.peek_at(1).kind;
    let start = parser.peek().span;
    if parser.is_word("system") {
        parser.bump();
        let processes = process_list(parser)?;
        tree.statements.push(join(start, parser.last_span()));
        tree.processes.get_or_insert_default().extend(processes);
        return Ok(());
    }
    if parser.is_word("IO") && matches!(next, TokenKind::Word(_)) {
        parser.bump();
        tree.ios.push(io_line(parser)?);
        tree.statements.push(join(start, parser.last_span()));
        return Ok(());
    }
    let named = matches!(&parser.peek().kind, TokenKind::Word(word) if !is_reserved(word));
    if named && matches!(next, TokenKind::Sign("=" | ":=")) {
        tree.instances.push(instance(parser)?);
        tree.statements.push(join(start, parser.last_span()));
        return Ok(());
    }
    if named && *next == TokenKind::Sign("(") {
        let name = parser.bump();
        let message = format!("the instantiation {} has parameters of its own", name.kind.shown());
        return Err(Diagnostic::error(message, name.span)
            .with_help("write one instantiation per process, with all arguments given"));
    }
    declaration(parser, &mut tree.declarations, notes)
}

fn process_list(parser: &mut Parser) -> Parsed<Vec<Name>> {
    let mut processes = Vec::new();
    loop {
        processes.push(parser.expect_name("a process or template")?);
        if parser.is_sign("<") {
            return Err(
                Diagnostic::error("process priorities are not supported", parser.peek().span)
                    .with_help("separate the processes by `,`"),
            );
        }
        if parser.is_sign("(") {
            return Err(
                Diagnostic::error("a process with arguments in the `system` line", parser.peek().span)
                    .with_help("give the instance a name first: `P = T(1); system P;`"),
            );
        }
        if !parser.eat(",") {
            break;
        }
    }
    if !parser.at_end() {
        parser.expect(";")?;
    }
    Ok(processes)
}

fn io_line(parser: &mut Parser) -> Parsed<IoTree> {
    let name = parser.expect_name("a process or template")?;
    if parser.is_sign("(") {
        parser.skip_balanced()?;
    }
    parser.expect("{")?;
    let mut actions = Vec::new();
    while !parser.is_sign("}") {
        actions.push(channel_use(parser)?);
        if !parser.eat(",") {
            break;
        }
    }
    parser.expect("}")?;
    parser.eat(";");
    Ok(IoTree { name, actions })
}

fn instance(parser: &mut Parser) -> Parsed<InstanceTree> {
    let name = parser.expect_name("a name for the instance")?;
    parser.bump();
    let template = parser.expect_name("a template")?;
    let mut arguments = Vec::new();
    if parser.eat("(") {
        while !parser.is_sign(")") {
            arguments.push(parser.expression()?);
            if !parser.eat(",") {
                break;
            }
        }
        parser.expect(")")?;
    }
    parser.expect(";")?;
    Ok(InstanceTree {
        name,
        template,
        arguments,
    })
}
