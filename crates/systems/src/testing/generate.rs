//! Tests that kill potentially, and blindly.
//!
//! A test that can fail follows the mutant as long as a failure is reachable within the remaining inputs of the
//! shortest run: every answer that the specification allows either continues towards it, or ends the test.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;

use super::super::antichain::NumberSet;
use super::super::pair::{Pair, tells};
use super::super::potential::answers;
use super::super::{InputId, OutputId, Run, StateId, Step};
use super::test::{TestAnswer, TestGraph, TestNode, Then};
use tamper_text::{Budget, Id, StopReason};

/// The number of nodes after which a test follows the answers of one shortest run only.
const MAX_NODES: usize = 4096;

/// A state of the mutant and the states that the specification can be in.
type Beside = (StateId, NumberSet);

/// The number of inputs to a failure, from every place that is met within the length of a shortest run.
struct FailureDistances<'p> {
    pair: &'p Pair,
    distances: FxHashMap<Beside, usize>,
}

impl<'p> FailureDistances<'p> {
    fn new(pair: &'p Pair, depth: usize, budget: &Budget) -> Result<Self, StopReason> {
        let starts = pair.starts().into_iter();
        let places = starts.flat_map(|start| {
            let place = |own: &u32| (StateId::from_index(*own as usize), start.others.clone());
            start.own.iter().map(place).collect::<Vec<Beside>>()
        });
        let mut places: Vec<Beside> = places.collect();
        let mut numbers: FxHashMap<Beside, usize> =
            places.iter().cloned().enumerate().map(|(at, of)| (of, at)).collect();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); places.len()];
        let mut failing = Vec::new();
        let (mut first, mut bytes) = (0, 0);
        for _ in 0..depth {
            let last = places.len();
            for at in first..last {
                for input in pair.inputs().ids() {
                    let answers = answers(pair.specification(), &places[at].1, input);
                    for step in pair.mutant().steps(places[at].0, input) {
                        let Some(others) = answers.get(&step.output) else {
                            failing.push(at);
                            continue;
                        };
                        let place = (step.target, others.clone());
                        let next = places.len();
                        let number = *numbers.entry(place.clone()).or_insert(next);
                        if number == next {
                            bytes += 160 + 8 * others.len() as u64;
                            places.push(place);
                            before.push(Vec::new());
                        }
                        before[number].push(at);
                    }
                    if let Some(reason) = budget.exceeded(places.len() as u64, bytes) {
                        return Err(reason);
                    }
                }
            }
            first = last;
        }
        let mut distances: Vec<Option<usize>> = vec![None; places.len()];
        failing.iter().for_each(|at| distances[*at] = Some(1));
        let mut agenda: VecDeque<usize> = failing.into();
        while let Some(at) = agenda.pop_front() {
            for owner in &before[at] {
                if distances[*owner].is_none() {
                    distances[*owner] = distances[at].map(|distance| distance + 1);
                    agenda.push_back(*owner);
                }
            }
        }
        let distances = places.into_iter().zip(distances);
        let known = distances.filter_map(|(place, distance)| Some((place, distance?)));
        let distances = known.collect();
        Ok(Self { pair, distances })
    }
    fn of(&self, own: &[u32], others: &NumberSet) -> Option<usize> {
        let place = |own: &u32| (StateId::from_index(*own as usize), others.clone());
        own.iter()
            .filter_map(|own| self.distances.get(&place(own)).copied())
            .min()
    }
    /// The input after which a failure takes the fewest inputs, and that number, including this input.
    fn best(&self, own: &[u32], others: &NumberSet) -> Option<(usize, InputId)> {
        let after = |input: InputId| {
            let answers = answers(self.pair.specification(), others, input);
            let steps = own.iter().flat_map(|own| {
                let state = StateId::from_index(*own as usize);
                self.pair.mutant().steps(state, input)
            });
            let distance = |step: &Step| match answers.get(&step.output) {
                None => Some(1),
                Some(others) => self.distances.get(&(step.target, others.clone())).map(|more| more + 1),
            };
            steps.filter_map(distance).min().map(|distance| (distance, input))
        };
        self.pair.inputs().ids().filter_map(after).min()
    }
}

/// A future node: the number of inputs left, and the states that both systems may be in after the outputs so far.
#[derive(Clone, PartialEq, Eq, Hash)]
struct PendingNode {
    left: usize,
    own: NumberSet,
    others: NumberSet,
}

/// The test that can show the last output of `run`, a shortest run that the specification does not have.
///
/// # Errors
/// A limit was hit.
pub fn potential_test(pair: &Pair, run: &Run, budget: &Budget) -> Result<TestGraph, StopReason> {
    let depth = run.inputs.len();
    let distances = FailureDistances::new(pair, depth, budget)?;
    // The places, each with whether a shortest run leads there.
    let mut places: Vec<(PendingNode, bool)> = Vec::new();
    let starts = started(pair, depth, &distances, &mut places);
    let mut numbers: FxHashMap<PendingNode, usize> = places.iter().map(|(place, _)| place.clone()).zip(0..).collect();
    let mut nodes = Vec::new();
    let mut at = 0;
    while at < places.len() {
        let (place, is_spine) = places[at].clone();
        // A place is kept only if a failure is reachable from it.
        let Some((distance, input)) = distances.best(&place.own, &place.others) else {
            break;
        };
        let allowed: BTreeMap<OutputId, NumberSet> = answers(pair.specification(), &place.others, input)
            .into_iter()
            .collect();
        let mut mine = answers(pair.mutant(), &place.own, input);
        let can_fail = mine.keys().any(|output| !allowed.contains_key(output));
        let ended = if can_fail { Then::Pass } else { Then::Inconclusive };
        let mut has_spine = !is_spine || distance == 1;
        let mut found = Vec::with_capacity(allowed.len());
        for (output, others) in allowed {
            let own = mine.remove(&output);
            let left = own.as_ref().and_then(|own| distances.of(own, &others));
            let goes_on = left.is_some_and(|more| more < place.left);
            let on_spine = !has_spine && left.is_some_and(|more| more + 1 == distance);
            let then = match own {
                Some(own) if on_spine || (goes_on && places.len() < MAX_NODES) => {
                    let place = PendingNode {
                        left: place.left - 1,
                        own,
                        others,
                    };
                    let next = places.len();
                    let number = *numbers.entry(place.clone()).or_insert(next);
                    if number == next {
                        places.push((place, on_spine));
                    } else {
                        places[number].1 |= on_spine;
                    }
                    Then::Node(number)
                }
                _ => ended,
            };
            has_spine |= on_spine;
            let seen = pair.outputs()[output].clone();
            found.push(TestAnswer { seen, then });
        }
        nodes.push(TestNode {
            give: pair.inputs()[input].clone(),
            answers: found,
        });
        at += 1;
    }
    Ok(TestGraph { starts, nodes })
}

/// The continuation after each first output, if there are several; continuing ones are added to `places`.
fn started(
    pair: &Pair,
    depth: usize,
    distances: &FailureDistances<'_>,
    places: &mut Vec<(PendingNode, bool)>,
) -> Vec<TestAnswer> {
    let starts = pair.starts();
    // A run that fails by its first output is a shortest one.
    let can_fail = starts.iter().any(|start| start.others.is_empty());
    let ended = if can_fail { Then::Pass } else { Then::Inconclusive };
    let mut has_spine = can_fail;
    let mut listed = Vec::new();
    for start in starts.iter().filter(|start| !start.others.is_empty()) {
        let distance = distances.of(&start.own, &start.others);
        let is_spine = !has_spine && distance == Some(depth);
        has_spine |= is_spine;
        let mut then = ended;
        if distance.is_some_and(|distance| distance <= depth) && (is_spine || places.len() < MAX_NODES) {
            then = Then::Node(places.len());
            let place = PendingNode {
                left: depth,
                own: start.own.clone(),
                others: start.others.clone(),
            };
            places.push((place, is_spine));
        }
        let seen = start.seen.clone();
        listed.push(TestAnswer { seen, then });
    }
    if tells(&starts) { listed } else { Vec::new() }
}

/// The test that gives the inputs of `word`, with a node for each input and possible set of the specification's states;
/// it ends at the first answer that the specification does not allow.
///
/// # Errors
/// A limit was hit.
pub fn blind_test(pair: &Pair, word: &[InputId], budget: &Budget) -> Result<TestGraph, StopReason> {
    let mut nodes = Vec::new();
    let starts = pair.starts();
    let tells = tells(&starts);
    let allowed = starts.into_iter().filter(|start| !start.others.is_empty());
    let (seen, mut level): (Vec<String>, Vec<NumberSet>) = allowed.map(|start| (start.seen, start.others)).unzip();
    let begin = |(place, seen)| TestAnswer {
        seen,
        then: if word.is_empty() { Then::Pass } else { Then::Node(place) },
    };
    let starts = seen.into_iter().enumerate().filter(|_| tells).map(begin).collect();
    let mut bytes = 0;
    for (place, input) in word.iter().enumerate() {
        let first_next = nodes.len() + level.len();
        let mut next: Vec<NumberSet> = Vec::new();
        let mut numbers: FxHashMap<NumberSet, usize> = FxHashMap::default();
        for others in &level {
            let allowed: BTreeMap<OutputId, NumberSet> =
                answers(pair.specification(), others, *input).into_iter().collect();
            let mut found = Vec::with_capacity(allowed.len());
            for (output, others) in allowed {
                let then = if place + 1 == word.len() {
                    Then::Pass
                } else {
                    let number = *numbers.entry(others.clone()).or_insert_with(|| {
                        next.push(others);
                        next.len() - 1
                    });
                    Then::Node(first_next + number)
                };
                let seen = pair.outputs()[output].clone();
                found.push(TestAnswer { seen, then });
            }
            bytes += 64 + 48 * found.len() as u64;
            nodes.push(TestNode {
                give: pair.inputs()[*input].clone(),
                answers: found,
            });
            if let Some(reason) = budget.exceeded(nodes.len() as u64, bytes) {
                return Err(reason);
            }
        }
        level = next;
    }
    Ok(TestGraph { starts, nodes })
}
