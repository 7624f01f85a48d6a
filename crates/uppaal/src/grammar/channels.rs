//! Parsers for channels: synchronisations, and alphabets as directives list them.

use crate::grammar::cursor::UppaalParser;
use crate::grammar::lexer::TokenKind;
use crate::grammar::syntax::{SyncTree, SyntaxResult, Tree};
use tamper_text::Diagnostic;

/// A synchronisation label: `a!` or `a?`.
pub(crate) fn synchronisation(parser: &mut UppaalParser) -> SyntaxResult<SyncTree> {
    let sync = channel_use(parser)?;
    parser.expect_end()?;
    Ok(sync)
}

pub(crate) fn channel_use(parser: &mut UppaalParser) -> SyntaxResult<SyncTree> {
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

/// The indices of `name[i][j]`.
pub(crate) fn indices(parser: &mut UppaalParser) -> SyntaxResult<Vec<Tree>> {
    let mut list = Vec::new();
    while parser.eat("[") {
        list.push(parser.expression()?);
        parser.expect("]")?;
    }
    Ok(list)
}

/// The alphabet a directive lists: `a? b! tau`; `tau` needs no mark and is `None`.
pub(crate) fn alphabet(parser: &mut UppaalParser) -> SyntaxResult<Vec<Option<SyncTree>>> {
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
