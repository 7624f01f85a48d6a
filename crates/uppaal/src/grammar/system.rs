//! Parser of the system section: instantiations, the `system` line, IO lines.

use crate::grammar::channels::channel_use;
use crate::grammar::cursor::{UppaalParser, is_reserved, join};
use crate::grammar::declarations::declaration;
use crate::grammar::lexer::TokenKind;
use crate::grammar::syntax::{InstanceTree, IoTree, Name, SyntaxResult, SystemTree, Tree};
use crate::grammar::types::parameter_list;
use tamper_text::Diagnostic;

/// The system section (and, in the oldest files, the instantiation section before it).
pub(crate) fn system(parser: &mut UppaalParser, diagnostics: &mut Vec<Diagnostic>) -> SystemTree {
    let mut tree = SystemTree::default();
    while !parser.at_end() {
        if let Err(error) = system_item(parser, &mut tree, diagnostics) {
            diagnostics.push(error);
            parser.recover();
        }
    }
    tree
}

fn system_item(parser: &mut UppaalParser, tree: &mut SystemTree, notes: &mut Vec<Diagnostic>) -> SyntaxResult<()> {
    let next = &parser.peek_at(1).kind;
    let start = parser.peek().span;
    if parser.is_word("system") {
        parser.bump();
        process_list(parser, tree)?;
        tree.statements.push(join(start, parser.last_span()));
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
        tree.instances.push(instance(parser)?);
        tree.statements.push(join(start, parser.last_span()));
        return Ok(());
    }
    declaration(parser, &mut tree.declarations, notes)
}

/// Adds the processes of a `system` line to `tree`.
fn process_list(parser: &mut UppaalParser, tree: &mut SystemTree) -> SyntaxResult<()> {
    let mut processes = Vec::new();
    let mut priority = 0;
    loop {
        let name = parser.expect_name("a process or template")?;
        processes.push(match parser.is_sign("(") {
            true => instance_in_line(parser, name, tree)?,
            false => name,
        });
        tree.priorities.push(priority);
        if parser.is_sign("<") {
            let error = Diagnostic::error("process priorities are not supported", parser.peek().span);
            tree.beyond.push(error.with_help("separate the processes by `,`"));
            parser.bump();
            priority += 1;
            continue;
        }
        if !parser.eat(",") {
            break;
        }
    }
    if !parser.at_end() {
        parser.expect(";")?;
    }
    tree.processes.get_or_insert_default().extend(processes);
    Ok(())
}

/// The instance `template(arguments)` of a `system` line, named by its text, such as `T(1)`; `T` without arguments.
fn instance_in_line(parser: &mut UppaalParser, template: Name, tree: &mut SystemTree) -> SyntaxResult<Name> {
    let mut words = String::new();
    let mut shown = parser.clone();
    parser.expect("(")?;
    let arguments = arguments(parser)?;
    while shown.peek().span != parser.peek().span {
        words.push_str(&shown.bump().kind.written());
    }
    let name = Name {
        text: match arguments.is_empty() {
            true => template.text.clone(),
            false => format!("{}{words}", template.text),
        },
        span: join(template.span, parser.last_span()),
    };
    tree.instances.push(InstanceTree {
        name: name.clone(),
        parameters: Vec::new(),
        template,
        arguments,
        in_line: true,
    });
    Ok(name)
}

/// Arguments and the closing bracket.
fn arguments(parser: &mut UppaalParser) -> SyntaxResult<Vec<Tree>> {
    let mut list = Vec::new();
    while !parser.is_sign(")") {
        list.push(parser.expression()?);
        if !parser.eat(",") {
            break;
        }
    }
    parser.expect(")")?;
    Ok(list)
}

fn io_line(parser: &mut UppaalParser) -> SyntaxResult<IoTree> {
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

fn instance(parser: &mut UppaalParser) -> SyntaxResult<InstanceTree> {
    let name = parser.expect_name("a name for the instance")?;
    let mut parameters = Vec::new();
    if parser.eat("(") {
        parameters = parameter_list(parser)?;
        parser.expect(")")?;
    }
    if !parser.eat("=") && !parser.eat(":=") {
        return Err(parser.unexpected("`=`"));
    }
    let template = parser.expect_name("a template")?;
    let arguments = match parser.eat("(") {
        true => arguments(parser)?,
        false => Vec::new(),
    };
    parser.expect(";")?;
    Ok(InstanceTree {
        name,
        parameters,
        template,
        arguments,
        in_line: false,
    })
}
