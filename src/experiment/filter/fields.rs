//! The fields of a mutant: their names, their types, what must be known for them, and what they mean.

use super::super::{DecidedBy, Verdict};
use crate::guidelines::Rule;

/// A property of a mutant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "each is explained by its entry in FIELDS")]
pub enum Field {
    Verdict,
    Operator,
    Sequence,
    Order,
    Violates,
    Rule,
    Identified,
    Why,
    DecidedBy,
    Duplicate,
    Edge,
    Location,
    Source,
    Target,
    Action,
    Clock,
    Site,
    Id,
    Number,
    Reason,
    Witness,
    Kill,
}

/// The type of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// True or false.
    Flag,
    /// A natural number.
    Number,
    /// A text; empty where there is none.
    Text,
    /// One of some names.
    Choice,
    /// A set of texts or names.
    Set,
}

/// What a run must have done for a field to be known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// Games.
    Verdicts,
    /// The extended guidelines.
    Extended,
    /// Counterexamples.
    Witnesses,
}

/// All about one field.
#[derive(Clone, Copy, Debug)]
pub struct FieldInfo {
    /// Which.
    pub field: Field,
    /// Its name in the language.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// What must be known.
    pub needs: Needs,
    /// What it means, for the help.
    pub what: &'static str,
}

const fn info(field: Field, name: &'static str, kind: Kind, needs: Needs, what: &'static str) -> FieldInfo {
    FieldInfo {
        field,
        name,
        kind,
        needs,
        what,
    }
}

/// All fields, in the order of the help.
pub const FIELDS: [FieldInfo; 22] = [
    info(
        Field::Verdict,
        "verdict",
        Kind::Choice,
        Needs::Verdicts,
        "non-subsumed, subsumed, inconsistent, subsumed-or-inconsistent, unknown, error",
    ),
    info(
        Field::Operator,
        "operator",
        Kind::Set,
        Needs::Nothing,
        "its operators: TMI, TAD, SMI, CXL, CXS, CCN",
    ),
    info(
        Field::Sequence,
        "sequence",
        Kind::Text,
        Needs::Nothing,
        "its operators in order of application: 'CXL-TMI'",
    ),
    info(
        Field::Order,
        "order",
        Kind::Number,
        Needs::Nothing,
        "how many mutations it has",
    ),
    info(
        Field::Violates,
        "violates",
        Kind::Flag,
        Needs::Nothing,
        "a published guideline names each of its mutations",
    ),
    info(
        Field::Rule,
        "rule",
        Kind::Set,
        Needs::Nothing,
        "these guidelines: L1, L2, L3, L4.i, …, L7.ii",
    ),
    info(
        Field::Identified,
        "identified",
        Kind::Flag,
        Needs::Extended,
        "only the extended guidelines name it",
    ),
    info(
        Field::Why,
        "why",
        Kind::Text,
        Needs::Extended,
        "why it is useless, in words",
    ),
    info(
        Field::DecidedBy,
        "decided-by",
        Kind::Choice,
        Needs::Verdicts,
        "rule, identity, game, duplicate, nothing",
    ),
    info(
        Field::Duplicate,
        "duplicate",
        Kind::Flag,
        Needs::Verdicts,
        "it is the same automaton as an earlier mutant",
    ),
    info(
        Field::Edge,
        "edge",
        Kind::Set,
        Needs::Nothing,
        "the edges it removes, adds or changes: 'idle->busy#0'",
    ),
    info(
        Field::Location,
        "location",
        Kind::Set,
        Needs::Nothing,
        "the locations it removes, whose invariant it changes, or at the ends of its edges",
    ),
    info(
        Field::Source,
        "source",
        Kind::Set,
        Needs::Nothing,
        "where its edges start",
    ),
    info(
        Field::Target,
        "target",
        Kind::Set,
        Needs::Nothing,
        "where its edges lead",
    ),
    info(
        Field::Action,
        "action",
        Kind::Set,
        Needs::Nothing,
        "the actions of its edges: 'press?'",
    ),
    info(
        Field::Clock,
        "clock",
        Kind::Set,
        Needs::Nothing,
        "the clocks whose constraints it changes",
    ),
    info(
        Field::Site,
        "site",
        Kind::Set,
        Needs::Nothing,
        "what it changes: edge, location, guard, invariant",
    ),
    info(
        Field::Id,
        "id",
        Kind::Text,
        Needs::Nothing,
        "its id, as in mutants.jsonl",
    ),
    info(
        Field::Number,
        "number",
        Kind::Number,
        Needs::Nothing,
        "its number, as in file names",
    ),
    info(
        Field::Reason,
        "reason",
        Kind::Text,
        Needs::Verdicts,
        "the limit that was hit, or what is wrong with it",
    ),
    info(
        Field::Witness,
        "witness",
        Kind::Text,
        Needs::Witnesses,
        "how it is told from the original",
    ),
    info(
        Field::Kill,
        "kill",
        Kind::Set,
        Needs::Verdicts,
        "of untimed systems, how it is killed: potential, definite, blind; state, event, ioco",
    ),
];

impl Field {
    /// All about it.
    pub fn info(self) -> &'static FieldInfo {
        // The table has every field: a test looks each up.
        FIELDS.iter().find(|info| info.field == self).unwrap_or(&FIELDS[0])
    }

    /// The field of that name; `-` and `_` are the same.
    pub(super) fn named(name: &str) -> Option<&'static FieldInfo> {
        let name = name.replace('_', "-");
        FIELDS.iter().find(|info| info.name == name)
    }

    /// Its values, where they are a fixed list.
    pub(super) fn choices(self) -> Option<Vec<&'static str>> {
        Some(match self {
            Self::Verdict => Verdict::ALL.map(Verdict::name).to_vec(),
            Self::Kill => vec!["potential", "definite", "blind", "state", "event", "ioco"],
            Self::Rule => Rule::ALL.map(Rule::name).to_vec(),
            Self::DecidedBy => DecidedBy::ALL.map(DecidedBy::name).to_vec(),
            Self::Site => super::places::SITES.to_vec(),
            _ => return None,
        })
    }
}
