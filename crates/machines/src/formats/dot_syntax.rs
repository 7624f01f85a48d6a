//! The language of Graphviz, as far as directed graphs of nodes and edges with attributes need it.
//!
//! Every part knows its place. Nodes have the attributes that `node [ ]` gave to those that come after it. Of a label in HTML only
//! the text counts. Subgraphs, ports, undirected and strict graphs are refused by name.

use std::collections::BTreeSet;

use tamper_text::{Cursor, Diagnostic, Span};

/// A text of the file, without its quotes, and its place.
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

/// A statement of a graph.
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
/// The first syntax error, with the expected token.
pub(super) fn statements(text: &str) -> Result<Vec<Statement>, Diagnostic> {
    let mut parser = DotParser {
        tokens: tokens(text)?,
        node_defaults: Vec::new(),
        nodes: BTreeSet::new(),
        at: 0,
        end: Span::new(text.len().saturating_sub(1), text.len()),
    };
    parser.graph()
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum DotToken {
    /// An identifier or a number.
    Bare(String),
    Quoted(String),
    Sign(&'static str),
}

const SIGNS: [&str; 11] = ["->", "--", "{", "}", "[", "]", ";", ",", "=", ":", "+"];

fn tokens(text: &str) -> Result<Vec<(DotToken, Span)>, Diagnostic> {
    let mut found = Vec::new();
    let mut cursor = Cursor::new(text);
    let is_word = |other: char| other.is_alphanumeric() || other == '_' || other == '.' || !other.is_ascii();
    while let Some(first) = cursor.peek() {
        let start = cursor.position();
        let is_line_start = text[..start].ends_with('\n') || start == 0;
        if first.is_whitespace() || first == '\u{feff}' {
            cursor.bump();
        } else if cursor.is_at("//") || (first == '#' && is_line_start) {
            cursor.take_until("\n");
        } else if cursor.is_at("/*") {
            let error = Diagnostic::error("this comment has no end", cursor.span(2)).with_help("end it with `*/`");
            cursor.take_through("*/").ok_or(error)?;
        } else if first == '"' {
            let word = quoted(&mut cursor)?;
            found.push((DotToken::Quoted(word), cursor.since(start).span));
        } else if first == '<' {
            let word = html(&mut cursor)?;
            found.push((DotToken::Quoted(word), cursor.since(start).span));
        } else if let Some(sign) = cursor.sign(&SIGNS) {
            found.push((DotToken::Sign(sign), cursor.take(sign.len()).span));
        } else if is_word(first) || first == '-' {
            cursor.bump();
            cursor.take_while(is_word);
            let word = cursor.since(start);
            found.push((DotToken::Bare(word.text.to_owned()), word.span));
        } else {
            let place = cursor.span(first.len_utf8());
            return Err(Diagnostic::error(format!("`{first}` is not understood here"), place)
                .with_help("names with other signs than letters, digits and `_` are written in quotes"));
        }
    }
    Ok(found)
}

/// The text in quotes at the cursor.
fn quoted(cursor: &mut Cursor<'_>) -> Result<String, Diagnostic> {
    let opening = cursor.span(1);
    let mut word = String::new();
    cursor.bump();
    loop {
        let start = cursor.position();
        match cursor.bump() {
            Some('"') => return Ok(word),
            Some('\\') => match cursor.bump() {
                Some(escaped @ ('"' | '\\')) => word.push(escaped),
                Some('\n') => {}
                Some(other) => {
                    let message = format!("`\\{other}` has no meaning in a name");
                    return Err(Diagnostic::error(message, cursor.since(start).span).with_help(
                        "of a machine each transition has an edge and a line of its own; a backslash is `\\\\`",
                    ));
                }
                None => {}
            },
            Some(other) => word.push(other),
            None => {
                let error = Diagnostic::error("these quotes are not closed", opening);
                return Err(error.with_help("close them with `\"`"));
            }
        }
    }
}

/// The text of the HTML between angle brackets at the cursor. A tag separates words.
fn html(cursor: &mut Cursor<'_>) -> Result<String, Diagnostic> {
    let opening = cursor.span(1);
    let (mut text, mut depth) = (String::new(), 0_usize);
    loop {
        match cursor.bump() {
            Some('<') => depth += 1,
            Some('>') if depth == 1 => return Ok(text),
            Some('>') => {
                depth -= 1;
                text.push(' ');
            }
            Some('&') if depth == 1 => {
                let start = cursor.position() - 1;
                let name = cursor
                    .take_while(|sign| sign.is_ascii_alphanumeric() || sign == '#')
                    .text;
                let meant = entity(name).filter(|_| cursor.bump() == Some(';'));
                let error = || Diagnostic::error(format!("`&{name}` is not understood"), cursor.since(start).span);
                text.push(meant.ok_or_else(|| error().with_help("a `&` is written `&amp;`"))?);
            }
            Some(sign) if depth == 1 => text.push(sign),
            Some(_) => {}
            None => {
                let error = Diagnostic::error("this label in HTML is not closed", opening);
                return Err(error.with_help("each `<` has its `>`; the sign itself is written `&lt;`"));
            }
        }
    }
}

/// The character that `&name;` stands for.
fn entity(name: &str) -> Option<char> {
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)?
        }
    })
}

struct DotParser {
    tokens: Vec<(DotToken, Span)>,
    /// The attributes of nodes that are not mentioned yet.
    node_defaults: Vec<Attribute>,
    /// The nodes mentioned so far.
    nodes: BTreeSet<String>,
    at: usize,
    end: Span,
}

impl DotParser {
    fn sign(&mut self, sign: &str) -> bool {
        let is_it = matches!(self.tokens.get(self.at), Some((DotToken::Sign(found), _)) if *found == sign);
        self.at += usize::from(is_it);
        is_it
    }
    fn keyword(&mut self, keyword: &str) -> bool {
        let found = self.tokens.get(self.at);
        let is_it = matches!(found, Some((DotToken::Bare(word), _)) if word.eq_ignore_ascii_case(keyword));
        self.at += usize::from(is_it);
        is_it
    }
    fn word(&mut self) -> Option<Word> {
        let (token, span) = self.tokens.get(self.at)?;
        let (DotToken::Bare(text) | DotToken::Quoted(text)) = token else {
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
    /// The error that `what` was expected here; some signs have their own message.
    fn expected(&self, what: &str) -> Diagnostic {
        let message = match self.tokens.get(self.at) {
            Some((DotToken::Sign("--"), _)) => "`--` is an edge without direction".to_owned(),
            Some((DotToken::Sign(":"), _)) => "ports are not read".to_owned(),
            Some((DotToken::Sign("+"), _)) => "texts that are put together with `+` are not read".to_owned(),
            Some((DotToken::Sign(sign), _)) => format!("`{sign}` is not expected here"),
            Some((DotToken::Bare(word) | DotToken::Quoted(word), _)) => format!("`{word}` is not expected here"),
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
        let is_attributes = matches!(self.tokens.get(self.at + 1), Some((DotToken::Sign("["), _)));
        if self.keyword("subgraph") || self.sign("{") {
            self.at -= 1;
            return Err(Diagnostic::error("subgraphs are not read", self.here())
                .with_help("list the states and transitions of the machine directly in the graph"));
        }
        if is_attributes && self.keyword("graph") {
            return self.attributes().map(|_| ());
        }
        if is_attributes && self.keyword("node") {
            let later = self.attributes()?;
            self.node_defaults = with_defaults(later, &self.node_defaults);
            return Ok(());
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
            let mut attributes = attributes;
            if self.nodes.insert(node.text.clone()) {
                attributes = with_defaults(attributes, &self.node_defaults);
            }
            let node = node.clone();
            if !matches!(self.tokens.get(self.at), Some((DotToken::Sign("--" | ":"), _))) {
                statements.push(Statement::Node { node, attributes });
                return Ok(());
            }
            return Err(self.expected("`->`, attributes in brackets, or `;`"));
        }
        for node in &nodes {
            if self.nodes.insert(node.text.clone()) && !self.node_defaults.is_empty() {
                let (node, attributes) = (node.clone(), self.node_defaults.clone());
                statements.push(Statement::Node { node, attributes });
            }
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

    /// Reads any number of `[name = value, …]`.
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

/// `own` attributes, and those of `defaults` that are not among them.
fn with_defaults(mut own: Vec<Attribute>, defaults: &[Attribute]) -> Vec<Attribute> {
    for default in defaults {
        if own.iter().all(|one| one.name.text != default.name.text) {
            own.push(default.clone());
        }
    }
    own
}
