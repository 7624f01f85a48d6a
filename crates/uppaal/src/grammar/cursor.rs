//! The token cursor that all parsers of labels and declarations share.

use crate::grammar::depth::{MAX_NESTING, too_deep};
use crate::grammar::lexer::{Token, TokenKind};
use crate::grammar::syntax::{Name, SyntaxResult};
use tamper_text::{Diagnostic, Span};

/// A cursor over tokens that end in `End`.
#[derive(Clone)]
pub(crate) struct UppaalParser {
    tokens: Vec<Token>,
    at: usize,
    /// The current nesting depth of expressions.
    nesting: u32,
}

impl UppaalParser {
    /// A parser at the start of `tokens`.
    pub(crate) fn new(mut tokens: Vec<Token>) -> Self {
        if tokens.last().is_none_or(|last| last.kind != TokenKind::End) {
            let end = tokens.last().map_or(0, |last| last.span.end as usize);
            tokens.push(Token {
                kind: TokenKind::End,
                span: Span::new(end, end),
            });
        }
        Self {
            tokens,
            at: 0,
            nesting: 0,
        }
    }

    pub(crate) fn peek(&self) -> &Token {
        self.peek_at(0)
    }
    /// The token `ahead` positions further on (past the end, the last token).
    pub(crate) fn peek_at(&self, ahead: usize) -> &Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }
    pub(crate) fn bump(&mut self) -> Token {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }
    /// Runs `parse`; on an error, the cursor does not move.
    pub(crate) fn attempt<T>(&mut self, parse: impl FnOnce(&mut Self) -> SyntaxResult<T>) -> SyntaxResult<T> {
        let (at, nesting) = (self.at, self.nesting);
        let result = parse(self);
        if result.is_err() {
            (self.at, self.nesting) = (at, nesting);
        }
        result
    }
    /// Runs `parse` one level of nesting deeper.
    pub(crate) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> SyntaxResult<T>) -> SyntaxResult<T> {
        let around = self.nesting;
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(too_deep(self.peek().span));
        }
        let parsed = parse(self);
        self.nesting = around;
        parsed
    }
    pub(crate) fn at_end(&self) -> bool {
        self.peek().kind == TokenKind::End
    }
    pub(crate) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek().kind, TokenKind::Sign(found) if found == sign)
    }
    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(&self.peek().kind, TokenKind::Word(found) if found == word)
    }
    pub(crate) fn eat(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.bump();
        }
        found
    }
    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }
    pub(crate) fn expect(&mut self, sign: &str) -> SyntaxResult<Token> {
        if self.is_sign(sign) {
            Ok(self.bump())
        } else {
            Err(self.unexpected(&format!("`{sign}`")))
        }
    }
    pub(crate) fn expect_name(&mut self, what: &str) -> SyntaxResult<Name> {
        match &self.peek().kind {
            TokenKind::Word(word) if !is_reserved(word) => {
                let text = word.clone();
                let span = self.bump().span;
                Ok(Name { text, span })
            }
            _ => Err(self.unexpected(what)),
        }
    }
    pub(crate) fn expect_end(&mut self) -> SyntaxResult<()> {
        if self.at_end() {
            Ok(())
        } else {
            Err(self.unexpected("an operator or the end of the text"))
        }
    }
    /// The place of the token before the current one.
    pub(crate) fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }
    /// Skips the bracket at the cursor with everything up to its matching bracket.
    pub(crate) fn skip_balanced(&mut self) -> SyntaxResult<()> {
        let open = self.peek().span;
        let mut depth = 0usize;
        loop {
            match self.peek().kind {
                TokenKind::Sign("(" | "[" | "{") => depth += 1,
                TokenKind::Sign(")" | "]" | "}") => depth = depth.saturating_sub(1),
                TokenKind::End => {
                    let error = Diagnostic::error("this bracket is never closed", open);
                    return Err(error.with_help("close it"));
                }
                _ if depth == 0 => return Err(self.unexpected("a bracket")),
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return Ok(());
            }
        }
    }
    /// After an error: moves behind the next `;` or `}` outside brackets.
    pub(crate) fn recover(&mut self) {
        self.nesting = 0;
        loop {
            match self.bump().kind {
                TokenKind::Sign(";" | "}") | TokenKind::End => return,
                _ => {}
            }
            if self.is_sign("{") && self.skip_balanced().is_err() {
                return;
            }
        }
    }
    /// The syntax error at the current token.
    pub(crate) fn unexpected(&self, wanted: &str) -> Diagnostic {
        let found = self.peek();
        let help = match found.kind {
            TokenKind::Sign("=") => "compare with `==`; `=` assigns and belongs in an assignment label".to_owned(),
            TokenKind::Sign("[") => "arrays are not supported: use one variable or channel per element".to_owned(),
            _ => format!("{wanted} was expected at this place"),
        };
        Diagnostic::error(format!("expected {wanted}, found {}", found.kind.shown()), found.span).with_help(help)
    }
}

/// Reserved words, which cannot be declared.
pub fn is_reserved(word: &str) -> bool {
    const WORDS: &str = "and or not imply xor true false forall exists sum const int bool clock chan urgent broadcast typedef \
        struct void double string scalar meta hybrid system return while for if";
    WORDS.split(' ').any(|reserved| reserved == word)
}

/// The least span that covers both.
pub(crate) fn join(first: Span, second: Span) -> Span {
    Span {
        start: first.start.min(second.start),
        end: first.end.max(second.end),
    }
}
