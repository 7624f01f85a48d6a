//! Published facts about the first-order mutants of one study: `case-studies/*/expected.toml`.

use serde::Deserialize;

use crate::experiment::percent;
use crate::experiment::{Record, Tally};
use crate::model::{Automaton, EdgeId, LocId, Role};
use crate::mutation::{Mutation, Site};

/// The content of the file; keys that only tests read are ignored.
#[derive(Clone, Debug, Deserialize)]
pub struct PaperFacts {
    /// Published counts of order 1.
    pub order1: Order1,
    /// Published figures of order 2.
    pub order2: Order2,
    /// Sentences about mutants of order 1.
    #[serde(rename = "fact")]
    pub facts: Vec<Fact>,
}

/// Published counts of order 1.
#[derive(Clone, Debug, Deserialize)]
pub struct Order1 {
    /// The number of all mutants.
    pub total: u64,
    /// The ratio, in whole per cent.
    pub published_percent: u64,
}

/// Published figures of order 2.
#[derive(Clone, Debug, Deserialize)]
pub struct Order2 {
    /// The number of sequences that the operators give (not published).
    pub mutants: u64,
    /// The ratio, as the paper prints it.
    pub published: String,
}

/// A published sentence about some of the mutants of order 1, and the counts it states.
#[derive(Clone, Debug, Deserialize)]
pub struct Fact {
    /// A name, unique in the file.
    pub id: String,
    /// The sentence.
    pub claim: String,
    r#where: Where,
    total: Option<u64>,
    non_subsumed: Option<u64>,
    subsumed: Option<u64>,
    inconsistent: Option<u64>,
    violating: Option<u64>,
    bad: Option<u64>,
    undetected: Option<u64>,
    ratio_percent: Option<u64>,
    all_bad_violate: Option<bool>,
}

/// A selection of the mutants that a fact is about: every given key must select the mutant.
#[derive(Clone, Debug, Deserialize)]
struct Where {
    operator: Option<String>,
    role: Option<String>,
    element: Option<String>,
    constraint: Option<String>,
    locations: Option<Vec<String>>,
    edges: Option<Vec<(String, String)>>,
}

/// A fact with the counts of our run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckedFact {
    /// The sentence.
    pub claim: String,
    /// The stated counts, e.g. `inconsistent 4, violating 4`.
    pub published: String,
    /// The same counts in our run.
    pub ours: String,
    /// Whether they agree.
    pub holds: bool,
}

impl Fact {
    /// Compares the fact with the mutants of `spec` and their records, in the same order.
    pub fn check<'r>(&self, spec: &Automaton, mutants: impl Iterator<Item = (Mutation, &'r Record)>) -> CheckedFact {
        let mut tally = Tally::default();
        for (mutation, record) in mutants {
            if self.r#where.selects(spec, &mutation) {
                tally.add(&record.facts());
            }
        }
        let (mut published, mut ours) = (Vec::new(), Vec::new());
        for (name, stated, counted) in self.counts(&tally) {
            if let Some(stated) = stated {
                published.push(format!("{name} {stated}"));
                ours.push(format!("{name} {counted}"));
            }
        }
        if self.all_bad_violate == Some(true) {
            published.push("all bad ones violate".to_owned());
            ours.push(match tally.violating == tally.bad() {
                true => "all bad ones violate".to_owned(),
                false => format!("{} of {} bad ones violate", tally.violating, tally.bad()),
            });
        }
        CheckedFact {
            claim: self.claim.clone(),
            holds: published == ours,
            published: published.join(", "),
            ours: ours.join(", "),
        }
    }

    fn counts(&self, tally: &Tally) -> [(&'static str, Option<String>, String); 8] {
        let count =
            |name, stated: Option<u64>, counted: u64| (name, stated.map(|n| n.to_string()), counted.to_string());
        let with_sign = |number: String| format!("{number} %");
        let ratio = percent(tally.violating, tally.bad(), 0).unwrap_or_else(|| "-".to_owned());
        [
            count("total", self.total, tally.total),
            count("non-subsumed", self.non_subsumed, tally.non_subsumed),
            count("subsumed", self.subsumed, tally.subsumed),
            count("inconsistent", self.inconsistent, tally.inconsistent),
            count("violating", self.violating, tally.violating),
            count("bad", self.bad, tally.bad()),
            count(
                "undetected",
                self.undetected,
                tally.bad().saturating_sub(tally.violating),
            ),
            (
                "ratio",
                self.ratio_percent.map(|n| with_sign(n.to_string())),
                with_sign(ratio),
            ),
        ]
    }
}

impl Where {
    fn selects(&self, spec: &Automaton, mutation: &Mutation) -> bool {
        let is = |wanted: &Option<String>, actual: Option<String>| wanted.is_none() || *wanted == actual;
        let name = |location: LocId| spec.locations()[location].name.to_string();
        let constraint = mutation.constraint().map(|change| {
            let atom = change.old;
            format!(
                "{}{}{}",
                spec.clocks()[atom.clock].name,
                atom.cmp.symbol(),
                atom.constant
            )
        });
        is(&self.operator, Some(mutation.operator().name().to_owned()))
            && is(&self.role, role(spec, mutation))
            && is(&self.element, element(mutation))
            && is(&self.constraint, constraint)
            && self
                .locations
                .as_ref()
                .is_none_or(|names| place(mutation).is_some_and(|at| names.contains(&name(at))))
            && self.edges.as_ref().is_none_or(|pairs| {
                ends(spec, mutation).is_some_and(|(source, target)| pairs.contains(&(name(source), name(target))))
            })
    }
}

/// The edge of the game that a mutation removes or whose guard it changes.
fn mutated_edge(mutation: &Mutation) -> Option<EdgeId> {
    match (*mutation, mutation.constraint().map(|change| change.site)) {
        (Mutation::RemoveEdge { edge }, _) | (_, Some(Site::Guard(edge))) => Some(edge),
        _ => None,
    }
}

fn role(spec: &Automaton, mutation: &Mutation) -> Option<String> {
    let role = match *mutation {
        Mutation::AddEdge { role, .. } => role,
        _ => spec.role(mutated_edge(mutation)?),
    };
    let name = if role == Role::Input { "input" } else { "output" };
    Some(name.to_owned())
}

fn element(mutation: &Mutation) -> Option<String> {
    let name = match mutation.constraint()?.site {
        Site::Guard(_) => "guard",
        Site::Invariant(_) => "invariant",
    };
    Some(name.to_owned())
}

/// The location that is removed, or whose invariant changes.
fn place(mutation: &Mutation) -> Option<LocId> {
    match (*mutation, mutation.constraint().map(|change| change.site)) {
        (Mutation::RemoveLocation { location }, _) | (_, Some(Site::Invariant(location))) => Some(location),
        _ => None,
    }
}

/// Source and target of the edge that a mutation removes, adds or changes.
fn ends(spec: &Automaton, mutation: &Mutation) -> Option<(LocId, LocId)> {
    match *mutation {
        Mutation::AddEdge { source, target, .. } => Some((source, target)),
        _ => mutated_edge(mutation).map(|edge| (spec.edges()[edge].source, spec.edges()[edge].target)),
    }
}
