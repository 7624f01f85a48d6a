//! The language of Graphviz, as far as directed graphs of nodes and edges with attributes need it.
//!
//! Every part knows its place. Subgraphs, ports, labels in HTML, undirected and strict graphs are refused by name.

use std::iter::Peekable;
use std::str::CharIndices;

use crate::text::{Diagnostic, Span};

/// A text of the file, without its quotes, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub text: String,
    pub span: Span,
}

/// `name = value`.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub name: Word,
    pub value: Word,
}

/// What a graph consists of.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    /// A node is mentioned.
    Node { node: Word, attributes: Vec<Attribute> },
    /// An arrow.
    Edge {
        from: Word,
        to: Word,
        attributes: Vec<Attribute>,
    },
    /// Attributes of all edges to come.
    EdgeDefaults(Vec<Attribute>),
}

/// The statements of the one directed graph in `text`, in order; attributes of the graph and of all nodes are left out.
///
/// # Errors
/// The first place that is no such graph, with what was expected there.
pub(super) fn statements(text: &str) -> Result<Vec<Statement>, Diagnostic> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
        end: Span::new(text.len().saturating_sub(1), text.len()),
    };
    parser.graph()
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    /// An identifier or a number.
    Bare(String),
    Quoted(String),
    Sign(&'static str),
}

const SIGNS: [&str; 11] = ["->", "--", "{", "}", "[", "]", ";", ",", "=", ":", "+"];

fn tokens(text: &str) -> Result<Vec<(Token, Span)>, Diagnostic> {
    let mut found = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, first)) = chars.next() {
        let rest = &text[start..];
        let is_line_start = text[..start].ends_with('\n') || start == 0;
        if first.is_whitespace() || first == '\u{feff}' {
        } else if rest.starts_with("//") || (first == '#' && is_line_start) {
            let length = rest.find('\n').unwrap_or(rest.len());
            skip_to(&mut chars, start + length);
        } else if rest.starts_with("/*") {
            let Some(length) = rest.find("*/") else {
                return Err(
                    Diagnostic::error("this comment has no end", Span::new(start, start + 2))
                        .with_help("end it with `*/`"),
                );
            };
            skip_to(&mut chars, start + length + 2);
        } else if first == '"' {
            let (word, end) = quoted(text, start)?;
            skip_to(&mut chars, end);
            found.push((Token::Quoted(word), Span::new(start, end)));
        } else if first == '<' {
            return Err(
                Diagnostic::error("labels in HTML are not read", Span::new(start, start + 1))
                    .with_help("write the label in quotes"),
            );
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            skip_to(&mut chars, start + sign.len());
            found.push((Token::Sign(sign), Span::new(start, start + sign.len())));
        } else {
            let is_word = |other: char| other.is_alphanumeric() || other == '_' || other == '.' || !other.is_ascii();
            if !is_word(first) && first != '-' {
                let span = Span::new(start, start + first.len_utf8());
                return Err(Diagnostic::error(format!("`{first}` is not understood here"), span)
                    .with_help("names with other signs than letters, digits and `_` are written in quotes"));
            }
            let tail = &rest[first.len_utf8()..];
            let length = first.len_utf8() + tail.find(|other| !is_word(other)).unwrap_or(tail.len());
            skip_to(&mut chars, start + length);
            found.push((Token::Bare(rest[..length].to_owned()), Span::new(start, start + length)));
        }
    }
    Ok(found)
}

fn skip_to(chars: &mut Peekable<CharIndices<'_>>, end: usize) {
    while chars.next_if(|(at, _)| *at < end).is_some() {}
}

/// The text in quotes that start at byte `start`, and where it ends.
fn quoted(text: &str, start: usize) -> Result<(String, usize), Diagnostic> {
    let mut word = String::new();
    let mut chars = text[start + 1..].char_indices();
    while let Some((offset, next)) = chars.next() {
        let at = start + 1 + offset;
        match next {
            '"' => return Ok((word, at + 1)),
            '\\' => match chars.next() {
                Some((_, escaped @ ('"' | '\\'))) => word.push(escaped),
                Some((_, '\n')) => {}
                Some((_, other)) => {
                    let span = Span::new(at, at + 1 + other.len_utf8());
                    let message = format!("`\\{other}` has no meaning in a name");
                    return Err(Diagnostic::error(message, span).with_help(
                        "of a machine each transition has an edge and a line of its own; a backslash is `\\\\`",
                    ));
                }
                None => break,
            },
            other => word.push(other),
        }
    }
    Err(Diagnostic::error("these quotes are not closed", Span::new(start, start + 1)).with_help("close them with `\"`"))
}

struct Parser {
    tokens: Vec<(Token, Span)>,
    at: usize,
    end: Span,
}

impl Parser {
    fn sign(&mut self, sign: &str) -> bool {
        let is_it = matches!(self.tokens.get(self.at), Some((Token::Sign(found), _)) if *found == sign);
        self.at += usize::from(is_it);
        is_it
    }
    fn keyword(&mut self, keyword: &str) -> bool {
        let found = self.tokens.get(self.at);
        let is_it = matches!(found, Some((Token::Bare(word), _)) if word.eq_ignore_ascii_case(keyword));
        self.at += usize::from(is_it);
        is_it
    }
    fn word(&mut self) -> Option<Word> {
        let (token, span) = self.tokens.get(self.at)?;
        let (Token::Bare(text) | Token::Quoted(text)) = token else {
            return None;
        };
        self.at += 1;
        Some(Word {
            text: text.clone(),
            span: *span,
        })
    }
    fn here(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |(_, span)| *span)
    }
    /// That something else was expected here; some signs say more.
    fn expected(&self, what: &str) -> Diagnostic {
        let message = match self.tokens.get(self.at) {
            Some((Token::Sign("--"), _)) => "`--` is an edge without direction".to_owned(),
            Some((Token::Sign(":"), _)) => "ports are not read".to_owned(),
            Some((Token::Sign("+"), _)) => "texts that are put together with `+` are not read".to_owned(),
            Some((Token::Sign(sign), _)) => format!("`{sign}` is not expected here"),
            Some((Token::Bare(word) | Token::Quoted(word), _)) => format!("`{word}` is not expected here"),
            None => "the file ends here".to_owned(),
        };
        Diagnostic::error(message, self.here()).with_help(format!("{what} was expected"))
    }
    fn demand(&mut self, sign: &str) -> Result<(), Diagnostic> {
        match self.sign(sign) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{sign}`"))),
        }
    }

    fn graph(&mut self) -> Result<Vec<Statement>, Diagnostic> {
        if self.keyword("strict") {
            self.at -= 1;
            let error = Diagnostic::error("in a strict graph edges between the same nodes are one", self.here());
            return Err(error.with_help("a machine is a `digraph` that is not strict"));
        }
        if !self.keyword("digraph") {
            return Err(self.expected("`digraph`"));
        }
        let _name = self.word();
        self.demand("{")?;
        let mut statements = Vec::new();
        while !self.sign("}") {
            if !self.sign(";") {
                self.statement(&mut statements)?;
            }
        }
        match self.tokens.get(self.at) {
            Some(_) => Err(self.expected("the end of the file")),
            None => Ok(statements),
        }
    }

    fn statement(&mut self, statements: &mut Vec<Statement>) -> Result<(), Diagnostic> {
        let is_attributes = matches!(self.tokens.get(self.at + 1), Some((Token::Sign("["), _)));
        if self.keyword("subgraph") || self.sign("{") {
            self.at -= 1;
            return Err(Diagnostic::error("subgraphs are not read", self.here())
                .with_help("list the states and transitions of the machine directly in the graph"));
        }
        if is_attributes && (self.keyword("graph") || self.keyword("node")) {
            return self.attributes().map(|_| ());
        }
        if is_attributes && self.keyword("edge") {
            statements.push(Statement::EdgeDefaults(self.attributes()?));
            return Ok(());
        }
        let Some(first) = self.word() else {
            return Err(self.expected("a node, an edge or `}`"));
        };
        if self.sign("=") {
            return match self.word() {
                Some(_) => Ok(()),
                None => Err(self.expected("a value")),
            };
        }
        let mut nodes = vec![first];
        while self.sign("->") {
            let Some(next) = self.word() else {
                return Err(self.expected("the node that the edge leads to"));
            };
            nodes.push(next);
        }
        let attributes = self.attributes()?;
        if let [node] = nodes.as_slice() {
            let node = node.clone();
            if !matches!(self.tokens.get(self.at), Some((Token::Sign("--" | ":"), _))) {
                statements.push(Statement::Node { node, attributes });
                return Ok(());
            }
            return Err(self.expected("`->`, attributes in brackets, or `;`"));
        }
        for pair in nodes.windows(2) {
            statements.push(Statement::Edge {
                from: pair[0].clone(),
                to: pair[1].clone(),
                attributes: attributes.clone(),
            });
        }
        Ok(())
    }

    /// `[name = value, …]`, any number of times.
    fn attributes(&mut self) -> Result<Vec<Attribute>, Diagnostic> {
        let mut attributes: Vec<Attribute> = Vec::new();
        while self.sign("[") {
            while !self.sign("]") {
                if self.sign(",") || self.sign(";") {
                    continue;
                }
                let Some(name) = self.word() else {
                    return Err(self.expected("the name of an attribute, or `]`"));
                };
                self.demand("=")?;
                let Some(value) = self.word() else {
                    return Err(self.expected("a value"));
                };
                if let Some(first) = attributes.iter().find(|other| other.name.text == name.text) {
                    return Err(Diagnostic::error(format!("`{}` is given twice", name.text), name.span)
                        .with_secondary(first.name.span, "the first one")
                        .with_help("keep one of the two"));
                }
                attributes.push(Attribute { name, value });
            }
        }
        Ok(attributes)
    }
}
