//! The content of a mutant.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::error::Result;
use crate::{DecidedBy, MutantSet, Numbered, Places, Record, Verdict};
use tamper_text::Id;
use tamper_timed::guidelines::Rule;
use tamper_timed::model::{Automaton, EdgeId, Guard, LocId, Update, Urgency};
use tamper_timed::mutation::{AlteredPart, Mutation, Site, clock_atom_text, condition_text};

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

/// The parts that the mutant changes, each as it is before its mutation.
pub(crate) fn parts_text(mutant: &Numbered) -> String {
    let parents = mutant.earlier.iter().chain([&mutant.parent]);
    let parts = mutant.mutations.iter().zip(parents);
    let parts: Vec<String> = parts.map(|(mutation, parent)| part_text(parent, mutation)).collect();
    parts.join("; ")
}

fn part_text(automaton: &Automaton, mutation: &Mutation) -> String {
    match mutation.part() {
        Some(AlteredPart::Edge(edge) | AlteredPart::Constraint(Site::Guard(edge))) => edge_text(automaton, edge, true),
        Some(AlteredPart::Location(location) | AlteredPart::Constraint(Site::Invariant(location))) => {
            location_text(automaton, location)
        }
        Some(AlteredPart::Action(action)) => {
            let action = &automaton.actions()[action];
            format!("{}channel {}", if action.urgent { "urgent " } else { "" }, action.name)
        }
        // Its action is new, so that the name says nothing.
        None => {
            let mutant = mutation.apply(automaton);
            edge_text(&mutant, EdgeId::from_index(mutant.edges().len() - 1), false)
        }
    }
}

/// `Off -> On: press?; x>=2; x=0`.
fn edge_text(automaton: &Automaton, id: EdgeId, has_action: bool) -> String {
    let edge = &automaton.edges()[id];
    let [source, target] = [edge.source, edge.target].map(|end| &automaton.locations()[end].name);
    let mut text = format!("{source} -> {target}");
    let mut between = ": ";
    let mut add = |part: &str| {
        if !part.is_empty() {
            text.push_str(between);
            text.push_str(part);
            between = "; ";
        }
    };
    if has_action {
        add(&automaton.actions()[edge.action].to_string());
    }
    let selects = edge.selects.iter();
    let selects: Vec<String> = selects
        .map(|select| format!("{} in {}..{}", select.name, select.low, select.high))
        .collect();
    add(&selects.join(", "));
    add(&guard_text(automaton, Site::Guard(id), &edge.guard));
    let updates = edge.updates.iter().map(|update| {
        let (name, value) = match update {
            Update::Reset(clock, value) => (&automaton.clocks()[*clock].name, value),
            Update::Assign(int, value) => (&automaton.ints()[*int].name, value),
        };
        format!("{name}={}", condition_text(automaton, Some(id), value))
    });
    add(&updates.collect::<Vec<_>>().join(", "));
    text
}

/// `Off while x<=5, urgent`.
fn location_text(automaton: &Automaton, id: LocId) -> String {
    let location = &automaton.locations()[id];
    let mut text = location.name.to_string();
    let invariant = guard_text(automaton, Site::Invariant(id), &location.invariant);
    if !invariant.is_empty() {
        // Writing to a string does not fail.
        let _ = write!(text, " while {invariant}");
    }
    text.push_str(match location.urgency {
        Urgency::Normal => "",
        Urgency::Urgent => ", urgent",
        Urgency::Committed => ", committed",
    });
    text
}

fn guard_text(automaton: &Automaton, site: Site, guard: &Guard) -> String {
    let edge = match site {
        Site::Guard(edge) => Some(edge),
        Site::Invariant(_) => None,
    };
    let clocks = (0..guard.clocks.len()).map(|at| clock_atom_text(automaton, site, at));
    let data = guard.data.iter().map(|part| condition_text(automaton, edge, part));
    clocks.chain(data).collect::<Vec<_>>().join(" && ")
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
        if at > 0 && at + 2 < parts.len() && parts[at..at + 2].iter().all(|part| is_number(&part)) {
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
