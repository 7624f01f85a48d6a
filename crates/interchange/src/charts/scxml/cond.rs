//! Conditions: what they ask about states and data that is followed is exact, the rest is inputs.

use super::data::{HELP, mentions};
use super::read::Reader;
use super::term::Typed;
use crate::charts::chart::GuardTerm;
use crate::charts::data::DataTerm;
use tamper_text::scxml::Value;
use tamper_text::{Diagnostic, Span};

impl Reader<'_> {
    pub fn cond(&mut self, value: &Value<'_>) -> GuardTerm {
        self.term(value.text, value.span)
    }

    fn term(&mut self, text: &str, place: Span) -> GuardTerm {
        let text = text.trim();
        // These bind less than `||`.
        let is_other = ["?", "=>", ";"].iter().any(|sign| !split(text, sign)[1..].is_empty());
        for (sign, make) in [("||", GuardTerm::Any as fn(_) -> _), ("&&", GuardTerm::All)] {
            let parts = split(text, sign);
            if !is_other && parts.len() > 1 {
                return make(parts.into_iter().map(|part| self.term(part, place)).collect());
            }
        }
        match text {
            "true" => return GuardTerm::All(Vec::new()),
            "false" => return GuardTerm::Any(Vec::new()),
            _ => {}
        }
        if let Some(inner) = text.strip_prefix('!').filter(|inner| is_unary(inner)) {
            return GuardTerm::Not(Box::new(self.term(inner, place)));
        }
        if let Some(inner) = in_brackets(text) {
            return self.term(inner, place);
        }
        let quoted = text.strip_prefix("In").and_then(|rest| in_brackets(rest.trim()));
        if let Some(id) = quoted.and_then(literal) {
            return match self.by_id(id, place) {
                Some(state) => GuardTerm::In(state),
                None => GuardTerm::Any(Vec::new()),
            };
        }
        // Without variables the language may be another, in which numbers are something else.
        let is_known = |read: &Typed| !matches!(read.term, DataTerm::Number(_)) || !self.chart.data.is_empty();
        match self.scope().read(text).filter(is_known) {
            Some(read) => GuardTerm::Data(read.term, words(text)),
            None => self.input(text, place),
        }
    }

    /// A condition that the environment decides.
    fn input(&mut self, text: &str, place: Span) -> GuardTerm {
        let name = words(text);
        let known = self.chart.guards.iter().position(|(known, _)| *known == name);
        GuardTerm::Named(known.unwrap_or_else(|| {
            let warning = Diagnostic::warning(format!("`{name}` is an input: the test sets what it says"), place);
            let warning = match self.inexact.iter().find(|(variable, _)| mentions(text, variable)) {
                Some((variable, (place, why))) => warning.with_secondary(*place, format!("`{variable}` is {why}")),
                None => warning,
            };
            self.found.push(warning.with_help(HELP));
            self.chart.guards.push((name, place));
            self.chart.guards.len() - 1
        }))
    }
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text in quotes.
pub(super) fn literal(text: &str) -> Option<&str> {
    let text = text.trim();
    let quote = text.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let inner = text[1..].strip_suffix(quote)?;
    (!inner.contains([quote, '\\'])).then_some(inner)
}

/// The parts between signs that are in no brackets and quotes.
fn split<'t>(text: &'t str, sign: &str) -> Vec<&'t str> {
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0_i32, None);
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(character),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, _) if depth == 0 && at >= start && text[at..].starts_with(sign) => {
                parts.push(&text[start..at]);
                start = at + sign.len();
            }
            (None, _) => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// What is in the brackets that the text begins and ends with, if these belong together.
fn in_brackets(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let depths = inner.chars().scan(0_i32, |depth, character| {
        *depth += i32::from(character == '(') - i32::from(character == ')');
        Some(*depth)
    });
    depths.into_iter().all(|depth| depth >= 0).then_some(inner)
}

/// Whether a `!` before the text is about all of it: it is a name or a call, or in brackets.
fn is_unary(text: &str) -> bool {
    let text = text.trim();
    let rest = text.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '!'));
    !text.is_empty() && (rest.is_empty() || in_brackets(rest).is_some())
}
