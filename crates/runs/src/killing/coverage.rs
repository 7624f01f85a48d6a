//! Tests that lead to the place of a mutation.
//!
//! Until a mutant reaches a location in which it can behave differently from the specification, both behave alike under
//! a test. So a test that leads the specification to no differing location cannot distinguish the two.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::candidate::Candidate;
use crate::Timer;
use tamper_suite::{SuiteFailure, TestCase, Tester, visits};
use tamper_timed::model::{Automaton, LocId};
use tamper_timed::mutation::{Alteration, AlteredPart, Mutation, Site};

/// The locations of `game` in which its mutant by `mutation` has different edges, different constraints of edges or of
/// the invariant, or lets time pass differently.
///
/// # Panics
/// If the mutation was not made for `game`.
pub fn differing_locations(game: &Automaton, mutation: &Mutation) -> BTreeSet<LocId> {
    // An edge that enters a location is enabled only if the location's invariant will hold.
    let before = |location: LocId| game.entering(location).map(|(_, edge)| edge.source);
    let site = match *mutation {
        Mutation::RemoveEdge { edge } => Site::Guard(edge),
        Mutation::AddEdge { source, .. } => return BTreeSet::from([source]),
        Mutation::RemoveLocation { location } => return before(location).collect(),
        Mutation::LargerConstant { site, .. } | Mutation::SmallerConstant { site, .. } => site,
        Mutation::NegateGuard { edge, .. } => Site::Guard(edge),
        // With memory it differs there, or not yet.
        Mutation::Again(memory) => return differing_locations(game, &memory.once()),
        Mutation::Alter { alteration, .. } => match alteration.part() {
            AlteredPart::Constraint(site) => site,
            AlteredPart::Edge(edge) => {
                let starts = match alteration {
                    Alteration::Source { source, .. } => Some(source),
                    _ => None,
                };
                return starts.into_iter().chain([game.edges()[edge].source]).collect();
            }
            AlteredPart::Location(location) => Site::Invariant(location),
            AlteredPart::Action(action) => {
                let edges = game.edges().iter().filter(|edge| edge.action == action);
                return edges.map(|edge| edge.source).collect();
            }
            AlteredPart::Whole => return game.locations().ids().collect(),
        },
    };
    match site {
        Site::Guard(edge) => BTreeSet::from([game.edges()[edge].source]),
        Site::Invariant(location) => before(location).chain([location]).collect(),
    }
}

/// For each candidate the positions of the tests that lead the specification to a location where the candidate differs;
/// `None` for a candidate of several mutations.
///
/// # Errors
/// If bounds of tests are too fine to be compared exactly, or a limit is hit.
pub fn coverage(
    tester: &Tester,
    candidates: &[Candidate],
    tests: &[TestCase],
    timer: &Timer,
) -> Result<Vec<Option<Vec<usize>>>, SuiteFailure> {
    let visited: Vec<BTreeSet<LocId>> = tests
        .par_iter()
        .map(|test| visits(test, tester.spec(), &timer.budget()))
        .collect::<Result<_, _>>()?;
    let one = |candidate: &Candidate| match candidate.mutations.as_slice() {
        [mutation] => {
            let differing = differing_locations(tester.automaton(), mutation);
            let leads = |(_, visited): &(usize, &BTreeSet<LocId>)| !visited.is_disjoint(&differing);
            Some(visited.iter().enumerate().filter(leads).map(|(at, _)| at).collect())
        }
        _ => None,
    };
    Ok(candidates.iter().map(one).collect())
}
