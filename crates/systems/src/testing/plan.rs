//! Tests that kill definitely: a plan, completed by the other answers that the specification allows.

use std::collections::{BTreeMap, VecDeque};

use super::super::antichain::NumberSet;
use super::super::pair::{Pair, Start, tells};
use super::super::potential::answers;
use super::super::{OutputId, Strategy};
use super::test::{TestAnswer, TestGraph, TestNode, Then};

/// The test that follows `strategy`, which fails in every play on the mutant.
pub fn definite_test(pair: &Pair, strategy: &Strategy) -> TestGraph {
    let starts = pair.starts();
    let first_move = |seen: &String| {
        let mut starts = strategy.starts.iter();
        starts.find(|(own, _)| own == seen).and_then(|(_, first)| *first)
    };
    let mut beliefs: BTreeMap<usize, (NumberSet, NumberSet)> = BTreeMap::new();
    for start in &starts {
        if let Some(first) = first_move(&start.seen) {
            beliefs.insert(first, (start.own.clone(), start.others.clone()));
        }
    }
    let (steps, ends) = followed(pair, strategy, beliefs);
    let order = in_order(&steps);
    let place: BTreeMap<usize, usize> = order.iter().enumerate().map(|(place, at)| (*at, place)).collect();
    let node = |at: &usize| {
        let answer = |(output, next): &(OutputId, Option<usize>)| TestAnswer {
            seen: pair.outputs()[*output].clone(),
            then: next.map_or(ends[at], |next| Then::Node(place[&next])),
        };
        TestNode {
            give: pair.inputs()[strategy.moves[*at].input].clone(),
            answers: steps[at].iter().map(answer).collect(),
        }
    };
    let nodes = order.iter().map(node).collect();
    let can_fail = starts.iter().any(|start| start.others.is_empty());
    let ended = if can_fail { Then::Pass } else { Then::Inconclusive };
    let begin = |start: &Start| TestAnswer {
        seen: start.seen.clone(),
        then: first_move(&start.seen).map_or(ended, |first| Then::Node(place[&first])),
    };
    let allowed = starts.iter().filter(|start| tells(&starts) && !start.others.is_empty());
    let starts = allowed.map(begin).collect();
    TestGraph { starts, nodes }
}

/// By move: the outputs that the specification allows after it, each with the move that answers it.
type Followed = BTreeMap<usize, Vec<(OutputId, Option<usize>)>>;

/// The moves that follow from the first ones, which are made in `beliefs`; and by move, the end of a run after an
/// allowed output without a move.
fn followed(
    pair: &Pair,
    strategy: &Strategy,
    mut beliefs: BTreeMap<usize, (NumberSet, NumberSet)>,
) -> (Followed, BTreeMap<usize, Then>) {
    let (mut steps, mut ends) = (Followed::new(), BTreeMap::new());
    let mut agenda: VecDeque<usize> = beliefs.keys().copied().collect();
    while let Some(at) = agenda.pop_front() {
        let (own, others) = beliefs[&at].clone();
        let chosen = &strategy.moves[at];
        let mut mine = answers(pair.mutant(), &own, chosen.input);
        let allowed: BTreeMap<OutputId, NumberSet> = answers(pair.specification(), &others, chosen.input)
            .into_iter()
            .collect();
        let can_fail = mine.keys().any(|output| !allowed.contains_key(output));
        ends.insert(at, if can_fail { Then::Pass } else { Then::Inconclusive });
        let mut found = Vec::with_capacity(allowed.len());
        for (output, others) in allowed {
            let mut answers = chosen.answers.iter();
            let next = answers.find(|(seen, _)| *seen == output).and_then(|(_, next)| *next);
            if let (Some(next), Some(own)) = (next, mine.remove(&output)) {
                beliefs.entry(next).or_insert_with(|| {
                    agenda.push_back(next);
                    (own, others)
                });
            }
            found.push((output, next));
        }
        steps.insert(at, found);
    }
    (steps, ends)
}

/// The moves in topological order: a plan is acyclic.
fn in_order(steps: &Followed) -> Vec<usize> {
    let next_of = |at: usize| steps[&at].iter().filter_map(|(_, next)| *next);
    let mut n_before: BTreeMap<usize, usize> = steps.keys().map(|at| (*at, 0)).collect();
    for next in steps.keys().flat_map(|at| next_of(*at)) {
        *n_before.entry(next).or_insert(0) += 1;
    }
    let mut order = Vec::new();
    let without = n_before.iter().filter(|(_, n)| **n == 0);
    let mut ready: VecDeque<usize> = without.map(|(at, _)| *at).collect();
    while let Some(at) = ready.pop_front() {
        order.push(at);
        for next in next_of(at) {
            if let Some(n) = n_before.get_mut(&next) {
                *n -= 1;
                if *n == 0 {
                    ready.push_back(next);
                }
            }
        }
    }
    order
}
