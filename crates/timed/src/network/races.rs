//! Observations that make a composition deterministic.
//!
//! Two steps from one state that look the same are a race. A step shows the name of its channel or, if no channel shows it,
//! the observed changes. Observing more changes no state and no step, only these names. So a set of observations tells all
//! races of a composition apart if and only if each race is told apart by one observation of the set: a smallest set of
//! this kind is a smallest hitting set.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::emit::{change, channel_names};
use super::moves::State;
use super::{Composed, Network, Observed};
use crate::model::{EdgeId, Role};
use tamper_text::Id as _;

/// The effect of observations on races.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mending {
    /// Observing these as well makes the game deterministic, and no fewer do.
    Observe(Vec<Observed>),
    /// This race looks the same whatever is observed.
    Never((EdgeId, EdgeId)),
    /// There was no answer within the limit on sets.
    Unknown,
}

/// Most sets that are tried.
const MAX_SETS: u32 = 100_000;

/// A smallest set of observations that tells `races` of `composed`, the composition of `network`, apart.
pub fn mending(network: &Network, composed: &Composed, races: &[(EdgeId, EdgeId)]) -> Mending {
    let mut found: Vec<BTreeSet<usize>> = Vec::new();
    let all = observations(network);
    let channels: BTreeSet<Arc<str>> = channel_names(network).into_iter().collect();
    for (first, second) in races {
        let telling = telling(network, composed, *first, *second, &all, &channels);
        if telling.is_empty() {
            return Mending::Never((*first, *second));
        }
        if !found.contains(&telling) {
            found.push(telling);
        }
    }
    let mut left = MAX_SETS;
    for size in 0..=found.len() {
        let mut chosen = Vec::new();
        match hit(&found, size, &mut chosen, &mut left) {
            Some(true) => return Mending::Observe(chosen.into_iter().map(|at| all[at]).collect()),
            Some(false) => {}
            None => return Mending::Unknown,
        }
    }
    Mending::Unknown
}

/// All that can be observed.
fn observations(network: &Network) -> Vec<Observed> {
    let is_seen = |at: &usize| !network.variables[*at].meta && network.is_declared(*at);
    let variables = (0..network.variables.len()).filter(is_seen);
    let processes = network.processes.iter().enumerate();
    let locations = processes
        .flat_map(|(at, process)| (0..process.locations.len()).map(move |location| Observed::Location(at, location)));
    variables.map(Observed::Variable).chain(locations).collect()
}

/// The observations of `all` that tell two steps apart; empty if a channel shows the steps.
fn telling(
    network: &Network,
    composed: &Composed,
    first: EdgeId,
    second: EdgeId,
    all: &[Observed],
    channels: &BTreeSet<Arc<str>>,
) -> BTreeSet<usize> {
    let game = &composed.automaton;
    let action = &game.actions()[game.edges()[first].action];
    if action.role != Role::Internal && channels.contains(&*action.name) {
        return BTreeSet::new();
    }
    let state = |location: crate::model::LocId| -> &State { &composed.discrete[location.index()] };
    let source = state(game.edges()[first].source);
    let [one, other] = [first, second].map(|edge| state(game.edges()[edge].target));
    let shows = |what: &Observed, target| change(network, what, source, target);
    let tells = |what: &Observed| shows(what, one) != shows(what, other);
    (0..all.len()).filter(|at| tells(&all[*at])).collect()
}

/// Whether at most `size` more elements hit every set that `chosen` does not hit; if so, they are added to `chosen`. `None`
/// if too many were tried.
fn hit(sets: &[BTreeSet<usize>], size: usize, chosen: &mut Vec<usize>, left: &mut u32) -> Option<bool> {
    *left = left.checked_sub(1)?;
    let Some(open) = sets.iter().find(|set| !chosen.iter().any(|at| set.contains(at))) else {
        return Some(true);
    };
    if size == 0 {
        return Some(false);
    }
    for at in open {
        chosen.push(*at);
        if hit(sets, size - 1, chosen, left)? {
            return Some(true);
        }
        chosen.pop();
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of {1,2}, {2,3}, {3,4}: 2 hits two and leaves the last, so two are needed; no single element is in all.
    #[test]
    fn a_smallest_hitting_set_is_found() {
        let sets = [[1, 2], [2, 3], [3, 4]].map(|set| set.into_iter().collect());
        let mut left = 1000;
        assert_eq!(hit(&sets, 1, &mut Vec::new(), &mut left), Some(false));
        let mut chosen = Vec::new();
        assert_eq!(hit(&sets, 2, &mut chosen, &mut left), Some(true));
        assert!(
            sets.iter()
                .all(|set: &BTreeSet<usize>| chosen.iter().any(|at| set.contains(at)))
        );
        assert_eq!(hit(&sets, 2, &mut Vec::new(), &mut 1), None);
    }
}
