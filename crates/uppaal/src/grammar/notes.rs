//! Feature expressions beside the parts of a template, as they are written.
//!
//! UPPAAL keeps labels of kind `comments` and shows them, so a condition is a line of one of these:
//!
//! | line | beside | is the condition of |
//! |---|---|---|
//! | `feature: EXPR` | an edge, a location | the edge, the location |
//! | `feature invariant x <= 5: EXPR` | a location | this conjunct of its invariant |
//! | `feature initial: EXPR` | a location | an initial location, this one |
//! | `feature urgent: EXPR`, `committed`, `normal` | a location | this urgency |
//!
//! Beside a location, `propositions: p, q` names the atomic propositions that hold there (\[003\] Definition 2).
//! A label of kind `feature` holds an expression for the whole part. Other lines are comments.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::grammar::cursor::UppaalParser;
use crate::grammar::lexer::{TokenKind, lex, shorten};
use crate::grammar::syntax::Tree;
use crate::raw::RawNote;
use crate::text::Text;
use tamper_text::{Diagnostic, Span};
use tamper_timed::model::Urgency;

/// A feature expression and its subject.
#[derive(Clone, Debug)]
pub(crate) struct FeatureNote {
    pub target: NoteTarget,
    /// The place of the text before the expression.
    pub span: Span,
    pub expr: Text,
}

/// The subject of a feature expression beside a part.
#[derive(Clone, Debug)]
pub(crate) enum NoteTarget {
    /// The edge or the location.
    Whole,
    /// The initial location.
    Initial,
    /// The urgency of the location.
    Urgency(Urgency),
    /// Conjuncts of the invariant.
    Conjuncts(Tree),
}

/// The part that labels belong to.
#[derive(Clone, Copy)]
pub(crate) enum Owner<'a> {
    Edge,
    Location { invariant: Option<&'a Text> },
}

/// The feature expressions in the labels of one part.
pub(crate) fn notes(labels: &[RawNote], owner: Owner<'_>, errors: &mut Vec<Diagnostic>) -> Vec<FeatureNote> {
    let mut found = Vec::new();
    for label in labels {
        let text = &label.text;
        if label.is_label {
            found.push(FeatureNote {
                target: NoteTarget::Whole,
                span: label.element,
                expr: text.clone(),
            });
            continue;
        }
        for line in lines(text).filter(|line| is_note(&line.decoded)) {
            match note(&line, owner) {
                Ok(note) => found.push(note),
                Err(error) => errors.push(error),
            }
        }
    }
    found
}

/// The lines of a label, without the blanks around them.
fn lines(text: &Text) -> impl Iterator<Item = Text> {
    let mut start = 0;
    text.decoded.split('\n').map(move |line| {
        let from = start + line.len() - line.trim_start().len();
        start += line.len() + 1;
        text.slice(from..from + line.trim().len())
    })
}

/// The atomic propositions that the comments of a location declare.
pub(crate) fn propositions(labels: &[RawNote], errors: &mut Vec<Diagnostic>) -> BTreeSet<Arc<str>> {
    let mut held = BTreeSet::new();
    for line in labels
        .iter()
        .filter(|label| !label.is_label)
        .flat_map(|label| lines(&label.text))
    {
        let Some(list) = line.decoded.strip_prefix("propositions:") else {
            continue;
        };
        for name in list.split(',').map(str::trim) {
            let is_in_name = |c: char| c.is_alphanumeric() || c == '_';
            if name.is_empty() || !name.chars().all(is_in_name) {
                let message = format!("`{}` is no atomic proposition", shorten(name));
                let error = Diagnostic::error(message, line.span(0, line.decoded.len()));
                errors
                    .push(error.with_help("write `propositions: armed, loud`, or begin the comment with another word"));
            }
            held.insert(name.into());
        }
    }
    held
}

const KEYWORD: &str = "feature";

/// Whether a line begins with the word `feature`.
fn is_note(line: &str) -> bool {
    let word = line.get(..KEYWORD.len());
    let next = || line[KEYWORD.len()..].chars().next();
    word.is_some_and(|word| word.eq_ignore_ascii_case(KEYWORD))
        && !next().is_some_and(|c| c.is_alphanumeric() || c == '_')
}

fn note(line: &Text, owner: Owner<'_>) -> Result<FeatureNote, Diagnostic> {
    let text = line.decoded.as_str();
    let whole = || line.span(0, text.len());
    if !text.starts_with(KEYWORD) {
        let error = Diagnostic::error("a feature expression begins with `feature` in small letters", whole());
        return Err(error.with_help("write `feature: EXPRESSION`, or begin the comment with another word"));
    }
    let colons = text.match_indices(':').map(|(at, _)| at);
    let make = |target, colon: usize| FeatureNote {
        target,
        span: line.span(0, colon),
        expr: line.slice(colon + 1..text.len()),
    };
    let Some(first) = colons.clone().next() else {
        let error = Diagnostic::error("this line has no `:` before its feature expression", whole());
        return Err(error.with_help("write `feature: EXPRESSION`, or begin the comment with another word"));
    };
    let about = text[KEYWORD.len()..first].trim();
    let location = match owner {
        Owner::Edge => None,
        Owner::Location { invariant } => Some(invariant),
    };
    let target = match (about, location) {
        ("", _) => NoteTarget::Whole,
        ("initial", Some(_)) => NoteTarget::Initial,
        ("normal", Some(_)) => NoteTarget::Urgency(Urgency::Normal),
        ("urgent", Some(_)) => NoteTarget::Urgency(Urgency::Urgent),
        ("committed", Some(_)) => NoteTarget::Urgency(Urgency::Committed),
        (about, Some(invariant)) if about.split_whitespace().next() == Some("invariant") => {
            let start = text.find("invariant").map_or(0, |at| at + "invariant".len());
            return conjuncts(line, start, colons, invariant)
                .map(|(tree, colon)| make(NoteTarget::Conjuncts(tree), colon));
        }
        (about, location) => {
            let message = format!("`feature {}` is not known here", shorten(about));
            let help = match location {
                None => "beside an edge write `feature: EXPRESSION`",
                Some(_) => {
                    "beside a location write `feature:`, `feature invariant x <= 5:`, `feature initial:` or \
                     `feature urgent:`, then the expression"
                }
            };
            return Err(Diagnostic::error(message, whole()).with_help(help));
        }
    };
    Ok(make(target, first))
}

/// The conjuncts between `start` and the first colon that ends an expression (`c ? a : b` has one inside).
fn conjuncts(
    line: &Text,
    start: usize,
    mut colons: impl Iterator<Item = usize>,
    invariant: Option<&Text>,
) -> Result<(Tree, usize), Diagnostic> {
    let mut first = None;
    let mut parse = |colon: usize| {
        let lexed = lex(&line.slice(start..colon));
        let failed = lexed.errors.into_iter().next();
        let mut parser = UppaalParser::new(lexed.tokens);
        let tree = parser.expression().and_then(|tree| parser.expect_end().map(|()| tree));
        match (tree, failed) {
            (Ok(tree), None) => Some((tree, colon)),
            (Ok(_), Some(error)) | (Err(error), _) => {
                first.get_or_insert(error);
                None
            }
        }
    };
    let Some((tree, colon)) = colons.find_map(&mut parse) else {
        let missing = || Diagnostic::error("a conjunct of the invariant is expected", line.span(start, start));
        return Err(first.unwrap_or_else(missing));
    };
    // This keeps names of other variables out of the automaton.
    let known: Vec<_> = invariant.map_or_else(Vec::new, |text| lex(text).tokens);
    let unknown = lex(&line.slice(start..colon))
        .tokens
        .into_iter()
        .find(|token| matches!(token.kind, TokenKind::Word(_)) && !known.iter().any(|known| known.kind == token.kind));
    match unknown {
        None => Ok((tree, colon)),
        Some(_) => Err(no_such_conjunct(tree.span)),
    }
}

/// The error for a condition on something that is not in the invariant.
pub(crate) fn no_such_conjunct(span: Span) -> Diagnostic {
    Diagnostic::error("the invariant of this location has no such conjunct", span)
        .with_help("repeat a conjunct of the invariant label as it stands there, and add it there if it is missing")
}
