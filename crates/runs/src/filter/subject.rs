//! Evaluation of a condition for one mutant.

use std::collections::BTreeSet;

use super::ast::{ConditionNode, FieldRelation, FieldTest, Filter};
use super::{Field, Places};
use crate::{DecidedBy, Record};

/// The data of a mutant that conditions are evaluated on.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Number of the mutant.
    pub number: u64,
    /// Record of the mutant.
    pub record: &'a Record,
    /// Places of its mutations; may be empty if the condition does not need them.
    pub places: &'a Places,
}

impl Filter {
    /// Whether the mutant satisfies the condition.
    pub fn keeps(&self, subject: Subject<'_>) -> bool {
        holds(&self.node, subject)
    }
}

fn holds(node: &ConditionNode, subject: Subject<'_>) -> bool {
    match node {
        ConditionNode::Const(value) => *value,
        ConditionNode::Not(inner) => !holds(inner, subject),
        ConditionNode::And(parts) => parts.iter().all(|part| holds(part, subject)),
        ConditionNode::Or(parts) => parts.iter().any(|part| holds(part, subject)),
        ConditionNode::Test(test) => answer(test, subject),
    }
}

fn answer(test: &FieldTest, subject: Subject<'_>) -> bool {
    let Subject { number, record, places } = subject;
    let strings = |set: &BTreeSet<String>| set_test(test, set.iter().map(String::as_str));
    let texts = |list: &[std::borrow::Cow<'static, str>]| set_test(test, list.iter().map(|text| &**text));
    let optional = |text: Option<&str>| text_test(test, text.unwrap_or_default());
    match test.field {
        Field::Verdict => text_test(test, record.verdict.name()),
        Field::Operator => texts(&record.operators),
        Field::Sequence => text_test(test, &record.operators.join("-")),
        Field::Order => number_test(test, u64::from(record.order)),
        Field::Violates => flag_test(test, !record.violates.is_empty()),
        Field::Rule => texts(&record.violates),
        Field::Identified => flag_test(test, record.is_identified()),
        Field::Why => optional(record.why.as_deref()),
        Field::DecidedBy => text_test(test, record.decided_by.name()),
        Field::Lemma => optional(record.lemma()),
        Field::Duplicate => flag_test(test, record.decided_by == DecidedBy::Duplicate),
        Field::Masked => flag_test(test, record.is_masked()),
        Field::Edge => strings(&places.edges),
        Field::Location => strings(&places.locations),
        Field::Source => strings(&places.sources),
        Field::Target => strings(&places.targets),
        Field::Action => strings(&places.actions),
        Field::Clock => strings(&places.clocks),
        Field::Site => set_test(test, places.sites.iter().copied()),
        Field::Id => text_test(test, &record.id),
        Field::Number => number_test(test, number),
        Field::Reason => optional(record.reason.as_deref()),
        Field::Witness => text_test(test, &witness(record)),
        Field::Kill => texts(record.kill.as_ref().map_or(&[], |kill| &kill.by)),
    }
}

/// The counterexample that distinguishes the mutant from the original: a play, or the word that kills it.
fn witness(record: &Record) -> String {
    let word = || Some(record.kill.as_ref()?.word.as_ref()?.join(", "));
    record.witness.clone().or_else(word).unwrap_or_default()
}

fn flag_test(test: &FieldTest, flag: bool) -> bool {
    test.values.iter().all(|value| (value.text == "true") == flag)
}

fn number_test(test: &FieldTest, number: u64) -> bool {
    test.values.iter().any(|value| match test.relation {
        FieldRelation::Less => number < value.number,
        FieldRelation::AtMost => number <= value.number,
        FieldRelation::AtLeast => number >= value.number,
        FieldRelation::Greater => number > value.number,
        FieldRelation::Is | FieldRelation::In | FieldRelation::Has | FieldRelation::Like => number == value.number,
    })
}

fn text_test(test: &FieldTest, text: &str) -> bool {
    test.values.iter().any(|value| match test.relation {
        FieldRelation::Like => is_like(text, &value.text),
        _ => text == value.text,
    })
}

fn set_test<'a>(test: &FieldTest, mut elements: impl Iterator<Item = &'a str> + Clone) -> bool {
    let is_listed = |element: &str| test.values.iter().any(|value| value.text == element);
    match test.relation {
        FieldRelation::Like => elements.any(|element| text_test(test, element)),
        FieldRelation::Has => elements.any(is_listed),
        _ => elements.clone().next().is_some() && elements.all(is_listed),
    }
}

/// Whether `text` fits `pattern`, in which `*` is any text and `?` any character.
fn is_like(text: &str, pattern: &str) -> bool {
    let (text, pattern): (Vec<char>, Vec<char>) = (text.chars().collect(), pattern.chars().collect());
    let (mut t, mut p) = (0, 0);
    // Position of the last `*`, and the end of the text that it covers so far.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(c) if *c == '?' || *c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((at, covered)) => {
                    star = Some((at, covered + 1));
                    p = at + 1;
                    t = covered + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}
