//! Mutants, their verdicts, and counts of them.

use tamper::game::{Scratch, Specification, Verdict};
use tamper::guidelines;
use tamper::model::{Automaton, EdgeId, LocId, Role, SimpleConstraint};
use tamper::mutation::{Mutation, MutationOptions, Mutations, Site};
use tamper::text::Budget;

use super::expected::{Fact, Where};

/// A mutant of order 1 with its verdict.
pub struct Judged {
    pub mutation: Mutation,
    pub verdict: Verdict,
    pub violates: bool,
}

/// Every mutant of order 1.
pub fn judge_all(specification: &Specification) -> Vec<Judged> {
    let spec = specification.automaton();
    let mut scratch = Scratch::default();
    Mutations::of(spec, &MutationOptions::default())
        .iter()
        .map(|mutation| {
            let mutant = mutation.apply(spec);
            let decision = specification.decide(&mutant, &Budget::unlimited(), &mut scratch);
            Judged {
                mutation,
                verdict: decision.expect("the mutants of the studies have a meaning").verdict,
                violates: guidelines::violated(spec, &mutation).is_some(),
            }
        })
        .collect()
}

/// How many mutants of each kind.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    pub total: u64,
    pub non_subsumed: u64,
    pub subsumed: u64,
    pub inconsistent: u64,
    pub unknown: u64,
    pub violating: u64,
    /// Violating mutants that are non-subsumed.
    pub unsound: u64,
}

impl Tally {
    pub fn add(&mut self, verdict: Verdict, violates: bool) {
        self.total += 1;
        self.violating += u64::from(violates);
        match verdict {
            Verdict::Inconsistent => self.inconsistent += 1,
            Verdict::Subsumed => self.subsumed += 1,
            Verdict::NonSubsumed => {
                self.non_subsumed += 1;
                self.unsound += u64::from(violates);
            }
            Verdict::Unknown(_) => self.unknown += 1,
        }
    }
    pub fn of<'j>(judged: impl IntoIterator<Item = &'j Judged>) -> Self {
        let mut tally = Self::default();
        for one in judged {
            tally.add(one.verdict, one.violates);
        }
        tally
    }
    pub fn plus(self, other: Self) -> Self {
        Self {
            total: self.total + other.total,
            non_subsumed: self.non_subsumed + other.non_subsumed,
            subsumed: self.subsumed + other.subsumed,
            inconsistent: self.inconsistent + other.inconsistent,
            unknown: self.unknown + other.unknown,
            violating: self.violating + other.violating,
            unsound: self.unsound + other.unsound,
        }
    }
    pub fn bad(&self) -> u64 {
        self.subsumed + self.inconsistent
    }
    /// Violating / (subsumed + inconsistent) in per cent, rounded half up to `digits` decimal places.
    pub fn ratio(&self, digits: u32) -> String {
        let scale = 10u64.pow(digits);
        let rounded = (200 * scale * self.violating + self.bad()) / (2 * self.bad());
        match digits {
            0 => rounded.to_string(),
            _ => format!(
                "{}.{:0width$}",
                rounded / scale,
                rounded % scale,
                width = digits as usize
            ),
        }
    }
    pub fn percent(&self) -> f64 {
        100.0 * self.violating as f64 / self.bad() as f64
    }
    /// Compares with what a fact says.
    pub fn check(&self, fact: &Fact) {
        let claims = [
            ("total", fact.total, self.total),
            ("non-subsumed", fact.non_subsumed, self.non_subsumed),
            ("subsumed", fact.subsumed, self.subsumed),
            ("inconsistent", fact.inconsistent, self.inconsistent),
            ("violating", fact.violating, self.violating),
            ("bad", fact.bad, self.bad()),
            ("undetected", fact.undetected, self.bad() - self.violating),
        ];
        for (name, claimed, counted) in claims {
            assert_eq!(counted, claimed.unwrap_or(counted), "{name}: {}\n{self:?}", fact.claim);
        }
        if let Some(percent) = fact.ratio_percent {
            assert_eq!(self.ratio(0), percent.to_string(), "{}\n{self:?}", fact.claim);
        }
        if fact.all_bad_violate == Some(true) {
            assert_eq!(self.violating, self.bad(), "{}\n{self:?}", fact.claim);
        }
    }
}

/// Whether a mutation of `spec` is among those a fact is about.
pub fn selects(filter: &Where, spec: &Automaton, mutation: &Mutation) -> bool {
    let wanted = |wanted: &Option<String>, actual: Option<String>| wanted.is_none() || *wanted == actual;
    let name = |location: LocId| spec.locations()[location].name.to_string();
    let ends = |(source, target): (LocId, LocId)| (name(source), name(target));
    wanted(&filter.operator, Some(mutation.operator().name().to_owned()))
        && wanted(&filter.role, role(spec, mutation).map(str::to_owned))
        && wanted(&filter.element, element(mutation).map(str::to_owned))
        && wanted(
            &filter.constraint,
            mutation.constraint().map(|change| text(spec, change.old)),
        )
        && filter
            .locations
            .as_ref()
            .is_none_or(|names| place(mutation).is_some_and(|at| names.contains(&name(at))))
        && filter
            .edges
            .as_ref()
            .is_none_or(|pairs| edge(spec, mutation).is_some_and(|at| pairs.contains(&ends(at))))
}

fn text(spec: &Automaton, atom: SimpleConstraint) -> String {
    format!(
        "{}{}{}",
        spec.clocks()[atom.clock].name,
        atom.cmp.symbol(),
        atom.constant
    )
}

/// The edge of the automaton that a mutation removes or whose guard it changes.
fn mutated_edge(mutation: &Mutation) -> Option<EdgeId> {
    match (*mutation, mutation.constraint().map(|change| change.site)) {
        (Mutation::RemoveEdge { edge }, _) | (_, Some(Site::Guard(edge))) => Some(edge),
        _ => None,
    }
}

fn role(spec: &Automaton, mutation: &Mutation) -> Option<&'static str> {
    let role = match *mutation {
        Mutation::AddEdge { role, .. } => role,
        _ => spec.role(mutated_edge(mutation)?),
    };
    Some(if role == Role::Input { "input" } else { "output" })
}

fn element(mutation: &Mutation) -> Option<&'static str> {
    Some(match mutation.constraint()?.site {
        Site::Guard(_) => "guard",
        Site::Invariant(_) => "invariant",
    })
}

/// The location removed, or the one whose invariant changes.
fn place(mutation: &Mutation) -> Option<LocId> {
    match (*mutation, mutation.constraint().map(|change| change.site)) {
        (Mutation::RemoveLocation { location }, _) | (_, Some(Site::Invariant(location))) => Some(location),
        _ => None,
    }
}

/// Source and target of the edge that a mutation removes, adds or changes.
fn edge(spec: &Automaton, mutation: &Mutation) -> Option<(LocId, LocId)> {
    match *mutation {
        Mutation::AddEdge { source, target, .. } => Some((source, target)),
        _ => mutated_edge(mutation).map(|edge| (spec.edges()[edge].source, spec.edges()[edge].target)),
    }
}
