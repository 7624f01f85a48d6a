//! The content of a mutant.

use std::borrow::Cow;

use crate::error::Result;
use crate::{DecidedBy, MutantSet, Numbered, Places, Record, Verdict};
use tamper_timed::guidelines::Rule;

/// What a mutant changes, without the numbers by which parts are told apart within one model.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Content {
    /// The id without numbers of edges, lines and columns.
    pub change: String,
    /// The game or process that is changed; empty for a system of one part.
    pub game: String,
    /// The changed parts as text.
    pub of: String,
}

/// A mutant as its content and its places tell it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// The number in its model.
    pub number: u64,
    /// What it changes.
    pub content: Content,
    /// Places of its mutations, for conditions.
    pub places: Places,
    /// What conditions know of it; its verdict is open.
    pub record: Record,
}

impl Content {
    /// The content of the mutant with this id, whose changed parts are `of` in `game`.
    pub fn new(id: &str, game: &str, of: &str) -> Self {
        Self {
            change: without_numbers(id),
            game: game.to_owned(),
            of: of.to_owned(),
        }
    }
}

impl Description {
    /// A mutant of no known place.
    pub fn new(number: u64, id: &str, operators: Vec<&'static str>, content: Content) -> Self {
        Self {
            number,
            content,
            places: Places::default(),
            record: Record {
                id: id.to_owned(),
                order: u8::try_from(operators.len()).unwrap_or(u8::MAX),
                operators: operators.into_iter().map(Cow::Borrowed).collect(),
                violates: Vec::new(),
                verdict: Verdict::Unknown,
                why: None,
                decided_by: DecidedBy::Nothing,
                duplicate_of: None,
                reason: None,
                witness: None,
                alone: None,
                certificate: None,
                kill: None,
            },
        }
    }

    /// The id of the mutant.
    pub fn id(&self) -> &str {
        &self.record.id
    }
}

/// The mutants of `set` with these numbers.
///
/// # Errors
/// If a number belongs to no mutant.
pub fn described(set: &dyn MutantSet, numbers: &[u64]) -> Result<Vec<Description>> {
    let mutants = set.mutants(numbers)?.into_iter();
    Ok(mutants.map(|mutant| one(set, mutant)).collect())
}

fn one(set: &dyn MutantSet, mutant: Numbered) -> Description {
    let operators = mutant.mutations.iter().map(|mutation| mutation.applied().name());
    let content = Content::new(&mutant.id, &games(&mutant), &set.content(&mutant));
    let mut description = Description::new(mutant.number, &mutant.id, operators.collect(), content);
    let rules = set.rules(&mutant).unwrap_or_default();
    description.record.violates = rules.into_iter().map(|rule| Cow::Borrowed(Rule::name(rule))).collect();
    Description {
        places: mutant.places,
        ..description
    }
}

/// The names of what the mutant changes.
fn games(mutant: &Numbered) -> String {
    let parents = mutant.earlier.iter().chain([&mutant.parent]);
    let mut names: Vec<&str> = parents.map(|parent| parent.name()).collect();
    names.dedup();
    names.join(", ")
}

/// An id without the numbers that other parts of the model may change: `#1` of an edge, `:12:7:` of a line and a column.
fn without_numbers(id: &str) -> String {
    let mut pieces = id.split('#');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let rest = piece.trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.len() == piece.len() {
            text.push('#');
        }
        text.push_str(rest);
    }
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = text.split(':').collect();
    let mut kept = Vec::new();
    let mut at = 0;
    while at < parts.len() {
        if at > 0 && at + 2 < parts.len() && parts[at..at + 2].iter().all(is_number) {
            at += 2;
        }
        kept.push(parts[at]);
        at += 1;
    }
    kept.join(":")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_other_parts_may_change_are_left_out() {
        for (id, change) in [
            ("TMI:Off->On#12", "TMI:Off->On"),
            ("CXL:guard:Off->On#0:x<5=>x<6", "CXL:guard:Off->On:x<5=>x<6"),
            ("TMI:A->B#0;Gate/TMI:B->A#1", "TMI:A->B;Gate/TMI:B->A"),
            ("ROR:12:7:wtr > 0=>wtr >= 0", "ROR:wtr > 0=>wtr >= 0"),
            ("increment:27:22:30=>31", "increment:30=>31"),
            (
                "guard-true:24:8:(T #= 20 #/\\ a #= 3)",
                "guard-true:(T #= 20 #/\\ a #= 3)",
            ),
            ("SMI:Bright", "SMI:Bright"),
        ] {
            assert_eq!(without_numbers(id), change);
        }
    }
}
