//! The fields of a mutant: name, type, required knowledge, and meaning.

use super::super::{DecidedBy, Verdict};
use tamper_timed::guidelines::{Lemma, Rule};

/// The type of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// True or false.
    Flag,
    /// A natural number.
    Number,
    /// A text, which may be empty.
    Text,
    /// One of a fixed list of names.
    Choice,
    /// A set of texts or names.
    Set,
}

/// The part of a run that a field requires.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Needs {
    /// Nothing: the field is always known.
    Nothing,
    /// Games.
    Verdicts,
    /// The extended guidelines.
    Extended,
    /// Counterexamples.
    Witnesses,
    /// Lemmata in place of games.
    Lemmas,
    /// Verdicts on the processes of a network alone.
    Processes,
}

/// The description of a field.
#[derive(Clone, Copy, Debug)]
pub struct FieldInfo {
    /// The field.
    pub field: Field,
    /// Its name in the language of conditions.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// The required knowledge.
    pub needs: Needs,
    /// Its meaning, for the help text.
    pub what: &'static str,
}

/// One line per field: variant, name, type, required knowledge, and meaning.
macro_rules! fields {
    ($($field:ident $name:literal $kind:ident $needs:ident => $what:literal;)+) => {
        /// A property of a mutant.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[allow(missing_docs, reason = "each is explained by its entry in FIELDS")]
        pub enum Field {
            $($field),+
        }

        /// All fields, in the order of the help.
        pub const FIELDS: [FieldInfo; [$($name),+].len()] = [$(FieldInfo {
            name: $name,
            field: Field::$field,
            kind: Kind::$kind,
            needs: Needs::$needs,
            what: $what,
        }),+];
    };
}

fields! {
    Verdict "verdict" Choice Verdicts => "non-subsumed, subsumed, inconsistent, subsumed-or-inconsistent, unknown, error";
    Operator "operator" Set Nothing => "its operators: TMI, TAD, SMI, CXL, CXS, CCN";
    Sequence "sequence" Text Nothing => "its operators in order of application: 'CXL-TMI'";
    Order "order" Number Nothing => "how many mutations it has";
    Violates "violates" Flag Nothing => "a published guideline names each of its mutations";
    Rule "rule" Set Nothing => "these guidelines: L1, L2, L3, L4.i, …, L7.ii";
    Identified "identified" Flag Extended => "only the extended guidelines name it";
    Why "why" Text Extended => "why it is useless, in words";
    DecidedBy "decided-by" Choice Verdicts => "rule, identity, lemma, game, duplicate, nothing";
    Lemma "lemma" Choice Lemmas => "the lemma of [003] that proves it non-subsumed without a game: L8, L9, L10.i, …, L14";
    Duplicate "duplicate" Flag Verdicts => "it is the same automaton as an earlier mutant";
    Masked "masked" Flag Processes => "of a network: a test of its process alone kills it, and no test of the network";
    Edge "edge" Set Nothing => "the edges it removes, adds or changes: 'idle->busy#0'";
    Location "location" Set Nothing => "the locations it removes, whose invariant it changes, or at the ends of its edges";
    Source "source" Set Nothing => "where its edges start";
    Target "target" Set Nothing => "where its edges lead";
    Action "action" Set Nothing => "the actions of its edges: 'press?'";
    Clock "clock" Set Nothing => "the clocks whose constraints it changes";
    Site "site" Set Nothing => "what it changes: edge, location, guard, invariant";
    Id "id" Text Nothing => "its id, as in mutants.jsonl";
    Number "number" Number Nothing => "its number, as in file names";
    Reason "reason" Text Verdicts => "the limit that was hit, or what is wrong with it";
    Witness "witness" Text Witnesses => "how it is told from the original";
    Kill "kill" Set Verdicts => "of untimed systems, how it is killed: potential, definite, blind; state, event, ioco";
}

impl Field {
    /// The description of the field.
    pub fn info(self) -> &'static FieldInfo {
        &FIELDS[self as usize]
    }

    /// The field of this name; `-` and `_` are equivalent.
    pub(super) fn named(name: &str) -> Option<&'static FieldInfo> {
        let name = name.replace('_', "-");
        FIELDS.iter().find(|info| info.name == name)
    }

    /// Its values, if they are a fixed list.
    pub(super) fn choices(self) -> Option<Vec<&'static str>> {
        Some(match self {
            Self::Verdict => Verdict::ALL.map(Verdict::name).to_vec(),
            Self::Kill => vec!["potential", "definite", "blind", "state", "event", "ioco"],
            Self::Lemma => Lemma::ALL.map(Lemma::name).to_vec(),
            Self::Rule => Rule::ALL.map(Rule::name).to_vec(),
            Self::DecidedBy => DecidedBy::ALL.map(DecidedBy::name).to_vec(),
            Self::Site => super::places::SITES.to_vec(),
            _ => return None,
        })
    }
}
